"""Which bets may be placed together, and until which hand."""

from __future__ import annotations

import pytest

from games.rulebook import Stake, Wager, book


def codes(
    book_code: str, game: str, *bets: str, hand: int | None = None, held: tuple[str, ...] = ()
) -> list[str | None]:
    rules = book(book_code).game(game)
    slip = [Stake(rules.wager(bet), 100) for bet in bets]
    refusals = rules.check_slip(slip, hand=hand, held=[Wager(bet) for bet in held])
    return [refused.code if refused else None for refused in refusals]


@pytest.mark.parametrize(
    ("book_code", "game", "bet", "window"),
    [
        ("club-a", "no_commission_baccarat", "small", 30),
        ("club-b", "super_98", "big", 35),
        ("club-a", "super_98", "super_6", 60),
        ("club-a", "fabulous_4", "player_fabulous_pair", 60),
        ("club-a", "lucky_baccarat", "player_red", 40),
    ],
)
def test_a_bet_is_offered_up_to_its_last_hand(
    book_code: str, game: str, bet: str, window: int
) -> None:
    assert codes(book_code, game, bet, hand=window) == [None]
    assert codes(book_code, game, bet, hand=window + 1) == ["not_offered"]
    assert codes(book_code, game, bet, hand=None) == [None]


def test_a_bet_past_its_window_does_not_stop_the_others() -> None:
    assert codes("club-b", "super_98", "player", "big", "tie", hand=36) == [
        None,
        "not_offered",
        None,
    ]


def test_the_refusal_is_a_sentence() -> None:
    game = book("club-b").game("super_98")
    [refused] = game.check_slip([Stake(game.wager("big"), 100)], hand=36)
    assert refused is not None
    assert refused.message == "Big is offered on the first 35 hands of a shoe; this is hand 36."


@pytest.mark.parametrize("main", ["player", "banker", "tie"])
@pytest.mark.parametrize("book_code", ["club-a", "club-b"])
def test_super_7s_need_any_main_bet_on_this_or_another_ticket(book_code: str, main: str) -> None:
    assert codes(book_code, "seven_up", "super_7s") == ["prerequisite_missing"]
    assert codes(book_code, "seven_up", "super_7s", main) == [None, None]
    assert codes(book_code, "seven_up", "super_7s", held=(main,)) == [None]


def test_player_and_banker_are_prohibited_together_in_euro() -> None:
    """R-8: across all of a player's tickets; on one ticket both are refused."""
    prohibited = "prohibited_combination"
    assert codes("euro", "baccarat", "player", "banker", "tie") == [prohibited, prohibited, None]
    assert codes("euro", "baccarat", "banker", held=("player",)) == [prohibited]
    assert codes("euro", "baccarat", "player", "player", held=("player",)) == [None, None]
    assert codes("asia", "baccarat", "player", "banker") == [None, None]
