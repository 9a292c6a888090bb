"""Rulings by two people: proposed by one, approved by another, bound to what was previewed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import QuerySet, prefetch_related_objects

from casino.access import APPROVE, RULE, require
from casino.models import Person, Proposal, ProposalDecision, Round, Ruling, Shoe
from casino.models.audit import Action
from casino.services.outcomes import Bets, lock_round, lock_shoe
from casino.services.plans import Draft, Plan, plan_ruling, seen_now
from casino.services.policy import RANK, check_approver, role_to_approve
from casino.services.record import log
from casino.services.rulings import rule, void_shoe
from casino.services.shoe_plans import (
    ShoePlan,
    going_with,
    plan_void_shoe,
    shoe_seen_now,
)
from games.refusals import Refused


@transaction.atomic
def propose(
    *, round: Round, draft: Draft, seen: str, actor: Person, reason: str
) -> Ruling | Proposal:
    """Carry a ruling out where one person may, else leave it waiting for a second.

    Refuses with `conflict` if anything differs from the preview that was `seen`, and where the
    same round has a proposal waiting already.
    """
    round = lock_round(round)
    plan = plan_ruling(round=round, draft=draft, actor=actor)
    role = role_to_approve(plan)
    if role is None or plan.seen != seen:
        return rule(round=round, draft=draft, seen=seen, actor=actor, reason=reason)
    return _propose(plan, role, actor=actor, reason=reason, round=round)


@transaction.atomic
def propose_void_shoe(
    *, shoe: Shoe, draft: Draft, seen: str, actor: Person, reason: str
) -> Ruling | Proposal:
    """Void a shoe where one person may, else leave it waiting for a second; as `propose` does."""
    shoe = lock_shoe(shoe)
    plan = plan_void_shoe(shoe=shoe, draft=draft, actor=actor)
    role = role_to_approve(plan)
    if role is None or plan.seen != seen:
        return void_shoe(shoe=shoe, draft=draft, seen=seen, actor=actor, reason=reason)
    return _propose(plan, role, actor=actor, reason=reason, shoe=shoe)


def _propose(
    plan: Plan | ShoePlan, role: str, *, actor: Person, reason: str, **place: Round | Shoe
) -> Proposal:
    """Leave a plan waiting, unless something waits at the same place."""
    waiting = Proposal.objects.filter(decision__isnull=True, **place).first()
    if waiting is not None:
        raise Refused(
            "conflict",
            f"“{waiting.called}” by {waiting.proposed_by} waits for approval already.",
        )
    draft = plan.draft
    proposal = Proposal.objects.create(
        **place,
        kind=draft.kind,
        ground=draft.ground,
        note=draft.note,
        evidence=draft.evidence,
        outcome=draft.outcome,
        hands=list(draft.hands),
        bets=draft.bets.as_data() if draft.bets else None,
        seen=plan.seen,
        plan=plan.shown,
        role=role,
        proposed_by=actor,
    )
    _log(proposal, Action.RULING_PROPOSED, actor, reason, plan=plan.shown)
    return proposal


@transaction.atomic
def approve(*, proposal: Proposal, actor: Person, reason: str) -> Ruling:
    """Approve a proposal and carry it out, in the proposer's name and one's own.

    The log tells the ruling under the proposer's name and the approval under the approver's.

    Refuses the proposer and anybody below the role; with `conflict` if anything in the plan has
    changed since it was proposed, for then the approval would be of something else.
    """
    proposal = _waiting(proposal)
    check_approver(actor, role=proposal.role, proposer=proposal.proposed_by)
    ruling = _carry_out(proposal, approved_by=actor)
    _decide(proposal, ProposalDecision.Verdict.APPROVED, actor, reason, ruling)
    _log(proposal, Action.RULING_APPROVED, actor, reason, ruling=ruling.pk)
    return ruling


@transaction.atomic
def reject(*, proposal: Proposal, actor: Person, reason: str) -> None:
    """Turn a proposal down; the reason is told to the proposer."""
    proposal = _waiting(proposal)
    require(actor, APPROVE)
    if not reason.strip():
        raise Refused("invalid_value", "Say why.", "reason")
    _decide(proposal, ProposalDecision.Verdict.REJECTED, actor, reason)
    _log(proposal, Action.RULING_REJECTED, actor, reason)


@transaction.atomic
def withdraw(*, proposal: Proposal, actor: Person, reason: str) -> None:
    """Take one's own proposal back before anybody decided on it."""
    proposal = _waiting(proposal)
    require(actor, RULE)
    if proposal.proposed_by_id != actor.pk:
        raise Refused("not_permitted", "Only the proposer withdraws a proposal.")
    _decide(proposal, ProposalDecision.Verdict.WITHDRAWN, actor, reason)
    _log(proposal, Action.RULING_WITHDRAWN, actor, reason)


