"""Cards: rank and suit in two letters, and how lists of them are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from games.refusals import Refused

RANKS = "A23456789TJQK"
SUITS = "SHDC"
DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)
RED = frozenset("HD")

_DECK = frozenset(DECK)


def read_cards(value: Any, name: str, least: int, most: int) -> tuple[str, ...]:
    """Take a list of cards out of an outcome; Refused `invalid_outcome` if it is none."""
    if not isinstance(value, list | tuple):
        raise Refused("invalid_outcome", f"{name} is not a list of cards.", field=name)
    if not least <= len(value) <= most:
        count = f"{least}" if least == most else f"{least} to {most}"
        raise Refused(
            "invalid_outcome",
            f"{name} lists {len(value)} cards, not {count}.",
            field=name,
        )
    for card in value:
        if not isinstance(card, str) or card not in _DECK:
            raise Refused("invalid_outcome", f"{card!r} in {name} is no card.", field=name)
    return tuple(value)


def check_copies(cards: Iterable[str], decks: int) -> None:
    """Refuse `invalid_outcome` if more copies of a card were dealt than the decks hold."""
    dealt = tuple(cards)
    if len(dealt) - len(set(dealt)) < decks:
        return
    for card, copies in Counter(dealt).items():
        if copies > decks:
            raise Refused(
                "invalid_outcome",
                f"{card} was dealt {copies} times; {decks} "
                f"{'deck has' if decks == 1 else 'decks have'} {decks} of it.",
            )
