"""Verifying the whole house, and writing down what was found."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from django.db import connection, transaction

from casino.audit import verify_log
from casino.models import AuditEvent, Person
from casino.models.audit import Action
from casino.services.record import log
from tickets.services.ledger import Difference, Verification, verify_ledger

SUBJECT = "ledger:all"


@dataclass(frozen=True, slots=True)
class Verified:
    """When the house was last verified, and how many differences were found."""

    at: datetime
    differences: int

    @property
    def passed(self) -> bool:
        """Whether nothing differed."""
        return self.differences == 0


def verify_house(*, actor: Person, reason: str) -> tuple[Verification, int]:
    """Verify the ledger and the decision log and log what was found.

    Answers the verification, with the faults of the log among its differences, and the number of
    events that the log has. Both are read as of one moment, so that what is settled meanwhile
    does not look like a difference.
    """
    with _one_moment():
        ledger = verify_ledger()
        events = verify_log()
    faults = tuple(Difference("log", fault) for fault in events.faults)
    found = Verification(
        rounds=ledger.rounds,
        tickets=ledger.tickets,
        settlements=ledger.settlements,
        differences=ledger.differences + faults,
    )
    body = {
        "rounds": found.rounds,
        "tickets": found.tickets,
        "settlements": found.settlements,
        "events": events.events,
        "differences": len(found.differences),
    }
    with transaction.atomic():
        log(Action.LEDGER_VERIFIED, subject=SUBJECT, actor=actor, reason=reason, body=body)
    return found, events.events


def last_verification() -> Verified | None:
    """The newest verification in the decision log, if there ever was one."""
    event = AuditEvent.objects.filter(subject=SUBJECT).order_by("-pk").first()
    if event is None:
        return None
    return Verified(event.at, json.loads(event.body)["differences"])


@contextmanager
def _one_moment() -> Iterator[None]:
    """Read everything as of now; inside somebody's transaction, as that one reads."""
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield
