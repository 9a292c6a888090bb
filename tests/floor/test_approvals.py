"""Two people: never the proposer, never below the role, bound to exactly what was previewed."""

from __future__ import annotations

from typing import Any

import pytest

from casino.models import Person, Proposal, Round, Ruling
from casino.services.approvals import approve, propose, reject, withdraw
from casino.services.plans import Draft, plan_ruling
from casino.services.policy import end_approval_rule, set_approval_rule
from casino.services.rulings import rule
from casino.services.setup import create_person
from games.refusals import Refused
from tests.dealing import dealt
from tests.house import BANKER_WINS, PASSWORD, PLAYER_WINS, REASON, House

VOID = Draft("void_hand", "exposed_card", "Seen on video.", "cam 3")


@pytest.fixture
def other(house: House) -> Person:
    """A second pit manager: the same role, another person."""
    by = {"actor": house.system, "reason": REASON}
    return create_person(name="manager-2", role="pit_manager", password=PASSWORD, **by)


@dealt
def round(house: House) -> Round:
    """A settled hand on which a void takes 100.00 USD back."""
    round = house.hand()
    house.ticket(round, ("banker", "100"))
    house.result(round, BANKER_WINS)
    house.settle()
    round.refresh_from_db()
    return round


def policy(house: House, **values: Any) -> Any:
    return set_approval_rule(actor=house.compliance, reason=REASON, **values)


def put(house: House, round: Round, draft: Draft = VOID) -> Ruling | Proposal:
    seen = plan_ruling(round=round, draft=draft, actor=house.manager).seen
    return propose(round=round, draft=draft, seen=seen, actor=house.manager, reason=draft.note)


def waiting(house: House, round: Round, draft: Draft = VOID) -> Proposal:
    answer = put(house, round, draft)
    assert isinstance(answer, Proposal)
    return answer


def refusal(do: Any, **values: Any) -> Refused:
    rulings = Ruling.objects.count()
    with pytest.raises(Refused) as caught:
        do(**values)
    assert Ruling.objects.count() == rulings
    return caught.value


def test_without_a_rule_one_person_is_enough(house: House, round: Round) -> None:
    assert isinstance(put(house, round), Ruling)


@pytest.mark.parametrize(
    ("values", "needed"),
    [
        ({}, True),
        ({"kind": "void_hand"}, True),
        ({"kind": "edit"}, False),
        ({"currency": "USD", "net_change": 10000}, True),
        ({"currency": "USD", "net_change": 10001}, False),
        ({"currency": "EUR", "net_change": 1}, False),
        ({"tickets": 1}, True),
        ({"tickets": 2}, False),
        ({"age": 0}, True),
        ({"age": 60}, False),
        ({"kind": "void_hand", "tickets": 2}, False),
    ],
)
def test_the_policy_says_when_a_second_person_is_needed(
    house: House, round: Round, values: dict[str, Any], needed: bool
) -> None:
    policy(house, **values)
    assert isinstance(put(house, round), Proposal) is needed


def test_a_proposal_changes_nothing_until_it_is_approved(
    house: House, round: Round, other: Person
) -> None:
    policy(house)
    proposal = waiting(house, round)
    round.refresh_from_db()
    assert round.phase == "resulted"
    ruling = approve(proposal=proposal, actor=other, reason="Seen it too.")
    house.settle()
    round.refresh_from_db()
    assert (round.phase, ruling.ruled_by, ruling.approved_by) == ("void", house.manager, other)


def test_nobody_approves_what_they_proposed(house: House, round: Round) -> None:
    policy(house)
    proposal = waiting(house, round)
    refused = refusal(approve, proposal=proposal, actor=house.manager, reason="-")
    assert refused.code == "not_permitted" and "themselves" in str(refused)


def test_nobody_below_the_role_approves(house: House, round: Round, other: Person) -> None:
    policy(house, role="compliance")
    proposal = waiting(house, round)
    for person in (other, house.supervisor, house.administrator, house.studio.person):
        assert refusal(approve, proposal=proposal, actor=person, reason="-").code == (
            "not_permitted"
        )
    approve(proposal=proposal, actor=house.compliance, reason="Agreed.")


