"""The roulette family: the number that fell, and the Super Numbers that were drawn before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from games.draws import pick
from games.families import Draw, Family, Roll
from games.layout import ARCS, INSIDE, OUTSIDE, around, color, covered
from games.reading import check_keys, read_number
from games.refusals import Refused
from games.returns import parse_odds
from games.values import Outcome, Setup

NUMBERS = INSIDE["straight"]

_OUTSIDE_WORDS = {
    **{f"column:{column}": "A number of the column" for column in (1, 2, 3)},
    **{f"dozen:{dozen}": "A number of the dozen" for dozen in (1, 2, 3)},
    "red": "A red number",
    "black": "A black number",
    "odd": "An odd number",
    "even": "An even number",
    "low": "A number from 1 to 18",
    "high": "A number from 19 to 36",
}


_SPOTS = {spot: covered(spot) for spots in INSIDE.values() for spot in spots}

_FACTS = {
    number: frozenset(
        {f"on:{spot}" for spot, numbers in _SPOTS.items() if number in numbers}
        | {fact for fact, numbers in OUTSIDE.items() if number in numbers}
    )
    for number in range(37)
}
"""Everything that a bet without Super Numbers can ask, by the number that fell."""


def glossary(setup: Setup) -> dict[str, str]:
    """Name every fact that a game with this setup can state."""
    words = dict.fromkeys((f"on:{spot}" for spot in _SPOTS), "One of the chosen numbers")
    words |= _OUTSIDE_WORDS
    if setup.options["super_odds"]:
        words |= dict.fromkeys((f"super:{number}" for number in NUMBERS), "Super Number")
    return words


def read(setup: Setup, raw: Mapping[str, Any]) -> Outcome:
    """Check a spin and state its facts; Refused `invalid_outcome`.

    The Super Numbers drawn are kept as they are, hit or not: they belong to the round and stay
    when it is spun again (C-20). Only the number that fell pays its super odds (C-21).
    """
    allowed = setup.options["super_odds"]
    check_keys(raw, ("number", "super_numbers") if allowed else ("number",))
    number = read_number(raw, "number", 0, 36)
    canonical: dict[str, Any] = {"number": number}
    stated, odds = _FACTS[number], {}
    headline = f"{number} {color(number)}"
    if allowed:
        drawn = _super_numbers(setup, raw)
        canonical["super_numbers"] = drawn
        odds = {f"super:{on}": parse_odds(text) for on, text in drawn.items()}
        if str(number) in drawn:
            stated |= {f"super:{number}"}
            headline += f", a Super Number at {drawn[str(number)]}"
    return Outcome(canonical=canonical, facts=stated, headline=headline, odds=odds)


def deal(setup: Setup, shoe: Iterator[str], roll: Roll) -> dict[str, Any]:
    """Draw the Super Numbers of a game that has them, and spin.

    How they are drawn is printed nowhere; this is a model (B-10a): one number or more, each
    count as likely, and the odds by the weights in the book.
    """
    raw: dict[str, Any] = {}
    if setup.options["super_odds"]:
        left = list(NUMBERS)
        raw["super_numbers"] = {
            left.pop(roll(len(left)) - 1): pick(setup.options["super_odds"], roll)
            for _ in range(roll(setup.options["super_most"]))
        }
    return raw | {"number": roll(37) - 1}


def draws(setup: Setup) -> dict[str, Draw]:
    """The Super Numbers of a game that has them (000 L667)."""
    return {"super_numbers": _super_numbers} if setup.options["super_odds"] else {}


def covers(bet: str, selection: str) -> frozenset[str]:
    """List the numbers on which a bet wins, for the limit on coverage (C-43)."""
    if bet in INSIDE:
        numbers = covered(selection)
    elif bet == "neighbors":
        numbers = frozenset(around(int(selection), 2))
    elif bet in ARCS:
        numbers = ARCS[bet]
    else:
        numbers = OUTSIDE[f"{bet}:{selection}" if selection else bet]
    return frozenset(map(str, numbers))


def neighbors(middle: str) -> tuple[str, ...]:
    """Lay the five chips of a number and two neighbors on each side (000 L648, 001 L502)."""
    return tuple(f"straight:{number}" for number in around(int(middle), 2))


def _super_numbers(setup: Setup, raw: Mapping[str, Any]) -> dict[str, str]:
    """Take the Super Numbers out of an outcome, in ascending order."""
    allowed, most = tuple(setup.options["super_odds"]), setup.options["super_most"]
    drawn = raw.get("super_numbers")
    if not isinstance(drawn, Mapping) or not 1 <= len(drawn) <= most:
        raise Refused(
            "invalid_outcome",
            f"super_numbers gives odds to one to {most} numbers.",
            field="super_numbers",
        )
    for number, odds in drawn.items():
        if number not in NUMBERS:
            raise Refused(
                "invalid_outcome", f"{number!r} is no number of the wheel.", field="super_numbers"
            )
        if odds not in allowed:
            raise Refused(
                "invalid_outcome",
                f"Super Number {number} cannot pay {odds!r}: the book allows {', '.join(allowed)}.",
                field="super_numbers",
            )
    return {number: drawn[number] for number in sorted(drawn, key=int)}


FAMILY = Family(
    glossary=glossary,
    read=read,
    deal=deal,
    draws=draws,
    options={
        "super_odds": {},
        "super_most": 5,
        "edge_by_model": False,
    },
    selections={
        **INSIDE,
        "street and triple": INSIDE["street"] + INSIDE["triple"],
        "corner and four": INSIDE["corner"] + INSIDE["four"],
        "columns": ("1", "2", "3"),
        "dozens": ("1", "2", "3"),
    },
    plain=frozenset(glossary(Setup(None, {"super_odds": {"any": 1}}))),
    covers=covers,
    chips={"neighbors": neighbors},
)
