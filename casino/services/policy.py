"""Which rulings need a second person, and who that may be."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from casino.access import APPROVE, SET_POLICY, require
from casino.models import ApprovalRule, Person, Role, Ruling
from casino.models.audit import Action
from casino.services.plans import ACTIONS, Plan
from casino.services.record import log, write_fact
from casino.services.shoe_plans import ShoePlan
from games.money import exponent, format_amount
from games.refusals import Refused

RANK = {Role.MANAGER: 1, Role.COMPLIANCE: 2}
"""Who may approve, the higher in place of the lower."""

KINDS = (*ACTIONS, Ruling.Kind.VOID_SHOE)
"""The rulings that pit management takes, and that may need a second person."""


def rules_for(plan: Plan | ShoePlan) -> list[ApprovalRule]:
    """The rules in force that a plan falls under."""
    return [rule for rule in ApprovalRule.objects.filter(is_active=True) if _applies(rule, plan)]


def role_to_approve(plan: Plan | ShoePlan) -> str | None:
    """The role that must approve a plan at least; None where nobody has to."""
    roles = [rule.role for rule in rules_for(plan)]
    return max(roles, key=lambda role: RANK[Role(role)], default=None)


def check_approver(person: Person, *, role: str, proposer: Person) -> None:
    """Refuse unless this person may approve: another than the proposer, of the role or above."""
    require(person, APPROVE)
    if person.pk == proposer.pk:
        raise Refused("not_permitted", "Nobody approves what they proposed themselves.")
    if RANK.get(Role(person.role), 0) < RANK[Role(role)]:
        raise Refused("not_permitted", f"This takes the approval of {Role(role).label.lower()}.")


def check_approval(plan: Plan | ShoePlan, *, actor: Person, approved_by: Person | None) -> None:
    """Refuse with `approval_required` a plan that nobody rules alone, unless it was approved."""
    role = role_to_approve(plan)
    if approved_by is not None:
        check_approver(approved_by, role=role or Role.MANAGER, proposer=actor)
    elif role is not None:
        raise Refused(
            "approval_required",
            f"A second person must approve this: {Role(role).label.lower()}.",
        )


@transaction.atomic
def set_approval_rule(
    *,
    kind: str = "",
    currency: str = "",
    net_change: int | None = None,
    tickets: int | None = None,
    age: int | None = None,
    role: str = Role.MANAGER,
    actor: Person,
    reason: str,
) -> ApprovalRule:
    """Say from where on a ruling needs a second person; a rule that exists is answered as it is."""
    require(actor, SET_POLICY)
    if kind and kind not in KINDS:
        raise Refused("invalid_value", f"{kind} is not a kind of ruling.", "kind")
    if role not in RANK:
        raise Refused("invalid_value", f"{role} approves nothing.", "role")
    if currency:
        exponent(currency)
    if net_change is not None and (not currency or net_change < 0):
        raise Refused("invalid_value", "A net change is an amount of a currency.", "net_change")
    values = {
        "kind": kind,
        "currency": currency,
        "net_change": net_change,
        "tickets": tickets,
        "age": age,
        "role": role,
        "is_active": True,
    }
    found = ApprovalRule.objects.filter(**values).first()
    if found:
        return found
    rule = ApprovalRule(**values)
    write_fact(rule, actor=actor, reason=reason)
    _log(rule, actor, reason)
    return rule


@transaction.atomic
def end_approval_rule(*, rule: ApprovalRule, actor: Person, reason: str) -> None:
    """Let a rule hold no longer."""
    require(actor, SET_POLICY)
    rule = ApprovalRule.objects.select_for_update(no_key=True).get(pk=rule.pk)
    if not rule.is_active:
        return
    rule.is_active = False
    write_fact(rule, actor=actor, reason=reason, fields=["is_active"])
    _log(rule, actor, reason)


def in_words(rule: ApprovalRule) -> str:
    """A rule as a sentence."""
    what = rule.get_kind_display() if rule.kind else "Any ruling"
    when = []
    if rule.net_change is not None:
        when.append(f"{format_amount(rule.net_change, rule.currency)} {rule.currency} or more move")
    if rule.tickets is not None:
        when.append(f"{rule.tickets:,} or more tickets change")
    if rule.age is not None:
        when.append(f"the result is {rule.age} minutes old or older")
    condition = f" where {' and '.join(when)}" if when else ""
    return f"{what}{condition}: approved by {Role(rule.role).label.lower()}"


def _applies(rule: ApprovalRule, plan: Plan | ShoePlan) -> bool:
    if rule.kind not in ("", plan.draft.kind):
        return False
    money = [one for one in plan.money if rule.currency in ("", one.currency)]
    if rule.currency and not money:
        return False
    if rule.net_change is not None:
        up, down = sum(one.up for one in money), -sum(one.down for one in money)
        if max(up, down) < rule.net_change:
            return False
    if rule.tickets is not None and sum(one.tickets for one in money) < rule.tickets:
        return False
    resulted = plan.resulted_at
    return rule.age is None or (
        resulted is not None and timezone.now() - resulted >= timedelta(minutes=rule.age)
    )


def _log(rule: ApprovalRule, actor: Person, reason: str) -> None:
    log(
        Action.APPROVAL_RULE_SET,
        subject=f"approval_rule:{rule.pk}",
        actor=actor,
        reason=reason,
        body={"rule": in_words(rule), "active": rule.is_active},
    )
