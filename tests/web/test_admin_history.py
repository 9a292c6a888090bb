"""The history of a fact is read, by whoever reads the decision log, and never written from here."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from casino.models import Pit, Table
from casino.services import people
from tests.house import PLAYER_WINS, REASON, House
from tests.web.browsing import Visitor, text
from tests.web.counting import nothing_written


def versions(fact: Any, *version: int) -> str:
    name = "simple_history" if version else "history"
    return reverse(f"admin:casino_{fact._meta.model_name}_{name}", args=[fact.pk, *version])


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_an_older_version_cannot_be_restored(method: str, house: House) -> None:
    people.change_role(
        person=house.supervisor, role="pit_manager", actor=house.administrator, reason=REASON
    )
    first = house.supervisor.history.last()
    assert first.role == "pit_supervisor"
    client = Visitor(house.compliance).client
    form = {"username": "supervisor", "role": "pit_supervisor", "is_active": "on", "_save": "1"}
    with nothing_written():
        answer = getattr(client, method)(versions(house.supervisor, first.pk), form)
    assert answer.status_code == 405
    house.supervisor.refresh_from_db()
    assert house.supervisor.role == "pit_manager"


def test_the_list_of_versions_takes_no_form(house: House) -> None:
    pit = Pit.objects.get()
    client = Visitor(house.compliance).client
    with nothing_written():
        assert client.post(versions(pit), {"name": "Other"}).status_code == 405


def test_a_fact_takes_no_form(house: House) -> None:
    pit = Pit.objects.get()
    url = reverse("admin:casino_pit_change", args=[pit.pk])
    for person in (house.administrator, house.compliance):
        with nothing_written():
            answer = Visitor(person).client.post(url, {"code": "main", "name": "Other"})
        assert answer.status_code == 403
    pit.refresh_from_db()
    assert pit.name == "main"


def test_a_version_tells_who_when_why_and_what_changed(house: House) -> None:
    people.change_role(
        person=house.supervisor,
        role="pit_manager",
        actor=house.administrator,
        reason="Promoted in November.",
    )
    page = text(Visitor(house.compliance).client.get(versions(house.supervisor)))
    assert "administrator Promoted in November. Role Pit supervisor → Pit manager" in page


def test_the_history_of_a_round_is_told_in_words(house: House) -> None:
    round = house.play(PLAYER_WINS, ("player", "10")).round
    page = text(Visitor(house.compliance).client.get(versions(round)))
    assert "Phase No more bets → Result" in page
    assert "Outcome revision 0 → 1" in page


def test_one_version_can_be_looked_at_whole(house: House) -> None:
    table = house.table()
    page = Visitor(house.compliance).client.get(versions(table, table.history.first().pk))
    assert page.status_code == 200
    assert "Revert" not in text(page)


def test_the_history_stays_with_who_reads_the_log(house: House) -> None:
    table: Table = house.table()
    for person in (house.supervisor, house.manager, house.administrator):
        client = Visitor(person).client
        assert client.get(versions(table)).status_code == 403
        assert client.get(versions(table, table.history.first().pk)).status_code == 403


def test_the_button_that_leads_to_the_history_is_there_for_who_may_read_it(house: House) -> None:
    url = reverse("admin:casino_table_change", args=[house.table().pk])
    assert "History" in text(Visitor(house.compliance).client.get(url))
    assert "History" not in text(Visitor(house.manager).client.get(url))
