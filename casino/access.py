"""Roles and permissions, in one table; code is the only place that grants anything."""

from __future__ import annotations

from typing import Any, Final

from django.contrib.auth.backends import ModelBackend
from django.utils import timezone

from casino.models.people import Person, Role
from games.refusals import Refused

VIEW_FLOOR: Final = "casino.view_floor"
VIEW_MONEY: Final = "casino.view_money"
VIEW_LOG: Final = "casino.view_log"
VIEW_SETUP: Final = "casino.view_setup"
VIEW_SIGN_INS: Final = "casino.view_sign_ins"
RAISE_INCIDENT: Final = "casino.raise_incident"
HOLD_ROUND: Final = "casino.hold_round"
RULE: Final = "casino.rule"
APPROVE: Final = "casino.approve"
SET_POLICY: Final = "casino.set_policy"
DEAL: Final = "casino.deal"
SET_LIMITS: Final = "casino.set_limits"
STOP: Final = "casino.stop"
SET_UP: Final = "casino.set_up"

PERMISSIONS: Final[dict[str, str]] = {
    VIEW_FLOOR: "See the floor, tables and rounds",
    VIEW_MONEY: "See tickets, settlements and postings",
    VIEW_LOG: "Read the decision log and the history of facts",
    VIEW_SETUP: "See pits, tables, limits, people and API clients",
    VIEW_SIGN_INS: "See who signed in, from where, and who was refused",
    RAISE_INCIDENT: "Raise an incident",
    HOLD_ROUND: "Put a round on hold, correct the commencement of a shoe",
    RULE: "Void a hand, a shoe or a ticket, edit a result, reinstate what was void",
    APPROVE: "Approve or reject what another person proposed",
    SET_POLICY: "Say which rulings need a second person",
    DEAL: "Open shoes and rounds and record results",
    SET_LIMITS: "Set limits",
    STOP: "Stop betting, and let it begin again",
    SET_UP: "Create pits, tables, people, operators and API clients",
}

ROLES: Final[dict[str, frozenset[str]]] = {
    Role.SUPERVISOR: frozenset({VIEW_FLOOR, VIEW_MONEY, RAISE_INCIDENT, HOLD_ROUND}),
    Role.MANAGER: frozenset(
        {
            VIEW_FLOOR,
            VIEW_MONEY,
            VIEW_SETUP,
            RAISE_INCIDENT,
            HOLD_ROUND,
            RULE,
            APPROVE,
            SET_LIMITS,
            STOP,
        }
    ),
    Role.COMPLIANCE: frozenset(
        {
            VIEW_FLOOR,
            VIEW_MONEY,
            VIEW_LOG,
            VIEW_SETUP,
            VIEW_SIGN_INS,
            RAISE_INCIDENT,
            APPROVE,
            SET_POLICY,
        }
    ),
    Role.ADMINISTRATOR: frozenset(
        {VIEW_FLOOR, VIEW_SETUP, VIEW_SIGN_INS, SET_LIMITS, STOP, SET_UP}
    ),
    Role.MACHINE: frozenset({DEAL, RAISE_INCIDENT}),
    Role.SYSTEM: frozenset(PERMISSIONS),
}


def may(person: Person, permission: str) -> bool:
    """Whether the person's role grants the permission; an inactive person may do nothing."""
    return bool(person.is_active) and permission in ROLES.get(person.role, frozenset())


def require(person: Person, permission: str) -> None:
    """Refuse with `not_permitted` unless the person's role grants the permission."""
    if not may(person, permission):
        what = PERMISSIONS[permission]
        who = Role(person.role).label if person.role else "A person without a role"
        raise Refused("not_permitted", f"{who} may not do this: {what[0].lower()}{what[1:]}.")


def note_sign_in(sender: Any, user: Person, **_: Any) -> None:
    """Keep when a person signed in last; that is no version of the person."""
    Person.objects.filter(pk=user.pk).update(last_login=timezone.now())


class RoleBackend(ModelBackend):
    """Sign-in by password; permissions from the role. Groups and superusers grant nothing."""

    def has_perm(self, user_obj: Any, perm: str, obj: Any = None) -> bool:
        return isinstance(user_obj, Person) and may(user_obj, perm)

    def has_module_perms(self, user_obj: Any, app_label: str) -> bool:
        return bool(self.get_all_permissions(user_obj))

    def get_all_permissions(self, user_obj: Any, obj: Any = None) -> set[str]:
        if not isinstance(user_obj, Person) or not user_obj.is_active:
            return set()
        return set(ROLES.get(user_obj.role, frozenset()))
