"""What the long lists can be narrowed to."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, ClassVar

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import Exists, OuterRef, QuerySet
from django_filters import (
    BooleanFilter,
    CharFilter,
    ChoiceFilter,
    DateTimeFilter,
    Filter,
    FilterSet,
    ModelChoiceFilter,
)

from casino.models import Operator, Table
from tickets.models import Posting, Refusal, Settlement, SettlementTotal, Ticket
from tickets.selectors import OPEN, SETTLED, VOID, of_status

STATUSES = [(OPEN, "Open"), (SETTLED, "Settled"), (VOID, "Void")]
REAL_OR_TEST = [("False", "Real money"), ("True", "Test")]


class ListFilter(FilterSet):
    """A list's filters. `first` names those shown at once, `led_by` those that an index serves."""

    first: ClassVar[tuple[str, ...]] = ()
    led_by: ClassVar[frozenset[str]] = frozenset()

    @property
    def given(self) -> dict[str, Any]:
        """The filters that a person filled in, with their values."""
        if not self.form.is_valid():
            return {}
        values = self.form.cleaned_data
        return {name: value for name, value in values.items() if value not in ("", None, False)}

    @property
    def led(self) -> bool:
        """Whether an index leads to the rows, so that there is no need to look through them."""
        return not self.led_by.isdisjoint(self.given)

    @property
    def shown_first(self) -> list[forms.BoundField]:
        return [self.form[name] for name in self.first]

    @property
    def shown_later(self) -> list[forms.BoundField]:
        return [field for field in self.form if field.name not in self.first]

    @property
    def later_given(self) -> bool:
        return any(name not in self.first for name in self.given)

    def leave(self, rows: QuerySet[Any], name: str, value: Any) -> QuerySet[Any]:
        """Leave the rows as they are: the filter is answered together with others."""
        return rows


def operator_filter(**more: Any) -> Filter:
    operators = Operator.objects.all()
    return ModelChoiceFilter(
        queryset=operators, to_field_name="code", label="Operator", empty_label="All", **more
    )


def table_filter(field: str | None = None, **more: Any) -> Filter:
    return ModelChoiceFilter(
        field_name=field,
        queryset=Table.objects.all(),
        to_field_name="code",
        label="Table",
        empty_label="All",
        **more,
    )


EARLIEST, LATEST = datetime(1970, 1, 1, tzinfo=UTC), datetime(2999, 12, 31, tzinfo=UTC)
"""Beyond these no house was open, and sums with a moment leave the calendar."""


def moment_filter(label: str, field: str, lookup: str) -> Filter:
    """A bound of time, read and shown in UTC."""
    widget = forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"})
    return DateTimeFilter(
        field_name=field,
        lookup_expr=lookup,
        label=f"{label} (UTC)",
        widget=widget,
        validators=[
            MinValueValidator(EARLIEST, "That is before any house was open."),
            MaxValueValidator(LATEST, "That is after every house will be."),
        ],
    )


