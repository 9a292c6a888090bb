"""What the book itself prescribes when a round goes wrong, carried out by the table at once."""

from __future__ import annotations

from django.db import transaction

from casino.access import DEAL, require
from casino.models import OutcomeRevision, Person, Round, Ruling
from casino.models.audit import Action
from casino.selectors import game_of, last_dealt
from casino.services.outcomes import Change, change_outcome, lock_round
from casino.services.prescribed import prescribe
from casino.services.record import log
from casino.services.rounds import open_round
from games.refusals import Refused
from games.rulebook import Action as Allowed


@transaction.atomic
def replay(*, round: Round, kind: str, note: str = "", actor: Person, reason: str) -> Ruling:
    """Note that the ball is spun or the dice are rolled again; bets stay locked.

    Whatever was drawn after betting closed stays as it was drawn (C-20): the result that follows
    is held against the draws of the round.
    """
    require(actor, DEAL)
    round = lock_round(round)
    _check(round, kind, Allowed.REPLAY, "is not played again")
    if round.phase != Round.Phase.CLOSED:
        raise Refused("conflict", f"Round {round.key} is not between betting and result.")
    ruling = prescribe(
        round, kind=Ruling.Kind.REPLAY, ground=kind, note=note, actor=actor, reason=reason
    )
    log(
        Action.ROUND_REPLAYED,
        subject=f"round:{round.key}",
        actor=actor,
        reason=reason,
        body={"ruling": ruling.pk, "kind": kind},
    )
    return ruling


@transaction.atomic
def release(*, round: Round, kind: str, note: str = "", actor: Person, reason: str) -> Round:
    """Hand all bets of a round back and open betting anew; answer the round that follows.

    Only where the book releases bets (asia, Roulette). The stakes return as those of a void
    round do; the countdown starts again on the table's next round.
    """
    require(actor, DEAL)
    round = lock_round(round)
    _check(round, kind, Allowed.RELEASE, "does not hand bets back")
    if round.phase not in (Round.Phase.BETTING, Round.Phase.CLOSED):
        raise Refused("conflict", f"Round {round.key} has its result already.")
    ruling = prescribe(
        round, kind=Ruling.Kind.RELEASE, ground=kind, note=note, actor=actor, reason=reason
    )
    change_outcome(
        round=round,
        change=Change(OutcomeRevision.Kind.VOID, None, kind),
        ruling=ruling,
        action=Action.BETS_RELEASED,
        body={"ruling": ruling.pk, "kind": kind},
        actor=actor,
        reason=reason,
    )
    return open_round(table=round.table, number=round.number + 1, actor=actor, reason=reason)


def _check(round: Round, kind: str, allowed: Allowed, otherwise: str) -> None:
    ground = game_of(round).grounds.get(kind)
    if ground is None:
        raise Refused("invalid_value", f"{game_of(round).title} knows no incident {kind}.", "kind")
    if allowed not in ground.actions:
        raise Refused(
            "not_permitted",
            f"{game_of(round).title} {otherwise} for {kind.replace('_', ' ')}: {ground.clause}",
            "kind",
        )
    if round.on_hold or last_dealt(round) is not None:
        raise Refused("conflict", f"Round {round.key} waits for a ruling or has its result.")
