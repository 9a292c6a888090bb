"""Setting what a table takes."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from casino.access import SET_LIMITS, require
from casino.models import BetLimit, LimitSet, Person, Table
from casino.models.audit import Action
from casino.selectors import game_of, limits_in_force
from casino.services.record import log
from games.money import exponent
from games.refusals import Refused

EVERY_BET = ""
"""The bet name of limits that hold for every bet without limits of its own."""


@transaction.atomic
def set_limits(
    *,
    table: Table,
    currency: str,
    bets: Mapping[str, tuple[int, int]],
    table_min: int | None = None,
    table_max: int | None = None,
    seen: int | None = None,
    actor: Person,
    reason: str,
) -> LimitSet:
    """Put a new version of a table's limits in force, in minor units of the currency.

    `bets` maps a bet (or EVERY_BET) to its minimum and maximum and is laid over the limits in
    force; `table_min` and `table_max` replace the old ones where given. Values that change
    nothing write nothing. Refuses unknown bets and currencies, limits that cross, and with
    `conflict` where the version in force (0: none) is no longer the one that was `seen`.
    """
    require(actor, SET_LIMITS)
    exponent(currency)
    Table.objects.select_for_update(no_key=True).get(pk=table.pk)
    game = game_of(table)
    for bet, (low, high) in bets.items():
        if bet != EVERY_BET and bet not in game.bets:
            raise Refused("unknown_bet", f"{game.title} has no bet {bet}.", "bet")
        _ordered(low, high, bet or "every bet")
    old = limits_in_force(table).get(currency)
    if seen is not None and seen != (old.version if old else 0):
        raise Refused(
            "conflict",
            f"The limits of {table} in {currency} changed meanwhile; look at them again.",
            "seen",
        )
    before = _rows(old)
    after = before | dict(bets)
    if old is not None:
        table_min = old.table_min if table_min is None else table_min
        table_max = old.table_max if table_max is None else table_max
    _ordered(table_min or 1, table_max or table_min or 1, "the table")
    if old and after == before and (table_min, table_max) == (old.table_min, old.table_max):
        return old
    if not after:
        raise Refused("invalid_value", "Give a minimum and a maximum for at least one bet.", "bet")
    new = LimitSet.objects.create(
        table=table,
        currency=currency,
        version=(old.version if old else 0) + 1,
        table_min=table_min,
        table_max=table_max,
        set_by=actor,
        reason=reason,
    )
    BetLimit.objects.bulk_create(
        BetLimit(limit_set=new, bet=bet, minimum=low, maximum=high)
        for bet, (low, high) in sorted(after.items())
    )
    log(
        Action.LIMITS_SET,
        subject=f"table:{table.code}",
        actor=actor,
        reason=reason,
        body={
            "currency": currency,
            "version": new.version,
            "before": _shown(old, before) if old else None,
            "after": _shown(new, after),
        },
    )
    return new


def _rows(limits: LimitSet | None) -> dict[str, tuple[int, int]]:
    if limits is None:
        return {}
    return {row.bet: (row.minimum, row.maximum) for row in limits.bets.all()}


def _shown(limits: LimitSet, rows: dict[str, tuple[int, int]]) -> dict[str, object]:
    return {"table_min": limits.table_min, "table_max": limits.table_max, "bets": rows}


def _ordered(low: int, high: int, what: str) -> None:
    if low < 1 or low > high:
        raise Refused(
            "invalid_value",
            f"The minimum of {what} must be above zero and not above its maximum.",
        )
