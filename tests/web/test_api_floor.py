"""What floor systems post, from the first card of a shoe to its close."""

from __future__ import annotations

import pytest

from casino.models import AuditEvent, Incident, OutcomeRevision, Round, Shoe
from casino.models.audit import Action
from casino.services.incidents import raise_incident
from tests.house import BANKER_WINS, PLAYER_WINS, REASON, WRONG_THIRD_CARD, House
from tests.web.calls import Caller
from tests.web.counting import nothing_written

SHOE = {"number": 1, "first_card": "KH", "burned": 10}


pytestmark = pytest.mark.first_table


@pytest.fixture
def studio(house: House) -> Caller:
    return Caller(house.keys["studio"])


def test_a_shoe_is_played_from_first_card_to_close(house: House, studio: Caller) -> None:
    house.table()
    shoe = studio.post("tables/bac-01/shoes/", SHOE)
    assert shoe.status_code == 201
    assert shoe.json() | {"opened_at": None} == SHOE | {
        "table": "bac-01",
        "decks": 8,
        "cut": None,
        "phase": "open",
        "blue_card": "",
        "opened_at": None,
        "closed_at": None,
        "incident": None,
    }
    round = studio.post("tables/bac-01/rounds/", {"number": 1})
    assert (round.status_code, round.json()["id"]) == (201, "bac-01-1-1")
    assert round.json()["status"] == "betting"
    closed = studio.post("rounds/bac-01-1-1/close/")
    assert (closed.status_code, closed.json()["status"]) == (200, "closed")
    result = studio.post(
        "rounds/bac-01-1-1/result/",
        {"outcome": BANKER_WINS, "manual": True, "video": "cam 3 18:00:07", "dealer": "Ines"},
    )
    assert result.status_code == 201
    assert result.json() == {
        "round": "bac-01-1-1",
        "status": "resulted",
        "revision": 1,
        "headline": "Banker 7 beats Player 6",
        "outcome": BANKER_WINS,
        "incidents": [],
    }
    blue = studio.post("tables/bac-01/shoes/1/blue-card/", {"at": "burn"})
    assert (blue.status_code, blue.json()["phase"]) == (200, "spent")
    ended = studio.post("tables/bac-01/shoes/1/close/")
    assert (ended.status_code, ended.json()["phase"]) == (200, "closed")
    recorded = OutcomeRevision.objects.get()
    assert (recorded.manual, recorded.video, recorded.dealer) == (True, "cam 3 18:00:07", "Ines")


def test_whatever_is_posted_again_is_answered_as_it_is(house: House, studio: Caller) -> None:
    house.table()
    calls = [
        ("tables/bac-01/shoes/", SHOE),
        ("tables/bac-01/rounds/", {"number": 1}),
        ("rounds/bac-01-1-1/close/", None),
        ("rounds/bac-01-1-1/result/", {"outcome": BANKER_WINS}),
        ("tables/bac-01/shoes/1/blue-card/", {"at": "in_hand"}),
        ("tables/bac-01/shoes/1/close/", None),
    ]
    for path, body in calls:
        first = studio.post(path, body)
        assert first.status_code in (200, 201), path
        with nothing_written():
            again = studio.post(path, body)
        assert (again.status_code, again.json()) == (200, first.json()), path


def test_the_actor_is_the_client_and_the_reason_is_given(house: House, studio: Caller) -> None:
    house.table()
    studio.post("tables/bac-01/shoes/", SHOE)
    event = AuditEvent.objects.get(action=Action.SHOE_OPENED)
    assert (event.actor, event.reason) == (house.studio.person, "Posted by the table system.")
    assert event.subject == "shoe:bac-01-1"


