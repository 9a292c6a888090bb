"""Limits: every version that was ever in force, and the form that puts the next one in force."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from unfold.decorators import action, display

from casino.admin.facts import ReadOnlyAdmin, ReadOnlyInline
from casino.admin.service import ClockField, ServiceForm, filled, service_page
from casino.models import BetLimit, LimitSet, Operator, Table
from casino.pages.limits import ALL_BETS, EXPOSURE, PAYOUT, differences, place_title, told
from casino.pages.registry import show
from casino.selectors import game_of, limits_in_force, with_fate
from casino.services.limits import (
    BOUNDS,
    EVERY_BET,
    NO_BOUND,
    bounds_of,
    newest_limits,
    rows_of,
    set_limits,
)
from casino.templatetags.pitbook_pictures import amount, moment
from games.money import exponent, format_amount, parse_amount
from games.refusals import Refused

MAXIMA = (("payout_max", PAYOUT), ("exposure_max", EXPOSURE))
"""The bounds that have no minimum."""


class PlaceForm(forms.Form):
    """Which limits are to be set."""

    table = forms.ModelChoiceField(Table.objects.all(), to_field_name="code")
    currency = forms.CharField(max_length=3, help_text="Of ISO 4217, such as USD.")
    operator = forms.ModelChoiceField(
        Operator.objects.all(),
        to_field_name="code",
        required=False,
        empty_label="Every operator",
        help_text="Limits for one operator stand, for its tickets, before the general ones.",
    )

    def clean_currency(self) -> str:
        currency: str = self.cleaned_data["currency"].upper()
        try:
            exponent(currency)
        except Refused as refusal:
            raise forms.ValidationError(str(refusal)) from None
        return currency


ENDS = (("low", "minimum"), ("high", "maximum"))


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

    `seen` is the newest version when the form was shown. What is cleared is taken away.
    """

    seen = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(
        self, data: Any, *, table: Table, currency: str, operator: Operator | None
    ) -> None:
        newest = newest_limits(table, currency, operator)
        old = limits_in_force(table, operator).get(currency)
        rows = rows_of(old)
        minor: dict[str, int | None] = dict(bounds_of(old))
        for place, (low, high) in rows.items():
            minor |= {f"low-{place}": low, f"high-{place}": high}
        initial = {name: format_amount(one, currency) for name, one in minor.items() if one}
        super().__init__(data, initial=initial | {"seen": newest.version if newest else 0})
        game = game_of(table)
        of_selections = [place for place in rows if ":" in place]
        self.places = {
            place: place_title(game, place) for place in (EVERY_BET, *game.bets, *of_selections)
        }
        for place, title in self.places.items():
            for end, words in ENDS:
                self._add(f"{end}-{place}", f"{title}, {words}", currency)
        for name, words in (("table_min", "minimum"), ("table_max", "maximum")):
            self._add(name, f"{ALL_BETS}, {words}", currency)
        for name, words in MAXIMA:
            self._add(name, f"{words}, maximum", currency)
        selections = [
            (f"{bet.code}:{selection}", f"{bet.title} {selection}")
            for bet in game.bets.values()
            for selection in bet.selections
            if len(bet.selections) > 1 and f"{bet.code}:{selection}" not in rows
        ]
        if selections:
            choices = [("", "–"), *selections]
            label = "Selection with limits of its own"
            self.fields["selection"] = forms.ChoiceField(
                choices=choices, required=False, label=label
            )
            for end, words in ENDS:
                self._add(f"{end}-selection", f"{label}, {words}", currency)
        self.fields["effective_from"] = ClockField(table.pit.time_zone, label="Holds from")
        self.order_fields([name for name in self.fields if name != "reason"])

    def _add(self, name: str, label: str, currency: str) -> None:
        self.fields[name] = AmountField(currency, label=label, required=False)

    @property
    def rows(self) -> Iterator[tuple[str, forms.BoundField, forms.BoundField]]:
        """A row of the form for each bet, and for each selection with limits of its own."""
        for place, title in self.places.items():
            yield title, self[f"low-{place}"], self[f"high-{place}"]

    @property
    def together(self) -> tuple[str, forms.BoundField, forms.BoundField]:
        """The row for all bets of one player together."""
        return ALL_BETS, self["table_min"], self["table_max"]

    @property
    def chosen(self) -> tuple[forms.BoundField, ...]:
        """A selection that is to have limits of its own, in a game with selections."""
        names = ("selection", "low-selection", "high-selection")
        return tuple(self[name] for name in names if name in self.fields)

    @property
    def maxima(self) -> Iterator[tuple[str, forms.BoundField]]:
        """What has a maximum only."""
        for name, words in MAXIMA:
            yield words, self[name]

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        cleaned["bets"] = {}
        named = cleaned.get("selection")
        places = {place: place for place in self.places} | ({"selection": named} if named else {})
        for field, place in places.items():
            low, high = cleaned.get(f"low-{field}"), cleaned.get(f"high-{field}")
            if (low is None) == (high is None):
                cleaned["bets"][place] = None if low is None else (low, high)
            elif not self.errors:
                self.add_error(
                    f"{'low' if low is None else 'high'}-{field}", "Give both, or neither."
                )
        for name in BOUNDS:
            cleaned[name] = cleaned.get(name) or NO_BOUND
        return cleaned


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
        "table", "currency", "whose", "takes", "version", "state", "holds_from", "set_by", "reason",
    )  # fmt: skip
    list_filter = ("table", "currency", "operator")
    list_select_related = ("table", "set_by", "operator")
    ordering = ("-id",)
    fields = (
        "table", "currency", "whose", "version", "state", "holds_from", "changed", "set_when",
        "set_by", "reason",
    )  # fmt: skip
    readonly_fields = fields
    inlines = (BetInline,)
    actions_list = ("set_limits", "file")
    actions_detail = ("follow",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[LimitSet]:
        sets = super().get_queryset(request).select_related("table__pit", "set_by", "operator")
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
        """From the smallest stake on any bet to the largest."""
        bets = limits.bets.all()
        if not bets:
            return "–"
        ends = min(bet.minimum for bet in bets), max(bet.maximum for bet in bets)
        return " to ".join(format_amount(end, limits.currency) for end in ends)

    @display(description="For", ordering="operator__code")
    def whose(self, limits: LimitSet) -> str:
        return str(limits.operator or "every operator")

    @display(description="Holds from", ordering="effective_from")
    def holds_from(self, limits: LimitSet) -> SafeString:
        return moment(limits.effective_from, limits.table.pit.time_zone)

    @display(description="Set", ordering="id")
    def set_when(self, limits: LimitSet) -> SafeString:
        return moment(limits.set_at, limits.table.pit.time_zone)

    @display(description="What changed")
    def changed(self, limits: LimitSet) -> SafeString:
        before, now = (told(one, limits.table) for one in (_previous(limits), limits))
        lines = differences(before, now, limits.currency)
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
            context = {"title": "Set limits", "form": place, "button": "Go on"}
            return show(request, "pitbook/house_limits_place.html", context)
        table, currency = place.cleaned_data["table"], place.cleaned_data["currency"]
        operator = place.cleaned_data["operator"]
        whose = f"{table} in {currency}" + (f" for {operator}" if operator else "")

        def carry_out(typed: dict[str, Any]) -> str:
            told = {name: typed[name] for name in ("bets", "effective_from", "seen", *BOUNDS)}
            limits = set_limits(
                table=table,
                currency=currency,
                operator=operator,
                **told,
                actor=request.user,  # type: ignore[arg-type]
                reason=typed["reason"],
            )
            if limits.effective_from > timezone.now():
                return f"Version {limits.version} of the limits of {whose} waits for its time."
            return f"Version {limits.version} of the limits of {whose} is in force."

        return service_page(
            request,
            LimitsForm(filled(request), table=table, currency=currency, operator=operator),
            carry_out,
            title=f"Limits of {whose}",
            button="Put in force",
            back=reverse("admin:casino_limitset_changelist"),
            intro="They hold from the next ticket on, or from the time given; a ticket keeps "
            "those it was taken under. Clear both amounts of a bet to take its own limits away.",
            template="pitbook/house_limits.html",
        )

    @action(description="As a file", url_path="file", permissions=["set_limits"], icon="csv")
    def file(self, request: HttpRequest) -> HttpResponse:
        """Lead to the page where limits go out and come in as a file."""
        return redirect("admin:limits_file")

    def _limits(self, request: HttpRequest, object_id: str) -> LimitSet:
        limits: LimitSet | None = self.get_object(request, object_id)
        if limits is None:
            raise Http404
        return limits


def _previous(limits: LimitSet) -> LimitSet | None:
    """The version that this one followed: an operator's first followed the general limits."""
    before = LimitSet.objects.filter(
        table=limits.table_id, currency=limits.currency, version__lt=limits.version
    ).select_related("table")
    own = before.filter(operator=limits.operator_id).order_by("-version").first()
    if own is not None or limits.operator_id is None:
        return own
    return limits_in_force(limits.table, at=limits.set_at).get(limits.currency)
