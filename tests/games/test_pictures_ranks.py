"""Ranks and combinations of all 22,100 hands of three, and what they are worth to the house."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import chain, combinations
from math import comb

import pytest

from games.families import pictures
from games.rulebook import Game, Result
from games.theory import edges
from games.theory.pictures import weighted_hands, weighted_pairs
from tests.games.pictures_as_printed import (
    ALL_HANDS,
    LISTED,
    PAYS_000,
    PAYS_001,
    PLAYERS,
    SUPER,
    THREE,
    Cards,
    expected_of_two,
    listed,
    pair_plus,
    resolved,
    returns,
    two,
)


class TestRanks:
    def test_31_ranks_cover_all_22100_hands(self) -> None:
        """001 L562-594, C-27, B-11."""
        counted = Counter(pictures.rank(cards) for cards in ALL_HANDS)
        assert counted == Counter(listed(cards) for cards in ALL_HANDS)
        assert sorted(counted) == list(range(1, 32))
        assert sum(counted.values()) == 22_100
        assert all(pictures.rank(cards) == listed(cards) for cards in ALL_HANDS)
        assert counted[1] == comb(12, 3)

    def test_ranks_have_the_names_of_the_list(self) -> None:
        assert [pictures.rank_name(rank) for rank in range(1, 32)] == LISTED

    @pytest.mark.parametrize(
        ("cards", "name"),
        [
            ("KS KH KD", "3 Knights"),
            ("JS QH 9D", "Double Knights Nine"),
            ("JS 3H 6D", "Single Knight Nine"),
            ("QS TH 9D", "Single Knight Nine"),
            ("2S 3H 4D", "Plain Nine"),
            ("9S TH TD", "Plain Nine"),
            ("JS QH TD", "Double Knights Zero"),
            ("KS 5H 5D", "Single Knight Zero"),
            ("TS TH TD", "Plain Zero"),
        ],
    )
    def test_a_ten_is_no_picture(self, cards: str, name: str) -> None:
        """000 L736, 001 L531: tens count zero like the pictures and are none."""
        assert pictures.rank_name(pictures.rank(cards.split())) == name

    def test_combinations_of_all_hands(self) -> None:
        """001 L549-553: the counts of every hand of three."""
        counted = Counter(pictures.combination(cards) for cards in ALL_HANDS)
        assert counted == {
            "straight_flush": 48,
            "three_of_a_kind": 52,
            "straight": 720,
            "flush": 1_096,
            "pair": 3_744,
            "": 16_440,
        }
        assert all(pictures.combination(cards) == pair_plus(cards) for cards in ALL_HANDS)

    @pytest.mark.parametrize(
        ("cards", "found"),
        [
            ("AS 2S 3S", "straight_flush"),
            ("QS KS AS", "straight_flush"),
            ("KS AS 2S", "flush"),
            ("KS AH 2D", ""),
            ("TD JC QH", "straight"),
            ("KC QH TD", ""),
            ("8D 7C 6H", "straight"),
            ("TS TH TC", "three_of_a_kind"),
            ("TH 4H 2H", "flush"),
            ("AC AH 8D", "pair"),
        ],
    )
    def test_an_ace_is_high_or_low_and_nothing_wraps(self, cards: str, found: str) -> None:
        assert pictures.combination(cards.split()) == found


class TestEveryHand:
    def test_pays_what_the_clause_says(self) -> None:
        """Each of the 22,100 hands against one that shares no card with it."""
        four = [("2S", "2H", "4D"), ("3S", "JH", "5D"), ("6S", "QH", "KD"), ("7S", "9H", "TD")]
        for cards in ALL_HANDS:
            banker = next(hand for hand in four if not set(hand) & set(cards))
            hands = {"player": cards, "banker": banker}
            assert returns(SUPER, hands) == expected_of_two(cards, banker), hands

    def test_three_pictures_and_pair_plus_do_not_ask_who_won(self) -> None:
        three = resolved(SUPER, two("JS QD KH", "QS JD KC"))
        for bet in ("player_three_pictures", "banker_three_pictures", "player_pair_plus"):
            assert three[bet, ""].result == Result.WIN
        assert three["tie", ""].odds == "18:1"


class TestHouseEdge:
    """By counting hands that share no card, not by looking at pairs of them."""

    def disjoint(self, ones: list[Cards], others: list[Cards]) -> int:
        """Count ordered pairs of hands without a common card, by inclusion and exclusion."""
        held = [
            Counter(
                part for cards in hands for size in range(4) for part in combinations(cards, size)
            )
            for hands in (ones, others)
        ]
        return sum((-1) ** len(part) * count * held[1][part] for part, count in held[0].items())

    def edge(self, game: Game, bet: str, selection: str = "") -> Fraction:
        [found] = [
            row.house_edge
            for row in edges(game)
            if (row.wager.bet, row.wager.selection) == (bet, selection)
        ]
        assert found is not None
        return found

    def test_all_pairs_and_all_hands_are_weighed(self) -> None:
        pairs = comb(52, 3) * comb(49, 3)
        assert sum(weight for weight, _, _ in weighted_pairs().values()) == pairs
        assert len(weighted_pairs()) == 31 * 31
        assert sum(weighted_hands().values()) == comb(52, 3)

    def test_mains_and_tie(self) -> None:
        pairs = comb(52, 3) * comb(49, 3)
        ranked: list[list[Cards]] = [[] for _ in range(32)]
        for cards in ALL_HANDS:
            ranked[listed(cards)].append(cards)
        ties = sum(self.disjoint(hands, hands) for hands in ranked)
        wins = (pairs - ties) // 2
        on_six = sum(
            self.disjoint(ranked[six], list(chain(*ranked[six + 1 :]))) for six in (11, 12, 13)
        )
        main = 1 - (Fraction(2 * (wins - on_six) + ties, pairs) + Fraction(3 * on_six, 2 * pairs))
        tie = 1 - Fraction(19 * ties, pairs)
        assert f"{float(main * 100):.4f}" == "3.0560"
        assert f"{float(tie * 100):.4f}" == "28.2599"
        for player in PLAYERS:
            assert self.edge(THREE, "win", player) == self.edge(THREE, "lose", player) == main
            assert self.edge(THREE, "tie", player) == tie
        assert self.edge(SUPER, "player_win") == self.edge(SUPER, "banker_win") == main
        assert self.edge(SUPER, "tie") == tie

    def test_three_pictures(self) -> None:
        edge = 1 - Fraction(37 * comb(12, 3), comb(52, 3))
        assert f"{float(edge * 100):.4f}" == "63.1674"
        for player in PLAYERS:
            assert self.edge(THREE, "three_knights", player) == edge
        for side in ("player", "banker"):
            assert self.edge(SUPER, f"{side}_three_pictures") == edge

    @pytest.mark.parametrize(
        ("game", "pays", "percent", "places"),
        [
            (SUPER, PAYS_000, "5.5747", [("player_pair_plus", ""), ("banker_pair_plus", "")]),
            (THREE, PAYS_001, "7.2760", [("pair_plus", name) for name in (*PLAYERS, "dealer")]),
        ],
        ids=["000", "001"],
    )
    def test_pair_plus_per_document(
        self, game: Game, pays: dict[str, int], percent: str, places: list[tuple[str, str]]
    ) -> None:
        """C-25."""
        returned = sum(pays.get(pair_plus(cards), 0) for cards in ALL_HANDS)
        edge = 1 - Fraction(returned, len(ALL_HANDS))
        assert f"{float(edge * 100):.4f}" == percent
        for bet, selection in places:
            assert self.edge(game, bet, selection) == edge
