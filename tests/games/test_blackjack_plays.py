"""Plays: how they are written, which cards they take, and what the rules do not allow."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from games.cards import RANKS
from games.families.blackjack import plays_allowed
from games.refusals import Refused
from games.rulebook import Game
from tests.games.blackjack_layout import (
    CLUB_A,
    CLUB_B,
    EURO,
    clubs,
    every_book,
    laid,
    misplayed,
    returns,
)


def misspelt(game: Game, play: str, bet: str = "ante", selection: str = "box1") -> str:
    with pytest.raises(Refused) as refused:
        game.wager(bet, selection, play)
    assert (refused.value.code, refused.value.field) == ("invalid_play", "play")
    return refused.value.message


@every_book
@pytest.mark.parametrize(
    "play", ["S", "H", "HHS", "HH", "D", "F", "P[HS][D]", "P[][]", "P[S][S]", "P[HH][HHHS]"]
)
def test_a_play_is_kept_as_it_is_written(game: Game, play: str) -> None:
    assert game.wager("ante", "box1", play).play == play


@every_book
def test_an_empty_play_is_none(game: Game) -> None:
    """A blackjack stops by rule before anything was decided."""
    assert game.wager("ante", "box1", "") == game.wager("ante", "box1")
    assert returns(game, laid("TD 7C", "AS KH"), "ante", "box1", "") == Fraction(5, 2)


@every_book
@pytest.mark.parametrize(
    ("play", "why"),
    [
        ("s", "is no play"),
        (" S", "is no play"),
        ("X", "is no play"),
        ("SS", "is no play"),
        ("SH", "is no play"),
        ("FS", "is no play"),
        ("P", "is no play"),
        ("P[S]", "is no play"),
        ("P[S][S][S]", "is no play"),
        ("P[S][F]", "is no play"),
        ("H" * 20 + "S", "is no play"),
        ("HD", "a double is the only action of its hand"),
        ("DS", "a double is the only action of its hand"),
        ("DH", "a double is the only action of its hand"),
        ("P[P[S][S]][S]", "split hands cannot be split"),
    ],
)
def test_what_is_no_play(game: Game, play: str, why: str) -> None:
    assert why in misspelt(game, play)


@every_book
def test_an_added_stake_names_the_play_that_added_it(game: Game) -> None:
    """Hand 2 of a split is the split stake; a double lies on the hand that was doubled."""
    assert "no stake of the play" in misspelt(game, "HS", "split")
    assert "no stake of the play" in misspelt(game, "HS", "double")
    assert "no stake of the play" in misspelt(game, "P[D][D]", "double")
    assert game.wager("double", "box1", "D").play == "D"


@clubs
def test_a_double_after_a_split_names_its_hand(game: Game) -> None:
    assert game.wager("double", "box1/2", "P[S][D]").play == "P[S][D]"
    assert "no stake of the play" in misspelt(game, "P[S][D]", "double", "box1/1")
    assert "no stake of the play" in misspelt(game, "D", "double", "box1/1")


@every_book
def test_insurance_and_pairs_take_no_play(game: Game) -> None:
    assert "takes no play" in misspelt(game, "S", "insurance")
    if game is not EURO:
        assert "takes no play" in misspelt(game, "S", "player_perfect_pair")
        assert "takes no play" in misspelt(game, "S", "dealer_perfect_pair", "")


@every_book
@pytest.mark.parametrize(
    ("box", "play", "why"),
    [
        ("TS 6H 7D", "HS", "The hand is bust with 23: it cannot stand any more."),
        ("TS 6H 7D", "HH", "The hand is bust with 23: it cannot hit any more."),
        ("TS 6H 5D", "HH", "A hand of 21 takes no more cards: it cannot hit."),
        ("AS KH", "H", "A hand of 21 takes no more cards: it cannot hit."),
        ("AS KH", "D", "A hand of 21 takes no more cards: it cannot double."),
        ("TS 6H 2D", "HHS", "Box 1 was dealt 3 cards; HHS takes more."),
        ("TS 6H", "H", "Box 1 was dealt 2 cards; H takes more."),
    ],
)
def test_a_play_that_the_cards_forbid(game: Game, box: str, play: str, why: str) -> None:
    assert misplayed(game, laid("TD 7C", box), "ante", "box1", play) == why


@every_book
def test_standing_on_a_hand_that_stops_by_rule_says_nothing_more(game: Game) -> None:
    raw = laid("TD 7C", "TS 6H 5D")
    assert returns(game, raw, "ante", "box1", "H") == returns(game, raw, "ante", "box1", "HS") == 2


@every_book
def test_a_split_ace_takes_one_card(game: Game) -> None:
    """L653, C-46, R-9."""
    raw = laid("TD 7C", "AS 5D / AH 6D")
    for action in ("H", "HS"):
        assert misplayed(game, raw, "ante", "box1", f"P[{action}][]") == (
            "A split ace takes one card only: it cannot hit."
        )
    assert returns(game, raw, "split", "box1", "P[][S]") == 1


@every_book
def test_only_a_split_box_has_two_hands(game: Game) -> None:
    raw = laid("TD 7C", "8S 8H")
    assert misplayed(game, raw, "ante", "box1", "P[S][S]") == "Box 1 was not split."


@clubs
class TestTheClubs:
    @pytest.mark.parametrize("box", ["AS AH", "8S 8H"])
    def test_a_forced_pair_is_split_or_folded(self, game: Game, box: str) -> None:
        """L651, L663, L670."""
        name = "aces" if box[0] == "A" else "8s"
        for play in ("S", "H", "HS", "D"):
            assert misplayed(game, laid("TD 7C", box), "ante", "box1", play) == (
                f"A pair of {name} may only be split or folded."
            )

    @pytest.mark.parametrize("box", ["TS 6H", "9S 9H", "AS 8H", "KS KH", "5S 5H"])
    def test_nothing_else_is_split_or_folded(self, game: Game, box: str) -> None:
        """L664-675; C-9: the rank counts."""
        raw = laid("TD 7C", box)
        assert misplayed(game, raw, "ante", "box1", "P[S][S]") == (
            "Only a pair of aces or a pair of 8s may be split."
        )
        assert misplayed(game, raw, "ante", "box1", "F") == (
            "Only a pair of aces or a pair of 8s may be folded."
        )

    def test_only_a_two_card_11_is_doubled(self, game: Game) -> None:
        """L637, L678."""
        assert misplayed(game, laid("TD 7C", "TS 6H 4D"), "ante", "box1", "D") == (
            "Only a hand of two cards that counts 11 may be doubled; this one counts 16."
        )
        raw = laid("TD 7C", "8S 4D 2C / 8H 3D 2D")
        assert "this one counts 12" in misplayed(game, raw, "ante", "box1", "P[D][D]")
        assert returns(game, laid("TD 7C", "9S 2H 2D"), "double", "box1", "D") == 0

    def test_the_play_of_a_ticket_fits_as_a_whole(self, game: Game) -> None:
        """The Ante is settled on hand 1, and is refused for what hand 2 cannot have done."""
        raw = laid("TD 7C", "8S TD / 8H TC 9D")
        assert "bust with 27" in misplayed(game, raw, "ante", "box1", "P[S][HS]")

    def test_eight_cards_take_no_ninth(self, game: Game) -> None:
        raw = laid("TD 7C", "2S 2H 2D 2C 3S AH AS AD")
        assert misplayed(game, raw, "ante", "box1", "HHHHHHH") == (
            "Eight cards without a bust have won: no ninth is dealt."
        )

    def test_split_aces_are_not_doubled(self, game: Game) -> None:
        raw = laid("TD 7C", "AS 5D / AH 6D")
        assert "A split ace takes one card only" in misplayed(game, raw, "ante", "box1", "P[D][]")

    def test_the_table_of_the_first_two_cards(self, game: Game) -> None:
        """L661-675 for pairs; L678 for 11; 21 is decided; everything else hits or stands."""
        for one, other in product(RANKS, RANKS):
            allowed = set(plays_allowed(game, [one + "S", other + "H"], "9D"))
            if one == other and one in "A8":
                assert allowed == {"P", "F"}
            elif {one, other} & {"A"} and {one, other} & set("TJQK"):
                assert allowed == set()
            elif {one, other} in [{"2", "9"}, {"3", "8"}, {"4", "7"}, {"5", "6"}]:
                assert allowed == {"H", "S", "D"}
            else:
                assert allowed == {"H", "S"}


class TestEuro:
    def test_nothing_is_folded(self) -> None:
        assert misplayed(EURO, laid("TD 7C", "8S 8H"), "ante", "box1", "F") == (
            "No hand may be folded in this game."
        )

    def test_a_split_hand_is_not_doubled(self) -> None:
        """R-9, 004 2.7."""
        raw = laid("TD 7C", "8S 3D 2C / 8H 3H 2D")
        assert misplayed(EURO, raw, "ante", "box1", "P[D][S]") == (
            "A split hand may not be doubled."
        )

    def test_only_equal_values_are_split(self) -> None:
        assert misplayed(EURO, laid("TD 7C", "9S TH"), "ante", "box1", "P[S][S]") == (
            "Only two cards of equal value may be split."
        )

    def test_who_did_not_split_took_no_card_of_a_split(self) -> None:
        """The further cards of the box went to its two hands."""
        raw = laid("TD 7C", "8S 3D 2C / 8H 3H 2D")
        for play in ("HS", "D"):
            assert "was split" in misplayed(EURO, raw, "ante", "box1", play)

    def test_the_table_of_the_first_two_cards(self) -> None:
        """004 2.6, 2.7, 4.4.i: all but 21 may be doubled, equal values split."""
        values = {rank: min(place, 10) for place, rank in enumerate(RANKS, 1)}
        for one, other in product(RANKS, RANKS):
            allowed = set(plays_allowed(EURO, [one + "S", other + "H"], "9D"))
            if {values[one], values[other]} == {1, 10}:
                assert allowed == set()
            elif values[one] == values[other]:
                assert allowed == {"H", "S", "D", "P"}
            else:
                assert allowed == {"H", "S", "D"}


class TestWhatIsAllowedNext:
    def test_insurance_is_offered_with_the_first_two_cards_against_an_ace(self) -> None:
        """L686, 004 2.5.1: also beside an own blackjack and a pair that is split."""
        for game in (CLUB_A, CLUB_B, EURO):
            assert plays_allowed(game, ["TS", "6H"], "AD")[-1] == "insurance"
            assert plays_allowed(game, ["AS", "KH"], "AD") == ["insurance"]
            assert "insurance" in plays_allowed(game, ["8S", "8H"], "AD")
            assert "insurance" not in plays_allowed(game, ["TS", "6H"], "TD")
            assert "insurance" not in plays_allowed(game, ["TS", "4H", "2D"], "AD")
            assert "insurance" not in plays_allowed(game, ["8S", "6H"], "AD", split=True)

    def test_later_cards_are_hit_or_stood_on(self) -> None:
        assert plays_allowed(CLUB_B, ["2S", "3H", "6D"], "9D") == ["S", "H"]
        assert plays_allowed(CLUB_B, ["TS", "6H", "5D"], "9D") == []
        assert plays_allowed(CLUB_B, ["TS", "6H", "7D"], "9D") == []
        eight = ["2S", "2H", "2D", "2C", "3S", "AH", "AS", "AD"]
        assert plays_allowed(CLUB_B, eight, "9D") == []
        assert plays_allowed(EURO, eight, "9D") == ["S", "H"]

    def test_the_hands_of_a_split(self) -> None:
        assert plays_allowed(CLUB_B, ["8S", "3H"], "9D", split=True) == ["S", "H", "D"]
        assert plays_allowed(EURO, ["8S", "3H"], "9D", split=True) == ["S", "H"]
        assert plays_allowed(CLUB_B, ["8S", "8H"], "9D", split=True) == ["S", "H"]
        for game in (CLUB_B, EURO):
            assert plays_allowed(game, ["AS", "3H"], "9D", split=True) == []

    def test_what_is_no_hand_is_refused(self) -> None:
        for cards in (["TS"], ["TS", "1H"], "TS"):
            with pytest.raises(Refused) as refused:
                plays_allowed(CLUB_B, cards, "9D")
            assert refused.value.code == "invalid_outcome"
