"""Outcomes as a person sees them: what lies before each side, who won, the mark on the roads."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from casino.models import Round, Shoe
from casino.pages.parts import parts_of
from casino.pages.pictures import die_svg, number_svg, spoken
from games import rulebook
from games.cards import DECK
from games.drawing import points
from games.families import ball
from games.layout import color
from games.refusals import Refused
from games.roads import BACCARAT, Hand, Sides

ORDER = (
    "deal", "player", "banker", "dragon", "tiger", "home", "away", "player1", "player2", "player3",
    "dealer", "boxes", "cards", "dice", "number", "die", "unnecessary",
)  # fmt: skip
"""The parts of outcomes as a table lays them out; the database keeps an order of its own."""

LABELS = {"deal": "As dealt", "unnecessary": "Not due"}
TWELVE_SIDED = frozenset({"color_dice"})
CARDS = frozenset(DECK)


@dataclass(frozen=True, slots=True)
class Side:
    """What lies before one side. `picture` stands in place of cards, for dice and numbers."""

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
    if not isinstance(outcome, Mapping):
        return []
    winner = _winner(game, outcome)
    if outcome.get("reverse_dealt") and {"player1", "player3"} <= outcome.keys():
        # The hands change places on every bet (C-29), so they are shown as they count.
        outcome = {
            **outcome, "player1": outcome["player3"], "player3": outcome["player1"],
        }  # fmt: skip
    return [
        side
        for part in ORDER
        if part in outcome
        for side in _sides(game, part, outcome[part], winner, size)
    ]


def drawn_words(game: rulebook.Game, draws: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    """What was drawn after betting closed: its name and, in words, "8" or "7 at 499:1"."""
    labels = {part.name: part.label for part in parts_of(game)}
    return [
        (labels[part], _odds_words(game, drawn) if isinstance(drawn, Mapping) else str(drawn))
        for part, drawn in (draws or {}).items()
    ]


def hand_of(round: Round) -> str:
    """What a round is called at its table: a hand of a shoe, or a round."""
    return round.worded(f"Hand {round.number}")


def place_of(place: Round | Shoe) -> str:
    """What a round or a shoe is called beside the code of its table."""
    return f"shoe {place.number}" if isinstance(place, Shoe) else hand_of(place).lower()


def across(game: rulebook.Game) -> bool:
    """Whether the third card of a hand lies across."""
    return game.family == "baccarat"


def road_sides(game: rulebook.Game) -> Sides | None:
    """The two sides whose roads a game draws, or None where it has no scoreboard."""
    match game.family:
        case "baccarat":
            return BACCARAT
        case "dragon_tiger":
            first, second = game.options["sides"]
            return Sides(first, second, game.options["level"])
    return None


def mark_of(game: rulebook.Game, outcome: Mapping[str, Any] | None) -> SafeString | None:
    """The small picture by which a result without sides is remembered: its number or total."""
    if not isinstance(outcome, Mapping):
        return None
    number, dice = outcome.get("number"), outcome.get("dice")
    if isinstance(number, int):
        return number_svg(number, colour=_colour(game, number), size="small")
    if isinstance(dice, list):
        return number_svg(sum(dice), size="small")
    return None


def road_hand(book: str, version: str, game: str, outcome: str, *, number: int) -> Hand:
    """A hand as the roads see it, from the JSON text of its outcome."""
    winner, pairs, natural = _marks(book, version, game, outcome)
    return Hand(winner, pairs, natural, number)


@lru_cache(maxsize=50_000)
def _marks(book: str, version: str, game: str, outcome: str) -> tuple[str, frozenset[str], bool]:
    """Winner, sides with a pair, and whether it was a natural.

    A published book never changes, so the same text means the same for ever.
    """
    read = rulebook.book(book, version).game(game).read(json.loads(outcome))
    pairs = frozenset(side for side in ("player", "banker") if f"{side}_pair" in read.facts)
    natural = any(fact.endswith("_on_natural") for fact in read.facts)
    return read.winner, pairs, natural


def _sides(game: rulebook.Game, part: str, value: Any, winner: str, size: str) -> Iterator[Side]:
    """What one part of an outcome puts on the table; nothing where it is no picture."""
    label = LABELS.get(part) or re.sub(r"(\d+)$", r" \1", spoken(part))
    match part, value:
        case "dice", list():
            yield Side(label, picture=_dice(game, value, size))
        case "die", int():
            yield Side(label, picture=die_svg(value, sides=12, size=size))
        case "number", int():
            yield Side(label, picture=number_svg(value, colour=_colour(game, value), size=size))
        case "boxes", Mapping():
            for box, held in value.items():
                hands = held.get("hands") or [held.get("cards")]
                for hand in hands:
                    yield Side(f"Box {box}", tuple(map(str, hand or ())))
        case _, list() | tuple():
            if value:
                yield _hand(game, part, label, tuple(map(str, value)), winner)
        case _, str() if value in CARDS:
            yield _hand(game, part, label, (value,), winner)


def _odds_words(game: rulebook.Game, drawn: Mapping[str, str]) -> str:
    """Where super odds lie: numbers of the wheel, or positions such as "specific_total:4"."""
    places = []
    for place, odds in drawn.items():
        bet, _, selection = place.partition(":")
        title = f"{game.bets[bet].title} {selection}".strip() if bet in game.bets else place
        places.append(f"{title} at {odds}")
    return ", ".join(places) or "none"


def _hand(game: rulebook.Game, part: str, label: str, cards: tuple[str, ...], winner: str) -> Side:
    sides = road_sides(game)
    tones = {sides.first: "first", sides.second: "second"} if sides else {}
    counted = game.family == "baccarat" and part in tones and CARDS.issuperset(cards)
    return Side(
        label,
        cards,
        tone=tones.get(part, ""),
        points=points(cards) if counted else None,
        won=part == winner,
    )


def _dice(game: rulebook.Game, dice: list[Any], size: str) -> SafeString:
    faces = 12 if game.family in TWELVE_SIDED else 6
    drawn = (die_svg(value, sides=faces, size=size) for value in dice if isinstance(value, int))
    return format_html_join("", "{}", ((die,) for die in drawn))


def _colour(game: rulebook.Game, number: int) -> str:
    """The colour that a game gives to a number, if it is one of its numbers."""
    if game.family == "roulette" and 0 <= number <= 36:
        return color(number)
    if game.family == "ball" and str(number) in ball.NUMBERS:
        return ball.group(number, "color")
    return ""


def _winner(game: rulebook.Game, outcome: Mapping[str, Any]) -> str:
    try:
        return game.read(outcome).winner
    except Refused:
        return ""
