"""How every fact is shown: whole, with its history, and with nothing that writes it by itself."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet, Value
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils.safestring import SafeString
from simple_history.admin import SimpleHistoryAdmin
from unfold.admin import ModelAdmin, TabularInline

from casino.access import SET_LIMITS, SET_UP, VIEW_LOG, VIEW_SETUP, VIEW_SIGN_INS, may
from casino.pages.listing import house_zone
from casino.templatetags.pitbook_pictures import moment


def granted(request: HttpRequest, permission: str) -> bool:
    return may(request.user, permission)  # type: ignore[arg-type]


def on_clock_of_pit(row: Any, at: datetime | None) -> SafeString:
    """A moment of a table on the clock of its pit, with the zone where pits have several clocks."""
    zone = row.table.pit.time_zone
    # A version out of the history is no row of a list: it stands by itself.
    return moment(at, zone, zoned=zone != getattr(row, "zone", ""))


class ReadOnlyAdmin(ModelAdmin):
    """Rows that whoever has `seen_by` may look at, and that nobody changes here."""

    seen_by: ClassVar[str] = VIEW_SETUP
    actions = None
    show_full_result_count = False
    list_per_page = 50

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Rows with the `zone` on whose clock their times are shown."""
        return super().get_queryset(request).annotate(zone=Value(house_zone()))

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return granted(request, self.seen_by)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return granted(request, self.seen_by)

    def has_set_up_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return granted(request, SET_UP)

    def has_set_limits_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return granted(request, SET_LIMITS)

    def has_view_sign_ins_permission(
        self, request: HttpRequest, object_id: str | None = None
    ) -> bool:
        return granted(request, VIEW_SIGN_INS)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """No buttons that save: there is nothing here to save."""
        nothing = {"show_save": False, "show_save_and_continue": False, "show_close": False}
        return super().render_change_form(request, context | nothing, *args, **kwargs)


class FactAdmin(SimpleHistoryAdmin, ReadOnlyAdmin):
    """A fact, with every version of it for whoever reads the decision log.

    The history is only looked at: what restores an older version in the library answers no
    method but GET.
    """

    def has_view_history_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.has_view_permission(request, obj) and granted(request, VIEW_LOG)

    def has_change_history_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_view_history_or_change_history_permission(
        self, request: HttpRequest, obj: Model | None = None
    ) -> bool:
        return self.has_view_history_permission(request, obj)

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        refused = self._only_looked_at(request)
        return refused or super().history_view(
            request, object_id, (extra_context or {}) | {"zone": house_zone()}
        )

    def set_history_delta_changes(
        self,
        request: HttpRequest,
        historical_records: Sequence[Any],
        foreign_keys_are_objs: bool = True,
    ) -> None:
        """Tell each version of a page by what it changed from the one before it, in words."""
        zone = ZoneInfo(house_zone())
        for newer, older in pairwise(historical_records):
            delta = newer.diff_against(older, foreign_keys_are_objs=foreign_keys_are_objs)
            newer.history_delta_changes = [
                {
                    "field": self.model._meta.get_field(change.field).verbose_name,
                    "old": self._in_words(change.field, change.old, zone),
                    "new": self._in_words(change.field, change.new, zone),
                }
                for change in delta.changes
            ]

    def _in_words(self, name: str, value: Any, zone: ZoneInfo) -> str:
        field: Any = self.model._meta.get_field(name)
        match value:
            case None | "":
                return "–"
            case bool():
                return "yes" if value else "no"
            case datetime():
                return f"{value.astimezone(zone):%d %b %Y %H:%M:%S}"
            case list():
                return ", ".join(map(str, value)) or "–"
        return str(dict(field.flatchoices).get(value, value))

    def history_form_view(
        self,
        request: HttpRequest,
        object_id: str,
        version_id: str,
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        refused = self._only_looked_at(request)
        return refused or super().history_form_view(request, object_id, version_id, extra_context)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        shown = {"show_history": self.has_view_history_permission(request)}
        return super().change_view(request, object_id, form_url, (extra_context or {}) | shown)

    def _only_looked_at(self, request: HttpRequest) -> HttpResponse | None:
        if request.method != "GET":
            return HttpResponseNotAllowed(["GET"])
        if not self.has_view_history_permission(request):
            raise PermissionDenied
        return None


class ReadOnlyInline(TabularInline):
    """Rows that belong to the one shown, to look at."""

    extra = 0
    can_delete = False
    hide_title = True

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return True

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
