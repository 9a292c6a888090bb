"""Reading tickets, rounds, tables and books."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from casino.models import Round
from tests.house import BANKER_WINS, PLAYER_WINS, WRONG_THIRD_CARD, House
from tests.web.calls import Caller
from tests.web.counting import queries
from tests.web.test_api_tickets import asked
from tickets.feed import rfc3339
from tickets.models import Settlement, Ticket

pytestmark = pytest.mark.first_hand


@pytest.fixture
def north(house: House) -> Caller:
    return Caller(house.keys["north"])


def walk(caller: Caller, path: str, *, limit: int, **query: Any) -> list[dict[str, Any]]:
    """Every row of a list, page by page."""
    found: list[dict[str, Any]] = []
    after = ""
    while True:
        page = caller.get(path, limit=limit, after=after, **query).json()
        found += page["results"]
        after = page["next"]
        assert len(page["results"]) <= limit
        if not page["has_more"]:
            return found


def test_a_ticket_tells_its_whole_story(house: House, north: Caller) -> None:
    round = house.hand()
    house.ticket(round, ("banker", "10.00"), ("tie", "2.00"), reference="story", player="p-9")
    open_one = north.get("tickets/story/").json()
    assert (open_one["status"], open_one["payout"]) == ("open", None)
    assert (open_one["settlements"], open_one["outcomes"]) == ([], [])
    house.result(round, BANKER_WINS)
    house.settle()
    ruling = house.edit(round, PLAYER_WINS)
    answer = north.get("tickets/story/").json()
    ticket = Ticket.objects.get()
    assert answer | {"settlements": None, "outcomes": None} == {
        "ticket": str(ticket.pk),
        "operator": "north",
        "reference": "story",
        "round": "bac-01-1-1",
        "player": "p-9",
        "currency": "USD",
        "test": False,
        "status": "settled",
        "stake": "12.00",
        "payout": "0.00",
        "placed_at": "2026-11-29T18:00:00.000000Z",
        "accepted_at": rfc3339(ticket.accepted_at),
        "book": "club-a",
        "game": "no_commission_baccarat",
        "book_version": "1",
        "limit_version": "1",
        "bets": [
            {"bet": "banker", "selection": "", "stake": "10.00"},
            {"bet": "tie", "selection": "", "stake": "2.00"},
        ],
        "settlements": None,
        "outcomes": None,
    }
    assert [(row["kind"], row["payout"], row["delta"]) for row in answer["settlements"]] == [
        ("settle", "20.00", "20.00"),
        ("resettle", "0.00", "-20.00"),
    ]
    assert answer["settlements"] == north.get("settlements/").json()["results"]
    assert [(row["revision"], row["kind"], row["ruling"]) for row in answer["outcomes"]] == [
        (1, "result", None),
        (2, "edit", str(ruling.pk)),
    ]
    assert answer["outcomes"][0]["outcome"] == BANKER_WINS


def test_a_ticket_shows_no_outcome_that_it_does_not_follow_yet(house: House, north: Caller) -> None:
    round = house.hand()
    house.ticket(round, ("banker", "10.00"), reference="waits")
    house.result(round, BANKER_WINS)
    answer = north.get("tickets/waits/").json()
    assert (answer["status"], answer["outcomes"]) == ("open", [])


def test_tickets_are_found_by_round_player_and_status(house: House, north: Caller) -> None:
    first, second, third = (house.hand(code=f"bac-0{n}") for n in (1, 2, 3))
    for round in (first, second, third):
        house.ticket(round, ("banker", "1.00"), player="p-1", reference=f"{round.key}-1")
        house.ticket(round, ("tie", "1.00"), player="p-2", reference=f"{round.key}-2")
    for round in (first, second):
        house.result(round, BANKER_WINS)
    house.settle()
    house.void(second)

    def found(**query: str) -> list[str]:
        return [row["reference"] for row in north.get("tickets/", **query).json()["results"]]

    assert len(found()) == 6
    assert found(round=first.key) == [f"{first.key}-2", f"{first.key}-1"]
    assert found(player="p-1") == [f"{round.key}-1" for round in (third, second, first)]
    assert found(status="open") == [f"{third.key}-2", f"{third.key}-1"]
    assert found(status="settled") == [f"{first.key}-2", f"{first.key}-1"]
    assert found(status="void") == [f"{second.key}-2", f"{second.key}-1"]
    assert found(status="void", player="p-2") == [f"{second.key}-2"]
    assert found(round="nowhere") == found(player="nobody") == []
    shown = north.get("tickets/", status="void").json()["results"][0]
    assert (shown["status"], shown["payout"]) == ("void", "1.00")


def test_tickets_are_found_by_when_their_money_moved(house: House, north: Caller) -> None:
    round = house.hand()
    house.ticket(round, ("banker", "1.00"), reference="moves")
    house.ticket(round, ("tie", "1.00"), reference="stays")
    house.result(round, BANKER_WINS)
    house.settle()
    first = Settlement.objects.get().settled_at

    def found(moment: Any) -> set[str]:
        answer = north.get("tickets/", settled_after=rfc3339(moment))
        return {row["reference"] for row in answer.json()["results"]}

    assert found(first - timedelta(microseconds=1)) == {"moves", "stays"}
    assert found(first) == set()
    house.edit(round, PLAYER_WINS)
    assert found(first) == {"moves"}


def test_lists_are_walked_by_cursor(house: House, north: Caller) -> None:
    round = house.hand()
    for number in range(7):
        house.ticket(round, ("tie", "1.00"), reference=f"r-{number}")
    whole = walk(north, "tickets/", limit=1000)
    assert [row["reference"] for row in whole] == [f"r-{n}" for n in range(6, -1, -1)]
    for limit in (1, 2, 3, 7):
        assert walk(north, "tickets/", limit=limit) == whole


def test_what_is_placed_meanwhile_moves_no_page(house: House, north: Caller) -> None:
    round = house.hand()
    for number in range(4):
        house.ticket(round, ("tie", "1.00"), reference=f"r-{number}")
    first = north.get("tickets/", limit=2).json()
    house.ticket(round, ("tie", "1.00"), reference="late")
    second = north.get("tickets/", limit=2, after=first["next"]).json()
    assert [row["reference"] for row in first["results"] + second["results"]] == [
        "r-3", "r-2", "r-1", "r-0",
    ]  # fmt: skip


def test_a_list_has_a_hundred_rows_unless_more_are_asked_for(house: House, north: Caller) -> None:
    round = house.hand()
    north.post(
        "tickets/",
        [asked(round, ("tie", "1.00"), reference=f"r-{n}", player=f"p-{n}") for n in range(101)],
    )
    page = north.get("tickets/").json()
    assert (len(page["results"]), page["has_more"]) == (100, True)
    page = north.get("tickets/", limit=101).json()
    assert (len(page["results"]), page["has_more"]) == (101, False)


def test_rounds_are_found_by_table_and_status(house: House, north: Caller) -> None:
    running, closed, held, void, resulted = (house.hand(code=f"bac-0{n}") for n in range(1, 6))
    house.close(closed)
    house.result(held, WRONG_THIRD_CARD)
    house.result(void, BANKER_WINS)
    house.void(void)
    house.result(resulted, BANKER_WINS)

    def found(**query: str) -> list[str]:
        return [row["id"] for row in north.get("rounds/", **query).json()["results"]]

    assert found() == [f"bac-0{n}-1-1" for n in (5, 4, 3, 2, 1)]
    assert found(table="bac-02") == [closed.key]
    for round, status in (
        (running, "betting"),
        (closed, "closed"),
        (held, "on_hold"),
        (void, "void"),
        (resulted, "resulted"),
    ):
        assert found(status=status) == [round.key]
    assert walk(north, "rounds/", limit=2) == walk(north, "rounds/", limit=1000)


def test_a_round_shows_every_outcome_and_settlement(house: House, north: Caller) -> None:
    round = house.hand()
    house.ticket(round, ("banker", "10.00"))
    house.result(round, BANKER_WINS)
    house.settle()
    ruling = house.void(round)
    answer = north.get(f"rounds/{round.key}/").json()
    assert (answer["status"], answer["outcome_revision"], answer["settled_revision"]) == (
        "void",
        2,
        2,
    )
    assert [(row["kind"], row["headline"]) for row in answer["outcomes"]] == [
        ("result", "Banker 7 beats Player 6"),
        ("void", "Void: exposed card"),
    ]
    first, second = answer["settlements"]
    assert (first["settlement"], first["kind"], first["ruling"]) == (1, "settle", None)
    assert (second["settlement"], second["kind"], second["ruling"]) == (2, "void", str(ruling.pk))
    assert second["totals"] == [
        {
            "operator": "north",
            "currency": "USD",
            "test": False,
            "tickets": 1,
            "stake": "10.00",
            "payout": "10.00",
            "up": "0.00",
            "down": "-10.00",
        }
    ]


@pytest.mark.parametrize("state", ["betting", "closed", "on_hold"])
def test_no_cards_of_a_round_are_served_before_its_result(
    house: House, north: Caller, state: str
) -> None:
    round = house.hand()
    house.ticket(round, ("banker", "10.00"), reference="r-1")
    if state == "closed":
        house.close(round)
    elif state == "on_hold":
        house.result(round, WRONG_THIRD_CARD)
    assert north.get(f"rounds/{round.key}/").json()["status"] == state
    for path in (f"rounds/{round.key}/", "rounds/", "tables/", "tickets/r-1/", "settlements/"):
        served = north.get(path).content.decode()
        assert not any(card in served for card in ("KS", "6H", "2C", "7D", "JC")), path


@pytest.mark.nothing_dealt
def test_a_table_shows_what_runs_there(house: House, north: Caller) -> None:
    idle = house.table("bac-01")
    house.limit(idle, "JPY", bets={"": (100, 100_000), "tie": (100, 5_000)}, table_max=200_000)
    round = house.hand(code="bac-02")
    house.close(round)
    first, second = north.get("tables/").json()["results"]
    assert (first["table"], first["shoe"], first["round"]) == ("bac-01", None, None)
    assert all(limits.pop("effective_from").endswith("Z") for limits in first["limits"])
    assert first["limits"] == [
        {
            "currency": "JPY",
            "version": "1",
            "table_min": None,
            "table_max": "200000",
            "payout_max": None,
            "bets": [
                {"bet": "", "selection": "", "minimum": "100", "maximum": "100000"},
                {"bet": "tie", "selection": "", "minimum": "100", "maximum": "5000"},
            ],
        },
        {
            "currency": "USD",
            "version": "1",
            "table_min": None,
            "table_max": None,
            "payout_max": None,
            "bets": [{"bet": "", "selection": "", "minimum": "1.00", "maximum": "1000.00"}],
        },
    ]
    assert (second["shoe"]["number"], second["shoe"]["phase"]) == (1, "open")
    assert (second["round"]["id"], second["round"]["status"]) == ("bac-02-1-1", "closed")
    assert (second["pit"], second["book"]) == ("main", "club-a")


@pytest.mark.nothing_dealt
def test_a_table_shows_the_newest_limits(house: House, north: Caller) -> None:
    house.limit(house.table(), bets={"": (200, 300)})
    [table] = north.get("tables/").json()["results"]
    assert [(row["version"], row["bets"][0]["minimum"]) for row in table["limits"]] == [
        ("2", "2.00")
    ]


@pytest.mark.nothing_dealt
def test_an_operator_is_shown_the_limits_that_hold_for_it(house: House, north: Caller) -> None:
    table = house.table()
    house.limit(table, operator=house.south.operator, bets={"": (200, 300)})
    house.limit(table, operator=house.north.operator, bets={"": (400, 500)}, payout_max=900)
    [row] = north.get("tables/").json()["results"]
    [limits] = row["limits"]
    assert (limits["bets"][0]["maximum"], limits["payout_max"]) == ("5.00", "9.00")


@pytest.mark.nothing_dealt
def test_tables_are_walked_by_code(house: House, north: Caller) -> None:
    for code in ("c", "a", "b"):
        house.table(code)
    assert [row["table"] for row in walk(north, "tables/", limit=1)] == ["a", "b", "c"]


def test_the_books_are_listed(house: House, north: Caller) -> None:
    books = {row["book"]: row for row in walk(north, "books/", limit=1)}
    assert sorted(books) == list(books) == ["asia", "club-a", "club-b", "euro"]
    games = [row["game"] for row in books["club-b"]["games"]]
    assert games[0] == "super_98"
    assert len(books["asia"]["digest"]) == 64


def test_a_paytable_reads_as_it_is_printed(house: House, north: Caller) -> None:
    game = north.get("books/club-a/no_commission_baccarat/").json()
    bets = {bet["bet"]: bet for bet in game["bets"]}
    assert list(bets)[:3] == ["player", "banker", "tie"]
    steps = [(rung["when"], rung["result"], rung["odds"]) for rung in bets["banker"]["ladder"]]
    assert steps == [
        ("Banker wins on 6", "win", "0.5:1"),
        ("Banker wins", "win", "1:1"),
        ("Tie", "push", ""),
    ]
    assert (bets["super_6"]["source"], bets["super_6"]["in_document"]) == ("000 L38-44", True)
    [edge] = bets["banker"]["house_edges"]
    assert edge["house_edge"].startswith("0.014581")
    assert set(edge["probabilities"]) == {"win", "push", "lose"}
    assert bets["player_pair"]["window"] is not None


def test_a_bet_that_needs_another_or_keeps_one_away_says_so(house: House, north: Caller) -> None:
    seven_up = north.get("books/club-a/seven_up/").json()
    needs = {bet["bet"]: bet["needs"] for bet in seven_up["bets"]}
    assert needs["super_7s"]
    euro = north.get("books/euro/baccarat/").json()
    assert {bet["bet"]: bet["excludes"] for bet in euro["bets"]}["player"] == ["banker"]


def test_statements_do_not_grow_with_the_rows(house: House, north: Caller) -> None:
    for number in range(1, 4):
        house.play(
            BANKER_WINS, ("banker", "1.00"), ("tie", "1.00"),
            code=f"bac-0{number}", reference=f"r-{number}",
        )  # fmt: skip
        house.limit(house.table(f"bac-0{number}"), "EUR")
    for path in ("tickets/", "rounds/", "tables/"):
        few = queries(lambda path=path: north.get(path, limit=1))  # type: ignore[misc]
        assert queries(lambda path=path: north.get(path)) == few, path  # type: ignore[misc]
    round = Round.objects.get(key="bac-01-1-1")
    paths = ("tickets/r-1/", f"rounds/{round.key}/")
    few_of = {path: queries(lambda path=path: north.get(path)) for path in paths}  # type: ignore[misc]
    for number in range(2):
        house.ticket(house.hand(), ("tie", "1.00"), reference=f"more-{number}")
        house.result(Round.objects.latest("pk"), BANKER_WINS)
        house.edit(round, PLAYER_WINS if number % 2 == 0 else BANKER_WINS)
    for path in paths:
        assert queries(lambda path=path: north.get(path)) == few_of[path], path  # type: ignore[misc]
