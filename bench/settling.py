"""Settling one large round, as a ratio to the least that writing its rows can cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import connection, transaction

from bench.data import REASON, BenchHouse
from bench.measure import Times, ratio, report
from casino.models import Round
from casino.selectors import latest_outcome, system
from casino.services.plans import Draft, plan_ruling
from casino.services.rulings import rule
from games.returns import payout
from tickets.models import Account, Line, Posting, Resolution, Settlement, Ticket
from tickets.services.resolving import resolve_revision
from tickets.services.settlement import settle_due

REPEATS = 5
LOOP_TICKETS = 1000

BANKER = {"player": ["KS", "6H"], "banker": ["7D", "JC"]}
PLAYER_PAIRED = {"player": ["3S", "3H"], "banker": ["7D", "JC"]}
"""Against BANKER only the Player Pair changes: one wager of thirteen."""


SEVENTEEN = {"number": 17}


def run(tickets: int) -> Iterator[str]:
    """Settle, re-settle and compare; the variants take turns, round by round."""
    house = BenchHouse(system())
    yield f"Baccarat, {len(house.wagers)} distinct wagers"
    yield from _compare(house, tickets, BANKER, ("wrong_card", PLAYER_PAIRED))
    house = BenchHouse(system(), "club-b", "roulette")
    yield f"Roulette, {len(house.wagers)} distinct wagers"
    yield from _compare(house, tickets, SEVENTEEN, None)


def _compare(
    house: BenchHouse,
    tickets: int,
    outcome: dict[str, Any],
    edit: tuple[str, dict[str, Any]] | None,
) -> Iterator[str]:
    plain, settle, resettle, loop = Times(), Times(), Times(), Times()
    lines = changed = 0
    for repeat in range(REPEATS + 1):
        if repeat == 1:
            for times in (plain, settle, resettle, loop):
                times.seconds.clear()
        round = house.round(tickets, outcome)
        lines = Line.objects.filter(round=round).count()
        settlement = _settle(round, settle)
        _plain_insert(settlement, plain)
        _orm_loop(round, loop)
        if edit is not None:
            changed = _edit(round, resettle, *edit)
    per_ticket = [seconds / LOOP_TICKETS * tickets for seconds in loop.seconds]
    rate = f"{tickets / settle.median:,.0f} tickets/s"
    yield report(f"Settle a round of {tickets:,} tickets, {lines:,} lines", rate)
    yield report(
        "  to a plain INSERT … SELECT of the same rows",
        ratio(settle.seconds, plain.seconds),
        "reach 2.5",
    )
    yield report(
        "  ORM loop, ticket by ticket, to the settlement",
        ratio(per_ticket, settle.seconds),
        "at least 100",
    )
    if edit is None:
        return
    yield report(
        f"  re-settlement, {changed:,} tickets changed, to the first",
        ratio(resettle.seconds, settle.seconds),
        "reach 0.6",
    )


def _settle(round: Round, times: Times) -> Settlement:
    actor = system()
    with times.once():
        [settlement] = settle_due(actor=actor, round_ids=[round.pk])
    return settlement


def _plain_insert(settlement: Settlement, times: Times) -> None:
    """Write the finished postings once more, into a table as full, of the same columns and keys."""
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TABLE IF NOT EXISTS bench_posting "
            "(LIKE tickets_posting INCLUDING INDEXES INCLUDING CONSTRAINTS)"
        )
        with times.once(), transaction.atomic():
            cursor.execute(
                "INSERT INTO bench_posting SELECT * FROM tickets_posting WHERE settlement_id = %s",
                [settlement.pk],
            )


def _orm_loop(round: Round, times: Times) -> None:
    """The way it is usually written: read a ticket and its lines, compute, save; then the next."""
    outcome = latest_outcome(round)
    assert outcome is not None
    resolved = resolve_revision(outcome)
    returns = dict(zip(resolved.wager_ids, resolved.fractions(), strict=True))
    tickets = list(Ticket.objects.filter(round=round)[:LOOP_TICKETS])
    throwaway = Settlement.objects.order_by("-id").values_list("id", flat=True)[0] + 1_000_000
    accounts = {(row.operator_id, row.currency, row.test): row.id for row in Account.objects.all()}
    with times.once(), transaction.atomic():
        for ticket in tickets:
            paid = sum(
                payout(line.stake, returns[line.wager_id])
                for line in Line.objects.filter(round_id=round.pk, ticket_id=ticket.pk)
            )
            Posting.objects.create(
                settlement_id=throwaway,
                ticket_id=ticket.pk,
                payout=paid,
                delta=paid,
                stake=ticket.stake,
                account_id=accounts[ticket.operator_id, ticket.currency, ticket.test],
            )
        transaction.set_rollback(True)


def _edit(round: Round, times: Times, ground: str, outcome: dict[str, Any]) -> int:
    """Edit the result so that few wagers pay otherwise, and settle again."""
    actor = system()
    round.refresh_from_db()
    draft = Draft("edit", ground, REASON, "camera", outcome)
    rule(
        round=round,
        draft=draft,
        seen=plan_ruling(round=round, draft=draft, actor=actor).seen,
        actor=actor,
        reason=REASON,
    )
    settlement = _settle(round, times)
    assert Resolution.objects.filter(round=round).count() == 2
    return settlement.tickets
