"""The page of a shoe, and what is decided about it in the browser: void, correct, let stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from casino.models import Incident, Person, Proposal, Round, Ruling, Shoe
from casino.services import approvals, shoes
from casino.services.setup import create_person
from tests.dealing import dealt
from tests.house import BANKER_WINS, PASSWORD, PLAYER_WINS, REASON, WRONG_THIRD_CARD, House
from tests.web.browsing import Visitor, hidden, text
from tests.web.counting import nothing_written, queries, seal
from tickets.models import Ticket

SHOE = ("bac-01", 1)
WORDS = {"ground": "commencement_error", "note": "Nine were burned.", "evidence": "cam 3"}

pytestmark = pytest.mark.first_table


@pytest.fixture
def manager(house: House) -> Visitor:
    return Visitor(house.manager)


@dealt
def hands(house: House) -> list[Round]:
    """Three settled hands and a running one, 100.00 on Player in each."""
    played = [house.play(PLAYER_WINS, ("player", "100")).round for _ in range(3)]
    running = house.hand()
    house.ticket(running, ("player", "100"))
    return [*played, running]


@pytest.fixture
def other(house: House) -> Person:
    by = {"actor": house.system, "reason": REASON}
    return create_person(name="manager-2", role="pit_manager", password=PASSWORD, **by)


def open_shoe(house: House, burned: int = 9, **more: Any) -> Shoe:
    return shoes.open_shoe(
        table=house.table(), number=1, first_card="KH", burned=burned, **more,
        actor=house.studio.person, reason=REASON,
    )  # fmt: skip


def preview(manager: Visitor, *named: Round, **changed: Any) -> Any:
    typed: dict[str, Any] = WORDS | {"hands": [round.key for round in named]} | changed
    return manager.post("void_shoe", *SHOE, **typed)


def confirm(manager: Visitor, shown: Any) -> Any:
    return manager.post("void_shoe", *SHOE, confirm="1", previewed=hidden(shown, "previewed"))


# The page


def test_a_shoe_is_told_from_opening_to_close(house: House, manager: Visitor) -> None:
    first = open_shoe(house, cut=52)
    round = house.round(first.table)
    house.result(round, WRONG_THIRD_CARD)
    house.edit(round, BANKER_WINS)
    by = {"actor": house.studio.person, "reason": "Posted."}
    shoes.draw_blue_card(shoe=first, at="in_hand", **by)
    shoes.close_shoe(shoe=first, **by)
    page = manager.get("shoe", *SHOE)
    said = text(page)
    assert "bac-01 shoe 1 Closed" in said
    assert "First card KH 9 skipped" in said
    assert "14 14 of 364 of 364 to the cut card, 416 in all" in said
    assert [event["what"] for event in page.context_data["story"]] == [
        "Closed",
        "Blue card in a hand, which is the last",
        "Edit result, hand 1",
        "Incident, hand 1: wrong card",
        "Incident: commencement error",
        "Opened",
    ]
    assert {event["who"] for event in page.context_data["story"]} == {"studio", "manager"}
    assert "Hand 1 Player K♠ king of spades 6♥ six of hearts" in said


def test_a_shoe_without_a_first_card_says_so(house: House, manager: Visitor) -> None:
    table = house.table("x-1", "euro", "baccarat")
    shoes.open_shoe(table=table, number=1, actor=house.studio.person, reason=REASON)
    said = text(manager.get("shoe", "x-1", 1))
    assert "First card – 0 skipped" in said and "of 409 to the cut card" in said


def test_a_shoe_that_is_not_there_is_not_found(house: House, manager: Visitor) -> None:
    house.table()
    for number in (1, 10**20):
        assert manager.get("shoe", "bac-01", number).status_code == 404
    assert manager.get("shoe", "bac-99", 1).status_code == 404


def test_the_pages_of_table_round_and_log_lead_to_the_shoe(house: House, manager: Visitor) -> None:
    round = house.hand()
    link = 'href="/admin/tables/bac-01/shoes/1/"'
    assert link in manager.get("table", "bac-01").content.decode()
    assert link in manager.get("round", round.key).content.decode()
    link = "/admin/casino/shoe/?table__id__exact="
    assert link in manager.get("table", "bac-01").content.decode()


def moved_by(steps: Sequence[Callable[[], Any]], manager: Visitor) -> list[bool]:
    """Whether a page of the shoe that stays open is sent something new after each step."""
    seen = manager.get("shoe", *SHOE).context_data["seen"]
    moved = []
    for step in steps:
        step()
        answer = manager.get("shoe_live", *SHOE, seen=seen, script=True)
        moved.append(answer.status_code != 204)
        if moved[-1]:
            before, seen = seen, answer.context_data["seen"]
            assert before != seen
    assert queries(lambda: manager.get("shoe_live", *SHOE, seen=seen, script=True)) <= 12
    return moved


def test_a_shoe_that_is_looked_at_follows_what_happens_and_else_keeps_still(
    house: House, manager: Visitor
) -> None:
    shoe = house.shoe(house.table())
    steps = [
        house.hand,
        lambda: house.ticket(shoe.rounds.get(), ("player", "10")),
        lambda: house.void_ticket(Ticket.objects.get()),
        lambda: house.result(shoe.rounds.get(), PLAYER_WINS),
        house.settle,
        lambda: house.incident(shoe.rounds.get()),
        lambda: house.void(shoe.rounds.get()),
        lambda: house.proposal(house.hand()),
        lambda: house.policy(kind="void_shoe"),
        lambda: shoes.draw_blue_card(
            shoe=shoe, at="in_hand", actor=house.studio.person, reason=REASON
        ),
        lambda: house.table("bac-02"),
    ]
    assert moved_by(steps, manager) == [True] * 8 + [False, True, False]


def test_it_follows_what_is_settled_anew_proposed_and_decided_and_the_shoe_after_it(
    house: House, manager: Visitor
) -> None:
    ticket = house.play(PLAYER_WINS, ("player", "10"))
    shoe = ticket.round.shoe
    assert shoe is not None
    house.policy(kind="void_shoe")
    steps = [
        lambda: house.void(ticket.round, settle=False),
        house.settle,
        lambda: confirm(manager, preview(manager)),
        lambda: approvals.reject(
            proposal=Proposal.objects.get(), actor=house.compliance, reason="No."
        ),
        lambda: shoes.close_shoe(shoe=shoe, actor=house.studio.person, reason=REASON),
        lambda: house.shoe(shoe.table, 2),
    ]
    assert moved_by(steps, manager) == [True] * 6


def test_many_hands_take_no_more_statements(house: House, manager: Visitor) -> None:
    house.play(PLAYER_WINS, ("player", "10"))
    few = queries(lambda: manager.get("shoe", *SHOE))
    for _ in range(3):
        house.play(PLAYER_WINS, ("player", "10"))
    assert queries(lambda: manager.get("shoe", *SHOE)) == few


def test_the_floor_and_the_table_show_how_far_the_shoe_is_dealt(
    house: House, manager: Visitor
) -> None:
    house.result(house.round(open_shoe(house, 10, cut=52).table), PLAYER_WINS)
    told = '<progress class="pb-progress" value="15" max="364"'
    assert told in manager.get("floor").content.decode()
    assert told in manager.get("table", "bac-01").content.decode()


# Voiding


def test_the_form_lists_what_goes_and_what_may_be_named(
    house: House, manager: Visitor, hands: list[Round]
) -> None:
    house.void(hands[1])
    form = manager.get("void_shoe", *SHOE, script=True)
    assert [
        (hand["round"].number, hand["running"], hand["named"])
        for hand in form.context_data["hands"]
    ] == [(4, True, False), (3, False, False), (1, False, False)]
    said = text(form)
    assert "Hand 4 No result Betting void with the shoe" in said
    assert "Hand 3 Player 9 beats Banker 7 Result settled" in said
    grounds = [ground["code"] for ground in form.context_data["grounds"]]
    assert "commencement_error" in grounds and "late_hand" not in grounds


def test_what_is_open_on_the_shoe_is_suggested(house: House, manager: Visitor) -> None:
    house.close(house.round(open_shoe(house).table))
    form = manager.get("void_shoe", *SHOE, script=True)
    assert form.context_data["typed"]["ground"] == "commencement_error"


def test_the_preview_tells_each_hand_and_its_money_and_writes_nothing(
    house: House, manager: Visitor, hands: list[Round]
) -> None:
    with nothing_written():
        shown = preview(manager, hands[0], hands[2])
    said = text(shown)
    assert "Before Open" in said and "After Void: commencement error" in said
    assert "Tickets that change 3 Hands void 3 Hands that stand 1" in said
    assert "north 3 +100.00 USD -200.00 USD 2 -100.00 USD" in said
    assert "Hand 1 Player 9 beats Banker 7 Settled 1 -100.00 USD" in said
    assert "Hand 4 No result Running 1 +100.00 USD" in said
    assert "Betting is still open." in said


def test_it_is_carried_out_as_previewed(house: House, manager: Visitor, hands: list[Round]) -> None:
    answer = confirm(manager, preview(manager, hands[0]))
    assert answer["HX-Redirect"] == "/admin/tables/bac-01/shoes/1/"
    ruling = Ruling.objects.get()
    assert (ruling.kind, ruling.ruled_by, ruling.note) == (
        "void_shoe", house.manager, "Nine were burned.",
    )  # fmt: skip
    page = manager.get("shoe", *SHOE)
    assert "bac-01 shoe 1 Void" in text(page)
    assert "Nine were burned. (void with it: hand 1, 4)" in text(page)
    assert "Shoe 1 is already void." in text(page)
    assert "Void" in text(manager.get("table", "bac-01"))


def test_every_hand_with_a_result_is_named_at_once(
    house: House, manager: Visitor, hands: list[Round]
) -> None:
    confirm(manager, preview(manager, every="1"))
    assert set(Round.objects.values_list("phase", flat=True)) == {"void"}


def test_the_way_back_keeps_the_hands(house: House, manager: Visitor, hands: list[Round]) -> None:
    form = preview(manager, hands[1], back="1")
    named = [hand["round"] for hand in form.context_data["hands"] if hand["named"]]
    assert (named, form.context_data["typed"]["note"]) == ([hands[1]], "Nine were burned.")


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"ground": ""}, "knows no ground"),
        ({"note": " "}, "Say in a note why."),
        ({"hands": ["bac-99-1-1"]}, "Shoe 1 has no hand bac-99-1-1."),
    ],
)
def test_a_refusal_is_a_sentence_and_keeps_what_was_chosen(
    house: House, manager: Visitor, hands: list[Round], changed: dict[str, Any], why: str
) -> None:
    form = preview(manager, hands[0], **changed)
    assert form.status_code == 422 and why in text(form)
    assert form.context_data["typed"]["evidence"] == "cam 3"


def test_a_shoe_that_moved_on_asks_for_a_new_preview(
    house: House, manager: Visitor, hands: list[Round]
) -> None:
    shown = preview(manager, hands[0])
    house.ticket(hands[3], ("banker", "10"))
    answer = confirm(manager, shown)
    assert answer.status_code == 409
    assert "The shoe changed after your preview." in text(answer)
    assert not Ruling.objects.exists()


def test_who_rules_on_a_hand_meanwhile_is_told_that_its_shoe_is_void(
    house: House, manager: Visitor, hands: list[Round]
) -> None:
    shown = manager.propose(hands[0], "void_hand")
    house.void_shoe(Shoe.objects.get(), hands[0])
    answer = manager.confirm(shown, hands[0], "void_hand")
    assert answer.status_code == 409
    assert "manager ruled “Void shoe”" in text(answer)


def test_a_preview_of_another_shoe_is_refused(
    house: House, manager: Visitor, hands: list[Round]
) -> None:
    shown = preview(manager, hands[0])
    other = house.table("bac-02")
    house.shoe(other)
    answer = manager.post(
        "void_shoe", "bac-02", 1, confirm="1", previewed=hidden(shown, "previewed")
    )
    assert answer.status_code == 409 and not Ruling.objects.exists()


def test_a_second_person_approves_the_void_of_a_shoe(
    house: House, manager: Visitor, hands: list[Round], other: Person
) -> None:
    house.policy(kind="void_shoe")
    shown = preview(manager, hands[0], hands[1])
    assert "A second person must approve: pit manager" in text(shown)
    confirm(manager, shown)
    proposal = Proposal.objects.get()
    assert "“Void shoe” waits for a second person" in text(manager.get("shoe", *SHOE))
    theirs = Visitor(other)
    queue = text(theirs.get("approvals"))
    assert "bac-01-1" in queue and "Open → Void: commencement error" in queue
    asked = text(theirs.get("approval", proposal.pk, script=True))
    assert "Void shoe: bac-01 shoe 1" in asked and "Hand 2 Player 9 beats Banker 7" in asked
    answer = theirs.post("approval", proposal.pk, verdict="approve", note="Seen it too.")
    assert answer["HX-Redirect"] == "/admin/tables/bac-01/shoes/1/"
    house.settle()
    assert [Round.objects.get(pk=round.pk).phase for round in hands] == [
        "void", "void", "resulted", "void",
    ]  # fmt: skip
    assert "bac-01-1" in text(theirs.get("approvals"))
    both = "manager, approved by manager-2"
    for page in (theirs.get("shoe", *SHOE), theirs.get("round", hands[3].key)):
        assert both in text(page) and "manager-2: Seen it too." in text(page)


def test_a_proposal_whose_hands_moved_on_is_proposed_anew(
    house: House, manager: Visitor, hands: list[Round], other: Person
) -> None:
    house.policy()
    confirm(manager, preview(manager, hands[0]))
    proposal = Proposal.objects.get()
    house.result(hands[3], PLAYER_WINS)
    theirs = Visitor(other)
    assert "Other hands would be void than were shown" in text(theirs.get("approval", proposal.pk))
    answer = theirs.post("approval", proposal.pk, verdict="anew", note="Dealt meanwhile.")
    assert answer["HX-Redirect"] == f"/admin/tables/bac-01/shoes/1/void/?again={proposal.pk}"
    form = theirs.client.get(answer["HX-Redirect"], headers={"HX-Request": "true"})
    named = [hand["round"] for hand in form.context_data["hands"] if hand["named"]]
    assert named == [hands[0]]


def test_the_lists_of_rulings_tell_of_shoes(
    house: House, manager: Visitor, hands: list[Round]
) -> None:
    house.void(hands[1])
    house.void_shoe(Shoe.objects.get(), hands[0])
    said = text(manager.get("rulings"))
    assert "Void shoe Commencement error bac-01-1" in said
    assert "Void: commencement error. Hands void: 2" in said
    assert "Void shoe" in text(manager.get("rulings", table="bac-01"))
    lines = b"".join(manager.get("rulings_export").streaming_content).decode().splitlines()
    assert lines[1].split(",")[2:5] == ["void_shoe", "bac-01", ""] and lines[1].endswith(",1,,,")
    assert lines[2].split(",")[4] == "bac-01-1-2"


def test_compliance_reads_it_in_the_decision_log(house: House, hands: list[Round]) -> None:
    house.void_shoe(Shoe.objects.get(), hands[0])
    seal()
    said = text(Visitor(house.compliance).get("log", subject="shoe:bac-01-1"))
    assert "Shoe voided shoe:bac-01-1 manager Nine were burned. Phase open → void" in said
    assert "Hands 1 › Round: bac-01-1-1" in said


# Correcting, and letting stand


def test_a_commencement_is_corrected_by_the_pit_supervisor(house: House) -> None:
    open_shoe(house)
    visitor = Visitor(house.supervisor)
    form = visitor.get("correct_shoe", *SHOE, script=True)
    assert form.context_data["typed"]["burned"] == "10"
    wrong = visitor.post("correct_shoe", *SHOE, first_card="kh", burned="x", note="Anew.")
    assert wrong.status_code == 422 and "Say how many cards were skipped." in text(wrong)
    answer = visitor.post("correct_shoe", *SHOE, first_card="k♥", burned="10", note="Anew.")
    assert answer["HX-Redirect"] == "/admin/tables/bac-01/shoes/1/"
    said = text(visitor.get("shoe", *SHOE))
    assert "First card KH 10 skipped" in said and "Correct commencement supervisor" in said
    assert "First card KH, 10 skipped" in text(visitor.get("rulings"))


def test_after_the_first_hand_a_shoe_is_no_longer_corrected(house: House) -> None:
    house.close(house.round(open_shoe(house).table))
    answer = Visitor(house.supervisor).get("correct_shoe", *SHOE, script=True)
    assert answer.status_code == 409 and "only voided" in text(answer)


def test_a_shoe_is_let_stand_and_its_own_incident_ends(house: House, manager: Visitor) -> None:
    shoe = open_shoe(house)
    Visitor(house.supervisor).post(
        "raise_at_table", "bac-01", ground="exposed_card", note="Seen in the shuffle."
    )
    assert Incident.objects.filter(shoe=shoe).count() == 2
    assert "Commencement error: waiting for a ruling" in text(manager.get("shoe", *SHOE))
    answer = manager.post(
        "stand_shoe", *SHOE, ground="commencement_error", note="It was counted again: ten."
    )
    assert answer["HX-Redirect"] == "/admin/tables/bac-01/shoes/1/"
    assert not Incident.objects.filter(closing__isnull=True).exists()
    refused = manager.get("stand_shoe", *SHOE, script=True)
    assert refused.status_code == 409 and "Nothing is open on shoe 1 itself." in text(refused)


def test_evidence_is_asked_for_once_a_settled_hand_goes_with_the_shoe(
    manager: Visitor, hands: list[Round]
) -> None:
    assert "Evidence (needed once a settled hand is void)" in text(
        manager.get("void_shoe", "bac-01", 1, script=True)
    )
    refused = preview(manager, hands[0], evidence="")
    assert refused.status_code == 422
    assert "Name the video time or card image that shows it." in text(refused)
    assert preview(manager, evidence="").status_code == 200


def test_a_hand_that_got_its_result_meanwhile_is_told_to_stand(
    house: House, manager: Visitor, hands: list[Round]
) -> None:
    last = hands[-1].key
    assert f'name="running" value="{last}"' in (
        manager.get("void_shoe", "bac-01", 1, script=True).content.decode()
    )
    house.result(hands[-1], PLAYER_WINS)
    said = text(preview(manager, hands[0], running=[last]))
    assert "Hand 4 has its result meanwhile and stands unless you name it." in said
    named = text(preview(manager, hands[-1], running=[last]))
    assert "meanwhile" not in named
