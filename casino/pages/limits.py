"""What a table takes, in words: the limits in force, and those to come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from django.db.models import F
from django.db.models.functions import Now

from casino.models import LimitSet, ProfileVersion, Table
from casino.pages.amounts import grouped
from casino.selectors import game_of, limits_in_force, limits_to_come, with_fate
from casino.services.limit_plans import game_with
from casino.services.limits import EVERY_BET, Bounds, Span, bounds_of, rows_of
from games import rulebook
from tickets.services.limits import STRAIGHT, multiplied

EVERY_OTHER = "Every other bet"
ALL_BETS = "All bets of one player"
PAYOUT = "Payout to one player"
EXPOSURE = "Payout of one round"
FOLLOWS = "Follows the profile"

Ends = tuple[int | None, int | None]

Stated = tuple[Mapping[str, Span], Bounds]
"""What limits say: the minimum and maximum of each place, and what bounds bets together."""

NONE: Ends = (None, None)


def place_title(game: rulebook.Game, place: str) -> str:
    """The words for what limits hold for: a bet, one selection of it, or every other bet."""
    if place == EVERY_BET:
        return EVERY_OTHER
    bet, _, selection = place.partition(":")
    known = game.bets.get(bet)
    return f"{known.title if known else bet} {selection}".strip()


def profile_title(place: str) -> str:
    """The words for what a profile says limits for, as the first game that has the bet calls it."""
    return EVERY_OTHER if place == EVERY_BET else place_title(game_with(place), place)


def told(limits: LimitSet | None, table: Table) -> dict[str, Ends]:
    """Everything that a version bounds, by the words for it; nothing where there is none."""
    if limits is None:
        return {}
    return _spans_told(partial(place_title, game_of(table)), rows_of(limits), bounds_of(limits))


def profile_told(version: ProfileVersion | None) -> dict[str, Ends]:
    """Everything that a version of a profile bounds, by the words for it."""
    if version is None:
        return {}
    return _spans_told(profile_title, rows_of(version), bounds_of(version))


def _spans_told(
    title: Callable[[str], str], rows: Mapping[str, Span], bounds: Bounds
) -> dict[str, Ends]:
    spans: dict[str, Ends] = {title(place): rows[place] for place in _in_order(rows)}
    return spans | _bounds_told(bounds)


def with_every_bet_first(spans: dict[str, Ends]) -> dict[str, Ends]:
    """The same limits, with the words for every bet where no bet has limits of its own."""
    if next(iter(spans), "") != EVERY_OTHER:
        return spans
    return {"Every bet": spans[EVERY_OTHER]} | {
        title: ends for title, ends in spans.items() if title != EVERY_OTHER
    }


def spread(limits: LimitSet | ProfileVersion | None, currency: str) -> str:
    """From the smallest stake on any bet to the largest."""
    bets = limits.bets.all() if limits else ()
    if not bets:
        return "–"
    ends = min(bet.minimum for bet in bets), max(bet.maximum for bet in bets)
    return _range(ends, currency)


def stated(limits: LimitSet | ProfileVersion | None) -> Stated:
    """What a version says, by places and by the names of its bounds."""
    return rows_of(limits), bounds_of(limits)


def differences(
    game_at: Callable[[str], rulebook.Game], before: Stated, after: Stated, currency: str
) -> list[tuple[str, str, str]]:
    """What is not the same, with the old and the new in words.

    `game_at` answers a game that has the bet of a place. A bet without limits of its own is told
    with those that it takes all the same.
    """
    (old, old_bounds), (new, new_bounds) = before, after
    lines = []
    for place in _in_order({*old, *new}):
        if old.get(place) != new.get(place):
            game = game_at(place)
            was, now = (_taken(game, place, rows, currency) for rows in (old, new))
            lines.append((place_title(game, place), was, now))
    bounds = _bounds_told(old_bounds)
    return lines + [
        (what, _range(bounds[what], currency), _range(ends, currency))
        for what, ends in _bounds_told(new_bounds).items()
        if bounds[what] != ends
    ]


def table_differences(
    table: Table, before: Stated, after: Stated, currency: str
) -> list[tuple[str, str, str]]:
    """The same of limits at a table."""
    game = game_of(table)
    return differences(lambda place: game, before, after, currency)


def profile_differences(before: Stated, after: Stated, currency: str) -> list[tuple[str, str, str]]:
    """The same of a profile, with each bet as the first game that has it calls it."""
    return differences(game_with, before, after, currency)


def _taken(game: rulebook.Game, place: str, rows: Mapping[str, Span], currency: str) -> str:
    """What is taken at a place, and whence it has that where it has no limits of its own."""
    if place in rows:
        return _range(rows[place], currency)
    bet, _, selection = place.partition(":")
    known = game.bets.get(bet)
    if known is None:
        return "none"
    if selection and bet in rows:
        return f"as {known.title} ({_range(rows[bet], currency)})"
    span = multiplied(known, rows)
    if span is None:
        return "none"
    own = known.limit is None or STRAIGHT not in rows
    whence = "as every other bet" if own else "by its printed multiple"
    return f"{whence} ({_range(span, currency)})"


def _range(ends: Ends, currency: str) -> str:
    if ends == NONE:
        return "none"
    return " to ".join("–" if end is None else grouped(end, currency) for end in ends)


def _in_order(places: Iterable[str]) -> list[str]:
    """Every other bet comes after those that are named."""
    return sorted(places, key=lambda place: (place == EVERY_BET, place))


def _bounds_told(bounds: Bounds) -> dict[str, Ends]:
    return {
        ALL_BETS: (bounds["table_min"], bounds["table_max"]),
        PAYOUT: (None, bounds["payout_max"]),
        EXPOSURE: (None, bounds["exposure_max"]),
    }


def limits_shown(table: Table) -> dict[str, Any]:
    """The limits in force at a table and those to come, for its page."""
    general = list(limits_in_force(table).values())
    own = (
        with_fate(LimitSet.objects.filter(table=table, operator__isnull=False))
        .filter(followed=False, effective_from__lte=Now())
        .order_by("operator__code", "currency")
        .select_related("operator")
        .prefetch_related("bets")
    )
    return {
        "limits": [row for limits in (*general, *own) for row in _rows(limits, table)],
        "following": _following(table),
        "limits_to_come": limits_to_come(table),
    }


def _following(table: Table) -> list[LimitSet]:
    """The newest versions at a table that came from a profile, the general ones first."""
    place = ("currency", "operator_id")
    newest = LimitSet.objects.filter(table=table).order_by(*place, "-version").distinct(*place)
    following = LimitSet.objects.filter(pk__in=newest.values("pk"), profile_version__isnull=False)
    related = following.select_related("profile_version__profile", "operator")
    return list(related.order_by(F("operator__code").asc(nulls_first=True), "currency"))


def _rows(limits: LimitSet, table: Table) -> list[dict[str, Any]]:
    spans = with_every_bet_first(told(limits, table))
    return [
        {
            "title": title,
            "operator": limits.operator,
            "currency": limits.currency,
            "minimum": low,
            "maximum": high,
        }
        for title, (low, high) in spans.items()
        if (low, high) != (None, None) and limits.bets.all()
    ]
