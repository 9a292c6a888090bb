"""Shoes: opened with a first card and a burn, corrected, ended by the blue card, closed."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils import timezone

from casino.access import DEAL, HOLD_ROUND, require
from casino.models import Person, Round, Ruling, Shoe, Table
from casino.models.audit import Action
from casino.selectors import game_of, open_incidents, open_shoe_of
from casino.services.incidents import raise_incident
from casino.services.outcomes import lock_shoe
from casino.services.prescribed import void_at_once
from casino.services.record import log, write_fact
from casino.services.rulings import close_incidents
from games.cards import DECK
from games.refusals import Refused
from games.rulebook import Action as Allowed

COMMENCEMENT: Final = "commencement_error"
"""The incident of a wrong first card or burn."""

BURN: Final = {rank: count for count, rank in enumerate("A23456789T", start=1)} | dict.fromkeys(
    "JQK", 10
)
"""Cards skipped by the rank of the first card (commencement, block BAC)."""

CUT: Final = {("euro", "baccarat"): 7}
"""Where a document prints it: how many cards from the end the cut card lies (004, 1.3.1, 3.3.4)."""


@transaction.atomic
def open_shoe(
    *,
    table: Table,
    number: int,
    first_card: str = "",
    burned: int | None = None,
    cut: int | None = None,
    actor: Person,
    reason: str,
) -> Shoe:
    """Open a shoe at a table that deals from shoes.

    Where the document prints no commencement, first card and burn may be left out. `cut` is where
    the cut card lies, in cards from the end. A burn that does not fit the first card opens the shoe
    and raises a commencement incident: before the first hand it can still be put right on the
    spot. The same shoe posted again is answered as it is, also after it was put right.
    """
    require(actor, DEAL)
    Table.objects.select_for_update(no_key=True).get(pk=table.pk)
    game = game_of(table)
    if not game.has_shoe or game.decks is None:
        raise Refused("conflict", f"{game.title} is not dealt from a shoe.")
    if first_card or game.grounds[COMMENCEMENT].in_document:
        _check_card(first_card)
        if burned is None:
            raise Refused("invalid_value", "Say how many cards were skipped.", "burned")
    burned = burned or 0
    if number < 1 or burned < 0:
        raise Refused("invalid_value", "A shoe number starts at 1, a burn at 0.", "number")
    if cut is not None and not 0 <= cut < game.decks * len(DECK):
        raise Refused("invalid_value", f"No card lies {cut} cards from the end.", "cut")
    found = Shoe.objects.filter(table=table, number=number).first()
    if found:
        as_posted = found.history.earliest("history_id")
        for known in (found, as_posted):
            as_told = (known.first_card, known.burned) == (first_card, burned)
            if as_told and cut in (None, known.cut):
                return found
        raise Refused("conflict", f"Shoe {number} was opened with another first card, burn or cut.")
    running = open_shoe_of(table)
    if running:
        raise Refused("conflict", f"Shoe {running.number} is still open; close it first.")
    shoe = Shoe(
        table=table,
        number=number,
        decks=game.decks,
        first_card=first_card,
        burned=burned,
        cut=CUT.get((table.book, table.game)) if cut is None else cut,
        opened_at=timezone.now(),
    )
    write_fact(shoe, actor=actor, reason=reason)
    _log(
        shoe,
        Action.SHOE_OPENED,
        actor,
        reason,
        {"first_card": first_card, "burned": burned, "cut": shoe.cut},
    )
    fault = _miscount(first_card, burned)
    if fault:
        raise_incident(
            table=table, shoe=shoe, kind=COMMENCEMENT, note=fault, actor=actor, reason=reason
        )
    return shoe


def check_correction(shoe: Shoe, *, actor: Person) -> None:
    """Refuse unless this person may still put the commencement of the shoe right.

    That is while no card of its first hand is dealt; afterwards the shoe is invalid and is
    replaced (block BAC, clause 1).
    """
    require(actor, HOLD_ROUND)
    if shoe.phase in Shoe.OVER:
        raise Refused("conflict", f"Shoe {shoe.number} is {shoe.get_phase_display().lower()}.")
    dealt = shoe.rounds.exclude(phase=Round.Phase.BETTING).order_by("number").first()
    if dealt:
        raise Refused(
            "conflict",
            f"Hand {dealt.number} is past betting: shoe {shoe.number} cannot be corrected, only "
            "voided.",
        )


@transaction.atomic
def correct_commencement(
    *,
    shoe: Shoe,
    first_card: str,
    burned: int,
    note: str,
    video: str = "",
    actor: Person,
    reason: str,
) -> Ruling:
    """Put the first card and the burn of a shoe right, and answer its commencement incidents.

    What is entered has to be a commencement that the rules know, and another than is recorded
    unless an incident is open.
    """
    shoe = lock_shoe(shoe)
    check_correction(shoe, actor=actor)
    _check_card(first_card)
    fault = _miscount(first_card, burned)
    if fault:
        raise Refused("invalid_value", f"{fault} Correct it on the table first.", "burned")
    if not note.strip():
        raise Refused("invalid_value", "Say in a note why.", "note")
    incidents = open_incidents(shoe=shoe, round=None, kind=COMMENCEMENT)
    before = {"first_card": shoe.first_card, "burned": shoe.burned}
    after = {"first_card": first_card, "burned": burned}
    if before == after and not incidents:
        raise Refused("conflict", "This is the commencement that is recorded already.")
    ruling = Ruling.objects.create(
        kind=Ruling.Kind.CORRECT_SHOE,
        shoe=shoe,
        ground=COMMENCEMENT,
        note=note,
        evidence=video,
        plan={"before": before, "after": after},
        ruled_by=actor,
    )
    close_incidents(incidents, ruling)
    shoe.first_card, shoe.burned = first_card, burned
    write_fact(shoe, actor=actor, reason=reason, fields=["first_card", "burned"])
    body = {"ruling": ruling.pk, "before": before, "after": after, "note": note}
    _log(shoe, Action.SHOE_CORRECTED, actor, reason, body)
    return ruling


@transaction.atomic
def draw_blue_card(*, shoe: Shoe, at: str, actor: Person, reason: str) -> Shoe:
    """Record the blue card: in a hand, the running hand is the last; as burn card, none follows.

    A hand that was open already when the blue card came as the burn card is void at once, with
    an incident, and its bets go back (block BAC, clause 2).
    """
    require(actor, DEAL)
    if at not in (Shoe.BlueCard.IN_HAND, Shoe.BlueCard.BURN):
        raise Refused("invalid_value", "The blue card comes in_hand or as the burn.", "at")
    shoe = lock_shoe(shoe)
    if shoe.blue_card == at:
        return shoe
    if shoe.blue_card or shoe.phase != Shoe.Phase.OPEN:
        raise Refused("conflict", f"Shoe {shoe.number} has its last hand behind it already.")
    shoe.blue_card = at
    in_hand = at == Shoe.BlueCard.IN_HAND
    shoe.phase = Shoe.Phase.LAST_HAND if in_hand else Shoe.Phase.SPENT
    write_fact(shoe, actor=actor, reason=reason, fields=["blue_card", "phase"])
    _log(shoe, Action.SHOE_BLUE_CARD, actor, reason, {"at": at})
    running = _running(shoe)
    if running and not in_hand:
        void_at_once(
            running,
            ground=_ground_of_burn(running),
            note=f"The blue card was the burn card before hand {running.number}.",
            actor=actor,
            reason=reason,
        )
    return shoe


@transaction.atomic
def close_shoe(*, shoe: Shoe, actor: Person, reason: str) -> Shoe:
    """Close a shoe once no hand of it is running. One that is over is answered as it is."""
    require(actor, DEAL)
    shoe = lock_shoe(shoe)
    if shoe.phase in Shoe.OVER:
        return shoe
    running = _running(shoe)
    if running:
        raise Refused("conflict", f"Hand {running.number} is still running.")
    shoe.phase = Shoe.Phase.CLOSED
    shoe.closed_at = timezone.now()
    write_fact(shoe, actor=actor, reason=reason, fields=["phase", "closed_at"])
    _log(shoe, Action.SHOE_CLOSED, actor, reason, {"hands": shoe.rounds.count()})
    return shoe


def _check_card(card: str) -> None:
    if not card:
        raise Refused("invalid_value", "Name the first card of the shoe.", "first_card")
    if card not in DECK:
        raise Refused("invalid_value", f"{card} is not a card.", "first_card")


def _miscount(first_card: str, burned: int) -> str:
    """What is wrong with a commencement, in words; empty where nothing is."""
    due = BURN[first_card[0]] if first_card else burned
    if burned == due:
        return ""
    return f"First card {first_card} skips {due} cards, {burned} were burned."


def _running(shoe: Shoe) -> Round | None:
    phases = [Round.Phase.BETTING, Round.Phase.CLOSED]
    hands = shoe.rounds.filter(phase__in=phases, on_hold=False)
    return hands.select_related("table", "shoe", "rides_on").first()


def _ground_of_burn(round: Round) -> str:
    """The ground on which the book voids a hand that the blue card came before."""
    blue_card = game_of(round).grounds["blue_card"]
    return "blue_card" if Allowed.VOID_HAND in blue_card.actions else "late_hand"


def _log(shoe: Shoe, action: Action, actor: Person, reason: str, body: dict[str, object]) -> None:
    log(action, subject=f"shoe:{shoe}", actor=actor, reason=reason, body=body)
