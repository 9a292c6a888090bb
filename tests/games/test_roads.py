"""The five scoreboards, checked against recorded grids of a vendor's server and by their shape."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.roads import (
    BACCARAT,
    DERIVED,
    DRAGON_TIGER,
    FOOTBALL_STUDIO,
    ROWS,
    Cell,
    Hand,
    Road,
    Trend,
    bead_plate,
    big_road,
    scoreboard,
)

VECTORS = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "roads_vectors.json"
WINNERS = {"B": "banker", "P": "player", "T": "tie"}
VECTOR_NAMES = {
    Road.BIG_EYE_BOY: "big_eye_boy",
    Road.SMALL_ROAD: "small_road",
    Road.COCKROACH_PIG: "cockroach",
}

needs_vectors = pytest.mark.skipif(
    not VECTORS.exists(), reason=f"the recorded scoreboards are not at {VECTORS}"
)


def vectors(key: str) -> list[Any]:
    """Return the recorded shoes that have `key`, each under a readable name."""
    if not VECTORS.exists():
        return [pytest.param({}, id="absent")]
    recorded = json.loads(VECTORS.read_text())
    return [
        pytest.param(vector, id=vector.get("boot") or vector["name"])
        for vector in recorded
        if key in vector
    ]


def played(letters: str) -> list[Hand]:
    """Turn "BPT" into hands; "." is a void hand."""
    return [Hand(WINNERS.get(letter, "")) for letter in letters]


def drawn(vector: dict[str, Any]) -> Any:
    return scoreboard(
        played(vector["sequence"]),
        leading_tie_takes_column=vector.get("leading_tie_takes_column", False),
    )


def letter(cell: Cell) -> str:
    return cell.mark[0].upper()


def places(cells: tuple[Cell, ...]) -> list[tuple[int, int]]:
    return [(cell.column, cell.row) for cell in cells]


@needs_vectors
@pytest.mark.parametrize("vector", vectors("big_road_grid"))
def test_big_road_is_the_recorded_grid(vector: dict[str, Any]) -> None:
    cells = drawn(vector).roads[Road.BIG_ROAD]
    assert sorted([c.column, c.row, letter(c), c.ties] for c in cells) == vector["big_road_grid"]


@needs_vectors
@pytest.mark.parametrize("vector", vectors("big_road_columns"))
def test_big_road_has_the_recorded_columns(vector: dict[str, Any]) -> None:
    columns: list[list[str]] = []
    for cell in drawn(vector).roads[Road.BIG_ROAD]:
        if not columns or columns[-1][0] != letter(cell):
            columns.append([])
        columns[-1].append(letter(cell))
    assert [f"{column[0]}{len(column)}" for column in columns] == vector["big_road_columns"]


@needs_vectors
@pytest.mark.parametrize("road", DERIVED)
@pytest.mark.parametrize("vector", vectors("small_road"))
def test_derived_road_is_the_recorded_grid(vector: dict[str, Any], road: Road) -> None:
    cells = drawn(vector).roads[road]
    name = VECTOR_NAMES[road]
    assert "".join(letter(cell) for cell in cells) == vector[name]
    assert sorted([c.column, c.row, letter(c)] for c in cells) == vector[f"{name}_grid"]


@needs_vectors
@pytest.mark.parametrize("vector", vectors("big_eye_boy"))
def test_big_eye_boy_is_the_recorded_sequence(vector: dict[str, Any]) -> None:
    marks = "".join(letter(cell) for cell in drawn(vector).roads[Road.BIG_EYE_BOY])
    assert marks == vector["big_eye_boy"]


@needs_vectors
@pytest.mark.parametrize("road", DERIVED)
@pytest.mark.parametrize("vector", vectors("ask"))
def test_asks_are_the_recorded_predictions(vector: dict[str, Any], road: Road) -> None:
    asks = drawn(vector).asks
    recorded = vector["ask"][VECTOR_NAMES[road]]
    for side in ("banker", "player"):
        cell = asks[side][road]
        assert letter(cell) == recorded[f"if_{side}"]
        assert [cell.column, cell.row] == recorded[f"if_{side}_cell"]


def test_bead_plate_draws_every_hand_column_by_column() -> None:
    cells = bead_plate(played("BPTBPTB"))
    assert places(cells) == [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 0)]
    assert "".join(letter(cell) for cell in cells) == "BPTBPTB"


def test_a_run_turns_right_at_the_bottom() -> None:
    cells = big_road(played("B" * 8))
    assert places(cells)[5:] == [(0, 5), (1, 5), (2, 5)]


def test_a_run_turns_right_above_an_older_tail_and_stays_in_its_row() -> None:
    cells = big_road(played("B" * 7 + "P" * 7))
    assert places(cells)[7:] == [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (2, 4), (3, 4)]


def test_a_new_run_opens_beside_its_predecessors_top_beneath_the_tail() -> None:
    cells = big_road(played("B" * 8 + "P"))
    assert places(cells)[-1] == (1, 0)


def test_a_tail_along_the_top_pushes_the_next_run_past_it() -> None:
    # The tails of five long runs leave only the top row to the sixth.
    letters = "".join("BP"[run % 2] * 12 for run in range(5)) + "PPPP" + "B"
    at = places(big_road(played(letters)))
    assert at[-5:-1] == [(5, 0), (6, 0), (7, 0), (8, 0)]
    assert at[-1] == (9, 0)


def test_ties_are_counted_on_the_hand_before_them() -> None:
    cells = big_road(played("BTTPTB"))
    assert [(letter(cell), cell.ties) for cell in cells] == [("B", 2), ("P", 1), ("B", 0)]


def test_leading_ties_are_counted_on_the_first_decided_hand() -> None:
    cells = big_road(played("TTBB"))
    assert [(letter(cell), cell.ties) for cell in cells] == [("B", 2), ("B", 0)]


def test_leading_ties_may_take_a_column_that_the_derived_roads_count() -> None:
    board = scoreboard(played("TTBP"), leading_tie_takes_column=True)
    cells = board.roads[Road.BIG_ROAD]
    assert [(letter(cell), cell.ties) for cell in cells] == [("T", 1), ("B", 0), ("P", 0)]
    assert [cell.mark for cell in board.roads[Road.BIG_EYE_BOY]] == [Trend.RED]


def test_void_hands_are_not_drawn() -> None:
    with_void, without = scoreboard(played(".BB.P.PT.")), scoreboard(played("BBPPT"))
    for road in Road:
        assert with_void.roads[road] == without.roads[road]


def test_a_cell_knows_its_hand() -> None:
    hands = [Hand("banker", number=1), Hand("", number=2), Hand("player", number=3)]
    assert [cell.hand.number for cell in big_road(hands)] == [1, 3]


def test_nothing_can_be_asked_before_a_road_begins() -> None:
    board = scoreboard(played("B"))
    assert board.asks["player"][Road.BIG_EYE_BOY] is None
    assert board.asks["banker"][Road.COCKROACH_PIG] is None


def test_an_empty_shoe_has_empty_roads() -> None:
    board = scoreboard([])
    assert all(board.roads[road] == () for road in Road)


def test_dragon_tiger_and_football_studio_use_the_same_roads() -> None:
    baccarat = scoreboard(played("BPPTBBBP"))
    for sides in (DRAGON_TIGER, FOOTBALL_STUDIO):
        words = {"B": sides.first, "P": sides.second, "T": sides.tie}
        board = scoreboard([Hand(words[winner]) for winner in "BPPTBBBP"], sides=sides)
        for road in Road:
            assert places(board.roads[road]) == places(baccarat.roads[road])
        assert set(board.asks) == {sides.first, sides.second}


def test_a_winner_of_another_game_is_a_programmers_error() -> None:
    with pytest.raises(AssertionError, match="dragon"):
        big_road([Hand("dragon")], sides=BACCARAT)


@given(st.text(alphabet="BPT.", max_size=120), st.booleans())
def test_every_mark_has_a_place_of_its_own(letters: str, leading_tie_takes_column: bool) -> None:
    board = scoreboard(played(letters), leading_tie_takes_column=leading_tie_takes_column)
    for road in Road:
        at = places(board.roads[road])
        assert len(at) == len(set(at))
        assert all(column >= 0 and 0 <= row < ROWS for column, row in at)


@given(st.text(alphabet="BPT", max_size=120))
def test_the_big_road_keeps_every_decided_hand_and_every_tie(letters: str) -> None:
    cells = big_road(played(letters))
    assert "".join(letter(cell) for cell in cells) == letters.replace("T", "")
    if cells:
        assert sum(cell.ties for cell in cells) == letters.count("T")


def derived_by_eye(letters: str, look_back: int) -> str:
    """Read a derived road off a big road drawn without tails, as the rule is taught at the table.

    Opening a column: do the two columns before match in length? Else go `look_back` columns left:
    is the place there as full (or as empty) as the place above it?
    """
    columns: list[str] = []
    for winner in letters.replace("T", ""):
        if columns and columns[-1][0] == winner:
            columns[-1] += winner
        else:
            columns.append(winner)
    marks = ""
    for index, column in enumerate(columns):
        for row in range(len(column)):
            if row == 0 and index - 1 - look_back >= 0:
                same = len(columns[index - 1]) == len(columns[index - 1 - look_back])
            elif row > 0 and index - look_back >= 0:
                left = columns[index - look_back]
                same = bool(left[row : row + 1]) == bool(left[row - 1 : row])
            else:
                continue
            marks += "R" if same else "B"
    return marks


@given(st.text(alphabet="BPT", max_size=120))
def test_derived_roads_follow_the_rule_as_it_is_taught(letters: str) -> None:
    board = scoreboard(played(letters))
    for road, look_back in DERIVED.items():
        marks = "".join(letter(cell) for cell in board.roads[road])
        assert marks == derived_by_eye(letters, look_back)
