"""The ball family: a ball comes to rest in one of 144 holes numbered 1 to 12 (001 L741-779)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from games.families import Family, Roll
from games.reading import check_keys, read_number
from games.values import Outcome, Setup

GROUPS: Mapping[str, tuple[int, ...]] = {
    "color:red": (1, 4, 7, 10),
    "color:green": (2, 5, 8, 11),
    "color:blue": (3, 6, 9, 12),
    "small": (1, 2, 3, 4, 5, 6),
    "big": (7, 8, 9, 10, 11, 12),
    "odd": (1, 3, 5, 7, 9, 11),
    "even": (2, 4, 6, 8, 10, 12),
    "big_odd": (7, 9, 11),
    "big_even": (8, 10, 12),
    "small_odd": (1, 3, 5),
    "small_even": (2, 4, 6),
    "element:gold": (1, 7),
    "element:wood": (2, 8),
    "element:water": (3, 4, 9, 10),
    "element:fire": (5, 11),
    "element:earth": (6, 12),
    "wind:north": (1, 5, 9),
    "wind:east": (2, 6, 10),
    "wind:south": (3, 7, 11),
    "wind:west": (4, 8, 12),
}
"""What a number belongs to."""

NUMBERS = tuple(map(str, range(1, 13)))


def group(number: int, kind: str) -> str:
    """Name the color, the element or the wind of a number.

    >>> group(12, "color"), group(12, "element"), group(12, "wind")
    ('blue', 'earth', 'west')
    """
    [name] = (
        name.removeprefix(f"{kind}:")
        for name, numbers in GROUPS.items()
        if name.startswith(f"{kind}:") and number in numbers
    )
    return name


def _selections(kind: str) -> tuple[str, ...]:
    return tuple(name.removeprefix(f"{kind}:") for name in GROUPS if name.startswith(f"{kind}:"))


def glossary(setup: Setup) -> dict[str, str]:
    """Name every fact that this game can state."""
    words = {f"number:{number}": "The ball rests on the number" for number in NUMBERS}
    for name, numbers in GROUPS.items():
        listed = ", ".join(map(str, numbers[:-1]))
        words[name] = f"The ball rests on {listed} or {numbers[-1]}"
    return words


def read(setup: Setup, raw: Mapping[str, Any]) -> Outcome:
    """Check where the ball came to rest and state its facts; Refused `invalid_outcome`."""
    check_keys(raw, ("number",))
    number = read_number(raw, "number", 1, 12)
    color, element, wind = (group(number, kind) for kind in ("color", "element", "wind"))
    return Outcome(
        canonical={"number": number},
        facts=frozenset(
            {f"number:{number}"} | {name for name, numbers in GROUPS.items() if number in numbers}
        ),
        headline=f"{number} {color}, {element}, {wind}",
    )


def deal(setup: Setup, shoe: Iterator[str], roll: Roll) -> dict[str, Any]:
    """Roll the ball: every number has twelve of the 144 holes."""
    return {"number": roll(12)}


FAMILY = Family(
    glossary=glossary,
    read=read,
    deal=deal,
    selections={
        "numbers": NUMBERS,
        **{kind: _selections(kind) for kind in ("color", "element", "wind")},
    },
    plain=frozenset(glossary(Setup(None, {}))),
)
