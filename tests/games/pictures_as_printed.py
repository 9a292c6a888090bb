"""The three-picture games as the documents print them, worked out without the code under test."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

from games.cards import DECK
from games.rulebook import Game, Verdict, book

SUPER = book("club-a").game("super_three_pictures")
THREE = book("club-b").game("three_pictures")

Cards = tuple[str, ...]

PLAYERS = ("player1", "player2", "player3")

ALL_HANDS: list[Cards] = list(combinations(DECK, 3))

VALUES = {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0} | {str(value): value for value in range(2, 10)}
"""000 L736, 001 L531."""

POINTS = ("Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")

LISTED = [
    "3 Knights",
    *(
        f"{knights} {points}"
        for points in reversed(POINTS)
        for knights in ("Double Knights", "Single Knight", "Plain")
    ),
]
"""001 L564-594, highest first."""


@cache
def listed(cards: Cards) -> int:
    """The place of a hand in the printed list, from 1."""
    ranks = [card[0] for card in cards]
    knights = sum(rank in "JQK" for rank in ranks)
    if knights == 3:
        return 1
    points = POINTS[sum(VALUES[rank] for rank in ranks) % 10]
    return LISTED.index(f"{('Plain', 'Single Knight', 'Double Knights')[knights]} {points}") + 1


@cache
def pair_plus(cards: Cards) -> str:
    """The best combination by the words of 000 L751-755 and 001 L549-553."""
    ranks = sorted("A23456789TJQK".index(card[0]) + 1 for card in cards)
    same_suit = len({card[1] for card in cards}) == 1
    low, middle, high = ranks
    consecutive = (middle - low, high - middle) == (1, 1) or ranks == [1, 12, 13]
    if consecutive and same_suit:
        return "straight_flush"
    if low == high:
        return "three_of_a_kind"
    if consecutive:
        return "straight"
    if same_suit:
        return "flush"
    return "pair" if middle in (low, high) else ""


PAYS_000 = {"straight_flush": 41, "three_of_a_kind": 31, "straight": 6, "flush": 5, "pair": 2}
PAYS_001 = {"straight_flush": 41, "three_of_a_kind": 31, "straight": 7, "flush": 4, "pair": 2}


def against(own: Cards, opposite: Cards) -> Fraction:
    """1:1, half on a six, pushed on a tie: the clause of Win and of Lose alike."""
    mine, theirs = listed(own), listed(opposite)
    if mine == theirs:
        return Fraction(1)
    if mine > theirs:
        return Fraction(0)
    return Fraction(3, 2) if mine in (11, 12, 13) else Fraction(2)


def expected(hands: dict[str, Cards]) -> dict[tuple[str, str], Fraction]:
    """What every bet of document 001 returns for four hands."""
    dealer = hands["dealer"]
    returns: dict[tuple[str, str], Fraction] = {}
    for player in PLAYERS:
        cards = hands[player]
        returns["win", player] = against(cards, dealer)
        returns["lose", player] = against(dealer, cards)
        returns["tie", player] = Fraction(19 if listed(cards) == listed(dealer) else 0)
        returns["three_knights", player] = Fraction(37 if listed(cards) == 1 else 0)
    for name, cards in hands.items():
        returns["pair_plus", name] = Fraction(PAYS_001.get(pair_plus(cards), 0))
    return returns


def expected_of_two(player: Cards, banker: Cards) -> dict[tuple[str, str], Fraction]:
    """What every bet of document 000 returns for two hands."""
    return {
        ("player_win", ""): against(player, banker),
        ("banker_win", ""): against(banker, player),
        ("tie", ""): Fraction(19 if listed(player) == listed(banker) else 0),
        ("player_three_pictures", ""): Fraction(37 if listed(player) == 1 else 0),
        ("banker_three_pictures", ""): Fraction(37 if listed(banker) == 1 else 0),
        ("player_pair_plus", ""): Fraction(PAYS_000.get(pair_plus(player), 0)),
        ("banker_pair_plus", ""): Fraction(PAYS_000.get(pair_plus(banker), 0)),
    }


WAGERS = {
    game.code: {
        (bet.code, selection): game.wager(bet.code, selection)
        for bet in game.bets.values()
        for selection in bet.selections
    }
    for game in (SUPER, THREE)
}


def resolved(game: Game, raw: Any) -> dict[tuple[str, str], Verdict]:
    wagers = WAGERS[game.code]
    verdicts = game.resolve(game.read(raw), list(wagers.values()))
    return dict(zip(wagers, verdicts, strict=True))


def returns(game: Game, raw: Any) -> dict[tuple[str, str], Fraction]:
    return {key: verdict.returns for key, verdict in resolved(game, raw).items()}


def dealt(seed: int, game: Game = THREE) -> dict[str, Any]:
    return game.deal(iter(Random(seed).sample(DECK, 52)), lambda faces: 1)


def two(player: str, banker: str) -> dict[str, list[str]]:
    return {"player": player.split(), "banker": banker.split()}
