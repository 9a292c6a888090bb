"""Settlement: bringing the ledger to what the rules say, by difference.

First settlement, re-settlement after an edit, void and reinstatement are this one function. The
rules run once per distinct wager; one set-based statement joins them to the lines.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.utils import timezone

from casino.models import OutcomeRevision, Person, Round
from casino.selectors import due_rounds, game_of, latest_outcome
from casino.services.impact import MoneyChange
from casino.services.incidents import raise_incident
from casino.services.outcomes import Change
from casino.services.record import canonical
from games import rulebook
from tickets.models import Resolution, Settlement, SettlementTotal
from tickets.services.bets import plan_bets, ruled_on_since
from tickets.services.resolving import (
    Resolved,
    keep_resolution,
    lines_of_round,
    resolve_revision,
    resolve_round,
)

logger = logging.getLogger(__name__)

BATCH = 50
"""Due rounds settled in one transaction; small rounds are bound by commits."""

PAYOUT = (
    "minor_sum((2 * line.stake * (%(factors)s::bigint[])[line.wager_id] + %(den)s) / (2 * %(den)s))"
)
"""A ticket's payout in minor units: each line rounded half up, as `games.returns.payout` does."""


@dataclass(frozen=True, slots=True)
class _Batch:
    """Postings written but not sealed yet."""

    settlement_id: int
    round: Round
    outcome: OutcomeRevision
    kind: str
    tickets: int
    rows_digest: bytes


def settle_due(
    *, actor: Person, limit: int = BATCH, round_ids: Sequence[int] | None = None
) -> list[Settlement]:
    """Settle rounds that are due, each with a batch and a position of its own.

    1. Lock due rounds, passing over those that another worker has.
    2. For each, resolve, append the postings that differ and keep the resolution. A round that
       fails is logged, left due, and does not stop the others.
    3. Last, take positions and digests from the head row and write the headers.

    Safe to repeat and to run from any number of workers: what is settled is not due.
    """
    with transaction.atomic():
        due = due_rounds()
        if round_ids is not None:
            due = due.filter(pk__in=round_ids)
        rounds = list(due.select_for_update(skip_locked=True, no_key=True)[:limit])
        batches = [batch for round in rounds if (batch := _post_or_log(round, actor)) is not None]
        return [_seal(batch, actor=actor) for batch in batches]


def plan_money(
    *, round: Round, outcome: rulebook.Outcome | None, void_ground: str
) -> list[MoneyChange]:
    """What settling the round under another outcome would change; nothing is written."""
    resolved = resolve_round(round, outcome=outcome, void_ground=void_ground, headline="")
    values = _values(round, resolved) | {"previous": _settlement_ids(round)}
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            WITH now AS (
                SELECT line.ticket_id, {PAYOUT} AS payout
                FROM {lines_of_round(round)}
                WHERE line.round_id = %(round)s GROUP BY line.ticket_id
            ), changed AS (
                SELECT now.ticket_id, was.payout IS NULL AS unsettled,
                       now.payout - coalesce(was.payout, 0) AS delta
                FROM now LEFT JOIN LATERAL ({_LATEST}) was ON true
                WHERE was.payout IS DISTINCT FROM now.payout
            ), player AS (
                SELECT operator_id, player, currency, test, count(*) AS tickets,
                       count(*) FILTER (WHERE unsettled) AS unsettled,
                       coalesce(sum(delta) FILTER (WHERE delta > 0), 0) AS up,
                       coalesce(sum(delta) FILTER (WHERE delta < 0), 0) AS down,
                       max(abs(delta)) AS largest, bool_or(delta < 0) AS debited
                FROM changed JOIN tickets_ticket ticket ON ticket.id = changed.ticket_id
                GROUP BY operator_id, player, currency, test
            ), counted AS (
                SELECT *,
                       row_number() OVER person = 1 AS first,
                       debited AND count(*) FILTER (WHERE debited) OVER person = 1 AS first_debited
                FROM player
                WINDOW person AS (PARTITION BY operator_id, player ORDER BY currency, test)
            )
            SELECT operator.code, currency, test, sum(tickets),
                   count(*) FILTER (WHERE first), count(*) FILTER (WHERE debited),
                   count(*) FILTER (WHERE first_debited),
                   sum(unsettled), sum(up), sum(down), max(largest)
            FROM counted JOIN casino_operator operator ON operator.id = operator_id
            GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
            """,
            values,
        )
        return [
            MoneyChange(
                operator=row[0],
                currency=row[1],
                test=row[2],
                tickets=int(row[3]),
                players=row[4],
                debited=row[5],
                debtors=row[6],
                unsettled=int(row[7]),
                up=int(row[8]),
                down=int(row[9]),
                largest=int(row[10]),
            )
            for row in cursor.fetchall()
        ]


def weigh_changes(*, changes: Sequence[tuple[Round, Change]], **_: Any) -> list[MoneyChange]:
    """Answer the floor's question what changes of outcome would do to money."""
    moved: list[MoneyChange] = []
    for round, change in changes:
        if change.bets is not None:
            moved += plan_bets(round=round, change=change, bets=change.bets)
        else:
            moved += plan_money(round=round, outcome=change.outcome, void_ground=change.void_ground)
    return moved


