"""Reads of the floor that more than one room needs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db import connection
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Sum, Value
from django.db.models.functions import Coalesce, Greatest, Now

from casino.models import (
    Incident,
    LimitProfile,
    LimitSet,
    Operator,
    OutcomeRevision,
    Person,
    Pit,
    ProfileVersion,
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


def operator_by_code(code: str) -> Operator:
    """An operator, or `not_found`."""
    try:
        return Operator.objects.get(code=code)
    except Operator.DoesNotExist:
        raise Refused("not_found", f"There is no operator {code}.") from None


def profile_by_name(name: str, currency: str) -> LimitProfile:
    """A profile of limits, or `not_found`."""
    try:
        return LimitProfile.objects.get(name=name, currency=currency)
    except LimitProfile.DoesNotExist:
        raise Refused("not_found", f"There is no profile {name} in {currency}.") from None


def round_by_key(key: str) -> Round:
    """A round, or `unknown_round`."""
    try:
        return Round.objects.select_related("table__pit", "shoe").get(key=key)
    except Round.DoesNotExist:
        raise Refused("unknown_round", f"There is no round {key}.") from None


def shoe_by_number(table: Table, number: int) -> Shoe:
    """A shoe of a table, or `not_found`."""
    try:
        return Shoe.objects.select_related("table__pit").get(table=table, number=number)
    except Shoe.DoesNotExist:
        raise Refused("not_found", f"Table {table.code} has no shoe {number}.") from None


def open_shoe_of(table: Table) -> Shoe | None:
    """The shoe that is dealt from at a table, be it only for its last hand."""
    return Shoe.objects.filter(table=table).exclude(phase__in=Shoe.OVER).first()


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


def rulings_about(place: Round | Shoe) -> QuerySet[Ruling]:
    """Rulings that concern a round or a shoe, newest first.

    Of a round those on its shoe, or on the round that it rides on, that changed its outcome; of a
    shoe those on its hands.
    """
    if isinstance(place, Shoe):
        return Ruling.objects.filter(Q(shoe=place) | Q(round__shoe=place))
    left = place.outcomes.filter(ruling__isnull=False)
    return Ruling.objects.filter(Q(round=place) | Q(pk__in=left.values("ruling")))


def due_rounds() -> QuerySet[Round]:
    """Rounds whose newest outcome is not settled yet and that nothing holds, oldest first."""
    return Round.objects.filter(outcome_revision__gt=F("settled_revision"), on_hold=False).order_by(
        "resulted_at", "id"
    )


def stops_in_force() -> list[Stop]:
    """The stop switches that are thrown now, newest first."""
    # Asked with every page and ticket, and seldom answered: what belongs to a stop is read apart.
    return list(
        Stop.objects.filter(lifted_at__isnull=True).prefetch_related(
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
    return Incident.objects.filter(closing__isnull=True, **where).select_related(
        "table", "shoe", "round"
    )


def limits_in_force(
    table: Table, operator: Operator | None = None, *, at: datetime | None = None
) -> dict[str, LimitSet]:
    """What holds at a table now, by currency: an operator's own limits before the general ones.

    `at` asks for another moment, as far as versions are known. Without an operator they are
    those of every operator that has none of its own.
    """
    return limits_of([table], operator, at=at).get(table.pk, {})


def limits_of(
    tables: Iterable[Table], operator: Operator | None = None, *, at: datetime | None = None
) -> dict[int, dict[str, LimitSet]]:
    """What `limits_in_force` says of each of these tables, by table id.

    Each set tells as `watched` whether any version at its table in its currency ever bounded
    the exposure.
    """
    beside = LimitSet.objects.filter(table=OuterRef("table"), currency=OuterRef("currency"))
    sets = (
        LimitSet.objects.filter(
            Q(operator=None) | Q(operator=operator),
            table__in=tables,
            effective_from__lte=at or Now(),
        )
        .order_by("table_id", "currency", F("operator_id").desc(nulls_last=True), "-version")
        .distinct("table_id", "currency", "operator_id")
        .annotate(watched=Exists(beside.filter(exposure_max__isnull=False)))
        .select_related("table", "operator")
        .prefetch_related("bets")
    )
    found: dict[int, dict[str, LimitSet]] = defaultdict(dict)
    for limits in sets:
        if limits.bets.all():
            found[limits.table_id].setdefault(limits.currency, limits)
    return found


def limits_to_come(table: Table) -> list[LimitSet]:
    """The versions at a table whose time is still to come, the next one first.

    One that a newer version overtakes before its time never holds and is left out.
    """
    return list(
        with_fate(LimitSet.objects.filter(table=table))
        .filter(effective_from__gt=Now(), overtaken=False)
        .order_by("effective_from", "version")
        .select_related("operator", "set_by")
        .prefetch_related("bets")
    )


def with_fate(sets: QuerySet[LimitSet]) -> QuerySet[Any]:
    """Versions that know whether they are `followed` and whether they were `overtaken`.

    A followed one is no longer in force; an overtaken one never was, because the newer version
    held no later than it.
    """
    newer = LimitSet.objects.annotate(whose=Coalesce("operator_id", 0)).filter(
        whose=Coalesce(OuterRef("operator_id"), 0),
        table=OuterRef("table"),
        currency=OuterRef("currency"),
        version__gt=OuterRef("version"),
    )
    return sets.annotate(
        followed=Exists(newer.filter(effective_from__lte=Now())),
        overtaken=Exists(newer.filter(effective_from__lte=OuterRef("effective_from"))),
    )


def house_clock() -> datetime:
    """The moment by the clock of the database, which dates every decision."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        moment: datetime = cursor.fetchone()[0]
    return moment


