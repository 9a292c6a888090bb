"""The floor page: what a card says, what is loud, and what a refresh costs."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.urls import reverse

from casino.models import Incident, Round, Shoe
from casino.pages.floor import card
from casino.pages.states import State, states, with_results
from casino.services import shoes
from tests.dealing import dealt
from tests.house import (
    BANKER_WINS,
    PLAYER_WINS,
    REASON,
    TIE,
    WRONG_THIRD_CARD,
    House,
)
from tests.web.browsing import Visitor, hidden, text
from tests.web.counting import queries

pytestmark = pytest.mark.first_hand


@dealt
def three(house: House) -> None:
    """A hand with betting open, one on hold at a table of another game, and no hand."""
    house.hand("bac-01")
    house.result(house.hand("bac-02", book="asia", game="baccarat"), WRONG_THIRD_CARD)
    house.table("bac-03")


@dealt
def beside(house: House) -> Round:
    """A ticket on a hand that has another beside it."""
    round = house.hand("bac-01")
    house.hand("bac-02")
    house.ticket(round, ("player", "10"))
    return round


def state(code: str = "bac-01") -> State:
    return with_results(states(code=code))[0]


def shown(code: str = "bac-01") -> dict[str, Any]:
    return card(state(code), money=True)


def seal() -> None:
    """Seal the log, as a commit would; these tests never commit."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def look(visitor: Visitor, page: Any, **query: str) -> Any:
    """Ask what changed since a page was shown, as the page itself does."""
    seal()
    seen = re.findall(r'name="seen" value="([^"]*)"', page.content.decode())
    return visitor.get("floor_live", script=True, pulse=hidden(page, "pulse"), seen=seen, **query)


@pytest.mark.nothing_dealt
def test_a_house_without_tables_says_so(house: House) -> None:
    assert "No table yet" in text(Visitor(house.manager).get("floor"))


@pytest.mark.nothing_dealt
def test_a_card_follows_the_hand(house: House) -> None:
    house.table()
    assert shown()["status"] == ""
    round = house.hand()
    assert (shown()["status"], shown()["since"]) == ("betting", round.opened_at)
    round = house.close(round)
    assert (shown()["status"], shown()["since"]) == ("closed", round.closed_at)
    house.post_result(round, PLAYER_WINS)
    round.refresh_from_db()
    assert (shown()["status"], shown()["since"]) == ("resulted", round.resulted_at)
    house.void(round)
    assert shown()["status"] == "void"


def test_a_card_shows_the_last_result_with_its_cards(house: House) -> None:
    house.play(PLAYER_WINS, ("tie", "1"))
    house.hand()
    one = shown()
    assert one["headline"] == "Player 9 beats Banker 7"
    assert one["last"] == "Last: hand 1"
    assert [(side.label, side.cards, side.points, side.won) for side in one["sides"]] == [
        ("Player", ("KS", "9H"), 9, True),
        ("Banker", ("7D", "JC"), 7, False),
    ]
    assert (one["shoe"], one["hand"]) == (1, 2)


def test_the_bead_plate_has_every_hand_but_void_ones(house: House) -> None:
    for outcome in (PLAYER_WINS, BANKER_WINS, TIE):
        house.play(outcome, ("tie", "1"))
    house.void(Round.objects.get(number=2))
    assert [hand.winner for hand in shown()["results"]] == ["player", "", "tie"]


def test_open_stakes_are_told_by_currency_with_tickets_and_players(house: House) -> None:
    round = house.hand()
    house.limit(round.table, "EUR")
    house.ticket(round, ("player", "10"), player="ann")
    house.ticket(round, ("tie", "5.50"), player="ann")
    house.ticket(round, ("player", "7"), player="bob", client=house.south, currency="EUR")
    house.ticket(round, ("player", "900"), player="tester", test=True)
    one = shown()
    assert one["stakes"] == [(700, "EUR"), (1550, "USD")]
    assert (one["tickets"], one["players"]) == (3, 2)
    house.ticket(round, ("tie", "3"), player="ann", currency="EUR")
    house.ticket(round, ("tie", "2"), player="ann", client=house.south)
    one = shown()
    assert one["stakes"] == [(1000, "EUR"), (1750, "USD")]
    assert (one["tickets"], one["players"]) == (5, 3), "one Ann of two currencies, and another"


