"""Rulings that the book itself prescribes, carried out at once in the name of whoever deals."""

from __future__ import annotations

from casino.models import Incident, OutcomeRevision, Person, Round, Ruling
from casino.models.audit import Action
from casino.selectors import game_of
from casino.services.incidents import raise_incident
from casino.services.outcomes import Change, change_outcome
from casino.services.riding import move_riders
from casino.services.rulings import close_incidents


def prescribe(
    round: Round, *, kind: str, ground: str, note: str = "", actor: Person, reason: str
) -> Ruling:
    """Raise the incident and answer it with the ruling that the book prescribes for it."""
    incident = raise_incident(
        table=round.table,
        shoe=round.shoe,
        round=round,
        kind=ground,
        note=note or game_of(round).grounds[ground].clause,
        actor=actor,
        reason=reason,
    )
    ruling = Ruling.objects.create(
        kind=kind, round=round, ground=ground, note=incident.note, plan={}, ruled_by=actor
    )
    close_incidents(Incident.objects.filter(pk=incident.pk), ruling)
    return ruling


def void_at_once(round: Round, *, ground: str, note: str, actor: Person, reason: str) -> Round:
    """Void a locked round that cannot count, with all that rides on it; every stake goes back."""
    ruling = prescribe(
        round, kind=Ruling.Kind.VOID_HAND, ground=ground, note=note, actor=actor, reason=reason
    )
    change = Change(OutcomeRevision.Kind.VOID, None, ground)
    change_outcome(
        round=round,
        change=change,
        ruling=ruling,
        action=Action.HAND_VOIDED,
        body={"ruling": ruling.pk, "ground": ground, "note": note},
        actor=actor,
        reason=reason,
    )
    move_riders(round, change, ruling=ruling, actor=actor, reason=reason)
    return round