def profile_lines(at: datetime) -> dict[int, list[ProfileVersion]]:
    """What every profile says from a moment on, by its id: the version in force, then to come.

    The last one is the newest there is. Versions that one of these overtakes are left out.
    """
    newer = ProfileVersion.objects.filter(
        profile=OuterRef("profile"), version__gt=OuterRef("version")
    )
    holds = Greatest(OuterRef("effective_from"), Value(at))
    found: dict[int, list[ProfileVersion]] = defaultdict(list)
    for version in (
        ProfileVersion.objects.filter(~Exists(newer.filter(effective_from__lte=holds)))
        .order_by("profile_id", "version")
        .select_related("profile", "set_by")
        .prefetch_related("bets")
    ):
        found[version.profile_id].append(version)
    return found


def followers_of(profiles: Sequence[LimitProfile]) -> dict[int, list[LimitSet]]:
    """The newest version of every set of limits that follows one of these profiles, by its id."""
    place = ("table__code", "operator__code", "currency")
    newest = LimitSet.objects.order_by(*place, "-version").distinct(*place)
    found: dict[int, list[LimitSet]] = defaultdict(list)
    for row in newest.filter(currency__in={one.currency for one in profiles}).select_related(
        "table__pit", "operator", "profile_version"
    ):
        if row.profile_version is not None:
            found[row.profile_version.profile_id].append(row)
    return {one.pk: found[one.pk] for one in profiles}


def cards_used(shoe: Shoe) -> Counter[str]:
    """How often each card has been seen in a shoe, by the newest outcome of each hand."""
    used = Counter([shoe.first_card] if shoe.first_card else [])
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


def cards_out(shoe: Shoe) -> int:
    """How many cards are out of a shoe, those included that were skipped before its first hand."""
    dealt = shoe.rounds.order_by().aggregate(cards=Sum("cards"))["cards"]
    return shoe.skipped + (dealt or 0)


def gaming_day(pit: Pit, moment: datetime) -> date:
    """The gaming day of a pit that a moment belongs to, by the pit's own clock."""
    local = moment.astimezone(ZoneInfo(pit.time_zone))
    return local.date() - timedelta(days=1 if local.time() < pit.day_starts else 0)
