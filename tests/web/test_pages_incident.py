"""The page of one incident: what happened, what the book says, and what may be done about it."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.urls import reverse

from casino.models import Incident, Round
from casino.services import shoes
from tests.dealing import dealt
from tests.house import BANKER_WINS, PLAYER_WINS, REASON, WRONG_THIRD_CARD, House
from tests.web.browsing import Visitor, text, value
from tests.web.counting import nothing_written

pytestmark = pytest.mark.first_hand


@dealt
def round(house: House) -> Round:
    return house.play(PLAYER_WINS, ("player", "100")).round


def answers(page: Any) -> list[str]:
    return [answer["label"] for answer in page.context_data["answers"]]


def test_an_incident_tells_what_happened_and_what_the_book_says(house: House) -> None:
    round = house.hand()
    house.result(round, WRONG_THIRD_CARD, video="cam 1 03:00:12")
    page = Visitor(house.supervisor).get("incident", Incident.objects.get().pk)
    said = text(page)
    assert "Wrong card Open On hold" in said
    assert "Player drew a third card on 6." in said and "cam 1 03:00:12" in said
    assert "by studio" in said
    assert "Wrong dealing is corrected while the cards lie on the table" in said
    assert "It allows Edit the result Void the hand Void the shoe Management decides" in said
    assert "(book Club A, clause 4; document 000, lines 46–67)" in said
    assert page.context_data["sides"][0].cards == ("KS", "6H", "2C")


@pytest.mark.parametrize(
    ("kind", "offered"),
    [
        ("exposed_card", ["Void hand", "Edit result", "Let stand"]),
        ("late_hand", ["Void hand"]),
        ("dropped_card", ["Void hand", "Let stand"]),
        ("misread_result", ["Edit result"]),
        ("disconnection", ["Let stand"]),
        ("blue_card", ["Void hand", "Let stand"]),
    ],
)
def test_it_offers_what_the_book_allows_on_that_ground(
    house: House, round: Round, kind: str, offered: list[str]
) -> None:
    incident = house.incident(round, kind)
    visitor = Visitor(house.manager)
    assert answers(visitor.get("incident", incident.pk)) == offered
    [entry] = visitor.get("round", round.key).context_data["open"]
    assert [answer["label"] for answer in entry["answers"]] == offered


def test_a_ground_that_names_the_shoe_offers_to_void_it_with_the_words_of_the_incident(
    house: House, round: Round
) -> None:
    incident = house.incident(round, "wrong_card", note="The four was skipped.", video="cam 2")
    visitor = Visitor(house.manager)
    offered = visitor.get("incident", incident.pk).context_data["answers"]
    assert [answer["label"] for answer in offered] == [
        "Void hand",
        "Edit result",
        "Let stand",
        "Void shoe",
    ]
    form = visitor.client.get(offered[-1]["url"], headers={"HX-Request": "true"})
    typed = form.context_data["typed"]
    assert [typed[name] for name in ("ground", "note", "evidence")] == [
        "wrong_card", "The four was skipped.", "cam 2",
    ]  # fmt: skip


@pytest.mark.nothing_dealt
def test_an_incident_of_a_shoe_offers_what_may_be_done_about_the_shoe(house: House) -> None:
    by = {"actor": house.studio.person, "reason": REASON}
    shoe = shoes.open_shoe(table=house.table(), number=1, first_card="TH", burned=9, **by)
    incident = Incident.objects.get()
    visitor = Visitor(house.manager)
    shown = visitor.get("incident", incident.pk)
    assert "Void the hand" not in text(shown)
    before = answers(shown)
    ways = ["Void shoe", "Let shoe stand", "Note and close"]
    assert before == ["Correct commencement", *ways]
    house.close(house.round(shoe.table))
    assert answers(visitor.get("incident", incident.pk)) == ways
    house.void_shoe(shoe)
    assert answers(visitor.get("incident", incident.pk)) == []


def test_it_offers_only_what_is_possible_now(house: House) -> None:
    round = house.hand()
    incident = house.incident(round)
    visitor = Visitor(house.manager)
    assert answers(visitor.get("incident", incident.pk)) == ["Void hand", "Let stand"]
    house.void(round)
    assert answers(visitor.get("incident", incident.pk)) == []
    dealt = house.play(PLAYER_WINS, ("player", "10")).round
    house.void(dealt)
    late = house.incident(dealt)
    assert answers(visitor.get("incident", late.pk)) == ["Reinstate hand", "Let stand"]


@pytest.mark.parametrize("name", ["supervisor", "compliance", "administrator"])
def test_it_offers_nothing_to_who_may_not_rule(house: House, round: Round, name: str) -> None:
    visitor = Visitor(getattr(house, name))
    for incident in (house.incident(round), house.incident(round.table)):
        assert answers(visitor.get("incident", incident.pk)) == []


def test_a_ruling_opened_from_an_incident_begins_with_what_it_says(
    house: House, round: Round
) -> None:
    house.incident(round, "late_hand")
    incident = house.incident(round, "dropped_card", note="The six fell.", video="cam 2")
    house.incident(round, "wrong_card")
    visitor = Visitor(house.manager)
    for answer in visitor.get("incident", incident.pk).context_data["answers"]:
        form = visitor.client.get(answer["url"], headers={"HX-Request": "true"})
        assert form.context_data["typed"] == {
            "ground": "dropped_card", "note": "The six fell.", "evidence": "cam 2",
        }  # fmt: skip


def test_an_edit_opened_from_a_second_reading_begins_with_that_reading(
    house: House, round: Round
) -> None:
    incident = house.post_result(round, BANKER_WINS).incident
    assert incident is not None
    visitor = Visitor(house.manager)
    form = visitor.get("ruling", "edit", round.key, script=True, incident=incident.pk)
    assert value(form, "ruling-player") == "KS 6H"
    assert form.context_data["typed"]["ground"] == "misread_result"
    form = visitor.get("ruling", "edit", round.key, script=True)
    assert value(form, "ruling-player") == "KS 9H"


def test_an_incident_of_another_round_or_none_changes_nothing(house: House, round: Round) -> None:
    other = house.incident(house.hand(), note="Elsewhere.")
    visitor = Visitor(house.manager)
    for number in (str(other.pk), "9" * 30, "x", "-1"):
        form = visitor.get("ruling", "void_hand", round.key, script=True, incident=number)
        assert form.context_data["typed"]["note"] == ""


def test_an_incident_without_a_round_is_noted_and_closed(house: House) -> None:
    incident = house.incident(house.table(), "disconnection", note="The line went down.")
    visitor = Visitor(house.manager)
    assert answers(visitor.get("incident", incident.pk)) == ["Note and close"]
    form = text(visitor.get("incident_note", incident.pk, script=True))
    assert "Disconnection: The line went down." in form and "no money moves" in form
    with nothing_written():
        empty = visitor.post("incident_note", incident.pk, note=" ")
    assert (empty.status_code, "Say in a note" in text(empty)) == (422, True)
    answer = visitor.post("incident_note", incident.pk, note="Back after a minute.")
    assert answer["HX-Redirect"] == reverse("admin:incident", args=[incident.pk])
    assert [str(message) for message in get_messages(answer.wsgi_request)] == [
        "The incident is noted and closed."
    ]
    said = text(visitor.get("incident", incident.pk))
    assert "Disconnection Answered" in said
    assert "Noted by manager" in said and "Back after a minute." in said
    assert "Noted by manager" in text(visitor.get("incidents"))
    assert "Noted manager" in text(visitor.get("table", "bac-01"))
    again = visitor.post("incident_note", incident.pk, note="Again.")
    assert (again.status_code, "answered already" in text(again)) == (409, True)


def test_an_incident_about_a_round_takes_no_note(house: House, round: Round) -> None:
    answer = Visitor(house.manager).get("incident_note", house.incident(round).pk, script=True)
    assert (answer.status_code, "rule on that one" in text(answer)) == (409, True)


def test_it_is_reached_from_the_floor_the_table_the_round_and_the_lists(
    house: House, round: Round
) -> None:
    address = reverse("admin:incident", args=[house.incident(round).pk])
    visitor = Visitor(house.manager)
    for name, place in (
        ("floor", ()), ("table", ("bac-01",)), ("round", (round.key,)), ("incidents", ()),
    ):  # fmt: skip
        assert f'href="{address}"' in visitor.get(name, *place).content.decode(), name


def test_how_it_was_answered_is_told_with_evidence(house: House, round: Round) -> None:
    incident = house.incident(round)
    house.void(round)
    said = text(Visitor(house.compliance).get("incident", incident.pk))
    assert "Exposed card Answered" in said
    assert "Void hand by manager" in said and "Seen on video." in said
    assert "Evidence cam 3 03:00:12" in said


def test_what_a_system_posted_without_pictures_is_shown_as_it_came(house: House) -> None:
    incident = house.incident(house.hand(), evidence={"sensor": "é"})
    assert '{"sensor": "é"}' in text(Visitor(house.supervisor).get("incident", incident.pk))


def test_the_export_says_what_answered_an_incident(house: House, round: Round) -> None:
    house.incident(round.table)
    Visitor(house.manager).post("incident_note", Incident.objects.get().pk, note="Nothing.")
    answer = Visitor(house.supervisor).get("incidents_export")
    rows = b"".join(answer.streaming_content).decode()
    assert "answer,ruling,answered_at,answered_by,answer_note" in rows
    assert ",noted,," in rows and ",manager,Nothing." in rows


def test_there_is_no_incident_of_another_number(house: House) -> None:
    assert Visitor(house.manager).get("incident", 99).status_code == 404
