"""Celery tasks: adapters that shorten the wait. The database is the queue."""

from __future__ import annotations

import logging
from typing import Any

from celery import shared_task
from kombu.exceptions import OperationalError

from casino.selectors import system
from tickets.services.settlement import BATCH, settle_due
from tickets.services.verification import verify_house

logger = logging.getLogger(__name__)


@shared_task
def settle_round(round_id: int) -> int:
    """Settle one round if it is due."""
    return len(settle_due(actor=system(), round_ids=[round_id]))


@shared_task
def sweep() -> int:
    """Settle everything that is due, whoever announced it or failed to."""
    settled = 0
    while batch := settle_due(actor=system()):
        settled += len(batch)
        if len(batch) < BATCH:
            break
    return settled


@shared_task
def verify() -> bool:
    """Verify the ledger and the log, once a night; what was found is in the decision log."""
    found = verify_house(actor=system(), reason="Nightly verification.")
    for difference in found.differences:
        logger.error("Verification: %s: %s", difference.what, difference.detail)
    return not found.differences


def settle_soon(*, round_id: int, **_: Any) -> None:
    """Ask a worker to settle a round. A dead broker costs the wait for the sweep, no more."""
    try:
        settle_round.apply_async([round_id], retry=False)
    except (OperationalError, OSError):
        logger.warning("The broker took no message for round %s; the sweep will find it", round_id)
