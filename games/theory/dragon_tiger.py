"""Every pair of cards that a full shoe can give to two sides."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from games.cards import DECK
from games.game import Game
from games.theory import Pass, Theory
from games.values import Outcome


def passes(game: Game) -> Iterator[Pass]:
    """Go once through all ordered pairs: they settle every bet."""
    yield ends(game)


def ends(game: Game) -> Pass:
    """The pairs are all there is; people know them by who wins."""
    return Pass(lambda fact: True, lambda: _pairs(game))


def _pairs(game: Game) -> Iterator[tuple[int, Outcome]]:
    decks = game.decks
    assert decks is not None, "Dragon Tiger is played with cards"
    for pair in product(DECK, DECK):
        weight = decks * (decks - (pair[0] == pair[1]))
        if weight:
            yield weight, game.read(dict(zip(game.options["sides"], pair, strict=True)))


THEORY = Theory(passes, ends=ends)
