"""Incidents about no round end with a note; what each book allows for each kind of incident."""

from __future__ import annotations

import pytest
from django.db import transaction
from django.db.utils import IntegrityError

from casino.models import AuditEvent, Incident, IncidentClosing, Person
from casino.services.incidents import note_incident
from games import rulebook
from games.incidents import GROUNDS
from games.refusals import Refused
from games.rulebook import Action
from tests.house import House

pytestmark = pytest.mark.first_table


def note(
    house: House, incident: Incident, *, actor: Person | None = None, said: str = "All is well."
) -> IncidentClosing:
    return note_incident(
        incident=incident, note=said, actor=actor or house.manager, reason="Looked."
    )


def test_an_incident_at_a_table_is_ended_with_a_note(house: House) -> None:
    incident = house.incident(house.table())
    closing = note(house, incident)
    incident.refresh_from_db()
    assert incident.closing == closing
    assert (closing.answer, closing.why, closing.answered_by) == (
        "Noted", "All is well.", house.manager,
    )  # fmt: skip
    event = AuditEvent.objects.get(action="incident_noted")
    assert (event.subject, event.actor, event.reason) == ("table:bac-01", house.manager, "Looked.")


def test_an_incident_in_a_shoe_is_ended_with_a_note(house: House) -> None:
    shoe = house.shoe(house.table())
    incident = house.incident(shoe.table, "commencement_error", shoe=shoe)
    assert note(house, incident).noted_at is not None


def test_an_incident_about_a_round_ends_with_a_ruling_on_the_round(house: House) -> None:
    round = house.hand()
    incident = house.incident(round)
    with pytest.raises(Refused, match="rule on that one"):
        note(house, incident)
    house.void(round)
    incident.refresh_from_db()
    assert (incident.closing.answer, incident.closing.why) == ("Void hand", "Seen on video.")
    assert incident.closing.answered_by == house.manager


def test_what_is_answered_is_not_noted_again(house: House) -> None:
    incident = house.incident(house.table())
    note(house, incident)
    with pytest.raises(Refused, match="answered already"):
        note(house, incident)
    assert IncidentClosing.objects.count() == 1


def test_a_note_says_something(house: House) -> None:
    with pytest.raises(Refused, match="Say in a note"):
        note(house, house.incident(house.table()), said="  ")


@pytest.mark.parametrize("name", ["supervisor", "compliance", "administrator"])
def test_only_pit_managers_note(house: House, name: str) -> None:
    incident = house.incident(house.table())
    with pytest.raises(Refused) as caught:
        note(house, incident, actor=getattr(house, name))
    assert caught.value.code == "not_permitted"


def test_an_incident_is_never_ended_without_who_and_why(house: House) -> None:
    incident = house.incident(house.table())
    with pytest.raises(IntegrityError, match="ruled_or_noted"), transaction.atomic():
        IncidentClosing.objects.create(incident=incident, noted_by=house.manager, note="")


CARRIED_OUT = {
    Action.STAND, Action.VOID_HAND, Action.EDIT, Action.SWAP, Action.REPLAY, Action.RELEASE,
    Action.PARTIAL, Action.VOID_SHOE, Action.DISCRETION,
}  # fmt: skip
LEFT_TO_MANAGEMENT = {Action.STAND, Action.VOID_HAND, Action.EDIT}


def test_every_kind_of_incident_is_known_to_a_game_and_allows_something() -> None:
    games = [game for book in rulebook.books().values() for game in book.games.values()]
    assert {code for game in games for code in game.grounds} == set(GROUNDS)
    for game in games:
        for ground in game.grounds.values():
            assert ground.actions and set(ground.actions) <= CARRIED_OUT, ground.code
            assert ground.clause, ground.code
        discretion = game.grounds["management_discretion"]
        assert set(discretion.actions) >= LEFT_TO_MANAGEMENT


R = rulebook.Action
BLOCKS = {
    ("club-a", "no_commission_baccarat"): {
        "commencement_error": {R.STAND, R.VOID_SHOE, R.DISCRETION},
        "blue_card": {R.STAND, R.VOID_HAND},
        "late_hand": {R.VOID_HAND},
        "exposed_card": {R.VOID_HAND, R.STAND, R.DISCRETION},
        "unnecessary_card": {R.STAND, R.VOID_SHOE, R.DISCRETION},
        "wrong_card": {R.EDIT, R.VOID_HAND, R.VOID_SHOE, R.DISCRETION},
        "dropped_card": {R.STAND, R.VOID_HAND},
    },
    ("club-a", "sic_bo"): {
        "cocked_die": {R.REPLAY},
        "short_bounce": {R.REPLAY},
        "wrong_entry": {R.EDIT},
        "disconnection": {R.STAND},
    },
    ("club-b", "roulette"): {
        "bad_spin": {R.REPLAY},
        "ball_mishandled": {R.REPLAY},
        "wrong_direction": {R.REPLAY},
        "wrong_entry": {R.EDIT},
        "disconnection": {R.STAND},
    },
    ("club-b", "three_pictures"): {
        "burn_error": {R.STAND, R.VOID_HAND, R.DISCRETION},
        "exposed_card": {R.VOID_HAND, R.DISCRETION},
        "dropped_card": {R.STAND, R.VOID_HAND},
        "wrong_sequence": {R.EDIT, R.VOID_HAND, R.DISCRETION},
        "reverse_dealing": {R.SWAP, R.DISCRETION},
        "shuffler_jam": {R.VOID_HAND, R.DISCRETION},
        "deck_cleared": {R.VOID_HAND, R.DISCRETION},
    },
    ("club-b", "blackjack"): {
        "unnecessary_card": {R.STAND},
        "dropped_card": {R.STAND, R.VOID_HAND},
        "shuffler_jam": {R.VOID_HAND, R.PARTIAL, R.DISCRETION},
        "disconnection": {R.STAND},
    },
    ("club-b", "super_ball"): {
        "bad_roll": {R.REPLAY},
        "ball_mishandled": {R.REPLAY},
        "wrong_entry": {R.EDIT},
        "disconnection": {R.STAND},
    },
    ("asia", "roulette"): {
        "foreign_object": {R.RELEASE},
        "blackout": {R.RELEASE},
        "fumbled_ball": {R.RELEASE},
        "no_drop": {R.RELEASE},
        "misread_result": {R.EDIT},
        "no_outcome": {R.VOID_HAND},
    },
    ("asia", "sic_bo"): {"leaning_die": {R.STAND}, "stacked_die": {R.VOID_HAND}},
    ("euro", "roulette"): {"system_error": {R.VOID_HAND}, "bad_spin": {R.REPLAY}},
    ("euro", "baccarat"): {"system_error": {R.VOID_HAND}, "blue_card": {R.STAND}},
    ("euro", "blackjack"): {"disconnection": {R.STAND}, "blue_card": {R.STAND}},
}


@pytest.mark.parametrize(("book", "game"), BLOCKS)
def test_what_each_document_allows_for_each_incident(book: str, game: str) -> None:
    """The incident blocks of documents 000, 001, 003 and 004, as they are printed."""
    grounds = rulebook.book(book).game(game).grounds
    assert {code: set(grounds[code].actions) for code in BLOCKS[book, game]} == BLOCKS[book, game]
