"""Incidents: something irregular, raised by a system, a person or the house itself."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from casino.access import RAISE_INCIDENT, require
from casino.models import Incident, Person, Round, Shoe, Table
from casino.models.audit import Action
from casino.selectors import game_of
from casino.services.record import log
from games.refusals import Refused


@transaction.atomic
def raise_incident(
    *,
    table: Table,
    kind: str,
    note: str,
    shoe: Shoe | None = None,
    round: Round | None = None,
    video: str = "",
    evidence: dict[str, Any] | None = None,
    actor: Person,
    reason: str,
) -> Incident:
    """Raise an incident of a kind that the table's book knows.

    `evidence` is what a system posted, kept as it came. Raising does not stop a round; the
    service that found the fault does where the deal is doubtful.
    """
    require(actor, RAISE_INCIDENT)
    if round is not None and round.table_id != table.pk:
        raise Refused(
            "invalid_value", f"Round {round.key} was not played at table {table.code}.", "round"
        )
    game = game_of(round or table)
    if kind not in game.grounds:
        raise Refused("invalid_value", f"{game.title} knows no incident {kind}.", "kind")
    incident = Incident.objects.create(
        table=table,
        shoe=shoe,
        round=round,
        kind=kind,
        note=note,
        video=video,
        evidence=evidence,
        raised_by=actor,
    )
    subject = f"round:{round.key}" if round else f"table:{table.code}"
    body = {"incident": incident.pk, "kind": kind, "note": note, "video": video}
    log(Action.INCIDENT_RAISED, subject=subject, actor=actor, reason=reason, body=body)
    return incident
