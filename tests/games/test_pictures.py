"""The two three-picture games, clause by clause."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from games.cards import DECK
from games.families import pictures
from games.refusals import Refused
from games.rulebook import Game, Result, Void
from tests.games.pictures_as_printed import (
    PLAYERS,
    SUPER,
    THREE,
    Cards,
    dealt,
    expected,
    expected_of_two,
    resolved,
    returns,
    two,
)


def fault(game: Game, raw: Any) -> Refused:
    with pytest.raises(Refused) as refused:
        game.read(raw)
    assert refused.value.code == "invalid_outcome"
    return refused.value


class TestSuperThreePictures:
    @pytest.mark.parametrize(
        ("hands", "player", "banker", "tie"),
        [
            (two("JS 3H 6D", "QS TH 9D"), 1, 1, 19),  # the printed example, 000 L747-748
            (two("JS QH 9D", "QS TH 9H"), 2, 0, 0),
            (two("9S TH TD", "KS 4H 5D"), 0, 2, 0),
            (two("JS QH 6D", "2S 2H AD"), Fraction(3, 2), 0, 0),
            (two("JS 3H 3D", "2S 2H AD"), Fraction(3, 2), 0, 0),
            (two("2S 2H 2D", "3S AH AD"), Fraction(3, 2), 0, 0),
            (two("3S AH AD", "2S 2H 2D"), 0, Fraction(3, 2), 0),
            (two("JS QH 6D", "2S 2H 2D"), Fraction(3, 2), 0, 0),  # six against six
            (two("JS QH 7D", "2S 2H 2D"), 2, 0, 0),  # a losing six halves nothing
            (two("JS QH KD", "KS QS JH"), 1, 1, 19),
        ],
    )
    def test_mains_and_tie(self, hands: Any, player: Fraction, banker: Fraction, tie: int) -> None:
        """000 L742-748, C-26."""
        paid = returns(SUPER, hands)
        assert (paid["player_win", ""], paid["banker_win", ""], paid["tie", ""]) == (
            player,
            banker,
            tie,
        )

    def test_bets_stand_in_the_printed_order(self) -> None:
        assert list(SUPER.bets) == [
            "player_win",
            "banker_win",
            "tie",
            "player_three_pictures",
            "banker_three_pictures",
            "player_pair_plus",
            "banker_pair_plus",
        ]

    def test_each_hand_has_its_own_side_bets(self) -> None:
        paid = resolved(SUPER, two("4S 5S 6S", "KS QH TD"))
        assert paid["player_pair_plus", ""].odds == "40:1"
        assert paid["banker_pair_plus", ""].result == Result.LOSE
        assert paid["banker_pair_plus", ""].why == "Banker has no pair or better"
        paid = resolved(SUPER, two("KS QH TD", "JS QD KH"))
        assert paid["player_three_pictures", ""].why == "Player's cards are not three pictures"
        assert paid["banker_three_pictures", ""].why == "Banker has three pictures"
        assert paid["banker_pair_plus", ""].odds == "5:1"

    def test_the_result_is_told_by_the_names_of_the_list(self) -> None:
        assert SUPER.read(two("JS 3H 6D", "QS TH 9D")).headline == "Tie on Single Knight Nine"
        banker_wins = SUPER.read(two("QS KH 5D", "2S 2H 3D"))
        assert banker_wins.headline == "Banker Plain Seven beats Player Double Knights Five"
        assert banker_wins.winner == "banker"
        half = resolved(SUPER, two("2S 2H 2D", "3S AH AD"))["player_win", ""]
        assert (half.odds, half.why) == ("1:2", "Player beats Banker on a six")

    def test_reverse_dealing_voids_and_swaps_nothing(self) -> None:
        """C-28: there is no Player 1 or 3 to exchange."""
        assert SUPER.grounds["reverse_dealing"].actions == ("void_hand", "discretion")
        assert fault(SUPER, two("JS 3H 6D", "QS TH 9D") | {"reverse_dealt": True}).field == (
            "reverse_dealt"
        )

    def test_random_deals(self) -> None:
        for seed in range(300):
            raw = dealt(seed, SUPER)
            player, banker = tuple(raw["player"]), tuple(raw["banker"])
            assert returns(SUPER, raw) == expected_of_two(player, banker)


class TestThreePictures:
    def test_random_deals(self) -> None:
        for seed in range(500):
            raw = dealt(seed)
            hands = {name: tuple(cards) for name, cards in raw.items()}
            assert returns(THREE, raw) == expected(hands)

    def test_bets_and_boxes_stand_in_the_printed_order(self) -> None:
        assert {code: bet.selections for code, bet in THREE.bets.items()} == {
            "win": PLAYERS,
            "lose": PLAYERS,
            "tie": PLAYERS,
            "three_knights": PLAYERS,
            "pair_plus": (*PLAYERS, "dealer"),
        }
        assert list(THREE.bets) == ["win", "lose", "tie", "three_knights", "pair_plus"]
        with pytest.raises(Refused, match="3 Knights has no selection 'dealer'"):
            THREE.wager("three_knights", "dealer")

    def test_every_bet_wins_loses_and_pushes_in_some_deal(self) -> None:
        seen: dict[tuple[str, str], set[Result]] = {}
        for seed in range(4_000):
            for key, verdict in resolved(THREE, dealt(seed)).items():
                seen.setdefault(key, set()).add(verdict.result)
        for (bet, _), results in seen.items():
            push = {Result.PUSH} if bet in ("win", "lose") else set()
            assert results == {Result.WIN, Result.LOSE} | push

    def test_a_box_settles_against_the_dealer_alone(self) -> None:
        raw = {
            "player1": ["2S", "2H", "2D"],
            "player2": ["9S", "TC", "TD"],
            "player3": ["3S", "AH", "KD"],
            "dealer": ["QS", "KH", "5D"],
        }
        paid = resolved(THREE, raw)
        assert [paid["win", player].odds for player in PLAYERS] == ["1:2", "1:1", ""]
        assert [paid["lose", player].odds for player in PLAYERS] == ["", "", "1:1"]
        assert paid["win", "player1"].why == "Player 1 beats Dealer on a six"
        assert paid["lose", "player3"].why == "Dealer beats Player 3"
        assert THREE.read(raw).headline == (
            "Player 1 Plain Six wins, Player 2 Plain Nine wins, "
            "Player 3 Single Knight Four loses; Dealer Double Knights Five"
        )

    def test_a_deal_is_given_out_one_card_at_a_time(self) -> None:
        """001 L538."""
        deal = ["JS", "2S", "9S", "4D", "QH", "3H", "TH", "4C", "KD", "4S", "QC", "KC"]
        outcome = THREE.read({"deal": deal})
        assert outcome.canonical == {
            "player1": ["JS", "QH", "KD"],
            "player2": ["2S", "3H", "4S"],
            "player3": ["9S", "TH", "QC"],
            "dealer": ["4D", "4C", "KC"],
        }
        assert outcome.cards == tuple(deal)
        assert THREE.read(outcome.canonical) == outcome

    def test_four_cards_are_burned_before_a_hand(self) -> None:
        """001 L599; document 000 burns none (C-28)."""
        assert THREE.deal(iter(DECK), lambda faces: 1)["player1"] == [DECK[4], DECK[8], DECK[12]]
        assert SUPER.deal(iter(DECK), lambda faces: 1)["player"] == [DECK[0], DECK[2], DECK[4]]

    def test_a_headline_fits_its_place(self) -> None:
        longest = THREE.read(
            {
                "player1": ["JS", "QS", "7S"],
                "player2": ["JH", "QH", "7H"],
                "player3": ["JD", "QD", "7D"],
                "dealer": ["JC", "QC", "7C"],
                "reverse_dealt": True,
            }
        ).headline
        assert len(longest) <= 200


class TestReverseDealing:
    """001 L610, C-29: the results of Player 1 and Player 3 are exchanged, no others."""

    def test_exchanges_every_bet_of_player_1_and_player_3(self) -> None:
        other = {"player1": "player3", "player3": "player1"}
        for seed in range(200):
            raw = dealt(seed)
            before = returns(THREE, raw)
            after = returns(THREE, pictures.swapped(raw))
            assert after == {
                (bet, name): before[bet, other.get(name, name)] for bet, name in before
            }

    def test_twice_is_nothing(self) -> None:
        for seed in range(50):
            straight = THREE.read(dealt(seed)).canonical
            reverse = THREE.read(pictures.swapped(straight)).canonical
            assert reverse == straight | {"reverse_dealt": True}
            assert pictures.swapped(reverse) == straight

    def test_a_scanned_deal_is_exchanged_alike(self) -> None:
        for seed in range(50):
            deal = list(THREE.read(dealt(seed)).cards)
            reverse = THREE.read({"deal": deal, "reverse_dealt": True})
            straight = THREE.read({"deal": deal, "reverse_dealt": False})
            assert THREE.read(pictures.swapped(straight.canonical)) == reverse
            assert reverse.cards == straight.cards

    def test_the_record_keeps_the_hands_as_they_were_taken(self) -> None:
        raw = dealt(7)
        outcome = THREE.read(raw | {"reverse_dealt": True})
        assert outcome.canonical == raw | {"reverse_dealt": True}
        assert outcome.detail["player1"] == tuple(raw["player3"])
        assert outcome.detail["player2"] == tuple(raw["player2"])
        assert outcome.headline.endswith("; Player 1 and 3 exchanged")
        assert THREE.read(outcome.canonical) == outcome

    def test_the_book_allows_the_swap_and_discretion(self) -> None:
        ground = THREE.grounds["reverse_dealing"]
        assert ground.actions == ("swap", "discretion")
        assert ground.source == "001 L596-615, clause 4"


class TestWhatCannotBe:
    @pytest.mark.parametrize(
        "raw",
        [
            None,
            [],
            {},
            {"player": ["KS", "QH", "TD"]},
            two("KS QH TD", "5S 5D"),
            two("KS QH TD", "5S 5D 9S 9D"),
            two("KS QH TD", "5S 5D 1S"),
            two("KS QH TD", "5S 5D KS"),
            two("KS KS TD", "5S 5D 9S"),
            two("KS QH TD", "5S 5D 9S") | {"dealer": ["2S", "2H", "2D"]},
            {"deal": ["KS", "QH", "TD", "5S", "5D", "9S"]},
        ],
    )
    def test_is_refused_in_super_3_pictures(self, raw: Any) -> None:
        assert fault(SUPER, raw).ground is None

    @pytest.mark.parametrize(
        "change",
        [
            {"player1": ["KS", "QH", "TD"], "dealer": ["KS", "2H", "3D"]},
            {"player1": ["KS", "QH"]},
            {"player1": "KSQHTD"},
            {"reverse_dealt": "yes"},
            {"reverse_dealt": 1},
            {"reverse_dealt": None},
            {"player4": ["KS", "QH", "TD"]},
            {"deal": list(DECK[:12])},
        ],
    )
    def test_is_refused_in_3_pictures(self, change: dict[str, Any]) -> None:
        raw = {
            "player1": ["AS", "AH", "AD"],
            "player2": ["2S", "2H", "2D"],
            "player3": ["3S", "3H", "3D"],
            "dealer": ["4S", "4H", "4D"],
        }
        assert THREE.read(raw)
        assert fault(THREE, raw | change).ground is None

    @pytest.mark.parametrize("cards", [DECK[:11], DECK[:13], (*DECK[:11], DECK[0])])
    def test_a_deal_is_twelve_different_cards(self, cards: Cards) -> None:
        assert fault(THREE, {"deal": list(cards)})

    def test_faults_are_named(self) -> None:
        """One deck: no card comes twice."""
        assert fault(SUPER, two("KS QH TD", "5S 5D KS")).message == (
            "KS was dealt 2 times; 1 deck has 1 of it."
        )
        assert fault(THREE, {"player1": ["KS", "QH", "TD"]}).message == (
            "The cards of Player 2 are missing."
        )

    def test_a_jammed_hand_is_taken_down_as_far_as_it_went(self) -> None:
        raw = {"player1": ["AS", "2H"], "player2": ["KS"], "player3": ["3S"], "dealer": ["4S"]}
        outcome = THREE.read(raw, unfinished=True)
        assert (outcome.canonical, outcome.facts) == (raw, frozenset())
        scanned = THREE.read({"deal": ["AS", "KS", "3S", "4S", "2H"]}, unfinished=True)
        assert scanned.canonical == raw
        assert THREE.read({}, unfinished=True).canonical == {}
        [void] = THREE.resolve(outcome, [THREE.wager("win", "player1")], void=Void("shuffler_jam"))
        assert (void.result, void.returns) == ("void", 1)
        with pytest.raises(Refused):
            THREE.read({"player1": ["AS"], "dealer": ["AS"]}, unfinished=True)


class TestGrounds:
    PRINTED = {
        "exposed_card": ("void_hand", "discretion"),
        "dropped_card": ("stand", "void_hand"),
        "wrong_sequence": ("edit", "void_hand", "discretion"),
        "shuffler_jam": ("void_hand", "discretion"),
        "deck_cleared": ("void_hand", "discretion"),
    }

    @pytest.mark.parametrize("game", [SUPER, THREE], ids=lambda game: game.code)
    def test_both_documents_print_these(self, game: Game) -> None:
        """000 L769-784, 001 L596-615."""
        for code, actions in self.PRINTED.items():
            assert game.grounds[code].actions == actions
            assert game.grounds[code].in_document

    def test_only_001_prints_the_burn(self) -> None:
        assert THREE.grounds["burn_error"].actions == ("stand", "void_hand", "discretion")
        assert "burn_error" not in SUPER.grounds

    @pytest.mark.parametrize("game", [SUPER, THREE], ids=lambda game: game.code)
    def test_one_deck_and_no_shoe(self, game: Game) -> None:
        assert (game.decks, game.has_shoe) == (1, False)
        assert "shoe_composition" not in game.grounds
