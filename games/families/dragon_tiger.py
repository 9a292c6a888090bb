"""The Dragon Tiger family: one card to each of two sides. Football Studio is the same game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from games.cards import RANKS, RED, check_copies, read_cards
from games.families import Family, Roll
from games.reading import check_keys
from games.refusals import Refused
from games.values import Notice, Outcome, Setup

_MOST_UNNECESSARY = 2
"""The most cards drawn by mistake that are worth reading."""


def facts(setup: Setup, first: str, second: str) -> frozenset[str]:
    """State everything about two cards that a bet can be on."""
    winner = _winner(setup, first, second)
    level = setup.options["level"]
    stated = {level if winner == level else f"{winner}_wins"}
    if first == second:
        stated.add(f"suited_{level}")
    for side, card in zip(setup.options["sides"], (first, second), strict=True):
        stated.add(f"{side}_even" if _value(card) % 2 == 0 else f"{side}_odd")
        stated.add(f"{side}_red" if card[1] in RED else f"{side}_black")
        if card[0] == "7":
            stated.add(f"{side}_seven")
    return frozenset(stated)


def glossary(setup: Setup) -> dict[str, str]:
    """Name every fact that a game with this setup can state."""
    level = setup.options["level"]
    words = {
        level: level.capitalize(),
        f"suited_{level}": f"{level.capitalize()} of one suit",
        "unnecessary_cards": "A card was drawn that was not due",
    }
    for side in setup.options["sides"]:
        card = f"{side.capitalize()}'s card is"
        words[f"{side}_wins"] = f"{side.capitalize()} wins"
        words[f"{side}_seven"] = f"{card} a 7"
        for look in ("odd", "even", "red", "black"):
            words[f"{side}_{look}"] = f"{card} {look}"
    return words


def read(setup: Setup, raw: Mapping[str, Any]) -> Outcome:
    """Check the two cards of a finished hand and state its facts; Refused `invalid_outcome`.

    A card drawn after them is set aside: the hand stands by the card rules (BAC clause 3).
    """
    check_keys(raw, _parts(setup))
    sides = setup.options["sides"]
    for side in sides:
        if side not in raw:
            raise Refused("invalid_outcome", f"{side.capitalize()}'s card is missing.", field=side)
    first, second = (_card(raw, side) for side in sides)
    spare = _spare(raw)
    cards = (first, second, *spare)
    check_copies(cards, _decks(setup))
    return Outcome(
        canonical=_canonical({sides[0]: first, sides[1]: second}, spare),
        facts=facts(setup, first, second) | ({"unnecessary_cards"} if spare else set()),
        headline=_headline(setup, first, second),
        winner=_winner(setup, first, second),
        notices=tuple(
            Notice("unnecessary_card", f"{card} was drawn but not due; the result stands.")
            for card in spare
        ),
        cards=cards,
    )


def read_unfinished(setup: Setup, raw: Mapping[str, Any]) -> Outcome:
    """Take down the cards of a void hand, as many as were dealt."""
    check_keys(raw, _parts(setup))
    dealt = {side: _card(raw, side) for side in setup.options["sides"] if side in raw}
    cards = (*dealt.values(), *_spare(raw))
    check_copies(cards, _decks(setup))
    canonical = _canonical(dealt, _spare(raw))
    return Outcome(canonical, frozenset(), "The hand was not finished", cards=cards)


def deal(setup: Setup, shoe: Iterator[str], roll: Roll) -> dict[str, Any]:
    """Give each side one card."""
    return dict(zip(setup.options["sides"], shoe, strict=False))


def _parts(setup: Setup) -> tuple[str, ...]:
    return (*setup.options["sides"], "unnecessary")


def _card(raw: Mapping[str, Any], side: str) -> str:
    [card] = read_cards([raw[side]], side, 1, 1)
    return card


def _spare(raw: Mapping[str, Any]) -> tuple[str, ...]:
    return read_cards(raw.get("unnecessary", ()), "unnecessary", 0, _MOST_UNNECESSARY)


def _canonical(dealt: Mapping[str, str], spare: tuple[str, ...]) -> dict[str, Any]:
    return dict(dealt) | ({"unnecessary": list(spare)} if spare else {})


def _decks(setup: Setup) -> int:
    assert setup.decks is not None, "Dragon Tiger is played with cards"
    return setup.decks


def _winner(setup: Setup, first: str, second: str) -> str:
    """Name the side with the higher card, or what the game calls equal ranks."""
    high, low = (_height(setup, card) for card in (first, second))
    if high == low:
        return str(setup.options["level"])
    return str(setup.options["sides"][0 if high > low else 1])


def _height(setup: Setup, card: str) -> int:
    if setup.options["ace_high"] and card[0] == "A":
        return len(RANKS) + 1
    return _value(card)


def _value(card: str) -> int:
    """Count a card as odd or even: ace 1, jack 11, queen 12, king 13."""
    return RANKS.index(card[0]) + 1


def _headline(setup: Setup, first: str, second: str) -> str:
    winner = _winner(setup, first, second)
    shown = [card[0].replace("T", "10") for card in (first, second)]
    if winner == setup.options["level"]:
        return f"{winner.capitalize()} on {shown[0]}"
    hands = [
        f"{side.capitalize()} {rank}"
        for side, rank in zip(setup.options["sides"], shown, strict=True)
    ]
    if winner == setup.options["sides"][1]:
        hands.reverse()
    return " beats ".join(hands)


FAMILY = Family(
    glossary=glossary,
    read=read,
    deal=deal,
    read_unfinished=read_unfinished,
    options={"sides": ["dragon", "tiger"], "level": "tie", "ace_high": False},
    plain=frozenset({"dragon_wins", "tiger_wins", "tie", "home_wins", "away_wins", "draw"}),
)