def waiting_for(person: Person) -> QuerySet[Proposal]:
    """The proposals that wait for somebody, and that this person may approve."""
    rank = {str(role): number for role, number in RANK.items()}
    roles = [role for role in rank if rank[role] <= rank.get(person.role, 0)]
    waiting = Proposal.objects.filter(decision__isnull=True, role__in=roles)
    return waiting.exclude(proposed_by=person)


def moved_on(proposals: Sequence[Proposal]) -> set[int]:
    """Which of these proposals, by number, their round or shoe moved on from: they hold no more.

    A fixed number of queries compares where the rounds stand. Whether the same money would move
    is known to `plan_anew` alone.
    """
    of_rounds = [proposal for proposal in proposals if proposal.round_id]
    of_shoes = [proposal for proposal in proposals if proposal.shoe_id]
    prefetch_related_objects(of_rounds, "round__riders")
    prefetch_related_objects(of_shoes, "shoe__rounds__riders")
    return {
        proposal.pk for proposal in proposals if proposal.seen.rpartition(" ")[0] != _now(proposal)
    }


def _now(proposal: Proposal) -> str:
    """What the round or the shoe of a proposal, with the hands that go with it, stands at."""
    match proposal.place:
        case Shoe() as shoe:
            rounds = sorted(shoe.rounds.all(), key=lambda round: round.number)
            return shoe_seen_now(shoe, going_with(rounds, proposal.hands))
        case round:
            return seen_now(round)


def plan_anew(proposal: Proposal) -> Plan | ShoePlan:
    """What a proposal would change as things are now. Refuses what may no longer be ruled."""
    draft, actor = draft_of(proposal), proposal.proposed_by
    match proposal.place:
        case Shoe() as shoe:
            return plan_void_shoe(shoe=shoe, draft=draft, actor=actor)
        case round:
            return plan_ruling(round=round, draft=draft, actor=actor)


def draft_of(proposal: Proposal) -> Draft:
    """The ruling that a proposal is of."""
    return Draft(
        kind=proposal.kind,
        ground=proposal.ground,
        note=proposal.note,
        evidence=proposal.evidence,
        outcome=proposal.outcome,
        hands=tuple(proposal.hands),
        bets=Bets.of(proposal.bets),
    )


def _carry_out(proposal: Proposal, *, approved_by: Person) -> Ruling:
    """Rule as was proposed, at the one door."""
    how: dict[str, Any] = {
        "draft": draft_of(proposal),
        "seen": proposal.seen,
        "approved_by": approved_by,
        "actor": proposal.proposed_by,
        "reason": proposal.note,
    }
    match proposal.place:
        case Shoe() as shoe:
            return void_shoe(shoe=shoe, **how)
        case round:
            return rule(round=round, **how)


def _waiting(proposal: Proposal) -> Proposal:
    """The proposal, its round or shoe locked, if nobody has decided on it."""
    match proposal.place:
        case Shoe() as shoe:
            lock_shoe(shoe)
        case round:
            lock_round(round)
    found = Proposal.objects.select_related("round", "shoe", "proposed_by").get(pk=proposal.pk)
    decision = ProposalDecision.objects.filter(proposal=found).first()
    if decision is not None:
        raise Refused(
            "conflict",
            f"{decision.decided_by} has {decision.get_verdict_display().lower()} this already.",
        )
    return found


def _decide(
    proposal: Proposal,
    verdict: ProposalDecision.Verdict,
    actor: Person,
    reason: str,
    ruling: Ruling | None = None,
) -> None:
    ProposalDecision.objects.create(
        proposal=proposal, verdict=verdict, ruling=ruling, note=reason, decided_by=actor
    )


def _log(proposal: Proposal, action: Action, actor: Person, reason: str, **more: Any) -> None:
    place = "shoe" if proposal.shoe_id else "round"
    log(
        action,
        subject=f"{place}:{proposal.place}",
        actor=actor,
        reason=reason,
        body={"proposal": proposal.pk, "kind": proposal.kind, **more},
    )
