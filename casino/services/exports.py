"""Taking data out of the house: what left it, and with whom, is in the decision log."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from casino.access import VIEW_FLOOR, require
from casino.models import Person
from casino.models.audit import Action
from casino.services.record import log


@transaction.atomic
def note_export(*, name: str, narrowed: Mapping[str, str], actor: Person, reason: str) -> None:
    """Note that a person takes a list out as a file, and what it was narrowed to.

    Noted before the first row is sent: a file that breaks off has left the house all the same.
    """
    require(actor, VIEW_FLOOR)
    log(
        Action.LIST_EXPORTED,
        subject=f"list:{name}",
        actor=actor,
        reason=reason,
        body={"narrowed": dict(narrowed)},
    )
