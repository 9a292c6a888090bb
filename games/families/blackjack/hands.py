"""What the cards of a blackjack hand count, and what may be done with them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from games.cards import DECK, RANKS
from games.values import Setup

Cards = tuple[str, ...]

EIGHT = 8
"""So many cards without a bust win by themselves, where the book says so (001 L639, C-37)."""

_VALUES = {card: min(RANKS.index(card[0]) + 1, 10) for card in DECK}
_SPOKEN = {"A": "aces", "T": "10s", "J": "jacks", "Q": "queens", "K": "kings"}


@dataclass(frozen=True, slots=True)
class Rules:
    """What a book chooses for its table.

    `forced_pairs` are the ranks of which a pair may only be split or folded, and no other pair
    may be split; without any, two cards of equal value may be split and nothing is folded.
    `double_on` are the two-card totals that may be doubled, none for all. `hole_card` deals the
    Dealer's second card at the start and looks at it under an ace.
    """

    boxes: int
    forced_pairs: frozenset[str]
    double_on: frozenset[int]
    double_after_split: bool
    eight_cards_win: bool
    hole_card: bool

    @classmethod
    @lru_cache(maxsize=256)
    def of(cls, setup: Setup) -> Rules:
        """Read the rules out of what a book sets."""
        options = setup.options
        return cls(
            boxes=options["boxes"],
            forced_pairs=frozenset(options["forced_pairs"]),
            double_on=frozenset(options["double_on"]),
            double_after_split=options["double_after_split"],
            eight_cards_win=options["eight_cards_win"],
            hole_card=options["hole_card"],
        )

    def forced(self, cards: Cards) -> bool:
        """Whether two cards may only be split or folded (001 L662-675)."""
        return cards[0][0] == cards[1][0] and cards[0][0] in self.forced_pairs

    def splits(self, cards: Cards) -> bool:
        """Whether two cards may be split: by rank in the clubs, by value in 004 2.7 (C-46)."""
        if self.forced_pairs:
            return self.forced(cards)
        return value(cards[0]) == value(cards[1])

    def doubles(self, cards: Cards, *, split: bool) -> bool:
        """Whether a hand of two cards may be doubled."""
        if split and not self.double_after_split:
            return False
        return not self.double_on or total(cards) in self.double_on

    def stops(self, cards: Cards, *, split: bool) -> bool:
        """Whether a hand takes no more cards, whatever its player wants.

        At 21 and above (004 3.5.iii, 4.4.i), at eight cards where they win, and a split ace.
        """
        if total(cards) >= 21 or (self.eight_cards_win and len(cards) == EIGHT):
            return True
        return split and cards[0][0] == "A"


def value(card: str) -> int:
    """Count one card: an ace 1, pictures 10."""
    return _VALUES[card]


@lru_cache(maxsize=4096)
def total(cards: Cards) -> int:
    """Count a hand, an ace as 11 wherever that does not take it over 21.

    >>> total(("AS", "6H")), total(("AS", "6H", "9D")), total(("AS", "AH", "9D"))
    (17, 16, 21)
    """
    values = [_VALUES[card] for card in cards]
    hard = sum(values)
    return hard + 10 if hard <= 11 and 1 in values else hard


def is_blackjack(cards: Cards) -> bool:
    """Whether a hand's first and only two cards are an ace and a ten; never after a split.

    >>> is_blackjack(("AS", "KH")), is_blackjack(("AS", "5H", "5D"))
    (True, False)
    """
    return len(cards) == 2 and total(cards) == 21


def pair_kind(first: str, second: str) -> str:
    """Name the pair of Perfect Pairs that two cards are, or "" (001 L700-702).

    >>> pair_kind("4D", "4D"), pair_kind("4D", "4H"), pair_kind("4D", "4S"), pair_kind("KD", "QD")
    ('perfect', 'colored', 'mixed', '')
    """
    if first[0] != second[0]:
        return ""
    if first[1] == second[1]:
        return "perfect"
    return "colored" if {first[1], second[1]} in ({"H", "D"}, {"S", "C"}) else "mixed"


def spoken_pair(rank: str) -> str:
    """Say a pair of a rank: "a pair of 8s"."""
    return f"a pair of {_SPOKEN.get(rank, f'{rank}s')}"


def spoken_total(cards: Cards) -> str:
    """Say what a hand came to: "18", or "bust with 24"."""
    count = total(cards)
    return f"bust with {count}" if count > 21 else str(count)
