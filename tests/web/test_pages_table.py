"""The page of one table: its running round, roads, hands, limits and incidents."""

from __future__ import annotations

import re
from typing import Any

import pytest

from casino.models import Round, Shoe
from casino.services import shoes
from games.roads import Road
from tests.house import BANKER_WINS, PLAYER_WINS, REASON, TIE, WRONG_THIRD_CARD, House
from tests.web.browsing import Visitor, text
from tests.web.counting import queries
from tickets.models import Ticket

pytestmark = pytest.mark.first_hand


def look(visitor: Visitor, page: Any, code: str = "bac-01", **query: str) -> Any:
    """Ask whether the page still holds, as the page itself does."""
    seen = re.search(r"tables/[^/]*/live/\?seen=([^&\"]*)", page.content.decode())
    assert seen
    return visitor.get("table_live", code, script=True, seen=seen[1], **query)


@pytest.mark.nothing_dealt
def test_a_table_without_a_shoe_says_so(house: House) -> None:
    house.table()
    said = text(Visitor(house.supervisor).get("table", "bac-01"))
    assert "Nothing dealt yet" in said
    assert "No shoe yet" in said


def test_the_running_hand_is_told_with_what_lies_on_it(house: House) -> None:
    round = house.hand()
    house.ticket(round, ("player", "10"), player="ann")
    house.ticket(round, ("banker", "5"), player="bob")
    said = text(Visitor(house.supervisor).get("table", "bac-01"))
    assert "bac-01 Betting" in said
    assert "Open stake 15.00 USD" in said
    assert "Open tickets 2 2 players" in said


def test_the_five_roads_are_those_of_the_shoe(house: House) -> None:
    for outcome in (PLAYER_WINS, BANKER_WINS, TIE, BANKER_WINS):
        house.play(outcome, ("tie", "1"))
    page = Visitor(house.supervisor).get("table", "bac-01")
    board = page.context_data["board"]
    assert [cell.mark for cell in board.roads[Road.BEAD_PLATE]] == [
        "player", "banker", "tie", "banker",
    ]  # fmt: skip
    assert [(cell.mark, cell.ties) for cell in board.roads[Road.BIG_ROAD]] == [
        ("player", 0), ("banker", 1), ("banker", 0),
    ]  # fmt: skip
    for name in ("Bead plate", "Big road", "Big eye boy", "Small road", "Cockroach pig"):
        assert f"<figcaption>{name}</figcaption>" in page.content.decode()


def test_the_roads_are_drawn_anew_after_an_edit_and_a_void(house: House) -> None:
    for _ in range(3):
        house.play(PLAYER_WINS, ("tie", "1"))
    house.edit(Round.objects.get(number=1), BANKER_WINS)
    house.void(Round.objects.get(number=2))
    board = Visitor(house.supervisor).get("table", "bac-01").context_data["board"]
    assert [cell.mark for cell in board.roads[Road.BEAD_PLATE]] == ["banker", "player"]


def test_the_hands_of_the_shoe_are_listed_newest_first(house: House, settled: Ticket) -> None:
    house.play(BANKER_WINS, ("player", "10"))
    house.ticket(house.hand(), ("player", "10"))
    said = text(Visitor(house.supervisor).get("table", "bac-01"))
    third, second, first = (said.index(f"Hand {number} ", 300) for number in (3, 2, 1))
    assert third < second < first
    assert "Hand 1 Player K♠ king of spades 9♥ nine of hearts Banker" in said
    rows = Visitor(house.supervisor).get("table", "bac-01").context_data["rows"]
    assert [(row["headline"], row["tickets"]) for row in rows] == [
        ("", 1),
        ("Banker 7 beats Player 6", 1),
        ("Player 9 beats Banker 7", 1),
    ]


def test_a_hand_that_waits_for_its_settlement_says_so(house: House, settled: Ticket) -> None:
    visitor = Visitor(house.supervisor)
    assert "settling" not in text(visitor.get("table", "bac-01"))
    house.void(settled.round, settle=False)
    assert "settling" in text(visitor.get("table", "bac-01"))


