"""Rulings and incidents of the whole house, as lists."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django_filters import CharFilter, ChoiceFilter, ModelChoiceFilter

from casino.access import VIEW_FLOOR
from casino.models import Incident, IncidentClosing, OutcomeRevision, Person, Ruling, Table
from casino.pages.dialogs import url_of
from casino.pages.filters import ListFilter, moment_filter, table_filter
from casino.pages.keyset import Trail
from casino.pages.listing import Listing, by_key, export, show_listing
from casino.pages.pictures import spoken
from casino.pages.registry import page
from games.incidents import GROUNDS
from tickets.models import Ticket

MOST_WAITING = 50
"""Open incidents that stand above the list; the filter "Open" has them all."""

KINDS = sorted((ground, spoken(ground)) for ground in GROUNDS)


class RulingFilter(ListFilter):
    first = ("round", "table", "kind", "ground", "ruled_by")
    led_by = frozenset({"round"})

    round = CharFilter(field_name="round__key", label="Round")
    table = table_filter(method="at_table")
    kind = ChoiceFilter(choices=Ruling.Kind.choices, label="Ruling", empty_label="All")
    ground = ChoiceFilter(choices=KINDS, label="Ground", empty_label="All")
    ruled_by = ModelChoiceFilter(
        queryset=Person.objects.filter(is_staff=True).order_by("username"),
        to_field_name="username",
        label="Ruled by",
        empty_label="Anybody",
    )
    since = moment_filter("From", "ruled_at", "gte")
    until = moment_filter("To", "ruled_at", "lt")

    class Meta:
        model = Ruling
        fields: ClassVar[list[str]] = []

    def at_table(self, rows: QuerySet[Ruling], name: str, value: Table) -> QuerySet[Ruling]:
        return rows.filter(Q(round__table=value) | Q(shoe__table=value))


class IncidentFilter(ListFilter):
    first = ("round", "table", "kind", "state")
    led_by = frozenset({"round", "state"})

    round = CharFilter(field_name="round__key", label="Round")
    table = table_filter("table")
    kind = ChoiceFilter(choices=KINDS, label="Kind", empty_label="All")
    state = ChoiceFilter(
        method="in_state",
        choices=[("open", "Open"), ("answered", "Answered")],
        label="State",
        empty_label="All",
    )
    since = moment_filter("From", "raised_at", "gte")
    until = moment_filter("To", "raised_at", "lt")

    class Meta:
        model = Incident
        fields: ClassVar[list[str]] = []

    def in_state(self, rows: QuerySet[Incident], name: str, value: str) -> QuerySet[Incident]:
        return rows.filter(closing__isnull=value == "open")


def _ruled(rulings: list[Ruling]) -> list[dict[str, Any]]:
    """Rulings with where each was made and, where it is about bets, of which ticket."""
    tickets = Ticket.objects.in_bulk({ruling.bets["ticket"] for ruling in rulings if ruling.bets})
    return [
        {
            "ruling": ruling,
            "ground": spoken(ruling.ground),
            "place": str(ruling.place),
            "url": url_of(ruling.place),
            "zone": ruling.place.table.pit.time_zone,
            "left": _left(ruling),
            "ticket": ruling.bets and tickets[ruling.bets["ticket"]],
            "whole": ruling.bets and not ruling.bets["lines"],
        }
        for ruling in rulings
    ]


def _left(ruling: Any) -> str:
    """What a ruling left behind: the outcome of its round, or what became of its shoe."""
    match ruling.kind:
        case Ruling.Kind.VOID_SHOE:
            return f"{ruling.plan['after']}. Hands void: {len(ruling.plan['hands'])}"
        case Ruling.Kind.CORRECT_SHOE:
            after = ruling.plan["after"]
            return f"First card {after['first_card']}, {after['burned']} skipped"
    return ruling.headline or ""


def _raised(incidents: list[Incident]) -> list[dict[str, Any]]:
    return [
        {
            "incident": incident,
            "title": spoken(incident.kind),
            "closing": getattr(incident, "closing", None),
        }
        for incident in incidents
    ]


def _rulings() -> QuerySet[Ruling]:
    """Rulings with the outcome that each left behind for its round, if it left one."""
    left = OutcomeRevision.objects.filter(ruling=OuterRef("pk"), round=OuterRef("round"))
    rulings = Ruling.objects.select_related(
        "round__table__pit", "shoe__table__pit", "ruled_by", "approved_by", "proposal_decision"
    )
    return rulings.annotate(headline=Subquery(left.values("headline")[:1]))


RULINGS = Listing(
    name="rulings",
    title="Rulings",
    template="pitbook/log_rulings.html",
    filters=RulingFilter,
    read=by_key(_rulings, Trail("casino_ruling", "id", "ruled_at")),
    dress=_ruled,
    columns=(
        "ruling", "ruled_at", "kind", "table", "round", "ground", "note", "evidence", "by", "shoe",
        "approved_by", "ticket", "approval",
    ),
    record=lambda ruling: (
        ruling.pk, ruling.ruled_at, ruling.kind, ruling.place.table.code,
        ruling.round and ruling.round.key, ruling.ground, ruling.note, ruling.evidence,
        str(ruling.ruled_by), ruling.shoe and ruling.shoe.number,
        ruling.approved_by and str(ruling.approved_by), ruling.bets and ruling.bets["ticket"],
        ruling.approval,
    ),
)  # fmt: skip

INCIDENTS = Listing(
    name="incidents",
    title="Incidents",
    template="pitbook/log_incidents.html",
    filters=IncidentFilter,
    read=by_key(
        lambda: Incident.objects.select_related(
            "table__pit", "shoe", "round", "raised_by",
            "closing__ruling__ruled_by", "closing__noted_by",
        ),
        Trail("casino_incident", "id", "raised_at"),
    ),
    dress=_raised,
    columns=(
        "incident", "raised_at", "kind", "table", "round", "note", "video", "raised_by",
        "answer", "ruling", "answered_at", "answered_by", "answer_note",
    ),
    record=lambda incident: (
        incident.pk, incident.raised_at, incident.kind, incident.table.code,
        incident.round and incident.round.key, incident.note, incident.video,
        str(incident.raised_by), *_answer(incident),
    ),
)  # fmt: skip


def _answer(incident: Incident) -> tuple[object, ...]:
    """What answered an incident: the kind and number of the ruling, when, by whom and why."""
    closing: IncidentClosing | None = getattr(incident, "closing", None)
    if closing is None:
        return (None,) * 5
    kind = closing.ruling.kind if closing.ruling else "noted"
    by, at = closing.answered_by, closing.answered_at
    return kind, closing.ruling_id, at, str(by), closing.why


@page("rulings/", name="rulings", permission=VIEW_FLOOR)
def rulings(request: HttpRequest) -> HttpResponse:
    """Every ruling, newest first."""
    return show_listing(request, RULINGS)


@page("rulings/export/", name="rulings_export", permission=VIEW_FLOOR)
def rulings_export(request: HttpRequest) -> StreamingHttpResponse:
    return export(request, RULINGS)


@page("incidents/", name="incidents", permission=VIEW_FLOOR)
def incidents(request: HttpRequest) -> HttpResponse:
    """Every incident, newest first; before them those that nobody has answered yet."""
    waiting: list[dict[str, Any]] = []
    if not request.GET:
        everywhere = Incident.objects.filter(closing__isnull=True).order_by("-id")
        related = ("table__pit", "shoe", "round", "raised_by", "closing")
        waiting = _raised(list(everywhere.select_related(*related)[:MOST_WAITING]))
    return show_listing(request, INCIDENTS, waiting=waiting)


@page("incidents/export/", name="incidents_export", permission=VIEW_FLOOR)
def incidents_export(request: HttpRequest) -> StreamingHttpResponse:
    return export(request, INCIDENTS)
