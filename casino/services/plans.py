"""Plans of rulings: what may be ruled, and what it would change, before anybody does.

One predicate (`check_ruling`) serves the button on the page, the plan that is shown, and the
locked re-check when it is carried out. What it does to money is asked of whoever keeps the money.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from casino.access import RULE, require
from casino.models import Incident, OutcomeRevision, Person, Round, Ruling
from casino.models.audit import Action
from casino.selectors import game_of, last_dealt, latest_outcome, open_incidents, rulings_about
from casino.services.impact import MoneyChange, money_of, money_shown
from casino.services.outcomes import Bets, Change
from casino.services.record import canonical
from casino.services.riding import plan_riders
from games import rulebook
from games.families.pictures import swapped
from games.refusals import Refused
from games.values import VOIDING

ACTIONS = {
    Ruling.Kind.VOID_HAND: Action.HAND_VOIDED,
    Ruling.Kind.EDIT: Action.RESULT_EDITED,
    Ruling.Kind.SWAP: Action.HAND_SWAPPED,
    Ruling.Kind.REINSTATE: Action.HAND_REINSTATED,
    Ruling.Kind.VOID_TICKET: Action.TICKET_VOIDED,
    Ruling.Kind.REINSTATE_TICKET: Action.TICKET_REINSTATED,
}
"""What pit management may rule, and the word for it in the log."""

ALLOWED_BY = {
    Ruling.Kind.VOID_HAND: VOIDING,
    Ruling.Kind.EDIT: frozenset({rulebook.Action.EDIT, rulebook.Action.DISCRETION}),
    Ruling.Kind.SWAP: frozenset({rulebook.Action.SWAP}),
    Ruling.Kind.REINSTATE: frozenset(rulebook.Action),
    Ruling.Kind.VOID_TICKET: VOIDING,
    Ruling.Kind.REINSTATE_TICKET: frozenset(rulebook.Action),
}
"""For each ruling the actions of a ground that allow it."""

ABOUT_BETS = frozenset({Ruling.Kind.VOID_TICKET, Ruling.Kind.REINSTATE_TICKET})
"""The rulings about bets of a ticket, which leave the round's result as it is."""


