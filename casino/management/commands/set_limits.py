"""`manage.py set_limits`: what a table takes in one currency."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from casino.management.telling import REASON, as_json, refusals_told
from casino.models import LimitSet
from casino.selectors import system, table_by_code
from casino.services.limits import EVERY_BET, set_limits
from games.money import format_amount, parse_amount


class Command(BaseCommand):
    help = "Set limits of a table, for one bet or for every bet without limits of its own."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("table")
        parser.add_argument("--currency", required=True)
        parser.add_argument("--bet", default=EVERY_BET)
        parser.add_argument("--min", required=True, metavar="AMOUNT")
        parser.add_argument("--max", required=True, metavar="AMOUNT")
        parser.add_argument("--table-min", metavar="AMOUNT", help="a player's bets in a round")
        parser.add_argument("--table-max", metavar="AMOUNT", help="a player's bets in a round")

    def handle(self, *args: Any, **options: Any) -> None:
        def amount(name: str) -> int:
            return parse_amount(options[name], options["currency"])

        with refusals_told():
            limits = set_limits(
                table=table_by_code(options["table"]),
                currency=options["currency"],
                bets={options["bet"]: (amount("min"), amount("max"))},
                table_min=amount("table_min") if options["table_min"] else None,
                table_max=amount("table_max") if options["table_max"] else None,
                actor=system(),
                reason=REASON,
            )
        self.stdout.write(as_json(_shown(limits)))


def _shown(limits: LimitSet) -> dict[str, Any]:
    def shown(minor: int | None) -> str | None:
        return None if minor is None else format_amount(minor, limits.currency)

    return {
        "table": limits.table.code,
        "currency": limits.currency,
        "version": str(limits.version),
        "table_min": shown(limits.table_min),
        "table_max": shown(limits.table_max),
        "bets": {
            row.bet: {"min": shown(row.minimum), "max": shown(row.maximum)}
            for row in limits.bets.all()
        },
    }
