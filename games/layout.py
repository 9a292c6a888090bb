"""The roulette table: where the numbers lie on the wheel, and what a chip on each spot covers.

Single zero: document 004 1.2.1 and 3.3.2; the same table in 000, 001 and 003.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import pairwise

WHEEL = (
    0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10,
    5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26,
)  # fmt: skip
"""The numbers clockwise from the zero."""

RED = frozenset(WHEEL[1::2])
"""Beside the zero, red and black take turns."""


def color(number: int) -> str:
    """Name the color of a number: "red", "black" or "green".

    >>> color(17), color(19), color(0)
    ('black', 'red', 'green')
    """
    if number == 0:
        return "green"
    return "red" if number in RED else "black"


def spot(numbers: Collection[int]) -> str:
    """Write a group of numbers as a selection: ascending, joined by dashes.

    >>> spot({20, 17})
    '17-20'
    """
    return "-".join(map(str, sorted(numbers)))


def covered(spot: str) -> frozenset[int]:
    """List the numbers of a spot inside the cloth; the inverse of `spot`.

    >>> sorted(covered("25-26-28-29"))
    [25, 26, 28, 29]
    """
    return frozenset(map(int, spot.split("-")))


def around(number: int, reach: int) -> tuple[int, ...]:
    """List a number with its neighbors on the wheel, so many to each side, clockwise.

    >>> around(8, 2)
    (11, 30, 8, 23, 10)
    """
    middle = WHEEL.index(number)
    return tuple(WHEEL[(middle + step) % len(WHEEL)] for step in range(-reach, reach + 1))


def arc(first: int, last: int) -> frozenset[int]:
    """List the numbers of the wheel from one to another, clockwise.

    >>> sorted(arc(12, 15))
    [0, 3, 12, 15, 26, 32, 35]
    """
    start, end = WHEEL.index(first), WHEEL.index(last)
    return frozenset(WHEEL[start : end + 1] if start <= end else WHEEL[start:] + WHEEL[: end + 1])


_ROWS = ((0, 0, 0), *((first, first + 1, first + 2) for first in range(1, 37, 3)))
"""The cloth from above: the zero lies across the head of the three columns."""


def _spots(groups: Iterable[Iterable[int]], size: int) -> tuple[str, ...]:
    """Write the groups of so many different numbers as selections, in ascending order."""
    found = {tuple(sorted(set(group))) for group in groups}
    return tuple(spot(group) for group in sorted(found) if len(group) == size)


_BESIDE = [pair for line in (*_ROWS, *zip(*_ROWS, strict=True)) for pair in pairwise(line)]
_AT_CROSSINGS = [
    near[column : column + 2] + far[column : column + 2]
    for near, far in pairwise(_ROWS)
    for column in (0, 1)
]
_AT_EDGE = [near + far for near, far in pairwise(_ROWS)]

INSIDE: Mapping[str, tuple[str, ...]] = {
    "straight": tuple(str(number) for number in range(37)),
    "split": _spots(_BESIDE, 2),
    "street": _spots(_ROWS, 3),
    "triple": _spots(_AT_CROSSINGS, 3),
    "corner": _spots(_AT_CROSSINGS, 4),
    "four": _spots(_AT_EDGE, 4),
    "line": _spots(_AT_EDGE, 6),
}
"""The spots of every inside bet. A chip lies in a number, on the line between two, where lines
cross, or at the edge of the cloth on one row or between two; beside the zero that gives the
splits 0-1, 0-2 and 0-3, the trios 0-1-2 and 0-2-3 (C-23) and the four 0-1-2-3."""

OUTSIDE: Mapping[str, frozenset[int]] = {
    **{f"column:{column}": frozenset(range(column, 37, 3)) for column in (1, 2, 3)},
    **{f"dozen:{dozen}": frozenset(range(12 * dozen - 11, 12 * dozen + 1)) for dozen in (1, 2, 3)},
    "red": RED,
    "black": frozenset(range(1, 37)) - RED,
    "odd": frozenset(range(1, 37, 2)),
    "even": frozenset(range(2, 37, 2)),
    "low": frozenset(range(1, 19)),
    "high": frozenset(range(19, 37)),
}
"""The numbers of every outside bet; none holds the zero."""

ARCS: Mapping[str, frozenset[int]] = {
    "voisins": arc(22, 25),
    "tier": arc(27, 33),
    "orphelins": arc(17, 6) | arc(1, 9),
    "jeu_zero": arc(12, 15),
}
"""The stretches of the wheel on which the announced bets lie (001 L480-505)."""
