"""Rulings: void a hand, edit a result, swap two hands, reinstate a hand.

One predicate (`check_ruling`) serves the button on the page, the plan that is shown, and the
locked re-check inside the transaction. What a ruling does to money is not known here; the
settlement follows from the outcome revision that it leaves behind.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from casino.access import RULE, require
from casino.models import Incident, IncidentClosing, OutcomeRevision, Person, Round, Ruling
from casino.models.audit import Action
from casino.selectors import game_of, last_dealt, latest_outcome, open_incidents
from casino.services.outcomes import Change, change_outcome, lock_round
from casino.services.riding import move_riders, plan_riders
from games import rulebook
from games.families.pictures import swapped
from games.refusals import Refused

ACTIONS = {
    Ruling.Kind.VOID_HAND: Action.HAND_VOIDED,
    Ruling.Kind.EDIT: Action.RESULT_EDITED,
    Ruling.Kind.SWAP: Action.HAND_SWAPPED,
    Ruling.Kind.REINSTATE: Action.HAND_REINSTATED,
}
"""What pit management may rule, and the word for it in the log."""

EDITING = frozenset({rulebook.Action.EDIT, rulebook.Action.STAND, rulebook.Action.DISCRETION})
"""The actions of a ground under which a recorded result may be put right."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A ruling that somebody has in mind.

    `outcome` is what was really dealt: needed for an edit; for a void, what lay on the table of a
    hand that was not finished, where the book pays some of it all the same.
    """

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
    change: Change
    riders: tuple[tuple[Round, Change], ...]
    closes: tuple[Incident, ...]
    seen: str

    @property
    def after(self) -> str:
        """What the round comes to, in one sentence."""
        return self.change.headline

    @property
    def changes(self) -> tuple[tuple[Round, Change], ...]:
        """Every round that changes, the one ruled on first."""
        return ((self.round, self.change), *self.riders)


def check_kind(round: Round, kind: str, *, actor: Person) -> None:
    """Refuse unless this person may make a ruling of this kind on the round as it stands."""
    require(actor, RULE)
    if kind not in ACTIONS:
        raise Refused("invalid_value", f"{kind} is not a kind of ruling.", "kind")
    void = round.phase == Round.Phase.VOID
    what = f"Hand {round.number}" if round.shoe_id else f"Round {round.number}"
    if round.rides_on is not None and kind == Ruling.Kind.EDIT:
        raise Refused(
            "conflict",
            f"{what} takes its cards from round {round.rides_on.key}; edit that one.",
        )
    match kind:
        case Ruling.Kind.VOID_HAND if void:
            raise Refused("conflict", f"{what} is already void.")
        case Ruling.Kind.EDIT if void:
            raise Refused("conflict", f"{what} is void; reinstate it before editing its result.")
        case Ruling.Kind.EDIT if round.phase == Round.Phase.BETTING or (
            round.phase == Round.Phase.CLOSED and not round.on_hold
        ):
            raise Refused("conflict", f"{what} has no result to edit yet.")
        case Ruling.Kind.SWAP if void or round.phase != Round.Phase.RESULTED:
            raise Refused("conflict", f"{what} has no result to swap.")
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
    elif proposal.kind == Ruling.Kind.SWAP and rulebook.Action.SWAP not in ground.actions:
        raise Refused("not_permitted", "The book swaps hands only for reverse dealing.", "ground")
    elif proposal.kind == Ruling.Kind.EDIT and EDITING.isdisjoint(ground.actions):
        raise Refused(
            "not_permitted",
            f"The book does not allow an edit on this ground: {ground.clause}",
            "ground",
        )
    if not proposal.note.strip():
        raise Refused("invalid_value", "Say in a note why.", "note")
    dealt = last_dealt(round)
    recorded = dealt.outcome if dealt else None
    match proposal.kind:
        case Ruling.Kind.VOID_HAND:
            what = proposal.outcome or recorded
            return game.read(what, unfinished=True) if what else None
        case Ruling.Kind.REINSTATE:
            return game.read(recorded or {})
        case Ruling.Kind.SWAP:
            return game.read(swapped(recorded or {}))
    if not proposal.evidence.strip():
        raise Refused(
            "invalid_value",
            "Name the video time or card image that shows it.",
            "evidence",
        )
    if proposal.outcome is None:
        raise Refused("invalid_value", "Enter the cards as they were dealt.", "outcome")
    read = game.read(proposal.outcome)
    if recorded == read.canonical:
        raise Refused("conflict", "These are the cards that are recorded already.", "outcome")
    return read


def plan_ruling(*, round: Round, proposal: Proposal, actor: Person) -> Plan:
    """Draw up a ruling without writing anything. Refuses as `check_ruling` does."""
    read = check_ruling(round, proposal, actor=actor)
    void = proposal.kind == Ruling.Kind.VOID_HAND
    change = Change(
        kind=OutcomeRevision.Kind.VOID if void else proposal.kind,
        outcome=read,
        void_ground=proposal.ground if void else "",
    )
    latest = latest_outcome(round)
    return Plan(
        round=round,
        proposal=proposal,
        before=latest.headline if latest else "No result",
        change=change,
        riders=plan_riders(round, change),
        closes=tuple(open_incidents(round=round)),
        seen=seen_now(round),
    )


def seen_now(round: Round) -> str:
    """A token of everything that a plan for this round rests on, its riders included."""
    return " ".join([round.seen, *(rider.seen for rider in round.riders.order_by("pk"))])


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

    1. Lock the round; refuse with `conflict` if it, or a round that rides on it, moved since
       `seen`.
    2. Check again what the plan checked.
    3. Write the ruling with what was `shown`, the new outcome revisions of the round and its
       riders, and close the round's open incidents.
    4. Once committed, the settlement appends the differences.
    """
    round = lock_round(round)
    if seen_now(round) != seen:
        last = round.rulings.first()
        what = f"the latest ruling is “{last.get_kind_display()}”" if last else "it moved on"
        raise Refused("conflict", f"Round {round.key} changed since the preview: {what}.", "seen")
    plan = plan_ruling(round=round, proposal=proposal, actor=actor)
    ruling = Ruling.objects.create(
        kind=proposal.kind,
        round=round,
        ground=proposal.ground,
        note=proposal.note,
        evidence=proposal.evidence,
        plan=shown,
        ruled_by=actor,
    )
    close_incidents(plan.closes, ruling)
    change_outcome(
        round=round,
        change=plan.change,
        ruling=ruling,
        action=ACTIONS[Ruling.Kind(proposal.kind)],
        body={
            "ruling": ruling.pk,
            "ground": proposal.ground,
            "note": proposal.note,
            "evidence": proposal.evidence,
            "shown": shown,
        },
        actor=actor,
        reason=reason,
    )
    move_riders(round, plan.change, ruling=ruling, actor=actor, reason=reason)
    return ruling


def close_incidents(incidents: Iterable[Incident], ruling: Ruling) -> None:
    """Name the ruling that answered these incidents."""
    IncidentClosing.objects.bulk_create(
        IncidentClosing(incident=incident, ruling=ruling) for incident in incidents
    )
