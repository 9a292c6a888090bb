"""How every fact is shown: whole, with its history, and with nothing that writes it by itself."""

from __future__ import annotations

from typing import Any, ClassVar

from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from simple_history.admin import SimpleHistoryAdmin
from unfold.admin import ModelAdmin, TabularInline
from unfold.paginator import InfinitePaginator

from casino.access import SET_LIMITS, SET_UP, VIEW_LOG, VIEW_SETUP, may
from casino.pages.listing import house_zone


def granted(request: HttpRequest, permission: str) -> bool:
    return may(request.user, permission)  # type: ignore[arg-type]


class ReadOnlyAdmin(ModelAdmin):
    """Rows that whoever has `seen_by` may look at, and that nobody changes here."""

    seen_by: ClassVar[str] = VIEW_SETUP
    actions = None
    show_full_result_count = False
    paginator = InfinitePaginator
    list_per_page = 50

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return granted(request, self.seen_by)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return granted(request, self.seen_by)

    def has_set_up_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return granted(request, SET_UP)

    def has_set_limits_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return granted(request, SET_LIMITS)

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

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return True

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
