"""Limits: every version that was ever in force, and the form that puts the next one in force."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from unfold.decorators import action, display

from casino.admin.facts import ReadOnlyAdmin, ReadOnlyInline, on_clock_of_pit
from casino.admin.service import filled
from casino.models import BetLimit, LimitSet
from casino.pages.limit_forms import LimitsForm, PlaceForm
from casino.pages.limits import FOLLOWS, place_title, spread, stated, table_differences
from casino.pages.limits_file import preview_of
from casino.pages.registry import show
from casino.selectors import game_of, limits_in_force, with_fate
from casino.templatetags.pitbook_pictures import amount, sentence


class BetInline(ReadOnlyInline):
    model = BetLimit
    fields = ("title", "shown_minimum", "shown_maximum")
    readonly_fields = fields
    verbose_name_plural = "limits of each bet"

    @display(description="Bet")
    def title(self, row: BetLimit) -> str:
        return place_title(game_of(row.limit_set.table), row.place)

    @display(description="Minimum")
    def shown_minimum(self, row: BetLimit) -> SafeString:
        return amount(row.minimum, row.limit_set.currency)

    @display(description="Maximum")
    def shown_maximum(self, row: BetLimit) -> SafeString:
        return amount(row.maximum, row.limit_set.currency)


@admin.register(LimitSet)
class LimitSetAdmin(ReadOnlyAdmin):
    """Versions are rows here, so the list is the history: who, when, why, and what changed."""

    list_display = (
        "table", "whose", "takes", "profile", "version", "state", "holds_from", "why",
    )  # fmt: skip
    list_filter = ("table", "currency", "operator")
    ordering = ("-id",)
    fields = (
        "table", "currency", "whose", "version", "state", "holds_from", "profile", "changed",
        "set_when", "set_by", "reason",
    )  # fmt: skip
    readonly_fields = fields
    inlines = (BetInline,)
    actions_list = ("set_limits", "profiles", "file")
    actions_detail = ("follow",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[LimitSet]:
        sets = (
            super()
            .get_queryset(request)
            .select_related("table__pit", "set_by", "operator", "profile_version__profile")
        )
        return with_fate(sets).prefetch_related("bets")

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The list of versions is the history."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        limits = self._limits(request, object_id)
        query = urlencode({"table__id__exact": limits.table_id, "currency": limits.currency})
        return redirect(f"{reverse('admin:casino_limitset_changelist')}?{query}")

    @display(description="State", label={"In force": "success", "Coming": "info"})
    def state(self, limits: Any) -> str:
        if limits.overtaken:
            return "Overtaken before its time"
        if limits.effective_from > timezone.now():
            return "Coming"
        if limits.followed:
            return "Earlier"
        return "In force" if limits.bets.all() else "Ended: the general limits hold"

    @display(description="A bet takes")
    def takes(self, limits: LimitSet) -> str:
        return f"{spread(limits, limits.currency)} {limits.currency}"

    @display(description="For", ordering="operator__code")
    def whose(self, limits: LimitSet) -> str:
        return str(limits.operator or "every operator")

    @display(description="From the profile")
    def profile(self, limits: LimitSet) -> SafeString | str:
        version = limits.profile_version
        if version is None:
            return "–"
        url = reverse("admin:limit_profile", args=[version.profile_id])
        words = f"{version.profile.name}, version {version.version}"
        return format_html('<a class="pb-link" href="{}">{}</a>', url, words)

    @display(description="Holds from", ordering="effective_from")
    def holds_from(self, limits: Any) -> SafeString:
        return on_clock_of_pit(limits, limits.effective_from)

    @display(description="Why")
    def why(self, limits: LimitSet) -> SafeString:
        told = '{} <span class="pb-quiet">By {}</span>'
        return format_html(told, sentence(limits.reason), limits.set_by)

    @display(description="Set", ordering="id")
    def set_when(self, limits: Any) -> SafeString:
        return on_clock_of_pit(limits, limits.set_at)

    @display(description="What changed")
    def changed(self, limits: LimitSet) -> SafeString:
        previous = _previous(limits)
        lines = table_differences(limits.table, stated(previous), stated(limits), limits.currency)
        own = previous is not None and previous.operator_id == limits.operator_id
        followed, follows = _followed(previous if own else None), _followed(limits)
        if followed != follows:
            lines.insert(0, (FOLLOWS, followed, follows))
        return format_html_join("", "<div>{}: <del>{}</del> → <strong>{}</strong></div>", lines)

    @action(description="Change", url_path="follow", permissions=["set_limits"], icon="tune")
    def follow(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Lead to the form for the limits of the same table and currency."""
        limits = self._limits(request, object_id)
        query = urlencode(
            {
                "table": limits.table.code,
                "currency": limits.currency,
                "operator": limits.operator.code if limits.operator else "",
            }
        )
        return redirect(f"{reverse('admin:casino_limitset_set_limits')}?{query}")

    @action(description="Set limits", url_path="set", permissions=["set_limits"], icon="tune")
    def set_limits(self, request: HttpRequest) -> HttpResponse:
        place = PlaceForm(request.GET or None)
        if not place.is_valid():
            back = reverse("admin:casino_limitset_changelist")
            context = {"title": "Set limits", "form": place, "button": "Go on", "back": back}
            return show(request, "pitbook/house_limits_place.html", context)
        table, currency = place.cleaned_data["table"], place.cleaned_data["currency"]
        operator = place.cleaned_data["operator"]
        form = LimitsForm(filled(request), table=table, currency=currency, operator=operator)
        if request.method == "POST" and form.is_valid():
            shown = preview_of(
                request,
                form,
                form.as_rows(),
                effective_from=form.cleaned_data["effective_from"],
                back=request.get_full_path(),
            )
            if shown is not None:
                return shown
        context = {
            "title": f"Limits of {form.whose}",
            "form": form,
            "button": "Preview",
            "back": reverse("admin:casino_limitset_changelist"),
            "intro": "They hold from the next ticket on, or from the time given; a ticket keeps "
            "those it was taken under. Clear both amounts of a bet to take its own limits away.",
        }
        status = 422 if form.errors else 200
        return show(request, "pitbook/house_limits.html", context, status=status)

    @action(description="Profiles", url_path="profiles", permissions=["view"], icon="style")
    def profiles(self, request: HttpRequest) -> HttpResponse:
        """Lead to the profiles that limits may follow."""
        return redirect("admin:limit_profiles")

    @action(description="As a file", url_path="file", permissions=["set_limits"], icon="csv")
    def file(self, request: HttpRequest) -> HttpResponse:
        """Lead to the page where limits go out and come in as a file."""
        return redirect("admin:limits_file")

    def _limits(self, request: HttpRequest, object_id: str) -> LimitSet:
        limits: LimitSet | None = self.get_object(request, object_id)
        if limits is None:
            raise Http404
        return limits


def _followed(limits: LimitSet | None) -> str:
    """The name of the profile that a version came from."""
    version = limits and limits.profile_version
    return version.profile.name if version else "none"


def _previous(limits: LimitSet) -> LimitSet | None:
    """The version that this one followed: an operator's first followed the general limits."""
    before = LimitSet.objects.filter(
        table=limits.table_id, currency=limits.currency, version__lt=limits.version
    ).select_related("table", "profile_version__profile")
    own = before.filter(operator=limits.operator_id).order_by("-version").first()
    if own is not None or limits.operator_id is None:
        return own
    return limits_in_force(limits.table, at=limits.set_at).get(limits.currency)
