"""Every number on which the ball can rest: each has twelve of the 144 holes."""

from __future__ import annotations

from collections.abc import Iterator

from games.game import Game
from games.theory import Pass, Theory


def passes(game: Game) -> Iterator[Pass]:
    """Go through the twelve numbers."""
    yield ends(game)


def ends(game: Game) -> Pass:
    """The twelve numbers are all there is."""
    return Pass(
        lambda fact: True,
        lambda: ((12, game.read({"number": number})) for number in range(1, 13)),
    )


THEORY = Theory(passes, ends=ends, end_of=lambda outcome: str(outcome.canonical["number"]))
