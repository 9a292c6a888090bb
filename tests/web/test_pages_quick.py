"""What one person decides at once, in the browser: a hold, letting stand, raising an incident."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.messages import get_messages

from casino.models import Incident, Round, Ruling
from casino.selectors import open_incidents
from tests.dealing import dealt
from tests.house import PLAYER_WINS, WRONG_THIRD_CARD, House
from tests.web.browsing import Visitor, text, value
from tests.web.counting import nothing_written

SAID = {"ground": "exposed_card", "note": "A card lay open.", "evidence": "cam 3 03:00:12"}


@dealt
def round(house: House) -> Round:
    return house.play(PLAYER_WINS, ("player", "100")).round


def quick(page: Any) -> dict[str, str]:
    """The quick buttons of a round's page, each with why not, if not."""
    return {button["label"]: button["refusal"] for button in page.context_data["quick"]}


def test_a_supervisor_holds_a_round_with_ground_and_note(house: House, round: Round) -> None:
    visitor = Visitor(house.supervisor)
    form = text(visitor.get("hold", round.key, script=True))
    assert "Put on hold: bac-01 hand 1" in form
    assert "Exposed card A card of the hand seen while bets are open voids the hand" in form
    answer = visitor.post("hold", round.key, **SAID)
    assert answer["HX-Redirect"] == f"/admin/rounds/{round.key}/"
    assert [str(message) for message in get_messages(answer.wsgi_request)] == ["Hand 1 is on hold."]
    round.refresh_from_db()
    assert round.on_hold
    ruling = Ruling.objects.get()
    assert (ruling.kind, ruling.ruled_by, ruling.evidence) == (
        "hold", house.supervisor, "cam 3 03:00:12",
    )  # fmt: skip


def test_each_role_is_offered_what_it_may_decide_at_once(house: House, round: Round) -> None:
    offered = {
        person: quick(Visitor(getattr(house, person)).get("round", round.key))
        for person in ("supervisor", "manager", "compliance", "administrator")
    }
    nothing_open = f"Nothing is open on hand {round.number}."
    assert offered == {
        "supervisor": {"Put on hold": "", "Raise incident": ""},
        "manager": {"Put on hold": "", "Let stand": nothing_open, "Raise incident": ""},
        "compliance": {"Raise incident": ""},
        "administrator": {},
    }


def test_a_manager_lets_a_round_stand_and_its_incidents_end(house: House, round: Round) -> None:
    house.hold(round)
    visitor = Visitor(house.manager)
    form = visitor.get("stand", round.key, script=True)
    assert form.context_data["typed"]["ground"] == "exposed_card"
    visitor.post("stand", round.key, **SAID)
    round.refresh_from_db()
    assert not round.on_hold
    assert not open_incidents(round=round).exists()
    assert quick(visitor.get("round", round.key))["Let stand"].startswith("Nothing is open")


def test_the_form_begins_with_what_is_open_on_the_round(house: House) -> None:
    round = house.hand()
    house.result(round, WRONG_THIRD_CARD, video="cam 1 03:00:12")
    form = Visitor(house.manager).get("stand", round.key, script=True)
    assert value(form, "ruling-evidence") == "cam 1 03:00:12"
    assert "late_hand" not in {ground["code"] for ground in form.context_data["grounds"]}


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"ground": ""}, "knows no ground"),
        ({"ground": "bad_spin"}, "knows no ground bad_spin"),
        ({"note": " "}, "Say in a note why."),
    ],
)
def test_a_refusal_is_a_sentence_and_keeps_what_was_typed(
    house: House, round: Round, changed: dict[str, str], why: str
) -> None:
    typed = SAID | changed
    with nothing_written():
        form = Visitor(house.supervisor).post("hold", round.key, **typed)
    assert (form.status_code, why in text(form)) == (422, True)
    assert value(form, "ruling-evidence") == SAID["evidence"]
    assert form.context_data["typed"]["note"] == typed["note"]


def test_a_hold_on_a_settled_hand_says_that_nothing_is_taken_back(
    house: House, round: Round
) -> None:
    visitor = Visitor(house.supervisor)
    form = text(visitor.get("hold", round.key, script=True))
    assert "This hand is settled already. The hold takes nothing back" in form
    visitor.post("hold", round.key, **SAID)
    page = text(visitor.get("round", round.key))
    assert "This hand was settled before it was put on hold." in page
    assert "What it paid stays paid: the hold takes nothing back." in page
    house.settle()
    assert round.settlements.count() == 1


def test_a_second_hold_is_told_that_there_is_one(house: House, round: Round) -> None:
    house.hold(round)
    with nothing_written():
        answer = Visitor(house.manager).post("hold", round.key, **SAID)
    assert (answer.status_code, "is on hold already" in text(answer)) == (409, True)


def test_an_incident_is_raised_about_a_round_or_a_table(house: House, round: Round) -> None:
    visitor = Visitor(house.supervisor)
    answer = visitor.post("raise_on_round", round.key, **SAID)
    assert answer["HX-Redirect"] == f"/admin/rounds/{round.key}/"
    answer = visitor.post("raise_at_table", "bac-01", **SAID | {"ground": "system_error"})
    assert answer["HX-Redirect"] == "/admin/tables/bac-01/"
    assert list(Incident.objects.values_list("kind", "round__key", "note", "video")) == [
        ("system_error", None, "A card lay open.", "cam 3 03:00:12"),
        ("exposed_card", round.key, "A card lay open.", "cam 3 03:00:12"),
    ]
    assert "A card lay open." in text(visitor.get("table", "bac-01"))


def test_an_incident_offers_the_kinds_of_the_game_and_needs_a_note(
    house: House, round: Round
) -> None:
    visitor = Visitor(house.compliance)
    form = text(visitor.get("raise_at_table", "bac-01"))
    assert "Raise incident: bac-01" in form and "Bad spin" not in form
    with nothing_written():
        empty = visitor.post("raise_at_table", "bac-01", **SAID | {"note": ""})
        wrong = visitor.post("raise_at_table", "bac-01", **SAID | {"ground": "bad_spin"})
    assert "Say in a note what was seen." in text(empty)
    assert "knows no incident bad_spin" in text(wrong)
    assert (empty.status_code, wrong.status_code) == (422, 422)
