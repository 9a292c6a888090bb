"""Blackjack played as well as it can be, from a shoe that never changes.

With an infinite deck every card comes with the same chance whatever was dealt, so a hand needs
to be looked at once for each total that it can have. What may be done with it, and what every
stake returns at the end, the rules of the table say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import lcm

from games.cards import SUITS
from games.families.blackjack.hands import EIGHT, Cards, Rules, is_blackjack, total, value
from games.families.blackjack.plays import PLAYED, decisions
from games.families.blackjack.table import up_card
from games.game import Game
from games.values import Result

CARDS = {rank: 4 if rank == "T" else 1 for rank in "A23456789T"}
"""How many of thirteen cards count so; pictures are tens."""

DEALS = 13**40
"""Rows of forty cards, all as likely: more cards than any hand and the Dealer's take together.

How often something comes is counted in the deals that begin so. Whatever the next card is, it
comes in whole thirteenths of them.
"""

Line = tuple[str, str]
"""A bet, and its selection within the box: ("double", "/2")."""

End = tuple[Line, Result, Fraction]
"""How a line ends, and what it returns a unit."""

Tally = Mapping[End, Fraction]
"""How often a line ends so and returns so much a unit."""

Counted = Sequence[tuple[int, Cards]]
"""Hands of the Dealer, each with the deals in which it comes."""

_FILLER = "2" + SUITS[0]
"""What the other hand of a split gets while one of them is looked at."""


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """The lines of a hand against a hand of the Dealer, and what they win together in parts."""

    ends: tuple[End, ...]
    won: int


@dataclass(frozen=True, slots=True, eq=False)
class Hand:
    """All hands that the rules cannot tell apart, by one of them.

    `split` is its number after a split. `ways` are what may be done with it; a hand without any
    is at its end, by the action `last` or by rule.
    """

    cards: Cards
    split: int
    last: str
    ways: Sequence[Way] = ()
    settled: dict[object, Settled] = field(default_factory=dict)


Way = Sequence[tuple[int, Hand]]
"""The hands to which an action leads, each on so many of thirteen cards."""


class Hands:
    """All hands of a game, each of them after those to which it leads.

    What they win is counted in parts of a unit, of which every return is a whole number.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rules = Rules.of(game.setup)
        ladders = [rung.returns for bet in PLAYED for rung in game.bets[bet].ladder]
        self.parts = lcm(*(returns.denominator for returns in ladders if returns is not None))
        self.known: dict[object, Hand] = {}

    def begun(self, cards: Cards, split: int = 0) -> Hand:
        """Find a hand that is still to be played; its end, where it stops by rule."""
        allowed = decisions(self.rules, cards, split=bool(split))
        if not allowed:
            return self.ended(cards, split)
        key = (len(cards) if self.rules.eight_cards_win else 0, allowed, split, _count(cards))
        if key not in self.known:
            ways = [self._after(action, cards, split) for action in allowed]
            self.known[key] = Hand(cards, split, "", ways)
        return self.known[key]

    def ended(self, cards: Cards, split: int = 0, last: str = "") -> Hand:
        """Find a hand at its end."""
        natural = is_blackjack(cards) and not split
        key = (min(total(cards), 22), natural, len(cards) == EIGHT, split, last)
        return self.known.setdefault(key, Hand(cards, split, last))

    def settle(self, hand: Hand, dealer: Cards) -> Settled:
        """Ask the rules what a hand returns, once for all hands of the Dealer that are alike."""
        key = (up_card(dealer[0]), min(total(dealer), 22), is_blackjack(dealer))
        if key not in hand.settled:
            ends = tuple(self._ends(hand, dealer))
            won = sum(returns - 1 for _, _, returns in ends) * self.parts
            hand.settled[key] = Settled(ends, int(won))
        return hand.settled[key]

    def _after(self, action: str, cards: Cards, split: int) -> Way:
        match action:
            case "H":
                return [(count, self.begun(more, split)) for count, more in _drawn(cards)]
            case "D":
                return [(count, self.ended(more, split, "D")) for count, more in _drawn(cards)]
            case "P":
                return [
                    (count, self.begun(begun, number))
                    for number, card in enumerate(cards, 1)
                    for count, begun in _drawn((card,))
                ]
        return [(13, self.ended(cards, split, action))]

    def _ends(self, hand: Hand, dealer: Cards) -> Iterator[End]:
        """Settle each line of a hand by the play that led to it."""
        cards, split, last = hand.cards, hand.split, hand.last
        play = last if last in ("D", "F") else "H" * (len(cards) - 2) + last
        lines: list[Line] = [("split" if split == 2 else "ante", "")]
        if last == "D":
            lines.append(("double", f"/{split}" if split else ""))
        box: dict[str, object] = {"cards": cards}
        if split:
            hands, plays = [cards, (cards[0], _FILLER)], [play, ""]
            if split == 2:
                hands.reverse()
                plays.reverse()
            box, play = {"hands": hands}, "P[{}][{}]".format(*plays)
        wagers = [self.game.wager(bet, f"box1{within}", play or None) for bet, within in lines]
        outcome = self.game.read({"dealer": dealer, "boxes": {"1": box}})
        for line, verdict in zip(lines, self.game.resolve(outcome, wagers), strict=True):
            yield line, verdict.result, verdict.returns


