"""Decisions about rounds and shoes: incidents and the rulings that answer them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from casino.models.floor import Round, Shoe, Table
from casino.models.history import history, wall_history
from casino.models.people import Person, Role
from casino.triggers import append_only, decided, keep


def _one_place(name: str) -> models.CheckConstraint:
    """A decision is about a round or about a shoe, never about both or neither."""
    return models.CheckConstraint(
        condition=Q(round__isnull=False, shoe__isnull=True)
        | Q(round__isnull=True, shoe__isnull=False),
        name=name,
    )


def _place(decision: Ruling | Proposal) -> Round | Shoe:
    place = decision.round or decision.shoe
    assert place is not None, "the constraint sees to it that there is one"
    return place


def kind_at(kind: str, place: Round | Shoe, bets: Mapping[str, Any] | None = None) -> str:
    """What a kind of ruling is called at a place, in the word that its rounds go by.

    `bets` are those that it is about, as a ruling keeps them.
    """
    label = of_bets(str(Ruling.Kind(kind).label), bets)
    return place.worded(label) if isinstance(place, Round) else label


def of_bets(words: str, bets: Mapping[str, Any] | None) -> str:
    """Words about a ticket, said of its bets where not all of them are meant."""
    lines = bets["lines"] if bets else ()
    if not lines:
        return words
    meant = "bet" if len(lines) == 1 else f"{len(lines)} bets"
    return words.replace("ticket", meant).replace("Ticket", meant.capitalize())


class Ruling(models.Model):
    """A decision about a round or about a whole shoe, on a ground that the book knows.

    Pit management takes it; what the book prescribes (a replay, a release, the void of a hand
    after the last one), the table itself. A ruling on a shoe may leave outcome revisions of
    several rounds behind. Append-only: a ruling is never taken back, only followed by another.
    `plan` keeps what was shown to the person who ruled, as canonical JSON. `bets` names the
    ticket and the lines that a ruling about a ticket is about, as whoever keeps the money numbers
    them.
    """

    class Kind(models.TextChoices):
        VOID_HAND = "void_hand", "Void hand"
        EDIT = "edit", "Edit result"
        SWAP = "swap", "Swap Player 1 and Player 3"
        REINSTATE = "reinstate", "Reinstate hand"
        REPLAY = "replay", "Replay"
        RELEASE = "release", "Release bets"
        HOLD = "hold", "Put on hold"
        STAND = "stand", "Let stand"
        VOID_SHOE = "void_shoe", "Void shoe"
        CORRECT_SHOE = "correct_shoe", "Correct commencement"
        VOID_TICKET = "void_ticket", "Void ticket"
        REINSTATE_TICKET = "reinstate_ticket", "Reinstate ticket"

    kind = models.CharField(max_length=16, choices=Kind.choices)
    round = models.ForeignKey(Round, on_delete=models.PROTECT, null=True, related_name="rulings")
    shoe = models.ForeignKey(Shoe, on_delete=models.PROTECT, null=True, related_name="rulings")
    ground = models.CharField(max_length=32)
    note = models.TextField()
    evidence = models.CharField(max_length=200, blank=True)
    plan = models.JSONField()
    bets = models.JSONField(null=True)
    ruled_by = models.ForeignKey(Person, on_delete=models.PROTECT)
    approved_by = models.ForeignKey(
        Person, on_delete=models.PROTECT, null=True, related_name="approved_rulings"
    )
    ruled_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(approved_by=F("ruled_by")), name="ruling_approved_by_another"
            ),
            _one_place("ruling_round_or_shoe"),
        ]
        triggers = [append_only()]

    def __str__(self) -> str:
        return f"{self.called} {self.place}"

    @property
    def called(self) -> str:
        """Its kind in words, at its place."""
        return kind_at(self.kind, self.place, self.bets)

    @property
    def place(self) -> Round | Shoe:
        """The round or the shoe that was ruled on."""
        return _place(self)

    @property
    def by(self) -> str:
        """Who ruled and, where it took two, who approved."""
        approved = f", approved by {self.approved_by}" if self.approved_by else ""
        return f"{self.ruled_by}{approved}"

    @property
    def approval(self) -> str:
        """What the approver said; empty where nobody had to approve or nothing was said."""
        decision = getattr(self, "proposal_decision", None)
        return decision.note if decision else ""


class ApprovalRule(models.Model):
    """When a ruling needs a second person; every threshold that is set must be reached.

    `net_change` is minor units of `currency`, the larger of what goes up and what comes down;
    `age` is minutes since the round had its result, or of a shoe the oldest hand that would be
    void. An empty kind means every kind.
    """

    kind = models.CharField(max_length=16, choices=Ruling.Kind.choices, blank=True)
    currency = models.CharField(max_length=3, blank=True)
    net_change = models.BigIntegerField(null=True, blank=True)
    tickets = models.PositiveIntegerField(null=True, blank=True)
    age = models.PositiveIntegerField(null=True, blank=True)
    role = models.CharField(max_length=20, choices=Role.choices, default=Role.MANAGER)
    is_active = models.BooleanField(default=True)
    history = history()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(net_change__isnull=True) | ~Q(currency=""),
                name="approvalrule_money_has_currency",
            ),
        ]
        triggers = [
            keep(),
            decided("kind", "currency", "net_change", "tickets", "age", "role", "is_active"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display() or 'Any ruling'}: {self.get_role_display()} approves"


class Proposal(models.Model):
    """A ruling that waits for a second person, bound to exactly the plan that was shown.

    `hands` are the keys of the settled rounds that a void shoe names besides. Append-only; it
    waits until a `ProposalDecision` names what became of it.
    """

    round = models.ForeignKey(Round, on_delete=models.PROTECT, null=True, related_name="proposals")
    shoe = models.ForeignKey(Shoe, on_delete=models.PROTECT, null=True, related_name="proposals")
    kind = models.CharField(max_length=16, choices=Ruling.Kind.choices)
    ground = models.CharField(max_length=32)
    note = models.TextField()
    evidence = models.CharField(max_length=200, blank=True)
    outcome = models.JSONField(null=True)
    hands = models.JSONField(default=list)
    bets = models.JSONField(null=True)
    seen = models.TextField()
    plan = models.JSONField()
    role = models.CharField(max_length=20, choices=Role.choices)
    proposed_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="proposals")
    proposed_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["-id"]
        constraints = [_one_place("proposal_round_or_shoe")]
        triggers = [append_only()]

    def __str__(self) -> str:
        return f"{self.called} {self.place}"

    @property
    def called(self) -> str:
        """Its kind in words, at its place."""
        return kind_at(self.kind, self.place, self.bets)

    @property
    def place(self) -> Round | Shoe:
        """The round or the shoe that it is about."""
        return _place(self)


class ProposalDecision(models.Model):
    """What became of a proposal."""

    class Verdict(models.TextChoices):
        APPROVED = "approved", "Approved"
        REJECTED = "rejected", "Rejected"
        WITHDRAWN = "withdrawn", "Withdrawn"

    proposal = models.OneToOneField(Proposal, on_delete=models.PROTECT, related_name="decision")
    verdict = models.CharField(max_length=12, choices=Verdict.choices)
    ruling = models.OneToOneField(
        Ruling, on_delete=models.PROTECT, null=True, related_name="proposal_decision"
    )
    note = models.TextField(blank=True)
    decided_by = models.ForeignKey(Person, on_delete=models.PROTECT)
    decided_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(verdict="approved", ruling__isnull=False)
                | (~Q(verdict="approved") & Q(ruling__isnull=True)),
                name="proposaldecision_ruling_if_approved",
            ),
        ]
        triggers = [append_only()]

    def __str__(self) -> str:
        return f"{self.proposal}: {self.verdict}"


class Incident(models.Model):
    """Something irregular at a table, raised by a system, a person or the house itself.

    Append-only; it is open until an `IncidentClosing` says what answered it.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="incidents")
    shoe = models.ForeignKey(Shoe, on_delete=models.PROTECT, null=True, blank=True)
    round = models.ForeignKey(
        Round, on_delete=models.PROTECT, null=True, blank=True, related_name="incidents"
    )
    kind = models.CharField(max_length=32)
    note = models.TextField()
    video = models.CharField(max_length=200, blank=True)
    evidence = models.JSONField(null=True, help_text="What a system posted, as it came.")
    raised_by = models.ForeignKey(Person, on_delete=models.PROTECT)
    raised_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["-id"]
        triggers = [append_only()]

    def __str__(self) -> str:
        return f"{self.kind} at {self.table.code}"


