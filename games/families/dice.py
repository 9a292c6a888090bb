"""The dice family: three dice of six faces, and the super odds drawn before they rolled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import combinations
from typing import Any

from games.draws import pick
from games.families import Draw, Family, Roll
from games.reading import check_keys
from games.refusals import Refused
from games.returns import odds_text, parse_odds
from games.values import Outcome, Setup

FACES = tuple(map(str, range(1, 7)))
TOTALS = tuple(map(str, range(4, 18)))
PAIRS = tuple(f"{low}-{high}" for low, high in combinations(FACES, 2))

_POSITIONS = {
    "specific_triple": FACES,
    "any_triple": ("",),
    "specific_total": TOTALS,
    "specific_double": FACES,
    "pair_match": PAIRS,
}
"""The places of the layout that can carry super odds: each is a fact of its own name."""

_SHOWN = ("once", "twice", "thrice")


def read_dice(raw: Mapping[str, Any], faces: int) -> tuple[int, int, int]:
    """Take three dice out of an outcome; Refused `invalid_outcome` if they are not that."""
    dice = raw.get("dice")
    if not isinstance(dice, list | tuple) or len(dice) != 3:
        raise Refused("invalid_outcome", "dice lists what three dice show.", field="dice")
    for shown in dice:
        if not isinstance(shown, int) or isinstance(shown, bool) or not 1 <= shown <= faces:
            raise Refused(
                "invalid_outcome",
                f"A die of this game shows 1 to {faces}, not {shown!r}.",
                field="dice",
            )
    first, second, third = dice
    return first, second, third


@cache
def facts(dice: tuple[int, ...], double_includes_triple: bool) -> frozenset[str]:
    """State everything about a roll that a bet can be on; `dice` in ascending order."""
    total = sum(dice)
    shown = Counter(dice)
    stated = {
        "small" if total <= 10 else "big",
        "odd" if total % 2 else "even",
        f"specific_total:{total}",
    }
    stated |= {f"{_SHOWN[times - 1]}:{face}" for face, times in shown.items()}
    stated |= {f"pair_match:{low}-{high}" for low, high in combinations(sorted(shown), 2)}
    for face, times in shown.items():
        if times == 3:
            stated |= {"any_triple", f"specific_triple:{face}"}
        if times == 2 or (times == 3 and double_includes_triple):
            stated.add(f"specific_double:{face}")
    return frozenset(stated)


def glossary(setup: Setup) -> dict[str, str]:
    """Name every fact that a game with this setup can state."""
    words = {
        "small": "Total from 3 to 10",
        "big": "Total from 11 to 18",
        "odd": "Odd total",
        "even": "Even total",
        "any_triple": "Three dice show the same number",
        "specific_total:3": "Total 3",
        "specific_total:18": "Total 18",
    }
    for face in FACES:
        words[f"once:{face}"] = "One die shows the number"
        words[f"twice:{face}"] = "Two dice show the number"
        words[f"thrice:{face}"] = "Three dice show the number"
        words[f"specific_double:{face}"] = "Two dice show the number"
        words[f"specific_triple:{face}"] = "Three dice show the number"
    words |= {f"specific_total:{total}": f"Total {total}" for total in TOTALS}
    words |= {f"pair_match:{pair}": "Both numbers are shown" for pair in PAIRS}
    words |= {f"super:{_fact(position)}": "Super payout" for position in positions(setup)}
    return words


@lru_cache(maxsize=256)
def positions(setup: Setup) -> Mapping[str, Mapping[str, Any]]:
    """List every position that may carry super odds, "specific_total:4", with what the book allows.

    A book names a whole bet, or one of its selections.
    """
    allowed = setup.options["super_odds"]
    return {
        position: allowed.get(position) or allowed[bet]
        for bet, selections in _POSITIONS.items()
        for position in (f"{bet}:{selection}" for selection in selections)
        if position in allowed or bet in allowed
    }


def read(setup: Setup, raw: Mapping[str, Any]) -> Outcome:
    """Check a roll and state its facts; Refused `invalid_outcome`.

    Super odds are kept as they were drawn, hit or not: they belong to the round and stay when
    it is rolled again (C-20).
    """
    has_super = bool(setup.options["super_odds"])
    check_keys(raw, ("dice", "super_odds") if has_super else ("dice",))
    dice = read_dice(raw, 6)
    canonical: dict[str, Any] = {"dice": list(dice)}
    stated = facts(tuple(sorted(dice)), setup.options["double_includes_triple"])
    odds = {}
    if has_super:
        drawn = _super_odds(setup, raw)
        canonical["super_odds"] = drawn
        odds = {f"super:{_fact(position)}": parse_odds(text) for position, text in drawn.items()}
        stated |= {fact for fact in odds if fact.removeprefix("super:") in stated}
    return Outcome(canonical=canonical, facts=stated, headline=_headline(dice), odds=odds)


def deal(setup: Setup, shoe: Iterator[str], roll: Roll) -> dict[str, Any]:
    """Draw the super odds of a game that has them, and roll.

    How they are drawn is printed nowhere; this is a model (B-8a): every position is raised in
    one of so many rounds, to one of its odds by weight, whatever happens to the others.
    """
    raw: dict[str, Any] = {}
    if setup.options["super_odds"]:
        raw["super_odds"] = {
            position: pick(weights, roll)
            for position, weights in model(setup).items()
            if roll(setup.options["super_one_in"]) == 1
        }
    return raw | {"dice": [roll(6), roll(6), roll(6)]}


def draws(setup: Setup) -> dict[str, Draw]:
    """The super odds of a game that has them (000 L434)."""
    return {"super_odds": _super_odds} if setup.options["super_odds"] else {}


def model(setup: Setup) -> dict[str, dict[str, int]]:
    """Weigh the odds to which the book's model raises each position."""
    weights = setup.options["super_weights"]
    return {
        position: dict(zip(allowed["model"], weights, strict=True))
        for position, allowed in positions(setup).items()
    }


