"""Resolving one round, all its distinct wagers, through the rules."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bench.measure import Times, report
from games import rulebook
from games.cards import DECK
from games.refusals import Refused

REPEATS = 200
MOST_WAGERS = 200


def run() -> Iterator[str]:
    """The slowest game of each family: reading the outcome and resolving every wager on it."""
    slowest: dict[str, tuple[float, str]] = {}
    for book in rulebook.books().values():
        for game in book.games.values():
            seconds, wagers = _median(game)
            line = f"{book.code} {game.code}, {wagers} wagers"
            slowest[game.family] = max(slowest.get(game.family, (0, "")), (seconds, line))
    yield "Resolving a round once, the slowest game of each family"
    for family, (seconds, line) in sorted(slowest.items()):
        aim = "under 5 ms" if family == "blackjack" else "under 1 ms"
        yield report(f"  {line}", f"{seconds * 1000:.2f} ms", aim)


def _median(game: rulebook.Game) -> tuple[float, int]:
    times, most = Times(), 0
    for seed in range(REPEATS // 10):
        raw = _deal(game, seed)
        wagers = _wagers(game, game.read(raw))[:MOST_WAGERS]
        most = max(most, len(wagers))
        for _ in range(10):
            with times.once():
                game.resolve(game.read(raw), wagers)
    return times.median, most


def _deal(game: rulebook.Game, seed: int) -> dict[str, object]:
    dice = random.Random(seed)
    shoe = list(DECK) * (game.decks or 1)
    dice.shuffle(shoe)
    return game.deal(iter(shoe), lambda faces: dice.randint(1, faces))


def _wagers(game: rulebook.Game, outcome: rulebook.Outcome) -> list[rulebook.Wager]:
    """Every wager that can have been made on this outcome, with every play that fits."""
    found = []
    for bet in game.bets.values():
        for selection in bet.selections:
            for wager in game.fitting(outcome, bet.code, selection):
                try:
                    game.resolve(outcome, [wager])
                except Refused:
                    continue
                found.append(wager)
    return found
