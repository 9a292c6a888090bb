"""Reading the decision log on a schedule: who looked through it, up to where, and what they noted.

GLI-19 B.6.5 asks for a record of each review; whoever sets the house up cannot make one.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from casino.access import VIEW_LOG, require
from casino.models import AuditEvent, AuditHead, Person
from casino.models.audit import Action
from casino.services.record import log
from games.refusals import Refused

SUBJECT = "log:all"


@dataclass(frozen=True, slots=True)
class Review:
    """Up to which decision the log was looked through, by whom, when, and what they noted."""

    upto: int
    by: str
    at: datetime
    note: str


def last_review() -> Review | None:
    """The newest review, if there ever was one."""
    event = AuditEvent.objects.filter(subject=SUBJECT).order_by("-pk").first()
    if event is None:
        return None
    return Review(json.loads(event.body)["up_to"], event.actor_name, event.at, event.reason)


@transaction.atomic
def review_log(*, upto: int, actor: Person, reason: str) -> Review:
    """Note that a person looked through every decision up to No. `upto`.

    `reason` is what the person noted. Refuses what is not there yet, and what was reviewed already.
    """
    require(actor, VIEW_LOG)
    if not reason.strip():
        raise Refused("invalid_value", "Note what you found, or that nothing stood out.", "reason")
    # Two reviews at once would each follow the one before, and the later of them might end earlier.
    head = AuditHead.objects.select_for_update(no_key=True).get()
    before = last_review()
    done = before.upto if before else 0
    if upto <= done:
        raise Refused("conflict", f"The log is reviewed up to No. {done:,} already.", "upto")
    if upto > head.position:
        raise Refused("invalid_value", f"There is no decision No. {upto:,} yet.", "upto")
    body = {"after": done, "up_to": upto}
    event = log(Action.LOG_REVIEWED, subject=SUBJECT, actor=actor, reason=reason, body=body)
    return Review(upto, event.actor_name, event.at, reason)
