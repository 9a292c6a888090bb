"""Incidents: something irregular, raised by a system, a person or the house itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from casino.access import RAISE_INCIDENT, RULE, require
from casino.models import Incident, IncidentClosing, Person, Round, Shoe, Table
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


def check_note(incident: Incident, *, actor: Person) -> None:
    """Refuse unless this person may end the incident with a note.

    One about a round ends with a ruling on the round: letting it stand is one too.
    """
    require(actor, RULE)
    if IncidentClosing.objects.filter(incident=incident).exists():
        raise Refused("conflict", "This incident is answered already.")
    if incident.round is not None:
        what = f"{incident.round.word} {incident.round.number}"
        raise Refused("conflict", f"This is about {what}: rule on that one.")


@transaction.atomic
def note_incident(*, incident: Incident, note: str, actor: Person, reason: str) -> IncidentClosing:
    """End an incident about a table or a shoe with a note of what came of it.

    Nothing moves by it. Refuses as `check_note` does, and without a note.
    """
    incident = (
        Incident.objects.select_for_update(no_key=True, of=("self",))
        .select_related("table", "round")
        .get(pk=incident.pk)
    )
    check_note(incident, actor=actor)
    if not note.strip():
        raise Refused("invalid_value", "Say in a note what came of it.", "note")
    closing = IncidentClosing.objects.create(
        incident=incident, note=note, noted_by=actor, noted_at=timezone.now()
    )
    log(
        Action.INCIDENT_NOTED,
        subject=f"table:{incident.table.code}",
        actor=actor,
        reason=reason,
        body={"incident": incident.pk, "kind": incident.kind, "note": note},
    )
    return closing
