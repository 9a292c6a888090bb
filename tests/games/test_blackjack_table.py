"""Blackjack outcomes: what cannot be, what breaks the dealing rules, what is needless."""

from __future__ import annotations

from typing import Any

import pytest

from games.refusals import Refused
from games.rulebook import Game
from tests.games.blackjack_layout import CLUB_B, EURO, clubs, every_book, fault, laid


@every_book
@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ({"boxes": {"1": {"cards": ["TS", "7H"]}}}, "dealer is missing"),
        ({"dealer": ["TS", "7H"]}, "boxes is missing"),
        (laid("TD 7C"), "No box holds cards"),
        (laid("TD 7C", "TS 8H", burned=1), "no part 'burned'"),
        ({"dealer": ["TD", "7C"], "boxes": [["TS", "8H"]]}, "not an object with numbered boxes"),
        ({"dealer": ["TD", "7C"], "boxes": {"0": {"cards": ["TS", "8H"]}}}, "no box '0'"),
        ({"dealer": ["TD", "7C"], "boxes": {"8": {"cards": ["TS", "8H"]}}}, "no box '8'"),
        ({"dealer": ["TD", "7C"], "boxes": {"1": ["TS", "8H"]}}, "either its cards or its two"),
        ({"dealer": ["TD", "7C"], "boxes": {"1": {"cards": [], "hands": []}}}, "either its cards"),
        ({"dealer": ["TD", "7C"], "boxes": {"1": {"hands": [["8S", "TH"]]}}}, "two hands"),
        ({"dealer": ["TD", "7C"], "boxes": {"1": {"hands": "88"}}}, "two hands"),
        (laid("TD 7C", "TS"), "box 1 lists 1 cards"),
        (laid("TD 7C", "TS 1H"), "'1H' in box 1 is no card"),
        (laid("TX 7C", "TS 8H"), "'TX' in dealer is no card"),
        (laid("", "TS 8H"), "dealer lists 0 cards"),
        (laid("TD 7C", "TS 8H", unnecessary="AS"), "not a list of cards"),
    ],
)
def test_what_is_no_outcome(game: Game, raw: Any, why: str) -> None:
    refused = fault(game, raw)
    assert why in refused.message
    assert refused.ground is None


@every_book
def test_eight_decks_hold_eight_of_a_card(game: Game) -> None:
    """C-37."""
    assert game.decks == 8
    eight = laid("TD 7C", "KS KS", "KS KS", "KS KS", "KS KS")
    assert game.read(eight).cards.count("KS") == 8
    ninth = laid("KS TC", "KS KS", "KS KS", "KS KS", "KS KS")
    assert "KS was dealt 9 times" in fault(game, ninth).message
    spare = laid("TD 7C", "KS KS", "KS KS", "KS KS", "KS KS", unnecessary=["KS"])
    assert "KS was dealt 9 times" in fault(game, spare).message


@every_book
@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (laid("TD", "TS 8H"), "The Dealer's second card was not shown."),
        (laid("9D 7C", "TS 8H"), "The Dealer did not draw on 16 although box 1 waits for it."),
        (laid("AD 5C", "TS 6H 7D", "TS 2H"), "did not draw on 16 although box 2 waits"),
        (laid("2D 2C 9S", "TS 8H"), "did not draw on 13 although box 1 waits"),
        (laid("2D 2C 9S", "TS 6H 7D"), "The Dealer did not draw on 13."),
        (laid("TD 7C 2S", "TS 8H"), "The Dealer drew a card on 17."),
        (laid("AD 6C 2S", "TS 8H"), "The Dealer drew a card on 17."),
        (laid("TD AC 2S", "TS 8H"), "The Dealer drew a card on 21."),
        (laid("TD 6C 6S 2S", "TS 8H"), "The Dealer drew a card although it was bust with 22."),
        (laid("TD 7C", "AS KH 2D"), "Box 1 took a card on 21."),
        (laid("TD 7C", "TS 5H 6D 2D"), "Box 1 took a card on 21."),
        (laid("TD 7C", "TS 5H 7D 2D"), "Box 1 took a card although it was bust with 22."),
        (laid("TD 7C", "8S 3D TC 2C / 8H TH"), "Hand 1 of box 1 took a card on 21."),
        (laid("TD 7C", "AS 3D / AH TH 2D"), "Hand 2 of box 1 took a card on 21."),
        (laid("TD 7C", "AS 3D 2D / AH TH"), "Hand 1 of box 1 took a third card, although a split"),
        (laid("TD 7C", "8S / 8H TH"), "Hand 1 of box 1 was dealt no second card."),
        (laid("TD 7C", "8S TH / 9H TH"), "Box 1 was split, but 8S and 9H may not be."),
    ],
)
def test_what_was_dealt_against_the_rules(game: Game, raw: Any, why: str) -> None:
    """The cards are real: the round is held on the ground that the book has for it."""
    refused = fault(game, raw)
    assert why in refused.message
    assert refused.ground == ("wrong_card" if game is EURO else "wrong_sequence")
    assert refused.ground in game.grounds


