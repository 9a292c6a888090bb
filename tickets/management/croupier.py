"""Dealing at a table through the services, as the studio's own system would."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import SystemRandom
from typing import Any

from casino.models import Person, Round, Shoe, Table
from casino.selectors import cards_used, game_of
from casino.services import rounds, shoes
from games.cards import DECK

chance = SystemRandom()
"""Where every shuffle and roll comes from."""

ENOUGH = 40
"""Cards with which any hand can be dealt to its end, also one on seven boxes of blackjack."""


def roll(faces: int) -> int:
    """Roll a fair die: 1 to `faces`."""
    return chance.randint(1, faces)


def shuffled(decks: int) -> list[str]:
    """Give so many decks in a random order; the next card is the last of the list."""
    cards = list(DECK) * decks
    chance.shuffle(cards)
    return cards


def drawn(cards: list[str]) -> Iterator[str]:
    """Take cards off a list of them, one at a time."""
    while cards:
        yield cards.pop()


def open_shoe(table: Table, cards: list[str], *, actor: Person, reason: str) -> Shoe:
    """Open the table's next shoe: show the first card and burn as many as it says."""
    last = Shoe.objects.filter(table=table).order_by("-number").first()
    first = cards.pop()
    burned = shoes.BURN[first[0]]
    del cards[-burned:]
    return shoes.open_shoe(
        table=table,
        number=last.number + 1 if last else 1,
        first_card=first,
        burned=burned,
        actor=actor,
        reason=reason,
    )


def cards_left(shoe: Shoe) -> list[str]:
    """Give what a shoe may still hold, in a random order: all its cards but those seen.

    The order of a real shoe is nowhere recorded; this stands in for it when whoever knew it is
    gone.
    """
    left = Counter(dict.fromkeys(DECK, shoe.decks)) - cards_used(shoe)
    cards = list(left.elements())
    chance.shuffle(cards)
    return cards[: max(len(cards) - shoe.burned, 0)]


def running_hand(table: Table) -> Round | None:
    """The hand between its first bet and its result, if there is one."""
    return Round.objects.filter(
        table=table, phase__in=[Round.Phase.BETTING, Round.Phase.CLOSED], on_hold=False
    ).first()


def close_betting(round: Round, outcome: dict[str, Any], *, actor: Person, reason: str) -> Round:
    """Close betting and say what is drawn then, as it stands in the outcome that is to be."""
    draws = {part: outcome[part] for part in game_of(round).draws} or None
    return rounds.close_betting(round=round, draws=draws, actor=actor, reason=reason)


def finish_hand(table: Table, *, actor: Person, reason: str) -> Round | None:
    """Close and deal the hand that is running at a table, if there is one.

    A round that rides on another gets its die once that one has its result, and waits till then.
    """
    running = running_hand(table)
    if running is None:
        return None
    rounds.close_betting(round=running, actor=actor, reason=reason)
    game = game_of(running)
    if running.rides_on is not None:
        if running.rides_on.phase != Round.Phase.RESULTED:
            return None
        outcome = running.draws or {"die": roll(12)}
    else:
        cards = cards_left(running.shoe) if running.shoe else []
        if len(cards) < ENOUGH:
            cards = shuffled(game.decks or 0)
        outcome = game.deal(drawn(cards), roll) | (running.draws or {})
    return rounds.record_result(round=running, outcome=outcome, actor=actor, reason=reason).round
