"""Reads of the money that more than one room needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import (
    BigIntegerField,
    Case,
    Count,
    Exists,
    F,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from casino.models import Round
from casino.selectors import game_of
from games import rulebook
from games.rulebook import Exposure
from tickets.models import (
    NEWEST,
    Account,
    Line,
    LinePlay,
    Posting,
    Refusal,
    Settlement,
    SettlementTotal,
    Ticket,
    Wager,
)


@dataclass(frozen=True, slots=True)
class OpenStake:
    """What lies on a round in one currency, in minor units, test tickets left out.

    A player of several currencies counts with the first of them.
    """

    currency: str
    tickets: int
    players: int
    stake: int


OPEN, SETTLED, VOID = "open", "settled", "void"
"""What a ticket is: not settled yet, settled, or void with every stake of it given back."""


def with_state(tickets: QuerySet[Ticket]) -> QuerySet[Ticket]:
    """Tickets with `paid` (None while open), `status` and `staked`.

    Amounts are minor units; `staked` includes what a ticket's decisions added.
    """
    latest_posting = (
        Posting.objects.filter(ticket=OuterRef("pk"), settlement__round=OuterRef("round_id"))
        .order_by("-settlement__revision")
        .values("payout")[:1]
    )
    ruled_void = _ruled_void().filter(round=OuterRef("round"), ticket=OuterRef("pk"))
    status = Case(
        When(round__settled_revision=0, then=Value(OPEN)),
        When(_round_void() | Q(Exists(ruled_void)), then=Value(VOID)),
        default=Value(SETTLED),
    )
    return tickets.annotate(
        paid=Subquery(latest_posting),
        status=status,
        staked=F("stake") + _added(round="round_id", ticket="pk"),
    )


def of_status(tickets: QuerySet[Ticket], status: str) -> QuerySet[Ticket]:
    """The tickets that are `open`, `settled` or `void`, as `with_state` tells it."""
    if status == OPEN:
        unsettled = Round.objects.filter(settled_revision=0)
        return tickets.filter(round__in=list(unsettled.values_list("pk", flat=True)))
    void = _round_void() | Q(pk__in=_ruled_void().values("ticket"))
    return tickets.filter(void if status == VOID else ~void, round__settled_revision__gt=0)


def _round_void() -> Q:
    """Whether the ledger has a ticket's round as void.

    Where it follows the round, the phase tells; only where it is behind, its batch is asked.
    """
    batch = Settlement.objects.filter(
        round=OuterRef("round"),
        revision=OuterRef("round__settled_revision"),
        kind=Settlement.Kind.VOID,
    )
    revisions = F("round__outcome_revision")
    return Q(round__phase=Round.Phase.VOID, round__settled_revision=revisions) | Q(
        Exists(batch), round__settled_revision__lt=revisions
    )


def _ruled_void() -> QuerySet[LinePlay]:
    """What rulings decided about tickets of which no bet counts any more, by the ledger.

    They are found by the rulings, of which there are few. A ruling that is not settled yet does
    not show.
    """
    newest = (
        LinePlay.objects.filter(
            round=OuterRef("round"),
            ticket=OuterRef("ticket"),
            number=OuterRef("number"),
            revision__lte=OuterRef("round__settled_revision"),
        )
        .order_by("-decision")
        .values("wager__void_ground")[:1]
    )
    counting = (
        Line.objects.filter(round=OuterRef("round"), ticket=OuterRef("ticket"))
        .annotate(void_ground=Coalesce(Subquery(newest), Value("")))
        .filter(void_ground="")
        .values("number")[:1]
    )
    ruled = LinePlay.objects.filter(ruling__isnull=False)
    return ruled.alias(counting=Subquery(counting)).filter(counting=None)


def open_stakes(rounds: Sequence[Round]) -> dict[int, list[OpenStake]]:
    """What lies on each of these rounds, by round id, as it was placed.

    What a ruling voided lies there no more; a ticket that is void altogether counts no more either.
    """
    void = _void_lines(rounds)
    given_back: Counter[int] = Counter()
    for line in void:
        given_back[line.ticket_id] += line.stake
    gone = {line.ticket_id for line in void if given_back[line.ticket_id] == line.ticket.stake}
    partly: Counter[tuple[int, str]] = Counter()
    for line in void:
        if line.ticket_id not in gone and not line.ticket.test:
            partly[line.round_id, line.ticket.currency] += line.stake
    stakes: dict[int, list[OpenStake]] = {round.pk: [] for round in rounds}
    with connection.cursor() as cursor:
        cursor.execute(_LYING, {"rounds": list(stakes), "gone": list(gone)})
        for round, currency, tickets, players, total in cursor.fetchall():
            stake = int(total) - partly[round, currency]
            stakes[round].append(OpenStake(currency, int(tickets), players, stake))
    return stakes


_LYING = """
    SELECT running.id, currency, sum(tickets), count(*) FILTER (WHERE first), sum(stake)
    FROM unnest(%(rounds)s::bigint[]) AS running (id) CROSS JOIN LATERAL (
        SELECT currency, count(*) AS tickets, sum(stake) AS stake,
               currency = min(currency) OVER (PARTITION BY operator_id, player) AS first
        FROM tickets_ticket
        WHERE round_id = running.id AND NOT test AND id <> ALL(%(gone)s)
        GROUP BY operator_id, player, currency
    ) player
    GROUP BY running.id, currency ORDER BY running.id, currency
