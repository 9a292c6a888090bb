"""Incidents: something irregular, raised by a system, a person or the house itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import transaction

from casino.access import RAISE_INCIDENT, require
from casino.models import Incident, Person, Round, Shoe, Table
from casino.models.audit import Action
from casino.selectors import game_of, open_incidents
from casino.services.record import log
from games.refusals import Refused


@dataclass(frozen=True, slots=True)
class Reported:
    """An incident as a system reported it. `repeated` says that it was open already."""

    incident: Incident
    repeated: bool = False


@transaction.atomic
def report_incident(
    *,
    table: Table,
    kind: str,
    note: str,
    shoe: Shoe | None = None,
    round: Round | None = None,
    video: str = "",
    actor: Person,
    reason: str,
) -> Reported:
    """Raise an incident for a system, which may repeat itself after a lost answer.

    The same words by the same system about the same place are the incident that is open already;
    once it is answered, they are a new one.
    """
    require(actor, RAISE_INCIDENT)
    Table.objects.select_for_update(no_key=True).get(pk=table.pk)
    said: dict[str, Any] = {
        "table": table,
        "shoe": shoe,
        "round": round,
        "kind": kind,
        "note": note,
        "video": video,
    }
    found = open_incidents(**said, raised_by=actor).first()
    if found is not None:
        return Reported(found, repeated=True)
    return Reported(raise_incident(**said, actor=actor, reason=reason))


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
