"""`manage.py verify_ledger`: the ledger and the log, recomputed and compared."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from casino.management.telling import as_json
from casino.selectors import system
from tickets.services.verification import verify_house


class Command(BaseCommand):
    help = "Recompute every settled round and both chains; exit status 1 on any difference."

    def handle(self, *args: Any, **options: Any) -> None:
        found, events = verify_house(actor=system(), reason="Verified by command.")
        self.stdout.write(
            as_json(
                {
                    "rounds": found.rounds,
                    "tickets": found.tickets,
                    "settlements": found.settlements,
                    "events": events,
                    "differences": [
                        {"what": difference.what, "detail": difference.detail}
                        for difference in found.differences
                    ],
                }
            )
        )
        if found.differences:
            raise CommandError(f"The books do not balance: {len(found.differences)} differences.")
