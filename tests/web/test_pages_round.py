"""The permanent page of a round: outcomes side by side, its money, its tickets, its story."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

from casino.services import rounds
from tests.house import BANKER_WINS, PLAYER_WINS, REASON, TIE, WRONG_THIRD_CARD, House
from tests.web.browsing import Visitor, text
from tests.web.counting import queries
from tickets.models import Ticket

pytestmark = pytest.mark.first_hand

KEY = "bac-01-1-1"


def look(visitor: Visitor, page: Any) -> Any:
    """Ask whether the page still holds, as the page itself does."""
    seen = re.search(r"rounds-live/[^?]*\?seen=([^\"]*)", page.content.decode())
    assert seen
    return visitor.get("round_live", KEY, script=True, seen=seen[1])


def test_a_round_in_betting_has_no_result_and_says_what_lies_on_it(house: House) -> None:
    house.ticket(house.hand(), ("player", "10"))
    said = text(Visitor(house.supervisor).get("round", KEY))
    assert "bac-01 hand 1 Betting" in said
    assert "No result yet" in said
    assert "On the table, not settled yet: 10.00 USD on 1 ticket" in said


def test_what_was_drawn_after_betting_closed_is_told_before_the_result(house: House) -> None:
    by = {"actor": house.studio.person, "reason": REASON}
    for code, game, draws, told in (
        (
            "rou-01",
            "super_roulette",
            {"super_numbers": {"7": "499:1", "12": "49:1"}},
            "Super Numbers, drawn after betting closed: 7 at 499:1, 12 at 49:1",
        ),
        (
            "sic-01",
            "super_sic_bo",
            {"super_odds": {"specific_total:4": "99:1", "pair_match:1-2": "11:1"}},
            "Super payouts, drawn after betting closed: Pair Match 1-2 at 11:1, Specific Total 4",
        ),
    ):
        round = house.round(house.table(code, "club-a", game))
        rounds.close_betting(round=round, draws=draws, **by)
        said = text(Visitor(house.compliance).get("round", round.key))
        assert f"No result yet {told}" in said
        assert "Drawn after betting closed" in said
        assert "draws: – → Super" in said


def test_a_result_is_told_with_who_recorded_it(house: House) -> None:
    round = house.hand()
    house.result(round, PLAYER_WINS, dealer="Mika", video="cam 1 21:00:05")
    said = text(Visitor(house.supervisor).get("round", KEY))
    assert "Result by studio" in said
    assert "Player 9 beats Banker 7" in said
    assert "Dealer Mika" in said
    assert "Video cam 1 21:00:05" in said


def test_a_result_can_be_asked_what_other_bets_would_have_paid(house: House) -> None:
    visitor = Visitor(house.supervisor)
    round = house.hand()
    assert "to-whatif" not in visitor.get("round", KEY).content.decode()
    house.result(round, PLAYER_WINS)
    link = re.search(r'id="to-whatif" href="([^"]*)"', visitor.get("round", KEY).content.decode())
    assert link
    asked = visitor.client.get(unescape(link[1]))
    assert "No Commission Baccarat" in text(asked)
    assert "Player 9 beats Banker 7" in text(asked)


def test_every_outcome_stands_in_its_own_column(house: House, settled: Ticket) -> None:
    house.edit(settled.round, BANKER_WINS)
    house.void(settled.round)
    house.reinstate(settled.round, ground="wrong_entry")
    page = Visitor(house.compliance).get("round", KEY)
    columns = re.findall(r"<article.*?</article>", page.content.decode(), flags=re.DOTALL)
    assert len(columns) == 4
    said = text(page)
    assert "1. Result Superseded" in said
    assert "2. Edited result Superseded" in said
    assert "3. Void Superseded" in said
    assert "4. Reinstated In force" in said
    edited = text_of(columns[1])
    assert "Banker 7 beats Player 6" in edited
    assert "By manager entered by hand" in edited
    assert "Ground Wrong card Wrong dealing is corrected" in edited
    assert "Note Seen on video." in edited
    assert "Evidence cam 3 03:00:12" in edited


def text_of(markup: str) -> str:
    return " ".join(re.sub(r"<svg.*?</svg>|<[^>]*>", " ", markup, flags=re.DOTALL).split())


def test_money_is_told_by_operator_and_currency(house: House) -> None:
    round = house.hand()
    house.limit(round.table, "EUR")
    house.ticket(round, ("player", "100"))
    house.ticket(round, ("banker", "40"), player="p-2")
    house.ticket(round, ("banker", "30"), client=house.south, currency="EUR")
    house.result(round, PLAYER_WINS)
    house.settle()
    said = text(Visitor(house.compliance).get("round", KEY))
    assert "north 2 140.00 USD 200.00 USD -60.00 USD" in said
    assert "south 1 30.00 EUR 0.00 EUR 30.00 EUR" in said


def test_every_settlement_is_listed_with_its_differences(house: House, settled: Ticket) -> None:
    house.void(settled.round)
    said = text(Visitor(house.compliance).get("round", KEY))
    assert re.search(
        r"No\. 1 Settlement, outcome 1 .*? north 1 100.00 USD 200.00 USD \+200.00 USD", said
    )
    assert re.search(
        r"No\. 2 Void, outcome 2 .*? north 1 100.00 USD 100.00 USD 0.00 USD -100.00 USD", said
    )
    assert "north 1 100.00 USD 100.00 USD 0.00 USD" in said


def test_a_settlement_that_changed_no_ticket_is_listed_too(house: House) -> None:
    round = house.hand()
    house.result(round, PLAYER_WINS)
    house.settle()
    assert "No ticket changed." in text(Visitor(house.compliance).get("round", KEY))


def test_the_first_tickets_are_shown_and_refusals_counted(house: House) -> None:
    round = house.hand()
    tickets = sorted(house.tickets(22, round, ("player", "10")), key=lambda ticket: ticket.pk)
    for _ in range(3):
        house.bet(round, ("player", "5000"))
    house.bet(round, ("no_such_bet", "10"))
    page = Visitor(house.compliance).get("round", KEY)
    said = text(page)
    assert "4 refused: above maximum 3, unknown bet 1" in said
    shown = [ticket for ticket in tickets if f"{ticket.reference} " in said]
    assert shown == tickets[:20]
    assert "The first 20 are shown." in said
    assert f"/admin/tickets/?round={KEY}" in page.content.decode()


def test_who_may_not_see_money_sees_none(house: House) -> None:
    house.play(PLAYER_WINS, ("player", "123.45"))
    said = text(Visitor(house.administrator).get("round", KEY))
    assert "123.45" not in said
    assert "Settlements" not in said


def test_the_story_is_for_who_may_read_the_log(house: House, settled: Ticket) -> None:
    house.void(settled.round)
    read = text(Visitor(house.compliance).get("round", KEY))
    assert "Hand voided manager" in read
    assert "phase: resulted → void" in read
    assert "Seen on video." in read
    assert "from the sealed log" not in text(Visitor(house.manager).get("round", KEY))


def test_a_hand_on_hold_shows_what_was_posted_and_what_the_book_says(house: House) -> None:
    house.result(house.hand(), WRONG_THIRD_CARD)
    page = Visitor(house.manager).get("round", KEY)
    said = text(page)
    assert "Wrong card: on hold until it is ruled on" in said
    assert "The book says: Wrong dealing is corrected" in said
    assert "king of spades, six of hearts, two of clubs" in page.content.decode().lower()


def test_hands_lead_to_the_ones_beside_them(house: House) -> None:
    for outcome in (PLAYER_WINS, TIE, BANKER_WINS):
        house.play(outcome, ("tie", "1"))
    page = Visitor(house.supervisor).get("round", "bac-01-1-2").content.decode()
    assert re.search(r'id="to-before" href="/admin/rounds/bac-01-1-1/"', page)
    assert re.search(r'id="to-after" href="/admin/rounds/bac-01-1-3/"', page)


@pytest.mark.parametrize(
    ("situation", "allowed"),
    [
        ("betting", {"Void hand"}),
        ("closed", {"Void hand"}),
        ("on_hold", {"Void hand", "Edit result"}),
        ("resulted", {"Void hand", "Edit result"}),
        ("void", {"Reinstate hand"}),
    ],
)
def test_only_what_may_be_ruled_can_be_pressed(
    house: House, situation: str, allowed: set[str]
) -> None:
    round = house.hand()
    match situation:
        case "closed":
            house.close(round)
        case "on_hold":
            house.result(round, WRONG_THIRD_CARD)
        case "resulted":
            house.result(round, PLAYER_WINS)
        case "void":
            house.result(round, PLAYER_WINS)
            house.void(round)
    buttons = Visitor(house.manager).get("round", KEY).context_data["buttons"]
    assert {button["label"] for button in buttons if not button["refusal"]} == allowed


@pytest.mark.parametrize("person", ["supervisor", "compliance", "administrator"])
def test_who_may_not_rule_is_told_so_once(house: House, settled: Ticket, person: str) -> None:
    said = text(Visitor(getattr(house, person)).get("round", KEY))
    assert said.count("may not do this: void a hand") == 1


def test_the_page_follows_the_round(house: House) -> None:
    round = house.hand()
    visitor = Visitor(house.supervisor)
    page = visitor.get("round", KEY)
    assert look(visitor, page).status_code == 204
    house.ticket(round, ("player", "10"))
    page = look(visitor, page)
    assert "on 1 ticket" in text(page)
    house.result(round, PLAYER_WINS)
    page = look(visitor, page)
    assert "Settling…" in text(page)
    house.settle()
    page = look(visitor, page)
    assert "Settling…" not in text(page)
    assert "No. 1 Settlement" in text(page)
    assert look(visitor, page).status_code == 204


@pytest.mark.nothing_dealt
def test_a_round_with_a_name_of_the_tables_own_has_its_page(house: House) -> None:
    table = house.table()
    house.shoe(table)
    rounds.open_round(
        table=table, number=1, round_id="studio/7:α", actor=house.studio.person, reason=REASON
    )
    visitor = Visitor(house.manager)
    assert visitor.get("round", "studio/7:α").status_code == 200
    assert visitor.get("ruling", "void_hand", "studio/7:α", script=True).status_code == 200
    assert visitor.get("table", "bac-01").status_code == 200


def test_more_tickets_take_no_more_queries(house: House) -> None:
    round = house.hand()
    house.ticket(round, ("player", "10"))
    visitor = Visitor(house.compliance)
    one = queries(lambda: visitor.get("round", KEY))
    house.tickets(30, round, ("player", "10"))
    assert queries(lambda: visitor.get("round", KEY)) == one <= 35


def test_a_round_and_the_one_that_rides_on_it_lead_to_each_other(house: House) -> None:
    pictures = house.round(house.table("pic-01", "club-b", "three_pictures"))
    fan = house.round(house.table("fan-01", "club-b", "super_fan_tan", rides_on="pic-01"))
    visitor = Visitor(house.supervisor)
    told = f"{fan.key} takes its cards from this round and follows it."
    assert told in text(visitor.get("round", pictures.key))
    assert f"Takes its cards from {pictures.key}" in text(visitor.get("round", fan.key))