def _fact(position: str) -> str:
    """The fact of a position: "any_triple:", which has no selection, is "any_triple"."""
    return position.removesuffix(":")


def _super_odds(setup: Setup, raw: Mapping[str, Any]) -> dict[str, str]:
    """Take the super odds out of an outcome, in the order of the layout."""
    drawn = raw.get("super_odds")
    if not isinstance(drawn, Mapping):
        raise Refused(
            "invalid_outcome",
            'super_odds gives odds by position, {"specific_total:4": "99:1"}, or none: {}.',
            field="super_odds",
        )
    allowed = positions(setup)
    for position in drawn:
        if position not in allowed:
            raise Refused(
                "invalid_outcome",
                f"{position!r} is no position that can carry super odds.",
                field="super_odds",
            )
    return {
        position: _checked_odds(position, drawn[position], span["least"], span["most"])
        for position, span in allowed.items()
        if position in drawn
    }


def _checked_odds(position: str, text: Any, least: str, most: str) -> str:
    try:
        odds = parse_odds(text)
    except (ValueError, TypeError) as error:
        raise Refused(
            "invalid_outcome", f"{text!r} is not odds such as 99:1.", field="super_odds"
        ) from error
    if not parse_odds(least) <= odds <= parse_odds(most):
        raise Refused(
            "invalid_outcome",
            f"{position} cannot pay {text}: the book allows {least} to {most}.",
            field="super_odds",
        )
    return odds_text(odds)


def _headline(dice: tuple[int, ...]) -> str:
    shown = "-".join(map(str, dice))
    return f"{shown}, total {sum(dice)}" + (", a triple" if len(set(dice)) == 1 else "")


FAMILY = Family(
    glossary=glossary,
    read=read,
    deal=deal,
    draws=draws,
    options={
        "double_includes_triple": True,
        "super_odds": {},
        "super_one_in": 1,
        "super_weights": [],
        "edge_by_model": False,
    },
    selections={"faces": FACES, "totals": TOTALS, "pairs": PAIRS},
    plain=frozenset(glossary(Setup(None, {"super_odds": {}}))),
)
