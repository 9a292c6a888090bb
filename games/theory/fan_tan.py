"""Every sum of twelve cards of one deck, with the die of a Super hand beside it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from math import comb

from games.cards import RANKS, SUITS
from games.families.fan_tan import CARDS, fan, total
from games.game import Game
from games.theory import Pass, Theory
from games.values import Outcome


def passes(game: Game) -> Iterator[Pass]:
    """Go once through all sums: they and the die settle every bet."""
    yield ends(game)


def ends(game: Game) -> Pass:
    """The sums and the die are all there is."""
    return Pass(lambda fact: True, lambda: _sums(game))


@cache
def weighted_sums() -> dict[int, tuple[int, tuple[str, ...]]]:
    """Count for each sum the ways to draw it, with one of them.

    Rank by rank, each way so far is carried on with none to all four of the next rank: the
    product of the generating functions (1 + x^rank y)^4, of which y^12 is kept.
    """
    ways: dict[tuple[int, int], tuple[int, tuple[str, ...]]] = {(0, 0): (1, ())}
    for value, rank in enumerate(RANKS, 1):
        carried: dict[tuple[int, int], tuple[int, tuple[str, ...]]] = {}
        for ((drawn, added), (count, cards)), more in product(ways.items(), range(5)):
            key = (drawn + more, added + more * value)
            if key[0] <= CARDS:
                taken = cards + tuple(rank + suit for suit in SUITS[:more])
                before, example = carried.get(key, (0, taken))
                carried[key] = (before + count * comb(4, more), example)
        ways = carried
    return {added: found for (drawn, added), found in sorted(ways.items()) if drawn == CARDS}


def _sums(game: Game) -> Iterator[tuple[int, Outcome]]:
    """Put one face of each kind beside every sum, as often as it comes."""
    super_faces = game.options["super_faces"]
    plain_faces = [face for face in range(1, 13) if face not in super_faces]
    for weight, cards in weighted_sums().values():
        for faces in filter(None, (super_faces, plain_faces)):
            yield weight * len(faces), game.read({"cards": list(cards), "die": faces[0]})


def _end_of(outcome: Outcome) -> str:
    return str(fan(total(outcome.cards)))


THEORY = Theory(passes, ends=ends, end_of=_end_of)
