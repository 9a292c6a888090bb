"""`manage.py verify_ledger`: the ledger and the log, recomputed and compared."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.management.telling import as_json, refusals_told
from casino.selectors import system
from tickets.services.verification import verify_house


class Command(BaseCommand):
    help = "Recompute every settled round and both chains; exit status 1 on any difference."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--kept",
            action="append",
            default=[],
            metavar="DIGEST",
            help="a digest that an earlier verification told: it must still be there; repeatable",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with refusals_told():
            found = verify_house(
                kept=options["kept"], actor=system(), reason="Verified by command."
            )
        self.stdout.write(
            as_json(
                found.as_data()
                | {
                    "differences": [
                        {"what": difference.what, "detail": difference.detail}
                        for difference in found.differences
                    ],
                }
            )
        )
        if found.differences:
            raise CommandError(f"The books do not balance: {len(found.differences)} differences.")
        if found.gone:
            raise CommandError(f"Nothing in the house has the digest {', '.join(found.gone)}.")
