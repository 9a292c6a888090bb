"""Who may see which page: every page of the register has a row here, and every role is tried."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from casino.pages.registry import PAGES
from casino.services import shoes
from tests.dealing import dealt
from tests.house import PLAYER_WINS, REASON, House
from tests.web.browsing import Visitor, text
from tickets.models import Ticket

SUPERVISOR, MANAGER, COMPLIANCE = {"supervisor"}, {"manager"}, {"compliance"}
ADMINISTRATOR = {"administrator"}
FLOOR = SUPERVISOR | MANAGER | COMPLIANCE | ADMINISTRATOR
MONEY = SUPERVISOR | MANAGER | COMPLIANCE

MATRIX: dict[str, tuple[set[str], tuple[Any, ...]]] = {
    "floor": (FLOOR, ()),
    "floor_live": (FLOOR, ()),
    "table": (FLOOR, ("bac-01",)),
    "table_live": (FLOOR, ("bac-01",)),
    "shoe": (FLOOR, ("bac-01", 1)),
    "shoe_live": (FLOOR, ("bac-01", 1)),
    "void_shoe": (MANAGER, ("bac-01", 1)),
    "correct_shoe": (SUPERVISOR | MANAGER, ("bac-03", 1)),
    "stand_shoe": (MANAGER, ("bac-03", 1)),
    "round": (FLOOR, ("bac-01-1-1",)),
    "round_live": (FLOOR, ("bac-01-1-1",)),
    "ruling": (MANAGER, ("void_hand", "bac-01-1-1")),
    "ruling_reading": (MANAGER, ("bac-01-1-1",)),
    "hold": (SUPERVISOR | MANAGER, ("bac-01-1-1",)),
    "stand": (MANAGER, ("on hold",)),
    "raise_on_round": (MONEY, ("bac-01-1-1",)),
    "raise_at_table": (MONEY, ("bac-01",)),
    "stops": (MANAGER | ADMINISTRATOR, ()),
    "stops_live": (FLOOR, ()),
    "stop_throw": (MANAGER | ADMINISTRATOR, ()),
    "stop_lift": (MANAGER | ADMINISTRATOR, ("stop",)),
    "limits_file": (MANAGER | ADMINISTRATOR, ()),
    "limit_profiles": (MANAGER | COMPLIANCE | ADMINISTRATOR, ()),
    "limit_profile": (MANAGER | COMPLIANCE | ADMINISTRATOR, ("profile",)),
    "limit_profile_new": (MANAGER | ADMINISTRATOR, ()),
    "limit_profile_change": (MANAGER | ADMINISTRATOR, ("profile",)),
    "limit_profile_assign": (MANAGER | ADMINISTRATOR, ("profile",)),
    "policy": (MANAGER | COMPLIANCE | ADMINISTRATOR, ()),
    "policy_set": (COMPLIANCE, ()),
    "policy_end": (COMPLIANCE, ("rule",)),
    "approvals": (MANAGER | COMPLIANCE, ()),
    "approval": (MANAGER | COMPLIANCE, ("proposal",)),
    "rounds": (FLOOR, ()),
    "rounds_export": (FLOOR, ()),
    "rulings": (FLOOR, ()),
    "rulings_export": (FLOOR, ()),
    "ruling_record": (FLOOR, ("ruling made",)),
    "incidents": (FLOOR, ()),
    "incidents_export": (FLOOR, ()),
    "incident": (FLOOR, ("incident",)),
    "incident_note": (MANAGER, ("incident",)),
    "tickets": (MONEY, ()),
    "tickets_export": (MONEY, ()),
    "ticket": (MONEY, ("ticket",)),
    "ticket_live": (MONEY, ("ticket",)),
    "settlements": (MONEY, ()),
    "settlements_export": (MONEY, ()),
    "settlement": (MONEY, (1,)),
    "settlement_verify": (MONEY, (1,)),
    "postings": (MONEY, ()),
    "postings_export": (MONEY, ()),
    "refusals": (MONEY, ()),
    "refusals_export": (MONEY, ()),
    "paytables": (FLOOR, ()),
    "paytable_compare": (FLOOR, ()),
    "paytable": (FLOOR, ("asia", "roulette")),
    "whatif": (FLOOR, ()),
    "whatif_answer": (FLOOR, ()),
    "log": (COMPLIANCE, ()),
    "log_export": (COMPLIANCE, ()),
    "log_verify": (COMPLIANCE, ()),
    "log_review": (COMPLIANCE, ()),
    "sign_ins": (COMPLIANCE | ADMINISTRATOR, ()),
    "sign_ins_export": (COMPLIANCE | ADMINISTRATOR, ()),
    "account": (FLOOR, ()),
    "account_password": (FLOOR, ()),
}
"""By page: the roles that may see it, and where it is."""

PEOPLE = ("supervisor", "manager", "compliance", "administrator")


@dealt
def places(house: House) -> dict[str, tuple[Any, ...]]:
    """Where each page is; what its address names is made, where a first hand is not enough."""
    ticket = house.play(PLAYER_WINS, ("player", "10"))
    opened = {"table": house.table("bac-03"), "number": 1, "first_card": "KH", "burned": 9}
    shoes.open_shoe(**opened, actor=house.studio.person, reason=REASON)
    made: dict[Any, Any] = {
        "ticket": ticket.pk,
        "on hold": (held := house.hold(house.hand("bac-02"))).round.key,
        "ruling made": held.pk,
        "proposal": house.proposal(ticket.round).pk,
        "rule": house.policy().pk,
        "profile": house.profile().pk,
        "incident": house.incident(ticket.round.table).pk,
        "stop": house.stop(table=ticket.round.table).pk,
    }
    return {
        name: tuple(made.get(part, part) for part in place) for name, (_, place) in MATRIX.items()
    }


def test_every_page_has_its_row() -> None:
    assert set(PAGES) == set(MATRIX)


@pytest.mark.parametrize("role", PEOPLE)
def test_each_role_sees_its_pages_and_nothing_else(
    role: str, house: House, places: dict[str, tuple[Any, ...]], wordless: None
) -> None:
    visitor = Visitor(getattr(house, role))
    seen = {name: visitor.get(name, *place).status_code for name, place in places.items()}
    assert seen == {name: 200 if role in roles else 403 for name, (roles, _) in MATRIX.items()}


@pytest.mark.parametrize("person", [None, "studio"])
def test_strangers_and_machines_come_no_further_than_the_sign_in(
    person: str | None, house: House, places: dict[str, tuple[Any, ...]]
) -> None:
    visitor = Visitor(getattr(house, person).person if person else None)
    for name, place in places.items():
        answer = visitor.get(name, *place)
        assert answer.status_code == 302, name
        assert answer["Location"].startswith(reverse("admin:login")), name


def test_who_is_refused_is_told_why_in_words(house: House, settled: Ticket) -> None:
    answer = Visitor(house.supervisor).get("ruling", "void_hand", "bac-01-1-1")
    assert "Pit supervisor may not do this" in text(answer)


def test_a_ruling_is_refused_also_when_it_is_sent_directly(house: House, settled: Ticket) -> None:
    for person in ("supervisor", "compliance", "administrator"):
        answer = Visitor(getattr(house, person)).post(
            "ruling", "void_hand", "bac-01-1-1", ground="exposed_card", note="Seen."
        )
        assert answer.status_code == 403


def test_a_page_whose_session_ended_is_told_to_load_again(house: House) -> None:
    answer = Visitor(None).get("floor_live", script=True)
    assert (answer.status_code, answer["HX-Refresh"]) == (401, "true")


def test_what_does_not_exist_is_not_found(house: House) -> None:
    visitor = Visitor(house.manager)
    assert visitor.get("round", "bac-99-1-1").status_code == 404
    assert visitor.get("table", "bac-99").status_code == 404
    assert visitor.get("ruling", "void_hand", "bac-99-1-1").status_code == 404
    assert visitor.get("round", "bac\0-1").status_code == 404
    assert visitor.get("ruling", "void_hand", "bac\0-1").status_code == 404
    assert visitor.get("ruling_reading", "bac\0-1").status_code == 404


def test_a_page_that_is_only_looked_at_takes_no_form(house: House) -> None:
    assert Visitor(house.manager).post("floor").status_code == 405


def test_the_front_door_leads_to_the_floor(house: House) -> None:
    client = Visitor(house.manager).client
    assert client.get("/", follow=True).redirect_chain[-1][0] == reverse("admin:floor")
    assert client.get(reverse("admin:index"))["Location"] == reverse("admin:floor")


def test_only_a_person_keeps_a_session_alive(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    visitor = Visitor(None)
    visitor.client.force_login(house.manager)
    later = timezone.now() + timedelta(minutes=29)
    monkeypatch.setattr("django.utils.timezone.now", lambda: later)
    session = Session.objects.get(pk=visitor.client.session.session_key)
    ends = session.expire_date
    visitor.get("floor_live", script=True)
    session.refresh_from_db()
    assert session.expire_date == ends
    visitor.get("floor")
    session.refresh_from_db()
    assert session.expire_date - ends > timedelta(minutes=28)
    with CaptureQueriesContext(connection) as asked:
        visitor.get("floor")
    assert all(query["sql"].lstrip().startswith("SELECT") for query in asked)
    visitor.client.post(reverse("admin:logout"))
    assert not Session.objects.filter(pk=session.pk).exists()
