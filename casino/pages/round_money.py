"""The money of one round: what was settled, batch by batch, and the tickets on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F

from casino.models import Round
from casino.pages.pictures import spoken
from tickets.models import Settlement, Ticket
from tickets.selectors import open_stakes, refusals_of, settlements_of, with_state

SHOWN = 20
"""Tickets that the page shows; the list of tickets has them all."""


@dataclass(slots=True)
class Account:
    """What one operator's players staked on a round and are paid by it, in minor units."""

    operator: str
    currency: str
    test: bool
    tickets: int = 0
    stake: int = 0
    payout: int = 0

    @property
    def kept(self) -> int:
        """What the house keeps; negative where it pays more than was staked."""
        return self.stake - self.payout


def money_of(round: Round) -> dict[str, Any]:
    """Settlements and accounts of a round, its first tickets, and what was refused."""
    batches = settlements_of(round)
    tickets = with_state(Ticket.objects.filter(round=round)).select_related("operator")
    # A sum is no index's order: without it the planner walks all tickets there ever were, in the
    # order of their ids, for the first few of this round.
    shown = list(tickets.order_by(F("id") + 0)[: SHOWN + 1])
    return {
        "batches": batches,
        "accounts": _accounts(batches),
        "stakes": [] if batches else open_stakes([round])[round.pk],
        "tickets": shown[:SHOWN],
        "more_tickets": len(shown) > SHOWN,
        "refused": _refused(round),
    }


def _accounts(batches: Sequence[Settlement]) -> list[Account]:
    """The first batch has every ticket and its stake; all of them together make the payout."""
    accounts: dict[tuple[str, str, bool], Account] = {}
    for number, batch in enumerate(batches):
        for total in batch.totals.all():
            key = (total.operator.code, total.currency, total.test)
            account = accounts.setdefault(key, Account(*key))
            account.payout += total.up + total.down
            if number == 0:
                account.tickets, account.stake = total.tickets, total.stake
    return [accounts[key] for key in sorted(accounts)]


def _refused(round: Round) -> dict[str, Any]:
    """How many tickets were refused, and how often for each reason, most often first."""
    rows = refusals_of(round).order_by().values_list("codes").annotate(Count("id"))
    reasons: Counter[str] = Counter()
    tickets = 0
    for codes, count in rows:
        tickets += count
        for code in codes:
            reasons[spoken(code)] += count
    return {"tickets": tickets, "reasons": reasons.most_common()}
