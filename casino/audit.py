"""Verifying the decision log: every event has its place, and every digest follows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import connection, transaction

from casino.models import AuditEvent, AuditHead
from casino.services.foundation import CHAIN_START


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a chain: how many links it has, and the digest of the last one, in hex.

    The digest stands for every link. Kept outside the house it shows later that none of them was
    altered, even by somebody who could write the whole chain anew.
    """

    position: int
    digest: str


@dataclass(frozen=True, slots=True)
class LogVerification:
    """Where the log ends, and a sentence for each event that does not fit."""

    head: Head
    faults: tuple[str, ...]


def verify_log() -> LogVerification:
    """Walk the log from its start and recompute every digest from the stored row.

    All is read as of one moment: what is decided meanwhile is not missing.
    """
    with one_moment():
        return _walk()


@contextmanager
def one_moment() -> Iterator[None]:
    """Read everything as of now; inside somebody's transaction, as that one reads."""
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield


def _walk() -> LogVerification:
    faults = []
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT seal.position, seal.digest,
                   sha256(coalesce(lag(seal.digest) OVER (ORDER BY seal.position), %s)
                       || convert_to(concat_ws(E'\\x1f',
                           event.id, event.transaction, extract(epoch FROM event.at),
                           event.actor_id, event.actor_name, event.action, event.subject,
                           event.reason, event.body), 'UTF8'))
            FROM casino_auditseal seal JOIN casino_auditevent event ON event.id = seal.event_id
            ORDER BY seal.position
            """,
            [CHAIN_START],
        )
        expected, digest = 0, CHAIN_START
        for position, stored, computed in cursor:
            expected += 1
            if position != expected or bytes(stored) != bytes(computed):
                faults.append(f"Event {position} of the log was altered or taken out.")
            expected, digest = position, bytes(stored)
    head = AuditHead.objects.get()
    if (head.position, bytes(head.digest)) != (expected, digest):
        faults.append("The last events of the log are missing.")
    if AuditEvent.objects.filter(seal__isnull=True).exists():
        faults.append("Some events of the log were never sealed.")
    return LogVerification(Head(expected, digest.hex()), tuple(faults))
