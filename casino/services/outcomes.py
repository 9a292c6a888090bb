"""Changing what is recorded as a round's outcome, once it has been decided to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from casino.models import OutcomeRevision, Person, Round, Ruling, Shoe, Table
from casino.models.audit import Action
from casino.selectors import latest_outcome
from casino.services.record import log, write_fact
from casino.signals import outcome_recorded
from games import rulebook


@dataclass(frozen=True, slots=True)
class Bets:
    """Bets of one ticket that a ruling is about, as whoever keeps the money numbers them.

    No lines means all of them.
    """

    ticket: int
    lines: tuple[int, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """The bets as plain data."""
        return {"ticket": self.ticket, "lines": list(self.lines)}

    @classmethod
    def of(cls, data: dict[str, Any] | None) -> Bets | None:
        """The bets that were kept as plain data, if any were."""
        return cls(data["ticket"], tuple(data["lines"])) if data else None


@dataclass(frozen=True, slots=True)
class Change:
    """An outcome revision that is about to be written.

    `outcome` may be missing from a void of a round that was never dealt, and where `bets` are
    ruled on before there is one. These are void on `bets_ground`, or count again without one.
    """

    kind: str
    outcome: rulebook.Outcome | None
    void_ground: str = ""
    bets: Bets | None = None
    bets_ground: str = ""

    @property
    def headline(self) -> str:
        """What the outcome comes to, in one sentence."""
        if self.void_ground:
            return f"Void: {self.void_ground.replace('_', ' ')}"
        return self.outcome.headline if self.outcome else "No result"


def lock_round(round: Round) -> Round:
    """The round as it is now, locked until the transaction ends."""
    return (
        Round.objects.select_for_update(no_key=True, of=("self",))
        .select_related("table", "shoe", "rides_on")
        .get(pk=round.pk)
    )


def lock_shoe(shoe: Shoe) -> Shoe:
    """The shoe as it is now, locked with its hands until the transaction ends.

    Its table comes first: whoever opens a shoe or a hand there has to wait.
    """
    Table.objects.select_for_update(no_key=True).get(pk=shoe.table_id)
    hands = Round.objects.select_for_update(no_key=True).filter(shoe=shoe)
    list(hands.order_by("pk").values_list("pk"))
    return (
        Shoe.objects.select_for_update(no_key=True, of=("self",))
        .select_related("table__pit")
        .get(pk=shoe.pk)
    )


def change_outcome(
    *,
    round: Round,
    change: Change,
    ruling: Ruling,
    action: Action,
    body: dict[str, Any],
    actor: Person,
    reason: str,
) -> OutcomeRevision:
    """Write an outcome revision under a ruling and bring a locked round to it.

    The round comes off hold. What happened is logged with the outcome before and after.
    """
    before = latest_outcome(round)
    revision = OutcomeRevision.objects.create(
        round=round,
        revision=round.outcome_revision + 1,
        kind=change.kind,
        outcome=dict(change.outcome.canonical) if change.outcome else None,
        headline=change.headline,
        void_ground=change.void_ground,
        ruling=ruling,
        manual=change.kind == OutcomeRevision.Kind.EDIT,
        video=ruling.evidence,
        dealer=before.dealer if before else "",
        recorded_by=actor,
    )
    round.phase = Round.Phase.VOID if change.void_ground else Round.Phase.RESULTED
    round.on_hold = False
    round.outcome_revision = revision.revision
    if change.outcome:
        round.cards = len(change.outcome.cards)
    round.resulted_at = round.resulted_at or timezone.now()
    write_fact(
        round,
        actor=actor,
        reason=reason,
        fields=["phase", "on_hold", "outcome_revision", "cards", "resulted_at"],
    )
    log(
        action,
        subject=f"round:{round.key}",
        actor=actor,
        reason=reason,
        body={
            "before": {
                "headline": before.headline if before else "No result",
                "outcome": before.outcome if before else None,
            },
            "after": {"headline": revision.headline, "outcome": revision.outcome},
        }
        | body,
    )
    announce_outcome(round)
    return revision


def announce_outcome(round: Round) -> None:
    """Tell the rest of the house, once committed, that the round has an outcome to settle."""
    key = round.pk
    transaction.on_commit(lambda: outcome_recorded.send_robust(sender=Round, round_id=key))
