"""Rulings: a ground from the book's list, a note, evidence; on exactly what was previewed."""

from __future__ import annotations

from typing import Any

import pytest

from casino.models import AuditEvent, Incident, OutcomeRevision, Round, Ruling
from casino.services.incidents import raise_incident
from casino.services.plans import Draft, check_kind, plan_ruling
from casino.services.rulings import rule
from games.refusals import Refused
from tests.dealing import dealt
from tests.house import BANKER_WINS, PLAYER_WINS, REASON, WRONG_THIRD_CARD, House

NINE = ["QS", "9H"]
"""Other cards with which the Player wins as well."""


@dealt
def round(house: House) -> Round:
    round = house.hand()
    house.ticket(round, ("banker", "100"))
    house.result(round, BANKER_WINS)
    house.settle()
    round.refresh_from_db()
    return round


def drafted(**values: Any) -> Draft:
    return Draft(
        **{
            "kind": "void_hand",
            "ground": "exposed_card",
            "note": "Seen on video.",
            "evidence": "cam 3 03:00:12",
        }
        | values
    )


def propose(house: House, round: Round, *, seen: str = "", **values: Any) -> Ruling:
    draft = drafted(**values)
    return rule(
        round=round,
        draft=draft,
        seen=seen or preview(house, round, **values),
        actor=house.manager,
        reason=draft.note or "-",
    )


def preview(house: House, round: Round, **values: Any) -> str:
    return plan_ruling(round=round, draft=drafted(**values), actor=house.manager).seen


def refused(house: House, round: Round, **values: Any) -> Refused:
    before = (Ruling.objects.count(), OutcomeRevision.objects.count(), AuditEvent.objects.count())
    with pytest.raises(Refused) as caught:
        propose(house, round, **values)
    assert before == (
        Ruling.objects.count(),
        OutcomeRevision.objects.count(),
        AuditEvent.objects.count(),
    )
    return caught.value


def test_a_ruling_keeps_who_what_why_and_what_was_shown(house: House, round: Round) -> None:
    ruling = propose(house, round)
    ruling.refresh_from_db()
    assert (ruling.ruled_by, ruling.ground) == (house.manager, "exposed_card")
    assert (ruling.note, ruling.evidence) == ("Seen on video.", "cam 3 03:00:12")
    assert ruling.plan["money"] == [
        {
            "operator": "north", "currency": "USD", "test": False, "tickets": 1, "debited": 1,
            "up": 0, "down": -10000, "largest": 10000,
        }
    ]  # fmt: skip
    assert (ruling.plan["before"], ruling.plan["after"]) == (
        "Banker 7 beats Player 6",
        "Void: exposed card",
    )
    revision = ruling.outcomes.get()
    assert (revision.revision, revision.kind, revision.void_ground) == (2, "void", "exposed_card")
    event = AuditEvent.objects.get(action="hand_voided")
    assert (event.actor, event.subject) == (house.manager, f"round:{round.key}")
    assert event.reason == "Seen on video."


def test_the_plan_shows_before_and_after_and_writes_nothing(house: House, round: Round) -> None:
    draft = Draft("edit", "wrong_card", "Misread.", "cam 3", PLAYER_WINS)
    plan = plan_ruling(round=round, draft=draft, actor=house.manager)
    assert (plan.before, plan.after) == ("Banker 7 beats Player 6", "Player 9 beats Banker 7")
    assert plan.seen.startswith(round.seen)
    assert not Ruling.objects.exists()


def test_a_round_that_moved_since_the_preview_is_a_conflict(house: House, round: Round) -> None:
    seen = preview(house, round)
    house.edit(round, PLAYER_WINS)
    refusal = refused(house, round, seen=seen)
    assert refusal.code == "conflict" and "Edit result" in str(refusal)


@pytest.mark.parametrize(
    ("previewed", "asked"),
    [
        ({}, {"ground": "dropped_card"}),
        (
            {"kind": "edit", "ground": "wrong_card", "outcome": PLAYER_WINS},
            {"kind": "edit", "ground": "wrong_card", "outcome": PLAYER_WINS | {"player": NINE}},
        ),
    ],
)
def test_a_preview_confirms_no_other_ruling_that_moves_the_same_money(
    house: House, round: Round, previewed: dict[str, Any], asked: dict[str, Any]
) -> None:
    seen = preview(house, round, **previewed)
    assert seen.split()[:-1] == preview(house, round, **asked).split()[:-1]
    assert refused(house, round, seen=seen, **asked).code == "conflict"


