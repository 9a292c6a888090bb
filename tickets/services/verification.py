"""Verifying the whole house, and writing down what was found."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from django.db import transaction

from casino.audit import LogVerification, one_moment, verify_log
from casino.models import AuditEvent, AuditSeal, Person
from casino.models.audit import Action
from casino.services.record import log
from games.refusals import Refused
from tickets.models import Settlement
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


@dataclass(frozen=True, slots=True)
class Place:
    """The decision or the settlement that has a digest."""

    chain: Literal["log", "ledger"]
    position: int
    at: datetime


@dataclass(frozen=True, slots=True)
class HouseVerification:
    """What verifying the ledger and the log found, and where digests kept from earlier lie."""

    ledger: Verification
    log: LogVerification
    kept: dict[str, Place | None]

    @property
    def differences(self) -> tuple[Difference, ...]:
        """Everything that does not fit, in the ledger and in the log."""
        faults = (Difference("log", fault) for fault in self.log.faults)
        return (*self.ledger.differences, *faults)

    @property
    def gone(self) -> tuple[str, ...]:
        """The kept digests that nothing has: altered since, or copied wrongly.

        No difference of the house by themselves: a slip of the pen does not make it unwell.
        """
        return tuple(digest for digest, place in self.kept.items() if place is None)

    def as_data(self) -> dict[str, Any]:
        """What was counted, the ends of both chains, and the places of the digests.

        A ledger without settlements has no digest to keep; the log is never empty.
        """
        return {
            "rounds": self.ledger.rounds,
            "tickets": self.ledger.tickets,
            "settlements": self.ledger.settlements,
            "events": self.log.head.position,
            "ledger_digest": self.ledger.head.digest if self.ledger.settlements else None,
            "log_digest": self.log.head.digest,
        } | (
            {
                "kept": {
                    digest: f"{place.chain} {place.position}" if place else None
                    for digest, place in self.kept.items()
                }
            }
            if self.kept
            else {}
        )


def verify_house(*, kept: Sequence[str] = (), actor: Person, reason: str) -> HouseVerification:
    """Verify the ledger and the decision log and log what was found.

    Both are read as of one moment, so that what is settled meanwhile does not look like a
    difference. `kept` are digests that an earlier verification told and somebody kept outside
    the house; what is none is refused before anything is verified.
    """
    sought = [read_digest(digest) for digest in kept]
    with one_moment():
        found = HouseVerification(
            ledger=verify_ledger(),
            log=verify_log(),
            kept={digest: place_of(digest) for digest in sought},
        )
    body = found.as_data() | {"differences": len(found.differences)}
    with transaction.atomic():
        log(Action.LEDGER_VERIFIED, subject=SUBJECT, actor=actor, reason=reason, body=body)
    return found


def read_digest(text: str) -> str:
    """A digest as the house prints it, from a copy with blanks or in capitals."""
    digest = "".join(text.split()).lower()
    if not re.fullmatch("[0-9a-f]{64}", digest):
        raise Refused("invalid_value", "A digest has 64 characters, 0 to 9 and a to f.", "digest")
    return digest


def place_of(digest: str) -> Place | None:
    """The decision or the settlement that has this digest, in hex; None if nothing has it."""
    sought = bytes.fromhex(digest)
    seal = AuditSeal.objects.filter(digest=sought).select_related("event").first()
    if seal is not None:
        return Place("log", seal.position, seal.event.at)
    batch = Settlement.objects.filter(digest=sought).first()
    return Place("ledger", batch.position, batch.settled_at) if batch else None


def last_verification() -> Verified | None:
    """The newest verification in the decision log, if there ever was one."""
    event = AuditEvent.objects.filter(subject=SUBJECT).order_by("-pk").first()
    if event is None:
        return None
    return Verified(event.at, json.loads(event.body)["differences"])
