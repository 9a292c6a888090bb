"""Entering an outcome by hand: which fields a game has, and what was typed into them.

A person enters cards and dice, never a winner; the rules say what they amount to.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from games import rulebook

GLYPHS = str.maketrans({"♠": "S", "♥": "H", "♦": "D", "♣": "C"})
CARD = re.compile(r"[A2-9TJQK][SHDC]|[^\s,;]+")

HANDS = (
    ("player", "Player", 3, "Rank and suit of each card, in the order dealt: KS 9H."),
    ("banker", "Banker", 3, "10 may be written as T or as 10."),
    ("unnecessary", "Drawn but not due", 2, "Only where a card too many was drawn."),
)
"""The hands of baccarat, with the most cards that each may have."""

FIXED_SEVEN = "7S"


def read_notation(text: str) -> list[str]:
    """Read "ks 10h, 4♦" as KS TH 4D. What is no card stays as it is, for the rules to name.

    >>> read_notation("ks10h 4♦"), read_notation("KX")
    (['KS', 'TH', '4D'], ['KX'])
    """
    return CARD.findall(text.upper().replace("10", "T").translate(GLYPHS))


def entered(game: rulebook.Game, typed: Mapping[str, str]) -> dict[str, Any]:
    """The outcome as it was typed, for the rules to read."""
    outcome: dict[str, Any] = {
        name: read_notation(typed.get(name, "")) for name, *_ in HANDS if name != "unnecessary"
    }
    spare = read_notation(typed.get("unnecessary", ""))
    if spare:
        outcome["unnecessary"] = spare
    if has_die(game):
        die = typed.get("die", "").strip()
        outcome["die"] = int(die) if die.isdecimal() and len(die) < 3 else die
    return outcome


def typed_from(game: rulebook.Game, outcome: Mapping[str, Any] | None) -> dict[str, str]:
    """What to put into the fields for a recorded or posted outcome, as far as it can be read."""
    if not isinstance(outcome, Mapping):
        return {}
    laid = dict(outcome)
    if isinstance(deal := laid.pop("deal", None), list):
        cards = [FIXED_SEVEN, *deal] if game.options["fixed_seven"] else deal
        laid |= {"player": cards[0:4:2] + cards[4:5], "banker": cards[1:4:2] + cards[5:6]}
    typed = {
        name: " ".join(map(str, laid[name]))
        for name, *_ in HANDS
        if isinstance(laid.get(name), list)
    }
    if has_die(game) and "die" in laid:
        typed["die"] = str(laid["die"])
    return typed


def fields_of(
    game: rulebook.Game, typed: Mapping[str, str], wrong: Mapping[str, str]
) -> list[dict[str, Any]]:
    """The fields for cards as the card picker wants them, `wrong` with the sentence of a refusal.

    Needless cards are asked for only where there are some.
    """
    return [
        {
            "name": name,
            "label": label,
            "most": most,
            "hint": hint,
            "value": typed.get(name, ""),
            "error": wrong.get(name),
        }
        for name, label, most, hint in HANDS
        if name != "unnecessary" or typed.get(name)
    ]


def has_die(game: rulebook.Game) -> bool:
    """Whether a twelve-sided die is rolled with each hand."""
    return bool(game.options.get("super_faces"))
