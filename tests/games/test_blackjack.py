"""Blackjack settled, clause by clause. Line numbers are those of 001 unless 000 or 004 is said."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from games.families.blackjack.hands import total
from games.refusals import Refused
from games.rulebook import Game, Result
from tests.games.blackjack_layout import (
    CLUB_A,
    CLUB_B,
    EURO,
    clubs,
    every_book,
    laid,
    resolved,
    returns,
)

BLACKJACK, WIN, PUSH, LOST = Fraction(5, 2), Fraction(2), Fraction(1), Fraction(0)


@every_book
class TestTheHand:
    @pytest.mark.parametrize(
        ("dealer", "box", "play", "returned"),
        [
            ("TD 7C", "TS 8H", "S", WIN),  # L626: closer to 21
            ("TD 8C", "TS 7H", "S", LOST),
            ("6D TC 9S", "TS 3H", "S", WIN),  # the Dealer is bust
            ("6D TC 9S", "TS 6H 7D", "H", LOST),  # L627: a bust loses, whatever the Dealer has
            ("TD 7C", "TS 7H", "S", PUSH),  # L628: the same total, 17
            ("TD QC", "TS 5H 5D", "HS", PUSH),  # 20
            ("TD 5C 6S", "TS 5H 6D", "H", PUSH),  # 21
            ("9S TD", "AS KH", "S", BLACKJACK),  # L625, L711
            ("TD 5C 6S", "AS KH", "S", BLACKJACK),  # L628: blackjack beats 21
            ("AD QC", "AS KH", "S", PUSH),  # L636: blackjack on both sides
            ("TD AC", "AS KH", "S", PUSH),
            ("AD QC", "TS 9H", "S", LOST),
            ("KD AC", "TS 9H", "S", LOST),
            ("9D TC", "AS 8H", "S", PUSH),  # soft 19
            ("AD 6C", "TS 8H", "S", WIN),  # L632: the Dealer stands on soft 17
            ("2D 2C 2S 3D 8S", "TS 8H", "S", WIN),
        ],
    )
    def test_ante(self, game: Game, dealer: str, box: str, play: str, returned: Fraction) -> None:
        assert returns(game, laid(dealer, box), "ante", "box1", play) == returned

    def test_dealer_blackjack_beats_21_in_three_cards(self, game: Game) -> None:
        """004 2.2; L628."""
        assert returns(game, laid("TD AC", "5S 6H TD"), "ante", "box1", "H") == LOST

    def test_no_decision_in_time_stands(self, game: Game) -> None:
        """L647, L739; 004 3.5.iii."""
        raw = laid("TD 7C", "TS 8H 9D")
        assert returns(game, raw, "ante", "box1", None) == WIN
        assert returns(game, laid("TD 7C", "TS 2H 3D 4H"), "ante", "box1", "H") == LOST

    def test_two_tickets_on_one_box_have_their_own_hands(self, game: Game) -> None:
        """L619: who stands does not receive the card that the other one takes."""
        raw = laid("TD 7C", "6S 5H 4D 9C")
        returned = {play: returns(game, raw, "ante", "box1", play) for play in ("S", "HS", "HH")}
        assert returned == {"S": LOST, "HS": LOST, "HH": LOST}
        raw = laid("TD 7C", "6S 5H 4D 3C")
        returned = {play: returns(game, raw, "ante", "box1", play) for play in ("S", "HS", "HHS")}
        assert returned == {"S": LOST, "HS": LOST, "HHS": WIN}
        assert returns(game, raw, "ante", "box1", "D") == LOST
        assert returns(game, raw, "double", "box1", "D") == LOST

    def test_a_double_takes_one_card_and_pays_its_own_line(self, game: Game) -> None:
        """L678-681: two lines of one stake, settled alike."""
        for dealer, returned in (("TD 7C", WIN), ("TD QC", PUSH), ("TD 5C 6S", LOST)):
            raw = laid(dealer, "6S 5H 9D")
            assert returns(game, raw, "ante", "box1", "D") == returned
            assert returns(game, raw, "double", "box1", "D") == returned

    def test_a_double_against_an_ace_with_blackjack_loses_both(self, game: Game) -> None:
        """L638; in euro the round is over before anybody doubles (004 3.7)."""
        raw = laid("AD QC", "6S 5H 9D")
        if game is EURO:
            with pytest.raises(Refused, match="played on against an ace"):
                game.read(raw)
            return
        assert returns(game, raw, "ante", "box1", "D") == LOST
        assert returns(game, raw, "double", "box1", "D") == LOST

    @pytest.mark.parametrize("ten", ["TD", "JD", "QD", "KD"])
    def test_a_double_against_a_ten_with_blackjack(self, game: Game, ten: str) -> None:
        """L638: the clubs return the double; C-45, R-9: euro takes every stake."""
        raw = laid(f"{ten} AC", "6S 5H TD")
        assert returns(game, raw, "ante", "box1", "D") == LOST
        assert returns(game, raw, "double", "box1", "D") == (LOST if game is EURO else PUSH)

    def test_split_hands_win_and_lose_by_themselves(self, game: Game) -> None:
        """L651: the Ante is hand 1, the split stake hand 2."""
        raw = laid("TD 7C", "8S KD / 8H 2D 8C")
        assert returns(game, raw, "ante", "box1", "P[S][HS]") == WIN
        assert returns(game, raw, "split", "box1", "P[S][HS]") == WIN
        raw = laid("TD 9C", "8S KD / 8H 5D 8C")
        assert returns(game, raw, "ante", "box1", "P[S][H]") == LOST
        assert returns(game, raw, "split", "box1", "P[S][H]") == WIN
        assert returns(game, raw, "split", "box1", "P[S][S]") == LOST
        raw = laid("TD 8C", "8S KD / 8H 5D 9C")
        assert returns(game, raw, "ante", "box1", "P[S][H]") == PUSH
        assert returns(game, raw, "split", "box1", "P[S][H]") == LOST

    def test_an_ace_and_a_ten_after_a_split_are_21(self, game: Game) -> None:
        """L656, 004 2.7: not blackjack, so 1:1, and 21 pushes."""
        raw = laid("TD 7C", "AS KD / AH 6D")
        assert returns(game, raw, "ante", "box1", "P[S][S]") == WIN
        assert returns(game, raw, "split", "box1", "P[][]") == PUSH
        raw = laid("TD 5C 6S", "AS KD / AH 6D")
        assert returns(game, raw, "ante", "box1", "P[S][S]") == PUSH

    @pytest.mark.parametrize("up", ["TD", "KD"])
    def test_both_split_stakes_lose_to_a_ten_with_blackjack(self, game: Game, up: str) -> None:
        """C-35, C-45: only a double comes back, and only in the clubs."""
        raw = laid(f"{up} AC", "8S KD / 8H 2D")
        assert returns(game, raw, "ante", "box1", "P[S][S]") == LOST
        assert returns(game, raw, "split", "box1", "P[S][S]") == LOST
        raw = laid(f"{up} AC", "AS KD / AH 2D")
        assert returns(game, raw, "ante", "box1", "P[][]") == LOST

    def test_insurance_pays_two_to_one_on_dealer_blackjack(self, game: Game) -> None:
        """L686, L710; 004 2.5.3. It does not depend on the hand."""
        won = resolved(game, laid("AD TC", "TS 9H"), "insurance", "box1")
        assert (won.returns, won.odds) == (3, "2:1")
        assert returns(game, laid("AD 5C 5S", "TS 9H"), "insurance", "box1") == LOST
        assert returns(game, laid("AD 6C", "TS 2H TC"), "insurance", "box1") == LOST

    def test_insurance_beside_an_own_blackjack(self, game: Game) -> None:
        """004 2.5.1: the hand pushes, the insurance wins."""
        raw = laid("AD TC", "AS KH")
        assert returns(game, raw, "ante", "box1", "S") == PUSH
        assert returns(game, raw, "insurance", "box1") == 3

    def test_insurance_exists_only_against_an_ace(self, game: Game) -> None:
        with pytest.raises(Refused, match="only against an ace") as refused:
            resolved(game, laid("TD AC", "TS 9H"), "insurance", "box1")
        assert refused.value.code == "not_offered"

    def test_a_box_without_cards_settles_nothing(self, game: Game) -> None:
        for bet in ("ante", "insurance"):
            with pytest.raises(Refused, match="Box 2 holds no cards") as refused:
                resolved(game, laid("AD 7C", "TS 9H"), bet, "box2")
            assert refused.value.code == "invalid_outcome"

    def test_a_hand_that_waits_needs_a_dealer_who_drew(self, game: Game) -> None:
        """The box went bust for whoever hit; who stood on it waits for the Dealer's total."""
        raw = laid("6D TC", "TS 6H 7D")
        assert returns(game, raw, "ante", "box1", "H") == LOST
        with pytest.raises(Refused, match="did not draw on 16, and 16 in box 1 waits"):
            resolved(game, raw, "ante", "box1", "S")