@cache
def box_tally(game: Game) -> Tally:
    """Play every pair of first cards against every first card of the Dealer."""
    hands = Hands(game)
    dealt: Counter[Hand] = Counter()
    over: Counter[Hand] = Counter()
    for count, cards in _first_cards():
        dealt[hands.begun(cards)] += count * DEALS // 13**2
        over[hands.ended(cards)] += count * DEALS // 13**2
    tally: Counter[Settled] = Counter()
    for up, of_up in CARDS.items():
        seen, unseen = _looked_at(game, up)
        for came, dealer in ((over, seen), (_played(hands, dealt, unseen), unseen)):
            for hand, of_hand in came.items():
                for of_dealer, cards in dealer:
                    tally[hands.settle(hand, cards)] += of_up * of_hand * of_dealer
    together: Counter[End] = Counter()
    for settled, count in tally.items():
        for end in settled.ends:
            together[end] += count
    return {end: Fraction(count, 13 * DEALS**2) for end, count in together.items()}


def _looked_at(game: Game, up: str) -> tuple[Counted, Counted]:
    """Tell apart what the Dealer saw in the hole card: a blackjack there ends the round.

    Without a look everybody decides against all hands that the Dealer can have.
    """
    ends = dealer_ends(up)
    looks = up == "A" and game.options["hole_card"]
    seen = [(count, cards) for count, cards in ends if looks and is_blackjack(cards)]
    return seen, [end for end in ends if end not in seen]


def _played(hands: Hands, dealt: Mapping[Hand, int], dealer: Counted) -> Counter[Hand]:
    """Play hands as well as it can be against the Dealer's, and count how they end."""
    won: dict[Hand, int] = {}
    best: dict[Hand, Way] = {}

    def worth(way: Way) -> int:
        return sum(count * won[more] for count, more in way) // 13

    for hand in hands.known.values():
        if hand.ways:
            best[hand] = max(hand.ways, key=worth)
            won[hand] = worth(best[hand])
        else:
            won[hand] = sum(count * hands.settle(hand, cards).won for count, cards in dealer)
    came = Counter(dealt)
    for hand, way in reversed(best.items()):
        so_far = came.pop(hand, 0)
        for count, more in way:
            came[more] += so_far * count // 13
    return came


@cache
def dealer_ends(up: str) -> Counted:
    """Draw for the Dealer to 17: each total, bust or blackjack with one hand that shows it."""
    ends: dict[tuple[int, bool], tuple[int, Cards]] = {}
    drawing: dict[tuple[int, bool], tuple[int, Cards]] = {(0, False): (DEALS, (up + SUITS[0],))}
    while drawing:
        further: dict[tuple[int, bool], tuple[int, Cards]] = {}
        for so_far, cards in drawing.values():
            for count, more in _drawn(cards):
                if total(more) >= 17:
                    place, key = ends, (min(total(more), 22), is_blackjack(more))
                else:
                    place, key = further, _count(more)
                before, example = place.get(key, (0, more))
                place[key] = (before + so_far * count // 13, example)
        drawing = further
    return tuple(ends.values())


def gain(tally: Tally) -> Fraction:
    """Sum what all lines win or lose, per unit of the ante."""
    return sum(((returns - 1) * chance for (_, _, returns), chance in tally.items()), Fraction(0))


def _first_cards() -> Iterator[tuple[int, Cards]]:
    for one, other in combinations_with_replacement(CARDS, 2):
        count = CARDS[one] * CARDS[other] * (1 if one == other else 2)
        yield count, (one + SUITS[0], other + SUITS[1])


def _drawn(cards: Cards) -> Iterator[tuple[int, Cards]]:
    for rank, count in CARDS.items():
        yield count, (*cards, rank + SUITS[len(cards) % len(SUITS)])


def _count(cards: Cards) -> tuple[int, bool]:
    """Count a hand with its aces as 1, and say whether there are any: all that drawing asks."""
    values = [value(card) for card in cards]
    return sum(values), 1 in values
