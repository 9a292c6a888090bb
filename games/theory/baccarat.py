"""Every way in which a baccarat hand can be dealt from a full shoe.

What a bet asks for is settled either by what the cards count, or by the first two cards of one
side. So there are three passes, and each of them covers every deal: one over totals and third
cards, one over the Player's and one over the Banker's first two cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import combinations_with_replacement, cycle, product
from math import perm
from typing import Any

from games.cards import DECK
from games.drawing import banker_draws, player_draws, points
from games.families.baccarat import SIDES, first_two_facts
from games.game import Game
from games.theory import Pass, Theory
from games.values import Outcome

Hand = tuple[tuple[int, ...], tuple[int, ...]]
"""What the cards of the Player and of the Banker count, in order."""

_BY_POINTS = {value: [card for card in DECK if points([card]) == value] for value in range(10)}


def passes(game: Game) -> Iterator[Pass]:
    """Go through all deals by totals, then by the first two cards of each side."""
    of_side = {side: first_two_facts(side) for side in SIDES}
    yield ends(game)
    if not game.options["fixed_seven"]:
        for side in SIDES:
            yield Pass(_only(of_side[side]), _first_two(game, side))


def ends(game: Game) -> Pass:
    """Go through all deals by totals; people know them by who wins."""
    aside = frozenset[str]().union(*map(first_two_facts, SIDES))
    return Pass(lambda fact: _plain(fact) not in aside, lambda: _by_totals(game))


@cache
def weighted_hands(decks: int, fixed_seven: bool) -> dict[Hand, int]:
    """Weigh one hand of every kind: in how many deals of a full hand it comes.

    A full hand is six cards in order (five beside the fixed 7), also where fewer are used.
    Hands are of one kind if two-card totals and third cards agree, in 7 Up also their 7s.
    """
    shoe = {value: len(cards) * decks for value, cards in _BY_POINTS.items()}
    kinds: dict[tuple[Any, ...], Hand] = {}
    weights: Counter[Hand] = Counter()
    for (player, of_player), (banker, of_banker) in product(
        _pairs(fixed_seven), _pairs(fixed_seven=False)
    ):
        left = dict(shoe)
        ways = of_player * of_banker * _take(left, (player + banker)[int(fixed_seven) :])
        sevens = (player + banker).count(7) if fixed_seven else 0
        for thirds in _thirds(sum(player) % 10, sum(banker) % 10):
            drawn = thirds[0] + thirds[1]
            kind = (sum(player) % 10, sum(banker) % 10, sevens, thirds)
            unused = perm(sum(left.values()) - len(drawn), 2 - len(drawn))
            weight = ways * _take(dict(left), drawn) * unused
            if weight:
                hand = kinds.setdefault(kind, (player + thirds[0], banker + thirds[1]))
                weights[hand] += weight
    return dict(weights)


def _pairs(fixed_seven: bool) -> Iterator[tuple[tuple[int, int], int]]:
    """Two cards by what they count, and in how many orders they can come."""
    if fixed_seven:
        yield from (((7, second), 1) for second in range(10))
    else:
        for first, second in combinations_with_replacement(range(10), 2):
            yield (first, second), 1 if first == second else 2


def _thirds(player: int, banker: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The third cards that can follow on two-card totals."""
    drawn: list[tuple[int, ...]] = [()]
    if player_draws(player, banker):
        drawn = [(third,) for third in range(10)]
    for third in drawn:
        if banker_draws(player, banker, third[0] if third else None):
            yield from ((third, (last,)) for last in range(10))
        else:
            yield third, ()


def _take(left: dict[int, int], counts: Iterable[int]) -> int:
    """Take cards that count so from what is left, and say in how many ways that can be done."""
    ways = 1
    for value in counts:
        ways *= left[value]
        left[value] -= 1
    return ways


def _by_totals(game: Game) -> Iterator[tuple[int, Outcome]]:
    fixed_seven = game.options["fixed_seven"]
    for hand, weight in weighted_hands(_decks(game), fixed_seven).items():
        cards = {value: cycle(_BY_POINTS[value]) for side in hand for value in side}
        player, banker = ([next(cards[value]) for value in side] for side in hand)
        if fixed_seven:
            player[0] = "7S"
        yield from _with_die(game, weight, {"player": player, "banker": banker})


def _first_two(game: Game, side: str) -> Callable[[], Iterator[tuple[int, Outcome]]]:
    def draws() -> Iterator[tuple[int, Outcome]]:
        """Deal any two cards to one side; a natural 9 opposite ends the hand."""
        decks = _decks(game)
        for first, second in combinations_with_replacement(DECK, 2):
            opposite = [
                next(card for card in _BY_POINTS[value] if card not in (first, second))
                for value in (9, 0)
            ]
            weight = decks * (decks - 1) if first == second else 2 * decks**2
            if weight:
                raw = dict.fromkeys(SIDES, opposite) | {side: [first, second]}
                yield from _with_die(game, weight, raw)

    return draws


def _with_die(game: Game, weight: int, raw: dict[str, Any]) -> Iterator[tuple[int, Outcome]]:
    """Put the die of a Super game beside a hand: one face of each kind, as often as it comes."""
    super_faces = game.options["super_faces"]
    if not super_faces:
        yield weight, game.read(raw)
        return
    plain_faces = [face for face in range(1, 13) if face not in super_faces]
    for faces in (super_faces, plain_faces):
        yield weight * len(faces), game.read(raw | {"die": faces[0]})


def _only(facts: frozenset[str]) -> Callable[[str], bool]:
    return lambda fact: _plain(fact) in facts


def _plain(fact: str) -> str:
    return fact.removeprefix("super:")


def _decks(game: Game) -> int:
    assert game.decks is not None, "baccarat is played with cards"
    return game.decks


THEORY = Theory(passes, ends=ends)
