"""Super Fan Tan, clause by clause, over every sum and every face of the die."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import comb
from random import Random
from typing import Any

import pytest

from games.cards import DECK
from games.families import fan_tan, pictures
from games.refusals import Refused
from games.rulebook import Result, Verdict, Void, book
from games.theory import edges
from games.theory.fan_tan import weighted_sums

GAME = book("club-b").game("super_fan_tan")
PICTURES = book("club-b").game("three_pictures")

WAGERS = [
    GAME.wager(bet.code, selection) for bet in GAME.bets.values() for selection in bet.selections
]

VALUES = dict(zip("A23456789TJQK", range(1, 14), strict=True))
"""001 L819-831."""

LOW = ["AS", "AH", "AD", "AC", "2S", "2H", "2D", "2C", "3S", "3H", "3D", "3C"]
HIGH = ["JS", "JH", "JD", "JC", "QS", "QH", "QD", "QC", "KS", "KH", "KD", "KC"]


def clause(total: int, die: int) -> dict[tuple[str, str], Fraction]:
    """What every bet returns by 001 L833-911."""
    result = str(total % 4) if total % 4 else "4"
    fan = Fraction(4) if die in (8, 9) else Fraction("3.85")
    tie = 83 <= total <= 85

    def pays(won: bool, returns: str) -> Fraction:
        return Fraction(returns) if won else Fraction(0)

    expected = {("fan", number): fan if number == result else Fraction(0) for number in "1234"}
    for win, push in permutations("1234", 2):
        expected["nim", f"{win}-{push}"] = (
            Fraction("2.90") if win == result else Fraction(int(push == result))
        )
    for kwok in ("1-2", "1-4", "2-3", "3-4"):
        expected["kwok", kwok] = pays(result in kwok, "1.95")
    expected["odd", ""] = pays(result in "13", "1.95")
    expected["even", ""] = pays(result in "24", "1.95")
    expected["small", ""] = Fraction(1, 2) if tie else pays(24 <= total <= 82, "2")
    expected["big", ""] = Fraction(1, 2) if tie else pays(86 <= total <= 144, "2")
    expected["tie", ""] = pays(tie, "8")
    return expected


def resolved(raw: Any) -> dict[tuple[str, str], Verdict]:
    verdicts = GAME.resolve(GAME.read(raw), WAGERS)
    return {
        (wager.bet, wager.selection): verdict
        for wager, verdict in zip(WAGERS, verdicts, strict=True)
    }


def fault(raw: Any) -> Refused:
    with pytest.raises(Refused) as refused:
        GAME.read(raw)
    assert refused.value.code == "invalid_outcome"
    assert refused.value.ground is None
    return refused.value


@cache
def ways() -> Counter[int]:
    """The ways to draw each sum with twelve cards, card by card through the deck."""
    drawn: list[Counter[int]] = [Counter({0: 1}), *(Counter() for _ in range(12))]
    for card in DECK:
        for count in range(12, 0, -1):
            for total, number in drawn[count - 1].items():
                drawn[count][total + VALUES[card[0]]] += number
    return drawn[12]


@cache
def settled() -> dict[tuple[int, int], dict[tuple[str, str], Verdict]]:
    """What every bet gets for every sum and every face of the die."""
    return {
        (total, die): resolved({"cards": list(cards), "die": die})
        for total, (_, cards) in weighted_sums().items()
        for die in range(1, 13)
    }


class TestEverySum:
    def test_pays_what_the_clause_says(self) -> None:
        assert len(settled()) == 121 * 12
        for (total, die), verdicts in settled().items():
            paid = {key: verdict.returns for key, verdict in verdicts.items()}
            assert paid == clause(total, die), (total, die)

    def test_every_bet_wins_and_loses_and_the_nims_push(self) -> None:
        seen: dict[tuple[str, str], set[Result]] = {}
        for verdicts in settled().values():
            for key, verdict in verdicts.items():
                seen.setdefault(key, set()).add(verdict.result)
        for (bet, _), results in seen.items():
            third = {"nim": {Result.PUSH}, "small": {Result.HALF_LOSE}, "big": {Result.HALF_LOSE}}
            assert results == {Result.WIN, Result.LOSE} | third.get(bet, set())

    @pytest.mark.parametrize("die", range(1, 13))
    def test_a_super_hand_raises_fan_alone(self, die: int) -> None:
        """001 L834, L913-927."""
        cards = ["AS", "2H", "3D", "4C", "5S", "6H", "7D", "8C", "9S", "TH", "JD", "QC"]
        plain = resolved({"cards": cards, "die": 1})
        other = resolved({"cards": cards, "die": die})
        changed = {key for key in plain if plain[key] != other[key]}
        assert changed == ({("fan", "2")} if die in (8, 9) else set())
        assert other["fan", "2"].odds == ("3:1" if die in (8, 9) else "2.85:1")

    def test_bets_stand_in_the_printed_order(self) -> None:
        """C-50: twelve Nims, four Kwoks."""
        assert [(wager.bet, wager.selection) for wager in WAGERS] == list(clause(24, 1))
        assert len(GAME.bets["nim"].selections) == 12
        assert GAME.bets["kwok"].selections == ("1-2", "1-4", "2-3", "3-4")
        for selection in ("1-3", "2-4", "2-1"):
            with pytest.raises(Refused, match="Kwok has no selection"):
                GAME.wager("kwok", selection)


class TestWhatIsSaid:
    def test_the_sum_and_the_number_are_told(self) -> None:
        assert GAME.read({"cards": LOW, "die": 1}).headline == (
            "The cards add up to 24: the number is 4"
        )
        assert GAME.read({"cards": HIGH, "die": 1}).headline == (
            "The cards add up to 144: the number is 4"
        )

    def test_reasons(self) -> None:
        cards = ["AS", "AH", "AD", "AC", "2S", "3S", "QD", "QC", "KS", "KH", "KD", "KC"]
        paid = resolved({"cards": cards, "die": 8})
        told = "The cards add up to 85: the number is 1"
        assert paid["fan", "1"].why == "Super hand: the number is 1"
        assert paid["fan", "2"].why == told
        assert paid["nim", "2-1"].why == f"{told}: stake returned"
        assert paid["big", ""].why == f"{told}: half the stake lost"


class TestWhatCannotBe:
    @pytest.mark.parametrize(
        "raw",
        [
            None,
            [],
            {},
            {"die": 1},
            {"cards": LOW},
            {"cards": LOW[:11], "die": 1},
            {"cards": [*LOW, "KS"], "die": 1},
            {"cards": [*LOW[:11], "AS"], "die": 1},
            {"cards": [*LOW[:11], "1S"], "die": 1},
            {"cards": "".join(LOW), "die": 1},
            {"cards": LOW, "die": 1, "number": 4},
        ],
    )
    def test_is_refused(self, raw: Any) -> None:
        assert fault(raw)

    @pytest.mark.parametrize("die", [0, 13, -8, 8.0, "8", True, None])
    def test_a_die_shows_1_to_12(self, die: Any) -> None:
        assert fault({"cards": LOW, "die": die}).field == "die"

    def test_a_card_comes_once(self) -> None:
        assert fault({"cards": [*LOW[:11], "AS"], "die": 1}).message == (
            "AS was dealt 2 times; 1 deck has 1 of it."
        )

    def test_a_void_round_is_taken_down_as_far_as_it_went(self) -> None:
        for raw in ({"cards": []}, {"cards": LOW[:5]}, {"cards": LOW[:5], "die": 8}):
            outcome = GAME.read(raw, unfinished=True)
            assert (outcome.canonical, outcome.facts) == (raw, frozenset())
        assert GAME.read({"die": 3}, unfinished=True).canonical == {"cards": [], "die": 3}
        [void] = GAME.resolve(None, [GAME.wager("fan", "1")], void=Void("exposed_card"))
        assert (void.result, void.returns) == ("void", 1)


class TestRidesOnThreePictures:
    """001 L815: the twelve cards are those of the 3 Pictures table."""

    def dealt(self, seed: int) -> dict[str, Any]:
        return PICTURES.deal(iter(Random(seed).sample(DECK, 52)), lambda faces: 1)

    def test_takes_the_cards_in_the_order_of_dealing(self) -> None:
        deal = ["JS", "2S", "9S", "4D", "QH", "3H", "TH", "4C", "KD", "4S", "QC", "KC"]
        raw = fan_tan.from_pictures(PICTURES.read({"deal": deal}), 8)
        assert raw == {"cards": deal, "die": 8}
        assert "super_hand" in GAME.read(raw).facts

    def test_a_swap_changes_nothing(self) -> None:
        """C-51."""
        for seed in range(50):
            straight = self.dealt(seed)
            reverse = pictures.swapped(straight)
            rounds = [
                GAME.read(fan_tan.from_pictures(PICTURES.read(raw), 5))
                for raw in (straight, reverse)
            ]
            assert rounds[0] == rounds[1]

    def test_hands_entered_the_other_way_round_add_up_alike(self) -> None:
        raw = self.dealt(3)
        other = raw | {"player1": raw["player3"], "player3": raw["player1"]}
        first, second = (
            GAME.read(fan_tan.from_pictures(PICTURES.read(hands), 5)) for hands in (raw, other)
        )
        assert first.canonical != second.canonical
        assert first.facts == second.facts

    def test_an_edited_card_changes_the_number(self) -> None:
        raw = self.dealt(3)
        cards = [card for hand in raw.values() for card in hand]
        edited = raw | {"dealer": [*raw["dealer"][:2], self._next_up(raw["dealer"][2], cards)]}
        before, after = (
            fan_tan.fan(fan_tan.total(PICTURES.read(hands).cards)) for hands in (raw, edited)
        )
        assert after == before % 4 + 1

    def _next_up(self, card: str, dealt: list[str]) -> str:
        higher = "A23456789TJQKA"["A23456789TJQK".index(card[0]) + 1]
        return next(higher + suit for suit in "SHDC" if higher + suit not in dealt)

    def test_the_same_incidents_are_printed_for_both(self) -> None:
        """001 L929-948; the swap is printed here too and has no effect (C-51)."""
        for code, ground in PICTURES.grounds.items():
            assert GAME.grounds[code].actions == ground.actions
        assert GAME.grounds["reverse_dealing"].actions == ("swap", "discretion")
        assert GAME.grounds["shuffler_jam"].source == "001 L929-948, clause 5"

    def test_a_deal_burns_four_cards_and_rolls_the_die(self) -> None:
        """001 L834, L932."""
        raw = GAME.deal(iter(DECK), lambda faces: faces - 3)
        assert raw == {"cards": list(DECK[4:16]), "die": 9}


class TestHouseEdge:
    def edge(self, bet: str, selection: str = "") -> Fraction:
        [found] = [
            row.house_edge
            for row in edges(GAME)
            if (row.wager.bet, row.wager.selection) == (bet, selection)
        ]
        assert found is not None
        return found

    def test_every_way_to_draw_twelve_cards_is_counted(self) -> None:
        assert {total: count for total, (count, _) in weighted_sums().items()} == ways()
        assert ways().total() == comb(52, 12) == 206_379_406_870
        assert (min(ways()), max(ways())) == (24, 144)

    def test_an_example_adds_up_to_its_sum(self) -> None:
        for total, (_, cards) in weighted_sums().items():
            assert sum(VALUES[card[0]] for card in cards) == total
            assert len(set(cards)) == 12

    def test_even_numbers_are_a_trifle_rarer(self) -> None:
        """With x = -1 the generating function is (1-y)^28 (1+y)^24 = (1-y²)^24 (1-y)^4."""
        surplus = comb(24, 6) - comb(24, 5) * comb(4, 2) + comb(24, 4)
        even = sum(count for total, count in ways().items() if total % 2 == 0)
        assert 2 * even - comb(52, 12) == surplus == -109_802
        assert self.edge("even") == 1 - Fraction("1.95") * Fraction(even, comb(52, 12))

    def test_numbers_come_to_a_quarter_each(self) -> None:
        chances = {
            number: Fraction(
                sum(count for total, count in ways().items() if total % 4 == number % 4),
                comb(52, 12),
            )
            for number in (1, 2, 3, 4)
        }
        assert [f"{float(chance * 100):.5f}" for chance in chances.values()] == [
            "25.00001",
            "24.99999",
            "25.00001",
            "24.99999",
        ]
        for number, chance in chances.items():
            odds = Fraction("3.85") * Fraction(10, 12) + 4 * Fraction(2, 12)
            assert self.edge("fan", str(number)) == 1 - odds * chance
        for win, push in permutations((1, 2, 3, 4), 2):
            edge = 1 - Fraction("2.9") * chances[win] - chances[push]
            assert self.edge("nim", f"{win}-{push}") == edge

    @pytest.mark.parametrize(
        ("bet", "selection", "percent"),
        [
            ("fan", "1", 3.1250),
            ("nim", "1-2", 2.5000),
            ("kwok", "1-4", 2.5000),
            ("odd", "", 2.5000),
            ("small", "", 5.1305),
            ("big", "", 5.1305),
            ("tie", "", 17.9117),
        ],
    )
    def test_known_edges(self, bet: str, selection: str, percent: float) -> None:
        """To the fourth decimal of a percentage, where the number bets are stated as even."""
        assert abs(float(self.edge(bet, selection) * 100) - percent) < 0.0001

    def test_small_big_and_tie_share_the_sums(self) -> None:
        tie = Fraction(sum(ways()[total] for total in (83, 84, 85)), comb(52, 12))
        small = Fraction(sum(ways()[total] for total in range(24, 83)), comb(52, 12))
        assert self.edge("tie") == 1 - 8 * tie
        assert self.edge("small") == self.edge("big") == 1 - 2 * small - tie / 2
