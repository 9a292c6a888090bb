"""Proposals that wait at a round or a shoe, and whether they still hold."""

from __future__ import annotations

from typing import Any

from django.db.models import Q

from casino.models import Proposal, Round, Shoe
from casino.services.approvals import moved_on
from casino.services.plans import Plan
from casino.services.policy import role_to_approve
from casino.services.shoe_plans import ShoePlan, is_running


def waiting_at(place: Round | Shoe) -> list[dict[str, Any]]:
    """What waits for a second person here, each with whether the place moved on from it."""
    proposals = list(place.proposals.filter(decision__isnull=True).select_related("proposed_by"))
    moved = moved_on(proposals)
    return [{"proposal": proposal, "moved": proposal.pk in moved} for proposal in proposals]


def overtaken(plan: Plan | ShoePlan) -> list[str]:
    """What waits for a second person and holds no more once one person carries a plan out."""
    if role_to_approve(plan) is not None:
        return []
    rounds = [*plan.rounds, *(rider for rider, _ in plan.riders)]
    rounds += [round.rides_on for round in rounds if round.rides_on]
    here = Q(round__in=rounds) | Q(shoe__in=[round.shoe_id for round in rounds if round.shoe_id])
    if isinstance(plan, ShoePlan):
        here |= Q(shoe=plan.shoe)
    waiting = Proposal.objects.filter(here, decision__isnull=True).order_by("id")
    return [
        f"“{proposal.called}” by {proposal.proposed_by} waits for approval and will no longer hold."
        for proposal in waiting.select_related("round", "shoe", "proposed_by")
        if isinstance(plan, ShoePlan) or proposal.round_id or _goes(proposal, rounds)
    ]


def _goes(proposal: Proposal, rounds: list[Round]) -> bool:
    """Whether one of these rounds would be void with the shoe of a proposal."""
    return any(
        round.shoe_id == proposal.shoe_id and (is_running(round) or round.key in proposal.hands)
        for round in rounds
    )
