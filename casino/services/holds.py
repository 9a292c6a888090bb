"""Putting a round on hold, letting a round or a shoe stand: decisions that move no money."""

from __future__ import annotations

from django.db import transaction

from casino.access import HOLD_ROUND, RULE, require
from casino.models import Person, Round, Ruling, Shoe
from casino.models.audit import Action
from casino.selectors import game_of, open_incidents
from casino.services.incidents import raise_incident
from casino.services.outcomes import announce_outcome, lock_round, lock_shoe
from casino.services.record import log, write_fact
from casino.services.rulings import close_incidents
from games import rulebook
from games.refusals import Refused

STANDING = frozenset({rulebook.Action.STAND, rulebook.Action.DISCRETION})
"""The actions of a ground under which a round may stand as it is."""


def check_hold(round: Round, *, actor: Person) -> None:
    """Refuse unless this person may put the round on hold as it stands."""
    require(actor, HOLD_ROUND)
    what = round.worded(f"Hand {round.number}")
    if round.on_hold:
        raise Refused("conflict", f"{what} is on hold already.")
    if round.phase == Round.Phase.VOID:
        raise Refused("conflict", f"{what} is already void.")


def check_stand(round: Round, *, actor: Person) -> None:
    """Refuse unless this person may let the round stand, and there is something to let stand.

    A round that was never resulted goes on where it was; it cannot while the table deals another.
    """
    require(actor, RULE)
    if not round.on_hold and not open_incidents(round=round).exists():
        raise Refused("conflict", round.worded(f"Nothing is open on hand {round.number}."))
    running = [Round.Phase.BETTING, Round.Phase.CLOSED]
    others = Round.objects.filter(table=round.table, phase__in=running, on_hold=False)
    if round.phase in running and others.exclude(pk=round.pk).exists():
        raise Refused(
            "conflict",
            f"Table {round.table.code} deals another {round.word}; "
            "void this one or enter its result.",
        )


def check_shoe_stands(shoe: Shoe, *, actor: Person) -> None:
    """Refuse unless this person may let the shoe stand, and something is open on it."""
    require(actor, RULE)
    if not open_incidents(shoe=shoe, round=None).exists():
        raise Refused("conflict", f"Nothing is open on shoe {shoe.number} itself.")


@transaction.atomic
def hold_round(
    *, round: Round, ground: str, note: str, video: str = "", actor: Person, reason: str
) -> Ruling:
    """Put a round on hold at once, by one person: it is not settled until management rules.

    Raises the incident that it is held for.
    """
    round = lock_round(round)
    check_hold(round, actor=actor)
    _check_words(game_of(round), ground, note)
    raise_incident(
        table=round.table,
        shoe=round.shoe,
        round=round,
        kind=ground,
        note=note,
        video=video,
        actor=actor,
        reason=reason,
    )
    ruling = _rule(round, Ruling.Kind.HOLD, ground, note, video, actor)
    round.on_hold = True
    write_fact(round, actor=actor, reason=reason, fields=["on_hold"])
    _log(Action.ROUND_HELD, round, ruling, actor, reason)
    return ruling


@transaction.atomic
def let_stand(
    *, round: Round, ground: str, note: str, video: str = "", actor: Person, reason: str
) -> Ruling:
    """Let a round stand as it is: its hold and its incidents end, and it settles if it was due."""
    round = lock_round(round)
    check_stand(round, actor=actor)
    _check_standing(game_of(round), ground, note)
    ruling = _rule(round, Ruling.Kind.STAND, ground, note, video, actor)
    close_incidents(open_incidents(round=round), ruling)
    if round.on_hold:
        round.on_hold = False
        write_fact(round, actor=actor, reason=reason, fields=["on_hold"])
    _log(Action.ROUND_STANDS, round, ruling, actor, reason)
    if round.outcome_revision > round.settled_revision:
        announce_outcome(round)
    return ruling


@transaction.atomic
def let_shoe_stand(
    *, shoe: Shoe, ground: str, note: str, video: str = "", actor: Person, reason: str
) -> Ruling:
    """Deal on from a shoe: what is open on the shoe itself, and on no hand of it, ends."""
    shoe = lock_shoe(shoe)
    check_shoe_stands(shoe, actor=actor)
    _check_standing(game_of(shoe.table), ground, note)
    ruling = _rule(shoe, Ruling.Kind.STAND, ground, note, video, actor)
    close_incidents(open_incidents(shoe=shoe, round=None), ruling)
    _log(Action.SHOE_STANDS, shoe, ruling, actor, reason)
    return ruling


def _check_standing(game: rulebook.Game, ground: str, note: str) -> None:
    _check_words(game, ground, note)
    known = game.grounds[ground]
    if STANDING.isdisjoint(known.actions):
        raise Refused(
            "not_permitted", f"The book lets nothing stand on this ground: {known.clause}", "ground"
        )


def _check_words(game: rulebook.Game, ground: str, note: str) -> None:
    if ground not in game.grounds:
        raise Refused("invalid_value", f"{game.title} knows no ground {ground}.", "ground")
    if not note.strip():
        raise Refused("invalid_value", "Say in a note why.", "note")


def _rule(
    place: Round | Shoe, kind: str, ground: str, note: str, evidence: str, actor: Person
) -> Ruling:
    return Ruling.objects.create(
        kind=kind,
        round=place if isinstance(place, Round) else None,
        shoe=place if isinstance(place, Shoe) else None,
        ground=ground,
        note=note,
        evidence=evidence,
        plan={},
        ruled_by=actor,
    )


def _log(action: Action, place: Round | Shoe, ruling: Ruling, actor: Person, reason: str) -> None:
    log(
        action,
        subject=f"{'round' if isinstance(place, Round) else 'shoe'}:{place}",
        actor=actor,
        reason=reason,
        body={"ruling": ruling.pk, "ground": ruling.ground, "note": ruling.note},
    )