def rows_digest(settlement_id: int) -> tuple[int, bytes]:
    """How many postings a batch has, and the digest over them in ticket order."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT count(*), sha256(coalesce(string_agg(
                int8send(ticket_id) || int8send(payout) || int8send(delta), ''::bytea
                ORDER BY ticket_id), ''::bytea))
            FROM tickets_posting WHERE settlement_id = %s
            """,
            [settlement_id],
        )
        count, digest = cursor.fetchone()
        return count, bytes(digest)


def batch_totals(settlement_id: int) -> list[SettlementTotal]:
    """A batch's totals as its postings have them, account by account; not saved."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT account.operator_id, account.currency, account.test, batch.*
            FROM (
                SELECT account_id, count(*), sum(stake), sum(payout),
                       coalesce(sum(delta) FILTER (WHERE delta > 0), 0),
                       coalesce(sum(delta) FILTER (WHERE delta < 0), 0)
                FROM tickets_posting WHERE settlement_id = %s GROUP BY account_id
            ) batch LEFT JOIN tickets_account account ON account.id = batch.account_id
            """,
            [settlement_id],
        )
        rows = cursor.fetchall()
    return [
        SettlementTotal(
            settlement_id=settlement_id,
            operator_id=operator,
            currency=currency,
            test=test,
            tickets=tickets,
            stake=int(stake),
            payout=int(payout),
            up=int(up),
            down=int(down),
        )
        for operator, currency, test, _, tickets, stake, payout, up, down in rows
    ]


def link(
    *,
    previous: bytes,
    position: int,
    round_key: str,
    revision: int,
    kind: str,
    ruling: int | None,
    settled_at: datetime,
    tickets: int,
    rows: bytes,
) -> bytes:
    """The digest of one batch: of the digest before it, its header and its postings."""
    header = canonical(
        [
            position,
            round_key,
            revision,
            kind,
            ruling,
            settled_at.isoformat(),
            tickets,
            rows.hex(),
        ]
    )
    return hashlib.sha256(previous + header.encode()).digest()


def _post_or_log(round: Round, actor: Person) -> _Batch | None:
    try:
        with transaction.atomic():
            return _post(round, actor)
    except Exception:
        logger.exception("Round %s could not be settled and stays due", round.key)
        return None


def _post(round: Round, actor: Person) -> _Batch:
    """Append the postings that bring the round to its newest outcome, and keep the resolution."""
    outcome = latest_outcome(round)
    assert outcome is not None and outcome.revision == round.outcome_revision
    resolved = resolve_revision(outcome)
    before = Resolution.objects.filter(round=round).order_by("-revision").first()
    keep_resolution(round, outcome.revision, resolved)
    if resolved.objections:
        _tell(round, resolved.objections, actor)
    values = _values(round, resolved)
    lines = lines_of_round(round, outcome.revision)
    with connection.cursor() as cursor:
        cursor.execute("SELECT nextval('tickets_settlement_id_seq')")
        values["settlement"] = cursor.fetchone()[0]
        # Tables of the live hour have no statistics, so the planner is told what it cannot know:
        # lines lie in ticket order under their key, and a batch may be a hundred thousand rows.
        if before is None:
            with _without(cursor, "hashagg", "sort"):
                cursor.execute(_SETTLE.format(lines=lines), values)
        else:
            values["previous"] = _settlement_ids(round)
            values["changed"] = resolved.changed_from(before)
            values["moved"] = ruled_on_since(round, before.revision)
            was = _ONCE_SETTLED if len(values["previous"]) == 1 else _OFTEN_SETTLED
            with _without(cursor, "hashagg", "sort", "nestloop", "hashjoin"):
                cursor.execute(_RESETTLE.format(lines=lines, was=was), values)
        with _without(cursor, "seqscan", "bitmapscan", "sort"):
            tickets, rows = rows_digest(values["settlement"])
            totals = batch_totals(values["settlement"])
    SettlementTotal.objects.bulk_create(totals)
    return _Batch(
        settlement_id=values["settlement"],
        round=round,
        outcome=outcome,
        kind=_kind(outcome, first=before is None),
        tickets=tickets,
        rows_digest=rows,
    )


