"""Keys: who may call what, and what each may see."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient
from rest_framework.throttling import UserRateThrottle

from casino.models import ApiClient, ApiKey
from casino.models.people import Scope
from casino.services import setup
from casino.services.record import log, write_fact
from tests.house import BANKER_WINS, REASON, House
from tests.web.calls import PREFIX, Caller, operations
from tests.web.counting import nothing_written

FLOOR, PLACE, MONEY, LOG = (
    Scope.FLOOR_WRITE,
    Scope.TICKETS_WRITE,
    Scope.TICKETS_READ,
    Scope.AUDIT_READ,
)
ANY = None

MATRIX: dict[str, Scope | None] = {
    "open_shoe": FLOOR,
    "draw_blue_card": FLOOR,
    "close_shoe": FLOOR,
    "open_round": FLOOR,
    "close_round": FLOOR,
    "record_result": FLOOR,
    "replay_round": FLOOR,
    "release_round": FLOOR,
    "raise_incident": FLOOR,
    "place_tickets": PLACE,
    "decide_play": PLACE,
    "list_tickets": MONEY,
    "read_ticket": MONEY,
    "list_settlements": MONEY,
    "list_events": LOG,
    "list_rulings": LOG,
    "list_tables": ANY,
    "list_rounds": ANY,
    "read_round": ANY,
    "list_books": ANY,
    "read_paytable": ANY,
}
"""The scope that each operation asks for; ANY: a valid key is enough."""


def call(key: str, operation: str, method: str = "") -> Any:
    """Call an operation with a key, at an address where there is nothing."""
    verb, template = operations()[operation]
    path = template.format(
        table="none", number=1, round="none", reference="none", book="none", game="none"
    )
    client = APIClient()
    if key:
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {key}")
    return getattr(client, method or verb)(path)


def key_with(house: House, scope: Scope) -> str:
    """The key of a client that has this scope alone."""
    operator = "north" if scope in (PLACE, MONEY) else None
    _, key = setup.create_api_client(
        name=f"only-{scope.name.lower()}",
        operator=operator,
        scopes=[scope],
        actor=house.system,
        reason=REASON,
    )
    assert key is not None
    return key


def change(client: ApiClient, house: House, **values: Any) -> None:
    """Change a client, or its person, as the admin does."""
    fact = client.person if "person_is_active" in values else client
    for name, value in values.items():
        setattr(fact, name.removeprefix("person_"), value)
    fields = [name.removeprefix("person_") for name in values]
    write_fact(fact, actor=house.administrator, reason=REASON, fields=fields)
    log("client_changed", subject="client:x", actor=house.administrator, reason=REASON)


def test_every_operation_has_a_row_in_the_matrix() -> None:
    assert set(MATRIX) == set(operations())


@pytest.mark.parametrize("scope", list(Scope))
def test_a_scope_opens_its_operations_and_no_others(house: House, scope: Scope) -> None:
    key = key_with(house, scope)
    open_to_it = {
        operation for operation in MATRIX if call(key, operation).status_code not in (401, 403)
    }
    assert open_to_it == {
        operation for operation, needed in MATRIX.items() if needed in (ANY, scope)
    }


@pytest.mark.parametrize("operation", MATRIX)
def test_without_a_key_everything_is_closed(operation: str) -> None:
    answer = call("", operation)
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "unauthenticated")
    assert answer["WWW-Authenticate"] == "Bearer"


def test_head_asks_for_the_scope_of_get(house: House) -> None:
    key = key_with(house, FLOOR)
    assert call(key, "list_settlements", "head").status_code == 403
    assert call(house.keys["north"], "list_settlements", "head").status_code == 200


def test_a_lacking_scope_is_not_permitted(house: House) -> None:
    with nothing_written():
        answer = Caller(house.keys["north"]).post("incidents/", {"table": "bac-01"})
    assert answer.status_code == 403
    assert answer.json()["error"] == {
        "code": "not_permitted",
        "message": "This key lacks the scope floor:write.",
        "field": None,
    }


def test_what_is_no_key_is_unauthenticated(house: House) -> None:
    key, client = house.keys["north"], APIClient()
    headers = ["Bearer nonsense", "Bearer", "Bearer ", f"Token {key}", "Basic dTpw", key]
    for header in [*headers, f"Bearer {key}x", f"Bearer {key} {key}", f"Bearer, {key}"]:
        client.credentials(HTTP_AUTHORIZATION=header)
        answer = client.get(f"{PREFIX}settlements/")
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "unauthenticated")


def test_a_revoked_key_is_unauthenticated_and_the_other_one_works(house: House) -> None:
    second = setup.add_api_key(client=house.north, actor=house.system, reason=REASON)
    first = ApiKey.objects.get(digest=setup.key_digest(house.keys["north"]))
    setup.revoke_api_key(key=first, actor=house.system, reason=REASON)
    assert Caller(house.keys["north"]).get("settlements/").status_code == 401
    assert Caller(second).get("settlements/").status_code == 200


def test_an_expired_key_is_unauthenticated(house: House) -> None:
    key = setup.add_api_key(
        client=house.north, expires_at=timezone.now() - timedelta(seconds=1),
        actor=house.system, reason=REASON,
    )  # fmt: skip
    answer = Caller(key).get("settlements/")
    assert answer.status_code == 401
    assert answer.json()["error"]["message"] == "This key has expired."


@pytest.mark.parametrize("switch", ["is_active", "person_is_active"])
def test_a_client_that_is_switched_off_is_unauthenticated(house: House, switch: str) -> None:
    change(house.north, house, **{switch: False})
    assert Caller(house.keys["north"]).get("settlements/").status_code == 401


def test_a_key_is_used_from_its_addresses_alone(house: House) -> None:
    change(house.north, house, addresses=["203.0.113.7"])
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {house.keys['north']}")
    for address, status in (
        ("203.0.113.7", 200),
        ("::ffff:203.0.113.7", 200),
        ("203.0.113.8", 403),
        ("", 403),
    ):
        answer = client.get(f"{PREFIX}settlements/", REMOTE_ADDR=address)
        assert answer.status_code == status, address


def test_a_forwarded_address_counts_only_behind_a_proxy(house: House) -> None:
    change(house.north, house, addresses=["203.0.113.7"])
    client = APIClient(REMOTE_ADDR="198.51.100.1", HTTP_X_FORWARDED_FOR="203.0.113.7")
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {house.keys['north']}")
    assert settings.REST_FRAMEWORK["NUM_PROXIES"] == 0
    assert client.get(f"{PREFIX}settlements/").status_code == 403


def test_another_operators_ticket_is_as_missing_as_one_that_is_not_there(house: House) -> None:
    house.play(BANKER_WINS, ("banker", "10.00"), reference="north-1")
    north, south = Caller(house.keys["north"]), Caller(house.keys["south"])
    assert north.get("tickets/north-1/").status_code == 200
    theirs, none = south.get("tickets/north-1/"), south.get("tickets/north-2/")
    assert theirs.status_code == none.status_code == 404
    assert (
        theirs.json()["error"]["message"].replace("north-1", "north-2")
        == (none.json()["error"]["message"])
    )
    assert south.get("tickets/").json()["results"] == []
    assert south.get("tickets/", operator="north").json()["results"] == []
    assert south.get("tickets/north-1/", operator="north").status_code == 404
    assert south.get("settlements/").json()["results"] == []
    [batch] = south.get("rounds/bac-01-1-1/").json()["settlements"]
    assert batch["totals"] == []
    [total] = north.get("rounds/bac-01-1-1/").json()["settlements"][0]["totals"]
    assert (total["operator"], total["stake"]) == ("north", "10.00")


def test_the_studio_sees_the_tickets_of_all(house: House) -> None:
    round = house.hand()
    house.ticket(round, ("banker", "1.00"), reference="same")
    house.ticket(round, ("player", "2.00"), reference="same", client=house.south)
    studio = Caller(house.keys["studio"])
    listed = studio.get("tickets/").json()["results"]
    assert {(row["operator"], row["stake"]) for row in listed} == {
        ("north", "1.00"),
        ("south", "2.00"),
    }
    either = studio.get("tickets/same/")
    assert (either.status_code, either.json()["error"]["field"]) == (409, "operator")
    assert studio.get("tickets/same/", operator="south").json()["stake"] == "2.00"
    assert studio.get("tickets/same/", operator="west").status_code == 404


def test_without_the_scope_a_round_shows_no_money(house: House) -> None:
    house.play(BANKER_WINS, ("banker", "10.00"))
    [batch] = Caller(key_with(house, FLOOR)).get("rounds/bac-01-1-1/").json()["settlements"]
    assert "totals" not in batch


def test_too_many_requests_are_told_when_to_come_back(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.clear()
    monkeypatch.setitem(UserRateThrottle.THROTTLE_RATES, "user", "2/hour")
    north = Caller(house.keys["north"])
    assert [north.get("settlements/").status_code for _ in range(3)] == [200, 200, 429]
    answer = north.get("settlements/")
    assert answer.json()["error"]["code"] == "throttled"
    assert 0 < int(answer["Retry-After"]) <= 3600
    assert Caller(house.keys["south"]).get("settlements/").status_code == 200
    cache.clear()


def test_answers_are_kept_by_nobody(house: House) -> None:
    assert Caller(house.keys["north"]).get("settlements/")["Cache-Control"] == "no-store"


@pytest.mark.parametrize("method", ["get", "post", "put", "delete"])
def test_an_address_that_is_none_says_so_in_json(house: House, method: str) -> None:
    client = Client(enforce_csrf_checks=True)
    key = f"Bearer {house.keys['north']}"
    for path in ("tickets", "nothing/", "tickets/a/b/"):
        answer = getattr(client, method)(PREFIX + path, headers={"Authorization": key})
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found"), path
