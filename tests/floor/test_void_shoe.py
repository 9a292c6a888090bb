"""Void shoe: one ruling, the running hand, the settled hands that management names (C-47)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from casino.models import AuditEvent, Incident, Person, Proposal, Round, Ruling, Shoe
from casino.services import shoes
from casino.services.approvals import approve, propose_void_shoe, reject
from casino.services.plans import Draft
from casino.services.rulings import void_shoe
from casino.services.setup import create_person
from casino.services.shoe_plans import ShoePlan, plan_void_shoe
from games.refusals import Refused
from tests.dealing import dealt
from tests.house import BANKER_WINS, PASSWORD, PLAYER_WINS, REASON, WRONG_THIRD_CARD, House
from tickets.models import Ticket


@dealt
def hands(house: House) -> list[Round]:
    """Three settled hands of a shoe and a fourth with betting open, 100.00 on Player in each."""
    played = []
    for number in range(1, 5):
        round = house.hand()
        house.ticket(round, ("player", "100"), player=f"p-{number}")
        if number < 4:
            house.result(round, PLAYER_WINS)
            house.settle()
        played.append(round)
    return played


@pytest.fixture
def shoe(hands: list[Round]) -> Shoe:
    shoe = hands[0].shoe
    assert shoe is not None
    return shoe


@pytest.fixture
def other(house: House) -> Person:
    by = {"actor": house.system, "reason": REASON}
    return create_person(name="manager-2", role="pit_manager", password=PASSWORD, **by)


def plan(house: House, shoe: Shoe, draft: Draft) -> ShoePlan:
    return plan_void_shoe(shoe=shoe, draft=draft, actor=house.manager)


def paid(house: House, hands: list[Round]) -> list[int]:
    house.settle()
    return [house.paid(Ticket.objects.get(round=round)) for round in hands]


def phases(hands: list[Round]) -> list[str]:
    return [Round.objects.get(pk=round.pk).phase for round in hands]


def test_settled_hands_stand_and_the_running_hand_is_void_with_its_shoe(
    house: House, shoe: Shoe, hands: list[Round]
) -> None:
    ruling = house.void_shoe(shoe)
    assert phases(hands) == ["resulted", "resulted", "resulted", "void"]
    assert paid(house, hands) == [20_000, 20_000, 20_000, 10_000]
    assert (ruling.shoe, ruling.round, ruling.plan["standing"]) == (shoe, None, 3)


def test_named_hands_are_void_too_under_the_one_ruling(
    house: House, shoe: Shoe, hands: list[Round]
) -> None:
    ruling = house.void_shoe(shoe, hands[0], hands[2])
    assert phases(hands) == ["void", "resulted", "void", "void"]
    assert paid(house, hands) == [10_000, 20_000, 10_000, 10_000]
    left = ruling.outcomes.order_by("round_id")
    assert [row.round for row in left] == [hands[0], hands[2], hands[3]]
    assert {row.void_ground for row in left} == {"commencement_error"}


def test_the_plan_tells_each_hand_and_the_money_that_moves(
    house: House, shoe: Shoe, hands: list[Round]
) -> None:
    shown = plan(house, shoe, house.shoe_draft(hands[1])).shown
    assert (shown["before"], shown["after"]) == ("Open", "Void: commencement error")
    assert (shown["tickets"], shown["unsettled"], shown["standing"]) == (2, 1, 2)
    assert [
        (
            hand["number"], hand["before"], hand["running"], hand["settled"],
            hand["money"][0]["up"], hand["money"][0]["down"],
        )
        for hand in shown["hands"]
    ] == [
        (2, "Player 9 beats Banker 7", False, True, 0, -10_000),
        (4, "No result", True, False, 10_000, 0),
    ]  # fmt: skip
    assert [(row["up"], row["down"]) for row in shown["money"]] == [(10_000, -10_000)]


def test_after_it_the_shoe_takes_no_hand_and_the_next_one_opens(
    house: House, shoe: Shoe, hands: list[Round]
) -> None:
    by = {"actor": house.studio.person, "reason": REASON}
    house.void_shoe(shoe)
    shoe.refresh_from_db()
    assert shoe.phase == "void" and shoe.closed_at is not None
    assert [row.phase for row in shoe.history.order_by("history_id")] == ["open", "void"]
    with pytest.raises(Refused, match="has no open shoe"):
        house.round(shoe.table, 5)
    with pytest.raises(Refused, match="last hand behind it"):
        shoes.draw_blue_card(shoe=shoe, at="burn", **by)
    assert shoes.close_shoe(shoe=shoe, **by).phase == "void"
    house.shoe(shoe.table, 2)
    with pytest.raises(Refused, match="Shoe 1 is already void"):
        house.void_shoe(shoe)


def test_it_is_on_the_log_of_the_shoe_and_of_every_hand(
    house: House, shoe: Shoe, hands: list[Round]
) -> None:
    house.void_shoe(shoe, hands[0])
    assert AuditEvent.objects.filter(action="shoe_voided", subject="shoe:bac-01-1").count() == 1
    voided = AuditEvent.objects.filter(action="hand_voided").order_by("subject")
    assert [event.subject for event in voided] == ["round:bac-01-1-1", "round:bac-01-1-4"]


@pytest.mark.first_hand
def test_a_hand_on_hold_is_void_with_its_shoe_and_its_incident_answered(house: House) -> None:
    round = house.hand()
    house.result(round, WRONG_THIRD_CARD)
    assert round.shoe is not None
    ruling = house.void_shoe(round.shoe, ground="wrong_card")
    round.refresh_from_db()
    assert (round.phase, round.on_hold) == ("void", False)
    assert Incident.objects.get().closing.ruling == ruling


def test_it_answers_what_is_open_on_the_shoe_and_leaves_what_is_open_elsewhere(
    house: House,
) -> None:
    shoe = shoes.open_shoe(
        table=house.table(), number=1, first_card="KH", burned=9,
        actor=house.studio.person, reason=REASON,
    )  # fmt: skip
    first = house.round(shoe.table)
    house.result(first, PLAYER_WINS | {"unnecessary": ["2H"]})
    house.void_shoe(shoe)
    assert [one.kind for one in Incident.objects.filter(closing__isnull=True)] == [
        "unnecessary_card"
    ]


@pytest.mark.first_hand
def test_a_closed_shoe_can_still_be_voided_with_hands_that_are_named(house: House) -> None:
    ticket = house.play(PLAYER_WINS, ("player", "100"))
    shoe = ticket.round.shoe
    assert shoe is not None
    closed = shoes.close_shoe(shoe=shoe, actor=house.studio.person, reason=REASON)
    house.void_shoe(shoe, ticket.round)
    house.settle()
    shoe.refresh_from_db()
    assert (shoe.phase, shoe.closed_at) == ("void", closed.closed_at)
    assert house.paid(ticket) == 10_000


def test_a_hand_of_a_void_shoe_can_be_reinstated(
    house: House, shoe: Shoe, hands: list[Round]
) -> None:
    house.void_shoe(shoe, hands[0])
    house.reinstate(hands[0], ground="management_discretion")
    assert paid(house, hands[:1]) == [20_000]


@pytest.mark.parametrize(
    ("changed", "code", "why"),
    [
        ({"ground": "no_such"}, "invalid_value", "knows no ground"),
        ({"ground": "late_hand"}, "not_permitted", "voids no shoe on this ground"),
        ({"note": " "}, "invalid_value", "Say in a note why."),
        ({"hands": ("bac-99-1-1",)}, "invalid_value", "has no hand bac-99-1-1"),
        ({"kind": "void_hand"}, "invalid_value", "is not a ruling on a shoe"),
    ],
)
def test_what_may_not_be_ruled_is_refused(
    house: House, shoe: Shoe, changed: dict[str, Any], code: str, why: str
) -> None:
    with pytest.raises(Refused, match=why) as caught:
        plan(house, shoe, replace(house.shoe_draft(), **changed))
    assert caught.value.code == code


def test_a_hand_that_is_void_already_cannot_be_named(
    house: House, shoe: Shoe, hands: list[Round]
) -> None:
    house.void(hands[0])
    with pytest.raises(Refused, match="Hand 1 is already void"):
        plan(house, shoe, house.shoe_draft(hands[0]))


def test_only_pit_management_voids_a_shoe(house: House, shoe: Shoe) -> None:
    for person in (house.supervisor, house.compliance, house.administrator, house.studio.person):
        with pytest.raises(Refused, match="may not do this"):
            plan_void_shoe(shoe=shoe, draft=house.shoe_draft(), actor=person)


@pytest.mark.parametrize("what", ["ticket", "result", "edit", "blue card"])
def test_what_changed_since_the_preview_asks_for_a_new_one(
    house: House, shoe: Shoe, hands: list[Round], what: str
) -> None:
    draft = house.shoe_draft(hands[0])
    seen = plan(house, shoe, draft).seen
    match what:
        case "ticket":
            house.ticket(hands[3], ("banker", "10"))
        case "result":
            house.result(hands[3], PLAYER_WINS)
        case "edit":
            house.edit(hands[0], BANKER_WINS)
        case "blue card":
            by = {"actor": house.studio.person, "reason": REASON}
            shoes.draw_blue_card(shoe=shoe, at="in_hand", **by)
    before = Ruling.objects.count()
    with pytest.raises(Refused, match="Shoe 1 changed since the preview") as caught:
        void_shoe(shoe=shoe, draft=draft, seen=seen, actor=house.manager, reason="-")
    assert (caught.value.code, Ruling.objects.count()) == ("conflict", before)


# Two people


def put(house: House, shoe: Shoe, *named: Round) -> Ruling | Proposal:
    draft = house.shoe_draft(*named)
    seen = plan(house, shoe, draft).seen
    return propose_void_shoe(
        shoe=shoe, draft=draft, seen=seen, actor=house.manager, reason=draft.note
    )


@pytest.mark.parametrize(
    ("values", "needed"),
    [
        ({}, True),
        ({"kind": "void_shoe"}, True),
        ({"kind": "void_hand"}, False),
        ({"currency": "USD", "net_change": 20_000}, True),
        ({"currency": "USD", "net_change": 20_001}, False),
        ({"tickets": 3}, True),
        ({"tickets": 4}, False),
        ({"age": 0}, True),
    ],
)
def test_the_policy_weighs_the_whole_shoe(
    house: House, shoe: Shoe, hands: list[Round], values: dict[str, Any], needed: bool
) -> None:
    house.policy(**values)
    assert isinstance(put(house, shoe, hands[0], hands[1]), Proposal) is needed


def test_two_settled_hands_go_when_a_second_person_approves(
    house: House, shoe: Shoe, hands: list[Round], other: Person
) -> None:
    house.policy()
    proposal = put(house, shoe, hands[0], hands[1])
    assert isinstance(proposal, Proposal)
    assert phases(hands) == ["resulted", "resulted", "resulted", "betting"]
    with pytest.raises(Refused, match="proposed themselves"):
        approve(proposal=proposal, actor=house.manager, reason="-")
    ruling = approve(proposal=proposal, actor=other, reason="Seen it too.")
    assert (ruling.ruled_by, ruling.approved_by) == (house.manager, other)
    logged = AuditEvent.objects.get(action="ruling_approved")
    assert (logged.actor, logged.reason, logged.subject) == (
        other, "Seen it too.", f"shoe:{shoe}",
    )  # fmt: skip
    assert phases(hands) == ["void", "void", "resulted", "void"]
    assert paid(house, hands) == [10_000, 10_000, 20_000, 10_000]


def test_nobody_voids_a_shoe_alone_past_the_policy(
    house: House, shoe: Shoe, hands: list[Round]
) -> None:
    house.policy()
    with pytest.raises(Refused) as caught:
        house.void_shoe(shoe)
    assert caught.value.code == "approval_required"
    with pytest.raises(Refused, match="proposed themselves"):
        house.void_shoe(shoe, approved_by=house.manager)
    assert not Ruling.objects.exists()


def test_an_approval_counts_only_for_the_hands_that_were_proposed(
    house: House, shoe: Shoe, hands: list[Round], other: Person
) -> None:
    house.policy()
    proposal = put(house, shoe, hands[0])
    assert isinstance(proposal, Proposal)
    house.result(hands[3], PLAYER_WINS)
    with pytest.raises(Refused, match="changed since the preview"):
        approve(proposal=proposal, actor=other, reason="-")
    reject(proposal=proposal, actor=other, reason="The hand was dealt meanwhile.")
    assert isinstance(put(house, shoe, hands[0]), Proposal)


def test_a_shoe_has_one_proposal_at_a_time(house: House, shoe: Shoe, hands: list[Round]) -> None:
    house.policy()
    put(house, shoe)
    with pytest.raises(Refused, match="waits for approval already"):
        put(house, shoe, hands[0])
