"""The life of one table of the demonstration: hand after hand, shoe after shoe."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Max

from casino.models import Round, Shoe, Table
from casino.selectors import game_of, open_incidents, open_shoe_of
from casino.services import rounds, shoes
from casino.services.incidents import raise_incident
from games.cards import DECK
from games.refusals import Refused
from games.rulebook import Game
from tickets.management import croupier
from tickets.management.croupier import chance
from tickets.management.decisions import decide_all
from tickets.management.demo_house import REASON, DemoHouse
from tickets.management.players import Player, ask, crowd
from tickets.services.acceptance import TicketAsked, accept_tickets

SEATS = (5, 24)
"""The fewest and the most players at a table."""

WAVES = 3
"""Calls in which an operator's tickets of one hand arrive."""

LATE = 20
"""At one hand in so many, a ticket comes after the last call."""

MOST_OPEN = 8
"""Incidents left open; nothing more goes wrong until somebody has ruled on one."""

DEALING, LOOKING, SHUFFLING = 0.4, 0.3, 2.0
"""Seconds that these take, for each second of betting."""

MISHAPS = {
    "exposed_card": "A card was turned before its time.",
    "dropped_card": "A card fell to the floor while it was drawn.",
    "disconnection": "The stream of the table was away for some seconds.",
    "bad_spin": "The ball made fewer turns than it must.",
    "cocked_die": "A die came to rest against the wall.",
}
"""What happens beside the deal now and then, at tables whose book knows it."""


@dataclass(frozen=True, slots=True)
class Habits:
    """How the demonstration is dealt: seconds of betting, and how rarely something goes wrong.

    One hand in `mishap` is irregular; zero means none.
    """

    pace: float
    mishap: int


def live(
    table: Table, house: DemoHouse, habits: Habits, hands: int | None = None
) -> Iterator[float]:
    """Deal at a table, for ever or so many hands; gives the seconds until each next step.

    Whatever an earlier life left is brought to an end first: a running hand is closed and gets a
    result, an open shoe is dealt on. It may be dropped at any step and begun anew. Tables that
    ride on this one live with it: they take bets beside it and roll their die on its cards.
    """
    by: dict[str, Any] = {"actor": house.studio, "reason": REASON}
    riders = list(table.riders.order_by("pk"))
    for place in (table, *riders):
        croupier.finish_hand(place, **by)
    game = game_of(table)
    shoe = open_shoe_of(table) if game.has_shoe else None
    cards = croupier.cards_left(shoe) if shoe else []
    seats = chance.sample(crowd(), chance.randint(*SEATS))
    while hands != 0:
        if shoe and (shoe.phase != Shoe.Phase.OPEN or len(cards) < croupier.ENOUGH):
            shoes.close_shoe(shoe=shoe, **by)
            shoe = None
            yield habits.pace * SHUFFLING
        if not shoe:
            cards = croupier.shuffled(game.decks or 0)
            shoe = croupier.open_shoe(table, cards, **by) if game.has_shoe else None
        round = rounds.open_round(table=table, number=_next_number(table, shoe), **by)
        running = [round, *_open_riders(riders, by)]
        for wave in range(WAVES):
            yield habits.pace / WAVES * chance.uniform(0.8, 1.2)
            for one in running:
                _bet(one, seats[wave::WAVES], house)
        outcome = game.deal(croupier.drawn(cards), croupier.roll)
        for one in running:
            drawn = outcome if one is round else {"die": croupier.roll(12)}
            croupier.close_betting(one, drawn, **by)
        if chance.randrange(LATE) == 0:
            _bet(round, seats[:1], house)
        yield habits.pace * DEALING
        shoe = _deal(round, outcome, shoe, cards, habits, by)
        for rider in riders:
            croupier.finish_hand(rider, **by)
        seats[chance.randrange(len(seats))] = chance.choice(crowd())
        hands = None if hands is None else hands - 1
        yield habits.pace * LOOKING


def _open_riders(riders: Sequence[Table], by: dict[str, Any]) -> list[Round]:
    """Open a round at each riding table, but where the last one still waits for its cards.

    It waits as long as the round that it rides on is on hold; a void takes it along.
    """
    for rider in riders:
        croupier.finish_hand(rider, **by)
    return [
        rounds.open_round(table=rider, number=_next_number(rider, None), **by)
        for rider in riders
        if croupier.running_hand(rider) is None
    ]


def _bet(round: Round, players: Sequence[Player], house: DemoHouse) -> None:
    asked: dict[str, list[TicketAsked]] = defaultdict(list)
    for player in players:
        asked[player.operator].append(ask(player, round))
    for operator, tickets in sorted(asked.items()):
        accept_tickets(asked=tickets, client=house.operators[operator])


@transaction.atomic
def _deal(
    round: Round,
    outcome: dict[str, Any],
    shoe: Shoe | None,
    cards: list[str],
    habits: Habits,
    by: dict[str, Any],
) -> Shoe | None:
    """Let tickets decide on a dealt hand and post its result; answers the shoe as it is then.

    Decisions are taken on these cards alone, so they and the result are written together.
    """
    game = game_of(round)
    if game.family == "blackjack":
        decide_all(round, game.read(outcome))
    if shoe and len(cards) <= _blue_card(shoe):
        shoe = shoes.draw_blue_card(shoe=shoe, at=Shoe.BlueCard.IN_HAND, **by)
    if _goes_wrong(habits):
        misdealt = _misdealt(game, outcome, cards)
        kinds = [kind for kind in MISHAPS if kind in game.grounds]
        if kinds and (misdealt is None or chance.randrange(2)):
            kind = chance.choice(kinds)
            raise_incident(
                table=round.table, shoe=shoe, round=round, kind=kind, note=MISHAPS[kind], **by
            )
        elif misdealt is not None:
            outcome = misdealt
    rounds.record_result(round=round, outcome=outcome, **by)
    return shoe


def _goes_wrong(habits: Habits) -> bool:
    if not habits.mishap or chance.randrange(habits.mishap):
        return False
    return open_incidents().count() < MOST_OPEN


def _misdealt(game: Game, outcome: dict[str, Any], cards: list[str]) -> dict[str, Any] | None:
    """The same hand with a third card forgotten or a needless one drawn, where that is a fault.

    Tells by asking the rules: such a hand is refused on a ground that the book knows.
    """
    for part, hand in outcome.items():
        if not isinstance(hand, list) or len(hand) not in (2, 3):
            continue
        wrong = outcome | {part: hand[:2] if len(hand) == 3 else [*hand, *cards[-1:]]}
        try:
            game.read(wrong)
        except Refused as fault:
            if fault.ground in game.grounds:
                return wrong
    return None


def _blue_card(shoe: Shoe) -> int:
    """How many cards lie behind the blue card: one deck of eight."""
    return max(croupier.ENOUGH, shoe.decks * len(DECK) // 8)


def _next_number(table: Table, shoe: Shoe | None) -> int:
    played = shoe.rounds.all() if shoe else Round.objects.filter(table=table, shoe=None)
    return (played.aggregate(Max("number"))["number__max"] or 0) + 1
