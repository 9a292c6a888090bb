"""Every roll of three dice of twelve faces."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from games.game import Game
from games.theory import Pass, Theory
from games.values import Outcome


def passes(game: Game) -> Iterator[Pass]:
    """Go through the 1,728 rolls."""
    yield ends(game)


def ends(game: Game) -> Pass:
    """The rolls are all there is; people know them by their total."""

    def rolls() -> Iterator[tuple[int, Outcome]]:
        for roll in product(range(1, 13), repeat=3):
            yield 1, game.read({"dice": roll})

    return Pass(lambda fact: True, rolls)


THEORY = Theory(passes, ends=ends, end_of=lambda outcome: f"Total {sum(outcome.canonical['dice'])}")