def test_who_approves_is_said_when_it_is_proposed(
    house: House, round: Round, other: Person
) -> None:
    strict = policy(house, role="compliance")
    proposal = waiting(house, round)
    end_approval_rule(rule=strict, actor=house.compliance, reason="No longer.")
    assert refusal(approve, proposal=proposal, actor=other, reason="-").code == "not_permitted"
    approve(proposal=proposal, actor=house.compliance, reason="Agreed.")


def test_the_strictest_rule_says_who_approves(house: House, round: Round, other: Person) -> None:
    policy(house)
    policy(house, tickets=1, role="compliance")
    proposal = waiting(house, round)
    assert proposal.role == "compliance"


def test_the_wall_stands_before_the_one_door_too(house: House, round: Round, other: Person) -> None:
    """Page, API, command and shell end in `rule`; it lets nobody through alone."""
    policy(house)
    seen = plan_ruling(round=round, draft=VOID, actor=house.manager).seen
    ruling = {"round": round, "draft": VOID, "seen": seen, "reason": "-"}
    assert refusal(rule, actor=house.manager, **ruling).code == "approval_required"
    assert refusal(rule, actor=house.system, **ruling).code == "approval_required"
    with_oneself = refusal(rule, actor=house.manager, approved_by=house.manager, **ruling)
    assert with_oneself.code == "not_permitted"
    rule(actor=house.manager, approved_by=other, **ruling)


def test_an_approval_counts_only_for_the_plan_that_was_proposed(
    house: House, round: Round, other: Person
) -> None:
    policy(house, kind="void_hand")
    proposal = waiting(house, round)
    house.edit(round, PLAYER_WINS)
    refused = refusal(approve, proposal=proposal, actor=other, reason="-")
    assert refused.code == "conflict" and "Edit result" in str(refused)


def test_tickets_that_came_since_undo_a_proposal(house: House, other: Person) -> None:
    policy(house)
    round = house.hand()
    house.ticket(round, ("banker", "10"))
    proposal = waiting(house, round)
    house.ticket(round, ("banker", "10"), player="p-2")
    refused = refusal(approve, proposal=proposal, actor=other, reason="-")
    assert "now 2 change" in str(refused)


def test_a_proposal_is_decided_once(house: House, round: Round, other: Person) -> None:
    policy(house)
    proposal = waiting(house, round)
    reject(proposal=proposal, actor=other, reason="The video shows the other card.")
    assert "rejected this already" in str(
        refusal(approve, proposal=proposal, actor=house.compliance, reason="-")
    )
    again = waiting(house, round)
    assert "waits for approval already" in str(refusal(put, house=house, round=round))
    withdraw(proposal=again, actor=house.manager, reason="My mistake.")
    assert refusal(approve, proposal=again, actor=other, reason="-").code == "conflict"


def test_only_the_proposer_withdraws_and_a_rejection_says_why(
    house: House, round: Round, other: Person
) -> None:
    policy(house)
    proposal = waiting(house, round)
    assert refusal(withdraw, proposal=proposal, actor=other, reason="-").code == "not_permitted"
    assert refusal(reject, proposal=proposal, actor=other, reason=" ").field == "reason"


def test_a_proposer_who_may_no_longer_rule_takes_the_proposal_along(
    house: House, round: Round, other: Person
) -> None:
    policy(house)
    proposal = waiting(house, round)
    Person.objects.filter(pk=house.manager.pk).update(is_active=False)
    assert refusal(approve, proposal=proposal, actor=other, reason="-").code == "not_permitted"


def test_a_rule_that_ended_holds_no_longer(house: House, round: Round) -> None:
    ended = policy(house)
    end_approval_rule(rule=ended, actor=house.compliance, reason="Trial over.")
    assert isinstance(put(house, round), Ruling)


@pytest.mark.parametrize(
    "values",
    [
        {"kind": "coffee"},
        {"role": "pit_supervisor"},
        {"net_change": 5},
        {"currency": "XXZ"},
        {"currency": "USD", "net_change": -1},
    ],
)
def test_a_rule_that_cannot_be_is_refused(house: House, values: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        policy(house, **values)


def test_only_compliance_sets_the_policy(house: House) -> None:
    for person in (house.supervisor, house.manager, house.administrator):
        with pytest.raises(Refused) as caught:
            set_approval_rule(actor=person, reason=REASON)
        assert caught.value.code == "not_permitted"