@clubs
class TestTheClubs:
    @pytest.mark.parametrize("pair", ["AS AH", "8S 8H"])
    def test_a_fold_returns_the_ante_in_full(self, game: Game, pair: str) -> None:
        """L651, L712, C-36; so does no decision in time (L647, L739)."""
        for dealer in ("TD AC", "AD KC", "TD 9C", "6D TC TS"):
            for play in ("F", None):
                verdict = resolved(game, laid(dealer, pair), "ante", "box1", play)
                assert (verdict.result, verdict.returns) == (Result.PUSH, 1)
                assert verdict.why == "Box 1 folded: stake returned"

    def test_who_folds_beside_a_ticket_that_splits(self, game: Game) -> None:
        raw = laid("TD 9C", "8S KD / 8H 3D 9C")
        for play in ("F", None):
            assert returns(game, raw, "ante", "box1", play) == PUSH

    def test_a_pair_bet_stands_although_the_ante_was_folded(self, game: Game) -> None:
        raw = laid("6D TC TS", "8S 8H")
        assert returns(game, raw, "player_perfect_pair", "box1") == 7

    def test_a_split_8_may_be_doubled_on_11(self, game: Game) -> None:
        """L635."""
        raw = laid("TD 9C", "8S 3D KC / 8H 3H 5C")
        play = "P[D][D]"
        assert returns(game, raw, "ante", "box1", play) == WIN
        assert returns(game, raw, "double", "box1/1", play) == WIN
        assert returns(game, raw, "split", "box1", play) == LOST
        assert returns(game, raw, "double", "box1/2", play) == LOST

    def test_a_doubled_split_hand_gets_only_its_double_back(self, game: Game) -> None:
        """L638 with C-35."""
        raw = laid("TD AC", "8S 3D KC / 8H 3H 5C")
        for bet, selection, returned in (
            ("ante", "box1", LOST),
            ("split", "box1", LOST),
            ("double", "box1/1", PUSH),
            ("double", "box1/2", PUSH),
        ):
            assert returns(game, raw, bet, selection, "P[D][D]") == returned

    EIGHT = "2S 2H 2D 2C 3S AH AS AD"

    @pytest.mark.parametrize("dealer", ["TD 5C 6S", "TD 8C", "6D TC"])
    def test_eight_cards_win(self, game: Game, dealer: str) -> None:
        """L639, C-37: 14 on eight cards wins, even against 21."""
        for play in ("HHHHHH", "HHHHHHS"):
            verdict = resolved(game, laid(dealer, self.EIGHT), "ante", "box1", play)
            assert (verdict.returns, verdict.odds) == (WIN, "1:1")

    @pytest.mark.parametrize("dealer", ["TD AC", "AD TC"])
    def test_eight_cards_lose_to_a_dealer_blackjack(self, game: Game, dealer: str) -> None:
        assert returns(game, laid(dealer, self.EIGHT), "ante", "box1", "HHHHHH") == LOST

    def test_seven_cards_are_a_hand_like_any_other(self, game: Game) -> None:
        assert returns(game, laid("TD 8C", self.EIGHT), "ante", "box1", "HHHHHS") == LOST

    def test_eight_cards_of_a_split_hand_win(self, game: Game) -> None:
        raw = laid("TD 5C 6S", "8S 2D 2C 2H AS AD AC 2S / 8H TS")
        assert returns(game, raw, "ante", "box1", "P[HHHHHH][S]") == WIN
        raw = laid("TD 5C 6S", "8H TS / 8S 2D 2C 2H AS AD AC 2S")
        assert returns(game, raw, "split", "box1", "P[S][HHHHHH]") == WIN

    @pytest.mark.parametrize(
        ("cards", "returned"),
        [
            ("4D 4D", 26),  # L700: one suit
            ("4D 4H", 13),  # L701: one color
            ("4S 4C", 13),
            ("4D 4S", 7),  # L702
            ("4D 4C", 7),
            ("4D 5D", 0),
            ("KD QD", 0),  # C-9: by rank
        ],
    )
    def test_perfect_pairs(self, game: Game, cards: str, returned: int) -> None:
        boxed = laid("TD 7C", "", cards)
        assert returns(game, boxed, "player_perfect_pair", "box2") == returned
        # The Dealer drew although the only box has blackjack: needless, and without effect.
        up, second = cards.split()
        outcome = laid(f"{up} {second}", "AS KH")
        assert returns(game, outcome, "dealer_perfect_pair", "") == returned

    def test_the_pair_of_a_split_box_is_its_first_two_cards(self, game: Game) -> None:
        raw = laid("TD 7C", "8S 8D / 8C TS")
        assert returns(game, raw, "player_perfect_pair", "box1") == 13

    def test_a_third_card_makes_no_pair(self, game: Game) -> None:
        raw = laid("4D TC 4H", "3S 2D 3H TS")
        assert returns(game, raw, "player_perfect_pair", "box1") == 0
        assert returns(game, raw, "dealer_perfect_pair", "") == 0


