"""What a table takes, in words: the limits in force, and those to come."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models.functions import Now

from casino.models import LimitSet, Table
from casino.selectors import game_of, limits_in_force, limits_to_come, with_fate
from casino.services.limits import EVERY_BET, Span, bounds_of, rows_of
from games import rulebook
from games.money import format_amount

EVERY_OTHER = "Every other bet"
ALL_BETS = "All bets of one player"
PAYOUT = "Payout to one player"
EXPOSURE = "Payout of one round"

Ends = tuple[int | None, int | None]

NONE: Ends = (None, None)


def place_title(game: rulebook.Game, place: str) -> str:
    """The words for what limits hold for: a bet, one selection of it, or every other bet."""
    if place == EVERY_BET:
        return EVERY_OTHER
    bet, _, selection = place.partition(":")
    known = game.bets.get(bet)
    return f"{known.title if known else bet} {selection}".strip()


def told(limits: LimitSet | None, table: Table) -> dict[str, Ends]:
    """Everything that a version bounds, by the words for it; nothing where there is none."""
    if limits is None:
        return {}
    return spans_told(game_of(table), rows_of(limits), bounds_of(limits))


def spans_told(
    game: rulebook.Game, rows: Mapping[str, Span], bounds: Mapping[str, int | None]
) -> dict[str, Ends]:
    """Limits by the words for them; every other bet comes after those that are named."""
    spans: dict[str, Ends] = {
        place_title(game, place): rows[place]
        for place in sorted(rows, key=lambda place: (place == EVERY_BET, place))
    }
    return spans | {
        ALL_BETS: (bounds["table_min"], bounds["table_max"]),
        PAYOUT: (None, bounds["payout_max"]),
        EXPOSURE: (None, bounds["exposure_max"]),
    }


def differences(
    before: Mapping[str, Ends], after: Mapping[str, Ends], currency: str
) -> list[tuple[str, str, str]]:
    """What is not the same, with the old and the new in words."""
    return [
        (what, _range(before.get(what, NONE), currency), _range(after.get(what, NONE), currency))
        for what in dict.fromkeys((*after, *before))
        if before.get(what, NONE) != after.get(what, NONE)
    ]


def _range(ends: Ends, currency: str) -> str:
    if ends == NONE:
        return "none"
    return " to ".join("–" if end is None else format_amount(end, currency) for end in ends)


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
        "limits_to_come": limits_to_come(table),
    }


def _rows(limits: LimitSet, table: Table) -> list[dict[str, Any]]:
    spans = told(limits, table)
    if next(iter(spans)) == EVERY_OTHER:
        spans = {"Every bet": spans.pop(EVERY_OTHER)} | spans
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
