"""Rulings: void a hand, a shoe or a ticket, edit a result, swap two hands, reinstate, as planned.

What a ruling does to money is not done here: the settlement follows from the outcome revision
that it leaves behind.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.utils import timezone

from casino.models import Incident, IncidentClosing, Person, Round, Ruling, Shoe
from casino.models.audit import Action
from casino.selectors import rulings_about
from casino.services.impact import bets_ruled
from casino.services.outcomes import change_outcome, lock_round, lock_shoe
from casino.services.plans import ACTIONS, Draft, Plan, plan_ruling, seen_now
from casino.services.policy import check_approval
from casino.services.record import log, write_fact
from casino.services.riding import move_riders
from casino.services.shoe_plans import ShoePlan, plan_void_shoe
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
    what = round.worded(f"Hand {round.number}")
    if not seen.startswith(seen_now(round) + " "):
        last = rulings_about(round).first()
        how = f"the latest ruling is “{last.called}”" if last else "it moved on"
        raise Refused("conflict", f"{what} changed since the preview: {how}.", "seen")
    plan = plan_ruling(round=round, draft=draft, actor=actor)
    if plan.seen != seen:
        tickets = plan.shown["tickets"]
        raise Refused(
            "conflict",
            f"The tickets of {what.lower()} changed since the preview: now {tickets} change.",
            "seen",
        )
    ruling = _rule(plan, approved_by=approved_by, actor=actor, round=round)
    action = ACTIONS[Ruling.Kind(draft.kind)]
    body = _body(ruling)
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


@transaction.atomic
def void_shoe(
    *,
    shoe: Shoe,
    draft: Draft,
    seen: str,
    approved_by: Person | None = None,
    actor: Person,
    reason: str,
) -> Ruling:
    """Withdraw a shoe under one ruling: its running hand and every hand named are void (C-47).

    1. Lock the shoe with its table and hands and plan anew; refuse with `conflict` if a hand that
       goes with it or the money differs from what was `seen`.
    2. Refuse with `approval_required` what the policy lets nobody rule alone, as `rule` does.
    3. Write the ruling with its plan, close the shoe as void and the incidents that this answers,
       and write the new outcome revisions of the hands and of the rounds that ride on them.
    4. Once committed, the settlement appends the differences, round by round.
    """
    shoe = lock_shoe(shoe)
    plan = plan_void_shoe(shoe=shoe, draft=draft, actor=actor)
    if plan.seen != seen:
        raise Refused(
            "conflict",
            f"Shoe {shoe.number} changed since the preview: now {len(plan.hands)} hands and "
            f"{plan.shown['tickets']} tickets change.",
            "seen",
        )
    ruling = _rule(plan, approved_by=approved_by, actor=actor, shoe=shoe)
    before = {"phase": shoe.phase}
    shoe.phase = Shoe.Phase.VOID
    shoe.closed_at = shoe.closed_at or timezone.now()
    write_fact(shoe, actor=actor, reason=reason, fields=["phase", "closed_at"])
    log(
        Action.SHOE_VOIDED,
        subject=f"shoe:{shoe}",
        actor=actor,
        reason=reason,
        body={"before": before, "after": {"phase": shoe.phase}} | _body(ruling),
    )
    for hand in plan.hands:
        change_outcome(
            round=hand.round,
            change=hand.change,
            ruling=ruling,
            action=Action.HAND_VOIDED,
            body={"ruling": ruling.pk, "shoe": str(shoe), "ground": draft.ground},
            actor=actor,
            reason=reason,
        )
        move_riders(hand.round, hand.change, ruling=ruling, actor=actor, reason=reason)
    return ruling


def _rule(
    plan: Plan | ShoePlan, *, approved_by: Person | None, actor: Person, **place: Round | Shoe
) -> Ruling:
    """Ask the policy, then write the ruling and name it as the answer to its incidents."""
    check_approval(plan, actor=actor, approved_by=approved_by)
    ruling = Ruling.objects.create(
        kind=plan.draft.kind,
        ground=plan.draft.ground,
        note=plan.draft.note,
        evidence=plan.draft.evidence,
        plan=plan.shown,
        bets=plan.draft.bets.as_data() if plan.draft.bets else None,
        ruled_by=actor,
        approved_by=approved_by,
        **place,
    )
    close_incidents(plan.closes, ruling)
    return ruling


def _body(ruling: Ruling) -> dict[str, Any]:
    """What the log says of a ruling, besides what it changed."""
    return {
        "ruling": ruling.pk,
        "ground": ruling.ground,
        "note": ruling.note,
        "evidence": ruling.evidence,
        "shown": ruling.plan,
        "approved_by": ruling.approved_by.username if ruling.approved_by else None,
    }


def close_incidents(incidents: Iterable[Incident], ruling: Ruling) -> None:
    """Name the ruling that answered these incidents."""
    IncidentClosing.objects.bulk_create(
        IncidentClosing(incident=incident, ruling=ruling) for incident in incidents
    )
