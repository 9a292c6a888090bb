"""Resolving one round, all its distinct wagers, through the rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from bench.measure import Times, report
from games import rulebook
from games.cards import DECK, SUITS
from games.refusals import Refused

REPEATS = 200
MOST_WAGERS = 200


def run() -> Iterator[str]:
    """Reading an outcome and resolving every wager on it: the slowest game of each family.

    Blackjack also at its worst: a table full of splits on which tickets played in every way.
    """
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
    seconds, line = max(_full_table(book.game("blackjack")) for book in _with_blackjack())
    yield report(f"  {line}", f"{seconds * 1000:.2f} ms", "under 5 ms")


def _median(game: rulebook.Game) -> tuple[float, int]:
    times, most = Times(), 0
    for seed in range(REPEATS // 10):
        raw = deal(game, seed)
        wagers = _wagers(game, game.read(raw))[:MOST_WAGERS]
        most = max(most, len(wagers))
        _repeat(10, game, raw, wagers, times)
    return times.median, most


def _full_table(game: rulebook.Game) -> tuple[float, str]:
    raw = _all_split(game.options["boxes"])
    wagers = _mixed(_wagers(game, game.read(raw)))[:MOST_WAGERS]
    times = Times()
    _repeat(REPEATS, game, raw, wagers, times)
    plays = len({wager.play for wager in wagers})
    return times.median, f"{game.book} a full table, {len(wagers)} wagers, {plays} plays"


def _repeat(
    often: int,
    game: rulebook.Game,
    raw: dict[str, object],
    wagers: list[rulebook.Wager],
    times: Times,
) -> None:
    for _ in range(often):
        with times.once():
            game.resolve(game.read(raw), wagers)


def _with_blackjack() -> list[rulebook.Book]:
    return [book for book in rulebook.books().values() if "blackjack" in book.games]


def _all_split(boxes: int) -> dict[str, object]:
    """An ace against boxes that were all split and drawn to five cards a hand, but the last."""
    suits = [(SUITS[hand % 4], SUITS[(hand + 1) % 4]) for hand in range(2 * boxes - 2)]
    hands = [[f"8{one}", f"3{one}", f"2{one}", f"2{two}", f"3{two}"] for one, two in suits]
    dealt: dict[str, object] = {
        str(box): {"hands": hands[2 * box - 2 : 2 * box]} for box in range(1, boxes)
    }
    dealt[str(boxes)] = {"cards": ["6S", "5H", "AC", "AD", "4D"]}
    return {"dealer": ["AS", "7H"], "boxes": dealt}


def _mixed(wagers: list[rulebook.Wager]) -> list[rulebook.Wager]:
    """Order wagers so that each bet and selection comes in turn, with another play every time."""
    turns: Counter[tuple[str, str]] = Counter()
    ordered = []
    for number, wager in enumerate(wagers):
        ordered.append((turns[wager.bet, wager.selection], number, wager))
        turns[wager.bet, wager.selection] += 1
    return [wager for _, _, wager in sorted(ordered)]


def deal(game: rulebook.Game, seed: int) -> dict[str, object]:
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
