"""Recorded hands of real tables: draw rules, winners and side-bet conditions agree with ours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from games.rulebook import Result, book

HANDS = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "baccarat_hands.jsonl"

WINNERS = {"P": "player", "B": "banker", "T": "tie"}
SPOTS = {
    "player": ("player", "asia", "baccarat"),
    "banker": ("banker", "asia", "baccarat"),
    "tie": ("tie", "asia", "baccarat"),
    "big": ("big", "asia", "baccarat"),
    "small": ("small", "asia", "baccarat"),
    "player_pair": ("player_pair", "asia", "baccarat"),
    "banker_pair": ("banker_pair", "asia", "baccarat"),
    "super_six": ("super_6", "club-a", "no_commission_baccarat"),
}
"""The spots of that house which a book of ours has, too."""


def _hands() -> list[dict[str, Any]]:
    return [json.loads(line) for line in HANDS.read_text("utf-8").splitlines()]


@pytest.mark.skipif(not HANDS.exists(), reason=f"{HANDS} is not here")
def test_every_recorded_hand_is_legal_and_won_by_the_recorded_side() -> None:
    game = book("asia").game("baccarat")
    for hand in _hands():
        outcome = game.read({"player": hand["player"], "banker": hand["banker"]})
        assert outcome.winner == WINNERS[hand["winner"]], hand


@pytest.mark.skipif(not HANDS.exists(), reason=f"{HANDS} is not here")
@pytest.mark.parametrize("spot", SPOTS)
def test_a_spot_wins_on_the_recorded_hands_on_which_that_house_paid_it(spot: str) -> None:
    bet, book_code, game_code = SPOTS[spot]
    game = book(book_code).game(game_code)
    judged = 0
    for hand in _hands():
        paid = set(hand["house_won"] or ())
        # Every hand is Big or Small: a house that paid neither did not offer side bets.
        if paid.isdisjoint({"big", "small"}):
            continue
        judged += 1
        outcome = game.read({"player": hand["player"], "banker": hand["banker"]})
        [verdict] = game.resolve(outcome, [game.wager(bet)])
        assert (verdict.result == Result.WIN) == (spot in paid), hand
    assert judged > 1_000
