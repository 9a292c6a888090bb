"""The color dice family: three dice of twelve colored faces (000 L475-478, 001 L297-300)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from games.families import Family, Roll
from games.families.dice import read_dice
from games.reading import check_keys
from games.values import Outcome, Setup

COLORS = {
    "red": (1, 4, 9, 12),
    "blue": (2, 5, 8, 11),
    "green": (3, 6, 7, 10),
}
COLOR_OF = {number: color for color, numbers in COLORS.items() for number in numbers}

ZODIAC = {
    "rat": range(3, 9),
    "ox": range(9, 12),
    "tiger": range(12, 14),
    "rabbit": range(14, 16),
    "dragon": range(16, 18),
    "snake": range(18, 20),
    "horse": range(20, 22),
    "goat": range(22, 24),
    "monkey": range(24, 26),
    "rooster": range(26, 28),
    "dog": range(28, 31),
    "pig": range(31, 37),
}
"""The totals of every animal (000 L549-561, 001 L396-408)."""

NUMBERS = tuple(map(str, range(1, 13)))

_COUNTED = ("one", "two", "three")


@cache
def facts(dice: tuple[int, ...], double_includes_triple: bool) -> frozenset[str]:
    """State everything about a roll that a bet can be on; `dice` in ascending order."""
    total = sum(dice)
    colors = Counter(COLOR_OF[number] for number in dice)
    stated = {
        f"total:{total}",
        "small" if total <= 19 else "big",
        "odd" if total % 2 else "even",
        *(f"zodiac:{animal}" for animal, totals in ZODIAC.items() if total in totals),
        *(f"{_COUNTED[count - 1]}:{color}" for color, count in colors.items()),
    }
    if len(colors) == 1:
        stated.add("any_triple_color")
    if len(colors) == 3:
        stated.add("three_stars")
    if [number - dice[0] for number in dice] == [0, 1, 2]:
        stated.add("straights")
    for number, count in Counter(dice).items():
        if count == 3:
            stated.add("any_triple_number")
        if count == 2 or (count == 3 and double_includes_triple):
            stated |= {"any_double_number", f"double:{number}"}
    return frozenset(stated)


def glossary(setup: Setup) -> dict[str, str]:
    """Name every fact that a game with this setup can state."""
    words = {
        "small": "Total from 3 to 19",
        "big": "Total from 20 to 36",
        "odd": "Odd total",
        "even": "Even total",
        "any_triple_color": "Three dice of one color",
        "three_stars": "One die of each color",
        "straights": "Three consecutive numbers",
        "any_triple_number": "Three dice show the same number",
        "any_double_number": "Two dice show the same number",
    }
    words |= {f"total:{total}": f"Total {total}" for total in range(3, 37)}
    words |= {f"double:{number}": "Two dice show the number" for number in NUMBERS}
    for color in COLORS:
        words[f"one:{color}"] = "Exactly one die of the color"
        words[f"two:{color}"] = "Exactly two dice of the color"
        words[f"three:{color}"] = "Three dice of the color"
    for animal, totals in ZODIAC.items():
        words[f"zodiac:{animal}"] = f"Total from {totals[0]} to {totals[-1]}"
    return words


def read(setup: Setup, raw: Mapping[str, Any]) -> Outcome:
    """Check a roll and state its facts; Refused `invalid_outcome`."""
    check_keys(raw, ("dice",))
    dice = read_dice(raw, 12)
    shown = ", ".join(f"{number} {COLOR_OF[number]}" for number in dice)
    return Outcome(
        canonical={"dice": list(dice)},
        facts=facts(tuple(sorted(dice)), setup.options["double_includes_triple"]),
        headline=f"{shown}: total {sum(dice)}",
    )


def deal(setup: Setup, shoe: Iterator[str], roll: Roll) -> dict[str, Any]:
    """Roll three dice of twelve faces."""
    return {"dice": [roll(12), roll(12), roll(12)]}


FAMILY = Family(
    glossary=glossary,
    read=read,
    deal=deal,
    options={"double_includes_triple": True},
    selections={"colors": tuple(COLORS), "numbers": NUMBERS, "zodiac": tuple(ZODIAC)},
    plain=frozenset(glossary(Setup(None, {}))),
)