@pytest.mark.nothing_dealt
def test_a_round_is_closed_with_what_was_drawn_for_it(house: House, studio: Caller) -> None:
    """000 L667: the Super Numbers are drawn after betting closes; they stand from then on."""
    house.round(house.table("rou-01", "club-a", "super_roulette"))
    draws = {"super_numbers": {"7": "499:1"}}
    wrong = [
        ({"draws": {"super_numbers": {"7": "98:1"}}}, 422, "invalid_outcome"),
        ({"draws": [7]}, 400, "malformed"),
        ({"drawn": draws}, 400, "malformed"),
    ]
    for body, status, code in wrong:
        with nothing_written():
            refused = studio.post("rounds/rou-01-1/close/", body)
        assert (refused.status_code, refused.json()["error"]["code"]) == (status, code)
    closed = studio.post("rounds/rou-01-1/close/", {"draws": draws})
    assert (closed.status_code, closed.json()["draws"]) == (200, draws)
    with nothing_written():
        assert studio.post("rounds/rou-01-1/close/", {"draws": draws}).json() == closed.json()
        assert studio.post("rounds/rou-01-1/close/").json() == closed.json()
        others = {"draws": {"super_numbers": {"8": "49:1"}}}
        assert studio.post("rounds/rou-01-1/close/", others).status_code == 409
        result = {"outcome": {"number": 7} | others["draws"]}
        refused = studio.post("rounds/rou-01-1/result/", result)
    assert (refused.status_code, refused.json()["error"]["field"]) == (422, "super_numbers")
    assert studio.get("rounds/rou-01-1/").json()["draws"] == draws
    posted = studio.post("rounds/rou-01-1/result/", {"outcome": {"number": 7}})
    assert (posted.status_code, posted.json()["outcome"]) == (201, {"number": 7} | draws)


def test_a_burn_that_does_not_fit_opens_an_incident(house: House, studio: Caller) -> None:
    house.table()
    shoe = studio.post("tables/bac-01/shoes/", SHOE | {"burned": 9})
    assert shoe.status_code == 201
    incident = shoe.json()["incident"]
    assert (incident["kind"], incident["shoe"]) == ("commencement_error", 1)
    assert studio.post("tables/bac-01/shoes/", SHOE | {"burned": 9}).json() == shoe.json()


def test_another_first_card_is_a_conflict(house: House, studio: Caller) -> None:
    house.shoe(house.table())
    with nothing_written():
        answer = studio.post("tables/bac-01/shoes/", SHOE | {"first_card": "2H", "burned": 2})
        assert answer.status_code == 409
        assert studio.post("tables/bac-01/shoes/", SHOE | {"number": 2}).status_code == 409


def test_a_round_may_have_the_table_systems_own_id(house: House, studio: Caller) -> None:
    house.shoe(house.table())
    body = {"number": 1, "round_id": "2026-11-29:0031"}
    assert studio.post("tables/bac-01/rounds/", body).json()["id"] == "2026-11-29:0031"
    assert studio.post("tables/bac-01/rounds/", body).status_code == 200
    assert studio.post("rounds/2026-11-29:0031/close/").json()["status"] == "closed"


def test_no_hand_opens_where_none_may(house: House, studio: Caller) -> None:
    table = house.table()
    with nothing_written():
        assert studio.post("tables/bac-01/rounds/", {"number": 1}).status_code == 409
    house.shoe(table)
    studio.post("tables/bac-01/rounds/", {"number": 1})
    with nothing_written():
        running = studio.post("tables/bac-01/rounds/", {"number": 2})
    assert (running.status_code, running.json()["error"]["code"]) == (409, "conflict")


@pytest.mark.first_hand
def test_a_hand_after_the_last_is_answered_void_and_takes_no_ticket(
    house: House, studio: Caller
) -> None:
    """Block BAC, clause 2; the platform learns from its refusal that the bet never was one."""
    house.result(house.hand(), BANKER_WINS)
    studio.post("tables/bac-01/shoes/1/blue-card/", {"at": "burn"})
    late = studio.post("tables/bac-01/rounds/", {"number": 2})
    assert (late.status_code, late.json()["status"]) == (201, "void")
    with nothing_written():
        assert studio.post("tables/bac-01/rounds/", {"number": 2}).json() == late.json()
        for call, body in (("close", None), ("result", {"outcome": BANKER_WINS})):
            answer = studio.post(f"rounds/bac-01-1-2/{call}/", body)
            assert (answer.status_code, answer.json()["error"]["code"]) == (409, "conflict")
    assert house.bet(Round.objects.get(number=2), ("player", "10")).ticket is None
    read = studio.get("rounds/bac-01-1-2/").json()
    assert [row["void_ground"] for row in read["outcomes"]] == ["late_hand"]


@pytest.mark.first_hand
def test_an_open_hand_is_void_once_the_blue_card_is_the_burn_card(
    house: House, studio: Caller
) -> None:
    round = house.hand()
    ticket = house.ticket(round, ("player", "10"))
    studio.post("tables/bac-01/shoes/1/blue-card/", {"at": "burn"})
    house.settle()
    assert studio.get(f"rounds/{round.key}/").json()["status"] == "void"
    assert house.paid(ticket) == 1_000


