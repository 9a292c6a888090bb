"""What REST clients pull: every settlement of a ticket, in commit order, from zero if wanted.

A row's position is the batch's position and the ticket's number within it. Batches get their
positions as the last thing before they commit, so a reader who has seen a position has seen
everything before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

from django.db import connection
from django.db.models import F, Min
from django.utils import timezone

from casino.models import Operator
from casino.selectors import due_rounds
from games.money import format_amount
from games.refusals import Refused
from games.returns import payout
from tickets.models import Resolution, SettlementHead, Ticket, Wager

MOST_ROWS = 1000
"""The largest page."""

HELD_AFTER = timedelta(seconds=10)
"""A round that has been due for longer than this holds the feed back."""


@dataclass(frozen=True, slots=True)
class Page:
    """Rows after a cursor. `next` is the cursor of the last row and may be used for ever."""

    rows: list[dict[str, Any]]
    next: str
    has_more: bool
    held_since: datetime | None


def read_feed(*, operator: Operator | None, after: str, limit: int = MOST_ROWS) -> Page:
    """The settlements after a cursor, oldest first; of one operator, or (none) of the studio.

    Refuses a cursor that this feed never gave and a limit outside 1 to MOST_ROWS.
    """
    if not 1 <= limit <= MOST_ROWS:
        raise Refused("invalid_value", f"A page has 1 to {MOST_ROWS} rows.", "limit")
    position, ticket = read_cursor(after)
    with connection.cursor() as cursor:
        cursor.execute(
            _PAGE_OF_OPERATOR if operator else _PAGE,
            {
                "position": position,
                "ticket": ticket,
                "limit": limit + 1,
                "operator": operator.pk if operator else None,
            },
        )
        found = cursor.fetchall()
    if not found:
        _check_given(position, after)
    rows = _rows(found[:limit])
    return Page(
        rows=rows,
        next=rows[-1]["position"] if rows else after or "0.0",
        has_more=len(found) > limit,
        held_since=held_since(),
    )


def rows_of(ticket: Ticket) -> list[dict[str, Any]]:
    """Every row that the feed has of one ticket, oldest first."""
    with connection.cursor() as cursor:
        cursor.execute(
            _OF_TICKET,
            {
                "position": 0,
                "ticket": 0,
                "limit": None,
                "only": ticket.pk,
                "round": ticket.round_id,
            },
        )
        return _rows(cursor.fetchall())


def read_cursor(text: str) -> tuple[int, int]:
    """Position and ticket of a cursor; the empty one lies before everything."""
    if not text:
        return 0, 0
    position, dot, ticket = text.partition(".")
    digits = position + ticket
    if not (dot and position and ticket and digits.isascii() and digits.isdigit()):
        raise Refused("invalid_value", f"{text!r} is not a cursor of this feed.", "after")
    if max(int(position), int(ticket)) >= 2**63:
        raise Refused("invalid_value", f"{text!r} is not a cursor of this feed.", "after")
    return int(position), int(ticket)


def _check_given(position: int, text: str) -> None:
    """Refuse a position that no batch has yet: whoever waits there would miss all before it.

    Positions are gapless and only grow, so one that was given is never beyond the end, unless
    the house was restored to an earlier day.
    """
    end = SettlementHead.objects.values_list("position", flat=True).get()
    if position > end:
        raise Refused(
            "invalid_value", f"{text!r} is beyond the end of this feed, which is {end}.", "after"
        )


def held_since() -> datetime | None:
    """Since when the oldest due round has waited, where that is longer than it should."""
    oldest: datetime | None = (
        due_rounds()
        .filter(outcomes__revision=F("outcome_revision"))
        .order_by()
        .aggregate(oldest=Min("outcomes__recorded_at"))["oldest"]
    )
    return oldest if oldest and oldest < timezone.now() - HELD_AFTER else None


def summary(results: Sequence[str], *, stake: int, paid: int) -> str:
    """A ticket's result in one word: that of its bets where they agree, else by its payout."""
    if len(set(results)) == 1:
        return results[0]
    return "win" if paid > stake else "push" if paid == stake else "lose"


_PAGE = """
    SELECT batch.position, batch.kind, round.key, batch.revision, batch.ruling_id,
           batch.settled_at, batch.round_id,
           row.id, ticket.*, row.stake, row.payout, row.delta
    FROM tickets_settlement batch
    JOIN casino_round round ON round.id = batch.round_id
    CROSS JOIN LATERAL (
        SELECT posting.ticket_id AS id, posting.stake, posting.payout, posting.delta
        FROM tickets_posting posting
        WHERE posting.settlement_id = batch.id
          AND posting.ticket_id >
              CASE WHEN batch.position = %(position)s THEN %(ticket)s ELSE 0 END
          {of_operator}
        ORDER BY posting.ticket_id LIMIT %(limit)s
    ) row
    CROSS JOIN LATERAL (
        SELECT reference, player, currency, test
        FROM tickets_ticket WHERE id = row.id OFFSET 0
    ) ticket
    WHERE batch.position >= %(position)s {of_round}
    ORDER BY batch.position, row.id LIMIT %(limit)s
"""

