"""Plans of void shoes: which hands go with the shoe, and what that would change.

The running hand is void with its shoe; hands that had their result stand unless management names
them (R-7, C-47).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q

from casino.access import RULE, require
from casino.models import Incident, OutcomeRevision, Person, Round, Ruling, Shoe
from casino.selectors import game_of, last_dealt, latest_outcome, open_incidents
from casino.services.impact import MoneyChange, added_up, money_of, money_shown
from casino.services.outcomes import Change
from casino.services.plans import Draft, needs_evidence, seen_now, token
from casino.services.riding import plan_riders
from games import rulebook
from games.refusals import Refused

WITHDRAWING = frozenset({rulebook.Action.VOID_SHOE, rulebook.Action.DISCRETION})
"""The actions of a ground under which a shoe may be withdrawn."""


@dataclass(frozen=True, slots=True)
class HandPlan:
    """What becomes of one hand of a void shoe, and of the rounds that ride on it."""

    round: Round
    before: str
    change: Change
    riders: tuple[tuple[Round, Change], ...]
    money: tuple[MoneyChange, ...]

    @property
    def running(self) -> bool:
        """Whether it is void with its shoe, without being named."""
        return is_running(self.round)


@dataclass(frozen=True, slots=True)
class ShoePlan:
    """What a void shoe would leave behind, and the token of the state that it was drawn up on."""

    shoe: Shoe
    draft: Draft
    hands: tuple[HandPlan, ...]
    standing: int
    closes: tuple[Incident, ...]
    money: tuple[MoneyChange, ...]
    seen: str

    @property
    def rounds(self) -> tuple[Round, ...]:
        """The hands that would be void."""
        return tuple(hand.round for hand in self.hands)

    @property
    def riders(self) -> tuple[tuple[Round, Change], ...]:
        """The rounds that ride on these hands, with what becomes of them."""
        return tuple(rider for hand in self.hands for rider in hand.riders)

    @property
    def resulted_at(self) -> datetime | None:
        """When the oldest hand that would be void had its first result."""
        moments = (hand.round.resulted_at for hand in self.hands)
        return min((moment for moment in moments if moment), default=None)

    @property
    def shown(self) -> dict[str, Any]:
        """The plan as data, kept with the ruling for good. Amounts are minor units."""
        return {
            "before": self.shoe.get_phase_display(),
            "after": f"Void: {self.draft.ground.replace('_', ' ')}",
            **money_shown(self.money),
            "hands": [
                {
                    "round": hand.round.key,
                    "number": hand.round.number,
                    "before": hand.before,
                    "running": hand.running,
                    "settled": hand.round.settled_revision > 0,
                    **money_shown(hand.money),
                }
                for hand in self.hands
            ],
            "standing": self.standing,
            "closes": [incident.pk for incident in self.closes],
            "riders": {rider.key: change.headline for rider, change in self.riders},
        }


def is_running(round: Round) -> bool:
    """Whether a hand has no result that counts yet, and so goes with its shoe."""
    return round.on_hold or round.phase in (Round.Phase.BETTING, Round.Phase.CLOSED)


def may_be_named(round: Round) -> bool:
    """Whether a hand has a result that stands unless management names it."""
    return round.phase == Round.Phase.RESULTED and not round.on_hold


def going_with(rounds: Iterable[Round], named: Collection[str]) -> list[Round]:
    """Those of a shoe's hands that are void with it: the running one and those that are named."""
    return [round for round in rounds if is_running(round) or round.key in named]


def shoe_seen_now(shoe: Shoe, going: Iterable[Round]) -> str:
    """What the shoe and every hand that goes with it stand at; the first part of a plan's token."""
    return " ".join([str(shoe.phase), *(f"{round.key} {seen_now(round)}" for round in going)])


def check_void_shoe(shoe: Shoe, *, actor: Person) -> None:
    """Refuse unless this person may void the shoe as it stands."""
    require(actor, RULE)
    if shoe.phase == Shoe.Phase.VOID:
        raise Refused("conflict", f"Shoe {shoe.number} is already void.")


def plan_void_shoe(*, shoe: Shoe, draft: Draft, actor: Person) -> ShoePlan:
    """Draw up the void of a shoe without writing anything.

    A ground on which the book withdraws shoes and a note are always needed, evidence where a
    hand that goes with the shoe is settled. Refuses
    `invalid_value` for a named hand that is not of the shoe, and `conflict` for one that is void.
    """
    check_void_shoe(shoe, actor=actor)
    _check_words(shoe, draft)
    rounds = list(shoe.rounds.select_related("table", "shoe", "rides_on").order_by("number"))
    _check_named(shoe, rounds, draft)
    going = going_with(rounds, draft.hands)
    if not draft.evidence.strip() and any(needs_evidence(round, draft.kind) for round in going):
        raise Refused(
            "invalid_value", "Name the video time or card image that shows it.", "evidence"
        )
    hands = tuple(_hand(round, draft.ground) for round in going)
    money = added_up(change for hand in hands for change in hand.money)
    return ShoePlan(
        shoe=shoe,
        draft=draft,
        hands=hands,
        standing=sum(map(may_be_named, rounds)) - sum(map(may_be_named, going)),
        closes=tuple(_answered(shoe, going, draft.ground)),
        money=money,
        seen=token(shoe_seen_now(shoe, going), draft, money),
    )


def _check_words(shoe: Shoe, draft: Draft) -> None:
    game = game_of(shoe.table)
    ground = game.grounds.get(draft.ground)
    if draft.kind != Ruling.Kind.VOID_SHOE:
        raise Refused("invalid_value", f"{draft.kind} is not a ruling on a shoe.", "kind")
    if ground is None:
        raise Refused("invalid_value", f"{game.title} knows no ground {draft.ground}.", "ground")
    if WITHDRAWING.isdisjoint(ground.actions):
        raise Refused(
            "not_permitted", f"The book voids no shoe on this ground: {ground.clause}", "ground"
        )
    if not draft.note.strip():
        raise Refused("invalid_value", "Say in a note why.", "note")


def _check_named(shoe: Shoe, rounds: list[Round], draft: Draft) -> None:
    known = {round.key: round for round in rounds}
    for key in draft.hands:
        if key not in known:
            raise Refused("invalid_value", f"Shoe {shoe.number} has no hand {key}.", "hands")
        if known[key].phase == Round.Phase.VOID:
            raise Refused("conflict", f"Hand {known[key].number} is already void.", "hands")


def _hand(round: Round, ground: str) -> HandPlan:
    game, dealt, latest = game_of(round), last_dealt(round), latest_outcome(round)
    game.check_void(rulebook.Void(ground))
    read = game.read(dealt.outcome or {}, unfinished=True) if dealt else None
    change = Change(OutcomeRevision.Kind.VOID, read, ground)
    riders = plan_riders(round, change)
    return HandPlan(
        round=round,
        before=latest.headline if latest else "No result",
        change=change,
        riders=riders,
        money=money_of([(round, change), *riders]),
    )


def _answered(shoe: Shoe, going: list[Round], ground: str) -> list[Incident]:
    """What is open on the shoe itself, on a hand that goes with it, or is the very ground."""
    of_shoe = open_incidents().filter(Q(shoe=shoe) | Q(round__shoe=shoe))
    return list(of_shoe.filter(Q(round__isnull=True) | Q(round__in=going) | Q(kind=ground)))
