"""Void a ticket or one bet of it in the browser: from the ticket's page, previewed, approved."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.urls import reverse

from casino.models import Proposal, Ruling
from casino.pages.money import TICKETS
from casino.services.setup import create_person
from tests.dealing import dealt
from tests.house import BANKER_WINS, PASSWORD, PLAYER_WINS, REASON, House
from tests.web.browsing import Visitor, hidden, text
from tests.web.calls import Caller
from tests.web.counting import nothing_written
from tests.web.test_money_lists import narrowed
from tickets.models import Ticket

SAID = {"ground": "late_bet", "note": "Placed too late.", "evidence": "cam 3 03:00:12"}


@dealt
def ticket(house: House) -> Ticket:
    return house.play(PLAYER_WINS, ("player", "100"), ("small", "10"), reference="op-7")


@pytest.fixture
def manager(house: House) -> Visitor:
    return Visitor(house.manager)


def offered(page: Any) -> list[list[str]]:
    """What is offered on the whole ticket, then on each bet."""
    rows = [page.context_data["buttons"]] + [row[2] or [] for row in page.context_data["bets"]]
    return [[button["label"] for button in row] for row in rows]


def preview(visitor: Visitor, ticket: Ticket, kind: str = "void_ticket", /, **more: Any) -> Any:
    typed = SAID | {"ticket": ticket.pk, "line": ""} | more
    return visitor.post("ruling", kind, ticket.round.key, **typed)


def confirm(visitor: Visitor, shown: Any, ticket: Ticket, kind: str = "void_ticket") -> Any:
    sealed = hidden(shown, "previewed")
    return visitor.post("ruling", kind, ticket.round.key, confirm="1", previewed=sealed)


def test_the_page_of_a_ticket_offers_what_may_be_ruled(
    house: House, manager: Visitor, ticket: Ticket
) -> None:
    assert offered(manager.get("ticket", ticket.pk)) == [
        ["Void ticket"], ["Void bet"], ["Void bet"],
    ]  # fmt: skip
    house.void_ticket(ticket, 2)
    page = manager.get("ticket", ticket.pk)
    assert offered(page) == [["Void ticket", "Reinstate ticket"], ["Void bet"], ["Reinstate bet"]]
    assert "Small void: late bet" in text(page)
    assert "Bet void (late bet): stake returned" in text(page)
    house.void_ticket(ticket)
    assert offered(manager.get("ticket", ticket.pk))[0] == ["Reinstate ticket"]


@pytest.mark.first_hand
def test_a_single_bet_is_ruled_on_with_its_ticket(house: House, manager: Visitor) -> None:
    ticket = house.play(PLAYER_WINS, ("player", "10"))
    assert offered(manager.get("ticket", ticket.pk)) == [["Void ticket"], []]


def test_what_is_not_possible_now_says_why(house: House, manager: Visitor, ticket: Ticket) -> None:
    house.void(ticket.round)
    [button] = manager.get("ticket", ticket.pk).context_data["buttons"]
    assert button["refusal"] == "Hand 1 is void; reinstate it before ruling on a ticket."


@pytest.mark.parametrize("name", ["supervisor", "compliance"])
def test_who_may_not_rule_is_offered_nothing(house: House, ticket: Ticket, name: str) -> None:
    visitor = Visitor(getattr(house, name))
    assert offered(visitor.get("ticket", ticket.pk)) == [[], [], []]
    assert preview(visitor, ticket).status_code == 403


def test_one_bet_is_voided_as_previewed(house: House, manager: Visitor, ticket: Ticket) -> None:
    page = manager.get("ticket", ticket.pk)
    [button] = page.context_data["bets"][1][2]
    form = manager.client.get(button["url"], headers={"HX-Request": "true"})
    said = text(form)
    assert "Void bet: bac-01 hand 1" in said
    assert "One bet of ticket op-7 north, player p-1 Bets Small, 10.00 USD" in said
    assert (hidden(form, "ticket"), hidden(form, "line")) == (str(ticket.pk), "2")
    with nothing_written():
        shown = preview(manager, ticket, line="2")
    said = text(shown)
    assert "One bet of ticket op-7" in said and "Small, 10.00 USD" in said
    assert "north 1 0.00 USD -15.00 USD 1 -15.00 USD 15.00 USD" in said
    answer = confirm(manager, shown, ticket)
    assert answer["HX-Redirect"] == reverse("admin:ticket", args=[ticket.pk])
    assert [str(message) for message in get_messages(answer.wsgi_request)] == [
        "A bet of ticket op-7 is void. Tickets that change: 1."
    ]
    house.settle()
    assert house.paid(ticket) == 20_000 + 1_000
    assert "Void bet by manager" in text(manager.get("ticket", ticket.pk))
    assert "Void bet Late bet" in text(manager.get("rulings"))
    decided = Visitor(house.compliance).get("round", ticket.round.key)
    assert "Bet voided manager ·" in text(decided)


def test_a_whole_ticket_is_reinstated(house: House, manager: Visitor, ticket: Ticket) -> None:
    house.void_ticket(ticket)
    shown = preview(manager, ticket, "reinstate_ticket", ground="management_discretion")
    assert "Whole ticket op-7" in text(shown) and "+115.00 USD" in text(shown)
    assert "Ruled before on this hand Void ticket: late bet manager," in text(shown)
    confirm(manager, shown, ticket, "reinstate_ticket")
    house.settle()
    assert house.paid(ticket) == 22_500


def test_only_grounds_about_a_bet_are_offered(
    house: House, manager: Visitor, ticket: Ticket
) -> None:
    for kind, expected in (
        ("void_ticket", {"late_bet", "system_error", "management_discretion"}),
        (
            "reinstate_ticket",
            {"late_bet", "system_error", "management_discretion", "disconnection"},
        ),
    ):
        form = manager.get("ruling", kind, ticket.round.key, ticket=ticket.pk, script=True)
        assert {ground["code"] for ground in form.context_data["grounds"]} == expected
    shown = preview(manager, ticket, ground="exposed_card")
    assert shown.status_code == 422
    assert "This ground is not about a bet: A card of the hand seen" in text(shown)


def test_a_ticket_that_is_void_altogether_reads_so_and_is_found_so(
    house: House, manager: Visitor, ticket: Ticket
) -> None:
    """By a ruling on each of its bets, or by its round; and it is linked from both pages."""
    api = Caller(house.keys["north"])
    beside = house.ticket(house.hand(), ("player", "10"), reference="beside")

    def told() -> set[str]:
        page = text(manager.get("ticket", ticket.pk))
        [row] = api.get("tickets/", round=ticket.round.key).json()["results"]
        assert row["status"] == api.get("tickets/op-7/").json()["status"]
        found = {
            status
            for status in ("open", "settled", "void")
            for listed in [narrowed(TICKETS, f"status={status}").rows]
            for answered in [api.get("tickets/", status=status).json()["results"]]
            if "op-7" in {one.reference for one in listed}
            and "op-7" in {one["reference"] for one in answered}
        }
        assert found == {row["status"]}
        return found | {word for word in ("Void Changed", "Settled Changed") if word in page}

    house.void_ticket(ticket, 1)
    assert told() == {"settled", "Settled Changed"}
    house.void_ticket(ticket, 2, settle=False)
    assert told() == {"settled", "Settled Changed"}
    house.settle()
    assert told() == {"void", "Void Changed"}
    house.reinstate_ticket(ticket, 1)
    assert told() == {"settled", "Settled Changed"}
    house.void(ticket.round)
    assert told() == {"void", "Void Changed"}

    link = f'href="{reverse("admin:ticket", args=[ticket.pk])}"'
    assert link in manager.get("round", ticket.round.key).content.decode()
    listed = manager.get("rulings")
    assert text(listed).count("A bet of ticket op-7") == 3
    assert link in listed.content.decode()
    floor_alone = Visitor(house.administrator).get("rulings")
    assert "A bet of ticket op-7" in text(floor_alone) and link not in floor_alone.content.decode()
    assert api.get("tickets/", status="open").json()["results"][0]["reference"] == beside.reference


@pytest.mark.first_hand
def test_what_a_ruling_voided_before_the_result_lies_on_the_table_no_more(
    house: House, manager: Visitor
) -> None:
    round = house.hand()
    house.ticket(round, ("player", "10"), player="p-1")
    partly = house.ticket(round, ("player", "20"), ("tie", "5"), player="p-2")
    wholly = house.ticket(round, ("player", "40"), ("tie", "7"), player="p-3")
    tried = house.ticket(round, ("player", "3"), ("tie", "2"), player="p-4", test=True)
    page = manager.get("round", round.key)
    assert "82.00 USD on 3 tickets" in text(page)
    house.void_ticket(partly, 2)
    house.void_ticket(wholly)
    house.void_ticket(tried, 2)
    seen = page.context_data["seen"]
    for page in (manager.get("round_live", round.key, seen=seen), manager.get("table", "bac-01")):
        assert "staked 30.00 USD" in text(page)
        assert "most on Player, 60.00; staked 30.00" in page.content.decode()
    assert "30.00 USD on 2 tickets" in text(manager.get("round", round.key))
    assert "Open stake 30.00 USD Open tickets 2 2 players" in text(page)
    assert "Open 30.00 USD 2 tickets, 2 players" in text(manager.get("floor"))
    house.reinstate_ticket(wholly, 1)
    assert "70.00 USD on 3 tickets" in text(manager.get("round", round.key))


def test_a_refusal_is_a_sentence_and_keeps_what_was_typed(
    house: House, manager: Visitor, ticket: Ticket
) -> None:
    house.void_ticket(ticket, 2)
    elsewhere = house.ticket(house.hand(), ("player", "1"))
    with nothing_written():
        already = preview(manager, ticket, line="2")
        foreign = preview(manager, ticket, ticket=elsewhere.pk)
        blank = preview(manager, ticket, evidence="")
    assert (already.status_code, "is void already" in text(already)) == (422, True)
    assert (foreign.status_code, "has no ticket" in text(foreign)) == (422, True)
    assert "Name the video time or card image" in text(blank)
    assert already.context_data["typed"]["note"] == SAID["note"]


@pytest.mark.parametrize("number", ["", "x", "-1", "9" * 30, "٣", "999999"])
def test_what_names_no_ticket_is_refused(
    house: House, manager: Visitor, ticket: Ticket, number: str
) -> None:
    with nothing_written():
        form = manager.get("ruling", "void_ticket", ticket.round.key, ticket=number)
        assert form.status_code in (400, 404)
        assert preview(manager, ticket, ticket=number).status_code in (400, 404)


def test_a_second_person_sees_which_bets_and_approves(
    house: House, manager: Visitor, ticket: Ticket
) -> None:
    house.policy()
    other = create_person(
        name="manager-2", role="pit_manager", password=PASSWORD, actor=house.system, reason=REASON
    )
    answer = confirm(manager, preview(manager, ticket, line="1"), ticket)
    assert answer["HX-Redirect"] == reverse("admin:ticket", args=[ticket.pk])
    proposal = Proposal.objects.get()
    assert proposal.bets == {"ticket": ticket.pk, "lines": [1]}
    dialog = text(Visitor(other).get("approval", proposal.pk, script=True))
    assert "One bet of ticket op-7" in dialog and "Player, 100.00 USD" in dialog
    Visitor(other).post("approval", proposal.pk, verdict="approve", note="")
    house.settle()
    assert house.paid(ticket) == 10_000 + 2_500


def test_a_proposal_that_no_longer_holds_is_proposed_anew_with_its_bets(
    house: House, manager: Visitor, ticket: Ticket
) -> None:
    house.policy()
    confirm(manager, preview(manager, ticket, line="1"), ticket)
    proposal = Proposal.objects.get()
    form = manager.get("ruling", "void_ticket", ticket.round.key, script=True, again=proposal.pk)
    assert (hidden(form, "ticket"), hidden(form, "line")) == (str(ticket.pk), "1")
    assert form.context_data["typed"]["note"] == SAID["note"]


def test_the_ticket_tells_every_outcome_as_it_was(
    house: House, manager: Visitor, ticket: Ticket
) -> None:
    house.void_ticket(ticket, 1, ground="late_bet")
    house.edit(ticket.round, BANKER_WINS)
    page = manager.get("ticket", ticket.pk)
    told = [[one.result for one in row[1]] for row in page.context_data["bets"]]
    assert told == [["Win", "Void", "Void"], ["Win", "Win", "Win"]]
    assert "Void bet by manager, late bet: Seen on video." in text(page)
    assert Ruling.objects.count() == 2
