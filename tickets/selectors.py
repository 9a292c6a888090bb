"""Reads of the money that more than one room needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from django.db.models import BigIntegerField, Count, F, OuterRef, QuerySet, Subquery, Sum
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
    """What lies on a round in one currency, in minor units, test tickets left out."""

    currency: str
    tickets: int
    players: int
    stake: int


def status_of(round: Round) -> str:
    """A ticket's status, which follows its round: `open` until settled, then `settled` or `void`.

    A ruling that is not settled yet does not show; the ledger is what counts.
    """
    latest = Settlement.objects.filter(round=round).order_by("-revision").first()
    if latest is None:
        return "open"
    return "void" if latest.kind == Settlement.Kind.VOID else "settled"


def with_state(tickets: QuerySet[Ticket]) -> QuerySet[Ticket]:
    """Tickets with `paid` (None while open), `settled_as` (kind, None) and `staked`.

    Amounts are minor units; `staked` includes what a ticket's decisions added.
    """
    latest_posting = (
        Posting.objects.filter(ticket=OuterRef("pk"), settlement__round=OuterRef("round_id"))
        .order_by("-settlement__revision")
        .values("payout")[:1]
    )
    latest_batch = (
        Settlement.objects.filter(round=OuterRef("round_id"))
        .order_by("-revision")
        .values("kind")[:1]
    )
    return tickets.annotate(
        paid=Subquery(latest_posting),
        settled_as=Subquery(latest_batch),
        staked=F("stake") + _added(round="round_id", ticket="pk"),
    )


def open_stakes(rounds: Sequence[Round]) -> dict[int, list[OpenStake]]:
    """What lies on each of these rounds, by round id, from the tickets alone."""
    rows = (
        Ticket.objects.filter(round__in=rounds, test=False)
        .values("round_id", "currency")
        .annotate(
            tickets=Count("id"),
            players=Count("player", distinct=True),
            total=Sum("stake"),
        )
        .order_by("round_id", "currency")
    )
    stakes: dict[int, list[OpenStake]] = {round.pk: [] for round in rounds}
    for row in rows:
        stakes[row["round_id"]].append(
            OpenStake(row["currency"], row["tickets"], row["players"], int(row["total"]))
        )
    return stakes


def exposures_of(rounds: Sequence[Round]) -> dict[int, dict[str, Exposure]]:
    """What lies on each of these rounds, by round id and currency, test tickets left out.

    Stakes that a decision added are left out too: what they were added to counts with the most
    that may be added. One query reads the lines, by the key that begins with their round.
    """
    rows = list(
        Line.objects.filter(round__in=rounds, added=False)
        .order_by()
        .values("round_id", "account_id", "wager_id")
        .annotate(lines=Count("*"), total=Sum("stake"))
    )
    accounts = Account.objects.in_bulk({row["account_id"] for row in rows})
    wagers = Wager.objects.in_bulk({row["wager_id"] for row in rows})
    games = {round.pk: game_of(round) for round in rounds}
    found: dict[int, dict[str, Exposure]] = {round.pk: {} for round in rounds}
    for row in rows:
        account, words = accounts[row["account_id"]], wagers[row["wager_id"]]
        if account.test:
            continue
        exposure = found[row["round_id"]].setdefault(
            account.currency, Exposure(games[row["round_id"]])
        )
        wager = rulebook.Wager(words.bet, words.selection)
        exposure.add(wager, int(row["total"]), lines=row["lines"])
    return found


def settlements_of(round: Round) -> list[Settlement]:
    """The batches of a round, first to last, with their totals read."""
    return list(
        round.settlements.order_by("revision")
        .select_related("ruling", "settled_by")
        .prefetch_related("totals__operator")
    )


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