class TestEuro:
    def test_eight_cards_are_a_hand_like_any_other(self) -> None:
        raw = laid("TD 5C 6S", TestTheClubs.EIGHT)
        assert returns(EURO, raw, "ante", "box1", "HHHHHHS") == LOST

    def test_two_cards_of_one_value_may_be_split(self) -> None:
        """C-46: king and queen; a ten with an ace is then 21."""
        raw = laid("TD 5C 6S", "KS AD / QH 9D")
        assert returns(EURO, raw, "ante", "box1", "P[][S]") == PUSH
        assert returns(EURO, raw, "split", "box1", "P[][S]") == LOST

    def test_a_pair_of_8s_may_be_played_like_any_hand(self) -> None:
        raw = laid("TD 7C", "8S 8D 4H")
        assert returns(EURO, raw, "ante", "box1", "HS") == WIN
        assert returns(EURO, raw, "ante", "box1", None) == LOST

    def test_who_stands_on_a_pair_that_another_ticket_splits(self) -> None:
        raw = laid("TD 7C", "TS 2D 9C / TH 5D 3C")
        assert returns(EURO, raw, "ante", "box1", "S") == WIN
        assert returns(EURO, raw, "ante", "box1", None) == WIN

    def test_any_two_cards_may_be_doubled(self) -> None:
        """004 2.6; a doubled hand may go bust, also against a blackjack."""
        raw = laid("TD 9C", "TS 6H 7D")
        assert returns(EURO, raw, "double", "box1", "D") == LOST
        assert returns(EURO, laid("6D TC 9S", "TS 5H 2D"), "double", "box1", "D") == WIN

    def test_seven_boxes(self) -> None:
        """004 1.2.1."""
        raw = laid("TD 7C", *["TS 8H"] * 7)
        assert returns(EURO, raw, "ante", "box7", "S") == WIN

    def test_no_pair_bet_is_printed(self) -> None:
        assert set(EURO.bets) == {"ante", "split", "double", "insurance"}


