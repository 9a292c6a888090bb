"""What comes in wrong: a clear error with its code, nothing written, nothing lost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.conf import LazySettings

from tests.house import (
    BANKER_WINS,
    PLAYER_WINS,
    WRONG_THIRD_CARD,
    House,
)
from tests.web.calls import PREFIX, Caller
from tests.web.counting import nothing_written
from tests.web.test_api_tickets import asked
from tickets.models import Refusal

pytestmark = pytest.mark.first_hand

LOST = "<lost>"
"""In place of a value: the field is left out."""


@contextmanager
def case(value: Any) -> Iterator[None]:
    """Nothing is written in this case of several; a failure names it."""
    try:
        with nothing_written():
            yield
    except AssertionError as failure:
        failure.add_note(f"The case: {value!r}")
        raise


@pytest.fixture
def north(house: House) -> Caller:
    return Caller(house.keys["north"])


@pytest.fixture
def studio(house: House) -> Caller:
    return Caller(house.keys["studio"])


def refused(answer: Any, status: int, code: str, field: str | None = None) -> str:
    """Check an error and answer its message."""
    assert answer.status_code == status, answer.content
    error = answer.json()["error"]
    assert (error["code"], error["field"]) == (code, field)
    assert error["message"].endswith((".", '"', "'")) or code == "malformed", error
    return str(error["message"])


NO_OBJECTS = [
    b"",
    b"{",
    b"{'reference': 1}",
    b'{"reference": "a", "reference": "b"}',
    b'{"bets": [{"stake": "1.00", "stake": "100.00"}]}',
    b'{"reference": NaN}',
    b'{"reference": 1e999}',
    b'{"reference": -Infinity}',
    b"\xff\xfe",
    b'\xef\xbb\xbf{"reference": "bom"}',
    b'{"reference": "\\ud800"}',
    b'{"\\uDFFF": ""}',
    b'"only text"',
    b"17",
    b"null",
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b'{"reference": ' + b"9" * 5000 + b"}",
    b'{"reference": "op"} {"reference": "op"}',
]


def test_what_is_no_json_object_is_malformed(house: House, north: Caller) -> None:
    for body in NO_OBJECTS:
        with case(body[:40]):
            answer = north.raw("tickets/", body)
            assert (answer.status_code, answer.json()["error"]["code"]) == (400, "malformed")


def test_another_media_type_is_refused(house: House, north: Caller) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "text/xml"):
        with case(kind):
            answer = north._client().post(f"{PREFIX}tickets/", "reference=1", content_type=kind)
            assert (answer.status_code, answer.json()["error"]["code"]) == (415, "malformed")


def test_a_body_over_the_limit_is_too_large(
    house: House, north: Caller, settings: LazySettings
) -> None:
    ticket = asked(house.hand(), player="p" * 1000)
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    with nothing_written():
        refused(north.raw("tickets/", json.dumps(ticket)), 413, "too_large")


def test_a_body_of_unknown_length_is_not_taken_for_none(house: House, studio: Caller) -> None:
    house.hand()
    with nothing_written():
        answer = studio._client().post(
            f"{PREFIX}rounds/bac-01-1-1/close/", HTTP_TRANSFER_ENCODING="chunked"
        )
    refused(answer, 400, "malformed")


NUL, HIDDEN = "a\0b", "a\u202eb"

SHAPES: list[tuple[dict[str, Any], str]] = [
    ({"colour": "red"}, "colour"),
    ({"reference": LOST}, "reference"),
    ({"reference": ""}, "reference"),
    ({"reference": None}, "reference"),
    ({"reference": 17}, "reference"),
    ({"reference": True}, "reference"),
    ({"reference": ["a"]}, "reference"),
    ({"reference": "a" * 65}, "reference"),
    ({"reference": "a b"}, "reference"),
    ({"reference": "a/b"}, "reference"),
    ({"reference": "."}, "reference"),
    ({"reference": ".."}, "reference"),
    ({"reference": NUL}, "reference"),
    ({"reference": HIDDEN}, "reference"),
    ({"reference": "a\nb"}, "reference"),
    ({"round": LOST}, "round"),
    ({"round": 31}, "round"),
    ({"round": NUL}, "round"),
    ({"player": LOST}, "player"),
    ({"player": 184}, "player"),
    ({"player": ""}, "player"),
    ({"player": "p" * 65}, "player"),
    ({"player": NUL}, "player"),
    ({"currency": LOST}, "currency"),
    ({"currency": 840}, "currency"),
    ({"placed_at": LOST}, "placed_at"),
    ({"placed_at": "2026-11-29T18:00:00"}, "placed_at"),
    ({"placed_at": "2026-11-29"}, "placed_at"),
    ({"placed_at": "2026-11-29 18:00:00Z"}, "placed_at"),
    ({"placed_at": "2026-02-30T18:00:00Z"}, "placed_at"),
    ({"placed_at": "2026-11-29T18:00:00+99:00"}, "placed_at"),
    ({"placed_at": "0001-01-01T00:00:00+14:00"}, "placed_at"),
    ({"placed_at": "9999-12-31T23:59:59-14:00"}, "placed_at"),
    ({"placed_at": 1_796_000_000}, "placed_at"),
    ({"placed_at": "soon"}, "placed_at"),
    ({"test": "false"}, "test"),
    ({"test": 0}, "test"),
    ({"test": None}, "test"),
    ({"bets": LOST}, "bets"),
    ({"bets": []}, "bets"),
    ({"bets": {}}, "bets"),
    ({"bets": "banker"}, "bets"),
    ({"bets": None}, "bets"),
    ({"bets": [{"bet": "tie", "stake": "1.00"}] * 201}, "bets"),
    ({"bets": ["banker"]}, "bets.0"),
    ({"bets": [{"bet": "tie", "stake": "1.00"}, {"stake": "1.00"}]}, "bets.1.bet"),
    ({"bets": [{"bet": 1, "stake": "1.00"}]}, "bets.0.bet"),
    ({"bets": [{"bet": "tie"}]}, "bets.0.stake"),
    ({"bets": [{"bet": "tie", "selection": 3, "stake": "1"}]}, "bets.0.selection"),
    ({"bets": [{"bet": "tie", "selection": None, "stake": "1"}]}, "bets.0.selection"),
    ({"bets": [{"bet": "tie", "stake": "1", "odds": "9:1"}]}, "bets.0.odds"),
]


def test_a_ticket_of_another_shape_is_malformed(house: House, north: Caller) -> None:
    whole = asked(house.hand())
    for change, field in SHAPES:
        ticket = {name: value for name, value in (whole | change).items() if value is not LOST}
        with case(change):
            answer = north.raw("tickets/", json.dumps(ticket))
            listed = north.raw("tickets/", json.dumps([ticket]))
            message = refused(answer, 400, "malformed", field)
            assert message.startswith(f"{field} ")
            [row] = listed.json()["results"]
            assert (listed.status_code, row["status_code"]) == (200, 400)
            assert row["error"] == answer.json()["error"]


NO_AMOUNTS = [
    100, 1.5, 0, -1, True, False, None, 10**30,
    "", "0", "0.00", "-1.00", "+1.00", "1e2", "1,00", "1.", ".5", " 1.00", "1.00 ", "one",
    "NaN", "Infinity", "0x10", "1_000", "１.00", "1.001", "10000000000.01", "1" + "0" * 30,
]  # fmt: skip


def test_a_stake_that_is_no_amount_is_an_invalid_stake(house: House, north: Caller) -> None:
    round = house.hand()
    for number, stake in enumerate(NO_AMOUNTS, start=1):
        with nothing_written(but=Refusal):
            answer = north.post("tickets/", asked(round, ("tie", "1.00"), ("banker", stake)))
        refused(answer, 422, "invalid_stake", "stake")
        first, second = answer.json()["bets"]
        assert (first["error"], second["error"]["code"]) == (None, "invalid_stake")
        assert Refusal.objects.count() == number
        kept = Refusal.objects.latest("pk")
        assert (kept.codes, kept.body["bets"][1]["stake"]) == (["invalid_stake"], stake)


def test_a_stake_that_cannot_be_kept_is_invalid_all_the_same(house: House, north: Caller) -> None:
    round = house.hand()
    for stake in (["1.00"], {"amount": "1.00"}, "9" * 65, NUL, "1\n"):
        with case(stake):
            answer = north.raw("tickets/", json.dumps(asked(round, ("banker", stake))))
            refused(answer, 422, "invalid_stake", "bets.0.stake")


def test_an_empty_list_is_malformed(house: House, north: Caller) -> None:
    with nothing_written():
        refused(north.post("tickets/", []), 400, "malformed")


SHOES: list[tuple[dict[str, Any], str, str]] = [
    ({"number": "1"}, "number", "malformed"),
    ({"number": 1.0}, "number", "malformed"),
    ({"number": True}, "number", "malformed"),
    ({"number": 0}, "number", "invalid_value"),
    ({"number": -1}, "number", "invalid_value"),
    ({"number": 2**31}, "number", "invalid_value"),
    ({"number": 10**400}, "number", "invalid_value"),
    ({"number": LOST}, "number", "malformed"),
    ({"first_card": "KX"}, "first_card", "invalid_value"),
    ({"first_card": "10H"}, "first_card", "invalid_value"),
    ({"first_card": "kh"}, "first_card", "invalid_value"),
    ({"first_card": ""}, "first_card", "malformed"),
    ({"first_card": 13}, "first_card", "malformed"),
    ({"first_card": "K" * 1000}, "first_card", "malformed"),
    ({"first_card": LOST}, "first_card", "invalid_value"),
    ({"burned": LOST}, "burned", "invalid_value"),
    ({"burned": -1}, "burned", "invalid_value"),
    ({"burned": 70_000}, "burned", "invalid_value"),
    ({"burned": "10"}, "burned", "malformed"),
    ({"cut": -1}, "cut", "invalid_value"),
    ({"cut": 416}, "cut", "invalid_value"),
    ({"cut": "7"}, "cut", "malformed"),
    ({"colour": "red"}, "colour", "malformed"),
]


@pytest.mark.first_table
def test_a_shoe_of_another_shape_is_refused(house: House, studio: Caller) -> None:
    house.table()
    for change, field, code in SHOES:
        shoe = {"number": 1, "first_card": "KH", "burned": 10} | change
        shoe = {name: value for name, value in shoe.items() if value is not LOST}
        with case(change):
            refused(studio.post("tables/bac-01/shoes/", shoe), 400, code, field)


ROUNDS: list[tuple[Any, str | None, str]] = [
    ({}, "number", "malformed"),
    ({"number": "1"}, "number", "malformed"),
    ({"number": 0}, "number", "invalid_value"),
    ({"number": 2**31}, "number", "invalid_value"),
    ({"number": 1, "round_id": 7}, "round_id", "malformed"),
    ({"number": 1, "round_id": ""}, "round_id", "malformed"),
    ({"number": 1, "round_id": "a/b"}, "round_id", "malformed"),
    ({"number": 1, "round_id": ".."}, "round_id", "malformed"),
    ({"number": 1, "round_id": "r" * 65}, "round_id", "malformed"),
    ({"number": 1, "round_id": NUL}, "round_id", "malformed"),
    ({"number": 1, "table": "bac-01"}, "table", "malformed"),
    ([], None, "malformed"),
]


@pytest.mark.first_table
def test_a_round_of_another_shape_is_refused(house: House, studio: Caller) -> None:
    house.shoe(house.table())
    for body, field, code in ROUNDS:
        with case(body):
            answer = studio.raw("tables/bac-01/rounds/", json.dumps(body))
            refused(answer, 400, code, field)


RESULTS: list[tuple[dict[str, Any], str]] = [
    ({}, "outcome"),
    ({"outcome": None}, "outcome"),
    ({"outcome": []}, "outcome"),
    ({"outcome": "banker"}, "outcome"),
    ({"outcome": BANKER_WINS, "winner": "banker"}, "winner"),
    ({"outcome": BANKER_WINS, "manual": "yes"}, "manual"),
    ({"outcome": BANKER_WINS, "manual": 1}, "manual"),
    ({"outcome": BANKER_WINS, "video": 17}, "video"),
    ({"outcome": BANKER_WINS, "video": "v" * 201}, "video"),
    ({"outcome": BANKER_WINS, "video": NUL}, "video"),
    ({"outcome": BANKER_WINS, "dealer": "d" * 81}, "dealer"),
    ({"outcome": BANKER_WINS, "dealer": None}, "dealer"),
]


def test_a_result_of_another_shape_is_malformed(house: House, studio: Caller) -> None:
    round = house.close(house.hand())
    for body, field in RESULTS:
        with case(body):
            answer = studio.raw(f"rounds/{round.key}/result/", json.dumps(body))
            refused(answer, 400, "malformed", field)


IMPOSSIBLE: list[dict[str, Any]] = [
    {},
    {"player": ["KS", "9H"]},
    {"player": ["KS", "9H"], "banker": ["7D"]},
    {"player": ["KS", "9H"], "banker": ["7D", "1C"]},
    {"player": ["KS", "9H"], "banker": ["7D", "JX"]},
    {"player": ["KS", "9H"], "banker": ["7D", 11]},
    {"player": ["KS", "9H"], "banker": ["7D", None]},
    {"player": ["KS", "9H"], "banker": ["7D", ["JC"]]},
    {"player": ["KS", "9H"], "banker": "7DJC"},
    {"player": ["KS", "9H"], "banker": 7},
    {"player": ["KS", "9H"], "banker": {"1": "7D"}},
    {"player": ["KS", "9H"], "banker": ["7D", "J\0"]},
    {"player": ["KS", "9H", "2C", "3C"], "banker": ["7D", "JC"]},
    {"player": ["KS"] * 500, "banker": ["7D", "JC"]},
    {"player": ["KS", "9H"], "banker": ["7D", "JC"], "die": 3},
    {"player": ["KS", "9H"], "banker": ["7D", "JC"], "\0": 3},
    {"deal": []},
    {"deal": "KS9H"},
    {"deal": ["KS"]},
    {"deal": None},
    {"deal": [["KS"], "9H", "7D", "JC"]},
    {"number": 17},
    {"number": 1.5e300},
]


def test_an_outcome_that_cannot_be_is_refused_and_the_round_stays_open_for_it(
    house: House, studio: Caller
) -> None:
    round = house.close(house.hand())
    for outcome in IMPOSSIBLE:
        with case(outcome):
            answer = studio.raw(f"rounds/{round.key}/result/", json.dumps({"outcome": outcome}))
            assert answer.status_code == 422, answer.content
            assert answer.json()["error"]["code"] == "invalid_outcome"
    assert studio.get(f"rounds/{round.key}/").json()["status"] == "closed"
    right = studio.post(f"rounds/{round.key}/result/", {"outcome": BANKER_WINS})
    assert right.status_code == 201


def test_a_result_for_an_open_round_is_a_conflict(house: House, studio: Caller) -> None:
    round = house.hand()
    with nothing_written():
        answer = studio.post(f"rounds/{round.key}/result/", {"outcome": BANKER_WINS})
    refused(answer, 409, "conflict")


def test_a_result_for_a_void_round_is_a_conflict(house: House, studio: Caller) -> None:
    round = house.hand()
    house.result(round, BANKER_WINS)
    house.void(round)
    with nothing_written():
        for outcome in (BANKER_WINS, PLAYER_WINS):
            answer = studio.post(f"rounds/{round.key}/result/", {"outcome": outcome})
            refused(answer, 409, "conflict")


def test_a_result_for_a_round_on_hold_is_a_conflict(house: House, studio: Caller) -> None:
    round = house.hand()
    house.result(round, WRONG_THIRD_CARD)
    with nothing_written():
        for outcome in (WRONG_THIRD_CARD, BANKER_WINS):
            answer = studio.post(f"rounds/{round.key}/result/", {"outcome": outcome})
            refused(answer, 409, "conflict")


INCIDENTS: list[tuple[dict[str, Any], int, str | None, str]] = [
    ({"table": LOST}, 400, "table", "malformed"),
    ({"table": "bac-99"}, 404, None, "not_found"),
    ({"table": NUL}, 400, "table", "malformed"),
    ({"round": "bac-99-1-1"}, 404, None, "unknown_round"),
    ({"round": 1}, 400, "round", "malformed"),
    ({"shoe": 99}, 404, None, "not_found"),
    ({"shoe": "1"}, 400, "shoe", "malformed"),
    ({"kind": "earthquake"}, 400, "kind", "invalid_value"),
    ({"kind": "bad_spin"}, 400, "kind", "invalid_value"),
    ({"kind": LOST}, 400, "kind", "malformed"),
    ({"note": LOST}, 400, "note", "malformed"),
    ({"note": ""}, 400, "note", "malformed"),
    ({"note": "n" * 2001}, 400, "note", "malformed"),
    ({"note": NUL}, 400, "note", "malformed"),
    ({"note": {"a": 1}}, 400, "note", "malformed"),
    ({"video": "v" * 201}, 400, "video", "malformed"),
    ({"severity": "high"}, 400, "severity", "malformed"),
]


def test_an_incident_of_another_shape_is_refused(house: House, studio: Caller) -> None:
    house.hand()
    whole = {"table": "bac-01", "kind": "disconnection", "note": "The line went down."}
    for change, status, field, code in INCIDENTS:
        incident = {name: value for name, value in (whole | change).items() if value is not LOST}
        with case(change):
            refused(studio.raw("incidents/", json.dumps(incident)), status, code, field)


@pytest.mark.first_table
def test_a_blue_card_comes_in_one_of_two_ways(house: House, studio: Caller) -> None:
    house.shoe(house.table())
    for at in ("", "burned", "IN_HAND", 1, None, ["burn"], LOST):
        with case(at):
            body = {} if at is LOST else {"at": at}
            answer = studio.post("tables/bac-01/shoes/1/blue-card/", body)
            assert (answer.status_code, answer.json()["error"]["field"]) == (400, "at")


def test_a_call_without_a_body_takes_none(house: House, studio: Caller) -> None:
    house.hand()
    for path in ("rounds/bac-01-1-1/close/", "tables/bac-01/shoes/1/close/"):
        with case(path):
            refused(studio.post(path, {"now": True}), 400, "malformed", "now")


PATHS = [
    "tables/bac-99/shoes/",
    "tables/bac-99/shoes/1/close/",
    "tables/bac-01/shoes/99/close/",
    "tables/bac-01/shoes/99999999999999999999/close/",
    "tables/bac-01/shoes/%00/close/",
    "tables/%00/rounds/",
    "tables/bac-99/rounds/",
    "rounds/bac-99-1-1/close/",
    "rounds/%00/close/",
    "rounds/bac-99-1-1/result/",
    "rounds/bac-01-1-1/undo/",
]


def test_what_is_not_there_is_404(house: House, studio: Caller) -> None:
    house.hand()
    for path in PATHS:
        body: dict[str, Any] = {}
        if path.endswith("shoes/"):
            body = {"number": 1, "first_card": "KH", "burned": 10}
        elif path.endswith("rounds/"):
            body = {"number": 1}
        elif path.endswith("result/"):
            body = {"outcome": BANKER_WINS}
        with case(path):
            answer = studio.post(path, body)
            assert answer.status_code == 404
            assert answer.json()["error"]["code"] in ("not_found", "unknown_round")


def test_reading_what_is_not_there_is_404(house: House, studio: Caller) -> None:
    for path in ("", "tickets", "rounds/none/", "tickets/%00/", "rounds/%00/", "tickets/a/b/"):
        with case(path):
            answer = studio.get(path)
            assert answer.status_code == 404
            assert answer.json()["error"]["code"] in ("not_found", "unknown_round")


def test_another_method_is_refused(house: House, studio: Caller) -> None:
    for method, path in (("post", "settlements/"), ("get", "rounds/x/close/"), ("put", "tickets/")):
        with case(path):
            answer = getattr(studio._client(), method)(PREFIX + path)
            assert answer.status_code == 405
            assert answer.json()["error"]["code"] == "method_not_allowed"


QUERIES: list[tuple[str, dict[str, Any], str, str]] = [
    ("tickets/", {"colour": "red"}, "colour", "malformed"),
    ("tickets/", {"status": "paid"}, "status", "invalid_value"),
    ("tickets/", {"player": NUL}, "player", "malformed"),
    ("tickets/", {"round": ""}, "round", "malformed"),
    ("tickets/", {"settled_after": "yesterday"}, "settled_after", "malformed"),
    ("tickets/", {"settled_after": "2026-11-29T18:00:00"}, "settled_after", "malformed"),
    ("tickets/", {"after": "x"}, "after", "invalid_value"),
    ("tickets/", {"after": "-1"}, "after", "invalid_value"),
    ("tickets/", {"after": "9" * 30}, "after", "invalid_value"),
    ("tickets/", {"limit": "0"}, "limit", "invalid_value"),
    ("tickets/", {"limit": "1001"}, "limit", "invalid_value"),
    ("tickets/", {"limit": "ten"}, "limit", "malformed"),
    ("tickets/", {"limit": ["5", "6"]}, "limit", "malformed"),
    ("tickets/", {"offset": "10"}, "offset", "malformed"),
    ("rounds/", {"status": "open"}, "status", "invalid_value"),
    ("rounds/", {"table": "a b"}, "table", "malformed"),
    ("rounds/", {"after": "1.1"}, "after", "invalid_value"),
    ("tables/", {"limit": "-1"}, "limit", "malformed"),
    ("books/", {"page": "2"}, "page", "malformed"),
    ("settlements/", {"after": "41207"}, "after", "invalid_value"),
    ("settlements/", {"after": "a.b"}, "after", "invalid_value"),
    ("settlements/", {"after": "1.²"}, "after", "invalid_value"),
    ("settlements/", {"after": "1.2.3"}, "after", "invalid_value"),
    ("settlements/", {"after": "-1.0"}, "after", "invalid_value"),
    ("settlements/", {"after": "9" * 20 + ".1"}, "after", "invalid_value"),
    ("settlements/", {"after": "9" * 70 + ".1"}, "after", "malformed"),
    ("settlements/", {"after": NUL}, "after", "malformed"),
    ("settlements/", {"limit": "0"}, "limit", "invalid_value"),
    ("settlements/", {"limit": "1001"}, "limit", "invalid_value"),
    ("settlements/", {"limit": "1e3"}, "limit", "malformed"),
    ("settlements/", {"operator": "north"}, "operator", "malformed"),
    ("audit/events/", {"after": "x"}, "after", "invalid_value"),
    ("rulings/", {"since": "x"}, "since", "malformed"),
]


def test_a_query_of_another_shape_is_refused(house: House, studio: Caller) -> None:
    for path, query, field, code in QUERIES:
        with case((path, query)):
            refused(studio.get(path, **query), 400, code, field)


NO_PAYTABLES = [
    ("books/club-z/super_98/", "unknown_book"),
    ("books/club-a/chess/", "unknown_game"),
    ("books/%00/super_98/", "not_found"),
]


def test_a_paytable_that_is_not_there_is_404(house: House, studio: Caller) -> None:
    for path, code in NO_PAYTABLES:
        answer = studio.get(path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, code)