# OFFSET 0 keeps the planner from joining all tickets there are to a page of a thousand.
# Batches without a ticket of the operator are passed over by their totals, unread.
_PAGE_OF_OPERATOR = _PAGE.format(
    of_operator="""AND posting.account_id IN (
              SELECT id FROM tickets_account WHERE operator_id = %(operator)s)
          AND EXISTS (SELECT 1 FROM tickets_settlementtotal total
                      WHERE total.settlement_id = batch.id
                        AND total.operator_id = %(operator)s)""",
    of_round="",
)
_OF_TICKET = _PAGE.format(
    of_operator="AND posting.ticket_id = %(only)s", of_round="AND batch.round_id = %(round)s"
)
_PAGE = _PAGE.format(of_operator="", of_round="")


def _rows(found: Sequence[tuple[Any, ...]]) -> list[dict[str, Any]]:
    lines = _lines({(row[6], row[7], row[3]) for row in found})
    verdicts = _Verdicts({(row[6], row[3]) for row in found})
    rows = []
    for row in found:
        position, kind, key, revision, ruling, settled_at, round_id = row[:7]
        ticket, reference, player, currency, test, stake, paid, delta = row[7:]
        bets = [
            verdicts.bet(round_id, revision, wager, staked, currency)
            for wager, staked in lines[ticket, revision]
        ]
        rows.append(
            {
                "position": f"{position}.{ticket}",
                "settlement": position,
                "kind": kind,
                "round": key,
                "revision": revision,
                "ticket": str(ticket),
                "reference": reference,
                "player": player,
                "currency": currency,
                "test": test,
                "stake": format_amount(stake, currency),
                "payout": format_amount(paid, currency),
                "delta": format_amount(delta, currency),
                "result_summary": summary([bet["result"] for bet in bets], stake=stake, paid=paid),
                "ruling": str(ruling) if ruling else None,
                "bets": bets,
                "settled_at": rfc3339(settled_at),
            }
        )
    return rows


def rfc3339(moment: datetime) -> str:
    """A moment in UTC as the API writes it."""
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def _lines(
    tickets: set[tuple[int, int, int]],
) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """Wager and stake of each line of a (round, ticket) under a revision, by (ticket, revision)."""
    lines: dict[tuple[int, int], list[tuple[int, int]]] = {
        (ticket, revision): [] for _, ticket, revision in tickets
    }
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT wanted.ticket_id, wanted.revision, line.wager_id, line.stake
            FROM unnest(%s::bigint[], %s::bigint[], %s::integer[])
                wanted (round_id, ticket_id, revision)
            CROSS JOIN LATERAL (
                SELECT coalesce(play.wager_id, placed.wager_id) AS wager_id, placed.stake
                FROM tickets_line placed
                LEFT JOIN LATERAL (
                    SELECT wager_id FROM tickets_lineplay
                    WHERE round_id = placed.round_id AND ticket_id = placed.ticket_id
                      AND number = placed.number AND revision <= wanted.revision
                    ORDER BY decision DESC LIMIT 1
                ) play ON true
                WHERE placed.round_id = wanted.round_id AND placed.ticket_id = wanted.ticket_id
                ORDER BY placed.number LIMIT ALL OFFSET 0
            ) line
            """,
            [list(column) for column in zip(*tickets, strict=True)] or [[], [], []],
        )
        for ticket, revision, wager, stake in cursor.fetchall():
            lines[ticket, revision].append((wager, stake))
    return lines


class _Verdicts:
    """What each wager of some rounds came to, read once a page."""

    def __init__(self, revisions: set[tuple[int, int]]) -> None:
        self._known: dict[tuple[int, int, int], tuple[Fraction, list[str]]] = {}
        resolutions = Resolution.objects.filter(
            round_id__in={round_id for round_id, _ in revisions}
        )
        for row in resolutions:
            if (row.round_id, row.revision) not in revisions:
                continue
            for wager, top, verdict in zip(
                row.wager_ids, row.numerators, row.verdicts, strict=True
            ):
                returns = Fraction(top, row.denominator)
                self._known[row.round_id, row.revision, wager] = (returns, verdict)
        self._wagers = Wager.objects.in_bulk({wager for _, _, wager in self._known})

    def bet(
        self, round_id: int, revision: int, wager: int, stake: int, currency: str
    ) -> dict[str, Any]:
        returns, (result, odds, _, why) = self._known[round_id, revision, wager]
        words = self._wagers[wager]
        bet = {
            "bet": words.bet,
            "selection": words.selection,
            "stake": format_amount(stake, currency),
            "result": result,
            "odds": odds,
            "payout": format_amount(payout(stake, returns), currency),
            "why": why,
        }
        return bet | {"play": words.play} if words.play else bet
