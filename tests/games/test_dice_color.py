"""Super Color Sic Bo of two books, clause by clause, over all 1,728 rolls."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from random import Random
from typing import Any

import pytest

from games.families import color_dice as family
from games.refusals import Refused
from games.rulebook import Game, Result, Wager, book
from games.theory import edges
from games.theory.symmetry import uneven

ROLLS = list(product(range(1, 13), repeat=3))
BOOKS = ["club-a", "club-b"]
in_both_books = pytest.mark.parametrize("book_code", BOOKS)

LOST, PUSH = Fraction(0), Fraction(1)

RED, BLUE, GREEN = {1, 4, 9, 12}, {2, 5, 8, 11}, {3, 6, 7, 10}
"""000 L476-478, 001 L298-300."""

ANIMALS = {
    "rat": ("3 4 5 6 7 8", 26),
    "ox": ("9 10 11", 13),
    "tiger": ("12 13", 11),
    "rabbit": ("14 15", 8),
    "dragon": ("16 17", 7),
    "snake": ("18 19", 6),
    "horse": ("20 21", 6),
    "goat": ("22 23", 7),
    "monkey": ("24 25", 8),
    "rooster": ("26 27", 11),
    "dog": ("28 29 30", 13),
    "pig": ("31 32 33 34 35 36", 26),
}
"""000 L549-561, 001 L396-408."""


def game_of(book_code: str) -> Game:
    return book(book_code).game("super_color_sic_bo")


def returns(won: bool, odds: int | Fraction) -> Fraction:
    return Fraction(odds + 1) if won else LOST


def owed(wager: Wager, roll: tuple[int, ...]) -> Fraction:
    """What a unit returns by the words of 001 L304-408, worked out without the book."""
    total = sum(roll)
    chosen = wager.selection
    of_color = {"red": RED, "blue": BLUE, "green": GREEN}
    counts = {color: sum(die in faces for die in roll) for color, faces in of_color.items()}
    match wager.bet:
        case "small":
            return PUSH if total == 13 else returns(3 <= total <= 19, 1)
        case "big":
            return PUSH if total == 26 else returns(20 <= total <= 36, 1)
        case "odd":
            return PUSH if total == 13 else returns(total % 2 == 1, 1)
        case "even":
            return PUSH if total == 26 else returns(total % 2 == 0, 1)
        case "single_color":
            return returns(counts[chosen] == 1, 1)
        case "double_color":
            return returns(counts[chosen] == 2, 3)
        case "triple_color":
            return returns(counts[chosen] == 3, 23)
        case "any_triple_color":
            return returns(3 in counts.values(), 7)
        case "three_stars":
            return returns(list(counts.values()) == [1, 1, 1], 3)
        case "straights":
            low = min(roll)
            return returns(set(roll) == {low, low + 1, low + 2}, 25)
        case "any_triple_number":
            return returns(roll[0] == roll[1] == roll[2], 130)
        case "any_double_number":
            return returns(len(set(roll)) < 3, Fraction(11, 4))
        case "specific_double_number":
            return returns(roll.count(int(chosen)) >= 2, 45)
        case "zodiac":
            totals, odds = ANIMALS[chosen]
            return returns(str(total) in totals.split(), odds)
    raise AssertionError(wager)


def wagers(game: Game) -> list[Wager]:
    return [
        game.wager(bet.code, selection)
        for bet in game.bets.values()
        for selection in bet.selections
    ]


def paid(game: Game, dice: list[int], bet: str, selection: str = "") -> Fraction:
    [verdict] = game.resolve(game.read({"dice": dice}), [game.wager(bet, selection)])
    return verdict.returns


@in_both_books
def test_every_bet_returns_what_its_clause_says(book_code: str) -> None:
    game = game_of(book_code)
    placed = wagers(game)
    for roll in ROLLS:
        verdicts = game.resolve(game.read({"dice": roll}), placed)
        for wager, verdict in zip(placed, verdicts, strict=True):
            assert verdict.returns == owed(wager, roll), (roll, wager)


@in_both_books
def test_every_bet_wins_and_loses_and_the_four_halves_push(book_code: str) -> None:
    for row in edges(game_of(book_code)):
        pushes = row.wager.bet in ("small", "big", "odd", "even")
        wanted = {Result.WIN, Result.LOSE} | ({Result.PUSH} if pushes else set())
        assert set(row.probabilities) == wanted, row.wager


@in_both_books
def test_what_a_line_pays_does_not_depend_on_the_others(book_code: str) -> None:
    game = game_of(book_code)
    placed = wagers(game)
    draw = Random(1)
    for roll in ROLLS[::7]:
        outcome = game.read({"dice": roll})
        together = dict(zip(placed, game.resolve(outcome, placed), strict=True))
        some = draw.sample(placed, 3)
        assert game.resolve(outcome, some) == [together[wager] for wager in some]


def test_every_fact_of_the_glossary_is_stated_by_some_roll() -> None:
    game = game_of("club-b")
    stated = frozenset[str]().union(*(game.read({"dice": roll}).facts for roll in ROLLS))
    assert stated == set(family.glossary(game.setup))


def test_13_and_26_return_the_stake() -> None:
    """C-15: the tie goes before the range and before odd and even."""
    game = game_of("club-b")
    assert paid(game, [6, 6, 1], "small") == paid(game, [6, 6, 1], "odd") == PUSH
    assert paid(game, [12, 12, 2], "big") == paid(game, [12, 12, 2], "even") == PUSH
    assert paid(game, [6, 6, 1], "big") == paid(game, [6, 6, 1], "even") == LOST
    assert paid(game, [12, 12, 2], "small") == paid(game, [12, 12, 2], "odd") == LOST


def test_two_greens_win_double_green() -> None:
    """C-14: 001 prints "three" in one cell."""
    game = game_of("club-b")
    assert paid(game, [3, 7, 8], "double_color", "green") == 4
    assert paid(game, [3, 7, 6], "double_color", "green") == LOST


@pytest.mark.parametrize("order", list(permutations([10, 11, 12])))
def test_straights_come_in_any_order(order: tuple[int, ...]) -> None:
    """C-17."""
    assert paid(game_of("club-b"), list(order), "straights") == 26


@pytest.mark.parametrize("dice", [[11, 12, 1], [12, 1, 2], [1, 2, 2], [1, 3, 5]])
def test_straights_do_not_run_round(dice: list[int]) -> None:
    """000 L526, 001 L363."""
    assert paid(game_of("club-b"), dice, "straights") == LOST


@in_both_books
def test_a_triple_holds_a_double(book_code: str) -> None:
    """R-5, C-16."""
    game = game_of(book_code)
    assert game.options["double_includes_triple"] is True
    assert paid(game, [7, 7, 7], "any_double_number") == Fraction(15, 4)
    assert paid(game, [7, 7, 7], "specific_double_number", "7") == 46


def test_another_book_may_read_a_double_as_exactly_two() -> None:
    """R-5, C-16: 14.0625 and 12.1528 % instead of 11.4583 and 9.4907 %."""
    game = game_of("club-b")
    options = game.options | {"double_includes_triple": False}
    narrow = replace(
        game, setup=replace(game.setup, options=options), digest=f"{game.digest} narrow"
    )
    assert paid(narrow, [7, 7, 7], "any_double_number") == LOST
    assert paid(narrow, [7, 7, 1], "any_double_number") == Fraction(15, 4)
    stated = {(row.wager.bet, row.wager.selection): row.house_edge for row in edges(narrow)}
    assert stated["any_double_number", ""] == Fraction(9, 64)
    assert stated["specific_double_number", "4"] == 1 - Fraction(33 * 46, 1728)


@in_both_books
def test_the_animals_cover_every_total_once(book_code: str) -> None:
    game = game_of(book_code)
    animals = [game.wager("zodiac", animal) for animal in ANIMALS]
    assert game.bets["zodiac"].selections == tuple(ANIMALS)
    for roll in ROLLS[::11]:
        verdicts = game.resolve(game.read({"dice": roll}), animals)
        assert [verdict.result for verdict in verdicts].count(Result.WIN) == 1


@in_both_books
def test_edges_follow_from_the_rolls(book_code: str) -> None:
    """rules 2.9, as fractions of 1,728."""
    stated = {
        (row.wager.bet, row.wager.selection): row.house_edge for row in edges(game_of(book_code))
    }
    for bet in ("small", "big", "odd", "even"):
        assert stated[bet, ""] == Fraction(66, 1728)
    for color in ("red", "blue", "green"):
        assert stated["single_color", color] == Fraction(1, 9)
        assert stated["double_color", color] == Fraction(1, 9)
        assert stated["triple_color", color] == Fraction(1, 9)
    assert stated["any_triple_color", ""] == stated["three_stars", ""] == Fraction(1, 9)
    assert stated["straights", ""] == 1 - Fraction(60 * 26, 1728)
    assert stated["any_triple_number", ""] == 1 - Fraction(12 * 131, 1728)
    assert stated["any_double_number", ""] == 1 - Fraction(408 * 15, 4 * 1728)
    assert stated["specific_double_number", "1"] == 1 - Fraction(34 * 46, 1728)
    assert stated["zodiac", "rat"] == stated["zodiac", "pig"] == Fraction(1, 8)
    assert not uneven(edges(game_of(book_code)))


@in_both_books
def test_bets_stand_in_printed_order_and_in_the_document(book_code: str) -> None:
    bets = game_of(book_code).bets
    assert list(bets) == [
        "small",
        "big",
        "odd",
        "even",
        "single_color",
        "double_color",
        "triple_color",
        "any_triple_color",
        "three_stars",
        "straights",
        "any_triple_number",
        "any_double_number",
        "specific_double_number",
        "zodiac",
    ]
    assert all(bet.in_document for bet in bets.values())


def test_both_documents_print_the_same_odds() -> None:
    """rules 2.9 and 3.5: they differ by one misprint (C-14)."""
    one, other = (game_of(code) for code in BOOKS)
    for code, bet in one.bets.items():
        assert bet.ladder == other.bets[code].ladder


def test_a_bounce_counts_otherwise_in_each_document() -> None:
    """C-19."""
    clauses = [game_of(code).grounds["short_bounce"].clause for code in BOOKS]
    assert "three bounces" in clauses[0]
    assert "one bounce" in clauses[1]
    assert all(game_of(code).grounds["short_bounce"].actions == ("replay",) for code in BOOKS)


def test_a_roll_is_told_in_one_sentence_and_reads_back() -> None:
    game = game_of("club-b")
    assert game.read({"dice": [9, 2, 3]}).headline == "9 red, 2 blue, 3 green: total 14"
    for roll in ROLLS[::13]:
        outcome = game.read({"dice": roll})
        assert game.read(outcome.canonical) == outcome


@pytest.mark.parametrize(
    "raw",
    [
        {},
        {"dice": []},
        {"dice": [1, 2]},
        {"dice": [1, 2, 3, 4]},
        {"dice": [0, 2, 3]},
        {"dice": [13, 2, 3]},
        {"dice": [True, 2, 3]},
        {"dice": ["1", 2, 3]},
        {"dice": [1, 2, 3], "colors": ["red", "blue", "green"]},
        {"dice": [1, 2, 3], "super_odds": {}},
    ],
)
def test_what_no_table_can_show_is_refused(raw: Any) -> None:
    with pytest.raises(Refused) as refused:
        game_of("club-b").read(raw)
    assert refused.value.code == "invalid_outcome"


def test_twelve_is_the_highest_face() -> None:
    with pytest.raises(Refused, match="A die of this game shows 1 to 12, not 13"):
        game_of("club-a").read({"dice": [13, 2, 3]})


def test_every_face_of_every_die_is_dealt() -> None:
    draw = Random(4)
    game = game_of("club-a")
    dealt = [game.deal(iter(()), lambda faces: draw.randint(1, faces))["dice"] for _ in range(500)]
    for place in range(3):
        assert {dice[place] for dice in dealt} == set(range(1, 13))
