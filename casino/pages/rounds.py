"""The list of rounds; what is done about one is done on its own page."""

from __future__ import annotations

from typing import ClassVar

from django import forms
from django.db.models import F, OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django_filters import BooleanFilter, CharFilter, ChoiceFilter, NumberFilter

from casino.access import VIEW_FLOOR, VIEW_LOG, may
from casino.models import OutcomeRevision, Round
from casino.pages.filters import ListFilter, moment_filter, table_filter
from casino.pages.keyset import Trail
from casino.pages.listing import Listing, by_key, export, show_listing
from casino.pages.registry import page

STATUSES = [*Round.Phase.choices, ("on_hold", "On hold"), ("settling", "Not settled yet")]


class RoundFilter(ListFilter):
    first = ("key", "table", "shoe", "status")
    led_by = frozenset({"key", "table"})

    key = CharFilter(label="Round")
    table = table_filter("table")
    shoe = NumberFilter(field_name="shoe__number", label="Shoe")
    status = ChoiceFilter(method="with_status", choices=STATUSES, label="Status", empty_label="All")
    changed = BooleanFilter(
        method="changed_later", label="Changed by a ruling", widget=forms.CheckboxInput
    )
    since = moment_filter("From", "opened_at", "gte")
    until = moment_filter("To", "opened_at", "lt")

    class Meta:
        model = Round
        fields: ClassVar[list[str]] = []

    def with_status(self, rows: QuerySet[Round], name: str, value: str) -> QuerySet[Round]:
        match value:
            case "on_hold":
                return rows.filter(on_hold=True)
            case "settling":
                return rows.filter(outcome_revision__gt=F("settled_revision"), on_hold=False)
        return rows.filter(phase=value, on_hold=False)

    def changed_later(self, rows: QuerySet[Round], name: str, value: bool) -> QuerySet[Round]:
        return rows.filter(outcome_revision__gt=1) if value else rows


def _rounds() -> QuerySet[Round]:
    newest = OutcomeRevision.objects.filter(
        round=OuterRef("pk"), revision=OuterRef("outcome_revision")
    )
    rounds = Round.objects.select_related("table__pit", "shoe")
    return rounds.annotate(headline=Subquery(newest.values("headline")[:1]))


ROUNDS = Listing(
    name="rounds",
    title="Rounds",
    template="pitbook/house_rounds.html",
    filters=RoundFilter,
    read=by_key(_rounds, Trail("casino_round", "id", "opened_at")),
    columns=(
        "round", "table", "shoe", "number", "book", "edition", "game", "status", "outcome",
        "revision", "settled_revision", "opened_at", "closed_at", "resulted_at",
    ),
    record=lambda round: (
        round.key, round.table.code, round.shoe and round.shoe.number, round.number, round.book,
        round.book_version, round.game, round.status, round.headline, round.outcome_revision,
        round.settled_revision, round.opened_at, round.closed_at, round.resulted_at,
    ),
)  # fmt: skip


@page("round-list/", name="rounds", permission=VIEW_FLOOR)
def rounds(request: HttpRequest) -> HttpResponse:
    """Every round, newest first."""
    with_history = may(request.user, VIEW_LOG)  # type: ignore[arg-type]
    return show_listing(request, ROUNDS, with_history=with_history)


@page("round-list/export/", name="rounds_export", permission=VIEW_FLOOR)
def rounds_export(request: HttpRequest) -> StreamingHttpResponse:
    return export(request, ROUNDS)
