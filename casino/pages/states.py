"""How every table stands, read in a fixed number of queries however many tables there are."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Sum, TextField, Value
from django.db.models.functions import Cast, Coalesce
from django.utils.safestring import SafeString

from casino.models import AuditHead, Incident, OutcomeRevision, Round, Shoe, Stop, Table
from casino.pages.outcomes import Side, across, mark_of, road_hand, road_sides, sides_of
from casino.selectors import game_of, open_incidents, stopped, stops_in_force
from games import rulebook
from games.roads import Hand, Sides
from tickets.models import SettlementHead, Ticket
from tickets.selectors import OpenStake, open_stakes

RECENT = 60
"""Rounds that are looked back on at a table without shoes."""

REMEMBERED = 11
"""Results whose marks the card of such a table shows."""

RUNNING = (Round.Phase.BETTING, Round.Phase.CLOSED)


def phase_of(round: Round, stop: Stop | None) -> str:
    """The status of a round, `stopped` where a stop switch takes its betting."""
    return "stopped" if stop and round.status == Round.Phase.BETTING else round.status


@dataclass(frozen=True, slots=True)
class Result:
    """The last result of a table, and the ones before it: as the roads see them, or as marks."""

    number: int = 0
    headline: str = ""
    sides: tuple[Side, ...] = ()
    across: bool = False
    hands: tuple[Hand, ...] = ()
    road_sides: Sides | None = None
    marks: tuple[SafeString, ...] = ()


@dataclass(frozen=True, slots=True)
class Dealt:
    """The newest outcome of a round, without its models: a floor looks at thousands.

    `text` is the outcome as the database writes it, None where nothing was dealt.
    """

    round_id: int
    table_id: int
    number: int
    book: str
    version: str
    game: str
    revision: int
    kind: str
    headline: str
    text: str | None

    @property
    def played(self) -> rulebook.Game:
        """The game that was played, in the edition of the round."""
        return rulebook.book(self.book, self.version).game(self.game)

    @property
    def outcome(self) -> dict[str, Any] | None:
        return json.loads(self.text) if self.text else None

    @property
    def hand(self) -> Hand:
        """The round as the roads see it."""
        if self.text is None or self.kind == OutcomeRevision.Kind.VOID:
            return Hand("", number=self.number)
        return road_hand(self.book, self.version, self.game, self.text, number=self.number)


@dataclass(frozen=True, slots=True)
class State:
    """A table as its card shows it. `result` is read last, where it has to be drawn.

    `outcomes` is how many its recent rounds ever had, `cards` how many cards they took.
    """

    table: Table
    title: str
    round: Round | None
    shoe: Shoe | None
    stakes: tuple[OpenStake, ...]
    incidents: tuple[Incident, ...]
    stop: Stop | None = None
    outcomes: int = 0
    cards: int = 0
    result: Result = Result()

    @property
    def held(self) -> list[Round]:
        """The rounds on hold, oldest first; the newest round need not be one of them."""
        rounds = {incident.round for incident in self.incidents} | {self.round}
        return sorted(
            (round for round in rounds if round and round.on_hold), key=lambda round: round.pk
        )

    @property
    def status(self) -> str:
        """The phase; a round on hold anywhere at the table comes first."""
        return "on_hold" if self.held else self.phase

    @property
    def phase(self) -> str:
        """The phase of the newest round."""
        return phase_of(self.round, self.stop) if self.round else ""

    @property
    def since(self) -> datetime | None:
        """When the newest round came into its phase."""
        if self.round is None:
            return None
        last = self.round.resulted_at or self.round.closed_at or self.round.opened_at
        return self.round.opened_at if self.round.phase == Round.Phase.BETTING else last

    @property
    def mark(self) -> str:
        """A digest of all that the card shows: as long as it is the same, so is the card."""
        shown = [
            self.table.code, self.table.name, self.title, self.status, self.since,
            self.round and self.round.number,
            self.shoe and (self.shoe.number, self.shoe.phase, self.shoe.skipped),
            self.outcomes, self.stakes, [incident.pk for incident in self.incidents],
            self.stop and self.stop.pk,
        ]  # fmt: skip
        return hashlib.sha256(repr(shown).encode()).hexdigest()[:8]


def pulse() -> str:
    """A token that changes with everything that happens on the floor and to its open stakes.

    Both chains have positions in commit order, so nothing that commits late is missed; tickets
    are counted, and only those of running rounds.
    """
    betting = Ticket.objects.filter(round__phase__in=RUNNING, round__on_hold=False)
    counted = betting.order_by().values(all=Value(1)).annotate(n=Count("*")).values("n")
    row = AuditHead.objects.values_list(
        "position",
        Subquery(SettlementHead.objects.values("position")[:1]),
        Coalesce(Subquery(counted), 0),
    ).get()
    return "-".join(map(str, row))


def states(**where: Any) -> list[State]:
    """The state of these tables, in the order of their codes, without their results."""
    tables = list(
        Table.objects.filter(**where).select_related("pit").annotate(latest=Subquery(_latest()))
    )
    rounds = Round.objects.in_bulk([table.latest for table in tables if table.latest])
    running = Shoe.objects.filter(table__in=tables).exclude(phase__in=Shoe.OVER)
    shoes = {shoe.table_id: shoe for shoe in running}
    stakes = open_stakes([round for round in rounds.values() if not round.settled_revision])
    stops = stops_in_force()
    incidents: dict[int, list[Incident]] = defaultdict(list)
    for incident in open_incidents(table__in=tables):
        incidents[incident.table_id].append(incident)
    read = [
        State(
            table=table,
            title=game_of(table).title,
            round=rounds.get(table.latest),
            shoe=shoes.get(table.pk),
            stakes=tuple(stakes.get(table.latest, ())),
            incidents=tuple(incidents[table.pk]),
            stop=stopped(stops, table),
        )
        for table in tables
    ]
    counts = _counts(read)
    return [
        replace(state, outcomes=outcomes, cards=cards)
        for state in read
        for outcomes, cards in [counts.get(state.table.pk, (0, 0))]
    ]


def with_results(read: Sequence[State]) -> list[State]:
    """The same states with what their tables dealt lately."""
    newest: dict[int, list[Dealt]] = defaultdict(list)
    for dealt in newest_outcomes(recent_rounds(read)):
        newest[dealt.table_id].append(dealt)
    return [
        replace(state, result=_result(newest[state.table.pk]))
        if state.table.pk in newest
        else state
        for state in read
    ]


def recent_rounds(read: Sequence[State]) -> QuerySet[Round]:
    """The rounds that a table's card tells of: of the open shoe, or the last ones without shoes."""
    shoes = [state.shoe.pk for state in read if state.shoe]
    loose = [state.table.pk for state in read if not game_of(state.table).has_shoe]
    last = Round.objects.filter(table=OuterRef("pk")).order_by("-id").values("pk")[:RECENT]
    rows = Table.objects.filter(pk__in=loose).values_list(ArraySubquery(last), flat=True)
    return Round.objects.filter(Q(shoe__in=shoes) | Q(pk__in=[pk for row in rows for pk in row]))