@clubs
@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (laid("TD 7C", "8S 8H 2D"), "Box 1 took a card on a pair that is only split or folded."),
        (laid("TD 7C", "KS TH / QH TH"), "Box 1 was split, but KS and QH may not be."),
        (laid("TD 7C", "9S TH / 9H TH"), "Box 1 was split, but 9S and 9H may not be."),
        (laid("TD 7C", "2S 2H 2D 2C 3S AH AS AD 2S"), "Box 1 took a ninth card, although eight"),
    ],
)
def test_what_only_the_clubs_forbid(game: Game, raw: Any, why: str) -> None:
    assert why in fault(game, raw).message
    raw = {"dealer": raw["dealer"], "boxes": raw["boxes"]}
    assert EURO.read(raw).headline


class TestTheDealersDraws:
    @every_book
    def test_no_third_card_once_every_hand_is_decided(self, game: Game) -> None:
        """L648, 004 4.4.iii: the second card is shown, and that is all."""
        for boxes in (["TS 6H 7D"], ["AS KH"], ["TS 6H 7D", "AS KH"]):
            outcome = game.read(laid("6D TC", *boxes))
            assert "dealer_stopped" in outcome.facts
            assert outcome.notices == ()

    @every_book
    def test_the_dealer_may_draw_for_a_ticket_that_stood_before_the_box_went_bust(
        self, game: Game
    ) -> None:
        """L619: the box shows the longest line; a shorter one may still wait."""
        outcome = game.read(laid("6D TC 2S", "TS 6H 7D"))
        assert "dealer_total:18" in outcome.facts
        assert outcome.notices == ()

    @every_book
    def test_a_needless_draw_stands_and_is_looked_at(self, game: Game) -> None:
        """L727, 000 L869: nobody can wait for a total that only blackjacks play against."""
        outcome = game.read(laid("6D TC 2S", "AS KH"))
        assert [notice.ground for notice in outcome.notices] == ["unnecessary_card"]
        assert "every hand was decided" in outcome.notices[0].message
        assert "unnecessary_cards" in outcome.facts
        assert outcome.notices[0].ground in game.grounds

    @clubs
    def test_nobody_waits_beside_a_fold(self, game: Game) -> None:
        assert game.read(laid("6D TC", "8S 8H")).notices == ()
        [notice] = game.read(laid("6D TC TS", "8S 8H")).notices
        assert notice.ground == "unnecessary_card"

    @clubs
    def test_eight_cards_are_decided_but_for_a_blackjack(self, game: Game) -> None:
        eight = "2S 2H 2D 2C 3S AH AS AD"
        assert "dealer_stopped" in game.read(laid("6D TC", eight)).facts
        assert "dealer_total:18" in game.read(laid("6D TC 2S", eight)).facts

    def test_eight_cards_of_euro_wait(self) -> None:
        assert "did not draw on 16" in fault(EURO, laid("6D TC", "2S 2H 2D 2C 3S AH AS AD")).message

    def test_a_pair_of_8s_waits_in_euro(self) -> None:
        assert "did not draw on 16" in fault(EURO, laid("6D TC", "8S 8H")).message

    def test_euro_ends_on_an_ace_with_blackjack(self) -> None:
        """004 3.7, 2.5.1: the hidden card is looked at before anybody plays on."""
        assert EURO.read(laid("AD KC", "TS 6H")).headline == "Dealer blackjack; box 1 16"
        for box in ("TS 2H 3D", "8S TD / 8H TC"):
            refused = fault(EURO, laid("AD KC", box))
            assert "played on against an ace with blackjack" in refused.message
            assert refused.ground == "wrong_card"

    def test_euro_does_not_look_under_a_ten(self) -> None:
        """C-45."""
        assert EURO.read(laid("KC AD", "TS 2H 3D", "8S TD / 8H TC"))

    @clubs
    def test_the_clubs_never_look(self, game: Game) -> None:
        """L636."""
        assert game.read(laid("AD KC", "TS 2H 3D", "8S TD / 8H TC"))


