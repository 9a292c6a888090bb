"""Playing one round: cards from a shoe, and somebody who decides."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from games.families import Roll
from games.families.blackjack.hands import Cards, Rules, is_blackjack, total, value
from games.families.blackjack.plays import Box, decisions
from games.families.blackjack.table import (
    ACE,
    Table,
    as_written,
    possibly_live,
    surely_live,
    up_card,
)
from games.values import Setup

Choose = Callable[[Cards, str, tuple[str, ...]], str]
"""Whoever decides: a hand, the Dealer's first card and the actions allowed give one of them."""

_ODD_ONE = 8
"""One decision in so many is taken without a plan: the tables have seen everything."""


def deal(setup: Setup, shoe: Iterator[str], roll: Roll) -> dict[str, Any]:
    """Play a round on every box as plain players do, some of whom now and then play oddly.

    Several tickets lie on each box, so the Dealer draws for whoever stood before it went bust.
    """

    def choose(cards: Cards, up: str, allowed: tuple[str, ...]) -> str:
        if roll(_ODD_ONE) == 1:
            return allowed[roll(len(allowed)) - 1]
        return plain_choice(cards, up, allowed)

    boxes = range(1, Rules.of(setup).boxes + 1)
    return play_round(setup, shoe, boxes, choose, waits=possibly_live)


def plain_choice(cards: Cards, up: str, allowed: tuple[str, ...]) -> str:
    """Decide as a plain player does: double 11, split aces and 8s, draw against high cards."""
    if "F" in allowed or ("P" in allowed and value(cards[0]) in (1, 8)):
        return "P"
    if "D" in allowed and total(cards) == 11:
        return "D"
    high = value(up) == 1 or value(up) >= 7
    soft = sum(map(value, cards)) != total(cards)
    enough = 18 if soft else 17 if high else 12
    return "S" if total(cards) >= enough else "H"


def play_round(
    setup: Setup,
    shoe: Iterator[str],
    boxes: Sequence[int],
    choose: Choose,
    waits: Callable[[Table, Box], bool] = surely_live,
) -> dict[str, Any]:
    """Play one round with the next cards of a shoe: an outcome that `table.read` accepts.

    1. Burn as many cards as the book says (001 L720).
    2. One card to each box, the Dealer's first, a second to each box; with a hole card the
       Dealer's second (004 3.4).
    3. Box by box as decided; under an ace with blackjack nobody plays (004 3.7).
    4. The Dealer's second card, and draws to 17 unless every hand is decided (001 L648,
       004 4.4.iii): by default no ticket took fewer cards than its box shows.
    """
    rules = Rules.of(setup)
    cards = islice(shoe, setup.options["burn"], None)
    first = {number: next(cards) for number in boxes}
    dealer: Cards = (next(cards),)
    pairs = {number: (card, next(cards)) for number, card in first.items()}
    if rules.hole_card:
        dealer += (next(cards),)
    over = up_card(dealer[0]) == ACE and is_blackjack(dealer)
    played = {
        number: Box(number, (pair,) if over else _play(rules, pair, dealer[0], cards, choose))
        for number, pair in pairs.items()
    }
    if not rules.hole_card:
        dealer += (next(cards),)
    table = Table(rules, dealer, played, finished=True)
    if any(waits(table, box) for box in played.values()):
        while total(dealer) < 17:
            dealer += (next(cards),)
    return {
        "dealer": list(dealer),
        "boxes": {str(number): as_written(box.hands) for number, box in played.items()},
    }


def _play(
    rules: Rules, pair: Cards, up: str, cards: Iterator[str], choose: Choose
) -> tuple[Cards, ...]:
    """Play one box to its end: its cards, or the two hands of a split."""
    allowed = decisions(rules, pair, split=False)
    if not allowed:
        return (pair,)
    action = choose(pair, up, allowed)
    if action == "F":
        return (pair,)
    if action != "P":
        return (_finish(rules, pair, action, up, cards, choose, split=False),)
    begun = [(card, next(cards)) for card in pair]
    return tuple(
        _finish(rules, hand, _ask(rules, hand, up, choose), up, cards, choose, split=True)
        for hand in begun
    )


def _ask(rules: Rules, hand: Cards, up: str, choose: Choose) -> str:
    allowed = decisions(rules, hand, split=True)
    return choose(hand, up, allowed) if allowed else "S"


def _finish(
    rules: Rules,
    hand: Cards,
    action: str,
    up: str,
    cards: Iterator[str],
    choose: Choose,
    *,
    split: bool,
) -> Cards:
    """Draw for one hand until it stands, doubles or stops by rule."""
    while action == "H":
        hand += (next(cards),)
        allowed = decisions(rules, hand, split=split)
        if not allowed:
            return hand
        action = choose(hand, up, allowed)
    return (*hand, next(cards)) if action == "D" else hand
