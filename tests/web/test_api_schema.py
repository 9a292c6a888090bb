"""The OpenAPI document: it is valid, and the running service answers as it says.

Every answer that any test of the API receives is held against the document (see `calls`); here
stands that the document says everything, and that each operation was really tried.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command
from django.urls import URLPattern, get_resolver
from rest_framework.test import APIClient

from tests.house import BANKER_WINS, House
from tests.web.calls import PREFIX, Caller, check, document, operations
from tests.web.test_api_floor import SHOE
from tests.web.test_api_tickets import asked


def test_the_document_is_valid_and_made_without_a_warning(
    capsys: pytest.CaptureFixture[str],
) -> None:
    call_command("spectacular", "--validate", "--fail-on-warn")
    assert "openapi: 3" in capsys.readouterr().out


def test_the_document_is_served_as_json_without_a_key(db: Any) -> None:
    answer = APIClient().get(f"{PREFIX}schema/")
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("application/json")
    assert set(answer.json()["paths"]) == set(document()["paths"])


def test_every_address_is_in_the_document() -> None:
    resolver = next(
        pattern
        for pattern in get_resolver().url_patterns
        if str(pattern.pattern) == PREFIX.removeprefix("/")
    )
    addresses = {
        str(pattern.pattern)
        for pattern in resolver.url_patterns
        if isinstance(pattern, URLPattern) and hasattr(pattern.callback, "cls")
    }
    assert len(addresses) == len(document()["paths"]) + 1, "the document itself is not in it"


def test_shapes_are_closed_and_amounts_are_text() -> None:
    schemas = document()["components"]["schemas"]
    objects = {name: schema for name, schema in schemas.items() if "properties" in schema}
    assert [name for name, schema in objects.items() if schema["additionalProperties"]] == []
    for schema in objects.values():
        for name, field in schema["properties"].items():
            assert field.get("type") != "number", name


def test_the_check_finds_a_difference() -> None:
    bet = {"$ref": "#/components/schemas/AcceptedBet"}
    right = {"bet": "tie", "selection": "", "stake": "1.00", "error": None}
    check(bet, right)
    for wrong in ({"stake": 1.0}, {"colour": "red"}, {"error": "none"}, {"bet": None}):
        with pytest.raises(AssertionError):
            check(bet, right | wrong)


def test_every_operation_answers_as_the_document_says(house: House) -> None:
    """One hand from its first card to the last entry of the log, by every operation there is."""
    house.table()
    studio, north = Caller(house.keys["studio"]), Caller(house.keys["north"])
    floor = [
        ("tables/bac-01/shoes/", SHOE),
        ("tables/bac-01/rounds/", {"number": 1}),
    ]
    for path, body in floor:
        assert studio.post(path, body).status_code == 201
    assert north.post("tickets/", asked("bac-01-1-1")).status_code == 201
    assert north.post("tickets/", [asked("bac-01-1-1"), {}]).status_code == 200
    assert studio.post("rounds/bac-01-1-1/close/").status_code == 200
    result = studio.post("rounds/bac-01-1-1/result/", {"outcome": BANKER_WINS})
    assert result.status_code == 201
    incident = {"table": "bac-01", "kind": "exposed_card", "note": "A card fell face up."}
    assert studio.post("incidents/", incident).status_code == 201
    assert studio.post("tables/bac-01/shoes/1/blue-card/", {"at": "burn"}).status_code == 200
    assert studio.post("tables/bac-01/shoes/1/close/").status_code == 200
    house.settle()
    house.void(house.hand("bac-02"))
    for book, procedure in (("club-b", "replay"), ("asia", "release")):
        round = house.close(house.round(house.table(f"rou-{book}", book, "roulette")))
        kind = "bad_spin" if procedure == "replay" else "no_drop"
        done = studio.post(f"rounds/{round.key}/{procedure}/", {"kind": kind})
        assert done.status_code in (200, 201)
    box = house.round(house.table("bj-01", "club-b", "blackjack"))
    house.ticket(box, ("ante", "box1", "10"), reference="bj-1")
    assert north.post("tickets/bj-1/plays/", {"box": 1, "play": "S"}).status_code == 201
    reads = [
        "tables/", "rounds/", "rounds/bac-01-1-1/", "tickets/", "tickets/op-7f3a/", "settlements/",
        "books/", "books/euro/baccarat/", "audit/events/", "rulings/",
    ]  # fmt: skip
    for path in reads:
        assert studio.get(path).status_code == 200, path
    good = {name for name, status in studio.seen | north.seen if status < 300}
    assert good == set(operations())
