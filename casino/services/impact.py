"""What a ruling would do to money, asked of whoever keeps the money.

The floor does not know tickets; it sends `weigh` and adds up the answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, cast

from django.dispatch import Signal

from casino.models import Round
from casino.services.outcomes import Change

weigh = Signal()
"""Sent with `changes`, rounds with their changes of outcome; receivers answer MoneyChanges."""


bets_ruled = Signal()
"""Sent within a ruling about bets, with `ruling`, `round` and `change`: the bets are to follow it.

A receiver that fails takes the ruling back with it.
"""


@dataclass(frozen=True, slots=True)
class MoneyChange:
    """What a new outcome would change for one operator, currency and real or test tickets.

    Amounts are minor units; `down` is zero or negative. `unsettled` counts tickets that have no
    posting yet, whose whole payout is in `up`. `debited` counts the players of whom credit that
    they have been paid is taken back, on the whole `down`. A player of several currencies counts
    once in all `players`, and once in all `debtors`, as the debited are called there.
    """

    operator: str
    currency: str
    test: bool
    tickets: int
    players: int
    debited: int
    debtors: int
    unsettled: int
    up: int
    down: int
    largest: int

    def as_data(self) -> dict[str, Any]:
        """The change as plain data."""
        return asdict(self)


def money_of(changes: Sequence[tuple[Round, Change]]) -> tuple[MoneyChange, ...]:
    """What these changes would do to money, by operator, currency and real or test tickets."""
    answers = weigh.send(sender=Change, changes=changes)
    return added_up(one for _, answer in answers for one in cast("Sequence[MoneyChange]", answer))


def added_up(changes: Iterable[MoneyChange]) -> tuple[MoneyChange, ...]:
    """Changes of money together, one for each operator, currency and real or test tickets.

    A player of several rounds counts in each of them.
    """
    found: dict[tuple[str, str, bool], MoneyChange] = {}
    for one in changes:
        key = (one.operator, one.currency, one.test)
        found[key] = _together(found[key], one) if key in found else one
    return tuple(found[key] for key in sorted(found))


def money_shown(money: Sequence[MoneyChange]) -> dict[str, Any]:
    """Changes of money as a plan keeps them for good. Amounts are minor units."""
    return {
        "tickets": sum(change.tickets for change in money),
        "players": sum(change.players for change in money),
        "debited": sum(change.debtors for change in money),
        "unsettled": sum(change.unsettled for change in money),
        "money": [
            {
                "operator": change.operator,
                "currency": change.currency,
                "test": change.test,
                "tickets": change.tickets,
                "debited": change.debited,
                "up": change.up,
                "down": change.down,
                "largest": change.largest,
            }
            for change in money
        ],
    }


def _together(one: MoneyChange, other: MoneyChange) -> MoneyChange:
    return replace(
        one,
        tickets=one.tickets + other.tickets,
        players=one.players + other.players,
        debited=one.debited + other.debited,
        debtors=one.debtors + other.debtors,
        unsettled=one.unsettled + other.unsettled,
        up=one.up + other.up,
        down=one.down + other.down,
        largest=max(one.largest, other.largest),
    )
