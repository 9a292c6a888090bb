"""Shoes: opened with a first card and a burn, ended by the blue card, closed."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils import timezone

from casino.access import DEAL, require
from casino.models import Person, Round, Shoe, Table
from casino.models.audit import Action
from casino.selectors import game_of
from casino.services.incidents import raise_incident
from casino.services.record import log, write_fact
from games.refusals import Refused

BURN: Final = {rank: count for count, rank in enumerate("A23456789T", start=1)} | dict.fromkeys(
    "JQK", 10
)
"""Cards skipped by the rank of the first card (commencement, block BAC)."""


@transaction.atomic
def open_shoe(
    *,
    table: Table,
    number: int,
    first_card: str,
    burned: int,
    actor: Person,
    reason: str,
) -> Shoe:
    """Open a shoe at a table that deals from shoes.

    A burn that does not fit the first card opens the shoe and raises a commencement incident:
    before the first hand it can still be put right on the spot. The same shoe posted again is
    answered as it is.
    """
    require(actor, DEAL)
    Table.objects.select_for_update(no_key=True).get(pk=table.pk)
    game = game_of(table)
    if not game.has_shoe or game.decks is None:
        raise Refused("conflict", f"{game.title} is not dealt from a shoe.")
    if len(first_card) != 2 or first_card[0] not in BURN or first_card[1] not in "SHDC":
        raise Refused("invalid_value", f"{first_card} is not a card.", "first_card")
    if number < 1 or burned < 0:
        raise Refused("invalid_value", "A shoe number starts at 1, a burn at 0.", "number")
    found = Shoe.objects.filter(table=table, number=number).first()
    if found:
        if (found.first_card, found.burned) == (first_card, burned):
            return found
        raise Refused("conflict", f"Shoe {number} was opened with another first card or burn.")
    running = Shoe.objects.filter(table=table).exclude(phase=Shoe.Phase.CLOSED).first()
    if running:
        raise Refused("conflict", f"Shoe {running.number} is still open; close it first.")
    shoe = Shoe(
        table=table,
        number=number,
        decks=game.decks,
        first_card=first_card,
        burned=burned,
        opened_at=timezone.now(),
    )
    write_fact(shoe, actor=actor, reason=reason)
    _log(
        shoe,
        Action.SHOE_OPENED,
        actor,
        reason,
        {"first_card": first_card, "burned": burned},
    )
    due = BURN[first_card[0]]
    if burned != due:
        raise_incident(
            table=table,
            shoe=shoe,
            kind="commencement_error",
            note=f"First card {first_card} skips {due} cards, {burned} were burned.",
            actor=actor,
            reason=reason,
        )
    return shoe


@transaction.atomic
def draw_blue_card(*, shoe: Shoe, at: str, actor: Person, reason: str) -> Shoe:
    """Record the blue card: in a hand, the running hand is the last; as burn card, none follows."""
    require(actor, DEAL)
    if at not in (Shoe.BlueCard.IN_HAND, Shoe.BlueCard.BURN):
        raise Refused("invalid_value", "The blue card comes in_hand or as the burn.", "at")
    shoe = _locked(shoe)
    if shoe.blue_card == at:
        return shoe
    if shoe.blue_card or shoe.phase != Shoe.Phase.OPEN:
        raise Refused("conflict", f"Shoe {shoe.number} has its last hand behind it already.")
    shoe.blue_card = at
    in_hand = at == Shoe.BlueCard.IN_HAND
    shoe.phase = Shoe.Phase.LAST_HAND if in_hand else Shoe.Phase.SPENT
    write_fact(shoe, actor=actor, reason=reason, fields=["blue_card", "phase"])
    _log(shoe, Action.SHOE_BLUE_CARD, actor, reason, {"at": at})
    return shoe


@transaction.atomic
def close_shoe(*, shoe: Shoe, actor: Person, reason: str) -> Shoe:
    """Close a shoe once no hand of it is running."""
    require(actor, DEAL)
    shoe = _locked(shoe)
    if shoe.phase == Shoe.Phase.CLOSED:
        return shoe
    running = shoe.rounds.filter(
        phase__in=[Round.Phase.BETTING, Round.Phase.CLOSED], on_hold=False
    ).first()
    if running:
        raise Refused("conflict", f"Hand {running.number} is still running.")
    shoe.phase = Shoe.Phase.CLOSED
    shoe.closed_at = timezone.now()
    write_fact(shoe, actor=actor, reason=reason, fields=["phase", "closed_at"])
    _log(shoe, Action.SHOE_CLOSED, actor, reason, {"hands": shoe.rounds.count()})
    return shoe


def _locked(shoe: Shoe) -> Shoe:
    return Shoe.objects.select_for_update(no_key=True, of=("self",)).get(pk=shoe.pk)


def _log(shoe: Shoe, action: Action, actor: Person, reason: str, body: dict[str, object]) -> None:
    log(action, subject=f"shoe:{shoe}", actor=actor, reason=reason, body=body)
