"""What the players of a demonstration decide at blackjack once their cards lie on the table."""

from __future__ import annotations

from collections.abc import Iterator

from casino.models import Round
from casino.selectors import game_of
from games.families.blackjack import insurance_stake
from games.families.blackjack.plays import place, stakes
from games.money import format_amount
from games.rulebook import Game, Outcome
from tickets.management.croupier import chance
from tickets.models import Line, Ticket
from tickets.selectors import lines_of
from tickets.services.acceptance import BetAsked
from tickets.services.plays import decide

INSURING = 3
"""One ante in so many is insured where the Dealer shows an ace."""


def decide_all(round: Round, outcome: Outcome) -> None:
    """Let every ticket of a blackjack round play its boxes in a way that these cards allow.

    Every second play takes all the cards that its box was dealt. A box on which nothing is decided
    in time stands, or folds where the book forces a pair.
    """
    game = game_of(round)
    for ticket in Ticket.objects.filter(round=round).order_by("pk"):
        for ante in [line for line in lines_of(ticket) if line.wager.bet == "ante"]:
            fitting = game.fitting(outcome, "ante", ante.wager.selection)
            play = chance.choice([*fitting, *[fitting[-1]] * len(fitting)]).play
            if play is not None:
                box, _ = place(ante.wager.selection)
                added = tuple(_added(game, outcome, ticket, ante, play))
                decide(ticket=ticket, box=box, play=play, added=added)


def _added(
    game: Game, outcome: Outcome, ticket: Ticket, ante: Line, play: str
) -> Iterator[BetAsked]:
    """What a play adds to its ante: a split and doubles, and now and then an insurance."""
    box = ante.wager.selection
    for bet in ("split", "double"):
        for selection in game.bets[bet].selections:
            if place(selection)[0] == place(box)[0] and stakes(play, bet, selection):
                yield BetAsked(bet, selection, format_amount(ante.stake, ticket.currency))
    if game.fitting(outcome, "insurance", box) and chance.randrange(INSURING) == 0:
        half = insurance_stake(ante.stake)
        yield BetAsked("insurance", box, format_amount(half, ticket.currency))
