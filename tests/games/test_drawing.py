"""The drawing rules, exhaustively against the printed tables (001 L11-31, 004 3.5.1)."""

from __future__ import annotations

from itertools import product

import pytest

from games.drawing import banker_draws, player_draws, points
from games.refusals import Refused
from games.rulebook import book
from games.theory.baccarat import weighted_hands

TOTALS = range(10)

# Total points of the Banker's first two cards | draws when the Player's third card is.
BANKER_TABLE = """
0 | 0,1,2,3,4,5,6,7,8,9
1 | 0,1,2,3,4,5,6,7,8,9
2 | 0,1,2,3,4,5,6,7,8,9
3 | 0,1,2,3,4,5,6,7,9
4 | 2,3,4,5,6,7
5 | 4,5,6,7
6 | 6,7
7 |
8 |
9 |
"""
BANKER_DRAWS = {
    int(total): {int(third) for third in thirds.split(",") if third.strip()}
    for total, thirds in (line.split("|") for line in BANKER_TABLE.strip().splitlines())
}


def test_player_draws_on_0_to_5_unless_the_banker_has_a_natural() -> None:
    for player, banker in product(TOTALS, TOTALS):
        due = player in (0, 1, 2, 3, 4, 5) and banker not in (8, 9)
        assert player_draws(player, banker) is due, (player, banker)


def test_banker_draws_by_the_players_third_card() -> None:
    for banker, third in product(TOTALS, TOTALS):
        due = third in BANKER_DRAWS[banker]
        assert banker_draws(5, banker, third) is due, (banker, third)


def test_banker_draws_on_5_or_less_when_the_player_stands() -> None:
    for player, banker in product((6, 7, 8, 9), TOTALS):
        natural = player >= 8 or banker >= 8
        due = banker <= 5 and not natural
        assert banker_draws(player, banker, None) is due, (player, banker)


def test_tens_and_pictures_count_nothing_and_aces_one() -> None:
    assert [points([rank + "S"]) for rank in "A23456789TJQK"] == [1, 2, 3, 4, 5, 6, 7, 8, 9] + [
        0
    ] * 4
    assert points(["AS", "2D", "4C"]) == 7


def test_every_kind_of_hand_is_read_and_every_other_number_of_cards_refused() -> None:
    """A third card too many or too few is a wrong card; the message says whose (BAC clause 4)."""
    game = book("asia").game("baccarat")
    ranks = "TA23456789"
    for player, banker in weighted_hands(8, fixed_seven=False):
        hand = {
            "player": [ranks[value] + "S" for value in player],
            "banker": [ranks[value] + "H" for value in banker],
        }
        outcome = game.read(hand)
        assert len(outcome.cards) == len(player) + len(banker)
        for side, cards in hand.items():
            wrong = [*cards, "AC"] if len(cards) == 2 else cards[:2]
            with pytest.raises(Refused) as refused:
                game.read(hand | {side: wrong})
            assert refused.value.code == "invalid_outcome"
            assert refused.value.ground == "wrong_card"
            fault = "drew" if len(wrong) == 3 else "did not draw"
            expected = f"{side.title()} {fault} a third card on {points(wrong[:2])}"
            # The Player's card decides whether one was due to the Banker, so it is named first.
            if side == "banker":
                assert refused.value.message.startswith(expected)
            else:
                assert expected in refused.value.message
