"""The approval policy in the browser: in words, set and ended with a reason, with its history."""

from __future__ import annotations

from typing import Any

import pytest

from casino.models import ApprovalRule
from tests.house import House
from tests.web.browsing import Visitor, text
from tests.web.counting import nothing_written

RULE = {
    "kind": "void_hand", "role": "compliance", "currency": "usd", "amount": "5,000.00",
    "tickets": "", "age": "", "reason": "Audit finding 7.",
}  # fmt: skip
WORDS = "Void hand where 5000.00 USD or more move: approved by compliance"


def put(house: House, **changed: Any) -> Any:
    return Visitor(house.compliance).post("policy_set", script=False, **RULE | changed)


def test_a_rule_is_set_and_told_in_words_to_who_sees_the_setup(house: House) -> None:
    assert put(house).status_code == 302
    rule = ApprovalRule.objects.get()
    assert (rule.net_change, rule.currency, rule.tickets, rule.age) == (500_000, "USD", None, None)
    said = text(Visitor(house.manager).get("policy"))
    assert WORDS in said
    assert f"Set: {WORDS} compliance" in said and "Audit finding 7." in said
    assert "Set a rule" not in said and "Set a rule" in text(
        Visitor(house.compliance).get("policy")
    )


def test_a_rule_ends_with_a_reason_and_stays_in_the_history(house: House) -> None:
    rule = house.policy()
    visitor = Visitor(house.compliance)
    with nothing_written():
        assert visitor.post("policy_end", rule.pk, script=False, reason="").status_code == 422
    assert (
        visitor.post("policy_end", rule.pk, script=False, reason="Trial over.").status_code == 302
    )
    said = text(visitor.get("policy"))
    assert "No rule is in force" in said
    assert "Ended: Any ruling: approved by pit manager compliance" in said and "Trial over." in said
    assert visitor.post("policy_end", rule.pk, script=False, reason="Again.").status_code == 409
    assert visitor.get("policy_end", rule.pk + 1).status_code == 404


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"currency": ""}, "currency"),
        ({"currency": "XXZ"}, "currency"),
        ({"amount": "5e3"}, "amount"),
        ({"amount": "5,00"}, "amount"),
        ({"amount": "1.001"}, "amount"),
        ({"tickets": "0"}, "tickets"),
        ({"role": "pit_supervisor"}, "role"),
        ({"reason": ""}, "reason"),
    ],
)
def test_what_cannot_be_a_rule_is_said_beside_its_field(
    house: House, changed: dict[str, str], field: str
) -> None:
    with nothing_written():
        answer = put(house, **changed)
    assert answer.status_code == 422
    assert list(answer.context_data["form"].errors) == [field]


@pytest.mark.parametrize("person", ["supervisor", "manager", "administrator"])
def test_only_compliance_sets_the_policy_also_when_it_is_sent_directly(
    house: House, person: str
) -> None:
    rule = house.policy()
    visitor = Visitor(getattr(house, person))
    with nothing_written():
        assert visitor.post("policy_set", **RULE).status_code == 403
        assert visitor.post("policy_end", rule.pk, reason="No.").status_code == 403
