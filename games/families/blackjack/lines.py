"""What becomes of each line of money on a box, given what its ticket did."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from games.families.blackjack.hands import (
    EIGHT,
    Cards,
    Rules,
    is_blackjack,
    spoken_total,
    total,
)
from games.families.blackjack.plays import (
    PLAYED,
    Box,
    Taken,
    decisions,
    invalid,
    place,
    stakes,
    take,
)
from games.families.blackjack.table import ACE, LOW, Table
from games.refusals import Refused
from games.values import Outcome, Setup, Wager

FACTS = {
    "folded": "Folded: the pair was not split",
    "safe_blackjack": "Blackjack against a first card of the Dealer that is no ten and no ace",
    "blackjack": "Blackjack, and the Dealer has none",
    "eight_cards": "Eight cards without a bust, and no blackjack of the Dealer",
    "wins": "Closer to 21 than the Dealer, or the Dealer is bust",
    "ties": "The same total as the Dealer, or blackjack on both sides",
    "loses": "The Dealer is closer to 21, or has the only blackjack",
    "bust": "The hand is bust",
}
"""The facts of a hand, each with its words; one of them holds, and a safe blackjack is both."""


@dataclass(frozen=True, slots=True)
class Hand:
    """How one hand of a ticket ended."""

    facts: frozenset[str]
    told: str


def facts_for(setup: Setup, outcome: Outcome, wager: Wager) -> frozenset[str]:
    """State what holds for one wager; Refused `invalid_play` where the cards forbid its play.

    Refused `not_offered` for insurance against another first card than an ace, and
    `invalid_outcome` where the wager's box holds no cards or its hand still waits for a card
    of the Dealer. A hand that was not finished holds what is certain, whatever was played.
    """
    table: Table = outcome.detail
    if wager.bet in PLAYED:
        return outcome.facts | hand_of(table, wager).facts
    if table.finished and wager.selection:
        _box(table, wager)
    if table.finished and wager.bet == "insurance" and table.up != ACE:
        raise no_insurance()
    return outcome.facts


def reason(setup: Setup, outcome: Outcome, wager: Wager) -> str:
    """Tell why a wager won or lost: its own hand beside the Dealer's."""
    if wager.bet in PLAYED:
        return hand_of(outcome.detail, wager).told
    return outcome.headline


def fitting(setup: Setup, outcome: Outcome, bet: str, selection: str) -> tuple[str | None, ...]:
    """List the plays with which a wager can have been made on these cards, shortest first.

    None where its ticket took no decision, or where the bet depends on none.
    """
    table: Table = outcome.detail
    tried: list[str | None] = [None]
    if table.finished and bet in PLAYED:
        box = table.boxes.get(place(selection)[0])
        plays = _plays(table.rules, box) if box is not None else ()
        tried += (play for play in plays if stakes(play, bet, selection))
    return tuple(play for play in tried if _fits(setup, outcome, Wager(bet, selection, play)))


def no_insurance() -> Refused:
    """Insurance was asked for against another card than an ace (001 L686, 004 2.5.1)."""
    return Refused(
        "not_offered", "Insurance is offered only against an ace of the Dealer.", field="bet"
    )


@lru_cache(maxsize=4096)
def hand_of(table: Table, wager: Wager) -> Hand:
    """Follow a wager's play to the end of its hand."""
    box_number, number = place(wager.selection)
    number = 2 if wager.bet == "split" else number or 1
    if not table.finished:
        return _unfinished(table, box_number, wager)
    _box(table, wager)
    if wager.bet != "ante" and (
        wager.play is None or not stakes(wager.play, wager.bet, wager.selection)
    ):
        raise invalid(f"A {wager.bet} on {wager.selection} belongs to a play that made it.")
    taken = _taken(table, box_number, wager.play)
    if not taken.hands:
        return Hand(frozenset({"folded"}), f"Box {box_number} folded")
    cards = taken.hands[number - 1]
    name = f"box {box_number}, hand {number}" if taken.split else f"box {box_number}"
    return _settled(table, cards, name, split=taken.split)


