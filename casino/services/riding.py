"""Rounds that ride on another: Super Fan Tan takes its cards from a 3 Pictures round (C-51)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from casino.models import Person, Round, Ruling
from casino.models.audit import Action
from casino.selectors import game_of, last_dealt, latest_outcome
from casino.services.outcomes import Change, change_outcome, lock_round
from games import rulebook
from games.families.fan_tan import from_pictures
from games.refusals import Refused

FALLBACK_GROUND = "management_discretion"
"""The ground of a rider whose own game does not know the ground of the round it rides on."""


def carried(round: Round, outcome: dict[str, Any]) -> dict[str, Any]:
    """Complete what the table posted for a riding round with the cards that it rides on.

    The table posts the die alone; cards that it posts as well must be the very ones. Refuses with
    `conflict` while the other round has no result.
    """
    if round.rides_on is None:
        return outcome
    source = last_dealt(round.rides_on)
    if source is None or round.rides_on.phase != Round.Phase.RESULTED:
        raise Refused(
            "conflict", f"Round {round.key} rides on {round.rides_on.key}, which has no result."
        )
    pictures = game_of(round.rides_on).read(source.outcome or {})
    whole = from_pictures(pictures, outcome.get("die", 0)) | outcome
    if whole["cards"] != list(pictures.cards):
        raise Refused(
            "invalid_outcome",
            f"These are not the cards of round {round.rides_on.key}.",
            "cards",
        )
    return whole


def plan_riders(round: Round, change: Change) -> tuple[tuple[Round, Change], ...]:
    """What the rounds that ride on this one become when it changes so; nothing is written."""
    return tuple(_riders(round, change))


def move_riders(
    round: Round, change: Change, *, ruling: Ruling, actor: Person, reason: str
) -> None:
    """Bring every round that rides on this one along, under the same ruling."""
    for rider, follows in plan_riders(round, change):
        change_outcome(
            round=lock_round(rider),
            change=follows,
            ruling=ruling,
            action=Action.ROUND_FOLLOWED,
            body={"ruling": ruling.pk, "rides_on": round.key},
            actor=actor,
            reason=reason,
        )


def _riders(round: Round, change: Change) -> Iterator[tuple[Round, Change]]:
    for rider in round.riders.select_related("table", "rides_on").order_by("pk"):
        follows = _follow(rider, round, change)
        if follows is not None:
            yield rider, follows


def _follow(rider: Round, round: Round, change: Change) -> Change | None:
    game = game_of(rider)
    dealt, latest = last_dealt(rider), latest_outcome(rider)
    void = rider.phase == Round.Phase.VOID
    if change.void_ground:
        ground = change.void_ground if change.void_ground in game.grounds else FALLBACK_GROUND
        read = game.read(dealt.outcome or {}, unfinished=True) if dealt else None
        return None if void else Change("void", read, ground)
    if dealt is None or dealt.outcome is None or change.outcome is None:
        return None
    moved = _moved(game, change.outcome, dealt.outcome)
    went_with_it = latest is not None and round.outcomes.filter(ruling=latest.ruling_id).exists()
    if void and went_with_it:
        return Change("reinstate", moved) if change.kind == "reinstate" else None
    if moved.canonical == dealt.outcome:
        return None
    if void and latest is not None:
        return Change("void", moved, latest.void_ground)
    return Change("edit", moved)


def _moved(
    game: rulebook.Game, pictures: rulebook.Outcome, outcome: dict[str, Any]
) -> rulebook.Outcome:
    return game.read(from_pictures(pictures, outcome["die"]))
