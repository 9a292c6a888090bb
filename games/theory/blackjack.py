"""Chances at the blackjack table: the hand by best play, side bets over pairs of a full shoe.

What a box returns depends on how it is played, so its edge is that of best play against an
infinite deck (`best_play`). Pairs and insurance depend on two cards and nobody's decisions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product

from games.cards import DECK, SUITS
from games.families.blackjack.plays import PLAYED, place
from games.game import Game
from games.theory import Edge, Pass, Theory
from games.theory.best_play import Line, box_tally, gain
from games.values import Outcome, Result, Wager

WHOLE_BOX = "Infinite deck, best play: all stakes of the box, per unit of its first stake."
ONE_STAKE = "Infinite deck, best play: this stake alone, where best play adds it."

Weighted = tuple[int, tuple[str, str]]
"""Two cards with the number of ways in which they come."""

_INSURED = "dealer_blackjack:ace"


def own(game: Game, wager: Wager) -> Edge | None:
    """Answer for the stakes that depend on decisions.

    The first stake of a box carries the edge of the whole box, which is what playing costs; its
    own chances stand beside it. An added stake has an edge of its own, in the player's favour
    where best play adds it.
    """
    if wager.bet not in PLAYED:
        return None
    _, hand = place(wager.selection)
    chances = _chances(game, (wager.bet, f"/{hand}" if hand else ""))
    total = sum(chances.values(), Fraction(0))
    if wager.bet == "ante":
        edge, why = -gain(box_tally(game)), WHOLE_BOX
    else:
        won = sum((returns * chance for (_, returns), chance in chances.items()), Fraction(0))
        edge, why = 1 - won / total, ONE_STAKE
    results: defaultdict[Result, Fraction] = defaultdict(Fraction)
    for (result, _), chance in chances.items():
        results[result] += chance / total
    ordered = {result: results[result] for result in Result if results[result]}
    return Edge(wager, edge, ordered, why)


def _chances(game: Game, line: Line) -> dict[tuple[Result, Fraction], Fraction]:
    return {
        (result, returns): chance
        for (one, result, returns), chance in box_tally(game).items()
        if one == line
    }


def passes(game: Game) -> Iterator[Pass]:
    """Go through the first two cards of each box and of the Dealer, who may show an ace."""
    unordered = combinations_with_replacement(DECK, 2)
    every_pair = [(_ways(game, pair) * len(set(pair)), pair) for pair in unordered]
    for number in range(1, game.options["boxes"] + 1):
        yield Pass(_pair_of(f"box{number}"), _box_pairs(game, str(number), every_pair))
    yield Pass(_pair_of("dealer"), _dealer_pairs(game, every_pair))
    aces = ["A" + suit for suit in SUITS]
    under_an_ace = [(_ways(game, pair), pair) for pair in product(aces, DECK)]
    yield Pass(lambda fact: fact == _INSURED, _dealer_pairs(game, under_an_ace))


def _pair_of(name: str) -> Callable[[str], bool]:
    return lambda fact: fact.endswith(f"_pair:{name}")


def _box_pairs(
    game: Game, number: str, pairs: Iterable[Weighted]
) -> Callable[[], Iterator[tuple[int, Outcome]]]:
    def draws() -> Iterator[tuple[int, Outcome]]:
        """Deal two cards to one box; the Dealer has 17 and waits for nobody."""
        for weight, cards in pairs:
            yield weight, game.read({"dealer": ["TS", "7H"], "boxes": {number: {"cards": cards}}})

    return draws


def _dealer_pairs(
    game: Game, pairs: Iterable[Weighted]
) -> Callable[[], Iterator[tuple[int, Outcome]]]:
    def draws() -> Iterator[tuple[int, Outcome]]:
        """Deal two cards to the Dealer; against blackjacks no third is due."""
        boxes = {
            str(number): {"cards": [f"A{SUITS[number % 4]}", f"K{SUITS[number % 4]}"]}
            for number in range(1, game.options["boxes"] + 1)
        }
        for weight, cards in pairs:
            yield weight, game.read({"dealer": cards, "boxes": boxes})

    return draws


def _ways(game: Game, pair: tuple[str, str]) -> int:
    """Count the ways to take one card and then the other from a full shoe."""
    decks = game.decks
    assert decks is not None, "blackjack is played with cards"
    return decks * (decks - (pair[0] == pair[1]))


THEORY = Theory(passes, own)