def test_what_is_settled_is_not_open_any_more(house: House) -> None:
    house.play(PLAYER_WINS, ("player", "10"))
    assert shown()["stakes"] == []


def test_a_hand_on_hold_is_loud_on_its_card_and_at_the_head(house: House) -> None:
    house.result(house.hand(), WRONG_THIRD_CARD)
    page = Visitor(house.manager).get("floor")
    said = text(page)
    assert "Needs a decision bac-01 hand 1 On hold Wrong card. Player drew a third card" in said
    assert reverse("admin:incident", args=[Incident.objects.get().pk]) in page.content.decode()
    assert shown()["status"] == "on_hold"


def test_what_is_on_hold_is_told_before_what_is_open_for_longer(house: House) -> None:
    house.incident(house.hand("bac-01"))
    house.result(house.hand("bac-02"), WRONG_THIRD_CARD)
    house.incident(house.hand("bac-03"))
    told = re.findall(r"bac-0\d hand 1", text(Visitor(house.manager).get("floor")))
    assert told[:3] == ["bac-02 hand 1", "bac-01 hand 1", "bac-03 hand 1"]


def test_a_hand_on_hold_stays_loud_while_the_next_is_dealt(house: House) -> None:
    house.result(house.hand(), WRONG_THIRD_CARD)
    house.hand()
    assert shown()["status"] == "on_hold"


def test_an_incident_goes_once_it_is_ruled_on(house: House) -> None:
    round = house.hand()
    house.result(round, WRONG_THIRD_CARD)
    house.void(round)
    assert shown()["alert"] is None
    assert "Needs a decision bac-01" not in text(Visitor(house.manager).get("floor"))


def test_the_last_hand_of_a_shoe_is_named(house: House) -> None:
    round = house.hand()
    shoes.draw_blue_card(
        shoe=Shoe.objects.get(), at="in_hand", actor=house.studio.person, reason=REASON
    )
    assert shown(round.table.code)["shoe_note"] == "Last hand"


def test_who_may_not_see_money_sees_no_stake(house: House) -> None:
    house.ticket(house.hand(), ("player", "123.45"))
    assert "123.45" in text(Visitor(house.supervisor).get("floor"))
    assert "123.45" not in text(Visitor(house.administrator).get("floor"))


@pytest.mark.parametrize(
    ("query", "codes"),
    [
        ({}, ["bac-01", "bac-02", "bac-03"]),
        ({"pit": "main"}, ["bac-01", "bac-02", "bac-03"]),
        ({"pit": "elsewhere"}, []),
        ({"game": "asia/baccarat"}, ["bac-02"]),
        ({"state": "betting"}, ["bac-01"]),
        ({"state": "attention"}, ["bac-02"]),
        ({"state": "idle"}, ["bac-03"]),
        ({"state": "betting", "game": "asia/baccarat"}, []),
    ],
)
def test_the_floor_is_narrowed_by_pit_game_and_state(
    house: House, three: None, query: dict[str, str], codes: list[str]
) -> None:
    page = Visitor(house.manager).get("floor", **query).content.decode()
    assert re.findall(r'name="seen" value="([^".]*)', page) == codes


def test_an_unchanged_floor_answers_nothing_from_one_query(house: House) -> None:
    house.play(PLAYER_WINS, ("player", "10"))
    house.ticket(house.hand(), ("tie", "1"))
    seal()
    visitor = Visitor(house.manager)
    page = visitor.get("floor")
    assert look(visitor, page).status_code == 204
    who_asks = 2  # the session and the person
    pulse = hidden(page, "pulse")
    asked = queries(lambda: visitor.get("floor_live", script=True, pulse=pulse))
    assert asked == who_asks + 1