@pytest.mark.first_hand
def test_a_shoe_that_is_void_is_closed_already(house: House, studio: Caller) -> None:
    round = house.hand()
    assert round.shoe is not None
    house.void_shoe(round.shoe)
    closed = studio.post("tables/bac-01/shoes/1/close/")
    assert (closed.status_code, closed.json()["phase"]) == (200, "void")
    assert studio.post("tables/bac-01/rounds/", {"number": 2}).status_code == 409
    assert studio.post("tables/bac-01/shoes/", SHOE | {"number": 2}).status_code == 201


@pytest.mark.first_hand
def test_a_shoe_with_a_running_hand_is_not_closed(house: House, studio: Caller) -> None:
    house.hand()
    with nothing_written():
        assert studio.post("tables/bac-01/shoes/1/close/").status_code == 409
    assert Shoe.objects.get().phase == "open"


@pytest.mark.first_hand
def test_the_same_result_in_another_form_has_no_effect(house: House, studio: Caller) -> None:
    round = house.hand()
    house.result(round, BANKER_WINS)
    with nothing_written():
        answer = studio.post(
            "rounds/bac-01-1-1/result/", {"outcome": {"deal": ["KS", "7D", "6H", "JC"]}}
        )
    assert answer.status_code == 200
    assert answer.json()["outcome"] == BANKER_WINS


@pytest.mark.first_hand
def test_another_result_is_an_edit_and_edits_are_rulings(house: House, studio: Caller) -> None:
    round = house.hand()
    house.result(round, BANKER_WINS)
    answer = studio.post("rounds/bac-01-1-1/result/", {"outcome": PLAYER_WINS})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "conflict")
    assert answer.json()["error"]["incident"] == str(Incident.objects.get().pk)
    with nothing_written():
        again = studio.post("rounds/bac-01-1-1/result/", {"outcome": PLAYER_WINS})
    assert (again.status_code, again.json()) == (409, answer.json())
    assert len(house.outcomes(round)) == 1


@pytest.mark.first_hand
def test_after_an_edit_the_edited_result_is_the_same_again(house: House, studio: Caller) -> None:
    round = house.hand()
    house.result(round, BANKER_WINS)
    house.edit(round, PLAYER_WINS)
    with nothing_written():
        again = studio.post("rounds/bac-01-1-1/result/", {"outcome": PLAYER_WINS})
        assert (again.status_code, again.json()["revision"]) == (200, 2)
        first = studio.post("rounds/bac-01-1-1/result/", {"outcome": BANKER_WINS})
        assert first.status_code == 409


@pytest.mark.first_hand
def test_a_wrong_third_card_holds_the_round(house: House, studio: Caller) -> None:
    round = house.close(house.hand())
    answer = studio.post(
        "rounds/bac-01-1-1/result/", {"outcome": WRONG_THIRD_CARD, "video": "cam 1"}
    )
    assert answer.status_code == 422
    incident = Incident.objects.get()
    error = answer.json()["error"]
    assert (error["code"], error["status"]) == ("invalid_outcome", "on_hold")
    assert (error["incident"], incident.kind) == (str(incident.pk), "wrong_card")
    assert (incident.evidence, incident.video) == (WRONG_THIRD_CARD, "cam 1")
    round.refresh_from_db()
    assert (round.status, round.outcome_revision) == ("on_hold", 0)


@pytest.mark.first_hand
def test_a_needless_card_is_reported_and_the_result_stands(house: House, studio: Caller) -> None:
    house.close(house.hand())
    answer = studio.post(
        "rounds/bac-01-1-1/result/", {"outcome": {"deal": ["KS", "7D", "9H", "JC", "5C"]}}
    )
    assert answer.status_code == 201
    [incident] = answer.json()["incidents"]
    assert (incident["kind"], incident["round"]) == ("unnecessary_card", "bac-01-1-1")


