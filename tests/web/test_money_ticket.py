"""One ticket: its bets under every outcome, side by side, and what each posted."""

from __future__ import annotations

from functools import partial

import pytest

from tests.house import BANKER_SIX, PLAYER_WINS, TIE, House
from tests.web.browsing import Visitor, text
from tests.web.counting import queries
from tickets.models import Ticket
from tickets.services.acceptance import BetAsked
from tickets.services.plays import decide

pytestmark = pytest.mark.first_hand


def page(house: House, ticket: Ticket) -> str:
    answer = Visitor(house.supervisor).get("ticket", ticket.pk)
    assert answer.status_code == 200
    return text(answer)


def test_an_open_ticket_shows_its_bets_and_no_payout(house: House) -> None:
    ticket = house.ticket(house.hand(), ("player", "10"), ("tie", "2.50"), reference="open-1")
    shown = page(house, ticket)
    assert "open-1 Open" in shown
    assert "Stake 12.50 USD Pays –" in shown
    assert "Player 10.00 USD" in shown
    assert "open until the hand has a result" in shown


def test_every_bet_tells_its_result_odds_payout_and_why(house: House) -> None:
    shown = page(house, house.play(PLAYER_WINS, ("player", "10"), ("tie", "2.50")))
    assert "Outcome 1 In force Player 9 beats Banker 7 Settlement no. 1" in shown
    assert "Player 10.00 USD Win 1:1 20.00 USD Player 9 beats Banker 7" in shown
    assert "Tie 2.50 USD Lose 0.00 USD" in shown
    assert "Total 12.50 USD posted +20.00 USD pays 20.00 USD" in shown
    assert "Player's result +7.50 USD" in shown


def test_an_edit_a_void_and_a_reinstatement_stand_side_by_side(house: House) -> None:
    ticket = house.play(PLAYER_WINS, ("player", "10"))
    house.edit(ticket.round, BANKER_SIX)
    house.void(ticket.round)
    house.reinstate(ticket.round)
    shown = page(house, ticket)
    assert "Settled Changed" in shown
    for words in (
        "Outcome 1 Superseded Player 9 beats Banker 7 Settlement no. 1",
        "Outcome 2 Superseded Banker 6 beats Player 5 Re-settlement no. 2",
        "Edit result by manager, wrong card: Seen on video.",
        "Outcome 3 Superseded Void: exposed card Void no. 3",
        "Outcome 4 In force Banker 6 beats Player 5 Reinstatement no. 4",
    ):
        assert words in shown
    assert (
        "posted +20.00 USD pays 20.00 USD posted -20.00 USD pays 0.00 USD"
        " posted +10.00 USD pays 10.00 USD posted -10.00 USD pays 0.00 USD" in shown
    )


def test_a_batch_that_left_the_ticket_as_it_was_says_so(house: House) -> None:
    ticket = house.play(PLAYER_WINS, ("tie", "10"))
    house.edit(ticket.round, BANKER_SIX)
    shown = page(house, ticket)
    assert "nothing posted pays 0.00 USD" in shown
    assert "Changed" not in shown


def test_a_ruling_on_another_ticket_of_the_hand_is_left_out(house: House) -> None:
    hand = house.hand()
    ticket, other = (house.ticket(hand, ("banker", "10")) for _ in range(2))
    house.result(hand, PLAYER_WINS)
    house.settle()
    visitor = Visitor(house.supervisor)
    seen = visitor.get("ticket", ticket.pk).context_data["seen"]
    unchanged = partial(visitor.get, "ticket_live", ticket.pk, seen=seen, script=True)
    assert unchanged().status_code == 204 and queries(unchanged) <= 5
    house.void_ticket(other)
    live = visitor.get("ticket_live", ticket.pk, seen=seen, script=True)
    shown = text(live)
    assert "Outcome 1 In force Player 9 beats Banker 7" in shown
    assert "Outcome 2" not in shown and "oid" not in shown
    assert "Total 10.00 USD posted 0.00 USD pays 0.00 USD" in shown
    assert "Void ticket by manager, late bet" in page(house, other)


