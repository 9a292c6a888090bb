"""The rows that the house cannot stand without; laid after every migration."""

from __future__ import annotations

from typing import Any

from django.db import connections, transaction

from casino.models import AuditHead, Person, Role
from casino.models.audit import Action
from casino.services.record import log, write_fact

CHAIN_START = bytes(32)
"""What the first link of a chain takes as the digest before it."""


_NO_SWITCH = """
    CREATE OR REPLACE FUNCTION _pgtrigger_should_ignore(trigger_name NAME) RETURNS BOOLEAN
    LANGUAGE sql IMMUTABLE AS 'SELECT false'
"""
"""pgtrigger gives its triggers a switch, a session variable that anybody may set; walls have none.

Every installation of triggers writes the function anew, and every migration ends here.
"""


def lay_foundation(using: str = "default", **_: Any) -> None:
    """Close the walls' switch; create the log's head and the system's row where missing."""
    with transaction.atomic(using=using):
        with connections[using].cursor() as cursor:
            cursor.execute(_NO_SWITCH)
        AuditHead.objects.get_or_create(id=1, defaults={"digest": CHAIN_START})
        if Person.objects.filter(role=Role.SYSTEM).exists():
            return
        system = Person(username="system", first_name="The system", role=Role.SYSTEM)
        system.set_unusable_password()
        reason = "The house itself acts under this name."
        write_fact(system, actor=system, reason=reason)
        log(
            Action.PERSON_CREATED,
            subject="person:system",
            actor=system,
            reason=reason,
            body={"role": system.role},
        )
