"""Outcomes as a person sees them: what lies before each side, who won, the mark on the roads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.utils.safestring import SafeString

from casino.pages.pictures import die_svg
from games import rulebook
from games.cards import DECK
from games.drawing import points
from games.refusals import Refused
from games.roads import BACCARAT, Hand, Sides

TONES = {"banker": "first", "player": "second"}


@dataclass(frozen=True, slots=True)
class Side:
    """What lies before one side. `picture` stands in place of cards, for a die."""

    label: str
    cards: tuple[str, ...] = ()
    tone: str = ""
    points: int | None = None
    won: bool = False
    picture: SafeString | None = None


def sides_of(
    game: rulebook.Game, outcome: Mapping[str, Any] | None, *, size: str = "medium"
) -> list[Side]:
    """Lay an outcome out by sides.

    It may be one that the rules refused: what was posted has to be shown as it came.
    """
    if not outcome:
        return []
    winner = _winner(game, outcome)
    laid = [
        Side(
            label=part.capitalize(),
            cards=cards,
            tone=TONES[part],
            points=points(cards) if set(cards) <= _KNOWN and cards else None,
            won=part == winner,
        )
        for part in ("player", "banker")
        if (cards := _cards(outcome.get(part)))
    ]
    laid += [
        Side(label=label, cards=cards)
        for part, label in (("deal", "As dealt"), ("unnecessary", "Not due"))
        if (cards := _cards(outcome.get(part)))
    ]
    die = outcome.get("die")
    if isinstance(die, int):
        laid.append(Side(label="Die", picture=die_svg(die, sides=12, size=size)))
    return laid


def across(game: rulebook.Game) -> bool:
    """Whether the third card of a hand lies across."""
    return game.family == "baccarat"


def road_sides(game: rulebook.Game) -> Sides | None:
    """The two sides whose roads a game draws, or None where it has no scoreboard."""
    return BACCARAT if game.family == "baccarat" else None


def road_hand(*, book: str, version: str, game: str, number: int, outcome: str | None) -> Hand:
    """A hand as the roads see it, from the JSON text of its outcome; None is a void hand."""
    if outcome is None:
        return Hand("", number=number)
    winner, pairs, natural = _marks(book, version, game, outcome)
    return Hand(winner, pairs, natural, number)


@lru_cache(maxsize=50_000)
def _marks(book: str, version: str, game: str, outcome: str) -> tuple[str, frozenset[str], bool]:
    """Winner, sides with a pair, and whether it was a natural.

    A published book never changes, so the same text means the same for ever.
    """
    read = rulebook.book(book, version).game(game).read(json.loads(outcome))
    pairs = frozenset(side for side in TONES if f"{side}_pair" in read.facts)
    natural = any(fact.endswith("_on_natural") for fact in read.facts)
    return read.winner, pairs, natural


_KNOWN = frozenset(DECK)


def _cards(value: Any) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()


def _winner(game: rulebook.Game, outcome: Mapping[str, Any]) -> str:
    try:
        return game.read(outcome).winner
    except Refused:
        return ""
