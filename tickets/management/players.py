"""The players of a demonstration: who they are and what they ask for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from uuid import uuid4

from django.utils import timezone

from casino.models import Round
from casino.selectors import game_of
from games.money import format_amount
from games.rulebook import Game, Wager
from tickets.management.croupier import chance
from tickets.management.slips import all_wagers, may_hold, with_needs
from tickets.services.acceptance import BetAsked, TicketAsked

PLAYERS = 400
TESTERS = 40
"""Every so many players, one plays for the operator's own tests."""

OPERATORS = {"lagoon": "Lagoon", "meridian": "Meridian"}
CURRENCIES = ("USD", "USD", "EUR", "JPY")
SMALLEST = 100
"""The smallest chip in minor units, the same in every currency: 1.00 USD, 100 JPY."""

LARGEST = 2000 * SMALLEST
"""The largest stake on a bet that tables of the demonstration take."""

CHIPS = {1: 8, 2: 6, 5: 8, 10: 6, 25: 4, 100: 2, 500: 1}
"""Chips in units of the smallest, and how often a player bets with each."""

MAIN_BETS = 3
"""The first bets of a paytable are played most."""

BOLD = 25
"""One ticket in so many asks for more than a table takes or for a bet that is no longer offered."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player of an operator. Betting habits follow from the chip."""

    name: str
    operator: str
    currency: str
    chip: int
    test: bool


@cache
def crowd() -> tuple[Player, ...]:
    """Give all players of the demonstration, the same every time."""
    operators = list(OPERATORS)
    chips = [chip for chip, weight in CHIPS.items() for _ in range(weight)]
    return tuple(
        Player(
            name=f"player-{number:03}",
            operator=operators[number % len(operators)],
            currency=CURRENCIES[number // 2 % len(CURRENCIES)],
            chip=chips[number * 13 % len(chips)] * SMALLEST,
            test=number % TESTERS == 0,
        )
        for number in range(1, PLAYERS + 1)
    )


def ask(player: Player, round: Round) -> TicketAsked:
    """Think of a ticket: one to four bets that the book lets the player hold, with few refused."""
    game = game_of(round)
    hand = round.number if round.shoe_id else None
    bold = chance.randrange(BOLD) == 0
    wagers = _choose(game, None if bold else hand)
    chip = player.chip * chance.choice((1, 1, 1, 2, 3))
    if bold and chance.randrange(2):
        chip = 2 * LARGEST
    return TicketAsked(
        reference=uuid4().hex,
        round=round.key,
        player=player.name,
        currency=player.currency,
        placed_at=timezone.now(),
        test=player.test,
        bets=tuple(
            BetAsked(
                wager.bet,
                wager.selection,
                format_amount(chip * game.bets[wager.bet].units(wager.selection), player.currency),
            )
            for wager in wagers
        ),
    )


def _choose(game: Game, hand: int | None) -> list[Wager]:
    """Pick bets, the main ones more often, each with what it needs and none that excludes."""
    bets = [bet for bet in game.bets.values() if bet.code not in game.added]
    slip: list[Wager] = []
    for _ in range(chance.choice((1, 1, 2, 3))):
        bet = chance.choice(bets[:MAIN_BETS] if chance.randrange(2) else bets)
        wager = game.wager(bet.code, chance.choice(bet.selections))
        more = [needed for needed in with_needs(game, wager) if needed not in slip]
        if may_hold(game, [*slip, *more], hand):
            slip += more
    return slip or with_needs(game, all_wagers(game)[0])
