"""Writing blackjack rounds in short for the tests: cards as words, one wager at a time."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from games.refusals import Refused
from games.rulebook import Game, Outcome, Verdict, Void, Wager, book

CLUB_A = book("club-a").game("blackjack")
CLUB_B = book("club-b").game("blackjack")
EURO = book("euro").game("blackjack")

clubs = pytest.mark.parametrize("game", [CLUB_A, CLUB_B], ids=["club-a", "club-b"])
every_book = pytest.mark.parametrize(
    "game", [CLUB_A, CLUB_B, EURO], ids=["club-a", "club-b", "euro"]
)


def laid(dealer: str, *boxes: str, **more: Any) -> dict[str, Any]:
    """Lay a table: boxes from 1 on, "8S 3D / 8H TS" for a split one."""
    return {
        "dealer": dealer.split(),
        "boxes": {str(number): _box(cards) for number, cards in enumerate(boxes, 1) if cards},
    } | more


def _box(cards: str) -> dict[str, Any]:
    if "/" not in cards:
        return {"cards": cards.split()}
    return {"hands": [hand.split() for hand in cards.split("/")]}


def resolved(
    game: Game,
    raw: Any,
    bet: str = "ante",
    selection: str = "box1",
    play: str | None = None,
    void: str = "",
) -> Verdict:
    """Resolve one wager on one table."""
    outcome: Outcome = game.read(raw, unfinished=bool(void))
    wager: Wager = game.wager(bet, selection, play)
    [verdict] = game.resolve(outcome, [wager], void=Void(void) if void else None)
    return verdict


def returns(game: Game, raw: Any, *wager: Any) -> Fraction:
    """What one unit comes back as: ante, split and double where a play names them."""
    return resolved(game, raw, *wager).returns


def fault(game: Game, raw: Any) -> Refused:
    """The refusal of an outcome that cannot be."""
    with pytest.raises(Refused) as refused:
        game.read(raw)
    assert refused.value.code == "invalid_outcome"
    return refused.value


def misplayed(game: Game, raw: Any, *wager: Any) -> str:
    """The sentence with which a play is refused against the cards."""
    with pytest.raises(Refused) as refused:
        resolved(game, raw, *wager)
    assert refused.value.code == "invalid_play"
    return refused.value.message
