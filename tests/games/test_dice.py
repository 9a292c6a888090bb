"""Sic Bo of four books and Super Sic Bo, clause by clause, over all 216 rolls."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from random import Random
from typing import Any

import pytest

from games.families import dice as family
from games.refusals import Refused
from games.returns import parse_odds
from games.rulebook import Game, Result, Stake, Wager, book
from games.theory import Edge, edges
from games.theory.symmetry import uneven

ROLLS = list(product(range(1, 7), repeat=3))
SIC_BO = ["club-a", "club-b", "asia", "euro"]
in_every_book = pytest.mark.parametrize("book_code", SIC_BO)

LOST = Fraction(0)

PRINTED_TOTALS = [50, 18, 14, 12, 8, 6, 6, 6, 6, 6, 12, 14, 18, 50]
"""001 L282, the odds of 4 to 17 in their printed row (R-3)."""

EVEN_TOTALS = [50, 18, 14, 12, 8, 6, 6, 6, 6, 8, 12, 14, 18, 50]
"""003 L90-95, and by R-3 also 000 and 004."""


def game_of(book_code: str, game_code: str = "sic_bo") -> Game:
    return book(book_code).game(game_code)


def returns(won: bool, odds: int) -> Fraction:
    return Fraction(odds + 1) if won else LOST


def owed(wager: Wager, roll: tuple[int, ...], totals: list[int]) -> Fraction:
    """What a unit returns by the words of 001 L249-288, worked out without the book."""
    triple = len(set(roll)) == 1
    total = sum(roll)
    chosen = [int(part) for part in wager.selection.split("-") if part]
    match wager.bet:
        case "small":
            return returns(4 <= total <= 10 and not triple, 1)
        case "big":
            return returns(11 <= total <= 17 and not triple, 1)
        case "odd":
            return returns(total in (5, 7, 9, 11, 13, 15, 17) and not triple, 1)
        case "even":
            return returns(total in (4, 6, 8, 10, 12, 14, 16) and not triple, 1)
        case "number":
            times = roll.count(chosen[0])
            return returns(times > 0, times)
        case "specific_triple":
            return returns(roll == (chosen[0],) * 3, 150)
        case "any_triple":
            return returns(triple, 24)
        case "specific_total":
            return returns(total == chosen[0], totals[chosen[0] - 4])
        case "specific_double":
            return returns(roll.count(chosen[0]) >= 2, 8)
        case "pair_match":
            return returns(chosen[0] in roll and chosen[1] in roll, 5)
    raise AssertionError(wager)


def wagers(game: Game) -> list[Wager]:
    return [
        game.wager(bet.code, selection)
        for bet in game.bets.values()
        for selection in bet.selections
    ]


def paid(game: Game, raw: dict[str, Any], bet: str, selection: str = "") -> Fraction:
    [verdict] = game.resolve(game.read(raw), [game.wager(bet, selection)])
    return verdict.returns


def fault(game: Game, raw: Any) -> Refused:
    with pytest.raises(Refused) as refused:
        game.read(raw)
    assert refused.value.code == "invalid_outcome"
    assert refused.value.ground is None
    return refused.value


def edge(rows: tuple[Edge, ...], bet: str, selection: str = "") -> Fraction | None:
    [row] = [row for row in rows if (row.wager.bet, row.wager.selection) == (bet, selection)]
    return row.house_edge


def by_model(game: Game) -> Game:
    setup = replace(game.setup, options=game.options | {"edge_by_model": True})
    return replace(game, setup=setup, digest=f"{game.digest} by model")


class TestEveryRoll:
    @in_every_book
    def test_every_bet_returns_what_its_clause_says(self, book_code: str) -> None:
        game = game_of(book_code)
        placed = wagers(game)
        totals = PRINTED_TOTALS if book_code == "club-b" else EVEN_TOTALS
        for roll in ROLLS:
            verdicts = game.resolve(game.read({"dice": roll}), placed)
            for wager, verdict in zip(placed, verdicts, strict=True):
                assert verdict.returns == owed(wager, roll, totals), (roll, wager)
                assert (verdict.result == Result.WIN) == (verdict.returns > 1)

    def test_super_sic_bo_without_super_odds_is_sic_bo(self) -> None:
        game = game_of("club-a", "super_sic_bo")
        placed = wagers(game)
        for roll in ROLLS:
            verdicts = game.resolve(game.read({"dice": roll, "super_odds": {}}), placed)
            for wager, verdict in zip(placed, verdicts, strict=True):
                assert verdict.returns == owed(wager, roll, EVEN_TOTALS), (roll, wager)

    @pytest.mark.parametrize(
        ("book_code", "game_code"),
        [*((code, "sic_bo") for code in SIC_BO), ("club-a", "super_sic_bo")],
    )
    def test_every_bet_wins_and_loses_somewhere(self, book_code: str, game_code: str) -> None:
        for row in edges(by_model(game_of(book_code, game_code))):
            assert set(row.probabilities) == {Result.WIN, Result.LOSE}, row.wager

    @in_every_book
    def test_what_a_line_pays_does_not_depend_on_the_others(self, book_code: str) -> None:
        game = game_of(book_code)
        placed = wagers(game)
        draw = Random(1)
        for roll in ROLLS:
            outcome = game.read({"dice": roll})
            together = dict(zip(placed, game.resolve(outcome, placed), strict=True))
            some = draw.sample(placed, 3)
            assert game.resolve(outcome, some) == [together[wager] for wager in some]

    def test_every_fact_of_the_glossary_is_stated_by_some_roll(self) -> None:
        game = game_of("club-b")
        stated = frozenset[str]().union(*(game.read({"dice": roll}).facts for roll in ROLLS))
        assert stated == set(family.glossary(game.setup))

    def test_the_order_of_the_dice_changes_nothing(self) -> None:
        game = game_of("club-b")
        by_faces: dict[tuple[int, ...], set[frozenset[str]]] = {}
        for roll in ROLLS:
            by_faces.setdefault(tuple(sorted(roll)), set()).add(game.read({"dice": roll}).facts)
        assert len(by_faces) == 56
        assert all(len(facts) == 1 for facts in by_faces.values())


class TestReadings:
    def test_club_b_total_13_pays_as_printed(self) -> None:
        """R-3: the tenth of fourteen odds is 6:1, total 8 pays 8:1."""
        assert paid(game_of("club-b"), {"dice": [6, 6, 1]}, "specific_total", "13") == 7
        assert paid(game_of("club-b"), {"dice": [6, 1, 1]}, "specific_total", "8") == 9
        for other in ("club-a", "asia", "euro"):
            assert paid(game_of(other), {"dice": [6, 6, 1]}, "specific_total", "13") == 9

    def test_the_asymmetry_of_club_b_is_found_and_no_other(self) -> None:
        """R-3: the paytable screen marks it."""
        found = uneven(edges(game_of("club-b")))
        assert found == {Wager("specific_total", "8"), Wager("specific_total", "13")}
        assert "R-3" in game_of("club-b").bets["specific_total"].note
        for other in ("club-a", "asia", "euro"):
            assert not uneven(edges(game_of(other)))

    @in_every_book
    def test_a_triple_holds_a_double_and_a_total(self, book_code: str) -> None:
        """C-18."""
        game = game_of(book_code)
        assert paid(game, {"dice": [2, 2, 2]}, "specific_double", "2") == 9
        assert paid(game, {"dice": [2, 2, 2]}, "specific_total", "6") == 15

    def test_another_book_may_read_a_double_as_exactly_two(self) -> None:
        """C-18, R-1: 37.5 % instead of 33.3 %."""
        game = game_of("club-b")
        options = game.options | {"double_includes_triple": False}
        narrow = replace(
            game, setup=replace(game.setup, options=options), digest=f"{game.digest} narrow"
        )
        assert paid(narrow, {"dice": [2, 2, 2]}, "specific_double", "2") == 0
        assert paid(narrow, {"dice": [2, 5, 2]}, "specific_double", "2") == 9
        assert edge(edges(narrow), "specific_double", "2") == Fraction(3, 8)

    def test_a_pair_is_paid_once_however_often_it_shows(self) -> None:
        assert paid(game_of("club-b"), {"dice": [5, 2, 2]}, "pair_match", "2-5") == 6
        assert paid(game_of("club-b"), {"dice": [5, 5, 5]}, "pair_match", "2-5") == 0

    def test_003_prints_no_odd_and_no_even(self) -> None:
        game = game_of("asia")
        assert list(game.bets) == [
            "big",
            "small",
            "specific_triple",
            "any_triple",
            "number",
            "specific_double",
            "pair_match",
            "specific_total",
        ]
        with pytest.raises(Refused, match="has no bet 'odd'"):
            game.wager("odd")

    @pytest.mark.parametrize(
        ("book_code", "game_code"),
        [("club-a", "sic_bo"), ("club-a", "super_sic_bo"), ("club-b", "sic_bo")],
    )
    def test_bets_stand_in_printed_order(self, book_code: str, game_code: str) -> None:
        assert list(game_of(book_code, game_code).bets) == [
            "small",
            "big",
            "odd",
            "even",
            "number",
            "specific_triple",
            "any_triple",
            "specific_total",
            "specific_double",
            "pair_match",
        ]

    @pytest.mark.parametrize(
        ("book_code", "game_code", "printed"),
        [
            ("club-a", "sic_bo", False),
            ("club-a", "super_sic_bo", False),
            ("club-b", "sic_bo", True),
            ("asia", "sic_bo", True),
            ("euro", "sic_bo", False),
        ],
    )
    def test_odds_that_a_document_lost_are_marked(
        self, book_code: str, game_code: str, printed: bool
    ) -> None:
        """R-2, B-7, B-8, B-16."""
        for bet in game_of(book_code, game_code).bets.values():
            assert bet.in_document == printed

    def test_the_selections_are_those_of_the_layout(self) -> None:
        bets = game_of("club-b").bets
        assert bets["specific_total"].selections == tuple(map(str, range(4, 18)))
        assert len(bets["pair_match"].selections) == 15
        for low, high in combinations("123456", 2):
            assert f"{low}-{high}" in bets["pair_match"].selections

    @pytest.mark.parametrize(
        ("bet", "selection"),
        [
            ("specific_total", "3"),
            ("specific_total", "18"),
            ("specific_total", "04"),
            ("pair_match", "2-1"),
            ("pair_match", "1-1"),
            ("specific_double", "7"),
            ("number", ""),
            ("number", "0"),
            ("small", "1"),
        ],
    )
    def test_a_selection_that_is_not_on_the_layout_is_refused(
        self, bet: str, selection: str
    ) -> None:
        with pytest.raises(Refused) as refused:
            game_of("club-b").wager(bet, selection)
        assert refused.value.code == "unknown_bet"


class TestRestrictions:
    @pytest.mark.parametrize(("one", "other"), [("big", "small"), ("odd", "even")])
    def test_004_refuses_opposite_bets_on_one_ticket_and_across_tickets(
        self, one: str, other: str
    ) -> None:
        """004 L526, R-8, C-44."""
        game = game_of("euro")
        stakes = [Stake(Wager(bet), 100) for bet in (one, other)]
        codes = [refused and refused.code for refused in game.check_slip(stakes, hand=None)]
        assert codes == ["prohibited_combination", "prohibited_combination"]
        for mine, held in ((one, other), (other, one)):
            [refused] = game.check_slip([Stake(Wager(mine), 100)], hand=None, held=[Wager(held)])
            assert refused is not None
            assert refused.code == "prohibited_combination"

    def test_004_allows_big_with_odd(self) -> None:
        stakes = [Stake(Wager(bet), 100) for bet in ("big", "odd")]
        assert game_of("euro").check_slip(stakes, hand=None) == [None, None]

    @pytest.mark.parametrize("book_code", ["club-a", "club-b", "asia"])
    def test_the_other_books_allow_big_with_small(self, book_code: str) -> None:
        stakes = [Stake(Wager(bet), 100) for bet in ("big", "small")]
        assert game_of(book_code).check_slip(stakes, hand=None) == [None, None]


class TestOutcomes:
    def test_a_roll_is_told_in_one_sentence(self) -> None:
        game = game_of("club-b")
        assert game.read({"dice": [4, 4, 2]}).headline == "4-4-2, total 10"
        assert game.read({"dice": [4, 4, 4]}).headline == "4-4-4, total 12, a triple"

    def test_what_was_read_reads_back(self) -> None:
        game = game_of("club-b")
        for roll in ROLLS:
            outcome = game.read({"dice": roll})
            assert outcome.canonical == {"dice": list(roll)}
            assert game.read(outcome.canonical) == outcome

    @pytest.mark.parametrize(
        "raw",
        [
            None,
            {},
            {"dice": None},
            {"dice": "123"},
            {"dice": 123},
            {"dice": [1, 2]},
            {"dice": [1, 2, 3, 4]},
            {"dice": [1, 2, 0]},
            {"dice": [1, 2, 7]},
            {"dice": [1, 2, -1]},
            {"dice": [1, 2, "3"]},
            {"dice": [1, 2, 3.0]},
            {"dice": [1, 2, True]},
            {"dice": [1, 2, None]},
            {"dice": [1, 2, [3]]},
            {"dice": [1, 2, 3], "super_odds": {}},
            {"dice": [1, 2, 3], "die": 4},
        ],
    )
    def test_what_no_table_can_show_is_refused(self, raw: Any) -> None:
        fault(game_of("club-b"), raw)

    def test_a_seven_is_named(self) -> None:
        refused = fault(game_of("club-b"), {"dice": [1, 2, 7]})
        assert (refused.message, refused.field) == (
            "A die of this game shows 1 to 6, not 7.",
            "dice",
        )

    def test_every_roll_is_dealt(self) -> None:
        draw = Random(2)
        game = game_of("club-b")
        dealt = {
            tuple(game.deal(iter(()), lambda faces: draw.randint(1, faces))["dice"])
            for _ in range(4000)
        }
        assert dealt == set(ROLLS)


SUPER = game_of("club-a", "super_sic_bo")
RAISED = {
    "specific_triple": "888:1",
    "any_triple": "50:1",
    "specific_total": "179:1",
    "specific_double": "88:1",
    "pair_match": "20:1",
}
"""The bets whose positions can carry super odds, each with odds that the book allows."""


def positions() -> list[str]:
    return [f"{bet}:{selection}" for bet in RAISED for selection in SUPER.bets[bet].selections]


class TestSuperOdds:
    def test_a_raised_position_pays_what_was_drawn_and_no_other_changes(self) -> None:
        """000 L434, over every roll, one position at a time."""
        placed = wagers(SUPER)
        plain = {
            roll: SUPER.resolve(SUPER.read({"dice": roll, "super_odds": {}}), placed)
            for roll in ROLLS
        }
        for position in positions():
            bet, _, selection = position.partition(":")
            raised = Wager(bet, selection)
            drawn = {position: RAISED[bet]}
            for roll in ROLLS[::5]:
                verdicts = SUPER.resolve(SUPER.read({"dice": roll, "super_odds": drawn}), placed)
                for wager, verdict, before in zip(placed, verdicts, plain[roll], strict=True):
                    if wager == raised and before.result == Result.WIN:
                        assert verdict.returns == parse_odds(RAISED[bet])
                        assert verdict.odds == RAISED[bet]
                    else:
                        assert verdict == before

    def test_all_positions_may_be_raised_at_once(self) -> None:
        drawn = {position: RAISED[position.partition(":")[0]] for position in positions()}
        outcome = SUPER.read({"dice": [2, 2, 2], "super_odds": drawn})
        assert dict(outcome.canonical["super_odds"]) == drawn
        assert {fact for fact in outcome.facts if fact.startswith("super:")} == {
            "super:specific_triple:2",
            "super:any_triple",
            "super:specific_total:6",
            "super:specific_double:2",
        }

    def test_the_draw_stays_when_the_dice_are_rolled_again(self) -> None:
        """C-20: it is kept whole, whether it was hit or not."""
        drawn = {"specific_total:4": "179:1", "pair_match:1-6": "20:1"}
        first = SUPER.read({"dice": [6, 6, 6], "super_odds": drawn})
        again = SUPER.read({**first.canonical, "dice": [1, 1, 2]})
        assert again.canonical["super_odds"] == drawn
        assert paid(SUPER, again.canonical, "specific_total", "4") == 180

    def test_the_way_in_which_odds_are_written_does_not_matter(self) -> None:
        drawn = {"specific_total:4": "179.0:1"}
        outcome = SUPER.read({"dice": [1, 1, 2], "super_odds": drawn})
        assert outcome.canonical["super_odds"] == {"specific_total:4": "179:1"}
        assert SUPER.read(outcome.canonical) == outcome

    @pytest.mark.parametrize(
        "drawn",
        [
            None,
            [],
            "specific_total:4",
            {"specific_total:4": 179},
            {"specific_total:4": None},
            {"specific_total:4": "179"},
            {"specific_total:4": "push"},
            {"specific_total:3": "179:1"},
            {"specific_total:04": "179:1"},
            {"specific_total": "179:1"},
            {"any_triple": "50:1"},
            {"any_triple:1": "50:1"},
            {"pair_match:6-1": "20:1"},
            {"small:": "2:1"},
            {"number:4": "9:1"},
            {"straight:4": "49:1"},
            {4: "179:1"},
        ],
    )
    def test_a_draw_that_cannot_be_is_refused(self, drawn: Any) -> None:
        refused = fault(SUPER, {"dice": [1, 1, 2], "super_odds": drawn})
        assert refused.field == "super_odds"

    def test_the_draw_must_be_told_also_where_there_was_none(self) -> None:
        assert fault(SUPER, {"dice": [1, 1, 2]}).field == "super_odds"

    def test_odds_are_no_worse_than_the_position_pays_and_end_at_the_highest(self) -> None:
        """R-2: the range table of 000 is lost; the book states what it allows."""
        for position in positions():
            bet, _, selection = position.partition(":")
            normal = SUPER.bets[bet].rungs[selection][-1].returns
            assert normal is not None
            below, least = normal - Fraction(3, 2), normal - 1
            for net in (least, Fraction(999)):
                SUPER.read({"dice": [1, 1, 2], "super_odds": {position: f"{net}:1"}})
            for net in (below, Fraction(1000)):
                odds = f"{net.numerator}:{net.denominator}"
                fault(SUPER, {"dice": [1, 1, 2], "super_odds": {position: odds}})


class TestModel:
    """R-2, B-8a: how super odds are drawn is a model of the house."""

    def test_every_odds_of_the_model_are_allowed(self) -> None:
        for position, weights in family.model(SUPER.setup).items():
            for odds in weights:
                SUPER.read({"dice": [1, 1, 2], "super_odds": {position: odds}})

    def test_the_model_knows_every_position(self) -> None:
        assert list(family.model(SUPER.setup)) == positions()

    def test_a_position_is_raised_in_one_of_five_rounds(self) -> None:
        def raised(chance: int) -> int:
            dealt = SUPER.deal(iter(()), lambda faces: chance if faces == 5 else 1)
            return len(dealt["super_odds"])

        assert list(map(raised, range(1, 6))) == [len(positions()), 0, 0, 0, 0]

    def test_the_tiers_come_as_often_as_their_weights_say(self) -> None:
        def tier(weight: int) -> str:
            dealt = SUPER.deal(iter(()), lambda faces: weight if faces == 100 else 1)
            return str(dealt["super_odds"]["specific_triple:3"])

        assert Counter(map(tier, range(1, 101))) == {"249:1": 60, "499:1": 25, "999:1": 15}

    def test_dealt_rounds_are_outcomes(self) -> None:
        draw = Random(3)
        seen: set[str] = set()
        for _ in range(300):
            outcome = SUPER.read(SUPER.deal(iter(()), lambda faces: draw.randint(1, faces)))
            seen |= set(outcome.canonical["super_odds"])
        assert seen == set(positions())

    @pytest.mark.parametrize(
        ("bet", "selections", "stated"),
        [
            ("specific_triple", ["1", "6"], Fraction(17, 360)),
            ("any_triple", [""], Fraction(13, 360)),
            ("specific_double", ["4"], Fraction(1, 27)),
            ("pair_match", ["2-5"], Fraction(3, 80)),
            ("specific_total", ["4", "17"], Fraction(3, 80)),
            ("specific_total", ["5", "16"], Fraction(11, 360)),
        ],
    )
    def test_the_edge_by_the_model(self, bet: str, selections: list[str], stated: Fraction) -> None:
        """B-8a: 4.72, 3.61, 3.70, 3.75, 3.75 and 3.06 %."""
        rows = edges(by_model(SUPER))
        for selection in selections:
            assert edge(rows, bet, selection) == stated

    def test_no_edge_is_stated_where_the_draw_decides(self) -> None:
        for row in edges(SUPER):
            drawn = row.wager.bet in RAISED
            assert (row.house_edge is None) == drawn
            assert bool(row.why) == drawn
            assert sum(row.probabilities.values()) == 1


@in_every_book
def test_edges_of_sic_bo(book_code: str) -> None:
    """rules 3.4, from the number of rolls that win."""
    rows = edges(game_of(book_code))
    ways = Counter(map(sum, ROLLS))
    totals = PRINTED_TOTALS if book_code == "club-b" else EVEN_TOTALS
    for total, odds in zip(range(4, 18), totals, strict=True):
        stated = 1 - Fraction(ways[total] * (odds + 1), 216)
        assert edge(rows, "specific_total", str(total)) == stated
    assert edge(rows, "small") == edge(rows, "big") == Fraction(6, 216)
    assert edge(rows, "number", "3") == 1 - Fraction(75 * 2 + 15 * 3 + 1 * 4, 216)
    assert edge(rows, "specific_triple", "3") == 1 - Fraction(151, 216)
    assert edge(rows, "any_triple") == 1 - Fraction(6 * 25, 216)
    assert edge(rows, "specific_double", "3") == 1 - Fraction(16 * 9, 216)
    assert edge(rows, "pair_match", "1-2") == 1 - Fraction(30 * 6, 216)