class TestReasons:
    """A reason names the ticket's own hand beside the Dealer's."""

    @pytest.mark.parametrize(
        ("raw", "wager", "why"),
        [
            (laid("TD 7C", "TS 8H"), ("ante", "box1", "S"), "18 in box 1 beats Dealer 17"),
            (laid("TD 8C", "TS 7H"), ("ante", "box1", "S"), "Dealer 18 beats 17 in box 1"),
            (
                laid("TD 7C", "TS 7H"),
                ("ante", "box1", "S"),
                "17 in box 1 and with the Dealer: stake returned",
            ),
            (laid("6D TC 9S", "TS 7H"), ("ante", "box1", "S"), "Dealer bust with 25, 17 in box 1"),
            (laid("6D TC", "TS 6H 7D"), ("ante", "box1", "H"), "Box 1: bust with 23"),
            (laid("6D TC 2D", "AS KD"), ("ante", "box1", "S"), "Blackjack in box 1, Dealer 18"),
            (laid("TD AC", "TS 7H"), ("ante", "box1", "S"), "Dealer blackjack beats 17 in box 1"),
            (
                laid("TD AC", "AS KH"),
                ("ante", "box1", "S"),
                "Blackjack in box 1 and with the Dealer: stake returned",
            ),
            (
                laid("TD 9C", "8S KD / 8H 3H 5C"),
                ("split", "box1", "P[S][D]"),
                "Dealer 19 beats 16 in box 1, hand 2",
            ),
            (
                laid("TD AC", "6S 5H TD"),
                ("double", "box1", "D"),
                "The Dealer has blackjack with a ten face up: stake returned",
            ),
            (laid("AD 7C", "TS 8H"), ("insurance", "box1"), "The Dealer has no blackjack"),
        ],
    )
    def test_reason(self, raw: Any, wager: tuple[str, ...], why: str) -> None:
        assert resolved(CLUB_B, raw, *wager).why == why


