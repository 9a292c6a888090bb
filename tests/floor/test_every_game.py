"""Every game of every book at a table: opened, ticketed on every bet, settled, ruled on."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from casino.models import Round
from casino.selectors import game_of
from games import rulebook
from games.cards import DECK
from tests.house import House
from tickets.models import Posting, Ticket
from tickets.services.acceptance import accept_tickets
from tickets.services.ledger import verify_ledger
from tickets.services.resolving import resolve_round

pytestmark = pytest.mark.django_db

GAMES = [(book.code, game) for book in rulebook.books().values() for game in book.games]

STAKE = "180"
"""Divides by the chips of every announced bet: 4, 5, 6 and 9."""


def cards(decks: int | None, seed: int) -> Iterator[str]:
    shoe = list(DECK) * (decks or 1)
    random.Random(seed).shuffle(shoe)
    yield from shoe


def dealt(game: rulebook.Game, seed: int) -> dict[str, Any]:
    dice = random.Random(seed)

    def roll(faces: int) -> int:
        return dice.randint(1, faces)

    return game.deal(cards(game.decks, seed), roll)


def different(round: Round, outcome: dict[str, Any]) -> dict[str, Any]:
    """Another deal of the game that pays the round's wagers otherwise."""
    game = game_of(round)

    def returns(raw: dict[str, Any]) -> list[Fraction]:
        read = game.read(raw)
        return resolve_round(round, outcome=read, void_ground="", headline="").fractions()

    before = returns(outcome)
    return next(other for seed in range(100, 200) if returns(other := dealt(game, seed)) != before)


def open_hand(house: House, book: str, game: str) -> Round:
    table = house.table(f"{book}-t", book, game)
    if game_of(table).has_shoe:
        house.shoe(table)
    return house.round(table)


def all_paid(tickets: list[Ticket]) -> list[int]:
    """What the ledger says that each ticket pays."""
    rows = Posting.objects.filter(ticket__in=tickets).order_by("settlement_id")
    latest = {row.ticket_id: row.payout for row in rows}
    return [latest[ticket.pk] for ticket in tickets]


def on_every_bet(house: House, round: Round) -> list[Ticket]:
    """One player a wager, each with the bets that its own needs."""
    game = game_of(round)
    asked = []
    for bet in game.bets.values():
        for selection in bet.selections:
            needed = [
                (need.partition(":")[0], selection if ":" in need else "", STAKE)
                for need in bet.needs[:1]
            ]
            if game.family == "blackjack" and bet.code in ("split", "double", "insurance"):
                continue
            if game.family == "blackjack" and bet.code != "ante":
                needed = [("ante", selection or "box1", STAKE)]
            bets = [*needed, (bet.code, selection, STAKE)]
            asked.append(house.asked(round, bets, player=f"{bet.code} {selection}"))
    answers = accept_tickets(asked=asked, client=house.north)
    return [answer.ticket for answer in answers if answer.ticket is not None]


@pytest.mark.parametrize(("book", "code"), GAMES, ids=str)
def test_a_round_from_first_bet_to_last_ruling(house: House, book: str, code: str) -> None:
    round = open_hand(house, book, code)
    game = game_of(round)
    tickets = on_every_bet(house, round)
    first = dealt(game, 7)
    house.result(round, first)
    [batch] = house.settle()
    assert batch.tickets == len(tickets) >= len(game.bets) - 3
    paid = all_paid(tickets)
    ground = "management_discretion"
    house.rule(round, "void_hand", ground)
    assert all_paid(tickets) == [ticket.stake for ticket in tickets]
    house.rule(round, "reinstate", ground)
    assert all_paid(tickets) == paid
    house.rule(round, "edit", ground, outcome=different(round, first))
    assert all_paid(tickets) != paid
    house.rule(round, "edit", ground, outcome=first)
    assert all_paid(tickets) == paid
    assert verify_ledger().differences == ()


def test_there_are_thirty_three_of_them() -> None:
    assert len(GAMES) == 33
