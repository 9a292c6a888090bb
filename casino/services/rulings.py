"""Rulings: void a hand or a ticket, edit a result, swap two hands, reinstate, as planned.

What a ruling does to money is not done here: the settlement follows from the outcome revision
that it leaves behind.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction

from casino.models import Incident, IncidentClosing, Person, Round, Ruling
from casino.services.impact import bets_ruled
from casino.services.outcomes import change_outcome, lock_round
from casino.services.plans import ACTIONS, Draft, plan_ruling, seen_now
from casino.services.policy import check_approval
from casino.services.record import log
from casino.services.riding import move_riders
from games.refusals import Refused


@transaction.atomic
def rule(
    *,
    round: Round,
    draft: Draft,
    seen: str,
    approved_by: Person | None = None,
    actor: Person,
    reason: str,
) -> Ruling:
    """Carry a ruling out, exactly as its plan said that it would be.

    1. Lock the round and plan anew; refuse with `conflict` if the round, one that rides on it or
       the money differs from what was `seen`.
    2. Refuse with `approval_required` what the policy lets nobody rule alone. This is the one
       door: page, API, command and shell all stand before it.
    3. Write the ruling with its plan, the new outcome revisions of the round and its riders, and
       close the open incidents that it answers. Bets that it is about follow it from the new
       revision on; before there is a result, from the first.
    4. Once committed, the settlement appends the differences.
    """
    round = lock_round(round)
    if not seen.startswith(seen_now(round) + " "):
        last = round.rulings.first()
        what = f"the latest ruling is “{last.get_kind_display()}”" if last else "it moved on"
        raise Refused("conflict", f"Round {round.key} changed since the preview: {what}.", "seen")
    plan = plan_ruling(round=round, draft=draft, actor=actor)
    if plan.seen != seen:
        tickets = plan.shown["tickets"]
        raise Refused(
            "conflict",
            f"The tickets of round {round.key} changed since the preview: now {tickets} change.",
            "seen",
        )
    check_approval(plan, actor=actor, approved_by=approved_by)
    ruling = Ruling.objects.create(
        kind=draft.kind,
        round=round,
        ground=draft.ground,
        note=draft.note,
        evidence=draft.evidence,
        plan=plan.shown,
        bets=draft.bets.as_data() if draft.bets else None,
        ruled_by=actor,
        approved_by=approved_by,
    )
    close_incidents(plan.closes, ruling)
    action = ACTIONS[Ruling.Kind(draft.kind)]
    body = {
        "ruling": ruling.pk,
        "ground": draft.ground,
        "note": draft.note,
        "evidence": draft.evidence,
        "shown": plan.shown,
        "approved_by": approved_by.username if approved_by else None,
    }
    if plan.change.bets is not None and not round.outcome_revision:
        log(action, subject=f"round:{round.key}", actor=actor, reason=reason, body=body)
    else:
        change_outcome(
            round=round,
            change=plan.change,
            ruling=ruling,
            action=action,
            body=body,
            actor=actor,
            reason=reason,
        )
        move_riders(round, plan.change, ruling=ruling, actor=actor, reason=reason)
    if plan.change.bets is not None:
        bets_ruled.send(sender=Ruling, ruling=ruling, round=round, change=plan.change)
    return ruling


def close_incidents(incidents: Iterable[Incident], ruling: Ruling) -> None:
    """Name the ruling that answered these incidents."""
    IncidentClosing.objects.bulk_create(
        IncidentClosing(incident=incident, ruling=ruling) for incident in incidents
    )