@pytest.mark.parametrize("event", ["ticket", "close", "result", "settle", "rule", "incident"])
def test_a_change_brings_its_card_and_no_other(house: House, beside: Round, event: str) -> None:
    round, visitor = beside, Visitor(house.manager)
    if event in ("settle", "rule"):
        house.result(round, PLAYER_WINS)
    if event == "rule":
        house.settle()
    page = visitor.get("floor")
    match event:
        case "ticket":
            house.ticket(round, ("player", "10"))
        case "close":
            house.close(round)
        case "result":
            house.result(round, PLAYER_WINS)
        case "settle":
            house.settle()
        case "rule":
            house.void(round)
        case "incident":
            house.result(round, WRONG_THIRD_CARD)
    answer = look(visitor, page)
    assert answer.status_code == 200
    assert re.findall(r'id="table-([^"]*)"', answer.content.decode()) == ["bac-01"]


def test_a_floor_of_other_tables_is_sent_whole(house: House) -> None:
    house.hand("bac-01")
    visitor = Visitor(house.manager)
    page = visitor.get("floor", state="betting")
    house.hand("bac-02")
    answer = look(visitor, page, state="betting")
    assert (answer["HX-Retarget"], answer["HX-Reswap"]) == ("#floor", "outerHTML")
    assert "bac-02" in text(answer)


def test_more_tables_take_no_more_queries(house: House) -> None:
    def deal(tables: range) -> None:
        for number in tables:
            code = f"bac-{number:02d}"
            house.play(PLAYER_WINS, ("player", "10"), code=code)
            house.ticket(house.hand(code), ("tie", "1"))

    visitor = Visitor(house.manager)
    deal(range(1, 3))
    two = queries(lambda: visitor.get("floor"))
    two_live = queries(lambda: visitor.get("floor_live", script=True))
    deal(range(3, 6))
    assert queries(lambda: visitor.get("floor")) == two <= 20
    assert queries(lambda: visitor.get("floor_live", script=True)) == two_live


@pytest.mark.nothing_dealt
@pytest.mark.parametrize(
    ("game", "outcome", "picture"),
    [
        ("roulette", {"number": 17}, "17 black"),
        ("sic_bo", {"dice": [4, 4, 2]}, "Die showing 4"),
        ("super_color_sic_bo", {"dice": [12, 1, 7]}, "Die showing 12"),
        ("super_ball", {"number": 7}, "7 red"),
    ],
)
def test_a_table_without_shoes_shows_its_rounds(
    house: House, game: str, outcome: dict[str, Any], picture: str
) -> None:
    table = house.table(book="club-b", game=game)
    for number in (1, 2):
        round = house.round(table, number)
        house.result(round, outcome)
    assert (shown()["round_word"], shown()["hand"]) == ("Round", 2)
    visitor = Visitor(house.manager)
    assert f'aria-label="{picture}"' in visitor.get("floor").content.decode()
    page = visitor.get("table", "bac-01")
    assert "Latest rounds" in text(page)
    assert f'aria-label="{picture}"' in page.content.decode()
    assert f'aria-label="{picture}"' in visitor.get("round", "bac-01-2").content.decode()


@pytest.mark.nothing_dealt
def test_dragon_tiger_has_its_road(house: House) -> None:
    house.play({"dragon": "KS", "tiger": "7H"}, ("tie", "1"), game="dragon_tiger")
    one = shown()
    assert [(side.label, side.cards, side.tone, side.won) for side in one["sides"]] == [
        ("Dragon", ("KS",), "first", True),
        ("Tiger", ("7H",), "second", False),
    ]
    assert [hand.winner for hand in one["results"]] == ["dragon"]
