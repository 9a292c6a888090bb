"""Setting what a table takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from django.db import connection, transaction
from django.utils import timezone

from casino.access import SET_LIMITS, require
from casino.models import (
    BetLimit,
    LimitProfile,
    LimitSet,
    Operator,
    Person,
    ProfileBet,
    ProfileVersion,
    Round,
    Table,
)
from casino.models.audit import Action
from casino.selectors import game_of, house_clock, limits_in_force
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

LAST_YEAR: Final = 2999
"""The last year from which limits may hold: at the end of the calendar some clocks have no time."""

Span = tuple[int, int]
"""A minimum and a maximum, in minor units."""

Bounds = Mapping[str, int | None]
"""The bounds by the names of their fields; None where nothing bounds."""


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
    actor: Person,
    reason: str,
) -> LimitSet:
    """Decide on a new version of a table's own limits, in minor units of the currency.

    `bets` maps a place (EVERY_BET, a bet, or "bet:selection") to its minimum and maximum, or to
    None to take its own limits away, and is laid over the limits that hold at that time; the
    bounds replace the old ones where given. With an `operator` the version is for its tickets
    alone, at first laid over the general limits; without any bet the general ones hold for it
    again. The version holds at once, or from `effective_from` on; it follows no profile.

    Values that change nothing write nothing. Refuses unknown bets and currencies, limits that
    cross and a time that has passed.
    """
    require(actor, SET_LIMITS)
    exponent(currency)
    lock_limits()
    Table.objects.select_for_update(no_key=True).get(pk=table.pk)
    check_time(effective_from)
    old = _held(table, operator, currency, effective_from)
    newest = newest_limits(table, currency, operator)
    given = {
        "table_min": table_min,
        "table_max": table_max,
        "payout_max": payout_max,
        "exposure_max": exposure_max,
    }
    laid = rows_of(old) | dict(bets)
    spans = {place: span for place, span in laid.items() if span is not None}
    bounds = laid_over(bounds_of(old), given)
    check_places(game_of(table), spans)
    check_bounds(bounds)
    if old and old == newest and old.profile_version_id is None and same(old, spans, bounds):
        return old
    if not spans and (operator is None or newest is None):
        raise Refused("invalid_value", "Give a minimum and a maximum for at least one bet.", "bet")
    if bounds["exposure_max"] is not None:
        let_tickets_in([(table, currency)])
    return write_limits(
        table=table,
        operator=operator,
        currency=currency,
        old=old,
        bets=spans,
        bounds=bounds,
        effective_from=effective_from,
        actor=actor,
        reason=reason,
    )


def write_limits(
    *,
    table: Table,
    operator: Operator | None,
    currency: str,
    old: LimitSet | None,
    bets: Mapping[str, Span],
    bounds: Bounds,
    effective_from: datetime | None = None,
    profile_version: ProfileVersion | None = None,
    actor: Person,
    reason: str,
) -> LimitSet:
    """Write the whole of a table's limits as their next version, after `old` at its time.

    The caller has checked them under `lock_limits`, and let tickets in. With a `profile_version`
    they come from it and follow its profile.
    """
    new = LimitSet(
        table=table,
        operator=operator,
        currency=currency,
        version=_last_version(table, currency) + 1,
        profile_version=profile_version,
        set_by=actor,
        reason=reason,
        **bounds,
    )
    _save(new, effective_from)
    BetLimit.objects.bulk_create(BetLimit(limit_set=new, **row) for row in _rows(bets))
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
            "before": _shown(old),
            "after": _shown(new),
        },
    )
    return new


def write_profile(
    *,
    profile: LimitProfile,
    old: ProfileVersion | None,
    new: ProfileVersion,
    bets: Mapping[str, Span],
    effective_from: datetime | None = None,
    actor: Person,
    reason: str,
) -> None:
    """Write the next version of a profile, and the profile itself where it is new.

    The tables that follow it are the caller's to write, in the same transaction.
    """
    require(actor, SET_LIMITS)
    check_time(effective_from)
    if profile.pk is None:
        profile.save(force_insert=True)
    new.profile, new.set_by, new.reason = profile, actor, reason
    _save(new, effective_from)
    ProfileBet.objects.bulk_create(ProfileBet(version=new, **row) for row in _rows(bets))
    log(
        Action.PROFILE_SET,
        subject=f"profile:{profile}",
        actor=actor,
        reason=reason,
        body={
            "version": new.version,
            "effective_from": new.effective_from.isoformat(),
            "before": _shown(old),
            "after": _shown(new),
        },
    )


def lock_limits() -> None:
    """Let nobody else set limits until the transaction ends; reading them waits for nobody."""
    with connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {LimitSet._meta.db_table} IN SHARE ROW EXCLUSIVE MODE")


def let_tickets_in(places: Iterable[tuple[Table, str]]) -> None:
    """Wait for tickets on their way in where the exposure is bounded for the first time.

    Acceptance adds up what lies on a round, one ticket after the other, only where a version
    ever bounded it. A ticket that was taken before this one is there would not be seen by the
    next. So betting rounds are locked until the commit: whoever has one shared writes first,
    and whoever comes later reads the new limits. No round opens while its table is locked.
    """
    watched = set(
        LimitSet.objects.filter(exposure_max__isnull=False)
        .order_by()
        .values_list("table_id", "currency")
        .distinct()
    )
    tables = {table.pk for table, currency in places if (table.pk, currency) not in watched}
    if tables:
        rounds = Round.objects.filter(table__in=tables, phase=Round.Phase.BETTING)
        list(rounds.select_for_update(no_key=True).order_by("pk").values_list("pk"))


def newest_limits(table: Table, currency: str, operator: Operator | None) -> LimitSet | None:
    """The newest version of these limits, in force or still waiting for its time."""
    sets = LimitSet.objects.filter(table=table, currency=currency, operator=operator)
    return sets.order_by("-version").first()


def check_time(effective_from: datetime | None) -> None:
    """Refuse a time that has passed, or that never comes; None is at once."""
    if effective_from is None:
        return
    if effective_from <= timezone.now():
        raise Refused(
            "invalid_value", "Limits cannot hold from a time that has passed.", "effective_from"
        )
    if effective_from.year > LAST_YEAR:
        raise Refused(
            "invalid_value",
            f"Limits hold from the year {LAST_YEAR} at the latest.",
            "effective_from",
        )


def check_places(game: rulebook.Game, bets: Mapping[str, Span]) -> None:
    """Refuse what is no bet or selection of the game, and limits that cross."""
    for place, span in bets.items():
        check_place(game, place)
        check_span(span, place or "every bet")


def check_place(game: rulebook.Game, place: str) -> None:
    """Refuse what is no bet or selection of the game."""
    bet, _, selection = place.partition(":")
    if place != EVERY_BET and bet not in game.bets:
        raise Refused("unknown_bet", f"{game.title} has no bet {bet}.", "bet")
    if selection:
        game.wager(bet, selection)


def check_span(span: Span, what: str) -> None:
    """Refuse a minimum and a maximum that cross or begin at nothing."""
    low, high = span
    if low < 1 or low > high:
        raise Refused(
            "invalid_value",
            f"The minimum of {what} must be above zero and not above its maximum.",
        )


def check_bounds(bounds: Bounds) -> None:
    """Refuse bounds that leave nothing between them."""
    low, high = bounds["table_min"], bounds["table_max"]
    check_span((1 if low is None else low, low or 1 if high is None else high), "the table")
    for name in ("payout_max", "exposure_max"):
        value = bounds[name]
        if value is not None and value < 1:
            raise Refused("invalid_value", "A maximum must be above zero.", name)


def rows_of(limits: LimitSet | ProfileVersion | None) -> dict[str, Span]:
    """The minimum and the maximum of every bet with limits of its own, by its place."""
    if limits is None:
        return {}
    return {row.place: (row.minimum, row.maximum) for row in limits.bets.all()}


def bounds_of(limits: LimitSet | ProfileVersion | None) -> dict[str, int | None]:
    """What bounds bets together, by the names of the fields; None where nothing does."""
    return {name: getattr(limits, name) if limits else None for name in BOUNDS}


def same(
    limits: LimitSet | ProfileVersion | None, bets: Mapping[str, Span], bounds: Bounds
) -> bool:
    """Whether a version says these very things."""
    return limits is not None and rows_of(limits) == bets and bounds_of(limits) == bounds


def laid_over(old: Bounds, given: Bounds) -> dict[str, int | None]:
    """The old bounds with those that were given in their place; NO_BOUND takes one away."""
    return {**old} | {name: value or None for name, value in given.items() if value is not None}


def _held(
    table: Table, operator: Operator | None, currency: str, at: datetime | None
) -> LimitSet | None:
    """What holds at a moment, or now: also what was set while this one waited for the lock."""
    return limits_in_force(table, operator, at=at or house_clock()).get(currency)


def _save(new: LimitSet | ProfileVersion, effective_from: datetime | None) -> None:
    if effective_from is not None:
        new.effective_from = effective_from
    new.save(force_insert=True)
    new.refresh_from_db(fields=["effective_from", "set_at"])


def _rows(bets: Mapping[str, Span]) -> Iterable[dict[str, Any]]:
    for place, (low, high) in sorted(bets.items()):
        bet, _, selection = place.partition(":")
        yield {"bet": bet, "selection": selection, "minimum": low, "maximum": high}


def _last_version(table: Table, currency: str) -> int:
    sets = LimitSet.objects.filter(table=table, currency=currency).order_by("-version")
    return sets.values_list("version", flat=True).first() or 0


def _shown(limits: LimitSet | ProfileVersion | None) -> dict[str, object] | None:
    if limits is None:
        return None
    shown: dict[str, object] = {**bounds_of(limits), "bets": rows_of(limits)}
    if isinstance(limits, LimitSet) and limits.profile_version is not None:
        shown["profile"] = str(limits.profile_version)
    return shown
