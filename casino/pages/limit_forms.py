"""The forms in which limits are written: those of a table, and those of a profile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from django import forms
from django.db.models import F

from casino.admin.service import ClockField
from casino.models import LimitProfile, LimitSet, Operator, ProfileVersion, Table
from casino.pages.amounts import AmountField
from casino.pages.limits import ALL_BETS, EXPOSURE, PAYOUT, place_title, profile_title
from casino.pages.listing import house_zone
from casino.selectors import game_of, limits_in_force
from casino.services.limit_plans import MOST_NAME, check_name, game_with
from casino.services.limits import (
    BOUNDS,
    EVERY_BET,
    bounds_of,
    check_bounds,
    check_span,
    newest_limits,
    rows_of,
)
from casino.services.limits_file import Row, limit_rows, profile_rows
from games import rulebook
from games.money import exponent, format_amount
from games.refusals import Refused

MAXIMA = (("payout_max", PAYOUT), ("exposure_max", EXPOSURE))
"""The bounds that have no minimum."""

ENDS = (("low", "minimum"), ("high", "maximum"))

Cells = tuple[forms.BoundField, forms.BoundField]


class CurrencyField(forms.CharField):
    """Three letters of a currency."""

    def __init__(self) -> None:
        super().__init__(max_length=3, help_text="Of ISO 4217, such as USD.")

    def clean(self, value: Any) -> str:
        currency: str = super().clean(value).upper()
        try:
            exponent(currency)
        except Refused as refusal:
            raise forms.ValidationError(str(refusal)) from None
        return currency


class ByPit(forms.models.ModelChoiceIterator):
    """Tables to choose from, pit by pit."""

    def __iter__(self) -> Iterator[Any]:
        tables = self.queryset.select_related("pit").order_by("pit__name", "code")
        for pit, found in groupby(tables, key=lambda table: table.pit.name):
            yield pit, [self.choice(table) for table in found]


class TablesField(forms.ModelMultipleChoiceField):
    """Tables by pit, each with its game and, in `following`, what is said of it besides."""

    iterator = ByPit
    widget = forms.CheckboxSelectMultiple

    def __init__(self, **more: Any) -> None:
        super().__init__(Table.objects.all(), to_field_name="code", **more)
        self.following: Mapping[int, str] = {}

    def label_from_instance(self, table: Table) -> str:
        words = [table.code, game_of(table).title, self.following.get(table.pk, "")]
        return " · ".join(filter(None, words))


def following_in(currency: str) -> dict[int, str]:
    """By table, which profiles its limits in a currency follow, in words."""
    place = ("table_id", "operator_id")
    newest = LimitSet.objects.filter(currency=currency).order_by(*place, "-version")
    following = LimitSet.objects.filter(
        pk__in=newest.distinct(*place).values("pk"), profile_version__isnull=False
    )
    rows = following.order_by(F("operator__code").asc(nulls_first=True)).values_list(
        "table_id", "operator__code", "profile_version__profile__name"
    )
    told: dict[int, str] = {}
    for table, operator, name in rows:
        words = f"{f'{operator} ' if operator else ''}follows {name}"
        told[table] = f"{told[table]}, {words}" if table in told else words
    return told


class PlaceForm(forms.Form):
    """Which limits are to be set."""

    table = forms.ModelChoiceField(Table.objects.all(), to_field_name="code")
    currency = CurrencyField()
    operator = forms.ModelChoiceField(
        Operator.objects.all(),
        to_field_name="code",
        required=False,
        empty_label="Every operator",
        help_text="Limits for one operator stand, for its tickets, before the general ones.",
    )


class FiguresForm(forms.Form):
    """Limits in one currency: those in force, to be written over. What is cleared is taken away.

    `places` are the bets that have a row, with their words; `spare` rows are for others, which
    are named in them. `seen` is the newest version when the form was shown.
    """

    seen = forms.IntegerField(widget=forms.HiddenInput)
    may_be_empty = False

    def __init__(
        self,
        data: Any,
        *,
        currency: str,
        old: LimitSet | ProfileVersion | None,
        newest: LimitSet | ProfileVersion | None,
        places: Mapping[str, str],
        spare: Sequence[forms.Field],
        zone: str,
    ) -> None:
        minor: dict[str, int | None] = dict(bounds_of(old))
        for place, (low, high) in rows_of(old).items():
            minor |= {f"low-{place}": low, f"high-{place}": high}
        initial = {name: format_amount(one, currency) for name, one in minor.items() if one}
        self.version = newest.version if newest else 0
        super().__init__(data, initial=initial | {"seen": self.version})
        self.currency, self.places = currency, places
        for place, title in places.items():
            self._add(place, title)
        self.spare = [f"spare{number}" for number, _ in enumerate(spare)]
        for name, field in zip(self.spare, spare, strict=True):
            self.fields[name] = field
            self._add(name, str(field.label))
        for name, words in (("table_min", "minimum"), ("table_max", "maximum"), *MAXIMA):
            label = f"{ALL_BETS}, {words}" if name.startswith("table") else f"{words}, maximum"
            self.fields[name] = AmountField(currency, label=label, required=False)
        self.fields["effective_from"] = ClockField(zone, label="Hold from")

    def _add(self, place: str, title: str) -> None:
        for end, words in ENDS:
            label = f"{title}, {words}"
            self.fields[f"{end}-{place}"] = AmountField(self.currency, label=label, required=False)

    @property
    def rows(self) -> Iterator[tuple[str, forms.BoundField, forms.BoundField]]:
        """A row of the form for each bet, and for each selection with limits of its own."""
        for place, title in self.places.items():
            yield title, self[f"low-{place}"], self[f"high-{place}"]

    @property
    def chosen(self) -> Iterator[tuple[forms.BoundField, forms.BoundField, forms.BoundField]]:
        """A row for each bet or selection that is yet to be named."""
        for name in self.spare:
            yield self[name], self[f"low-{name}"], self[f"high-{name}"]

    @property
    def together(self) -> tuple[str, forms.BoundField, forms.BoundField]:
        """The row for all bets of one player together."""
        return ALL_BETS, self["table_min"], self["table_max"]

    @property
    def maxima(self) -> Iterator[tuple[str, forms.BoundField]]:
        """What has a maximum only."""
        for name, words in MAXIMA:
            yield words, self[name]

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        bets = cleaned["bets"] = {}
        for field in (*self.places, *self.spare):
            place = cleaned.get(field, "") if field in self.spare else field
            low, high = cleaned.get(f"low-{field}"), cleaned.get(f"high-{field}")
            if self.errors or (low is None and high is None):
                continue
            if low is None or high is None:
                name = f"{'low' if low is None else 'high'}-{field}"
                self.add_error(name, "Give both, or neither.")
            elif field in self.spare and not place:
                self.add_error(field, "Which one?")
            elif place in bets:
                self.add_error(field, "This one is there already.")
            else:
                bets[place] = (low, high)
        cleaned["bounds"] = {name: cleaned.get(name) for name in BOUNDS}
        if not self.errors:
            try:
                self._check()
            except Refused as refusal:
                self.add_error(None, str(refusal))
        return cleaned

    def _check(self) -> None:
        bets, bounds = self.cleaned_data["bets"], self.cleaned_data["bounds"]
        if self.cleaned_data["seen"] != self.version:
            raise Refused(
                "conflict", f"The limits of {self.whose} changed meanwhile; look at them again."
            )
        if not bets and not self.may_be_empty:
            raise Refused("invalid_value", "Give a minimum and a maximum for at least one bet.")
        for place, span in bets.items():
            check_span(span, place or "every bet")
        check_bounds(bounds)

    @property
    def whose(self) -> str:
        """The words for what is written here."""
        raise NotImplementedError


class LimitsForm(FiguresForm):
    """The limits of one table, in general or for an operator."""

    def __init__(
        self, data: Any, *, table: Table, currency: str, operator: Operator | None
    ) -> None:
        self.table, self.operator = table, operator
        newest = newest_limits(table, currency, operator)
        old = limits_in_force(table, operator).get(currency)
        self.follows = newest and newest.profile_version and newest.profile_version.profile
        self.may_be_empty = operator is not None and newest is not None
        game, own = game_of(table), rows_of(old)
        of_selections = [place for place in own if ":" in place]
        super().__init__(
            data,
            currency=currency,
            old=old,
            newest=newest,
            places={
                place: place_title(game, place) for place in (EVERY_BET, *game.bets, *of_selections)
            },
            spare=_selections(game, own),
            zone=table.pit.time_zone,
        )

    @property
    def whose(self) -> str:
        named = f"{self.table} in {self.currency}"
        return f"{named} for {self.operator}" if self.operator else named

    def as_rows(self) -> list[Row]:
        """What was typed, as rows of a file."""
        bets, bounds = self.cleaned_data["bets"], self.cleaned_data["bounds"]
        return limit_rows(self.table, self.operator, self.currency, bets, bounds)


class ProfileForm(FiguresForm):
    """What a profile says; a new one is without a `version`."""

    def __init__(
        self,
        data: Any,
        *,
        profile: LimitProfile,
        old: ProfileVersion | None = None,
        newest: ProfileVersion | None = None,
    ) -> None:
        self.profile = profile
        super().__init__(
            data,
            currency=profile.currency,
            old=old,
            newest=newest,
            places={place: profile_title(place) for place in {EVERY_BET: None, **rows_of(old)}},
            spare=[BetField(number) for number in range(1, SPARE + 1)],
            zone=house_zone(),
        )

    @property
    def whose(self) -> str:
        return f"{self.profile.name} in {self.currency}"

    @property
    def known(self) -> Iterator[tuple[str, str]]:
        """Every bet of every game, to choose from, with its words."""
        games = (game for book in rulebook.books().values() for game in book.games.values())
        known = {bet.code: bet.title for game in games for bet in game.bets.values()}
        yield from sorted(known.items())

    def as_rows(self) -> list[Row]:
        """What was typed, as rows of a file."""
        bets, bounds = self.cleaned_data["bets"], self.cleaned_data["bounds"]
        return profile_rows(self.profile.name, self.profile.currency, bets, bounds)


class NewProfileForm(forms.Form):
    """What a profile is called, and its currency."""

    name = forms.CharField(max_length=MOST_NAME, help_text="Never changes: Main floor.")
    currency = CurrencyField()

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        try:
            check_name(name)
        except Refused as refusal:
            raise forms.ValidationError(str(refusal)) from None
        return name

    def clean(self) -> dict[str, Any]:
        typed = self.cleaned_data
        if LimitProfile.objects.filter(
            name=typed.get("name"), currency=typed.get("currency")
        ).exists():
            raise forms.ValidationError(
                f"There is a profile {typed['name']} in {typed['currency']} already."
            )
        return typed


SPARE = 4
"""Rows of a profile's form for bets that it does not limit yet."""


class BetField(forms.CharField):
    """A bet of any game, or a selection of one, by its code."""

    def __init__(self, number: int) -> None:
        super().__init__(
            label=f"Another bet, {number}",
            required=False,
            max_length=81,
            widget=forms.TextInput(attrs={"list": "bets", "autocomplete": "off"}),
        )

    def clean(self, value: Any) -> str:
        place: str = super().clean(value).strip().lower()
        try:
            game_with(place)
        except Refused as refusal:
            raise forms.ValidationError(str(refusal)) from None
        return place


def _selections(game: rulebook.Game, own: Mapping[str, object]) -> list[forms.Field]:
    """The choice of a selection that is to have limits of its own, in a game with selections."""
    choices = [
        (f"{bet.code}:{selection}", f"{bet.title} {selection}")
        for bet in game.bets.values()
        for selection in bet.selections
        if len(bet.selections) > 1 and f"{bet.code}:{selection}" not in own
    ]
    if not choices:
        return []
    label = "Selection with limits of its own"
    return [forms.ChoiceField(choices=[("", "–"), *choices], required=False, label=label)]