"""
"""Tickets, players and stake on rounds by currency.

Round by round, by the key that begins with it: for many rounds at once the planner, which has no
statistics of the live hour, would rather read all tickets there ever were.
"""


def exposures_of(
    rounds: Sequence[Round], *, with_void: bool = False
) -> dict[int, dict[str, Exposure]]:
    """What lies on each of these rounds, by round id and currency, test tickets left out.

    Stakes that a decision added are left out too: what they were added to counts with the most
    that may be added. So is what a ruling voided, unless asked for `with_void`: a reinstatement
    puts it back. One query reads the lines, by the key that begins with their round.
    """
    rows = list(
        Line.objects.filter(round__in=rounds, added=False)
        .order_by()
        .values("round_id", "account_id", "wager_id")
        .annotate(lines=Count("*"), total=Sum("stake"))
    )
    lines: Counter[tuple[int, int, int]] = Counter()
    stakes: Counter[tuple[int, int, int]] = Counter()
    for line in [] if with_void else _void_lines(rounds):
        laid = (line.round_id, line.account_id, line.wager_id)
        lines[laid] += 1
        stakes[laid] += line.stake
    accounts = Account.objects.in_bulk({row["account_id"] for row in rows})
    wagers = Wager.objects.in_bulk({row["wager_id"] for row in rows})
    games = {round.pk: game_of(round) for round in rounds}
    found: dict[int, dict[str, Exposure]] = {round.pk: {} for round in rounds}
    for row in rows:
        account, words = accounts[row["account_id"]], wagers[row["wager_id"]]
        laid = (row["round_id"], row["account_id"], row["wager_id"])
        counting = row["lines"] - lines[laid]
        if account.test or not counting:
            continue
        exposure = found[row["round_id"]].setdefault(
            account.currency, Exposure(games[row["round_id"]])
        )
        wager = rulebook.Wager(words.bet, words.selection)
        exposure.add(wager, int(row["total"]) - stakes[laid], lines=counting)
    return found


def _void_lines(rounds: Sequence[Round]) -> list[Line]:
    """The lines on these rounds that a ruling voided, as they were placed, with their tickets.

    They are found by the rulings, of which there are few, and not among all lines.
    """
    later = LinePlay.objects.filter(
        round=OuterRef("round"),
        ticket=OuterRef("ticket"),
        number=OuterRef("number"),
        decision__gt=OuterRef("decision"),
    )
    void = LinePlay.objects.filter(
        ~Exists(later), round__in=rounds, ruling__isnull=False, wager__void_ground__gt=""
    )
    keys = list(void.values_list("round_id", "ticket_id", "number"))
    if not keys:
        return []
    return list(Line.objects.filter(pk__in=keys, added=False).select_related("ticket"))


def settlements_of(round: Round) -> list[Settlement]:
    """The batches of a round, first to last, with their totals read."""
    return list(
        round.settlements.order_by("revision")
        .select_related("ruling", "settled_by")
        .prefetch_related(totals_in_order())
    )


def totals_in_order() -> Prefetch[Any]:
    """The totals of batches, to be read along: by operator and currency, test tickets last."""
    totals = SettlementTotal.objects.select_related("operator")
    return Prefetch("totals", totals.order_by("operator__code", "currency", "test"))


def totals_of(round: Round) -> QuerySet[SettlementTotal, dict[str, Any]]:
    """Net money of a round by operator and currency over all its batches, in minor units."""
    return (
        SettlementTotal.objects.filter(settlement__round=round)
        .values("operator__code", "currency", "test")
        .annotate(net=Sum(F("up") + F("down")))
        .order_by("operator__code", "currency", "test")
    )


def lines_of(ticket: Ticket) -> list[Line]:
    """The bets of a ticket in the order in which they were asked, as decided on last."""
    return lines_under(ticket, [NEWEST])[NEWEST]


def lines_under(ticket: Ticket, revisions: Iterable[int]) -> dict[int, list[Line]]:
    """The bets of a ticket as they counted under each of these outcome revisions of its round."""
    where = {"round_id": ticket.round_id, "ticket": ticket}
    placed = list(Line.objects.filter(**where).select_related("wager").order_by("number"))
    decisions = list(LinePlay.objects.filter(**where).select_related("wager").order_by("decision"))

    def counting(revision: int) -> Iterator[Line]:
        wagers = {play.number: play.wager for play in decisions if play.revision <= revision}
        for line in map(copy, placed):
            line.wager = wagers.get(line.number, line.wager)
            yield line

    return {revision: list(counting(revision)) for revision in revisions}


def refusals_of(round: Round) -> QuerySet[Refusal]:
    """Tickets refused in a round, newest first."""
    return Refusal.objects.filter(round_key=round.key).select_related("operator")


def _added(*, round: str, ticket: str) -> Coalesce:
    """What a ticket's decisions added to its stake; the arguments name its keys in the query."""
    added = (
        Line.objects.filter(round=OuterRef(round), ticket=OuterRef(ticket), added=True)
        .order_by()
        .values("ticket")
        .annotate(total=Sum("stake"))
        .values("total")
    )
    return Coalesce(Subquery(added), 0, output_field=BigIntegerField())
