"""`manage.py set_limits`: what a table takes in one currency, or what a profile says it takes."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from casino.management.telling import REASON, as_json, refusals_told
from casino.models import LimitSet, ProfileVersion
from casino.selectors import operator_by_code, profile_by_name, system, table_by_code
from casino.services.limit_profiles import assign_profile, set_profile
from casino.services.limits import (
    BOUNDS,
    EVERY_BET,
    bounds_of,
    newest_limits,
    rows_of,
    set_limits,
)
from games.money import format_amount, parse_amount

SAID = ("bet", "selection", "min", "max", *BOUNDS)
"""The options that say what limits are."""


class Command(BaseCommand):
    help = (
        "Set limits of a table, for one bet or for every bet without limits of its own. With "
        "--profile and no table they are the profile's; with both, the table follows it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("table", nargs="?")
        parser.add_argument("--profile", metavar="NAME")
        parser.add_argument("--currency", required=True)
        parser.add_argument("--operator", help="for this operator's tickets alone")
        parser.add_argument("--bet", default=EVERY_BET)
        parser.add_argument("--selection", default="", help="of the bet: 17 of straight")
        parser.add_argument("--min", metavar="AMOUNT")
        parser.add_argument("--max", metavar="AMOUNT")
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

        table, profile, currency = options["table"], options["profile"], options["currency"]
        if not table and not profile:
            raise CommandError("Name a table, a profile, or both.")
        named = options["operator"]
        if named and not table:
            raise CommandError("A profile is nobody's own: an operator follows it at a table.")
        if table and profile and any(options[name] for name in SAID):
            raise CommandError("A table that follows a profile takes its limits from there.")
        by: dict[str, Any] = {
            "effective_from": _aware(options["effective_from"]),
            "actor": system(),
            "reason": REASON,
        }
        with refusals_told():
            if not (table and profile):
                place = ":".join(filter(None, (options["bet"], options["selection"])))
                by["bets"] = {place: (amount("min") or 0, amount("max") or 0)}
                by |= {name: amount(name) for name in BOUNDS}
            if not table:
                version = set_profile(name=profile, currency=currency, **by)
                shown = {"profile": profile, "currency": currency} | _shown(version)
            else:
                where = table_by_code(table)
                by["operator"] = operator_by_code(named) if named else None
                if profile:
                    follows = profile_by_name(profile, currency)
                    assign_profile(profile=follows, tables=[where], **by)
                    limits = newest_limits(where, currency, by["operator"])
                    assert limits is not None
                else:
                    limits = set_limits(table=where, currency=currency, **by)
                shown = {
                    "table": table,
                    "operator": named,
                    "profile": profile,
                    "currency": currency,
                } | _shown(limits)
        self.stdout.write(as_json(shown))


def _aware(moment: datetime | None) -> datetime | None:
    """The moment, in UTC where it names no time zone."""
    if moment is None or moment.tzinfo is not None:
        return moment
    return moment.replace(tzinfo=UTC)


def _shown(limits: LimitSet | ProfileVersion) -> dict[str, Any]:
    def shown(minor: int | None) -> str | None:
        return None if minor is None else format_amount(minor, limits.currency)

    return {
        "version": str(limits.version),
        "effective_from": limits.effective_from.isoformat(),
        **{name: shown(minor) for name, minor in bounds_of(limits).items()},
        "bets": {
            place: {"min": shown(low), "max": shown(high)}
            for place, (low, high) in rows_of(limits).items()
        },
    }
