"""Two people in the browser: proposed by one, decided by another, bound to what was previewed."""

from __future__ import annotations

from typing import Any

import pytest

from casino.models import ApprovalRule, Person, Proposal, Round, Ruling
from casino.services.approvals import propose_void_shoe
from casino.services.policy import end_approval_rule
from casino.services.setup import create_person
from casino.services.shoe_plans import plan_void_shoe
from tests.dealing import dealt
from tests.floor.test_riding import Pair
from tests.house import BANKER_WINS, PASSWORD, PLAYER_WINS, REASON, House
from tests.web.browsing import Visitor, text
from tests.web.counting import nothing_written, queries, seal


@pytest.fixture
def other(house: House) -> Person:
    """A second pit manager."""
    return create_person(
        name="manager-2", role="pit_manager", password=PASSWORD, actor=house.system, reason=REASON
    )


@dealt
def round(house: House) -> Round:
    return house.play(PLAYER_WINS, ("player", "100")).round


@dealt
def proposal(house: House) -> Proposal:
    """A void of that round, which waits."""
    return house.proposal(house.play(PLAYER_WINS, ("player", "100")).round)


def decide(person: Person, proposal: Proposal, verdict: str, note: str = "", **more: Any) -> Any:
    return Visitor(person).post("approval", proposal.pk, verdict=verdict, note=note, **more)


def badge(person: Person) -> int:
    """What the menu says waits for a person."""
    page = Visitor(person).get("account")
    items = [item for group in page.context_data["sidebar_navigation"] for item in group["items"]]
    return next((item["badge"] for item in items if item["title"] == "Approvals"), 0)


# Proposing


def test_the_preview_says_who_must_approve_and_by_which_rule(house: House, round: Round) -> None:
    house.policy(kind="void_hand", currency="USD", net_change=10_000)
    visitor = Visitor(house.manager)
    preview = visitor.propose(round, "void_hand")
    said = text(preview)
    assert "A second person must approve: pit manager" in said
    assert "Void hand where 100.00 USD or more move: approved by pit manager" in said
    assert "Propose" in said and "Void hand now" not in said
    visitor.confirm(preview, round, "void_hand")
    assert Proposal.objects.get().proposed_by == house.manager
    assert Ruling.objects.count() == 0


def test_what_no_rule_asks_for_is_ruled_by_one(house: House, round: Round) -> None:
    house.policy(kind="edit")
    said = text(Visitor(house.manager).propose(round, "void_hand"))
    assert "Void hand now" in said and "second person" not in said


def test_the_round_shows_what_waits_and_to_each_what_they_may_do(
    house: House, round: Round, other: Person
) -> None:
    house.proposal(round)
    said = {
        person: text(Visitor(person).get("round", round.key))
        for person in (house.manager, other, house.supervisor)
    }
    for page in said.values():
        assert "“Void hand” waits for a second person to approve it: pit manager" in page
        assert "Seen on video. Proposed by manager" in page
    assert "Withdraw A" in said[house.manager] and "Approve or reject" not in said[house.manager]
    assert "Approve or reject A" in said[other]
    assert "Approve or reject" not in said[house.supervisor]


def test_a_preview_names_what_waits_and_will_no_longer_hold(house: House, round: Round) -> None:
    house.proposal(round)
    end_approval_rule(rule=ApprovalRule.objects.get(), actor=house.compliance, reason=REASON)
    house.policy(kind="void_hand")
    dealt = {"player": "KS 6H", "banker": "7D JC"}
    edit = Visitor(house.manager).propose(round, "edit", ground="wrong_card", **dealt)
    told = "“Void hand” by manager waits for approval and will no longer hold."
    assert told in text(edit)
    assert told not in text(Visitor(house.manager).propose(round, "void_hand"))


def test_a_ruling_on_a_rider_names_what_waits_on_the_round_it_rides_on(house: House) -> None:
    pair = Pair(house)
    pair.result()
    house.proposal(pair.pictures)
    end_approval_rule(rule=ApprovalRule.objects.get(), actor=house.compliance, reason=REASON)
    told = "“Void round” by manager waits for approval and will no longer hold."
    assert told in text(Visitor(house.manager).propose(pair.fan, "void_hand"))