@pytest.mark.first_hand
def test_the_settlement_in_between_moves_the_round_too(house: House) -> None:
    round = house.hand()
    house.result(round, BANKER_WINS)
    round.refresh_from_db()
    seen = preview(house, round)
    house.settle()
    assert refused(house, round, seen=seen).code == "conflict"


@pytest.mark.parametrize("ground", ["", "bad_mood", "bad_spin"])
def test_a_ground_that_the_book_does_not_know_is_refused(
    house: House, round: Round, ground: str
) -> None:
    assert refused(house, round, ground=ground).field == "ground"


def test_a_ground_under_which_the_book_lets_the_hand_stand_voids_nothing(
    house: House, round: Round
) -> None:
    from casino.selectors import game_of
    from games.rulebook import Action

    standing = [
        code
        for code, ground in game_of(round).grounds.items()
        if set(ground.actions) == {Action.STAND}
    ]
    for code in standing:
        assert refused(house, round, ground=code).code == "not_permitted"


@pytest.mark.parametrize("note", ["", "   "])
def test_a_note_is_always_needed(house: House, round: Round, note: str) -> None:
    assert refused(house, round, note=note).field == "note"


@pytest.mark.first_hand
def test_who_dealt_is_kept_whatever_is_ruled(house: House) -> None:
    round = house.hand()
    house.result(round, BANKER_WINS, dealer="d-9")
    house.edit(round, PLAYER_WINS)
    house.void(round)
    assert [revision.dealer for revision in house.outcomes(round)] == ["d-9"] * 3


def test_an_edit_needs_cards(house: House, round: Round) -> None:
    assert refused(house, round, kind="edit", ground="wrong_card").field == "outcome"


def test_what_changes_a_settled_hand_needs_evidence(house: House, round: Round) -> None:
    """GLI-19 4.18.5: where records and the physical result differ, the physical result counts."""
    blank = {"evidence": " "}
    assert refused(house, round, **blank).field == "evidence"
    edit = {"kind": "edit", "ground": "wrong_card", "outcome": PLAYER_WINS}
    assert refused(house, round, **edit, **blank).field == "evidence"
    house.void(round)
    round.refresh_from_db()
    assert refused(house, round, kind="reinstate", **blank).field == "evidence"


@pytest.mark.first_hand
def test_what_is_not_settled_yet_is_voided_without_evidence_but_not_edited(house: House) -> None:
    round = house.hand()
    house.result(round, BANKER_WINS)
    round.refresh_from_db()
    edit = {"kind": "edit", "ground": "wrong_card", "outcome": PLAYER_WINS, "evidence": ""}
    assert refused(house, round, **edit).field == "evidence"
    assert propose(house, round, evidence="").evidence == ""


def test_a_player_of_two_currencies_counts_once_and_a_namesake_of_another_operator_too(
    house: House, round: Round
) -> None:
    other = house.hand()
    house.limit(other.table, "EUR")
    house.ticket(other, ("banker", "100"), player="ann")
    house.ticket(other, ("banker", "50"), player="ann", currency="EUR")
    house.ticket(other, ("banker", "20"), player="ann", client=house.south)
    house.ticket(other, ("player", "10"), player="bob", currency="EUR")
    house.result(other, BANKER_WINS)
    house.settle()
    other.refresh_from_db()
    draft = Draft("edit", "wrong_card", "Misread.", "cam 3", outcome=PLAYER_WINS)
    shown = plan_ruling(round=other, draft=draft, actor=house.manager).shown
    told = ("operator", "currency", "tickets", "debited", "up", "down")
    assert [tuple(row[name] for name in told) for row in shown["money"]] == [
        ("north", "EUR", 2, 1, 2000, -10000),
        ("north", "USD", 1, 1, 0, -20000),
        ("south", "USD", 1, 1, 0, -4000),
    ]
    assert (shown["tickets"], shown["players"], shown["debited"]) == (4, 3, 2)


def test_the_plan_tells_whose_credit_is_taken_back_and_what_was_ruled_before(
    house: House, round: Round
) -> None:
    house.ticket(other := house.hand(), ("banker", "50"), player="eve", client=house.south)
    house.ticket(other, ("banker", "100"), player="ann")
    house.ticket(other, ("banker", "10"), player="ann")
    house.ticket(other, ("player", "10"), player="bob")
    house.result(other, BANKER_WINS)
    house.settle()
    house.edit(other, PLAYER_WINS)
    house.void(other)
    other.refresh_from_db()
    draft = Draft("reinstate", "management_discretion", "It counts.", "cam 3")
    shown = plan_ruling(round=other, draft=draft, actor=house.manager).shown
    told = ("operator", "tickets", "debited", "up", "down", "largest")
    assert [tuple(row[name] for name in told) for row in shown["money"]] == [
        ("north", 3, 1, 1000, -11000, 10000),
        ("south", 1, 1, 0, -5000, 5000),
    ]
    assert shown["debited"] == 2
    assert [(row["kind"], row["ground"], row["by"]) for row in shown["earlier"]] == [
        ("void_hand", "exposed_card", "manager"),
        ("edit", "wrong_card", "manager"),
    ]


