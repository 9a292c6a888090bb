"""Profiles of limits: setting what one says, and letting tables and operators follow it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from casino.models import LimitProfile, Operator, Person, ProfileVersion, Table
from casino.services.limit_plans import Laying, LimitsPlan, carry_out, game_with
from casino.services.limits import Span, bounds_of, check_span, laid_over, rows_of


def set_profile(
    *,
    name: str,
    currency: str,
    bets: Mapping[str, Span | None],
    effective_from: datetime | None = None,
    table_min: int | None = None,
    table_max: int | None = None,
    payout_max: int | None = None,
    exposure_max: int | None = None,
    actor: Person,
    reason: str,
) -> ProfileVersion:
    """Decide on a new version of a profile, the first one included, as `set_limits` does of a set.

    Every set of limits that follows it gets its new version in the same transaction. Values that
    change nothing write nothing. Refuses bets that no game has, and all of it where a table that
    follows would take no bet any longer.
    """
    given = {
        "table_min": table_min,
        "table_max": table_max,
        "payout_max": payout_max,
        "exposure_max": exposure_max,
    }
    for place, span in bets.items():
        game_with(place)
        if span is not None:
            check_span(span, place or "every bet")

    def plan() -> LimitsPlan:
        laying = Laying(effective_from)
        draft = laying.profile(name, currency)
        laid = rows_of(draft.old) | dict(bets)
        draft.bets = {place: span for place, span in laid.items() if span is not None}
        draft.bounds = laid_over(bounds_of(draft.old), given)
        return laying.plan()

    carry_out(plan, actor=actor, reason=reason)
    versions = ProfileVersion.objects.filter(profile__name=name, profile__currency=currency)
    return versions.select_related("profile").latest("version")


def assign_profile(
    *,
    profile: LimitProfile,
    tables: Iterable[Table],
    operator: Operator | None = None,
    effective_from: datetime | None = None,
    actor: Person,
    reason: str,
) -> LimitsPlan:
    """Let the limits of tables, in general or for an operator, follow a profile from a time on.

    They are written from it at once, and from its versions that still wait for their time. Bets
    that a table's game does not have are left out; a game none of whose bets would be taken is
    refused. What follows already stays as it is. Answers what was written.
    """
    chosen = list(tables)

    def plan() -> LimitsPlan:
        laying = Laying(effective_from)
        for table in chosen:
            laying.limits(table, operator, profile.currency).follows = profile
        return laying.plan()

    return carry_out(plan, actor=actor, reason=reason)
