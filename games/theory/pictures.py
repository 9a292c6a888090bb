"""Every hand of three cards of one deck, and every pair of such hands.

A bet is settled either by one hand alone or by one hand against the bank. So there is a pass
over all hands for each of them, and a pass over all pairs for each that plays against the bank.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement, islice
from math import comb, prod

from games.cards import DECK, RANKS, SUITS
from games.families.pictures import rank
from games.game import Game
from games.theory import Pass, Theory
from games.values import Outcome

Cards = tuple[str, ...]

_RESULTS = frozenset({"wins", "wins_on_six", "loses", "loses_on_six", "ties"})

_BY_KIND = {kind: [card for card in DECK if card[0] == kind] for kind in "A23456789T"} | {
    "J": [card for card in DECK if card[0] in "JQK"]
}
"""Cards that count the same for the ranks: the pictures are all of one kind."""


def passes(game: Game) -> Iterator[Pass]:
    """Go through all pairs for each player, then through all hands for each hand."""
    *players, bank = game.options["hands"]
    for player in players:
        yield Pass(_against(player), _pairs(game, player, bank))
    for name in (*players, bank):
        yield Pass(_alone(name), _alone_draws(game, name))


@cache
def weighted_pairs() -> dict[tuple[int, int], tuple[int, Cards, Cards]]:
    """Count for each pair of ranks the ways to deal two hands so, with one of them."""
    deck = Counter({kind: len(cards) for kind, cards in _BY_KIND.items()})
    hands = [Counter(kinds) for kinds in combinations_with_replacement(_BY_KIND, 3)]
    nothing = Counter[str]()
    ranks = [rank(_cards(hand, nothing)) for hand in hands]
    pairs: dict[tuple[int, int], tuple[int, Cards, Cards]] = {}
    for first, one in zip(ranks, hands, strict=True):
        left = deck - one
        ways = _ways(deck, one)
        for second, other in zip(ranks, hands, strict=True):
            if more := _ways(left, other):
                key = (first, second)
                before, *example = pairs.get(key) or (0, _cards(one, nothing), _cards(other, one))
                pairs[key] = (before + ways * more, example[0], example[1])
    return pairs


@cache
def weighted_hands() -> Counter[Cards]:
    """Count all hands, those that differ only in the names of their suits together."""
    weights: Counter[Cards] = Counter()
    for cards in combinations(DECK, 3):
        names: dict[str, str] = {}
        for card in sorted(cards, key=lambda card: RANKS.index(card[0])):
            names.setdefault(card[1], SUITS[len(names)])
        renamed = sorted(card[0] + names[card[1]] for card in cards)
        weights[tuple(renamed)] += 1
    return weights


def _ways(left: Counter[str], hand: Counter[str]) -> int:
    """Count the ways to draw cards of these kinds from what is left."""
    return prod(comb(left[kind], count) for kind, count in hand.items())


def _cards(hand: Counter[str], gone: Counter[str]) -> Cards:
    """Lay out cards of these kinds, behind so many that are gone."""
    return tuple(
        card
        for kind, count in hand.items()
        for card in _BY_KIND[kind][gone[kind] : gone[kind] + count]
    )


def _pairs(game: Game, player: str, bank: str) -> Callable[[], Iterator[tuple[int, Outcome]]]:
    def draws() -> Iterator[tuple[int, Outcome]]:
        for weight, first, second in weighted_pairs().values():
            yield weight, _read(game, {player: first, bank: second})

    return draws


def _alone_draws(game: Game, name: str) -> Callable[[], Iterator[tuple[int, Outcome]]]:
    def draws() -> Iterator[tuple[int, Outcome]]:
        for cards, weight in weighted_hands().items():
            yield weight, _read(game, {name: cards})

    return draws


def _read(game: Game, hands: dict[str, Cards]) -> Outcome:
    """Read an outcome with these hands; whatever is left of the deck goes to the others."""
    used = {card for cards in hands.values() for card in cards}
    unused = iter(card for card in DECK if card not in used)
    return game.read(
        {name: hands.get(name) or tuple(islice(unused, 3)) for name in game.options["hands"]}
    )


def _against(player: str) -> Callable[[str], bool]:
    of_player = {f"{result}:{player}" for result in _RESULTS}
    return lambda fact: fact in of_player


def _alone(name: str) -> Callable[[str], bool]:
    return lambda fact: fact.partition(":")[0] not in _RESULTS and fact.endswith(f":{name}")


THEORY = Theory(passes)