def test_an_edit_is_checked_by_the_drawing_rules(house: House, round: Round) -> None:
    edit = {"kind": "edit", "ground": "wrong_card", "evidence": "cam 3"}
    assert refused(house, round, **edit, outcome=WRONG_THIRD_CARD).code == "invalid_outcome"


def test_an_edit_that_changes_nothing_is_refused(house: House, round: Round) -> None:
    edit = {"kind": "edit", "ground": "wrong_card", "evidence": "cam 3"}
    assert refused(house, round, **edit, outcome=BANKER_WINS).code == "conflict"


def test_what_is_void_is_not_voided_again_nor_edited(house: House, round: Round) -> None:
    house.void(round)
    round.refresh_from_db()
    assert str(refused(house, round)) == "Hand 1 is already void."
    edit = {"kind": "edit", "ground": "wrong_card", "evidence": "cam 3", "outcome": PLAYER_WINS}
    assert "reinstate it" in str(refused(house, round, **edit))


def test_only_a_void_hand_that_was_dealt_is_reinstated(house: House, round: Round) -> None:
    assert "not void" in str(refused(house, round, kind="reinstate"))
    never_dealt = house.hand()
    house.void(never_dealt)
    never_dealt.refresh_from_db()
    assert "before it had a result" in str(refused(house, never_dealt, kind="reinstate"))


def test_a_reinstated_hand_has_the_result_it_had(house: House, round: Round) -> None:
    house.edit(round, PLAYER_WINS)
    house.void(round)
    house.reinstate(round)
    last = house.outcomes(round)[-1]
    assert (last.kind, last.headline) == ("reinstate", "Player 9 beats Banker 7")


@pytest.mark.first_hand
def test_a_ruling_on_a_held_round_ends_the_hold_and_its_incidents(house: House) -> None:
    round = house.hand()
    ticket = house.ticket(round, ("banker", "10"))
    house.result(round, WRONG_THIRD_CARD)
    house.edit(round, BANKER_WINS)
    round.refresh_from_db()
    assert (round.status, round.outcome_revision) == ("resulted", 1)
    assert Incident.objects.get().closing.ruling.kind == "edit"
    assert house.deltas(ticket) == [2000]
    assert round.settlements.get().kind == "settle"


@pytest.mark.first_hand
def test_a_held_round_may_be_voided(house: House) -> None:
    round = house.hand()
    ticket = house.ticket(round, ("banker", "10"))
    house.result(round, WRONG_THIRD_CARD)
    house.void(round)
    assert house.deltas(ticket) == [1000]


def test_an_open_incident_is_closed_by_the_ruling_that_answers_it(
    house: House, round: Round
) -> None:
    incident = raise_incident(
        table=round.table,
        round=round,
        kind="exposed_card",
        note="Card seen.",
        actor=house.supervisor,
        reason=REASON,
    )
    ruling = propose(house, round)
    incident.refresh_from_db()
    assert incident.closing.ruling == ruling


def test_an_incident_of_a_kind_that_the_book_does_not_know_is_refused(
    house: House, round: Round
) -> None:
    with pytest.raises(Refused, match="knows no incident"):
        raise_incident(
            table=round.table, kind="bad_spin", note="-", actor=house.supervisor, reason=REASON
        )


@pytest.mark.parametrize("name", ["supervisor", "compliance", "administrator"])
def test_only_pit_managers_rule(house: House, round: Round, name: str) -> None:
    person = getattr(house, name)
    with pytest.raises(Refused) as caught:
        house.void(round, actor=person)
    assert caught.value.code == "not_permitted"
    with pytest.raises(Refused, match="may not do this"):
        check_kind(round, "void_hand", actor=person)


def test_a_person_who_left_the_house_rules_no_more(house: House, round: Round) -> None:
    house.manager.is_active = False
    with pytest.raises(Refused) as caught:
        house.void(round)
    assert caught.value.code == "not_permitted"


@pytest.mark.first_hand
def test_a_running_round_has_no_result_to_edit(house: House) -> None:
    round = house.hand()
    for _ in range(2):
        with pytest.raises(Refused, match="no result to edit"):
            house.edit(round, BANKER_WINS)
        house.close(round)
