"""What is drawn after betting closes, before the result: kept for the round as it was drawn.

The die of a Super hand, super odds and Super Numbers belong to the round. They stay when the ball
is spun or the dice are rolled again (C-20).
"""

from __future__ import annotations

from typing import Any

from casino.models import Person, Round
from casino.models.audit import Action
from casino.selectors import game_of
from casino.services.record import log, write_fact
from games.refusals import Refused


def record_draws(*, round: Round, draws: dict[str, Any], actor: Person, reason: str) -> None:
    """Write what was drawn for a locked round whose betting is closed; the same again is nothing.

    Refuses with `invalid_outcome` what the book does not have, and with `conflict` other draws
    than the recorded ones, or any once the round has its result.
    """
    drawn = game_of(round).read_draws(draws)
    if round.draws == drawn:
        return
    if round.draws is not None:
        raise Refused(
            "conflict", f"Round {round.key} has its draws already: they are drawn once.", "draws"
        )
    if round.phase != Round.Phase.CLOSED:
        raise Refused("conflict", f"Round {round.key} has its result already.", "draws")
    round.draws = drawn
    write_fact(round, actor=actor, reason=reason, fields=["draws"])
    log(
        Action.ROUND_DRAWN,
        subject=f"round:{round.key}",
        actor=actor,
        reason=reason,
        body={"draws": drawn},
    )


def with_draws(round: Round, outcome: dict[str, Any]) -> dict[str, Any]:
    """An outcome with what was drawn for its round, where it leaves that out.

    Refuses with `invalid_outcome` one that says otherwise.
    """
    if round.draws is None:
        return outcome
    whole = round.draws | outcome
    drawn = game_of(round).read_draws({part: whole[part] for part in round.draws})
    for part, value in drawn.items():
        if value != round.draws[part]:
            raise Refused(
                "invalid_outcome",
                f"Round {round.key} has its {part.replace('_', ' ')} already, drawn after betting "
                "closed: a result does not change that.",
                part,
            )
    return whole
