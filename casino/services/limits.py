"""Setting what a table takes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from casino.access import SET_LIMITS, require
from casino.models import BetLimit, LimitSet, Operator, Person, Table
from casino.models.audit import Action
from casino.selectors import game_of, limits_in_force
from casino.services.record import log
from games import rulebook
from games.money import exponent
from games.refusals import Refused

EVERY_BET = ""
"""The place of limits that hold for every bet without limits of its own."""

BOUNDS: Final = ("table_min", "table_max", "payout_max", "exposure_max")
"""What bounds bets together, in minor units; a payout includes the stake."""

NO_BOUND: Final = 0
"""Takes one of the bounds away."""

Span = tuple[int, int]
"""A minimum and a maximum, in minor units."""


@transaction.atomic
def set_limits(
    *,
    table: Table,
    currency: str,
    bets: Mapping[str, Span | None],
    operator: Operator | None = None,
    effective_from: datetime | None = None,
    table_min: int | None = None,
    table_max: int | None = None,
    payout_max: int | None = None,
    exposure_max: int | None = None,
    seen: int | None = None,
    actor: Person,
    reason: str,
) -> LimitSet:
    """Decide on a new version of a table's limits, in minor units of the currency.

    `bets` maps a place (EVERY_BET, a bet, or "bet:selection") to its minimum and maximum, or to
    None to take its own limits away, and is laid over the limits that hold at that time; the
    bounds replace the old ones where given. With an `operator` the version is for its tickets
    alone, at first laid over the general limits; without any bet the general ones hold for it
    again. The version holds at once, or from `effective_from` on.

    Values that change nothing write nothing. Refuses unknown bets and currencies, limits that
    cross, a time that has passed, and with `conflict` where the newest version of these limits,
    one that still waits for its time included (0: none), is no longer the one that was `seen`.
    """
    require(actor, SET_LIMITS)
    exponent(currency)
    Table.objects.select_for_update(no_key=True).get(pk=table.pk)
    if effective_from is not None and effective_from <= timezone.now():
        raise Refused(
            "invalid_value", "Limits cannot hold from a time that has passed.", "effective_from"
        )
    check_places(game_of(table), bets)
    newest = newest_limits(table, currency, operator)
    if seen is not None and seen != (newest.version if newest else 0):
        raise Refused(
            "conflict",
            f"The limits of {table} in {currency} changed meanwhile; look at them again.",
            "seen",
        )
    old = limits_in_force(table, operator, at=effective_from).get(currency)
    bounds = _bounds(
        old,
        table_min=table_min,
        table_max=table_max,
        payout_max=payout_max,
        exposure_max=exposure_max,
    )
    before = rows_of(old)
    after = {place: span for place, span in (before | dict(bets)).items() if span is not None}
    if old and old == newest and after == before and bounds == bounds_of(old):
        return old
    if not after and (operator is None or newest is None):
        raise Refused("invalid_value", "Give a minimum and a maximum for at least one bet.", "bet")
    new = LimitSet(
        table=table,
        operator=operator,
        currency=currency,
        version=_last_version(table, currency) + 1,
        set_by=actor,
        reason=reason,
        **bounds,
    )
    if effective_from is not None:
        new.effective_from = effective_from
    new.save(force_insert=True)
    new.refresh_from_db(fields=["effective_from", "set_at"])
    BetLimit.objects.bulk_create(_row(new, place, span) for place, span in sorted(after.items()))
    log(
        Action.LIMITS_SET,
        subject=f"table:{table.code}",
        actor=actor,
        reason=reason,
        body={
            "currency": currency,
            "version": new.version,
            **({"operator": operator.code} if operator else {}),
            "effective_from": new.effective_from.isoformat(),
            "before": _shown(old) if old else None,
            "after": bounds | {"bets": after},
        },
    )
    return new


def newest_limits(table: Table, currency: str, operator: Operator | None) -> LimitSet | None:
    """The newest version of these limits, in force or still waiting for its time."""
    sets = LimitSet.objects.filter(table=table, currency=currency, operator=operator)
    return sets.order_by("-version").first()


def check_places(game: rulebook.Game, bets: Mapping[str, Span | None]) -> None:
    """Refuse what is no bet or selection of the game, and limits that cross."""
    for place, span in bets.items():
        if place != EVERY_BET:
            bet, _, selection = place.partition(":")
            if bet not in game.bets:
                raise Refused("unknown_bet", f"{game.title} has no bet {bet}.", "bet")
            if selection:
                game.wager(bet, selection)
        if span is not None:
            _check_span(*span, place or "every bet")


def rows_of(limits: LimitSet | None) -> dict[str, Span]:
    """The minimum and the maximum of every bet with limits of its own, by its place."""
    if limits is None:
        return {}
    return {row.place: (row.minimum, row.maximum) for row in limits.bets.all()}


def bounds_of(limits: LimitSet | None) -> dict[str, int | None]:
    """What bounds bets together, by the names of the fields; None where nothing does."""
    return {name: getattr(limits, name) if limits else None for name in BOUNDS}


def _bounds(old: LimitSet | None, **given: int | None) -> dict[str, int | None]:
    """The old bounds with those that were given in their place."""
    bounds = bounds_of(old) | {
        name: value or None for name, value in given.items() if value is not None
    }
    low, high = bounds["table_min"], bounds["table_max"]
    _check_span(1 if low is None else low, low or 1 if high is None else high, "the table")
    for name in ("payout_max", "exposure_max"):
        value = bounds[name]
        if value is not None and value < 1:
            raise Refused("invalid_value", "A maximum must be above zero.", name)
    return bounds


def _row(limits: LimitSet, place: str, span: Span) -> BetLimit:
    bet, _, selection = place.partition(":")
    low, high = span
    return BetLimit(limit_set=limits, bet=bet, selection=selection, minimum=low, maximum=high)


def _last_version(table: Table, currency: str) -> int:
    sets = LimitSet.objects.filter(table=table, currency=currency).order_by("-version")
    return sets.values_list("version", flat=True).first() or 0


def _shown(limits: LimitSet) -> dict[str, object]:
    return bounds_of(limits) | {"bets": rows_of(limits)}


def _check_span(low: int, high: int, what: str) -> None:
    if low < 1 or low > high:
        raise Refused(
            "invalid_value",
            f"The minimum of {what} must be above zero and not above its maximum.",
        )
