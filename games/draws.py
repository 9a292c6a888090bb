"""How super payouts are drawn in the house's models: by weight."""

from __future__ import annotations

from collections.abc import Mapping

from games.families import Roll


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