def test_where_the_ledger_passed_an_outcome_over_the_ruling_elsewhere_is_named(
    house: House,
) -> None:
    hand = house.hand()
    ticket, other = (house.ticket(hand, ("player", "10")) for _ in range(2))
    house.result(hand, PLAYER_WINS)
    house.void_ticket(other)
    shown = page(house, ticket)
    assert "Outcome 1 Passed over" in shown and "Outcome 2 In force" in shown
    assert "Followed a ruling on another ticket of this hand" in shown
    assert "oid" not in shown


def test_an_outcome_that_is_not_settled_yet_changes_nothing_and_says_so(house: House) -> None:
    ticket = house.play(PLAYER_WINS, ("player", "10"))
    house.edit(ticket.round, TIE, settle=False)
    shown = page(house, ticket)
    assert "Outcome 2 Not settled yet Tie on 7" in shown
    assert "Stake 10.00 USD Pays 20.00 USD" in shown


def test_an_outcome_that_the_ledger_passed_over_says_so(house: House) -> None:
    ticket = house.ticket(house.hand(), ("player", "10"))
    house.result(ticket.round, PLAYER_WINS)
    house.edit(ticket.round, TIE)
    shown = page(house, ticket)
    assert "Outcome 1 Passed over" in shown
    assert "Outcome 2 In force Tie on 7 Settlement no. 1" in shown


def test_a_void_before_the_result_pays_the_stake_back(house: House) -> None:
    ticket = house.ticket(house.hand(), ("player", "10"))
    house.void(ticket.round)
    shown = page(house, ticket)
    assert "Void" in shown
    assert "Pays 10.00 USD Player's result 0.00 USD" in shown


def test_what_a_decision_added_is_part_of_the_stake_everywhere(house: House) -> None:
    round = house.round(house.table("bj-01", "club-b", "blackjack"))
    ticket = house.ticket(round, ("ante", "box1", "10"))
    decide(ticket=ticket, box=1, play="D", added=[BetAsked("double", "box1", "10")])
    house.result(round, {"dealer": ["9H", "9D"], "boxes": {"1": {"cards": ["6S", "5C", "TD"]}}})
    house.settle()
    shown = page(house, ticket)
    assert "Stake 20.00 USD Pays 40.00 USD Player's result +20.00 USD" in shown
    assert "Double Box1 D added 10.00 USD" in shown
    visitor = Visitor(house.supervisor)
    for name, place in (("tickets", ()), ("postings", ()), ("settlement", (1,))):
        assert "20.00 USD 40.00 USD" in text(visitor.get(name, *place)), name
    rows = visitor.get("tickets_export").getvalue().decode().splitlines()
    assert ",USD,20.00,40.00,settled," in rows[1]


def test_what_was_pinned_is_shown(house: House) -> None:
    ticket = house.play(PLAYER_WINS, ("player", "10"), test=True)
    shown = page(house, ticket)
    assert "Rules club-a, edition 1" in shown
    assert "Limits Version 1 in USD" in shown
    assert ticket.body_digest in shown
    assert "Test" in shown


def test_what_a_platform_wrote_is_text_and_not_markup(house: House) -> None:
    ticket = house.play(PLAYER_WINS, ("player", "10"), player="<b>p</b>", reference="<i>r</i>")
    html = Visitor(house.supervisor).get("ticket", ticket.pk).content.decode()
    assert "&lt;b&gt;p&lt;/b&gt;" in html
    assert "<b>p</b>" not in html
    assert "<i>r</i>" not in html


def test_a_ticket_that_is_not_there_is_not_found(house: House) -> None:
    assert Visitor(house.supervisor).get("ticket", 4711).status_code == 404


def test_the_page_costs_the_same_whatever_happened_to_the_round(house: House) -> None:
    visitor = Visitor(house.supervisor)
    ticket = house.play(PLAYER_WINS, ("player", "10"), ("tie", "1"), ("banker", "3"))
    few = queries(lambda: visitor.get("ticket", ticket.pk))
    for outcome in (TIE, PLAYER_WINS, BANKER_SIX):
        house.edit(ticket.round, outcome)
    assert queries(lambda: visitor.get("ticket", ticket.pk)) == few
    assert few <= 14
