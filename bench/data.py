"""Rounds with many tickets, written by COPY: the benchmark is about settling, not accepting."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from django.db import connection, transaction

from casino.models import ApiClient, LimitSet, Person, Round, Table
from casino.selectors import game_of
from casino.services import rounds, setup, shoes
from casino.services.limits import EVERY_BET, set_limits
from tickets.models import Wager
from tickets.services.accounts import number_accounts

REASON = "Benchmark."
LINES = (1, 1, 1, 2, 2, 2, 3, 3, 3, 4)
"""How many bets a ticket has, each as likely as another: 2.2 on average."""


class BenchHouse:
    """One table, two operators, and rounds full of tickets on every wager of its game."""

    def __init__(
        self, actor: Person, book: str = "club-a", game: str = "no_commission_baccarat"
    ) -> None:
        self.actor = actor
        by = {"actor": actor, "reason": REASON}
        setup.create_pit(code="bench", time_zone="UTC", **by)
        self.table: Table = setup.create_table(
            code=f"{book}-{game}", pit="bench", book=book, game=game, **by
        )
        self.clients: list[ApiClient] = []
        self.accounts: list[int] = []
        for name in ("north", "south"):
            setup.create_operator(code=name, **by)
            client, _ = setup.create_api_client(
                name=name, operator=name, scopes=["tickets:write", "tickets:read"], **by
            )
            self.clients.append(client)
            self.accounts.append(number_accounts(client.operator, [("USD", False)])["USD", False])
        self.limits: LimitSet = set_limits(
            table=self.table, currency="USD", bets={EVERY_BET: (1, 10**9)}, **by
        )
        if game_of(self.table).has_shoe:
            shoes.open_shoe(table=self.table, number=1, first_card="TH", burned=10, **by)
        self.number = 0
        self.dice = random.Random(7)
        bets = game_of(self.table).bets
        self.wagers = [
            Wager.objects.get_or_create(
                book=self.table.book, game=self.table.game, bet=bet, selection=selection, play=""
            )[0].id
            for bet in bets
            for selection in bets[bet].selections
        ]

    def round(self, tickets: int, outcome: dict[str, Any]) -> Round:
        """A resulted round that is due, holding so many tickets."""
        by = {"actor": self.actor, "reason": REASON}
        self.number += 1
        round = rounds.open_round(table=self.table, number=self.number, **by)
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT coalesce(max(id), 0) FROM tickets_ticket")
            first = cursor.fetchone()[0] + 1
            lines: list[tuple[int, int, int, int, int, int]] = []
            _copy(
                cursor,
                "tickets_ticket (id, operator_id, client_id, reference, round_id, player, "
                "currency, stake, placed_at, test, book_version, limit_set_id, body_digest)",
                self._tickets(round, first, tickets, lines),
            )
            _copy(
                cursor,
                "tickets_line (round_id, ticket_id, number, wager_id, stake, account_id)",
                lines,
            )
            cursor.execute(
                "SELECT setval('tickets_ticket_id_seq', (SELECT max(id) FROM tickets_ticket))"
            )
        with connection.cursor() as cursor:
            # Each measure pays for its own work: not for the first look at rows just copied.
            cursor.execute("VACUUM tickets_line")
            cursor.execute("VACUUM tickets_ticket")
            cursor.execute("CHECKPOINT")
        rounds.close_betting(round=round, **by)
        rounds.record_result(round=round, outcome=outcome, **by)
        round.refresh_from_db()
        return round

    def _tickets(
        self, round: Round, first: int, count: int, lines: list[tuple[int, int, int, int, int, int]]
    ) -> Iterator[tuple[object, ...]]:
        for number in range(first, first + count):
            client = self.clients[number % 2]
            total = 0
            for line in range(1, self.dice.choice(LINES) + 1):
                stake = self.dice.randrange(100, 50_000)
                total += stake
                wager = self.dice.choice(self.wagers)
                lines.append((round.pk, number, line, wager, stake, self.accounts[number % 2]))
            yield (
                number,
                client.operator_id,
                client.pk,
                f"bench-{number}",
                round.pk,
                f"p-{number % 20_000}",
                "USD",
                total,
                round.opened_at,
                False,
                round.book_version,
                self.limits.pk,
                "0" * 64,
            )


def _copy(cursor: object, into: str, rows: object) -> None:
    with cursor.copy(f"COPY {into} FROM STDIN") as copy:  # type: ignore[attr-defined]
        for row in rows:  # type: ignore[attr-defined]
            copy.write_row(row)
