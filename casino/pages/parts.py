"""What an outcome of each game is made of, as a person at the table enters it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from casino.pages.printed import choice_words
from games.families.dice import positions
from games.layout import INSIDE
from games.rulebook import Game


class Kind(StrEnum):
    """How a part of an outcome is entered."""

    CARD = "card"
    CARDS = "cards"
    HANDS = "hands"
    DICE = "dice"
    NUMBER = "number"
    DRAWN = "drawn"
    TICK = "tick"


CARD_KINDS = frozenset({Kind.CARD, Kind.CARDS, Kind.HANDS})


@dataclass(frozen=True, slots=True)
class Part:
    """One part of an outcome.

    `most` is how many cards, dice or draws it takes, `span` its lowest and highest number. Of odds
    drawn for the round, `places` are where they can lie and `odds` what a book allows everywhere.
    A `spare` part is asked for only where there is something in it.
    """

    name: str
    label: str
    kind: Kind
    most: int = 1
    span: tuple[int, int] = (1, 12)
    hint: str = ""
    spare: bool = False
    places: Mapping[str, str] = field(default_factory=dict)
    odds: tuple[str, ...] = ()

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of its fields: odds have two for every draw, their place and themselves."""
        if self.kind is not Kind.DRAWN:
            return (self.name,)
        draws = range(1, self.most + 1)
        return tuple(f"{self.name}_{draw}{end}" for draw in draws for end in ("", "_odds"))


DIE = Part("die", "Die", Kind.NUMBER, hint="What the twelve-sided die shows.")
SPARE = Part(
    "unnecessary",
    "Drawn but not due",
    Kind.CARDS,
    most=2,
    hint="Only where a card too many was drawn.",
    spare=True,
)


def parts_of(game: Game) -> tuple[Part, ...]:
    """The parts of an outcome of a game; () where it can be entered as data alone."""
    match game.family:
        case "baccarat":
            return (*_sides(), SPARE, *((DIE,) if game.options["super_faces"] else ()))
        case "dragon_tiger":
            return (*(_card(side) for side in game.options["sides"]), SPARE)
        case "pictures":
            return _pictures(game.options["hands"])
        case "fan_tan":
            hint = "All cards of the 3 Pictures round, in any order."
            return (Part("cards", "The twelve cards", Kind.CARDS, 12, hint=hint), DIE)
        case "blackjack":
            dealer = Part("dealer", "Dealer", Kind.CARDS, 21, hint="The first card lies face up.")
            return (dealer, *map(_box, range(1, game.options["boxes"] + 1)), SPARE)
        case "dice":
            return (_dice(6), *_super_odds(game))
        case "color_dice":
            return (_dice(12),)
        case "roulette":
            number = Part("number", "Number", Kind.NUMBER, span=(0, 36), hint="0 to 36.")
            return (number, *_super_numbers(game))
        case "ball":
            return (Part("number", "Number", Kind.NUMBER, hint="1 to 12."),)
    return ()


def _sides() -> tuple[Part, ...]:
    player = "Rank and suit of each card, in the order dealt: KS 9H."
    banker = "10 may be written as T or as 10."
    return (
        Part("player", "Player", Kind.CARDS, 3, hint=player),
        Part("banker", "Banker", Kind.CARDS, 3, hint=banker),
    )


def _card(side: str) -> Part:
    return Part(side, side.capitalize(), Kind.CARD, hint="One card, rank and suit: KS.")


def _pictures(names: list[str]) -> tuple[Part, ...]:
    hands = (Part(name, choice_words(name), Kind.CARDS, 3, hint="Three cards.") for name in names)
    swap = Part("reverse_dealt", "The whole hand was dealt in reverse", Kind.TICK)
    return (*hands, *((swap,) if len(names) > 2 else ()))


def _box(number: int) -> Part:
    hint = "Its cards, in the order dealt."
    if number == 1:
        hint = "A slash between the two hands of a split: 8S 3D / 8H TS."
    return Part(f"box{number}", f"Box {number}", Kind.HANDS, 42, hint=hint)


def _dice(faces: int) -> Part:
    return Part("dice", "Dice", Kind.DICE, 3, (1, faces), hint=f"Three numbers from 1 to {faces}.")


def _super_numbers(game: Game) -> tuple[Part, ...]:
    allowed, most = tuple(game.options["super_odds"]), game.options["super_most"]
    if not allowed:
        return ()
    places = {number: number for number in INSIDE["straight"]}
    hint = f"One to {most} numbers with the odds drawn for them."
    return (
        Part("super_numbers", "Super Numbers", Kind.DRAWN, most, hint=hint, places=places,
             odds=allowed),
    )  # fmt: skip


def _super_odds(game: Game) -> tuple[Part, ...]:
    places = {}
    for place, span in positions(game.setup).items():
        bet, _, selection = place.partition(":")
        title = f"{game.bets[bet].title} {selection}".strip()
        places[place] = f"{title}, {span['least']} to {span['most']}"
    if not places:
        return ()
    hint = "The positions that were raised in this round, if any: 179:1."
    return (
        Part("super_odds", "Super payouts", Kind.DRAWN, len(places), hint=hint, places=places),
    )  # fmt: skip