def test_an_older_shoe_stays_readable(house: House, settled: Ticket) -> None:
    shoes.close_shoe(shoe=Shoe.objects.get(), actor=house.studio.person, reason=REASON)
    table = Shoe.objects.get().table
    house.shoe(table, 2)
    house.round(table)
    visitor = Visitor(house.supervisor)
    assert "Hands of shoe 2" in text(visitor.get("table", "bac-01"))
    older = text(visitor.get("table", "bac-01", shoe=1))
    assert "Hands of shoe 1" in older
    assert "Player 9 beats Banker 7" in older
    assert visitor.get("table", "bac-01", shoe=9).status_code == 404
    assert visitor.get("table", "bac-01", shoe="x").status_code == 404


def test_limits_in_force_are_told_bet_by_bet(house: House) -> None:
    table = house.table()
    house.limit(table, bets={"tie": (100, 5000)}, table_max=200_000)
    said = text(Visitor(house.supervisor).get("table", "bac-01"))
    assert "Tie 1.00 USD 50.00 USD Every other bet 1.00 USD 1,000.00 USD" in said
    assert "All bets of one player – 2,000.00 USD" in said


def test_incidents_are_listed_with_their_answers(house: House) -> None:
    round = house.hand()
    house.result(round, WRONG_THIRD_CARD)
    visitor = Visitor(house.supervisor)
    assert "Player drew a third card on 6." in text(visitor.get("table", "bac-01"))
    house.void(round)
    said = text(visitor.get("table", "bac-01"))
    assert "Void hand manager" in said


def test_a_hand_on_hold_and_the_next_one_are_told_apart(house: House) -> None:
    held = house.hand()
    house.result(held, WRONG_THIRD_CARD)
    visitor = Visitor(house.manager)
    assert "bac-01 On hold" in text(visitor.get("table", "bac-01"))
    house.hand()
    page = visitor.get("table", "bac-01")
    assert "bac-01 Hand 2 Betting Hand 1 On hold" in text(page)
    house.stop()
    assert "bac-01 Hand 2 Betting stopped Hand 1 On hold" in text(look(visitor, page))
    card = text(visitor.get("floor"))
    assert "Betting stopped Shoe 1 Hand 2 On hold. Hand 1 Betting stopped. Camera 3" in card
    house.void(held)
    said = text(visitor.get("table", "bac-01"))
    assert "bac-01 Betting stopped" in said and "bac-01 Betting stopped Betting" not in said


def test_times_are_the_pits_with_its_gaming_day(house: House) -> None:
    """Manila is eight hours ahead; before six in the morning it is still yesterday's day."""
    house.hand()
    page = Visitor(house.supervisor).get("table", "bac-01").content.decode()
    assert re.search(r'title="[^"]* Asia/Manila, \d\d:\d\d:\d\d UTC"', page)
    assert "gaming day" in page


def test_who_may_not_see_money_sees_none(house: House) -> None:
    house.ticket(house.hand(), ("player", "123.45"))
    said = text(Visitor(house.administrator).get("table", "bac-01"))
    assert "123.45" not in said
    assert "Tickets" not in said


def test_the_page_follows_the_table(house: House) -> None:
    round = house.hand()
    visitor = Visitor(house.supervisor)
    page = visitor.get("table", "bac-01")
    assert look(visitor, page).status_code == 204
    house.ticket(round, ("player", "10"))
    page = look(visitor, page)
    assert "Open tickets 1" in text(page)
    assert "gaming day" in text(page)
    house.result(round, PLAYER_WINS)
    page = look(visitor, page)
    assert "Player 9 beats Banker 7" in text(page)
    house.settle()
    page = look(visitor, page)
    assert "settling" not in text(page)
    assert look(visitor, page).status_code == 204


def test_more_hands_take_no_more_queries(house: House, settled: Ticket) -> None:
    visitor = Visitor(house.supervisor)
    house.play(PLAYER_WINS, ("player", "10"))
    two = queries(lambda: visitor.get("table", "bac-01"))
    for _ in range(6):
        house.play(BANKER_WINS, ("player", "10"))
    assert queries(lambda: visitor.get("table", "bac-01")) == two <= 30
