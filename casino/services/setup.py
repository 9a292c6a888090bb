"""Setting the house up: pits, tables, operators, people and the machines that use the API.

Each function is harmless when repeated with the same values: the second call answers with what
is there and writes nothing.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from ipaddress import ip_address
from typing import TypeVar
from zoneinfo import available_timezones

from django.db import models, transaction
from django.utils import timezone

from casino.access import SET_UP, require
from casino.models import ApiClient, ApiKey, Operator, Person, Pit, Role, Table
from casino.models.audit import Action
from casino.models.people import Scope
from casino.services.people import check_password_rules, check_role
from casino.services.record import log, write_fact
from games import rulebook
from games.refusals import Refused

T = TypeVar("T", bound=models.Model)

KEY_LIFE = timedelta(days=365)
"""How long a new API key is valid unless said otherwise."""

_time_zones = cache(available_timezones)


@transaction.atomic
def create_pit(*, code: str, time_zone: str, name: str = "", actor: Person, reason: str) -> Pit:
    """Create a pit. Refuses a time zone that does not exist."""
    require(actor, SET_UP)
    if time_zone not in _time_zones():
        raise Refused("invalid_value", f"{time_zone} is not a time zone.", "time_zone")
    found = Pit.objects.filter(code=code).first()
    if found:
        return _same(found, {"time_zone": time_zone}, f"Pit {code}")
    pit = Pit(code=_code(code), name=name or code, time_zone=time_zone)
    write_fact(pit, actor=actor, reason=reason)
    body = {"name": pit.name, "time_zone": time_zone, "day_starts": pit.day_starts}
    log(Action.PIT_CREATED, subject=f"pit:{code}", actor=actor, reason=reason, body=body)
    return pit


@transaction.atomic
def create_table(
    *,
    code: str,
    pit: str,
    book: str,
    game: str,
    name: str = "",
    rides_on: str | None = None,
    actor: Person,
    reason: str,
) -> Table:
    """Create a table in a pit, dealing one game of one book.

    `rides_on` names the table whose cards decide this one's rounds (Super Fan Tan).
    """
    require(actor, SET_UP)
    family = rulebook.book(book).game(game).family
    where = Pit.objects.filter(code=pit).first()
    if where is None:
        raise Refused("not_found", f"There is no pit {pit}.", "pit")
    carrier = _carrier(rides_on, family) if rides_on is not None else None
    values = {"pit_id": where.pk, "book": book, "game": game}
    values |= {"rides_on_id": carrier.pk if carrier else None}
    found = Table.objects.filter(code=code).first()
    if found:
        return _same(found, values, f"Table {code}")
    table = Table(code=_code(code), name=name or code, **values)
    write_fact(table, actor=actor, reason=reason)
    body = {"name": table.name, "pit": pit, "book": book, "game": game, "rides_on": rides_on}
    log(
        Action.TABLE_CREATED,
        subject=f"table:{code}",
        actor=actor,
        reason=reason,
        body=body,
    )
    return table


@transaction.atomic
def create_operator(*, code: str, name: str = "", actor: Person, reason: str) -> Operator:
    """Create an operator."""
    require(actor, SET_UP)
    found = Operator.objects.filter(code=code).first()
    if found:
        return found
    operator = Operator(code=_code(code), name=name or code)
    write_fact(operator, actor=actor, reason=reason)
    body = {"name": operator.name}
    log(
        Action.OPERATOR_CREATED,
        subject=f"operator:{code}",
        actor=actor,
        reason=reason,
        body=body,
    )
    return operator


@transaction.atomic
def create_person(
    *,
    name: str,
    role: str,
    full_name: str = "",
    password: str,
    actor: Person,
    reason: str,
) -> Person:
    """Create a person who signs in with a password. Machines and the system have other doors.

    Refuses a role that is not a person's, and a password that the house's rules do not take.
    """
    require(actor, SET_UP)
    check_role(role)
    found = Person.objects.filter(username=name).first()
    if found:
        return _same(found, {"role": role}, f"Person {name}")
    person = Person(username=_code(name), first_name=full_name, role=role, is_staff=True)
    check_password_rules(password, person)
    person.set_password(password)
    _write_person(person, actor=actor, reason=reason)
    return person


@transaction.atomic
def create_api_client(
    *,
    name: str,
    operator: str | None,
    scopes: Sequence[str],
    addresses: Sequence[str] = (),
    actor: Person,
    reason: str,
) -> tuple[ApiClient, str | None]:
    """Create an API client and its first key; the key is answered once and never again.

    A client that exists already is answered without a key.
    """
    require(actor, SET_UP)
    unknown = sorted(set(scopes) - set(Scope.values))
    if unknown or not scopes:
        raise Refused("invalid_value", f"Not a scope: {', '.join(unknown) or '(none)'}.", "scopes")
    of = None
    if operator is not None:
        of = Operator.objects.filter(code=operator).first()
        if of is None:
            raise Refused("not_found", f"There is no operator {operator}.", "operator")
    if of is None and Scope.TICKETS_WRITE in scopes:
        raise Refused(
            "invalid_value",
            "A client that posts tickets belongs to an operator.",
            "operator",
        )
    if of is not None and {Scope.FLOOR_WRITE, Scope.AUDIT_READ} & set(scopes):
        raise Refused(
            "invalid_value",
            "The floor and the decision log belong to the studio, not to an operator.",
            "scopes",
        )
    bound = [_address(address) for address in addresses]
    found = ApiClient.objects.filter(name=name).first()
    if found:
        same = {"operator_id": of and of.pk, "scopes": sorted(set(scopes)), "addresses": bound}
        return _same(found, same, f"API client {name}"), None
    person = Person(username=f"client:{name}", first_name=name, role=Role.MACHINE)
    person.set_unusable_password()
    _write_person(person, actor=actor, reason=reason)
    client = ApiClient(
        name=_code(name),
        person=person,
        operator=of,
        scopes=sorted(set(scopes)),
        addresses=bound,
    )
    write_fact(client, actor=actor, reason=reason)
    body = {
        "operator": operator,
        "scopes": client.scopes,
        "addresses": client.addresses,
    }
    log(
        Action.CLIENT_CREATED,
        subject=f"client:{name}",
        actor=actor,
        reason=reason,
        body=body,
    )
    return client, add_api_key(client=client, actor=actor, reason=reason)


@transaction.atomic
def add_api_key(
    *, client: ApiClient, expires_at: datetime | None = None, actor: Person, reason: str
) -> str:
    """Give a client one more key and answer it; the older ones stay valid until revoked."""
    require(actor, SET_UP)
    key = f"pb_{secrets.token_urlsafe(32)}"
    row = ApiKey(
        client=client,
        hint=key[:8],
        digest=key_digest(key),
        expires_at=expires_at or timezone.now() + KEY_LIFE,
    )
    write_fact(row, actor=actor, reason=reason)
    body = {"hint": row.hint, "expires_at": row.expires_at}
    log(
        Action.KEY_CREATED,
        subject=f"client:{client.name}",
        actor=actor,
        reason=reason,
        body=body,
    )
    return key


@transaction.atomic
def revoke_api_key(*, key: ApiKey, actor: Person, reason: str) -> None:
    """End a key at once. A key that is revoked already stays as it is."""
    require(actor, SET_UP)
    row = ApiKey.objects.select_for_update(no_key=True).get(pk=key.pk)
    if row.revoked_at is not None:
        return
    row.revoked_at = timezone.now()
    write_fact(row, actor=actor, reason=reason, fields=["revoked_at"])
    log(
        Action.KEY_REVOKED,
        subject=f"client:{row.client.name}",
        actor=actor,
        reason=reason,
        body={"hint": row.hint},
    )


@transaction.atomic
def switch_api_client(*, client: ApiClient, active: bool, actor: Person, reason: str) -> ApiClient:
    """Keep a client out with all its keys, or let it in again; its keys stay as they are."""
    require(actor, SET_UP)
    row = ApiClient.objects.select_for_update(no_key=True, of=("self",)).get(pk=client.pk)
    if row.is_active == active:
        return row
    row.is_active = active
    write_fact(row, actor=actor, reason=reason, fields=["is_active"])
    log(
        Action.CLIENT_CHANGED,
        subject=f"client:{row.name}",
        actor=actor,
        reason=reason,
        body={"active": active},
    )
    return row


def key_digest(key: str) -> str:
    """What is kept of a key. It is random over 256 bits, so a plain digest is enough."""
    return hashlib.sha256(key.encode()).hexdigest()


def _write_person(person: Person, *, actor: Person, reason: str) -> None:
    write_fact(person, actor=actor, reason=reason)
    subject = f"person:{person.username}"
    body = {"role": person.role, "name": person.first_name}
    log(Action.PERSON_CREATED, subject=subject, actor=actor, reason=reason, body=body)


def _carrier(code: str, family: str) -> Table:
    """The table to ride on: Super Fan Tan rides on a 3 Pictures table (001, Super Fan Tan)."""
    carrier = Table.objects.filter(code=code).first()
    if carrier is None:
        raise Refused("not_found", f"There is no table {code}.", "rides_on")
    carried = rulebook.book(carrier.book).game(carrier.game).family
    if (family, carried) != ("fan_tan", "pictures"):
        raise Refused(
            "invalid_value", "Only Super Fan Tan rides, and on a 3 Pictures table.", "rides_on"
        )
    return carrier


def _address(text: str) -> str:
    try:
        return str(ip_address(text))
    except ValueError:
        raise Refused("invalid_value", f"{text} is not an address.", "addresses") from None


def _same(found: T, values: Mapping[str, object], what: str) -> T:
    differing = [field for field, value in values.items() if getattr(found, field) != value]
    if differing:
        raise Refused(
            "conflict",
            f"{what} exists already with another {differing[0].removesuffix('_id')}.",
        )
    return found


def _code(text: str) -> str:
    if not text or len(text) > 32 or not all(c.isalnum() or c in "-_" for c in text):
        raise Refused(
            "invalid_value",
            "A code has 1 to 32 letters, digits, hyphens or underscores.",
            "code",
        )
    return text
