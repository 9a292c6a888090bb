"""Shoes from which the tests deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random


def shuffled(cards: Sequence[str], random: Random) -> Iterator[str]:
    """Give the cards of a shoe in any order, as they are asked for."""
    left = list(cards)
    while left:
        yield left.pop(random.randrange(len(left)))
