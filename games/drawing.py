"""The drawing rules of baccarat, which every game of the family shares.

Tables: document 001 L11-31 and L149-169, 003 L14-27, 004 3.5.1; what 003 and 004 leave out
or misprint follows 001 (C-30, C-40), and so does 000, whose tables are lost (B-13).
"""

from __future__ import annotations

from collections.abc import Sequence

from games.cards import DECK, RANKS

_POINTS = {card: min(RANKS.index(card[0]) + 1, 10) % 10 for card in DECK}
_BANKER_DRAWS_ON = {3: "012345679", 4: "234567", 5: "4567", 6: "67"}
"""What the Player's third card must count for the Banker to draw; below 3 always, on 7 never."""


def points(cards: Sequence[str]) -> int:
    """Count a hand: the last digit of its sum, tens and pictures zero.

    >>> points(["7D", "KC", "9S"])
    6
    """
    return sum(map(_POINTS.__getitem__, cards)) % 10


def player_draws(player: int, banker: int) -> bool:
    """Say whether the Player draws a third card on two-card totals.

    >>> player_draws(5, 7), player_draws(5, 8), player_draws(6, 0)
    (True, False, False)
    """
    return player <= 5 and banker <= 7


def banker_draws(player: int, banker: int, third: int | None) -> bool:
    """Say whether the Banker draws, given what the Player's third card counts, if there is one.

    >>> banker_draws(4, 3, third=8), banker_draws(4, 3, third=9), banker_draws(7, 5, third=None)
    (False, True, True)
    """
    if third is None:
        return player <= 7 and banker <= 5
    return banker <= 2 or str(third) in _BANKER_DRAWS_ON.get(banker, "")