OF_BETS = frozenset({"late_bet", "disconnection", "system_error", "management_discretion"})
"""The grounds that can be about a bet alone; every other one is about a hand, a spin or a shoe."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A ruling that somebody has in mind.

    `outcome` is what was really dealt: needed for an edit, which takes over what was drawn after
    betting closed unless it says otherwise; for a void, what lay on the table of a hand that was
    not finished, where the book pays some of it all the same. `hands` are the keys of the
    resulted rounds that a void shoe names besides the running one; `bets` are what a ruling about
    a ticket is about.
    """

    kind: str
    ground: str
    note: str
    evidence: str = ""
    outcome: dict[str, Any] | None = None
    hands: tuple[str, ...] = ()
    bets: Bets | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What a ruling would leave behind, and the token of the state that it was drawn up on.

    `earlier` are the rulings that were made on the round before, newest first.
    """

    round: Round
    draft: Draft
    before: str
    change: Change
    riders: tuple[tuple[Round, Change], ...]
    closes: tuple[Incident, ...]
    earlier: tuple[Ruling, ...]
    money: tuple[MoneyChange, ...]
    seen: str

    @property
    def after(self) -> str:
        """What the round comes to, in one sentence."""
        return self.change.headline

    @property
    def rounds(self) -> tuple[Round, ...]:
        """The rounds that are ruled on."""
        return (self.round,)

    @property
    def changes(self) -> tuple[tuple[Round, Change], ...]:
        """Every round that changes, the one ruled on first."""
        return ((self.round, self.change), *self.riders)

    @property
    def resulted_at(self) -> datetime | None:
        """When the round had its first result."""
        return self.round.resulted_at

    @property
    def shown(self) -> dict[str, Any]:
        """The plan as data, kept with the ruling for good. Amounts are minor units."""
        return {
            "before": self.before,
            "after": self.after,
            **money_shown(self.money),
            "closes": [incident.pk for incident in self.closes],
            "riders": {rider.key: change.headline for rider, change in self.riders},
            "earlier": [
                {
                    "kind": ruling.kind,
                    "ground": ruling.ground,
                    "by": str(ruling.ruled_by),
                    "at": ruling.ruled_at.isoformat(),
                    "bets": ruling.bets,
                }
                for ruling in self.earlier
            ],
        } | ({"bets": self.draft.bets.as_data()} if self.draft.bets else {})


def check_kind(round: Round, kind: str, *, actor: Person) -> None:
    """Refuse unless this person may make a ruling of this kind on the round as it stands."""
    require(actor, RULE)
    if kind not in ACTIONS:
        raise Refused("invalid_value", f"{kind} is not a kind of ruling.", "kind")
    void = round.phase == Round.Phase.VOID
    what = round.worded(f"Hand {round.number}")
    if kind == Ruling.Kind.SWAP and game_of(round).family != "pictures":
        raise Refused("conflict", f"{what} has no Player 1 and Player 3 to swap.")
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
        case Ruling.Kind.VOID_TICKET | Ruling.Kind.REINSTATE_TICKET if void:
            raise Refused("conflict", f"{what} is void; reinstate it before ruling on a ticket.")
        case Ruling.Kind.VOID_TICKET | Ruling.Kind.REINSTATE_TICKET if round.on_hold:
            raise Refused("conflict", f"{what} is on hold; rule on it before ruling on a ticket.")


def needs_evidence(round: Round, kind: str) -> bool:
    """Whether a ruling must name the video time or card image that shows what happened.

    An edit always does; every other one once the round, or one that rides on it, is settled,
    for then it takes back what was told to players. The physical result counts (GLI-19 4.18.5).
    """
    if kind == Ruling.Kind.EDIT or round.settled_revision:
        return True
    return round.riders.filter(settled_revision__gt=0).exists()


def check_ruling(round: Round, draft: Draft, *, actor: Person) -> rulebook.Outcome | None:
    """Refuse unless the draft may be carried out; answer the outcome it leaves, if any.

    A ground from the book's list and a note are always needed, evidence where `needs_evidence`
    says so. An edit that changes nothing is refused.
    """
    check_kind(round, draft.kind, actor=actor)
    game = game_of(round)
    ground = game.grounds.get(draft.ground)
    if ground is None:
        raise Refused(
            "invalid_value",
            f"{game.title} knows no ground {draft.ground}.",
            "ground",
        )
    if draft.kind in ABOUT_BETS and draft.ground not in OF_BETS:
        raise Refused("not_permitted", f"This ground is not about a bet: {ground.clause}", "ground")
    if draft.kind in (Ruling.Kind.VOID_HAND, Ruling.Kind.VOID_TICKET):
        game.check_void(rulebook.Void(draft.ground))
    elif ALLOWED_BY[Ruling.Kind(draft.kind)].isdisjoint(ground.actions):
        wanted = "a swap" if draft.kind == Ruling.Kind.SWAP else "an edit"
        raise Refused(
            "not_permitted",
            f"The book does not allow {wanted} on this ground: {ground.clause}",
            "ground",
        )
    if not draft.note.strip():
        raise Refused("invalid_value", "Say in a note why.", "note")
    if needs_evidence(round, draft.kind) and not draft.evidence.strip():
        raise Refused(
            "invalid_value",
            "Name the video time or card image that shows it.",
            "evidence",
        )
    dealt = last_dealt(round)
    recorded = dealt.outcome if dealt else None
    match draft.kind:
        case Ruling.Kind.VOID_HAND:
            what = draft.outcome or recorded
            return game.read(what, unfinished=True) if what else None
        case Ruling.Kind.REINSTATE:
            return game.read(recorded or {})
        case Ruling.Kind.SWAP:
            return game.read(swapped(recorded or {}))
        case Ruling.Kind.VOID_TICKET | Ruling.Kind.REINSTATE_TICKET:
            if draft.bets is None:
                raise Refused("invalid_value", "Name the ticket.", "ticket")
            return game.read(recorded) if recorded else None
    if draft.outcome is None:
        raise Refused("invalid_value", "Enter the cards as they were dealt.", "outcome")
    read = game.read((round.draws or {}) | draft.outcome)
    if recorded == read.canonical:
        raise Refused("conflict", "These are the cards that are recorded already.", "outcome")
    return read


def plan_ruling(*, round: Round, draft: Draft, actor: Person) -> Plan:
    """Draw up a ruling without writing anything. Refuses as `check_ruling` does."""
    read = check_ruling(round, draft, actor=actor)
    change = _change(draft, read)
    latest = latest_outcome(round)
    riders = plan_riders(round, change)
    money = money_of([(round, change), *riders])
    return Plan(
        round=round,
        draft=draft,
        before=latest.headline if latest else "No result",
        change=change,
        riders=riders,
        closes=tuple(_closes(round, draft)),
        earlier=tuple(rulings_about(round).select_related("ruled_by")),
        money=money,
        seen=token(seen_now(round), draft, money),
    )


def _change(draft: Draft, read: rulebook.Outcome | None) -> Change:
    """The outcome revision that a draft leaves behind."""
    match draft.kind:
        case Ruling.Kind.VOID_HAND:
            return Change(OutcomeRevision.Kind.VOID, read, void_ground=draft.ground)
        case Ruling.Kind.VOID_TICKET:
            ruled_on = OutcomeRevision.Kind.TICKET
            return Change(ruled_on, read, bets=draft.bets, bets_ground=draft.ground)
        case Ruling.Kind.REINSTATE_TICKET:
            return Change(OutcomeRevision.Kind.TICKET, read, bets=draft.bets)
    return Change(draft.kind, read)


def _closes(round: Round, draft: Draft) -> QuerySet[Incident]:
    """The open incidents that a draft answers: all of the round, or for a ticket its ground's."""
    opened = open_incidents(round=round)
    return opened.filter(kind=draft.ground) if draft.kind in ABOUT_BETS else opened


def seen_now(round: Round) -> str:
    """What the round, and those that ride on it, stand at; the first part of a plan's token."""
    riders = sorted(round.riders.all(), key=lambda rider: rider.pk)
    return " ".join([round.seen, *(rider.seen for rider in riders)])


def token(seen: str, draft: Draft, money: tuple[MoneyChange, ...]) -> str:
    """Everything that a plan rests on and promises: whoever confirms it confirms exactly that."""
    promised = canonical(
        [
            draft.kind,
            draft.ground,
            draft.outcome,
            draft.bets.as_data() if draft.bets else None,
            [change.as_data() for change in money],
        ]
    )
    return f"{seen} {hashlib.sha256(promised.encode()).hexdigest()[:16]}"