# Deciding


def test_another_manager_approves_and_it_is_carried_out(
    house: House, proposal: Proposal, other: Person
) -> None:
    dialog = text(Visitor(other).get("approval", proposal.pk, script=True))
    assert (
        "Before Player 9 wins Banker 7 Player 9 beats Banker 7 → After Void: exposed card" in dialog
    )
    assert "-100.00 USD" in dialog and "cam 3 03:00:12" in dialog
    answer = decide(other, proposal, "approve", "Seen it too.")
    assert answer["HX-Redirect"] == f"/admin/rounds/{proposal.round.key}/"
    ruling = Ruling.objects.get()
    assert (ruling.ruled_by, ruling.approved_by) == (house.manager, other)
    assert proposal.decision.note == "Seen it too."


def test_who_approved_and_what_they_said_is_found_from_the_hand_and_by_their_name(
    house: House, round: Round
) -> None:
    decide(house.compliance, house.proposal(round), "approve", "Seen it too.")
    visitor = Visitor(house.compliance)
    page = text(visitor.get("round", round.key))
    both = "manager, approved by compliance"
    assert f"Void by {both}" in page and "compliance: Seen it too." in page
    for line in (
        f"Hand voided {both} ·",
        "Ruling approved compliance ·",
        "Hand opened studio ·",
        f"By {both} Ground Exposed card",
    ):
        assert line in page, line
    assert page.index("History of the hand") < page.rindex(both)
    seal()
    log = text(visitor.get("log", actor="compliance"))
    assert "Ruling approved" in log and "Seen it too." in log
    assert f"{both} Seen on video. compliance: Seen it too." in text(visitor.get("rulings"))
    rows = visitor.get("rulings_export").getvalue().decode().splitlines()
    assert rows[1].endswith(",compliance,,Seen it too.")
    queue = visitor.get("approvals").content.decode()
    assert f'href="/admin/approvals/{Proposal.objects.get().pk}/"' in queue


def test_the_proposer_cannot_approve_by_address(house: House, proposal: Proposal) -> None:
    dialog = text(Visitor(house.manager).get("approval", proposal.pk, script=True))
    assert "Somebody else has to approve it" in dialog and "Approve Ctrl" not in dialog
    with nothing_written():
        answer = decide(house.manager, proposal, "approve", "It is fine.")
    assert answer.status_code == 403
    assert "Nobody approves what they proposed themselves." in text(answer)
    assert "It is fine." in answer.content.decode()


def test_who_is_below_the_role_is_refused(house: House, round: Round, other: Person) -> None:
    house.policy(role="compliance")
    proposal = house.proposal(round)
    dialog = text(Visitor(other).get("approval", proposal.pk, script=True))
    assert "This takes the approval of compliance." in dialog and "Approve Ctrl" not in dialog
    with nothing_written():
        for person in (other, house.supervisor, house.administrator):
            assert decide(person, proposal, "approve").status_code == 403
    assert decide(house.compliance, proposal, "approve").status_code == 200
    assert Ruling.objects.get().approved_by == house.compliance


def test_a_changed_plan_is_refused_with_what_changed_and_leads_to_a_new_proposal(
    house: House, proposal: Proposal, other: Person
) -> None:
    key = proposal.round.key
    assert "Approve or reject A" in text(Visitor(other).get("round", key))
    house.edit(proposal.round, BANKER_WINS, approved_by=other)
    page = text(Visitor(other).get("round", key))
    assert "“Void hand” was proposed and no longer holds" in page
    assert "Reject or propose anew A" in page and "Approve or reject" not in page
    with nothing_written():
        answer = decide(other, proposal, "approve", "Looks right.")
    said = text(answer)
    assert answer.status_code == 409
    assert "it cannot be approved" in said
    assert "The result was “Player 9 beats Banker 7”; now it is “Banker 7 beats Player 6”." in said
    assert "manager ruled “Edit result” since" in said
    assert "Looks right." in answer.content.decode()
    answer = decide(other, proposal, "anew", "The hand changed meanwhile.")
    assert answer["HX-Redirect"] == f"/admin/rulings/void_hand/{key}/?again={proposal.pk}"
    form = Visitor(other).get("ruling", "void_hand", key, again=proposal.pk)
    assert form.context_data["typed"] == {
        "ground": "exposed_card", "note": "Seen on video.", "evidence": "cam 3 03:00:12",
    }  # fmt: skip


