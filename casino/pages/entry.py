"""Entering an outcome by hand: what was typed into the fields of a game, and what it amounts to.

A person enters cards and dice, never a winner; the rules say who won. What was typed is a mapping
of field names to text, whatever the game; what is no card and no number stays as it is, for the
rules to name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from casino.pages.parts import CARD_KINDS, Kind, Part, parts_of
from games.layout import color
from games.refusals import Refused
from games.rulebook import Game

GLYPHS = str.maketrans({"♠": "S", "♥": "H", "♦": "D", "♣": "C"})
CARD = re.compile(r"[A2-9TJQK][SHDC]|/|[^\s,;/]+")
NUMBER = re.compile(r"\d{1,3}", re.ASCII)

BETWEEN = "/"
"""What stands between the two hands of a split box."""

FIXED_SEVEN = "7S"

SLOTS = 5
"""The fewest places to enter odds that were drawn for a round."""


def names_of(game: Game) -> tuple[str, ...]:
    """The names of all fields of a game."""
    return tuple(name for part in parts_of(game) for name in part.fields)


def read_notation(text: str) -> list[str]:
    """Read "ks 10h, 4♦" as KS TH 4D. What is no card stays as it is, for the rules to name.

    >>> read_notation("ks10h 4♦"), read_notation("KX")
    (['KS', 'TH', '4D'], ['KX'])
    """
    return CARD.findall(text.upper().replace("10", "T").translate(GLYPHS))


def entered(game: Game, typed: Mapping[str, str]) -> dict[str, Any]:
    """The outcome as it was typed, for the rules to read."""
    outcome: dict[str, Any] = {}
    for part in parts_of(game):
        value = _entered(part, typed)
        if part.kind is Kind.HANDS:
            outcome.setdefault("boxes", {})
            if value:
                outcome["boxes"][_box(part)] = value
        elif value is not None:
            outcome[part.name] = value
    return outcome


def typed_from(game: Game, outcome: Mapping[str, Any] | None) -> dict[str, str]:
    """What to put into the fields for a recorded or posted outcome, as far as it can be read."""
    if not isinstance(outcome, Mapping):
        return {}
    laid = _laid_out(game, outcome)
    boxes = laid.get("boxes")
    typed: dict[str, str] = {}
    for part in parts_of(game):
        value = laid.get(part.name)
        if part.kind is Kind.HANDS:
            value = boxes.get(_box(part)) if isinstance(boxes, Mapping) else None
        typed |= _typed(part, value)
    return typed


def is_blank(game: Game, typed: Mapping[str, str]) -> bool:
    """Whether nothing at all was typed into the fields of a game."""
    return not any(typed.get(name, "").strip() for name in names_of(game))


def fields_of(
    game: Game, typed: Mapping[str, str], wrong: Mapping[str, str]
) -> list[dict[str, Any]]:
    """The fields for cards as the card picker wants them, `wrong` with the sentence of a refusal.

    Needless cards are asked for only where there are some.
    """
    return [
        {
            "name": part.name,
            "label": part.label,
            "most": part.most,
            "hint": part.hint,
            "value": typed.get(part.name, ""),
            "splits": part.kind is Kind.HANDS,
            "error": wrong.get(part.name),
        }
        for part in parts_of(game)
        if part.kind in CARD_KINDS and (not part.spare or typed.get(part.name))
    ]


def pads_of(game: Game, typed: Mapping[str, str], wrong: Mapping[str, str]) -> list[dict[str, Any]]:
    """The fields for everything but cards, as `number_pads.html` wants them."""
    return [
        {
            "part": part,
            "value": typed.get(part.name, ""),
            "keys": [(key, _tone(part, key)) for key in range(part.span[0], part.span[1] + 1)],
            "slots": _slots(part, typed),
            "error": wrong.get(part.name),
        }
        for part in parts_of(game)
        if part.kind not in CARD_KINDS
    ]


def _box(part: Part) -> str:
    """The number by which an outcome calls the box of a part."""
    return part.name.removeprefix("box")


def _entered(part: Part, typed: Mapping[str, str]) -> Any:
    """The value of one part; None where there is none."""
    text = typed.get(part.name, "").strip()
    match part.kind:
        case Kind.CARDS:
            cards = read_notation(text)
            return None if part.spare and not cards else cards
        case Kind.CARD:
            return " ".join(read_notation(text)) or None
        case Kind.HANDS:
            hands = [read_notation(hand) for hand in text.split(BETWEEN)]
            if len(hands) > 1:
                return {"hands": hands}
            return {"cards": hands[0]} if hands[0] else None
        case Kind.DICE:
            return [_number(word) for word in _dice_shown(part, text)]
        case Kind.NUMBER:
            return _number(text) if text else None
        case Kind.DRAWN:
            return {draw["place"]: draw["odds"] for draw in _draws(part, typed) if draw["place"]}
    return True if text else None


def _number(word: str) -> int | str:
    return int(word) if NUMBER.fullmatch(word) else word


def _dice_shown(part: Part, text: str) -> list[str]:
    """Take dice apart; with single digits nothing has to stand between them: 442."""
    if part.span[1] < 10 and text.isdecimal():
        return list(text)
    return re.findall(r"[^\s,;-]+", text)


def _draws(part: Part, typed: Mapping[str, str]) -> list[dict[str, str]]:
    """What was typed for each draw: where its odds lie, and what they are."""
    return [
        {"name": place, "place": typed.get(place, ""), "odds": typed.get(odds, "").strip()}
        for place, odds in zip(part.fields[::2], part.fields[1::2], strict=True)
    ]


def _typed(part: Part, value: Any) -> dict[str, str]:
    """The text of one part's fields; nothing where the value is not what the part takes."""
    match part.kind, value:
        case Kind.CARDS | Kind.DICE, list() | tuple():
            return {part.name: " ".join(map(str, value))}
        case Kind.CARD | Kind.NUMBER, str() | int():
            return {part.name: str(value)}
        case Kind.HANDS, {"cards": list(cards)}:
            return {part.name: " ".join(map(str, cards))}
        case Kind.HANDS, {"hands": [list(first), list(second)]}:
            return {part.name: " ".join(map(str, [*first, BETWEEN, *second]))}
        case Kind.DRAWN, Mapping():
            words = (str(word) for draw in value.items() for word in draw)
            return dict(zip(part.fields, words, strict=False))
        case Kind.TICK, True:
            return {part.name: "1"}
    return {}


def _laid_out(game: Game, outcome: Mapping[str, Any]) -> dict[str, Any]:
    """An outcome by its parts, as the rules lay it out; one that they refuse, as it came."""
    try:
        laid = dict(game.read(outcome, unfinished=True).canonical)
    except Refused:
        laid = dict(outcome)
    if game.family == "baccarat" and isinstance(deal := laid.pop("deal", None), list):
        cards = [FIXED_SEVEN, *deal] if game.options["fixed_seven"] else deal
        laid |= {"player": cards[0:4:2] + cards[4:5], "banker": cards[1:4:2] + cards[5:6]}
    return laid


def _tone(part: Part, key: int) -> str:
    return color(key) if part.span[0] == 0 else ""


def _slots(part: Part, typed: Mapping[str, str]) -> list[dict[str, str]]:
    """The places to enter odds that were drawn: those filled in, and some more."""
    if part.kind is not Kind.DRAWN:
        return []
    slots = _draws(part, typed)
    filled = max((at for at, slot in enumerate(slots, 1) if slot["place"]), default=0)
    return slots[: max(filled + 2, SLOTS)]