def newest_outcomes(rounds: QuerySet[Round]) -> list[Dealt]:
    """The newest outcome of each of these rounds that has one, in the order of the rounds."""
    rows = (
        OutcomeRevision.objects.filter(round__in=rounds.order_by())
        .order_by("round_id", "-revision")
        .distinct("round_id")
        .values_list(
            "round_id", "round__table_id", "round__number", "round__book", "round__book_version",
            "round__game", "revision", "kind", "headline", Cast("outcome", TextField()),
        )
    )  # fmt: skip
    return [Dealt(*row) for row in rows]


def _result(newest: Sequence[Dealt]) -> Result:
    last = newest[-1]
    game = last.played
    roads = road_sides(game)
    marks = (mark_of(game, dealt.outcome) for dealt in reversed(newest[-REMEMBERED:]))
    return Result(
        number=last.number,
        headline=last.headline,
        sides=tuple(sides_of(game, last.outcome, size="small")),
        across=across(game),
        hands=tuple(dealt.hand for dealt in newest) if roads else (),
        road_sides=roads,
        marks=() if roads else tuple(mark for mark in marks if mark),
    )


def _latest() -> Any:
    return Round.objects.filter(table=OuterRef("pk")).order_by("-id").values("pk")[:1]


def _counts(read: Sequence[State]) -> dict[int, tuple[int, int]]:
    """By table, how many outcomes its recent rounds ever had, and how many cards they took."""
    rows = recent_rounds(read).order_by().values("table")
    counted = rows.values_list("table", Sum("outcome_revision"), Sum("cards"))
    return {table: (outcomes, cards) for table, outcomes, cards in counted}