def test_a_rejection_needs_a_note(house: House, proposal: Proposal, other: Person) -> None:
    answer = decide(other, proposal, "reject")
    assert (answer.status_code, "Say why." in text(answer)) == (422, True)
    decide(other, proposal, "reject", "The video shows nothing.")
    said = text(Visitor(house.manager).get("approvals"))
    assert "Void hand Rejected" in said and "The video shows nothing." in said


def test_the_proposer_withdraws(house: House, proposal: Proposal) -> None:
    decide(house.manager, proposal, "withdraw")
    assert proposal.decision.verdict == "withdrawn"
    page = text(Visitor(house.manager).get("round", proposal.round.key))
    assert "waits for a second person" not in page


def test_who_comes_second_is_told_what_was_decided(
    house: House, proposal: Proposal, other: Person
) -> None:
    decide(house.compliance, proposal, "reject", "No.")
    answer = decide(other, proposal, "approve", "Yes.")
    assert answer.status_code == 409
    assert "compliance has rejected this already." in text(answer)


def test_a_verdict_that_is_none_is_refused(house: House, proposal: Proposal, other: Person) -> None:
    with nothing_written():
        assert decide(other, proposal, "perhaps").status_code == 422
    assert Visitor(other).get("approval", proposal.pk + 1).status_code == 404


# The queue


def test_the_queue_has_what_waits_for_me_and_what_i_proposed(
    house: House, round: Round, other: Person
) -> None:
    house.proposal(round)
    mine, theirs = (Visitor(person).get("approvals") for person in (house.manager, other))
    assert [len(mine.context_data[name]) for name in ("waiting", "mine")] == [0, 1]
    assert [len(theirs.context_data[name]) for name in ("waiting", "mine")] == [1, 0]
    assert (
        "Player 9 beats Banker 7 → Void: exposed card Seen on video. -100.00 USD 1 ticket"
        in text(theirs)
    )
    assert [badge(person) for person in (house.manager, other, house.compliance)] == [0, 1, 1]
    assert badge(house.supervisor) == 0


def test_the_queue_marks_what_no_longer_holds(house: House, round: Round, other: Person) -> None:
    """In as many statements for many proposals as for few, of shoes as well as of rounds."""
    house.proposal(round)
    visitor = Visitor(other)
    assert [row["moved"] for row in visitor.get("approvals").context_data["waiting"]] == [False]
    shoe, running = round.shoe, house.hand()
    assert shoe is not None
    draft = house.shoe_draft()
    seen = plan_void_shoe(shoe=shoe, draft=draft, actor=house.manager).seen
    propose_void_shoe(shoe=shoe, draft=draft, seen=seen, actor=house.manager, reason="Nine.")
    few = queries(lambda: visitor.get("approvals"))
    for code in ("bac-02", "bac-03"):
        house.proposal(house.play(PLAYER_WINS, ("player", "100"), code=code).round)
    assert queries(lambda: visitor.get("approvals")) == few
    house.edit(round, BANKER_WINS, approved_by=other)
    house.result(running, PLAYER_WINS)
    page = visitor.get("approvals")
    assert [row["moved"] for row in page.context_data["waiting"]] == [True, True, False, False]
    assert text(page).count("No longer holds What it is about has changed since.") == 2


def test_from_the_queue_one_comes_back_to_it(
    house: House, proposal: Proposal, other: Person
) -> None:
    url = f"/admin/approvals/{proposal.pk}/?from=queue"
    answer = Visitor(other).client.post(url, {"verdict": "approve"}, headers={"HX-Request": "true"})
    assert answer["HX-Redirect"] == "/admin/approvals/"
    assert "Approved" in text(Visitor(other).get("approvals"))


def test_a_proposal_is_read_without_a_script_on_the_page_of_its_round(
    house: House, round: Round, other: Person
) -> None:
    page = Visitor(other).get("approval", house.proposal(round).pk)
    assert 'id="round-live"' in page.content.decode()
    assert "Approve Ctrl" in text(page)
