"""Draw the five scoreboards of a two-sided game: bead plate, big road and the three derived roads.

Every road is a tuple of `Cell`s in the order in which they were drawn, on a grid that is six rows
deep and grows to the right. Nothing here knows colours, pixels or bets.

>>> board = scoreboard([Hand("banker"), Hand("banker"), Hand("tie"), Hand("player")])
>>> [(cell.column, cell.row, cell.mark, cell.ties) for cell in board.roads[Road.BIG_ROAD]]
[(0, 0, 'banker', 0), (0, 1, 'banker', 1), (1, 0, 'player', 0)]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

ROWS = 6


@dataclass(frozen=True, slots=True)
class Sides:
    """The two sides of a game and its word for neither; `first` is the side printed in red."""

    first: str
    second: str
    tie: str = "tie"


BACCARAT = Sides("banker", "player")
DRAGON_TIGER = Sides("dragon", "tiger")
FOOTBALL_STUDIO = Sides("home", "away", "draw")


@dataclass(frozen=True, slots=True)
class Hand:
    """The result of one hand as the scoreboards see it.

    `winner` is one of the words of `Sides`, or "" for a void hand, which no road draws. `pairs`
    names the sides that were dealt a pair. `number` is the hand's number in its shoe.
    """

    winner: str
    pairs: frozenset[str] = frozenset()
    natural: bool = False
    number: int | None = None


class Trend(StrEnum):
    """What a derived road says of a hand: red, the shoe repeats itself; blue, it does not."""

    RED = "red"
    BLUE = "blue"


class Road(StrEnum):
    """The five scoreboards, in the order in which a table shows them."""

    BEAD_PLATE = "bead_plate"
    BIG_ROAD = "big_road"
    BIG_EYE_BOY = "big_eye_boy"
    SMALL_ROAD = "small_road"
    COCKROACH_PIG = "cockroach_pig"


# How many columns back a derived road looks.
DERIVED = {Road.BIG_EYE_BOY: 1, Road.SMALL_ROAD: 2, Road.COCKROACH_PIG: 3}


@dataclass(frozen=True, slots=True)
class Cell:
    """One mark at a column and row, both counted from zero at the top left.

    `mark` is a winner on the bead plate and the big road, a `Trend` on a derived road. `ties`
    counts the ties that the big road notes on this cell. `hand` is the hand that put the mark.
    """

    column: int
    row: int
    mark: str
    hand: Hand
    ties: int = 0


@dataclass(frozen=True, slots=True)
class Streak:
    """One run of the same winner: a column of the big road before dragon tails bend it."""

    winner: str
    hands: list[Hand] = field(default_factory=list)
    ties: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """The five roads of a shoe and, for each side, the derived marks if that side wins next.

    `asks[side][road]` is the cell that would be drawn, or None while the road has not begun.
    """

    sides: Sides
    roads: Mapping[Road, tuple[Cell, ...]]
    asks: Mapping[str, Mapping[Road, Cell | None]]


def scoreboard(
    hands: Sequence[Hand], *, sides: Sides = BACCARAT, leading_tie_takes_column: bool = False
) -> Scoreboard:
    """Draw all five roads of a shoe.

    Ties before the first decided hand are counted on that hand's cell; with
    `leading_tie_takes_column` the first of them takes a column of its own instead, as some
    systems draw it, and the derived roads count that column.
    """

    def runs_of(played: Sequence[Hand]) -> list[Streak]:
        return streaks(played, sides=sides, leading_tie_takes_column=leading_tie_takes_column)

    runs = runs_of(hands)
    then = {side: runs_of([*hands, Hand(side)]) for side in (sides.first, sides.second)}
    roads = {Road.BEAD_PLATE: bead_plate(hands, sides=sides), Road.BIG_ROAD: _big_road(runs)}
    asks: dict[str, dict[Road, Cell | None]] = {side: {} for side in then}
    for road, look_back in DERIVED.items():
        roads[road] = _derived_road(runs, look_back)
        for side, runs_then in then.items():
            asks[side][road] = _ask(runs_then, look_back, begun=len(roads[road]))
    return Scoreboard(sides, roads, asks)


def bead_plate(hands: Sequence[Hand], *, sides: Sides = BACCARAT) -> tuple[Cell, ...]:
    """Draw every hand, ties included, column by column from the top."""
    drawn = _drawn(hands, sides)
    return tuple(
        Cell(index // ROWS, index % ROWS, hand.winner, hand) for index, hand in enumerate(drawn)
    )


def big_road(
    hands: Sequence[Hand], *, sides: Sides = BACCARAT, leading_tie_takes_column: bool = False
) -> tuple[Cell, ...]:
    """Draw the decided hands, a new column whenever the winner changes, ties noted on the cells."""
    runs = streaks(hands, sides=sides, leading_tie_takes_column=leading_tie_takes_column)
    return _big_road(runs)


def streaks(
    hands: Sequence[Hand], *, sides: Sides = BACCARAT, leading_tie_takes_column: bool = False
) -> list[Streak]:
    """Group the hands into runs of the same winner; a tie belongs to the hand before it."""
    runs: list[Streak] = []
    leading_ties = 0
    for hand in _drawn(hands, sides):
        if hand.winner == sides.tie:
            if runs:
                runs[-1].ties[-1] += 1
            elif leading_tie_takes_column:
                runs.append(Streak(hand.winner, [hand], [0]))
            else:
                leading_ties += 1
            continue
        if not runs or runs[-1].winner != hand.winner:
            runs.append(Streak(hand.winner))
        runs[-1].hands.append(hand)
        runs[-1].ties.append(leading_ties)
        leading_ties = 0
    return runs


def _drawn(hands: Sequence[Hand], sides: Sides) -> list[Hand]:
    words = (sides.first, sides.second, sides.tie)
    drawn = [hand for hand in hands if hand.winner]
    for hand in drawn:
        assert hand.winner in words, f"{hand.winner!r} is none of {words}"
    return drawn


def _big_road(runs: Sequence[Streak]) -> tuple[Cell, ...]:
    noted = [
        (run.winner, hand, ties)
        for run in runs
        for hand, ties in zip(run.hands, run.ties, strict=True)
    ]
    places = _places([winner for winner, _, _ in noted])
    return tuple(
        Cell(column, row, winner, hand, ties)
        for (column, row), (winner, hand, ties) in zip(places, noted, strict=True)
    )


def _derived_road(runs: Sequence[Streak], look_back: int) -> tuple[Cell, ...]:
    trends = list(_trends(runs, look_back))
    places = _places([trend for trend, _ in trends])
    return tuple(
        Cell(column, row, trend, hand)
        for (column, row), (trend, hand) in zip(places, trends, strict=True)
    )


def _ask(runs_then: Sequence[Streak], look_back: int, *, begun: int) -> Cell | None:
    """Return the mark that the newest of these hands adds to a road of `begun` marks."""
    trends = list(_trends(runs_then, look_back))
    if len(trends) == begun:
        return None
    trend, hand = trends[-1]
    return Cell(*_places([trend for trend, _ in trends])[-1], trend, hand)


def _trends(runs: Sequence[Streak], look_back: int) -> Iterator[tuple[Trend, Hand]]:
    """Compare every hand of the big road with the shape `look_back` columns to its left.

    A hand that opens a column compares the two columns before it: equal length is red. Any other
    hand looks at the column `look_back` to its left: blue only where that column ends exactly one
    row above, for then the hand broke away from it.
    """
    lengths = [len(run.hands) for run in runs]
    for column, run in enumerate(runs):
        for row, hand in enumerate(run.hands):
            if row == 0:
                if column - 1 - look_back < 0:
                    continue
                repeats = lengths[column - 1] == lengths[column - 1 - look_back]
            else:
                if column - look_back < 0:
                    continue
                repeats = lengths[column - look_back] != row
            yield (Trend.RED if repeats else Trend.BLUE), hand


def _places(marks: Sequence[str]) -> list[tuple[int, int]]:
    """Give every mark its column and row.

    A mark that differs from the one before opens the next column that is free at the top. An equal
    mark goes below; at the bottom, or where an older tail is in the way, the run turns right and
    stays in its row (the dragon tail).
    """
    places: list[tuple[int, int]] = []
    taken: set[tuple[int, int]] = set()
    start = column = row = -1
    turned = False
    before = ""
    for mark in marks:
        if mark != before:
            start += 1
            while (start, 0) in taken:
                start += 1
            column, row, turned = start, 0, False
        else:
            turned = turned or row + 1 == ROWS or (column, row + 1) in taken
            column, row = (column + 1, row) if turned else (column, row + 1)
        places.append((column, row))
        taken.add((column, row))
        before = mark
    return places
