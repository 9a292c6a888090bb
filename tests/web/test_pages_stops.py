"""Stop switches in the browser: thrown, told on every page, lifted with a reason."""

from __future__ import annotations

from typing import Any

import pytest

from casino.models import Stop
from tests.house import House
from tests.web.browsing import Visitor, text
from tests.web.counting import nothing_written, queries

pytestmark = pytest.mark.first_hand

DARK = "Camera 3 is dark."


def throw(house: House, what: str, reason: str = DARK) -> Any:
    return Visitor(house.manager).post("stop_throw", script=False, what=what, reason=reason)


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("everything", "everything"),
        ("table:bac-01", "table bac-01"),
        ("game:club-a/no_commission_baccarat", "No Commission Baccarat of club-a"),
        ("game:/no_commission_baccarat", "No Commission Baccarat of every book"),
        ("operator:north", "operator north"),
    ],
)
def test_what_is_stopped_is_told_on_every_page_with_who_and_why(
    house: House, what: str, words: str
) -> None:
    house.hand()
    assert throw(house, what).status_code == 302
    told = f"Betting is stopped for {words}: {DARK} By manager,"
    for person, page in (("supervisor", "floor"), ("compliance", "rulings"), ("manager", "policy")):
        assert told in text(Visitor(getattr(house, person)).get(page)), page
    admin = Visitor(house.administrator).client.get("/admin/casino/table/")
    assert told in text(admin)


def test_without_a_reason_nothing_is_stopped(house: House) -> None:
    house.hand()
    with nothing_written():
        answer = throw(house, "table:bac-01", " ")
    assert (answer.status_code, "This field is required." in text(answer)) == (422, True)
    with nothing_written():
        for what in ("", "table:bac-99"):
            assert throw(house, what).status_code == 422


def test_a_stop_is_lifted_with_a_reason_and_stays_in_the_list(house: House) -> None:
    stop = house.stop(table=house.hand().table)
    visitor = Visitor(house.administrator)
    assert f"Stopped by manager: {DARK}" in text(visitor.get("stop_lift", stop.pk))
    answer = visitor.post("stop_lift", stop.pk, script=False, reason="Camera is back.")
    assert answer.status_code == 302
    page = visitor.get("stops")
    assert "Nothing is stopped" in text(page)
    assert f"{DARK} By manager Camera is back. By administrator" in text(page)
    again = visitor.post("stop_lift", stop.pk, script=False, reason="Again.")
    assert (again.status_code, "has lifted the stop" in text(again)) == (409, True)
    assert visitor.get("stop_lift", stop.pk + 1).status_code == 404


def test_who_may_not_stop_is_refused_also_when_it_is_sent_directly(house: House) -> None:
    stop = house.stop()
    with nothing_written():
        for person in ("supervisor", "compliance"):
            visitor = Visitor(getattr(house, person))
            assert visitor.post("stop_throw", what="everything", reason="No.").status_code == 403
            assert visitor.post("stop_lift", stop.pk, reason="No.").status_code == 403
    assert "Lift" not in text(Visitor(house.supervisor).get("floor"))


def test_the_banner_follows_on_pages_that_stand_open(house: House) -> None:
    visitor = Visitor(house.supervisor)
    assert visitor.get("stops_live", script=True, seen="").status_code == 204
    stop = house.stop()
    answer = visitor.get("stops_live", script=True, seen="")
    assert "Betting is stopped for everything" in text(answer)
    assert visitor.get("stops_live", script=True, seen=str(stop.pk)).status_code == 204
    assert queries(lambda: visitor.get("stops_live", script=True, seen=str(stop.pk))) <= 5


def test_the_card_of_a_stopped_table_says_so(house: House) -> None:
    stopped, other = house.hand("bac-01").table, house.hand("bac-02").table
    house.stop(table=stopped)
    house.stop(operator=house.north.operator)
    visitor = Visitor(house.supervisor)
    cards = {card["code"]: card["stopped"] for card in visitor.get("floor").context_data["cards"]}
    assert cards == {stopped.code: DARK, other.code: ""}
    narrowed = visitor.get("floor", state="stopped").context_data["cards"]
    assert [card["code"] for card in narrowed] == ["bac-01"]


def test_a_table_leads_to_its_stop(house: House) -> None:
    house.hand()
    visitor = Visitor(house.manager)
    assert (
        "/admin/stops/throw/?what=table:bac-01" in visitor.get("table", "bac-01").content.decode()
    )
    form = visitor.get("stop_throw", what="table:bac-01").content.decode()
    assert '<option value="table:bac-01" selected>' in form
    assert Stop.objects.count() == 0


def test_a_hand_that_is_stopped_in_mid_betting_says_so_by_itself(house: House) -> None:
    round = house.hand()
    visitor = Visitor(house.supervisor)
    seen = visitor.get("round", round.key).context_data["seen"]
    assert visitor.get("round_live", round.key, script=True, seen=seen).status_code == 204
    house.stop(table=round.table)
    live = visitor.get("round_live", round.key, script=True, seen=seen)
    assert "hand 1 Betting stopped" in text(live)