class TicketFilter(ListFilter):
    first: ClassVar[tuple[str, ...]] = ("reference", "player", "round", "operator", "status")
    led_by = frozenset({"reference", "player", "round", "changed"})

    reference = CharFilter(method="of_any_operator", label="Reference")
    player = CharFilter(method="of_any_operator", label="Player")
    round = CharFilter(field_name="round__key", label="Round")
    operator = operator_filter()
    status = ChoiceFilter(method="with_status", choices=STATUSES, label="Status", empty_label="All")
    table = table_filter("round__table")
    currency = CharFilter(lookup_expr="iexact", label="Currency")
    test = ChoiceFilter(choices=REAL_OR_TEST, label="Real or test", empty_label="Both")
    since = moment_filter("From", "accepted_at", "gte")
    until = moment_filter("To", "accepted_at", "lt")
    changed = BooleanFilter(
        method="changed_later", label="Changed by re-settlement", widget=forms.CheckboxInput
    )

    class Meta:
        model = Ticket
        fields: ClassVar[list[str]] = []

    @property
    def led(self) -> bool:
        return super().led or self.given.get("status") == OPEN

    def of_any_operator(self, rows: QuerySet[Ticket], name: str, value: str) -> QuerySet[Ticket]:
        """Name every operator, so that an index that begins with the operator serves."""
        operators = list(Operator.objects.values_list("pk", flat=True))
        return rows.filter(**{"operator__in": operators, name: value})

    def with_status(self, rows: QuerySet[Ticket], name: str, value: str) -> QuerySet[Ticket]:
        return of_status(rows, value)

    def changed_later(self, rows: QuerySet[Ticket], name: str, value: bool) -> QuerySet[Ticket]:
        """Tickets with a posting in a batch that was not the first of its round."""
        if not value:
            return rows
        earlier = Settlement.objects.filter(
            round=OuterRef("round"), revision__lt=OuterRef("revision")
        )
        later = Settlement.objects.filter(Exists(earlier)).values_list("pk", flat=True)
        changed = Posting.objects.filter(settlement__in=list(later)).values("ticket")
        return rows.filter(pk__in=changed)


class SettlementFilter(ListFilter):
    """Operator, currency and real or test are read from a batch's totals, all from one row."""

    first: ClassVar[tuple[str, ...]] = ("round", "kind", "operator", "table")
    led_by = frozenset({"round"})

    round = CharFilter(field_name="round__key", label="Round")
    kind = ChoiceFilter(choices=Settlement.Kind.choices, label="Kind", empty_label="All")
    operator = operator_filter(method="leave")
    table = table_filter("round__table")
    currency = CharFilter(method="leave", label="Currency")
    test = ChoiceFilter(
        method="leave", choices=REAL_OR_TEST, label="Real or test", empty_label="Both"
    )
    since = moment_filter("From", "settled_at", "gte")
    until = moment_filter("To", "settled_at", "lt")

    class Meta:
        model = Settlement
        fields: ClassVar[list[str]] = []

    def filter_queryset(self, queryset: QuerySet[Settlement]) -> QuerySet[Settlement]:
        rows = super().filter_queryset(queryset)
        if not self.whose:
            return rows
        totals = SettlementTotal.objects.filter(settlement=OuterRef("pk"), **self.whose)
        return rows.filter(Exists(totals))

    @property
    def whose(self) -> dict[str, Any]:
        """The filters that a batch's totals and its tickets have in common."""
        given = self.given
        whose = {name: given[name] for name in ("operator", "test") if name in given}
        if "currency" in given:
            whose["currency"] = given["currency"].upper()
        return whose


class PostingFilter(SettlementFilter):
    """Filters of the batches that hold the postings, and two that name the tickets."""

    first: ClassVar[tuple[str, ...]] = ("reference", "player", "round", "operator", "kind")

    reference = CharFilter(method="leave", label="Reference")
    player = CharFilter(method="leave", label="Player")

    @property
    def named(self) -> dict[str, Any]:
        """The filters that name tickets, for whom every operator is meant unless one is."""
        given = self.given
        return {name: given[name] for name in ("reference", "player") if name in given}


class RefusalFilter(ListFilter):
    first: ClassVar[tuple[str, ...]] = ("reference", "player", "round", "operator", "code")
    led_by = frozenset({"round"})

    reference = CharFilter(label="Reference")
    player = CharFilter(label="Player")
    round = CharFilter(field_name="round_key", label="Round")
    operator = operator_filter()
    code = CharFilter(method="with_code", label="Code")
    since = moment_filter("From", "at", "gte")
    until = moment_filter("To", "at", "lt")

    class Meta:
        model = Refusal
        fields: ClassVar[list[str]] = []

    def with_code(self, rows: QuerySet[Refusal], name: str, value: str) -> QuerySet[Refusal]:
        return rows.filter(codes__contains=[value])
