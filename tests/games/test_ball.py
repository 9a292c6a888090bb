"""Super Ball, clause by clause, over all twelve numbers."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from games.families import ball as family
from games.refusals import Refused
from games.rulebook import Game, Result, Wager, book
from games.theory import edges
from games.theory.symmetry import uneven

PRINTED: dict[tuple[str, str], tuple[set[int], str]] = {
    **{("number", str(number)): ({number}, "10") for number in range(1, 13)},
    ("color", "red"): ({1, 4, 7, 10}, "1.8"),
    ("color", "green"): ({2, 5, 8, 11}, "1.8"),
    ("color", "blue"): ({3, 6, 9, 12}, "1.8"),
    ("small", ""): ({1, 2, 3, 4, 5, 6}, "0.95"),
    ("big", ""): ({7, 8, 9, 10, 11, 12}, "0.95"),
    ("odd", ""): ({1, 3, 5, 7, 9, 11}, "0.95"),
    ("even", ""): ({2, 4, 6, 8, 10, 12}, "0.95"),
    ("big_odd", ""): ({7, 9, 11}, "2.7"),
    ("big_even", ""): ({8, 10, 12}, "2.7"),
    ("small_odd", ""): ({1, 3, 5}, "2.7"),
    ("small_even", ""): ({2, 4, 6}, "2.7"),
    ("element", "gold"): ({1, 7}, "4.5"),
    ("element", "wood"): ({2, 8}, "4.5"),
    ("element", "water"): ({3, 4, 9, 10}, "1.75"),
    ("element", "fire"): ({5, 11}, "4.5"),
    ("element", "earth"): ({6, 12}, "4.5"),
    ("wind", "north"): ({1, 5, 9}, "2.7"),
    ("wind", "east"): ({2, 6, 10}, "2.7"),
    ("wind", "south"): ({3, 7, 11}, "2.7"),
    ("wind", "west"): ({4, 8, 12}, "2.7"),
}
"""001 L747-779, in printed order: the numbers that win and what they pay to one (C-52)."""


def game_of() -> Game:
    return book("club-b").game("super_ball")


def wagers() -> list[Wager]:
    game = game_of()
    return [
        game.wager(bet.code, selection)
        for bet in game.bets.values()
        for selection in bet.selections
    ]


def test_every_bet_is_printed_and_stands_in_that_order() -> None:
    assert [(wager.bet, wager.selection) for wager in wagers()] == list(PRINTED)
    assert all(bet.in_document for bet in game_of().bets.values())


@pytest.mark.parametrize("number", range(1, 13))
def test_every_bet_returns_what_its_clause_says(number: int) -> None:
    game = game_of()
    placed = wagers()
    verdicts = game.resolve(game.read({"number": number}), placed)
    for wager, verdict in zip(placed, verdicts, strict=True):
        numbers, odds = PRINTED[wager.bet, wager.selection]
        won = number in numbers
        assert verdict.returns == (1 + Fraction(odds) if won else 0), wager
        assert verdict.result == (Result.WIN if won else Result.LOSE)
        assert verdict.odds == (f"{odds}:1" if won else "")


def test_edges_follow_from_the_numbers() -> None:
    """rules 3.9: every number has twelve of 144 holes."""
    for row in edges(game_of()):
        numbers, odds = PRINTED[row.wager.bet, row.wager.selection]
        assert row.house_edge == 1 - Fraction(len(numbers), 12) * (1 + Fraction(odds))
        assert row.probabilities[Result.WIN] == Fraction(len(numbers), 12)
    assert not uneven(edges(game_of()))


@pytest.mark.parametrize("kinds", ["number", "color", "element", "wind", "small big", "odd even"])
def test_the_bets_of_a_kind_share_the_twelve_numbers_out(kinds: str) -> None:
    game = game_of()
    placed = [wager for wager in wagers() if wager.bet in kinds.split()]
    for number in range(1, 13):
        verdicts = game.resolve(game.read({"number": number}), placed)
        assert [verdict.result for verdict in verdicts].count(Result.WIN) == 1


def test_what_a_line_pays_does_not_depend_on_the_others() -> None:
    game = game_of()
    for number in range(1, 13):
        outcome = game.read({"number": number})
        for wager, verdict in zip(wagers(), game.resolve(outcome, wagers()), strict=True):
            assert game.resolve(outcome, [wager]) == [verdict]


def test_every_fact_of_the_glossary_is_stated_by_some_number() -> None:
    game = game_of()
    stated = frozenset[str]().union(*(game.read({"number": n}).facts for n in range(1, 13)))
    assert stated == set(family.glossary(game.setup))


def test_a_number_is_told_with_its_color_element_and_wind_and_reads_back() -> None:
    game = game_of()
    assert game.read({"number": 9}).headline == "9 blue, water, north"
    for number in range(1, 13):
        outcome = game.read({"number": number})
        assert outcome.canonical == {"number": number}
        assert game.read(outcome.canonical) == outcome


@pytest.mark.parametrize(
    "raw",
    [
        None,
        {},
        {"number": 0},
        {"number": 13},
        {"number": -1},
        {"number": "7"},
        {"number": 7.0},
        {"number": True},
        {"number": None},
        {"number": 7, "color": "red"},
    ],
)
def test_what_no_board_can_show_is_refused(raw: Any) -> None:
    with pytest.raises(Refused) as refused:
        game_of().read(raw)
    assert refused.value.code == "invalid_outcome"


@pytest.mark.parametrize(
    ("bet", "selection"),
    [("number", "0"), ("number", "13"), ("color", "yellow"), ("element", "metal"), ("wind", "")],
)
def test_an_unknown_selection_is_refused(bet: str, selection: str) -> None:
    with pytest.raises(Refused) as refused:
        game_of().wager(bet, selection)
    assert refused.value.code == "unknown_bet"


def test_every_number_is_dealt() -> None:
    draw = Random(5)
    game = game_of()
    dealt = {
        game.deal(iter(()), lambda faces: draw.randint(1, faces))["number"] for _ in range(300)
    }
    assert dealt == set(range(1, 13))
