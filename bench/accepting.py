"""Taking tickets where the exposure of a round is bounded, beside where it is not."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import count

from bench.data import REASON, BenchHouse
from bench.measure import Times, ratio, report
from bench.settling import BANKER, REPEATS, SEVENTEEN
from casino.models import Round
from casino.selectors import game_of, system
from casino.services import rounds
from casino.services.limits import EVERY_BET, set_limits
from tickets.services.acceptance import BetAsked, TicketAsked, accept_tickets

TICKETS = 1000
SINGLES = 100
"""Tickets that come one by one, once the others lie on the round."""

UNBOUNDED, BOUNDED = "USD", "EUR"
"""Two currencies of one table, so that both kinds of ticket lie on the very same rounds."""


def run() -> Iterator[str]:
    """Accept as many tickets of each kind in every round; who begins takes turns."""
    places = (
        ("Baccarat", "asia", "baccarat", ["player", "banker", "tie"], BANKER),
        ("Roulette", "asia", "roulette", None, SEVENTEEN),
    )
    for title, book, game, bets, outcome in places:
        house = BenchHouse(system(), book, game)
        by = {"actor": house.actor, "reason": REASON}
        set_limits(
            table=house.table, currency=BOUNDED, bets={EVERY_BET: (1, 10**9)},
            exposure_max=10**15, **by,
        )  # fmt: skip
        together = {currency: Times() for currency in (UNBOUNDED, BOUNDED)}
        singly = {currency: Times() for currency in (UNBOUNDED, BOUNDED)}
        slips = _Slips(house, bets)
        for repeat in range(REPEATS + 1):
            house.number += 1
            round = rounds.open_round(table=house.table, number=house.number, **by)
            for currency in (UNBOUNDED, BOUNDED)[:: 1 if repeat % 2 else -1]:
                slips.take(round, currency, [TICKETS], together[currency])
                slips.take(round, currency, [1] * SINGLES, singly[currency])
            rounds.close_betting(round=round, **by)
            rounds.record_result(round=round, outcome=outcome, **by)
        for times in (*together.values(), *singly.values()):
            del times.seconds[0]
        rate = f"{TICKETS / together[UNBOUNDED].median:,.0f} tickets/s"
        yield report(f"{title}: accept {TICKETS:,} tickets of one call", rate)
        yield report("  with a maximum exposure, to without", _ratio(together))
        yield report(f"  {SINGLES} more, one by one, with to without", _ratio(singly))


def _ratio(times: dict[str, Times]) -> str:
    return ratio(times[BOUNDED].seconds, times[UNBOUNDED].seconds)


class _Slips:
    """Tickets of one bet each, of as many players."""

    def __init__(self, house: BenchHouse, bets: Sequence[str] | None) -> None:
        game = game_of(house.table)
        self.client = house.clients[0]
        self.dice, self.numbers = random.Random(7), count()
        self.wagers = [
            (bet, selection)
            for bet in bets or [bet for bet in game.bets if bet not in game.added]
            for selection in game.bets[bet].selections
        ]

    def take(self, round: Round, currency: str, calls: Sequence[int], times: Times) -> None:
        """Bring tickets in calls of so many; all of them have to be taken."""
        asked = [[self._asked(round, currency) for _ in range(many)] for many in calls]
        with times.once():
            answers = [
                answer
                for tickets in asked
                for answer in accept_tickets(asked=tickets, client=self.client)
            ]
        refused = [str(answer.refusals[0]) for answer in answers if answer.ticket is None]
        assert not refused, refused[0]

    def _asked(self, round: Round, currency: str) -> TicketAsked:
        number = next(self.numbers)
        bet, selection = self.dice.choice(self.wagers)
        return TicketAsked(
            reference=f"{round.key}-{number}", round=round.key, player=f"p-{number}",
            currency=currency, placed_at=round.opened_at, test=False,
            bets=(BetAsked(bet, selection, f"{self.dice.randrange(1, 500)}.00"),),
        )  # fmt: skip
