"""Which rulings need a second person: the rules in force, their history, setting and ending one."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse

from casino.access import SET_POLICY, VIEW_SETUP, may
from casino.admin.service import ServiceForm, filled, service_page
from casino.models import ApprovalRule
from casino.pages.amounts import plain
from casino.pages.listing import house_zone
from casino.pages.registry import page, show
from casino.services.policy import (
    KINDS,
    RANK,
    end_approval_rule,
    in_words,
    set_approval_rule,
)
from games.money import exponent, parse_amount
from games.refusals import Refused

VERSIONS = 50
"""Changes of the policy that the page lists; the decision log has all."""


class RuleForm(ServiceForm):
    """From where on a ruling needs a second person; every threshold that is given must be met."""

    kind = forms.ChoiceField(
        label="Ruling",
        required=False,
        choices=[("", "Any ruling"), *((kind.value, kind.label) for kind in KINDS)],
    )
    role = forms.ChoiceField(
        label="Approved by",
        choices=[(role.value, role.label) for role in RANK],
        help_text="Compliance approves in place of a pit manager, not the other way round.",
    )
    currency = forms.CharField(
        label="Currency",
        required=False,
        max_length=3,
        help_text="Three letters; left empty, the rule looks at every currency.",
    )
    amount = forms.CharField(
        label="Where this much or more moves",
        required=False,
        max_length=20,
        help_text="In the currency: the larger of what players gain and what is taken back.",
    )
    tickets = forms.IntegerField(
        label="Where this many tickets or more change", required=False, min_value=1
    )
    age = forms.IntegerField(
        label="Where the result is this many minutes old or older", required=False, min_value=0
    )


@page("policy/", name="policy", permission=VIEW_SETUP)
def policy(request: HttpRequest) -> HttpResponse:
    """The rules in words, and how they came to be."""
    rules = ApprovalRule.objects.filter(is_active=True)
    changes = ApprovalRule.history.select_related("history_user").order_by("-history_id")
    context = {
        "title": "Approval policy",
        "rules": [{"rule": rule, "words": in_words(rule)} for rule in rules],
        "changes": [
            {
                "at": change.history_date,
                "what": f"{'Set' if change.is_active else 'Ended'}: {in_words(change.instance)}",
                "who": change.history_user,
                "why": change.history_change_reason,
                "tone": "go" if change.is_active else "",
            }
            for change in changes[:VERSIONS]
        ],
        "may_set": may(request.user, SET_POLICY),  # type: ignore[arg-type]
        "zone": house_zone(),
    }
    return show(request, "pitbook/policy.html", context)


@page("policy/set/", name="policy_set", permission=SET_POLICY, methods=("GET", "POST"))
def set_rule(request: HttpRequest) -> HttpResponse:
    """Set a rule."""

    def carry_out(typed: dict[str, Any]) -> str:
        currency = typed["currency"].strip().upper()
        rule = set_approval_rule(
            kind=typed["kind"],
            currency=currency,
            net_change=_minor(typed["amount"].strip(), currency),
            tickets=typed["tickets"],
            age=typed["age"],
            role=typed["role"],
            actor=request.user,  # type: ignore[arg-type]
            reason=typed["reason"],
        )
        return f"In force: {in_words(rule)}."

    return service_page(
        request,
        RuleForm(filled(request)),
        carry_out,
        title="A rule of the approval policy",
        button="Set the rule",
        back="admin:policy",
        intro="A ruling that falls under any rule waits for another person than its proposer.",
    )


@page("policy/<int:pk>/end/", name="policy_end", permission=SET_POLICY, methods=("GET", "POST"))
def end_rule(request: HttpRequest, pk: int) -> HttpResponse:
    """Let a rule hold no longer."""
    rule = ApprovalRule.objects.filter(pk=pk).first()
    if rule is None:
        raise Refused("not_found", f"There is no rule {pk}.")
    if not rule.is_active:
        raise Refused("conflict", "This rule has ended already.")

    def carry_out(typed: dict[str, Any]) -> str:
        end_approval_rule(rule=rule, actor=request.user, reason=typed["reason"])  # type: ignore[arg-type]
        return f"No longer in force: {in_words(rule)}."

    return service_page(
        request,
        ServiceForm(filled(request)),
        carry_out,
        title="End a rule of the approval policy",
        button="End the rule",
        back="admin:policy",
        intro=f"{in_words(rule)}. What it made wait goes on waiting.",
        danger=True,
    )


def _minor(amount: str, currency: str) -> int | None:
    """An amount in minor units of the currency; None where none was given."""
    if not amount:
        return None
    if not currency:
        raise Refused("invalid_value", "Name the currency of the amount.", "currency")
    try:
        exponent(currency)
        return parse_amount(plain(amount), currency)
    except Refused as refusal:
        field = "amount" if refusal.code == "invalid_stake" else "currency"
        raise Refused(refusal.code, str(refusal), field) from None
