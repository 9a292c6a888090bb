"""Writing a fact or a decision: with the actor, the reason and a line in the log."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from django.db import models

from casino.models import AuditEvent, Person
from casino.models.audit import Action


def canonical(value: Any) -> str:
    """The one JSON text of a value: sorted keys, no blanks, non-ASCII as it is."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)


def write_fact(
    fact: models.Model,
    *,
    actor: Person,
    reason: str,
    fields: Iterable[str] | None = None,
) -> None:
    """Save a fact with its history row. `fields` names what changed; none means a new fact."""
    fact._history_user = actor  # type: ignore[attr-defined]
    fact._change_reason = reason  # type: ignore[attr-defined]
    if fields is None:
        fact.save(force_insert=True)
    else:
        fact.save(update_fields=list(fields))


def log(
    action: str,
    *,
    subject: str,
    actor: Person,
    reason: str,
    body: dict[str, Any] | None = None,
) -> AuditEvent:
    """Write a line of the decision log in the running transaction.

    `subject` is kind:key. Raises ValueError for an action outside the vocabulary.
    """
    return AuditEvent.objects.create(
        actor=actor,
        actor_name=str(actor),
        action=Action(action),
        subject=subject,
        reason=reason,
        body=canonical(body or {}),
    )
