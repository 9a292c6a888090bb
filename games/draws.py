"""What is drawn for a round once betting has closed: the die, and super payouts by weight."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.families import Roll
from games.reading import read_number
from games.values import Setup


def read_die(setup: Setup, raw: Mapping[str, Any]) -> int:
    """Take the twelve-sided die out of an outcome; Refused `invalid_outcome`."""
    return read_number(raw, "die", 1, 12)


def pick(weights: Mapping[str, int], roll: Roll) -> str:
    """Pick one of the odds, each as often as its weight says.

    >>> pick({"49:1": 62, "99:1": 38}, lambda faces: 63)
    '99:1'
    """
    left = roll(sum(weights.values()))
    for odds, weight in weights.items():
        left -= weight
        if left <= 0:
            return odds
    raise AssertionError("a roll is at most the sum of the weights")
