"""`manage.py create_pit`: a group of tables and the clock that its gaming days follow."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from casino.management.telling import REASON, as_json, refusals_told
from casino.selectors import system
from casino.services.setup import create_pit


class Command(BaseCommand):
    help = "Create a pit; harmless when repeated. Prints it as JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code")
        parser.add_argument("--time-zone", required=True, help="such as Asia/Manila")

    def handle(self, *args: Any, **options: Any) -> None:
        with refusals_told():
            pit = create_pit(
                code=options["code"],
                time_zone=options["time_zone"],
                actor=system(),
                reason=REASON,
            )
        self.stdout.write(
            as_json(
                {
                    "pit": pit.code,
                    "time_zone": pit.time_zone,
                    "day_starts": pit.day_starts.isoformat("minutes"),
                }
            )
        )
