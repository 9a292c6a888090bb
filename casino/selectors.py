"""Reads of the floor that more than one room needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import F, QuerySet

from casino.models import (
    Incident,
    LimitSet,
    Operator,
    OutcomeRevision,
    Person,
    Pit,
    Role,
    Round,
    Ruling,
    Shoe,
    Stop,
    Table,
)
from games import rulebook
from games.refusals import Refused


def system() -> Person:
    """The row under which the house itself acts."""
    return Person.objects.get(role=Role.SYSTEM)


def table_by_code(code: str) -> Table:
    """A table, or `not_found`."""
    try:
        return Table.objects.select_related("pit").get(code=code)
    except Table.DoesNotExist:
        raise Refused("not_found", f"There is no table {code}.") from None


def round_by_key(key: str) -> Round:
    """A round, or `unknown_round`."""
    try:
        return Round.objects.select_related("table__pit", "shoe").get(key=key)
    except Round.DoesNotExist:
        raise Refused("unknown_round", f"There is no round {key}.") from None


def shoe_by_number(table: Table, number: int) -> Shoe:
    """A shoe of a table, or `not_found`."""
    try:
        return Shoe.objects.get(table=table, number=number)
    except Shoe.DoesNotExist:
        raise Refused("not_found", f"Table {table.code} has no shoe {number}.") from None


def game_of(place: Table | Round) -> rulebook.Game:
    """The game that a table deals now, or the edition that a round was opened under."""
    version = place.book_version if isinstance(place, Round) else None
    return rulebook.book(place.book, version).game(place.game)


def latest_outcome(round: Round) -> OutcomeRevision | None:
    """The newest outcome revision of a round."""
    return round.outcomes.order_by("-revision").first()


def last_dealt(round: Round) -> OutcomeRevision | None:
    """The newest outcome revision that says what was dealt, past any void."""
    return round.outcomes.filter(outcome__isnull=False).order_by("-revision").first()


def rulings_on(round: Round) -> QuerySet[Ruling]:
    """Every ruling about a round and every other one that changed its outcome, newest first."""
    about = round.rulings.values_list("pk", flat=True)
    changing = round.outcomes.filter(ruling__isnull=False).values_list("ruling", flat=True)
    return Ruling.objects.filter(pk__in={*about, *changing}).select_related("ruled_by")


def due_rounds() -> QuerySet[Round]:
    """Rounds whose newest outcome is not settled yet and that nothing holds, oldest first."""
    return Round.objects.filter(outcome_revision__gt=F("settled_revision"), on_hold=False).order_by(
        "resulted_at", "id"
    )


def stops_in_force() -> list[Stop]:
    """The stop switches that are thrown now, newest first."""
    return list(
        Stop.objects.filter(lifted_at__isnull=True).select_related(
            "table", "operator", "stopped_by"
        )
    )


def stopped(stops: Iterable[Stop], table: Table, operator: Operator | None = None) -> Stop | None:
    """The first of these stops that reaches a table, or (given one) an operator at it."""
    for stop in stops:
        if stop.operator_id is not None:
            reaches = operator is not None and stop.operator_id == operator.pk
        elif stop.table_id is not None:
            reaches = stop.table_id == table.pk
        elif stop.game:
            reaches = stop.game == table.game and stop.book in ("", table.book)
        else:
            reaches = True
        if reaches:
            return stop
    return None


def open_incidents(**where: Any) -> QuerySet[Incident]:
    """Incidents that no ruling has answered yet."""
    return Incident.objects.filter(closing__isnull=True, **where).select_related("table", "round")


def limits_in_force(table: Table) -> dict[str, LimitSet]:
    """The newest limits of a table, by currency."""
    sets = (
        LimitSet.objects.filter(table=table)
        .order_by("currency", "-version")
        .distinct("currency")
        .prefetch_related("bets")
    )
    return {limits.currency: limits for limits in sets}


def cards_used(shoe: Shoe) -> Counter[str]:
    """How often each card has been seen in a shoe, by the newest outcome of each hand."""
    used = Counter([shoe.first_card])
    outcomes = (
        OutcomeRevision.objects.filter(round__shoe=shoe, outcome__isnull=False)
        .order_by("round_id", "-revision")
        .distinct("round_id")
        .select_related("round")
    )
    for revision in outcomes:
        if revision.outcome is not None:
            used.update(game_of(revision.round).read(revision.outcome, unfinished=True).cards)
    return used


def gaming_day(pit: Pit, moment: datetime) -> date:
    """The gaming day of a pit that a moment belongs to, by the pit's own clock."""
    local = moment.astimezone(ZoneInfo(pit.time_zone))
    return local.date() - timedelta(days=1 if local.time() < pit.day_starts else 0)