@every_book
def test_a_card_that_was_set_aside_changes_nothing(game: Game) -> None:
    """L727: needless cards after the game."""
    plain = game.read(laid("TD 7C", "TS 8H"))
    spare = game.read(laid("TD 7C", "TS 8H", unnecessary=["2D", "3C"]))
    assert spare.headline == plain.headline
    assert spare.facts == plain.facts | {"unnecessary_cards"}
    assert spare.cards == (*plain.cards, "2D", "3C")
    assert spare.notices[0].message == "2D and 3C drawn but not due; the result stands."
    assert game.read(spare.canonical) == spare


def test_the_order_of_dealing_in_the_clubs() -> None:
    """L644, L651: two cards each and one of the Dealer; the Dealer's second comes last."""
    outcome = CLUB_B.read(laid("TD 4C 3S", "2S 3H 4D", "8S 5D 6C / 8H 7C 9S"))
    assert " ".join(outcome.cards) == "2S 8S TD 3H 8H 4D 5D 7C 6C 9S 4C 3S"


def test_the_order_of_dealing_in_euro() -> None:
    """004 3.4: the Dealer's second card lies face down before anybody plays."""
    outcome = EURO.read(laid("TD 4C 3S", "2S 3H 4D", "8S 5D 6C / 8H 7C 9S"))
    assert " ".join(outcome.cards) == "2S 8S TD 3H 8H 4C 4D 5D 7C 6C 9S 3S"


@every_book
def test_boxes_are_told_in_their_order(game: Game) -> None:
    raw = {
        "boxes": {
            "3": {"cards": ["AS", "KH"]},
            "1": {"hands": [["8S", "KD"], ["8H", "5D", "9C"]]},
        },
        "dealer": ["TD", "7C"],
    }
    outcome = game.read(raw)
    assert outcome.headline == "Dealer 17; box 1 18 and bust with 22, box 3 blackjack"
    assert list(outcome.canonical["boxes"]) == ["1", "3"]
    assert {"dealer_total:17", "blackjack:box3"} <= outcome.facts
    assert outcome.facts <= set(game.words)


@every_book
def test_a_void_hand_is_taken_down_as_it_lies(game: Game) -> None:
    for raw in (
        {},
        {"dealer": ["9D"]},
        laid("9D", "TS 8H 2D 5C", "8S / 8H 2D"),
        laid("TD 7C 2S", "TS"),
    ):
        outcome = game.read(raw, unfinished=True)
        assert game.read(outcome.canonical, unfinished=True) == outcome
        assert game.fitting(outcome, "ante", "box1")
    for raw in ({"dealer": ["9D", "1D"]}, {"boxes": {"9": {"cards": []}}}, {"cards": []}):
        with pytest.raises(Refused) as refused:
            game.read(raw, unfinished=True)
        assert refused.value.code == "invalid_outcome"


@every_book
def test_the_books_boxes_are_the_tables(game: Game) -> None:
    places = [f"box{number}" for number in range(1, game.options["boxes"] + 1)]
    for bet in ("ante", "split", "insurance"):
        assert list(game.bets[bet].selections) == places
    doubles = {
        place + hand for place in places for hand in ([""] if game is EURO else ["", "/1", "/2"])
    }
    assert set(game.bets["double"].selections) == doubles
