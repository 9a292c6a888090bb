"""Every roll of three dice, and of Super Sic Bo by the book's model if it is set to use it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

from games.families import dice
from games.game import Game
from games.theory import Edge, Pass, Theory
from games.theory.chance import without_edge
from games.values import Outcome, Wager


def passes(game: Game) -> Iterator[Pass]:
    """Go through the 216 rolls, with each tier of super odds that a position may carry.

    A wager lies on one position, and whether that is raised hangs on no other; so raising all
    of them together to the same tier gives each its right chance.
    """
    yield Pass(lambda fact: True, lambda: _rolls(game))


def _rolls(game: Game) -> Iterator[tuple[int, Outcome]]:
    if not game.options["super_odds"]:
        yield from ((1, outcome) for outcome in _plain(game))
        return
    weights, one_in = game.options["super_weights"], game.options["super_one_in"]
    model = dice.model(game.setup)
    for plain in _plain(game):
        for tier, weight in enumerate(weights):
            raised = {position: list(odds)[tier] for position, odds in model.items()}
            yield weight, game.read({**plain.canonical, "super_odds": raised})
        yield (one_in - 1) * sum(weights), plain


@cache
def _plain(game: Game) -> tuple[Outcome, ...]:
    """The 216 rolls, no position raised."""
    raised: dict[str, Any] = {"super_odds": {}} if game.options["super_odds"] else {}
    return tuple(game.read({"dice": roll} | raised) for roll in product(range(1, 7), repeat=3))


def own(game: Game, wager: Wager) -> Edge | None:
    """Give no house edge where super odds may be paid: their draw is not printed."""
    return without_edge(game, wager, _plain(game))


def ends(game: Game) -> Pass:
    """Every roll, in Super Sic Bo also with every position at the highest odds allowed."""
    return Pass(lambda fact: True, lambda: _dearest(game))


def _dearest(game: Game) -> Iterator[tuple[int, Outcome]]:
    raised = {position: span["most"] for position, span in dice.positions(game.setup).items()}
    for plain in _plain(game):
        yield 1, plain
        if raised:
            yield 1, game.read({**plain.canonical, "super_odds": raised})


THEORY = Theory(passes, own, ends, lambda outcome: f"Total {sum(outcome.canonical['dice'])}")