class IncidentClosing(models.Model):
    """What answered an incident: a ruling, or, where no round is concerned, a note of why it ends.

    `noted_by`, `noted_at` and `note` are of the latter alone.
    """

    incident = models.OneToOneField(Incident, on_delete=models.PROTECT, related_name="closing")
    ruling = models.ForeignKey(
        Ruling, on_delete=models.PROTECT, null=True, related_name="closed_incidents"
    )
    note = models.TextField(blank=True, default="")
    noted_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+")
    noted_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    ruling__isnull=False, noted_by__isnull=True, noted_at__isnull=True, note=""
                )
                | (
                    Q(ruling__isnull=True, noted_by__isnull=False, noted_at__isnull=False)
                    & ~Q(note="")
                ),
                name="incidentclosing_ruled_or_noted",
            ),
        ]
        triggers = [append_only()]

    def __str__(self) -> str:
        return f"{self.incident}: {self.answer}"

    @property
    def answer(self) -> str:
        """What answered it, in a word or two."""
        if self.ruling is None:
            return "Noted"
        ruling, round = self.ruling, self.incident.round
        answer = of_bets(ruling.get_kind_display(), ruling.bets)
        return round.worded(answer) if round else answer

    @property
    def why(self) -> str:
        """What was said about it."""
        return self.ruling.note if self.ruling else self.note

    @property
    def answered_by(self) -> Person | None:
        """Who answered it."""
        return self.ruling.ruled_by if self.ruling else self.noted_by

    @property
    def answered_at(self) -> datetime | None:
        """When it was answered."""
        return self.ruling.ruled_at if self.ruling else self.noted_at


wall_history(ApprovalRule)
