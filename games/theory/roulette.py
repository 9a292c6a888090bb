"""Every spin of the wheel, and of Super Roulette by the book's model if it is set to use it."""

from __future__ import annotations

from collections.abc import Iterator

from games.game import Game
from games.returns import parse_odds
from games.theory import Edge, Pass, Theory
from games.theory.chance import without_edge
from games.values import Outcome, Wager


def passes(game: Game) -> Iterator[Pass]:
    """Go through the 37 numbers, with each of the super odds that one may carry.

    What a wager pays for a number asks only whether that number is super, so one Super Number
    beside it stands for every other draw.
    """
    yield Pass(lambda fact: True, lambda: _spins(game))


def _spins(game: Game) -> Iterator[tuple[int, Outcome]]:
    weights, most = game.options["super_odds"], game.options["super_most"]
    if not weights:
        yield from ((1, game.read({"number": number})) for number in range(37))
        return
    # Counts of 1 to `most` are equally likely, so (1 + most) / 2 of 37 numbers are super.
    for number in range(37):
        for odds, weight in weights.items():
            drawn = {str(number): odds}
            yield (1 + most) * weight, game.read({"number": number, "super_numbers": drawn})
        plain = 2 * 37 - (1 + most)
        yield plain * sum(weights.values()), _plain(game, number)


def _plain(game: Game, number: int) -> Outcome:
    """A number that is not super, while another one is."""
    raw = {"number": number}
    if not game.options["super_odds"]:
        return game.read(raw)
    another, odds = str((number + 1) % 37), next(iter(game.options["super_odds"]))
    return game.read(raw | {"super_numbers": {another: odds}})


def own(game: Game, wager: Wager) -> Edge | None:
    """Give no house edge for a straight-up chip in Super Roulette: its draw is not printed."""
    return without_edge(game, wager, (_plain(game, number) for number in range(37)))


def ends(game: Game) -> Pass:
    """Every number, in Super Roulette also as a Super Number at the highest of the odds."""
    return Pass(lambda fact: True, lambda: _dearest(game))


def _dearest(game: Game) -> Iterator[tuple[int, Outcome]]:
    allowed = game.options["super_odds"]
    for number in range(37):
        yield 1, _plain(game, number)
        if allowed:
            drawn = {str(number): max(allowed, key=parse_odds)}
            yield 1, game.read({"number": number, "super_numbers": drawn})


THEORY = Theory(passes, own, ends, lambda outcome: str(outcome.canonical["number"]))
