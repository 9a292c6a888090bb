"""Verifying the ledger: recomputed from the outcomes through the rules, and compared."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import connection
from django.db.models import QuerySet

from casino.audit import Head
from casino.models import Round
from casino.services.foundation import CHAIN_START
from tickets.models import Resolution, Settlement, SettlementHead, SettlementTotal
from tickets.services.resolving import lines_of_round, resolve_revision
from tickets.services.settlement import PAYOUT, batch_totals, link, rows_digest


@dataclass(frozen=True, slots=True)
class Difference:
    """Something in the ledger that the rules or the chain do not bear out."""

    what: str
    detail: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What a verification looked at and found; `head` is the last settlement that it came to."""

    rounds: int
    tickets: int
    settlements: int
    differences: tuple[Difference, ...]
    head: Head


def verify_ledger(*, rounds: QuerySet[Round] | None = None) -> Verification:
    """Recompute settled rounds and the whole chain; nothing is written.

    1. Every settled round is resolved anew from its recorded outcome, and what the rules say is
       compared with the resolution kept and, ticket by ticket, with the ledger.
    2. Every ticket of a settled round has its payout as the sum of its deltas.
    3. Every batch's digest follows from its header, its postings and the batch before it, and its
       totals from its postings.
    """
    settled = (Round.objects.all() if rounds is None else rounds).filter(settled_revision__gt=0)
    differences: list[Difference] = []
    tickets = count = 0
    for round in settled.iterator():
        count += 1
        checked, found = _verify_round(round, round.settled_revision)
        tickets += checked
        differences += found
    end, broken = verify_chain()
    return Verification(count, tickets, end.position, (*differences, *broken), end)


def verify_chain() -> tuple[Head, list[Difference]]:
    """Walk the settlement chain from its start; answer its end and what is wrong."""
    differences: list[Difference] = []
    previous, expected = CHAIN_START, 0
    for row in Settlement.objects.order_by("position").select_related("round").iterator():
        expected += 1
        if row.position != expected or not _follows(row, previous):
            differences.append(Difference("chain", f"Settlement {row.position} was altered."))
        differences += _wrong_totals(row)
        previous, expected = bytes(row.digest), row.position
    head = SettlementHead.objects.get()
    if (head.position, bytes(head.digest)) != (expected, previous):
        differences.append(Difference("chain", "The last settlements are missing."))
    return Head(expected, previous.hex()), differences


def verify_settlement(*, settlement: Settlement) -> Verification:
    """Recompute one batch as `verify_ledger` does, reading the ledger as the batch left it."""
    before = Settlement.objects.filter(position=settlement.position - 1).first()
    tickets, differences = _verify_round(settlement.round, settlement.revision)
    if not _follows(settlement, bytes(before.digest) if before else CHAIN_START):
        differences.append(Difference("chain", f"Settlement {settlement.position} was altered."))
    differences += _wrong_totals(settlement)
    head = Head(settlement.position, bytes(settlement.digest).hex())
    return Verification(1, tickets, 1, tuple(differences), head)


def _follows(batch: Settlement, previous: bytes) -> bool:
    """Whether a batch's digest follows from its header, its postings and the digest before it."""
    tickets, rows = rows_digest(batch.pk)
    digest = link(
        previous=previous,
        position=batch.position,
        round_key=batch.round.key,
        revision=batch.revision,
        kind=batch.kind,
        ruling=batch.ruling_id,
        settled_at=batch.settled_at,
        tickets=batch.tickets,
        rows=rows,
    )
    return batch.tickets == tickets and bytes(batch.digest) == digest


_FIGURES = ("operator_id", "currency", "test", "tickets", "stake", "payout", "up", "down")


def _wrong_totals(batch: Settlement) -> list[Difference]:
    def figures(totals: Iterable[SettlementTotal]) -> set[tuple[object, ...]]:
        return {tuple(getattr(row, name) for name in _FIGURES) for row in totals}

    if figures(batch.totals.all()) == figures(batch_totals(batch.pk)):
        return []
    return [Difference("total", f"Settlement {batch.position} is totalled wrongly.")]


def _verify_round(round: Round, settled: int) -> tuple[int, list[Difference]]:
    """Compare a round's ledger, as it stood when that revision was settled, with the rules."""
    revision = round.outcomes.get(revision=settled)
    resolved = resolve_revision(revision)
    kept = Resolution.objects.get(round=round, revision=settled)
    differences = [
        Difference("resolution", f"{round.key}: wager {wager} resolves differently now.")
        for wager in resolved.changed_from(kept)
        if wager in kept.wager_ids
    ]
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            WITH rules AS (
                SELECT line.ticket_id, {PAYOUT} AS payout, minor_sum(line.stake) AS stake,
                       array_agg(DISTINCT line.account_id) AS accounts
                FROM {lines_of_round(round, settled)}
                WHERE line.round_id = %(round)s GROUP BY line.ticket_id
            ), ledger AS (
                SELECT posting.ticket_id, sum(posting.delta) AS delta,
                       (array_agg(posting.payout ORDER BY batch.revision DESC))[1] AS payout,
                       array_agg(DISTINCT posting.stake) AS stakes,
                       array_agg(DISTINCT posting.account_id) AS accounts
                FROM tickets_posting posting
                JOIN tickets_settlement batch ON batch.id = posting.settlement_id
                WHERE batch.round_id = %(round)s AND batch.revision <= %(settled)s
                GROUP BY posting.ticket_id
            ), added AS (
                SELECT ticket_id, sum(stake) AS stake FROM tickets_line
                WHERE round_id = %(round)s AND added GROUP BY ticket_id
            ), ticket AS (
                SELECT ticket.id AS ticket_id, stake, account.id AS account
                FROM tickets_ticket ticket
                LEFT JOIN tickets_account account USING (operator_id, currency, test)
                WHERE round_id = %(round)s
            )
            SELECT ticket_id, rules.payout, ledger.payout, ledger.delta, ticket.stake,
                   rules.stake - coalesce(added.stake, 0),
                   ARRAY[rules.stake] = ledger.stakes
                   AND ARRAY[ticket.account] = rules.accounts
                   AND ARRAY[ticket.account] = ledger.accounts
            FROM rules FULL JOIN ledger USING (ticket_id) FULL JOIN ticket USING (ticket_id)
            LEFT JOIN added USING (ticket_id)
            """,
            {
                "round": round.pk,
                "settled": settled,
                "factors": resolved.factors(),
                "den": resolved.denominator,
            },
        )
        rows = cursor.fetchall()
    for ticket, rules, ledger, delta, stake, lines, booked in rows:
        if not rules == ledger == delta or stake != lines:
            differences.append(
                Difference(
                    "ticket",
                    f"{round.key}: ticket {ticket} pays {ledger} (sum {delta}) for a stake of "
                    f"{stake}; the rules say {rules} for {lines}.",
                )
            )
        elif not booked:
            differences.append(
                Difference(
                    "ticket",
                    f"{round.key}: ticket {ticket} is booked with another stake or account than "
                    "its own.",
                )
            )
    return len(rows), differences
