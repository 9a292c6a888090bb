"""Odds that treat like unlike: what a paytable screen marks so that somebody looks at it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction

from games.theory import Edge
from games.values import Result, Wager


def uneven(rows: Iterable[Edge]) -> frozenset[Wager]:
    """Find the wagers of one bet that end equally often in each way and yet cost differently.

    Total 13 in the Sic Bo of 001 comes as often as total 8 and pays less (R-3).
    """
    alike: defaultdict[tuple[object, ...], list[Edge]] = defaultdict(list)
    for row in rows:
        if row.house_edge is not None:
            alike[row.wager.bet, *_chances(row.probabilities)].append(row)
    return frozenset(
        row.wager
        for group in alike.values()
        if len({row.house_edge for row in group}) > 1
        for row in group
    )


def _chances(probabilities: Mapping[Result, Fraction]) -> tuple[Fraction, ...]:
    return tuple(probabilities.get(result, Fraction(0)) for result in Result)
