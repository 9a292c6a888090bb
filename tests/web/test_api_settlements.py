"""The feed: nothing is missed, nothing moves, and everybody sees their own."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from casino.models import Round
from tests.dealing import dealt
from tests.house import BANKER_SIX, BANKER_WINS, PLAYER_WINS, TIE, House
from tests.web.calls import Caller
from tests.web.counting import queries
from tickets import feed
from tickets.models import Ticket


@pytest.fixture
def north(house: House) -> Caller:
    return Caller(house.keys["north"])


@dealt
def night(house: House) -> list[Round]:
    """Three settled rounds with tickets of both operators, and rulings on two of them."""
    played = []
    for outcome in (BANKER_WINS, BANKER_SIX, TIE):
        round = house.hand()
        for player in ("p-1", "p-2"):
            house.ticket(round, ("banker", "10.00"), ("tie", "2.00"), player=player)
        house.ticket(round, ("player", "5.00"), player="p-3")
        house.ticket(round, ("banker", "7.00"), client=house.south)
        house.result(round, outcome)
        house.settle()
        played.append(round)
    house.edit(played[0], PLAYER_WINS)
    house.void(played[1])
    house.reinstate(played[1])
    return played


def pages(caller: Caller, *, limit: int, after: str = "") -> list[Any]:
    """Every page from a cursor to the end."""
    answers = [caller.get("settlements/", after=after, limit=limit)]
    while answers[-1].json()["has_more"]:
        after = answers[-1].json()["next"]
        answers.append(caller.get("settlements/", after=after, limit=limit))
    return answers


def rows(caller: Caller, *, limit: int = 1000, after: str = "") -> list[dict[str, Any]]:
    return [
        row
        for answer in pages(caller, limit=limit, after=after)
        for row in answer.json()["results"]
    ]


@pytest.mark.first_hand
def test_a_row_says_what_a_ticket_paid_and_why(house: House, north: Caller) -> None:
    ticket = house.play(
        BANKER_WINS, ("banker", "100.00"), ("tie", "5.00"), reference="op-7f3a", player="p-184"
    )
    answer = north.get("settlements/")
    [row] = answer.json()["results"]
    assert row == {
        "position": f"1.{ticket.pk}",
        "settlement": 1,
        "kind": "settle",
        "round": "bac-01-1-1",
        "revision": 1,
        "ticket": str(ticket.pk),
        "reference": "op-7f3a",
        "player": "p-184",
        "currency": "USD",
        "test": False,
        "stake": "105.00",
        "payout": "200.00",
        "delta": "200.00",
        "result_summary": "win",
        "ruling": None,
        "bets": [
            {
                "bet": "banker",
                "selection": "",
                "stake": "100.00",
                "result": "win",
                "odds": "1:1",
                "payout": "200.00",
                "why": "Banker 7 beats Player 6",
            },
            {
                "bet": "tie",
                "selection": "",
                "stake": "5.00",
                "result": "lose",
                "odds": "",
                "payout": "0.00",
                "why": "Banker 7 beats Player 6",
            },
        ],
        "settled_at": row["settled_at"],
    }
    assert (answer.json()["next"], answer.json()["has_more"]) == (f"1.{ticket.pk}", False)
    assert "held_since" not in answer.json()


def test_an_empty_feed_begins_at_zero(house: House, north: Caller) -> None:
    assert north.get("settlements/").json() == {"results": [], "next": "0.0", "has_more": False}
    assert north.get("settlements/", after="").json()["next"] == "0.0"


def test_no_row_is_missed_whatever_the_size_of_a_page(north: Caller, night: list[Round]) -> None:
    whole = rows(north)
    assert len(whole) > 12
    for limit in (1, 2, 3, 5, 7):
        assert rows(north, limit=limit) == whole


def test_rows_come_in_the_order_of_their_positions(north: Caller, night: list[Round]) -> None:
    positions = [tuple(map(int, row["position"].split("."))) for row in rows(north)]
    assert positions == sorted(set(positions))


def test_next_is_the_last_position_and_may_be_used_for_ever(
    house: House, north: Caller, night: list[Round]
) -> None:
    whole = rows(north)
    first = north.get("settlements/", limit=4).json()
    assert first["next"] == first["results"][-1]["position"]
    end = rows(north)[-1]["position"]
    assert north.get("settlements/", after=end).json() == {
        "results": [],
        "next": end,
        "has_more": False,
    }
    batch = int(end.partition(".")[0])
    beyond = north.get("settlements/", after=f"{batch + 1}.1")
    assert (beyond.status_code, beyond.json()["error"]["field"]) == (400, "after")
    house.edit(night[0], TIE)
    assert rows(north, after=first["next"])[: len(whole) - 4] == whole[4:]
    late = rows(north, after=end)
    assert [row["kind"] for row in late] == ["resettle"] * 3


def test_a_page_that_the_last_rows_just_fill_has_none_after_it(
    north: Caller, night: list[Round]
) -> None:
    whole = rows(north)
    for limit, more in ((len(whole) - 1, True), (len(whole), False)):
        page = north.get("settlements/", limit=limit).json()
        assert (len(page["results"]), page["has_more"]) == (limit, more)


def test_every_position_is_a_cursor(north: Caller, night: list[Round]) -> None:
    whole = rows(north)
    for number, row in enumerate(whole, start=1):
        assert rows(north, after=row["position"]) == whole[number:]


def test_replaying_from_zero_gives_the_same_bytes(
    house: House, north: Caller, night: list[Round]
) -> None:
    first = pages(north, limit=4)
    house.play(BANKER_WINS, ("banker", "1.00"), code="bac-02")
    house.void(night[2])
    again = pages(north, limit=4)
    full = [answer.content for answer in first if answer.json()["has_more"]]
    assert len(full) >= 3
    assert [answer.content for answer in again[: len(full)]] == full


def test_the_sum_of_a_tickets_deltas_is_its_payout(
    house: House, north: Caller, night: list[Round]
) -> None:
    sums: Counter[str] = Counter()
    payouts = {}
    for row in rows(north):
        sums[row["ticket"]] += Decimal(row["delta"])  # type: ignore[assignment]
        payouts[row["ticket"]] = Decimal(row["payout"])
    assert len(payouts) == 9
    assert dict(sums) == payouts
    for ticket in Ticket.objects.filter(operator__code="north"):
        assert payouts[str(ticket.pk)] * 100 == house.paid(ticket)


@pytest.mark.first_hand
def test_a_ticket_that_an_edit_leaves_as_it_was_has_no_row_in_it(
    house: House, north: Caller
) -> None:
    round = house.hand()
    house.ticket(round, ("banker", "10.00"), reference="changes")
    house.ticket(round, ("tie", "10.00"), reference="loses-both-times")
    house.result(round, BANKER_WINS)
    house.settle()
    end = rows(north)[-1]["position"]
    ruling = house.edit(round, BANKER_SIX)
    [row] = rows(north, after=end)
    assert (row["reference"], row["kind"], row["revision"]) == ("changes", "resettle", 2)
    assert (row["payout"], row["delta"], row["ruling"]) == ("15.00", "-5.00", str(ruling.pk))


@pytest.mark.first_hand
def test_a_void_and_a_reinstatement_have_their_kinds(house: House, north: Caller) -> None:
    round = house.hand()
    house.ticket(round, ("tie", "10.00"))
    house.result(round, BANKER_WINS)
    house.settle()
    house.void(round)
    house.reinstate(round)
    told = [
        (row["kind"], row["result_summary"], row["payout"], row["delta"]) for row in rows(north)
    ]
    assert told == [
        ("settle", "lose", "0.00", "0.00"),
        ("void", "void", "10.00", "10.00"),
        ("reinstate", "lose", "0.00", "-10.00"),
    ]


def test_each_operator_sees_its_own_rows_and_the_studio_all(
    house: House, north: Caller, night: list[Round]
) -> None:
    south, studio = rows(Caller(house.keys["south"])), rows(Caller(house.keys["studio"]))
    assert {row["stake"] for row in south} == {"7.00"}
    assert sorted(rows(north) + south, key=_place) == studio


def test_another_operators_cursor_shows_none_of_its_rows(
    house: House, north: Caller, night: list[Round]
) -> None:
    theirs = rows(Caller(house.keys["south"]))[0]["position"]
    seen = rows(north, after=theirs)
    assert {row["ticket"] for row in seen} <= {row["ticket"] for row in rows(north)}


@pytest.mark.first_hand
def test_test_tickets_are_marked(house: House, north: Caller) -> None:
    house.play(BANKER_WINS, ("banker", "1.00"), test=True)
    assert [row["test"] for row in rows(north)] == [True]


@pytest.mark.first_hand
def test_what_holds_the_feed_back_too_long_is_told(
    house: House, north: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    round = house.hand()
    house.ticket(round, ("banker", "1.00"))
    house.result(round, BANKER_WINS)
    monkeypatch.setattr(feed, "HELD_AFTER", timedelta(days=1))
    assert "held_since" not in north.get("settlements/").json()
    monkeypatch.setattr(feed, "HELD_AFTER", timedelta(days=-1))
    held = north.get("settlements/").json()
    assert (held["results"], held["next"]) == ([], "0.0")
    assert held["held_since"] == feed.rfc3339(round.outcomes.get().recorded_at)
    house.settle()
    assert "held_since" not in north.get("settlements/").json()


def test_statements_do_not_grow_with_the_rows(north: Caller, night: list[Round]) -> None:
    few = queries(lambda: north.get("settlements/", limit=1))
    assert queries(lambda: north.get("settlements/")) == few


def _place(row: dict[str, Any]) -> tuple[int, ...]:
    return tuple(map(int, row["position"].split(".")))
