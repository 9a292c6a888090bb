"""Whether the house is well, and in figures."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from casino.api import health
from casino.models import AuditEvent
from casino.pages import money
from tests.house import BANKER_WINS, House
from tests.web.browsing import Visitor, text
from tests.web.counting import seal
from tickets.services import verification
from tickets.services.verification import Verified, verify_house

pytestmark = pytest.mark.first_hand


def verified(monkeypatch: pytest.MonkeyPatch, *, hours: float = 0, differences: int = 0) -> None:
    """Let the last verification have been so long ago and have found so much."""
    found = Verified(timezone.now() - timedelta(hours=hours), differences)
    for where in (health, money):
        monkeypatch.setattr(where, "last_verification", lambda: found)


def test_a_house_that_never_verified_is_well(house: House, client: Client) -> None:
    answer = client.get("/healthz")
    assert answer.status_code == 200
    assert answer.json() == {
        "status": "ok",
        "reasons": [],
        "due_rounds": 0,
        "oldest_due_seconds": 0.0,
        "feed": {"position": 0, "lag_seconds": 0.0},
        "ledger": None,
    }


def test_a_round_that_is_due_too_long_makes_it_unwell(
    house: House, client: Client, settings: LazySettings
) -> None:
    house.result(house.hand(), BANKER_WINS)
    answer = client.get("/healthz").json()
    assert (answer["status"], answer["due_rounds"]) == ("ok", 1)
    assert answer["oldest_due_seconds"] == answer["feed"]["lag_seconds"] > 0
    settings.HEALTH_DUE_SECONDS = 0
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["status"] == "failing"
    assert "0 are allowed" in answer.json()["reasons"][0]
    house.settle()
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()["feed"]["position"]) == (200, 1)


def test_a_round_on_hold_is_not_due(house: House, client: Client, settings: LazySettings) -> None:
    settings.HEALTH_DUE_SECONDS = 0
    house.hand()
    assert client.get("/healthz").status_code == 200


def test_the_last_verification_is_told(house: House, client: Client) -> None:
    visitor = Visitor(house.compliance)
    assert "The ledger has not been verified whole yet." in text(visitor.get("settlements"))
    seal()
    verify_house(actor=house.system, reason="Nightly.")
    assert ": nothing differed." in text(visitor.get("settlements"))
    ledger = client.get("/healthz").json()["ledger"]
    assert (ledger["passed"], ledger["differences"]) == (True, 0)


def test_a_verification_that_found_differences_makes_it_unwell(
    house: House, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    verified(monkeypatch, differences=1)
    assert ": 1 difference." in text(Visitor(house.compliance).get("settlements"))
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["reasons"] == ["The last verification found differences."]


def test_a_verification_of_the_day_before_yesterday_makes_it_unwell(
    house: House, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    verified(monkeypatch, hours=47)
    assert client.get("/healthz").status_code == 200
    verified(monkeypatch, hours=49)
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["reasons"] == ["The last verification is more than 48 hours old."]


def test_a_database_that_does_not_answer_makes_it_unwell(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent() -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr(health, "look", silent)
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json() == {
        "status": "failing",
        "reasons": ["The database does not answer."],
    }
    assert client.get("/metrics").content.decode().splitlines()[-1] == "pitbook_up 0"


@pytest.mark.parametrize("path", ["/healthz", "/metrics"])
def test_nothing_is_posted_there_and_nothing_kept(house: House, client: Client, path: str) -> None:
    assert client.post(path).status_code == 405
    assert "no-store" in client.get(path)["Cache-Control"]


def test_metrics_are_gauges(house: House, client: Client) -> None:
    house.hand()
    house.play(BANKER_WINS, ("banker", "1.00"), code="bac-02")
    seal()
    verify_house(actor=house.system, reason="Nightly.")
    answer = client.get("/metrics")
    assert answer["Content-Type"] == "text/plain; version=0.0.4"
    lines = answer.content.decode().splitlines()
    values = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    assert values['pitbook_rounds_running{phase="betting"}'] == "1"
    assert values["pitbook_settlement_position"] == "1"
    assert values["pitbook_verified_differences"] == "0"
    for name in {line.split("{")[0].split(" ")[0] for line in values}:
        assert f"# TYPE {name} gauge" in lines


def test_metrics_are_for_addresses_inside(house: House, client: Client) -> None:
    for address, status in (
        ("127.0.0.1", 200),
        ("10.1.2.3", 200),
        ("::1", 200),
        ("203.0.113.7", 403),
        ("", 403),
    ):
        assert client.get("/metrics", REMOTE_ADDR=address).status_code == status, address


def test_what_a_verification_finds_is_written_down(house: House) -> None:
    house.play(BANKER_WINS, ("banker", "1.00"))
    found = verify_house(actor=house.system, reason="Nightly.")
    assert (found.ledger.rounds, found.ledger.tickets, found.ledger.settlements) == (1, 1, 1)
    assert [difference.what for difference in found.differences] == ["log"]
    assert found.log.head.position < AuditEvent.objects.count(), "nothing is sealed before a commit"
    last = verification.last_verification()
    assert last is not None
    assert (last.passed, last.differences) == (False, 1)
