"""Changing what a person may do, whether they may come in, and the password they come in with."""

from __future__ import annotations

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction

from casino.access import SET_UP, require
from casino.models import Person, Role
from casino.models.audit import Action
from casino.services.record import log, write_fact
from games.refusals import Refused

PEOPLES_ROLES = [role.value for role in Role if role not in (Role.MACHINE, Role.SYSTEM)]


@transaction.atomic
def change_role(*, person: Person, role: str, actor: Person, reason: str) -> Person:
    """Give a person another role. Refuses one's own, and machines and the system altogether."""
    require(actor, SET_UP)
    person = _another(person, actor)
    check_role(role)
    if person.role == role:
        return person
    before, person.role = person.role, role
    write_fact(person, actor=actor, reason=reason, fields=["role"])
    _log(person, actor, reason, before={"role": before}, after={"role": role})
    return person


def check_role(role: str) -> None:
    """Refuse what is not a role of a person; machines and the system have other doors."""
    if role not in PEOPLES_ROLES:
        roles = ", ".join(PEOPLES_ROLES)
        raise Refused("invalid_value", f"{role!r} is not a role of a person: {roles}.", "role")


def deactivate(*, person: Person, actor: Person, reason: str) -> Person:
    """Shut a person out at once: no sign-in, and open sessions end. Refuses oneself."""
    return _set_active(person, False, actor=actor, reason=reason)


def reactivate(*, person: Person, actor: Person, reason: str) -> Person:
    """Let a person who was shut out come in again."""
    return _set_active(person, True, actor=actor, reason=reason)


@transaction.atomic
def set_password(*, person: Person, password: str, actor: Person, reason: str) -> Person:
    """Set a person's password: one's own, or anybody's by who may set the house up.

    Ends every session of the person. Refuses a password that the house's rules do not take.
    """
    if person.pk != actor.pk:
        require(actor, SET_UP)
    person = _locked(person)
    check_password_rules(password, person)
    person.set_password(password)
    write_fact(person, actor=actor, reason=reason, fields=["password"])
    _log(person, actor, reason, password="set")  # noqa: S106
    return person


def check_password_rules(password: str, person: Person) -> None:
    """Refuse a password that is too short, too common or too like the person's name."""
    try:
        validate_password(password, person)
    except ValidationError as error:
        raise Refused("invalid_value", " ".join(error.messages), "password") from None


@transaction.atomic
def _set_active(person: Person, active: bool, *, actor: Person, reason: str) -> Person:
    require(actor, SET_UP)
    person = _another(person, actor)
    if person.is_active == active:
        return person
    person.is_active = active
    write_fact(person, actor=actor, reason=reason, fields=["is_active"])
    _log(person, actor, reason, before={"active": not active}, after={"active": active})
    return person


def _another(person: Person, actor: Person) -> Person:
    if person.pk == actor.pk:
        raise Refused("not_permitted", "Nobody changes their own role or access; ask a colleague.")
    return _locked(person)


def _locked(person: Person) -> Person:
    """The person as they are now, locked until the transaction ends."""
    row = Person.objects.select_for_update(no_key=True).get(pk=person.pk)
    if row.role in (Role.MACHINE, Role.SYSTEM):
        raise Refused("conflict", f"{row} is no person; a machine is changed with its API client.")
    return row


def _log(person: Person, actor: Person, reason: str, **body: object) -> None:
    subject = f"person:{person.username}"
    log(Action.PERSON_CHANGED, subject=subject, actor=actor, reason=reason, body=body)