class TestJam:
    """L734-737, C-38: what was won before the jam is paid, everything else goes back."""

    JAM = "shuffler_jam"

    @clubs
    @pytest.mark.parametrize(
        ("up", "returned"), [("9D", BLACKJACK), ("2D", BLACKJACK), ("TD", 1), ("KD", 1), ("AD", 1)]
    )
    def test_a_blackjack_already_dealt(self, game: Game, up: str, returned: Fraction) -> None:
        raw = laid(up, "AS KH", "TS 9H 2D")
        for play in (None, "S"):
            verdict = resolved(game, raw, "ante", "box1", play, self.JAM)
            assert verdict.returns == returned
            assert verdict.result == (Result.WIN if returned > 1 else Result.VOID)
            if returned > 1:
                assert verdict.why == f"Blackjack in box 1, Dealer shows {up}"
        assert resolved(game, raw, "ante", "box2", "HS", self.JAM).result == Result.VOID

    @clubs
    def test_a_blackjack_before_the_dealer_has_a_card(self, game: Game) -> None:
        raw = {"boxes": {"1": {"cards": ["AS", "KH"]}}}
        assert resolved(game, raw, "ante", "box1", None, self.JAM).result == Result.VOID

    @clubs
    def test_an_ace_alone_is_no_blackjack(self, game: Game) -> None:
        raw = laid("9D", "AS")
        assert resolved(game, raw, "ante", "box1", None, self.JAM).result == Result.VOID

    @clubs
    def test_pairs_already_met_are_paid_and_others_go_back(self, game: Game) -> None:
        raw = laid("9D", "4D 4H", "4D 5H", "4D")
        for selection, returned in (("box1", 13), ("box2", 1), ("box3", 1), ("box4", 1)):
            verdict = resolved(game, raw, "player_perfect_pair", selection, None, self.JAM)
            assert verdict.returns == returned

    @clubs
    def test_the_dealers_pair_only_with_both_cards_out(self, game: Game) -> None:
        one, both = laid("9D", "TS 2H TD"), laid("9D 9D", "TS 2H")
        assert resolved(game, one, "dealer_perfect_pair", "", None, self.JAM).returns == 1
        assert resolved(game, both, "dealer_perfect_pair", "", None, self.JAM).returns == 26

    @clubs
    def test_the_other_stakes_go_back_whatever_was_played(self, game: Game) -> None:
        raw = laid("AD", "8S 3D / 8H", "6S 5H")
        for wager in (
            ("ante", "box1", "P[D][S]"),
            ("split", "box1", "P[D][S]"),
            ("double", "box1/1", "P[D][S]"),
            ("double", "box2", "D"),
            ("insurance", "box2", None),
            ("ante", "box4", "HHHS"),
        ):
            assert resolved(game, raw, *wager, self.JAM).result == Result.VOID

    @clubs
    def test_a_complete_round_is_read_as_strictly(self, game: Game) -> None:
        """The Dealer's first card decides, also when the second one is out."""
        low, ten = laid("9D TC", "AS KH"), laid("TD 9C", "AS KH")
        assert resolved(game, low, "ante", "box1", "S", self.JAM).returns == BLACKJACK
        assert resolved(game, ten, "ante", "box1", "S", self.JAM).returns == 1
        beaten = laid("TD 9C", "TS 8H")
        assert resolved(game, beaten, "ante", "box1", "S", self.JAM).returns == 1

    @clubs
    def test_another_ground_pays_nothing(self, game: Game) -> None:
        raw = laid("9D", "AS KH")
        assert resolved(game, raw, "ante", "box1", None, "exposed_card").result == Result.VOID

    def test_an_unfinished_hand_says_nothing_more_than_its_cards(self) -> None:
        outcome = CLUB_A.read(laid("9D", "4D 4H"), unfinished=True)
        assert outcome.facts == {"colored_pair:box1"}
        assert outcome.cards == ("4D", "4H", "9D")
        assert outcome.canonical == laid("9D", "4D 4H")
        assert CLUB_A.read(outcome.canonical, unfinished=True) == outcome

    def test_euro_prints_no_jam(self) -> None:
        assert "shuffler_jam" not in EURO.grounds


@every_book
def test_every_pair_of_totals_is_settled_by_comparison(game: Game) -> None:
    """All hands from 4 to 21 against all totals of the Dealer, bust included."""
    dealers = {17: "TD 7C", 18: "TD 8C", 19: "TD 9C", 20: "TD KC", 21: "TD 5C 6S", 22: "TD 6C 6S"}
    hands = ["2S 2H", "2S 3H", "2S 4H", "2S 5H", "2S 6H", "2S 7H", "2S 8H", "2S 9H", "TS 2H"]
    hands += ["TS 3H", "TS 4H", "TS 5H", "TS 6H", "TS 7H", "TS 8H", "TS 9H", "TS KH", "TS 5H 6D"]
    for box in hands:
        mine = total(tuple(box.split()))
        for dealer, cards in dealers.items():
            played = "H" if len(box.split()) == 3 else "S"
            returned = returns(game, laid(cards, box), "ante", "box1", played)
            if dealer > 21 or mine > dealer:
                assert returned == WIN
            else:
                assert returned == (PUSH if mine == dealer else LOST)
