"""`manage.py create_table`: a table in a pit, dealing one game of one book."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from casino.management.telling import REASON, as_json, refusals_told
from casino.selectors import system
from casino.services.setup import create_table


class Command(BaseCommand):
    help = "Create a table; harmless when repeated. It takes no tickets until it has limits."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code")
        parser.add_argument("--pit", required=True)
        parser.add_argument("--book", required=True)
        parser.add_argument("--game", required=True)
        parser.add_argument("--name", default="")
        parser.add_argument("--rides-on", help="the table whose cards decide this one's rounds")

    def handle(self, *args: Any, **options: Any) -> None:
        names = ("code", "pit", "book", "game", "name", "rides_on")
        with refusals_told():
            table = create_table(
                **{name: options[name] for name in names}, actor=system(), reason=REASON
            )
        self.stdout.write(
            as_json(
                {
                    "table": table.code,
                    "name": table.name,
                    "pit": table.pit.code,
                    "book": table.book,
                    "game": table.game,
                    "rides_on": table.rides_on and table.rides_on.code,
                }
            )
        )
