"""Rulings: void a hand, edit a result, reinstate a hand.

One predicate (`check_ruling`) serves the button on the page, the plan that is shown, and the
locked re-check inside the transaction. What a ruling does to money is not known here; the
settlement follows from the outcome revision that it leaves behind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from casino.access import RULE, require
from casino.models import (
    Incident,
    IncidentClosing,
    OutcomeRevision,
    Person,
    Round,
    Ruling,
)
from casino.models.audit import Action
from casino.selectors import game_of, last_dealt, latest_outcome, open_incidents
from casino.services.record import log, write_fact
from casino.services.rounds import announce_outcome, lock_round
from games import rulebook
from games.refusals import Refused

ACTIONS = {
    Ruling.Kind.VOID_HAND: Action.HAND_VOIDED,
    Ruling.Kind.EDIT: Action.RESULT_EDITED,
    Ruling.Kind.REINSTATE: Action.HAND_REINSTATED,
}

EDITING = frozenset({rulebook.Action.EDIT, rulebook.Action.STAND, rulebook.Action.DISCRETION})
"""The actions of a ground under which a recorded result may be put right."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A ruling that somebody has in mind. `outcome` is what was really dealt, for an edit."""

    kind: str
    ground: str
    note: str
    evidence: str = ""
    outcome: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What a ruling would leave behind, and the token of the state that it was drawn up on."""

    round: Round
    proposal: Proposal
    before: str
    after: str
    outcome: rulebook.Outcome | None
    void: bool
    closes: tuple[Incident, ...]
    seen: str


def check_kind(round: Round, kind: str, *, actor: Person) -> None:
    """Refuse unless this person may make a ruling of this kind on the round as it stands."""
    require(actor, RULE)
    if kind not in Ruling.Kind.values:
        raise Refused("invalid_value", f"{kind} is not a kind of ruling.", "kind")
    void = round.phase == Round.Phase.VOID
    what = f"Hand {round.number}" if round.shoe_id else f"Round {round.number}"
    match kind:
        case Ruling.Kind.VOID_HAND if void:
            raise Refused("conflict", f"{what} is already void.")
        case Ruling.Kind.EDIT if void:
            raise Refused("conflict", f"{what} is void; reinstate it before editing its result.")
        case Ruling.Kind.EDIT if round.phase == Round.Phase.BETTING or (
            round.phase == Round.Phase.CLOSED and not round.on_hold
        ):
            raise Refused("conflict", f"{what} has no result to edit yet.")
        case Ruling.Kind.REINSTATE if not void:
            raise Refused("conflict", f"{what} is not void.")
        case Ruling.Kind.REINSTATE if last_dealt(round) is None:
            raise Refused("conflict", f"{what} was voided before it had a result.")


def check_ruling(round: Round, proposal: Proposal, *, actor: Person) -> rulebook.Outcome | None:
    """Refuse unless the proposal may be carried out; answer the outcome it leaves, if any.

    A ground from the book's list and a note are always needed, evidence wherever a result is
    edited. An edit that changes nothing is refused.
    """
    check_kind(round, proposal.kind, actor=actor)
    game = game_of(round)
    ground = game.grounds.get(proposal.ground)
    if ground is None:
        raise Refused(
            "invalid_value",
            f"{game.title} knows no ground {proposal.ground}.",
            "ground",
        )
    if proposal.kind == Ruling.Kind.VOID_HAND:
        game.check_void(rulebook.Void(proposal.ground))
    elif proposal.kind == Ruling.Kind.EDIT and EDITING.isdisjoint(ground.actions):
        raise Refused(
            "not_permitted",
            f"The book does not allow an edit on this ground: {ground.clause}",
            "ground",
        )
    if not proposal.note.strip():
        raise Refused("invalid_value", "Say in a note why.", "note")
    dealt = last_dealt(round)
    if proposal.kind != Ruling.Kind.EDIT:
        return game.read(dealt.outcome, unfinished=True) if dealt and dealt.outcome else None
    if not proposal.evidence.strip():
        raise Refused(
            "invalid_value",
            "Name the video time or card image that shows it.",
            "evidence",
        )
    if proposal.outcome is None:
        raise Refused("invalid_value", "Enter the cards as they were dealt.", "outcome")
    read = game.read(proposal.outcome)
    if dealt is not None and dealt.outcome == read.canonical:
        raise Refused("conflict", "These are the cards that are recorded already.", "outcome")
    return read


def plan_ruling(*, round: Round, proposal: Proposal, actor: Person) -> Plan:
    """Draw up a ruling without writing anything. Refuses as `check_ruling` does."""
    read = check_ruling(round, proposal, actor=actor)
    void = proposal.kind == Ruling.Kind.VOID_HAND
    latest = latest_outcome(round)
    return Plan(
        round=round,
        proposal=proposal,
        before=latest.headline if latest else "No result",
        after=_void_headline(proposal.ground) if void else read.headline if read else "",
        outcome=read,
        void=void,
        closes=tuple(open_incidents(round=round)),
        seen=round.seen,
    )


@transaction.atomic
def rule(
    *,
    round: Round,
    proposal: Proposal,
    seen: str,
    shown: dict[str, Any],
    actor: Person,
    reason: str,
) -> Ruling:
    """Carry a ruling out on exactly the state that its plan was drawn up on.

    1. Lock the round; refuse with `conflict` if it moved since `seen`.
    2. Check again what the plan checked.
    3. Write the ruling with what was `shown`, the new outcome revision and the round, and close
       the round's open incidents.
    4. Once committed, the settlement appends the differences.
    """
    round = lock_round(round)
    if round.seen != seen:
        last = round.rulings.first()
        what = f"the latest ruling is “{last.get_kind_display()}”" if last else "it moved on"
        raise Refused("conflict", f"Round {round.key} changed since the preview: {what}.", "seen")
    plan = plan_ruling(round=round, proposal=proposal, actor=actor)
    latest = latest_outcome(round)
    ruling = Ruling.objects.create(
        kind=proposal.kind,
        round=round,
        ground=proposal.ground,
        note=proposal.note,
        evidence=proposal.evidence,
        plan=shown,
        ruled_by=actor,
    )
    revision = OutcomeRevision.objects.create(
        round=round,
        revision=round.outcome_revision + 1,
        kind="void" if plan.void else proposal.kind,
        outcome=plan.outcome.canonical if plan.outcome else None,
        headline=plan.after,
        void_ground=proposal.ground if plan.void else "",
        ruling=ruling,
        manual=plan.proposal.kind == Ruling.Kind.EDIT,
        video=proposal.evidence,
        dealer=latest.dealer if latest else "",
        recorded_by=actor,
    )
    round.phase = Round.Phase.VOID if plan.void else Round.Phase.RESULTED
    round.on_hold = False
    round.outcome_revision = revision.revision
    round.resulted_at = round.resulted_at or timezone.now()
    write_fact(
        round,
        actor=actor,
        reason=reason,
        fields=["phase", "on_hold", "outcome_revision", "resulted_at"],
    )
    IncidentClosing.objects.bulk_create(
        IncidentClosing(incident=incident, ruling=ruling) for incident in plan.closes
    )
    log(
        ACTIONS[Ruling.Kind(proposal.kind)],
        subject=f"round:{round.key}",
        actor=actor,
        reason=reason,
        body={
            "ruling": ruling.pk,
            "ground": proposal.ground,
            "note": proposal.note,
            "evidence": proposal.evidence,
            "before": {
                "headline": plan.before,
                "outcome": latest.outcome if latest else None,
            },
            "after": {"headline": plan.after, "outcome": revision.outcome},
            "shown": shown,
        },
    )
    announce_outcome(round)
    return ruling


def _void_headline(ground: str) -> str:
    return f"Void: {ground.replace('_', ' ')}"
