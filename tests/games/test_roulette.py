"""Roulette of four books and Super Roulette, clause by clause, over all 37 numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import pytest

from games import layout
from games.families import roulette as family
from games.refusals import Refused
from games.rulebook import Game, Result, Stake, Verdict, Wager, book
from games.theory import edges
from games.theory.symmetry import uneven

NUMBERS = range(37)
BOOKS = ["club-a", "club-b", "asia", "euro"]
in_every_book = pytest.mark.parametrize("book_code", BOOKS)
GPI = [("club-a", "roulette"), ("club-a", "super_roulette"), ("club-b", "roulette")]
"""The games with announced bets."""

RED = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}

PAYS = {
    "straight": 35,
    "split": 17,
    "street": 11,
    "triple": 11,
    "corner": 8,
    "four": 8,
    "line": 5,
    "column": 2,
    "dozen": 2,
}
"""001 L509-517, 003 L60-73, 004 L299-311; every other bet of one field pays 1."""

VOISINS = {22, 18, 29, 7, 28, 12, 35, 3, 26, 0, 32, 15, 19, 4, 21, 2, 25}
TIER = {27, 13, 36, 11, 30, 8, 23, 10, 5, 24, 16, 33}
ORPHELINS = {17, 34, 6, 1, 20, 14, 31, 9}
JEU_ZERO = {12, 35, 3, 26, 0, 32, 15}
"""001 L481, L491, L494, L505."""

PROFITS: dict[str, tuple[int, dict[int, int]]] = {
    "voisins": (
        9,
        {
            **dict.fromkeys([4, 7, 12, 15, 18, 19, 21, 22, 32, 35], 9),
            **dict.fromkeys([0, 2, 3], 15),
            **dict.fromkeys([25, 26, 28, 29], 9),
        },
    ),
    "tier": (6, dict.fromkeys(TIER, 12)),
    "orphelins": (5, {1: 31, **dict.fromkeys([6, 9, 14, 20, 31, 34], 13), 17: 31}),
    "jeu_zero": (4, {**dict.fromkeys([0, 3, 12, 15, 32, 35], 14), 26: 32}),
}
"""Chips and true profit in chips by the number that falls: 001 L485-499, rules 2.10."""


def game_of(book_code: str, game_code: str = "roulette") -> Game:
    return book(book_code).game(game_code)


SUPER = game_of("club-a", "super_roulette")


def wagers(game: Game) -> list[Wager]:
    return [
        game.wager(bet.code, selection)
        for bet in game.bets.values()
        for selection in bet.selections
    ]


def spun(game: Game, number: int, super_numbers: dict[str, str] | None = None) -> dict[str, Any]:
    """An outcome; in Super Roulette another number is super unless told."""
    if game.code != "super_roulette":
        return {"number": number}
    return {"number": number, "super_numbers": super_numbers or {str((number + 1) % 37): "49:1"}}


def verdict(game: Game, raw: dict[str, Any], bet: str, selection: str = "") -> Verdict:
    [answer] = game.resolve(game.read(raw), [game.wager(bet, selection)])
    return answer


def wins_on(wager: Wager, number: int) -> bool:
    """Whether a bet of one field wins, worked out without the layout."""
    match wager.bet:
        case "red":
            return number in RED
        case "black":
            return number not in RED and number != 0
        case "odd":
            return number % 2 == 1
        case "even":
            return number % 2 == 0 and number != 0
        case "low":
            return 1 <= number <= 18
        case "high":
            return 19 <= number <= 36
        case "column":
            return number != 0 and (number - int(wager.selection)) % 3 == 0
        case "dozen":
            last = 12 * int(wager.selection)
            return last - 11 <= number <= last
    return str(number) in wager.selection.split("-")


def owed(game: Game, wager: Wager, number: int) -> Fraction:
    """What a unit returns by the words of the documents, no Super Number being hit."""
    straight = 29 if game.code == "super_roulette" else 35
    if wager.bet == "neighbors":
        middle = layout.WHEEL.index(int(wager.selection))
        five = [layout.WHEEL[(middle + step) % 37] for step in (-2, -1, 0, 1, 2)]
        return Fraction(straight + 1, 5) if number in five else Fraction(0)
    if wager.bet in PROFITS:
        chips, profits = PROFITS[wager.bet]
        if number not in profits:
            return Fraction(0)
        on_straight = (wager.bet, number) in (("orphelins", 1), ("jeu_zero", 26))
        profit = profits[number] - (35 - straight if on_straight else 0)
        return Fraction(profit + chips, chips)
    odds = straight if wager.bet == "straight" else PAYS.get(wager.bet, 1)
    return Fraction(odds + 1) if wins_on(wager, number) else Fraction(0)


def fault(game: Game, raw: Any) -> Refused:
    with pytest.raises(Refused) as refused:
        game.read(raw)
    assert refused.value.code == "invalid_outcome"
    return refused.value


def codes(game: Game, *bets: tuple[str, str, int], held: tuple[Wager, ...] = ()) -> list[Any]:
    slip = [Stake(game.wager(bet, selection), stake) for bet, selection, stake in bets]
    return [refused and refused.code for refused in game.check_slip(slip, hand=None, held=held)]


class TestLayout:
    """What a chip can lie on, checked against the definition of every spot."""

    def test_red_and_black(self) -> None:
        assert set(layout.RED) == RED
        assert [layout.color(number) for number in (0, 1, 2)] == ["green", "red", "black"]

    def test_the_wheel_holds_every_number_once(self) -> None:
        assert sorted(layout.WHEEL) == list(NUMBERS)

    def test_splits_are_two_numbers_side_by_side(self) -> None:
        splits = {
            (low, high)
            for low, high in combinations(NUMBERS, 2)
            if (high - low == 3 and low > 0)
            or (high - low == 1 and low > 0 and (low - 1) // 3 == (high - 1) // 3)
            or (low == 0 and high in (1, 2, 3))
        }
        assert self.listed("split") == splits
        assert len(splits) == 60

    def test_streets_are_the_rows(self) -> None:
        assert self.listed("street") == {(n, n + 1, n + 2) for n in range(1, 35, 3)}

    def test_two_trios_meet_at_the_zero(self) -> None:
        """C-23."""
        assert self.listed("triple") == {(0, 1, 2), (0, 2, 3)}

    def test_corners_are_squares_of_four(self) -> None:
        squares = {(n, n + 1, n + 3, n + 4) for n in range(1, 33) if n % 3 != 0}
        assert self.listed("corner") == squares
        assert len(squares) == 22

    def test_one_four_lies_at_the_zero(self) -> None:
        assert self.listed("four") == {(0, 1, 2, 3)}

    def test_lines_are_two_rows(self) -> None:
        assert self.listed("line") == {tuple(range(n, n + 6)) for n in range(1, 32, 3)}

    @staticmethod
    def listed(bet: str) -> set[tuple[int, ...]]:
        return {tuple(map(int, spot.split("-"))) for spot in layout.INSIDE[bet]}

    def test_the_arcs_are_the_printed_numbers(self) -> None:
        """001 L481, L491, L494, L505."""
        assert layout.ARCS == {
            "voisins": VOISINS,
            "tier": TIER,
            "orphelins": ORPHELINS,
            "jeu_zero": JEU_ZERO,
        }

    def test_voisins_tier_and_orphelins_share_the_wheel_out(self) -> None:
        counted = Counter([*VOISINS, *TIER, *ORPHELINS])
        assert counted == Counter(NUMBERS)

    def test_eight_and_its_neighbors(self) -> None:
        """000 L648, 001 L502."""
        assert layout.around(8, 2) == (11, 30, 8, 23, 10)
        assert layout.around(26, 2) == (35, 3, 26, 0, 32)

    @pytest.mark.parametrize(
        ("bet", "selection"),
        [
            ("straight", "37"),
            ("straight", "00"),
            ("straight", "01"),
            ("straight", ""),
            ("split", "1-5"),
            ("split", "3-4"),
            ("split", "0-4"),
            ("split", "4-1"),
            ("split", "36-37"),
            ("street", "2-3-4"),
            ("street", "0-1-3"),
            ("corner", "3-4-6-7"),
            ("corner", "34-35-37-38"),
            ("corner", "0-1-2-3"),
            ("four", "1-2-3-4"),
            ("line", "2-3-4-5-6-7"),
            ("line", "34-35-36-37-38-39"),
            ("column", "0"),
            ("column", "4"),
            ("dozen", ""),
            ("red", "1"),
            ("neighbors", "37"),
            ("voisins", "0"),
        ],
    )
    def test_a_spot_that_does_not_exist_is_refused(self, bet: str, selection: str) -> None:
        with pytest.raises(Refused) as refused:
            game_of("club-b").wager(bet, selection)
        assert refused.value.code == "unknown_bet"

    def test_the_one_four_may_go_unsaid(self) -> None:
        game = game_of("club-b")
        assert game.wager("four") == game.wager("four", "0-1-2-3") == Wager("four", "0-1-2-3")


class TestEveryNumber:
    @pytest.mark.parametrize(
        ("book_code", "game_code"), [*GPI, ("asia", "roulette"), ("euro", "roulette")]
    )
    def test_every_bet_returns_what_its_clause_says(self, book_code: str, game_code: str) -> None:
        game = game_of(book_code, game_code)
        placed = wagers(game)
        for number in NUMBERS:
            verdicts = game.resolve(game.read(spun(game, number)), placed)
            for wager, answer in zip(placed, verdicts, strict=True):
                assert answer.returns == owed(game, wager, number), (number, wager)
                assert answer.result == (Result.WIN if answer.returns else Result.LOSE)

    @pytest.mark.parametrize(
        ("book_code", "game_code"), [*GPI, ("asia", "roulette"), ("euro", "roulette")]
    )
    def test_every_bet_wins_and_loses_somewhere(self, book_code: str, game_code: str) -> None:
        for row in edges(game_of(book_code, game_code)):
            assert set(row.probabilities) == {Result.WIN, Result.LOSE}, row.wager

    @in_every_book
    def test_every_bet_costs_one_thirty_seventh(self, book_code: str) -> None:
        """2.7027 %, announced bets included."""
        rows = edges(game_of(book_code))
        assert {row.house_edge for row in rows} == {Fraction(1, 37)}
        assert not uneven(rows)

    @pytest.mark.parametrize(
        ("book_code", "game_code"), [*GPI, ("asia", "roulette"), ("euro", "roulette")]
    )
    def test_what_a_line_pays_does_not_depend_on_the_others(
        self, book_code: str, game_code: str
    ) -> None:
        game = game_of(book_code, game_code)
        placed = wagers(game)
        draw = Random(1)
        for number in NUMBERS:
            outcome = game.read(spun(game, number))
            together = dict(zip(placed, game.resolve(outcome, placed), strict=True))
            some = draw.sample(placed, 5)
            assert game.resolve(outcome, some) == [together[wager] for wager in some]

    def test_every_fact_of_the_glossary_is_stated_by_some_number(self) -> None:
        stated = set()
        for number in NUMBERS:
            stated |= SUPER.read(spun(SUPER, number, {str(number): "49:1"})).facts
        assert stated == set(family.glossary(SUPER.setup))
        assert "super:17" not in family.glossary(game_of("club-a").setup)

    def test_zero_loses_every_outside_bet(self) -> None:
        game = game_of("club-b")
        outside = [
            wager
            for wager in wagers(game)
            if wager.bet in ("column", "dozen", "red", "black", "odd", "even", "low", "high")
        ]
        assert len(outside) == 12
        answers = game.resolve(game.read({"number": 0}), outside)
        assert {answer.result for answer in answers} == {Result.LOSE}


class TestBooks:
    @pytest.mark.parametrize(("book_code", "game_code"), GPI)
    def test_000_and_001_print_these_bets_in_this_order(
        self, book_code: str, game_code: str
    ) -> None:
        assert list(game_of(book_code, game_code).bets) == [
            *("straight", "split", "street", "corner", "four", "line", "column", "dozen"),
            *("red", "black", "even", "odd", "low", "high"),
            *("voisins", "tier", "orphelins", "neighbors", "jeu_zero"),
        ]

    def test_003_has_the_triple_and_no_announced_bets(self) -> None:
        """C-23, C-34."""
        assert list(game_of("asia").bets) == [
            *("straight", "split", "street", "triple", "corner", "four", "line"),
            *("column", "dozen", "red", "black", "odd", "even", "low", "high"),
        ]
        assert game_of("asia").bets["street"].selections == layout.INSIDE["street"]

    def test_004_takes_the_four_as_a_corner(self) -> None:
        """004 L249-253 and L302; C-42: a five-number bet needs a double zero."""
        game = game_of("euro")
        assert list(game.bets) == [
            *("straight", "split", "street", "corner", "line", "column", "dozen"),
            *("red", "black", "odd", "even", "low", "high"),
        ]
        assert verdict(game, {"number": 0}, "corner", "0-1-2-3").returns == 9

    @pytest.mark.parametrize(("book_code", "game_code"), GPI)
    def test_000_and_001_take_a_trio_as_a_street(self, book_code: str, game_code: str) -> None:
        """C-23: 000 L655 and L724, 001 L519."""
        game = game_of(book_code, game_code)
        for trio in ("0-1-2", "0-2-3"):
            assert verdict(game, spun(game, 0), "street", trio).returns == 12
            assert verdict(game, spun(game, 2), "street", trio).returns == 12
            assert verdict(game, spun(game, 4), "street", trio).returns == 0

    def test_001_prints_multiples_of_the_straight_up_maximum(self) -> None:
        """001 L450-475, C-24: applied as printed."""
        limits = {code: bet.limit for code, bet in game_of("club-b").bets.items()}
        assert limits == {
            "straight": 1,
            "split": 2,
            "street": 3,
            "corner": 4,
            "four": 4,
            "line": 6,
            "column": 10,
            "dozen": 10,
            **dict.fromkeys(("red", "black", "even", "odd", "low", "high"), 20),
            **dict.fromkeys(("voisins", "tier", "orphelins", "neighbors", "jeu_zero")),
        }

    @pytest.mark.parametrize(
        ("book_code", "game_code"),
        [
            ("club-a", "roulette"),
            ("club-a", "super_roulette"),
            ("asia", "roulette"),
            ("euro", "roulette"),
        ],
    )
    def test_the_others_print_none(self, book_code: str, game_code: str) -> None:
        bets = game_of(book_code, game_code).bets.values()
        assert {bet.limit for bet in bets} == {None}

    def test_odds_that_000_lost_are_marked(self) -> None:
        """R-2, B-9, B-10: of Super Roulette the straight-up odds are printed."""
        lost = {"straight", "split", "street", "corner", "four", "line"}
        for game, unprinted in ((game_of("club-a"), lost), (SUPER, lost - {"straight"})):
            marked = {code for code, bet in game.bets.items() if not bet.in_document}
            assert marked == unprinted
        for other in ("club-b", "asia", "euro"):
            assert all(bet.in_document for bet in game_of(other).bets.values())

    def test_a_bad_spin_is_spun_again_or_released(self) -> None:
        """C-33: 000 and 001 lock the bets, 003 hands them back."""
        assert game_of("club-b").grounds["bad_spin"].actions == ("replay",)
        assert game_of("club-b").grounds["bad_spin"].in_document
        for ground in ("foreign_object", "blackout", "fumbled_ball", "no_drop"):
            assert game_of("asia").grounds[ground].actions == ("release",)


class TestAnnouncedBets:
    @pytest.mark.parametrize(
        ("bet", "selection", "chips"),
        [
            ("voisins", "", 9),
            ("tier", "", 6),
            ("orphelins", "", 5),
            ("neighbors", "8", 5),
            ("jeu_zero", "", 4),
        ],
    )
    def test_a_stake_is_that_many_chips(self, bet: str, selection: str, chips: int) -> None:
        game = game_of("club-b")
        assert game.bets[bet].units(selection) == chips
        assert codes(game, (bet, selection, chips * 25)) == [None]
        assert codes(game, (bet, selection, chips * 25 + 1)) == ["invalid_stake"]

    def test_the_refusal_says_how_many_chips(self) -> None:
        game = game_of("club-b")
        [refused] = game.check_slip([Stake(Wager("voisins"), 100)], hand=None)
        assert refused is not None
        assert "9 chips" in refused.message

    @pytest.mark.parametrize("bet", list(PROFITS))
    def test_the_chips_lie_on_the_arc(self, bet: str) -> None:
        """What the book places agrees with the wheel."""
        [chips] = game_of("club-b").bets[bet].chips.values()
        on = [layout.covered(chip.wager.selection) for chip in chips]
        assert frozenset[int]().union(*on) == layout.ARCS[bet]
        assert sum(chip.count for chip in chips) == PROFITS[bet][0]

    @pytest.mark.parametrize(
        ("bet", "number", "profit"),
        [
            (bet, number, profit)
            for bet, (_, profits) in PROFITS.items()
            for number, profit in profits.items()
        ],
    )
    def test_the_printed_profit(self, bet: str, number: int, profit: int) -> None:
        """001 L485-499; Jeu zero is worked out (rules 2.10)."""
        chips = PROFITS[bet][0]
        answer = verdict(game_of("club-b"), {"number": number}, bet)
        assert answer.returns * chips - chips == profit

    @pytest.mark.parametrize("middle", NUMBERS)
    def test_neighbors_profit_31(self, middle: int) -> None:
        game = game_of("club-a")
        won = [
            number
            for number in NUMBERS
            if verdict(game, {"number": number}, "neighbors", str(middle)).returns
            == Fraction(36, 5)
        ]
        assert len(won) == 5
        assert middle in won

    def test_odds_are_told_for_the_whole_stake(self) -> None:
        game = game_of("club-b")
        assert verdict(game, {"number": 5}, "tier").odds == "2:1"
        assert verdict(game, {"number": 4}, "voisins").odds == "1:1"
        assert verdict(game, {"number": 1}, "tier").odds == ""


class TestCoverage:
    """004 L524, R-8, C-43: at most 34 of the 37 numbers."""

    @staticmethod
    def straights(count: int) -> tuple[Wager, ...]:
        return tuple(Wager("straight", str(number)) for number in range(count))

    def test_34_numbers_are_allowed_and_35_are_not(self) -> None:
        game = game_of("euro")
        assert codes(game, ("straight", "33", 100), held=self.straights(33)) == [None]
        assert codes(game, ("straight", "34", 100), held=self.straights(34)) == [
            "coverage_exceeded"
        ]

    def test_a_number_covered_twice_counts_once(self) -> None:
        game = game_of("euro")
        held = self.straights(34)
        assert codes(game, ("straight", "3", 100), ("red", "", 100), held=held) == [
            "coverage_exceeded",
            "coverage_exceeded",
        ]
        assert codes(game, ("straight", "3", 100), ("low", "", 100), held=held) == [None, None]

    def test_red_black_and_zero_cover_the_whole_wheel(self) -> None:
        game = game_of("euro")
        assert codes(game, ("red", "", 100), ("black", "", 100)) == ["coverage_exceeded"] * 2
        assert codes(game, ("dozen", "1", 100), ("dozen", "2", 100)) == [None, None]
        assert codes(
            game, ("column", "1", 100), held=(Wager("column", "2"), Wager("column", "3"))
        ) == ["coverage_exceeded"]

    @in_every_book
    def test_only_004_restricts_coverage(self, book_code: str) -> None:
        answer = codes(game_of(book_code), ("red", "", 100), ("black", "", 100))
        assert answer == (["coverage_exceeded"] * 2 if book_code == "euro" else [None, None])

    def test_a_bet_covers_the_numbers_on_which_it_wins(self) -> None:
        game = game_of("club-b")
        for wager in [*wagers(game), Wager("triple", "0-1-2")]:
            won = {str(number) for number in NUMBERS if owed(game, wager, number)}
            assert family.covers(wager.bet, wager.selection) == won, wager


class TestSuperRoulette:
    def test_only_the_number_that_fell_pays_its_super_odds(self) -> None:
        """C-21."""
        drawn = {"17": "499:1", "0": "49:1", "5": "99:1"}
        raw = spun(SUPER, 17, drawn)
        assert verdict(SUPER, raw, "straight", "17").returns == 500
        assert verdict(SUPER, raw, "straight", "17").odds == "499:1"
        assert verdict(SUPER, raw, "straight", "5").returns == 0
        assert verdict(SUPER, spun(SUPER, 20, drawn), "straight", "20").returns == 30

    @pytest.mark.parametrize("odds", [49, 99, 299, 399, 499])
    def test_super_odds_touch_straight_chips_alone(self, odds: int) -> None:
        """000 L667-673: everything else pays as if no number were super."""
        placed = wagers(SUPER)
        for number in NUMBERS:
            outcome = SUPER.read(spun(SUPER, number, {str(number): f"{odds}:1"}))
            for wager, answer in zip(placed, SUPER.resolve(outcome, placed), strict=True):
                chips = {"straight": 1, "neighbors": 5, "orphelins": 5, "jeu_zero": 4}
                straight = (
                    wager.bet in ("straight", "neighbors")
                    or (wager.bet, number) in (("orphelins", 1), ("jeu_zero", 26))
                ) and owed(SUPER, wager, number)
                if straight:
                    assert answer.returns == Fraction(odds + 1, chips[wager.bet]), (number, wager)
                else:
                    assert answer.returns == owed(SUPER, wager, number), (number, wager)

    @pytest.mark.parametrize(
        ("bet", "selection", "number", "profit"),
        [
            ("orphelins", "", 1, 25),
            ("orphelins", "", 17, 31),
            ("orphelins", "", 6, 13),
            ("neighbors", "8", 30, 25),
            ("jeu_zero", "", 26, 26),
            ("jeu_zero", "", 0, 14),
            ("voisins", "", 0, 15),
            ("tier", "", 5, 12),
        ],
    )
    def test_announced_bets_follow_their_chips_at_29_to_1(
        self, bet: str, selection: str, number: int, profit: int
    ) -> None:
        """rules 2.11."""
        chips = SUPER.bets[bet].units(selection)
        answer = verdict(SUPER, spun(SUPER, number), bet, selection)
        assert answer.returns * chips - chips == profit

    def test_the_draw_stays_when_the_wheel_is_spun_again(self) -> None:
        """C-20: it is kept whole, whether it was hit or not."""
        drawn = {"5": "99:1", "17": "499:1"}
        first = SUPER.read(spun(SUPER, 20, drawn))
        again = SUPER.read({**first.canonical, "number": 17})
        assert again.canonical["super_numbers"] == drawn
        assert verdict(SUPER, dict(again.canonical), "straight", "17").returns == 500

    def test_the_order_in_which_numbers_were_drawn_does_not_matter(self) -> None:
        one = SUPER.read(spun(SUPER, 3, {"17": "49:1", "5": "99:1"}))
        other = SUPER.read(spun(SUPER, 3, {"5": "99:1", "17": "49:1"}))
        assert one == other
        assert list(one.canonical["super_numbers"]) == ["5", "17"]

    def test_a_hit_is_told(self) -> None:
        told = SUPER.read(spun(SUPER, 17, {"17": "499:1"})).headline
        assert told == "17 black, a Super Number at 499:1"
        assert SUPER.read(spun(SUPER, 17)).headline == "17 black"

    @pytest.mark.parametrize(
        "drawn",
        [
            None,
            {},
            [],
            "17",
            {str(number): "49:1" for number in range(6)},
            {"37": "49:1"},
            {"-1": "49:1"},
            {"01": "49:1"},
            {17: "49:1"},
            {"17": "50:1"},
            {"17": "29:1"},
            {"17": "49"},
            {"17": 49},
            {"17": None},
            {"17": ["49:1"]},
        ],
    )
    def test_a_draw_that_cannot_be_is_refused(self, drawn: Any) -> None:
        """000 L667-670: one to five numbers, at one of five odds."""
        assert fault(SUPER, {"number": 17, "super_numbers": drawn}).field == "super_numbers"

    def test_the_draw_must_be_told(self) -> None:
        assert fault(SUPER, {"number": 17}).field == "super_numbers"

    def test_no_edge_is_stated_where_the_draw_decides(self) -> None:
        """Announced bets with a straight chip included."""
        without = {row.wager.bet for row in edges(SUPER) if row.house_edge is None}
        assert without == {"straight", "neighbors", "orphelins", "jeu_zero"}
        for row in edges(SUPER):
            assert bool(row.why) == (row.house_edge is None)
            assert row.house_edge in (None, Fraction(1, 37))
            assert sum(row.probabilities.values()) == 1

    def test_the_edge_by_the_model(self) -> None:
        """B-10a: a mean return of 103 on 3 of 37 numbers; 97.08 % comes back."""
        setup = replace(SUPER.setup, options=SUPER.options | {"edge_by_model": True})
        rows = edges(replace(SUPER, setup=setup, digest=f"{SUPER.digest} by model"))
        stated = 1 - Fraction(34 * 30 + 3 * 103, 37 * 37)
        assert {row.house_edge for row in rows if row.wager.bet == "straight"} == {stated}
        assert {row.house_edge for row in rows if row.wager.bet == "neighbors"} == {stated}
        assert {row.house_edge for row in rows if row.wager.bet == "split"} == {Fraction(1, 37)}


class TestOutcomes:
    def test_a_number_is_told_with_its_color_and_reads_back(self) -> None:
        game = game_of("club-b")
        headlines = [game.read({"number": number}).headline for number in (0, 17, 19)]
        assert headlines == ["0 green", "17 black", "19 red"]
        for number in NUMBERS:
            outcome = game.read({"number": number})
            assert outcome.canonical == {"number": number}
            assert game.read(outcome.canonical) == outcome

    @pytest.mark.parametrize(
        "raw",
        [
            None,
            17,
            {},
            {"number": -1},
            {"number": 37},
            {"number": "17"},
            {"number": 17.0},
            {"number": True},
            {"number": None},
            {"number": 17, "color": "black"},
            {"number": 17, "super_numbers": {"17": "499:1"}},
        ],
    )
    def test_what_no_wheel_can_show_is_refused(self, raw: Any) -> None:
        fault(game_of("club-b"), raw)

    def test_every_number_is_dealt(self) -> None:
        draw = Random(6)
        game = game_of("euro")
        dealt = {
            game.deal(iter(()), lambda faces: draw.randint(1, faces))["number"] for _ in range(1000)
        }
        assert dealt == set(NUMBERS)

    def test_dealt_super_rounds_reach_every_count_number_and_odds(self) -> None:
        """B-10a, a model."""
        draw = Random(7)
        counts, numbers, odds = set(), set(), set()
        for _ in range(500):
            raw = SUPER.deal(iter(()), lambda faces: draw.randint(1, faces))
            drawn = SUPER.read(raw).canonical["super_numbers"]
            counts.add(len(drawn))
            numbers |= set(drawn)
            odds |= set(drawn.values())
        assert counts == {1, 2, 3, 4, 5}
        assert numbers == set(map(str, NUMBERS))
        assert odds == {"49:1", "99:1", "299:1", "399:1", "499:1"}

    def test_the_odds_come_as_often_as_their_weights_say(self) -> None:
        """B-10a: 62, 25, 7, 4 and 2 of 100."""

        def drawn(weight: int) -> str:
            raw = SUPER.deal(iter(()), lambda faces: weight if faces == 100 else 1)
            [odds] = raw["super_numbers"].values()
            return str(odds)

        assert Counter(map(drawn, range(1, 101))) == {
            "49:1": 62,
            "99:1": 25,
            "299:1": 7,
            "399:1": 4,
            "499:1": 2,
        }
