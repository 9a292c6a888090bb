"""Blackjack played as well as it can be, from a shoe that never changes.

With an infinite deck every card comes with the same chance whatever was dealt, so a hand needs
to be looked at once for each total that it can have. What may be done with it, and what every
stake returns at the end, the rules of the table say.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement

from games.cards import SUITS
from games.families.blackjack import plays_allowed
from games.families.blackjack.hands import EIGHT, Cards, is_blackjack, total, value
from games.game import Game
from games.values import Result

CHANCES = {rank: Fraction(4 if rank == "T" else 1, 13) for rank in "A23456789T"}
"""How often a card counts so; pictures are tens."""

Line = tuple[str, str]
"""A bet, and its selection within the box: ("double", "/2")."""

Tally = Mapping[tuple[Line, Result, Fraction], Fraction]
"""How often a line ends so and returns so much a unit."""

_FILLER = "2" + SUITS[0]
"""What the other hand of a split gets while one of them is looked at."""


@dataclass(frozen=True, slots=True, eq=False)
class Player:
    """The best player of a game against one first card of the Dealer.

    `ends` are the Dealer's hands with their chances: all of them, or those that are left when
    the Dealer has looked at the hole card.
    """

    game: Game
    ends: Sequence[tuple[Fraction, Cards]]
    played: dict[object, Tally] = field(default_factory=dict)
    settled: dict[object, Tally] = field(default_factory=dict)

    def best(self, hand: Cards, split: int = 0) -> Tally:
        """Play a hand on as well as it can be; `split` is its number after a split."""
        counted = len(hand) if self.game.options["eight_cards_win"] else min(len(hand), 3)
        key = (counted, split, hand if len(hand) == 2 else _count(hand))
        if key not in self.played:
            up = self.ends[0][1][0]
            allowed = plays_allowed(self.game, hand, up, split=bool(split))
            ways = [self._after(action, hand, split) for action in allowed if len(action) == 1]
            self.played[key] = max(ways or [self.ended(hand, split)], key=gain)
        return self.played[key]

    def ended(self, hand: Cards, split: int = 0, last: str = "") -> Tally:
        """Settle a hand, once for all hands that the rules cannot tell apart."""
        natural = is_blackjack(hand) and not split
        key = (min(total(hand), 22), natural, len(hand) == EIGHT, split, last)
        if key not in self.settled:
            self.settled[key] = self._settle(hand, split, last)
        return self.settled[key]

    def _after(self, action: str, hand: Cards, split: int) -> Tally:
        match action:
            case "H":
                return mixed((chance, self.best(more, split)) for chance, more in _drawn(hand))
            case "D":
                return mixed(
                    (chance, self.ended(more, split, "D")) for chance, more in _drawn(hand)
                )
            case "P":
                return mixed(
                    (chance, self.best(begun, number))
                    for number, card in enumerate(hand, 1)
                    for chance, begun in _drawn((card,))
                )
        return self.ended(hand, split, action)

    def _settle(self, hand: Cards, split: int, last: str) -> Tally:
        """Ask the rules what each line of a hand returns against every hand of the Dealer."""
        play = last if last in ("D", "F") else "H" * (len(hand) - 2) + last
        lines: list[Line] = [("split" if split == 2 else "ante", "")]
        if last == "D":
            lines.append(("double", f"/{split}" if split else ""))
        box: dict[str, object] = {"cards": hand}
        if split:
            hands, plays = [hand, (hand[0], _FILLER)], [play, ""]
            if split == 2:
                hands.reverse()
                plays.reverse()
            box, play = {"hands": hands}, "P[{}][{}]".format(*plays)
        wagers = [self.game.wager(bet, f"box1{within}", play or None) for bet, within in lines]
        tally: defaultdict[tuple[Line, Result, Fraction], Fraction] = defaultdict(Fraction)
        for chance, dealer in self.ends:
            outcome = self.game.read({"dealer": dealer, "boxes": {"1": box}})
            for line, verdict in zip(lines, self.game.resolve(outcome, wagers), strict=True):
                tally[line, verdict.result, verdict.returns] += chance
        return tally


@cache
def box_tally(game: Game) -> Tally:
    """Play every pair of first cards against every first card of the Dealer."""
    return mixed(
        (of_up * of_hand * chance, player.best(hand) if decides else player.ended(hand))
        for up, of_up in CHANCES.items()
        for chance, player, decides in _players(game, up)
        for of_hand, hand in _first_cards()
    )


def _players(game: Game, up: str) -> Iterator[tuple[Fraction, Player, bool]]:
    """Tell apart what the Dealer saw in the hole card; a blackjack there ends the round.

    Without a look everybody decides against all hands that the Dealer can have.
    """
    ends = dealer_ends(up)
    looks = up == "A" and game.options["hole_card"]
    for over in (True, False):
        part = [end for end in ends if (looks and is_blackjack(end[1])) == over]
        chance = sum((of_end for of_end, _ in part), Fraction(0))
        if part:
            player = Player(game, [(of_end / chance, cards) for of_end, cards in part])
            yield chance, player, not over


def dealer_ends(up: str) -> list[tuple[Fraction, Cards]]:
    """Draw for the Dealer to 17: each total, bust or blackjack with one hand that shows it."""
    ends: dict[tuple[int, bool], tuple[Fraction, Cards]] = {}
    drawing: dict[tuple[int, bool], tuple[Fraction, Cards]] = {
        (0, False): (Fraction(1), (up + SUITS[0],))
    }
    while drawing:
        further: dict[tuple[int, bool], tuple[Fraction, Cards]] = {}
        for so_far, cards in drawing.values():
            for chance, more in _drawn(cards):
                count = total(more)
                if count >= 17:
                    place, key = ends, (min(count, 22), is_blackjack(more))
                else:
                    place, key = further, _count(more)
                before, example = place.get(key, (Fraction(0), more))
                place[key] = (before + so_far * chance, example)
        drawing = further
    return list(ends.values())


def gain(tally: Tally) -> Fraction:
    """Sum what all lines win or lose, per unit of the ante."""
    return sum(((returns - 1) * chance for (_, _, returns), chance in tally.items()), Fraction(0))


def mixed(parts: Iterable[tuple[Fraction, Tally]]) -> Tally:
    """Put tallies together, each with its chance."""
    together: defaultdict[tuple[Line, Result, Fraction], Fraction] = defaultdict(Fraction)
    for chance, tally in parts:
        for end, of_end in tally.items():
            together[end] += chance * of_end
    return together


def _first_cards() -> Iterator[tuple[Fraction, Cards]]:
    for one, other in combinations_with_replacement(CHANCES, 2):
        chance = CHANCES[one] * CHANCES[other] * (1 if one == other else 2)
        yield chance, (one + SUITS[0], other + SUITS[1])


def _drawn(cards: Cards) -> Iterator[tuple[Fraction, Cards]]:
    for rank, chance in CHANCES.items():
        yield chance, (*cards, rank + SUITS[len(cards) % len(SUITS)])


def _count(cards: Cards) -> tuple[int, bool]:
    """Count a hand with its aces as 1, and say whether there are any: all that drawing asks."""
    values = [value(card) for card in cards]
    return sum(values), 1 in values