@pytest.mark.first_hand
def test_an_incident_is_raised(house: House, studio: Caller) -> None:
    house.hand()
    answer = studio.post(
        "incidents/",
        {
            "table": "bac-01",
            "round": "bac-01-1-1",
            "shoe": 1,
            "kind": "exposed_card",
            "note": "A card fell\nface up.",
            "video": "cam 2",
        },
    )
    assert answer.status_code == 201
    incident = Incident.objects.get()
    assert answer.json() == {
        "id": str(incident.pk),
        "table": "bac-01",
        "round": "bac-01-1-1",
        "shoe": 1,
        "kind": "exposed_card",
        "note": "A card fell\nface up.",
        "video": "cam 2",
        "raised_at": answer.json()["raised_at"],
    }
    assert incident.raised_by == house.studio.person


def test_an_incident_needs_no_round(house: House, studio: Caller) -> None:
    house.table()
    body = {"table": "bac-01", "kind": "disconnection", "note": "The line went down."}
    answer = studio.post("incidents/", body)
    assert answer.status_code == 201
    assert (answer.json()["round"], answer.json()["shoe"]) == (None, None)


@pytest.mark.first_hand
def test_the_same_incident_again_is_the_one_that_is_open(house: House, studio: Caller) -> None:
    round = house.hand()
    body = {"table": "bac-01", "round": "bac-01-1-1", "kind": "exposed_card", "note": "Seen."}
    first = studio.post("incidents/", body)
    with nothing_written():
        again = studio.post("incidents/", body)
    assert (again.status_code, again.json()) == (200, first.json())
    for other in ({"note": "Seen again."}, {"video": "cam 2"}, {"shoe": 1}):
        assert studio.post("incidents/", body | other).status_code == 201
    house.void(round)
    assert studio.post("incidents/", body).status_code == 201


@pytest.mark.first_hand
def test_what_somebody_else_raised_is_another_incident(house: House, studio: Caller) -> None:
    round = house.hand()
    raise_incident(
        table=round.table,
        round=round,
        kind="exposed_card",
        note="Seen.",
        actor=house.supervisor,
        reason=REASON,
    )
    body = {"table": "bac-01", "round": "bac-01-1-1", "kind": "exposed_card", "note": "Seen."}
    assert studio.post("incidents/", body).status_code == 201


@pytest.mark.first_hand
def test_an_incident_is_not_raised_about_a_round_of_another_table(
    house: House, studio: Caller
) -> None:
    house.hand()
    house.hand(code="bac-02")
    body = {"table": "bac-02", "round": "bac-01-1-1", "kind": "exposed_card", "note": "Seen."}
    with nothing_written():
        answer = studio.post("incidents/", body)
    assert (answer.status_code, answer.json()["error"]["field"]) == (400, "round")


@pytest.mark.nothing_dealt
def test_a_bad_spin_is_spun_again_with_bets_locked(house: House, studio: Caller) -> None:
    round = house.round(house.table("rou-01", "club-b", "roulette"))
    assert round.key == "rou-01-1"
    with nothing_written():
        early = studio.post("rounds/rou-01-1/replay/", {"kind": "bad_spin"})
    assert (early.status_code, early.json()["error"]["code"]) == (409, "conflict")
    house.close(round)
    answer = studio.post("rounds/rou-01-1/replay/", {"kind": "bad_spin"})
    assert (answer.status_code, answer.json()["status"]) == (200, "closed")
    [ruling] = studio.get("rulings/").json()["results"]
    assert (ruling["kind"], ruling["revision"]) == ("replay", None)
    result = studio.post("rounds/rou-01-1/result/", {"outcome": {"number": 17}})
    assert result.status_code == 201


@pytest.mark.nothing_dealt
def test_bets_are_handed_back_where_the_book_says_so(house: House, studio: Caller) -> None:
    for book, status in (("club-b", 400), ("asia", 201)):
        house.close(house.round(house.table(f"rou-{book}", book, "roulette")))
        answer = studio.post(f"rounds/rou-{book}-1/release/", {"kind": "foreign_object"})
        assert answer.status_code == status
    assert (answer.json()["id"], answer.json()["status"]) == ("rou-asia-2", "betting")
    assert studio.get("rounds/rou-asia-1/").json()["status"] == "void"


@pytest.mark.nothing_dealt
def test_a_book_that_does_not_replay_for_a_ground_refuses(house: House, studio: Caller) -> None:
    house.close(house.round(house.table("rou-01", "club-b", "roulette")))
    with nothing_written():
        answer = studio.post("rounds/rou-01-1/replay/", {"kind": "wrong_entry"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "not_permitted")
