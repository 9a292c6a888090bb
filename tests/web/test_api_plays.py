"""Blackjack decisions over the API, until the result is recorded."""

from __future__ import annotations

from typing import Any

import pytest

from casino.models import Round
from tests.dealing import dealt
from tests.house import House
from tests.web.calls import Caller
from tests.web.counting import nothing_written

ADDED = [{"bet": "split", "selection": "box1", "stake": "10.00"}]


@pytest.fixture
def north(house: House) -> Caller:
    return Caller(house.keys["north"])


@dealt
def round(house: House) -> Round:
    round = house.round(house.table("bj-01", "club-b", "blackjack"))
    house.ticket(round, ("ante", "box1", "10"), reference="bj-1")
    return round


def decide(north: Caller, body: dict[str, Any], reference: str = "bj-1") -> Any:
    return north.post(f"tickets/{reference}/plays/", body)


def test_a_decision_adds_its_stakes(house: House, north: Caller, round: Round) -> None:
    answer = decide(north, {"box": 1, "play": "P[HS][S]", "added": ADDED})
    assert answer.status_code == 201
    assert answer.json()["stake"] == "20.00"
    assert answer.json()["bets"] == [
        {"bet": "ante", "selection": "box1", "stake": "10.00", "play": "P[HS][S]"},
        {"bet": "split", "selection": "box1", "stake": "10.00", "play": "P[HS][S]"},
    ]
    shown = north.get("tickets/bj-1/").json()
    assert (shown["stake"], len(shown["bets"])) == ("20.00", 2)


def test_the_same_decision_again_is_answered_200(north: Caller, round: Round) -> None:
    body = {"box": 1, "play": "P[HS][S]", "added": ADDED}
    first = decide(north, body)
    with nothing_written():
        again = decide(north, body)
    assert (again.status_code, again.json()) == (200, first.json())


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"box": 1, "play": "X"}, 422, "invalid_play"),
        ({"box": 2, "play": "S"}, 422, "prerequisite_missing"),
        ({"box": 1, "play": "D"}, 422, "prerequisite_missing"),
        ({"box": 1, "play": "S", "added": ADDED}, 422, "invalid_play"),
        ({"box": 1}, 400, "malformed"),
        ({"box": "one", "play": "S"}, 400, "malformed"),
        ({"box": 0, "play": "S"}, 400, "invalid_value"),
        ({"box": 1, "play": "S", "more": 1}, 400, "malformed"),
        ({"box": 1, "play": 7}, 400, "malformed"),
        ({"box": 1, "play": "S", "added": "split"}, 400, "malformed"),
    ],
)
def test_a_decision_that_cannot_be_writes_nothing(
    north: Caller, round: Round, body: dict[str, Any], status: int, code: str
) -> None:
    with nothing_written():
        answer = decide(north, body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


def test_decisions_end_with_the_result(house: House, north: Caller, round: Round) -> None:
    house.result(round, {"dealer": ["9H", "9D"], "boxes": {"1": {"cards": ["TS", "9C"]}}})
    answer = decide(north, {"box": 1, "play": "S"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "betting_closed")


def test_a_ticket_of_another_operator_is_not_there(house: House, round: Round) -> None:
    for key in ("south", "studio"):
        answer = decide(Caller(house.keys[key]), {"box": 1, "play": "S"})
        assert answer.status_code in (403, 404)
    assert decide(Caller(house.keys["south"]), {"box": 1, "play": "S"}).status_code == 404
