"""`manage.py set_limits`: what a table takes in one currency."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand

from casino.management.telling import REASON, as_json, refusals_told
from casino.models import LimitSet
from casino.selectors import operator_by_code, system, table_by_code
from casino.services.limits import BOUNDS, EVERY_BET, bounds_of, set_limits
from games.money import format_amount, parse_amount


class Command(BaseCommand):
    help = "Set limits of a table, for one bet or for every bet without limits of its own."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("table")
        parser.add_argument("--currency", required=True)
        parser.add_argument("--operator", help="for this operator's tickets alone")
        parser.add_argument("--bet", default=EVERY_BET)
        parser.add_argument("--selection", default="", help="of the bet: 17 of straight")
        parser.add_argument("--min", required=True, metavar="AMOUNT")
        parser.add_argument("--max", required=True, metavar="AMOUNT")
        parser.add_argument("--table-min", metavar="AMOUNT", help="a player's bets in a round")
        parser.add_argument("--table-max", metavar="AMOUNT", help="a player's bets in a round")
        parser.add_argument(
            "--payout-max", metavar="AMOUNT", help="what a player's bets in a round may return"
        )
        parser.add_argument(
            "--exposure-max", metavar="AMOUNT", help="what all bets in a round may return"
        )
        parser.add_argument(
            "--from",
            dest="effective_from",
            type=datetime.fromisoformat,
            metavar="TIME",
            help="when they begin to hold, such as 2027-01-01T06:00+08:00; default: at once",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        def amount(name: str) -> int | None:
            text = options[name]
            return None if text is None else parse_amount(text, options["currency"])

        place = ":".join(filter(None, (options["bet"], options["selection"])))
        named = options["operator"]
        with refusals_told():
            limits = set_limits(
                table=table_by_code(options["table"]),
                currency=options["currency"],
                bets={place: (amount("min") or 0, amount("max") or 0)},
                operator=operator_by_code(named) if named else None,
                effective_from=_aware(options["effective_from"]),
                **{name: amount(name) for name in BOUNDS},
                actor=system(),
                reason=REASON,
            )
        self.stdout.write(as_json(_shown(limits)))


def _aware(moment: datetime | None) -> datetime | None:
    """The moment, in UTC where it names no time zone."""
    if moment is None or moment.tzinfo is not None:
        return moment
    return moment.replace(tzinfo=UTC)


def _shown(limits: LimitSet) -> dict[str, Any]:
    def shown(minor: int | None) -> str | None:
        return None if minor is None else format_amount(minor, limits.currency)

    return {
        "table": limits.table.code,
        "operator": limits.operator.code if limits.operator else None,
        "currency": limits.currency,
        "version": str(limits.version),
        "effective_from": limits.effective_from.isoformat(),
        **{name: shown(minor) for name, minor in bounds_of(limits).items()},
        "bets": {
            row.place: {"min": shown(row.minimum), "max": shown(row.maximum)}
            for row in limits.bets.all()
        },
    }
