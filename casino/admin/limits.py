"""Limits: every version that was ever in force, and the form that puts the next one in force."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from unfold.decorators import action, display

from casino.admin.facts import ReadOnlyAdmin, ReadOnlyInline
from casino.admin.service import ServiceForm, filled, service_page
from casino.models import BetLimit, LimitSet, Table
from casino.pages.registry import show
from casino.selectors import game_of, limits_in_force
from casino.services.limits import EVERY_BET, set_limits
from casino.templatetags.pitbook_pictures import amount, moment
from games.money import exponent, format_amount, parse_amount
from games.refusals import Refused

EVERY_OTHER = "Every other bet"
ALL_BETS = "All bets of one player together"
NONE = (None, None)


class PlaceForm(forms.Form):
    """Which limits are to be set."""

    table = forms.ModelChoiceField(Table.objects.all(), to_field_name="code")
    currency = forms.CharField(max_length=3, help_text="Of ISO 4217, such as USD.")

    def clean_currency(self) -> str:
        currency: str = self.cleaned_data["currency"].upper()
        try:
            exponent(currency)
        except Refused as refusal:
            raise forms.ValidationError(str(refusal)) from None
        return currency


class AmountField(forms.CharField):
    """An amount of one currency, in minor units; empty is None."""

    def __init__(self, currency: str, **more: Any) -> None:
        widget = forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"})
        super().__init__(widget=widget, max_length=30, **more)
        self.currency = currency

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        if not text:
            return None
        try:
            return parse_amount(text, self.currency)
        except Refused:
            example = format_amount(100_000, self.currency)
            message = f"Not an amount in {self.currency}, such as {example}."
            raise forms.ValidationError(message) from None


class LimitsForm(ServiceForm):
    """The limits of one table in one currency: those in force, to be written over.

    A bet with limits of its own keeps having some; `seen` is the version that the form shows.
    """

    seen = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, data: Any, *, table: Table, currency: str) -> None:
        old = limits_in_force(table).get(currency)
        own = {row.bet: row for row in old.bets.all()} if old else {}
        initial: dict[str, Any] = {"seen": old.version if old else 0}
        if old:
            initial |= {"table_min": old.table_min, "table_max": old.table_max}
        for bet, row in own.items():
            initial |= {f"low-{bet}": row.minimum, f"high-{bet}": row.maximum}
        shown = {
            name: format_amount(value, currency) if name != "seen" and value else value
            for name, value in initial.items()
        }
        super().__init__(data, initial=shown)
        self.bets = [(EVERY_BET, EVERY_OTHER)]
        self.bets += [(bet.code, bet.title) for bet in game_of(table).bets.values()]
        for bet, title in self.bets:
            for end, words in (("low", "minimum"), ("high", "maximum")):
                self.fields[f"{end}-{bet}"] = AmountField(
                    currency, label=f"{title}, {words}", required=bet in own
                )
        for name, words in (("table_min", "minimum"), ("table_max", "maximum")):
            needed = old is not None and getattr(old, name) is not None
            label = f"All bets of one player, {words}"
            self.fields[name] = AmountField(currency, label=label, required=needed)
        self.order_fields([name for name in self.fields if name != "reason"])

    @property
    def rows(self) -> Iterator[tuple[str, forms.BoundField, forms.BoundField]]:
        """A row of the form for each bet, and one for all of them together."""
        for bet, title in self.bets:
            yield title, self[f"low-{bet}"], self[f"high-{bet}"]
        yield ALL_BETS, self["table_min"], self["table_max"]

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        cleaned["bets"] = {}
        for bet, _ in self.bets:
            low, high = cleaned.get(f"low-{bet}"), cleaned.get(f"high-{bet}")
            if low is not None and high is not None:
                cleaned["bets"][bet] = (low, high)
            elif (low is None) != (high is None) and not self.errors:
                self.add_error(
                    f"{'low' if low is None else 'high'}-{bet}", "Give both, or neither."
                )
        return cleaned


class BetInline(ReadOnlyInline):
    model = BetLimit
    fields = ("title", "shown_minimum", "shown_maximum")
    readonly_fields = fields
    verbose_name_plural = "limits of each bet"

    @display(description="Bet")
    def title(self, row: BetLimit) -> str:
        return _title(row.limit_set.table, row.bet)

    @display(description="Minimum")
    def shown_minimum(self, row: BetLimit) -> SafeString:
        return amount(row.minimum, row.limit_set.currency)

    @display(description="Maximum")
    def shown_maximum(self, row: BetLimit) -> SafeString:
        return amount(row.maximum, row.limit_set.currency)


@admin.register(LimitSet)
class LimitSetAdmin(ReadOnlyAdmin):
    """Versions are rows here, so the list is the history: who, when, why, and what changed."""

    list_display = ("table", "currency", "version", "in_force", "set_when", "set_by", "reason")
    list_filter = ("table", "currency")
    list_select_related = ("table", "set_by")
    ordering = ("-id",)
    fields = (
        "table", "currency", "version", "in_force", "changed", "set_when", "set_by", "reason",
    )  # fmt: skip
    readonly_fields = fields
    inlines = (BetInline,)
    actions_list = ("set_limits",)
    actions_detail = ("follow",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[LimitSet]:
        newer = LimitSet.objects.filter(
            table=OuterRef("table"), currency=OuterRef("currency"), version__gt=OuterRef("version")
        )
        sets = super().get_queryset(request).select_related("table__pit", "set_by")
        return sets.annotate(followed=Exists(newer)).prefetch_related("bets")

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The list of versions is the history."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        limits = self._limits(request, object_id)
        query = urlencode({"table__id__exact": limits.table_id, "currency": limits.currency})
        return redirect(f"{reverse('admin:casino_limitset_changelist')}?{query}")

    @display(description="In force", boolean=True)
    def in_force(self, limits: Any) -> bool:
        return not limits.followed

    @display(description="Set", ordering="id")
    def set_when(self, limits: LimitSet) -> SafeString:
        return moment(limits.set_at, limits.table.pit.time_zone)

    @display(description="What changed")
    def changed(self, limits: LimitSet) -> SafeString:
        now, before = _bounds(limits), _bounds(_previous(limits))
        lines = (
            (what, *(_range(ends, limits.currency) for ends in (before.get(what, NONE), now[what])))
            for what in now
            if now[what] != before.get(what, NONE)
        )
        return format_html_join("", "<div>{}: <del>{}</del> → <strong>{}</strong></div>", lines)

    @action(description="Change", url_path="follow", permissions=["set_limits"], icon="tune")
    def follow(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Lead to the form for the limits of the same table and currency."""
        limits = self._limits(request, object_id)
        query = urlencode({"table": limits.table.code, "currency": limits.currency})
        return redirect(f"{reverse('admin:casino_limitset_set_limits')}?{query}")

    @action(description="Set limits", url_path="set", permissions=["set_limits"], icon="tune")
    def set_limits(self, request: HttpRequest) -> HttpResponse:
        place = PlaceForm(request.GET or None)
        if not place.is_valid():
            context = {"title": "Set limits", "form": place, "button": "Go on"}
            return show(request, "pitbook/house_limits_place.html", context)
        table, currency = place.cleaned_data["table"], place.cleaned_data["currency"]

        def carry_out(typed: dict[str, Any]) -> str:
            told = {name: typed[name] for name in ("bets", "table_min", "table_max", "seen")}
            limits = set_limits(
                table=table,
                currency=currency,
                **told,
                actor=request.user,  # type: ignore[arg-type]
                reason=typed["reason"],
            )
            return f"Version {limits.version} of the limits of {table} in {currency} is in force."

        return service_page(
            request,
            LimitsForm(filled(request), table=table, currency=currency),
            carry_out,
            title=f"Limits of {table} in {currency}",
            button="Put in force",
            back=reverse("admin:casino_limitset_changelist"),
            intro="They hold from the next ticket on; a ticket keeps those it was taken under.",
            template="pitbook/house_limits.html",
        )

    def _limits(self, request: HttpRequest, object_id: str) -> LimitSet:
        limits: LimitSet | None = self.get_object(request, object_id)
        if limits is None:
            raise Http404
        return limits


Bounds = dict[str, tuple[int | None, int | None]]


def _previous(limits: LimitSet) -> LimitSet | None:
    before = LimitSet.objects.filter(
        table=limits.table_id, currency=limits.currency, version=limits.version - 1
    )
    return before.select_related("table").first()


def _bounds(limits: LimitSet | None) -> Bounds:
    """Everything that a version bounds, by the words for it."""
    if limits is None:
        return {}
    bounds: Bounds = {
        _title(limits.table, row.bet): (row.minimum, row.maximum) for row in limits.bets.all()
    }
    return bounds | {ALL_BETS: (limits.table_min, limits.table_max)}


def _range(ends: tuple[int | None, int | None], currency: str) -> str:
    if ends == (None, None):
        return "none"
    return " to ".join("–" if end is None else format_amount(end, currency) for end in ends)


def _title(table: Table, bet: str) -> str:
    known = game_of(table).bets.get(bet)
    return known.title if known else bet or EVERY_OTHER
