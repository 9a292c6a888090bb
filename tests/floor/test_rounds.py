"""Rounds: from betting to result, and what the floor refuses."""

from __future__ import annotations

from typing import Any

import pytest

from casino.models import AuditEvent, Incident, OutcomeRevision, Round
from casino.services import rounds
from games.refusals import Refused
from tests.house import (
    BANKER_WINS,
    PLAYER_WINS,
    REASON,
    TIE,
    WRONG_THIRD_CARD,
    House,
)

pytestmark = pytest.mark.first_hand


def refused(do: Any, *args: Any, **kwargs: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        do(*args, **kwargs)
    return caught.value


def test_a_round_pins_the_book_that_it_is_opened_under(house: House) -> None:
    from games import rulebook

    round = house.hand()
    game = rulebook.book("club-a").game("no_commission_baccarat")
    assert (round.book, round.game, round.book_digest) == ("club-a", game.code, game.digest)
    assert round.key == "bac-01-1-1"


@pytest.mark.nothing_dealt
def test_a_round_may_carry_the_table_systems_own_id(house: House) -> None:
    table = house.table()
    house.shoe(table)
    by = {"actor": house.studio.person, "reason": REASON}
    round = rounds.open_round(table=table, number=1, round_id="xyz-77", **by)
    assert round.key == "xyz-77"
    assert rounds.open_round(table=table, number=1, round_id="xyz-77", **by) == round
    again = refused(rounds.open_round, table=table, number=2, round_id="xyz-77", **by)
    assert again.code == "conflict"


def test_a_table_runs_one_round_at_a_time(house: House) -> None:
    round = house.hand()
    assert refused(house.round, round.table, 2).code == "conflict"
    house.result(round, BANKER_WINS)
    house.round(round.table, 2)


def test_the_same_round_opened_again_is_the_same_round(house: House) -> None:
    round = house.hand()
    events = AuditEvent.objects.count()
    assert house.round(round.table, 1) == round
    assert AuditEvent.objects.count() == events


def test_hand_numbers_only_go_up(house: House) -> None:
    round = house.hand()
    house.result(round, BANKER_WINS)
    house.result(house.round(round.table, 5), BANKER_WINS)
    assert "cannot follow" in str(refused(house.round, round.table, 3))


@pytest.mark.nothing_dealt
def test_a_table_that_deals_from_shoes_needs_an_open_one(house: House) -> None:
    table = house.table()
    assert "no open shoe" in str(refused(house.round, table, 1))


def test_a_result_is_recorded_once(house: House) -> None:
    round = house.hand()
    first = house.result(round, BANKER_WINS, video="cam 3", dealer="d-9", manual=True)
    assert first.outcome is not None
    assert (first.outcome.video, first.outcome.dealer, first.outcome.manual) == (
        "cam 3",
        "d-9",
        True,
    )
    events = AuditEvent.objects.count()
    again = house.post_result(round, BANKER_WINS)
    assert again.repeated and again.outcome == first.outcome
    assert AuditEvent.objects.count() == events


def test_the_same_deal_told_in_another_form_is_the_same_result(house: House) -> None:
    round = house.hand()
    house.result(round, BANKER_WINS)
    assert house.post_result(round, {"deal": ["KS", "7D", "6H", "JC"]}).repeated


def test_another_result_is_a_conflict_and_changes_nothing(house: House) -> None:
    round = house.hand()
    house.result(round, BANKER_WINS)
    refusal = house.post_result(round, PLAYER_WINS).refusal
    assert refusal is not None
    assert refusal.code == "conflict" and "takes a ruling" in str(refusal)
    assert [row.headline for row in house.outcomes(round)] == ["Banker 7 beats Player 6"]


def test_a_second_reading_that_differs_is_an_incident_once(house: House) -> None:
    round = house.hand()
    house.result(round, BANKER_WINS)
    first = house.post_result(round, PLAYER_WINS, video="cam 3 03:00:12").incident
    assert first is not None
    assert (first.kind, first.evidence, first.video) == (
        "misread_result", PLAYER_WINS, "cam 3 03:00:12",
    )  # fmt: skip
    assert first.note == (
        "A second reading says “Player 9 beats Banker 7”; recorded is “Banker 7 beats Player 6”."
    )
    assert house.post_result(round, {"deal": ["KS", "7D", "9H", "JC"]}).incident == first
    assert house.post_result(round, TIE).incident != first
    other_suit = {"player": ["KS", "6D"], "banker": ["7D", "JC"]}
    alike = house.post_result(round, other_suit).incident
    assert alike is not None
    assert alike.note == "A second reading says “Player KS 6D”; recorded is “Player KS 6H”."
    assert Incident.objects.count() == AuditEvent.objects.filter(action="incident_raised").count()
    round.refresh_from_db()
    assert (round.status, round.outcome_revision) == ("resulted", 1)


def test_a_late_repeat_of_what_a_ruling_changed_is_no_second_reading(house: House) -> None:
    round = house.hand()
    house.result(round, BANKER_WINS)
    house.edit(round, PLAYER_WINS)
    assert refused(house.post_result, round, BANKER_WINS).code == "conflict"
    assert not Incident.objects.exists()


def test_a_result_while_betting_is_open_is_refused(house: House) -> None:
    round = house.hand()
    assert "still open" in str(refused(house.post_result, round, BANKER_WINS))
    assert not OutcomeRevision.objects.exists()


def test_a_result_for_a_void_round_is_refused(house: House) -> None:
    round = house.hand()
    house.void(round)
    assert "is void" in str(refused(house.post_result, round, BANKER_WINS))


@pytest.mark.parametrize(
    "outcome",
    [
        {},
        {"player": ["KS", "9H"]},
        {"player": ["XX", "9H"], "banker": ["7D", "JC"]},
        {"player": ["KS", "9H"], "banker": ["7D", "JC"], "die": 3},
        {"player": "KS9H", "banker": ["7D", "JC"]},
        {"player": ["KS"] * 9, "banker": ["7D", "JC"]},
        {"deal": []},
        {"player": [None, "9H"], "banker": ["7D", "JC"]},
    ],
)
def test_an_outcome_that_cannot_exist_writes_nothing(house: House, outcome: dict[str, Any]) -> None:
    round = house.close(house.hand())
    events = AuditEvent.objects.count()
    refusal = refused(house.post_result, round, outcome)
    assert refusal.code == "invalid_outcome" and refusal.ground is None
    round.refresh_from_db()
    assert (round.phase, round.on_hold) == (Round.Phase.CLOSED, False)
    assert AuditEvent.objects.count() == events
    assert not Incident.objects.exists()


def test_a_wrong_third_card_holds_the_round_with_an_incident(house: House) -> None:
    round = house.hand()
    recorded = house.result(round, WRONG_THIRD_CARD, video="cam 3 03:00")
    assert recorded.refusal is not None and recorded.refusal.code == "invalid_outcome"
    round.refresh_from_db()
    assert (round.status, round.outcome_revision) == ("on_hold", 0)
    incident = Incident.objects.get()
    assert recorded.incident == incident
    assert (incident.kind, incident.evidence) == ("wrong_card", WRONG_THIRD_CARD)
    assert incident.note == "Player drew a third card on 6."


def test_a_round_on_hold_takes_no_result_and_does_not_stop_the_table(house: House) -> None:
    round = house.hand()
    house.result(round, WRONG_THIRD_CARD)
    assert "on hold" in str(refused(house.post_result, round, BANKER_WINS))
    house.result(house.round(round.table, 2), BANKER_WINS)


def test_a_needless_extra_card_stands_and_raises_an_incident(house: House) -> None:
    """Block BAC: the result of the hand stands by the card rules."""
    round = house.hand()
    recorded = house.result(round, {"deal": ["KS", "7D", "6H", "JC", "5S"]})
    assert recorded.outcome is not None
    assert recorded.outcome.headline == "Banker 7 beats Player 6"
    assert Incident.objects.get().kind == "unnecessary_card"
    round.refresh_from_db()
    assert not round.on_hold


def test_a_card_seen_more_often_than_the_shoe_has_it_is_an_alarm(house: House) -> None:
    round = house.hand()
    house.result(round, BANKER_WINS)
    for number in range(2, 9):
        house.result(house.round(round.table, number), BANKER_WINS)
    assert not Incident.objects.exists()
    recorded = house.result(house.round(round.table, 9), BANKER_WINS)
    kinds = Incident.objects.filter(round=recorded.round).values_list("kind", flat=True)
    assert set(kinds) == {"shoe_composition"}
    assert recorded.outcome is not None


@pytest.mark.nothing_dealt
def test_only_machines_and_the_system_deal(house: House) -> None:
    table = house.table()
    house.shoe(table)
    for person in (house.supervisor, house.manager, house.compliance, house.administrator):
        refusal = refused(rounds.open_round, table=table, number=1, actor=person, reason=REASON)
        assert refusal.code == "not_permitted"
    assert not Round.objects.exists()