@lru_cache(maxsize=4096)
def _taken(table: Table, number: int, play: str | None) -> Taken:
    """Take a box apart once for all the stakes that one play has on it."""
    return take(table.rules, table.boxes[number], play)


def _box(table: Table, wager: Wager) -> Box:
    number, _ = place(wager.selection)
    if number not in table.boxes:
        raise Refused("invalid_outcome", f"Box {number} holds no cards.", field="boxes")
    return table.boxes[number]


@lru_cache(maxsize=4096)
def _settled(table: Table, cards: Cards, name: str, *, split: bool) -> Hand:
    """Hold a finished hand against the Dealer's.

    1. A bust loses before anything of the Dealer's counts.
    2. A blackjack of the Dealer beats everything but another; an ace and a ten after a split
       are 21 (001 L656, 004 2.7).
    3. A blackjack wins, and so do eight cards where the book says so.
    4. The others wait for the Dealer's total.
    """
    mine, dealer = total(cards), total(table.dealer)
    natural = is_blackjack(cards) and not split
    if mine > 21:
        return _hand("bust", f"{name.capitalize()}: {spoken_total(cards)}")
    if is_blackjack(table.dealer):
        if natural:
            return _hand("ties", f"Blackjack in {name} and with the Dealer")
        return _hand("loses", f"Dealer blackjack beats {mine} in {name}")
    if natural:
        told = f"Blackjack in {name}, Dealer {spoken_total(table.dealer)}"
        return _hand("blackjack", told, "safe_blackjack" if table.up == LOW else None)
    if table.rules.eight_cards_win and len(cards) == EIGHT:
        return _hand("eight_cards", f"Eight cards in {name}, {mine} and not bust")
    if not table.dealer_finished:
        raise Refused(
            "invalid_outcome",
            f"The Dealer did not draw on {dealer}, and {mine} in {name} waits for it.",
            field="dealer",
        )
    if dealer > 21:
        return _hand("wins", f"Dealer {spoken_total(table.dealer)}, {mine} in {name}")
    if mine == dealer:
        return _hand("ties", f"{mine} in {name} and with the Dealer")
    if mine > dealer:
        return _hand("wins", f"{mine} in {name} beats Dealer {dealer}")
    return _hand("loses", f"Dealer {dealer} beats {mine} in {name}")


def _unfinished(table: Table, number: int, wager: Wager) -> Hand:
    """State what an unfinished hand has won already (001 L736, C-38)."""
    box = table.boxes.get(number)
    if (
        wager.bet == "ante"
        and table.up == LOW
        and box is not None
        and not box.split
        and is_blackjack(box.hands[0])
    ):
        told = f"Blackjack in box {number}, Dealer shows {table.dealer[0]}"
        return _hand("safe_blackjack", told)
    return Hand(frozenset(), "The hand was not finished")


def _hand(fact: str, told: str, other: str | None = None) -> Hand:
    return Hand(frozenset(filter(None, (fact, other))), told)


def _plays(rules: Rules, box: Box) -> Iterator[str]:
    """Write every play that takes no more cards than a box holds."""
    forced = rules.forced(box.pair)
    if forced:
        yield "F"
    if box.split:
        if not forced:
            yield "S"
        lines = [list(_actions(rules, hand, split=True)) for hand in box.hands]
        yield from (f"P[{first}][{second}]" for first, second in product(*lines))
    elif not forced:
        yield from _actions(rules, box.hands[0], split=False)


def _actions(rules: Rules, dealt: Cards, *, split: bool) -> Iterator[str]:
    for hits in range(len(dealt) - 1):
        stopped = hits > 0 and rules.stops(dealt[: 2 + hits], split=split)
        yield "H" * hits + ("" if stopped else "S")
    if len(dealt) > 2 and "D" in decisions(rules, dealt[:2], split=split):
        yield "D"


def _fits(setup: Setup, outcome: Outcome, wager: Wager) -> bool:
    try:
        facts_for(setup, outcome, wager)
    except Refused:
        return False
    return True
