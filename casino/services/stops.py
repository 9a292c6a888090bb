"""Throwing and lifting stop switches."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from casino.access import STOP, require
from casino.models import Operator, Person, Stop, Table
from casino.models.audit import Action
from casino.services.record import log, write_fact
from games.refusals import Refused


@transaction.atomic
def stop_betting(
    *,
    table: Table | None = None,
    book: str = "",
    game: str = "",
    operator: Operator | None = None,
    actor: Person,
    reason: str,
) -> Stop:
    """End betting at once for one table, one game (of one book or of all), one operator or all.

    A hand that runs finishes and settles. A switch that is thrown already is answered as it is.
    """
    require(actor, STOP)
    _said(reason)
    if sum([table is not None, bool(game), operator is not None]) > 1:
        raise Refused("invalid_value", "A stop reaches one table, one game, one operator or all.")
    scope = {"table": table, "book": book if game else "", "game": game, "operator": operator}
    found = Stop.objects.filter(lifted_at__isnull=True, **scope).first()
    if found:
        return found
    stop = Stop(**scope, reason=reason, stopped_by=actor, stopped_at=timezone.now())
    write_fact(stop, actor=actor, reason=reason)
    log(
        Action.BETTING_STOPPED,
        subject=f"stop:{stop.pk}",
        actor=actor,
        reason=reason,
        body={"scope": stop.scope},
    )
    return stop


@transaction.atomic
def lift_stop(*, stop: Stop, actor: Person, reason: str) -> Stop:
    """Let betting begin again. A stop that is lifted already is answered as it is."""
    require(actor, STOP)
    _said(reason)
    stop = Stop.objects.select_for_update(no_key=True, of=("self",)).get(pk=stop.pk)
    if stop.lifted_at is not None:
        return stop
    stop.lifted_at, stop.lifted_by = timezone.now(), actor
    write_fact(stop, actor=actor, reason=reason, fields=["lifted_at", "lifted_by"])
    log(
        Action.BETTING_RESUMED,
        subject=f"stop:{stop.pk}",
        actor=actor,
        reason=reason,
        body={"scope": stop.scope},
    )
    return stop


def _said(reason: str) -> None:
    if not reason.strip():
        raise Refused("invalid_value", "Say why.", "reason")