def _tell(round: Round, objections: Sequence[str], actor: Person) -> None:
    """Raise what the cards forbid and the platform took, for somebody to look at."""
    grounds = game_of(round).grounds
    raise_incident(
        table=round.table,
        shoe=round.shoe,
        round=round,
        kind="wrong_entry" if "wrong_entry" in grounds else "management_discretion",
        note=" ".join(objections),
        actor=actor,
        reason="Found when the round was settled; the stakes were returned.",
    )


_SETTLE = f"""
    INSERT INTO tickets_posting (settlement_id, ticket_id, payout, delta, stake, account_id)
    SELECT %(settlement)s, ticket_id, payout, payout, stake, account
    FROM (
        SELECT line.ticket_id, {PAYOUT} AS payout,
               minor_sum(line.stake) AS stake, min(line.account_id) AS account
        FROM {{lines}} WHERE line.round_id = %(round)s
        GROUP BY line.ticket_id ORDER BY line.ticket_id
    ) now
"""

_LATEST = """
    SELECT posting.payout FROM tickets_posting posting
    WHERE posting.ticket_id = now.ticket_id AND posting.settlement_id = ANY(%(previous)s)
    ORDER BY posting.settlement_id DESC LIMIT 1
"""
"""What the ledger says a ticket pays: a later batch of the round has a higher id.

One probe of the key for each ticket, whatever the planner believes about tables of the live hour.
"""

_ONCE_SETTLED = """
    SELECT ticket_id, payout, stake, account_id FROM tickets_posting
    WHERE settlement_id = (%(previous)s::bigint[])[1]
"""
_OFTEN_SETTLED = """
    SELECT DISTINCT ON (ticket_id) ticket_id, payout, stake, account_id FROM tickets_posting
    WHERE settlement_id = ANY(%(previous)s) ORDER BY ticket_id, settlement_id DESC
"""
"""What the ledger says of every ticket of a round, in ticket order; one batch lies in it as is."""

_RESETTLE = f"""
    INSERT INTO tickets_posting (settlement_id, ticket_id, payout, delta, stake, account_id)
    SELECT %(settlement)s, ticket_id, now.payout, now.payout - was.payout, stake, account_id
    FROM (
        SELECT line.ticket_id, {PAYOUT} AS payout
        FROM {{lines}} WHERE line.round_id = %(round)s
        GROUP BY line.ticket_id
        HAVING bool_or(line.wager_id = ANY(%(changed)s))
            OR line.ticket_id = ANY(%(moved)s::bigint[])
    ) now
    JOIN ({{was}}) was USING (ticket_id)
    WHERE now.payout <> was.payout
    ORDER BY ticket_id
"""


def _seal(batch: _Batch, *, actor: Person) -> Settlement:
    """Give a batch its place in the chain and write its header; the last thing before commit."""
    settled_at = timezone.now()
    outcome = batch.outcome
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT position, digest FROM tickets_settlementhead WHERE id = 1 FOR UPDATE"
        )
        position, previous = cursor.fetchone()
        digest = link(
            previous=bytes(previous),
            position=position + 1,
            round_key=batch.round.key,
            revision=outcome.revision,
            kind=batch.kind,
            ruling=outcome.ruling_id,
            settled_at=settled_at,
            tickets=batch.tickets,
            rows=batch.rows_digest,
        )
        cursor.execute(
            "UPDATE tickets_settlementhead SET position = %s, digest = %s WHERE id = 1",
            [position + 1, digest],
        )
    settlement = Settlement.objects.create(
        id=batch.settlement_id,
        round=batch.round,
        revision=outcome.revision,
        kind=batch.kind,
        position=position + 1,
        tickets=batch.tickets,
        ruling=outcome.ruling,
        settled_by=actor,
        settled_at=settled_at,
        digest=digest,
    )
    Round.objects.filter(pk=batch.round.pk).update(settled_revision=outcome.revision)
    return settlement


def _kind(outcome: OutcomeRevision, *, first: bool) -> str:
    if outcome.kind == OutcomeRevision.Kind.VOID:
        return Settlement.Kind.VOID
    if first:
        return Settlement.Kind.SETTLE
    if outcome.kind == OutcomeRevision.Kind.REINSTATE:
        return Settlement.Kind.REINSTATE
    return Settlement.Kind.RESETTLE


@contextmanager
def _without(cursor: CursorWrapper, *methods: str) -> Iterator[None]:
    names = [f"enable_{method}" for method in methods]
    switch = "SELECT set_config(name, %s, true) FROM unnest(%s::text[]) name"
    cursor.execute(switch, ["off", names])
    yield
    cursor.execute(switch, ["on", names])


def _values(round: Round, resolved: Resolved) -> dict[str, Any]:
    return {
        "round": round.pk,
        "factors": resolved.factors(),
        "den": resolved.denominator,
    }


def _settlement_ids(round: Round) -> list[int]:
    return list(round.settlements.values_list("id", flat=True))
