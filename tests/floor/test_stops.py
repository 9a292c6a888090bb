"""Stop switches: betting stops at once, the running hand finishes, and a reason is always kept."""

from __future__ import annotations

from typing import Any

import pytest

from casino.models import AuditEvent, Stop
from casino.services.stops import lift_stop, stop_betting
from games.refusals import Refused
from tests.house import BANKER_WINS, House

pytestmark = pytest.mark.first_hand


def stop(house: House, **scope: Any) -> Stop:
    return stop_betting(actor=house.manager, reason="Camera 3 is dark.", **scope)


def codes(house: House, round: Any, **more: Any) -> list[str]:
    return [
        refusal.code for refusal in house.bet(round, ("banker", "10"), **more).refusals if refusal
    ]


def test_a_stopped_table_takes_no_bets_and_its_hand_finishes(house: House) -> None:
    round, other = house.hand("bac-01"), house.hand("bac-02")
    ticket = house.ticket(round, ("banker", "10"))
    stop(house, table=round.table)
    answer = house.bet(round, ("banker", "10"))
    assert answer.refusals[0] is not None
    assert str(answer.refusals[0]) == "Betting is stopped for table bac-01: Camera 3 is dark."
    house.ticket(other, ("banker", "10"))
    house.result(round, BANKER_WINS)
    house.settle()
    assert house.paid(ticket) == 2000
    with pytest.raises(Refused, match="is stopped"):
        house.round(round.table, 2)


def test_a_stopped_operator_bets_nowhere_and_the_others_go_on(house: House) -> None:
    round = house.hand()
    stop(house, operator=house.north.operator)
    assert codes(house, round) == ["betting_closed"]
    house.ticket(round, ("banker", "10"), client=house.south)
    house.result(round, BANKER_WINS)
    house.round(round.table, 2)


@pytest.mark.parametrize(
    ("scope", "reached"),
    [
        ({"game": "baccarat"}, {"asia-1", "euro-1"}),
        ({"game": "baccarat", "book": "asia"}, {"asia-1"}),
        ({}, {"asia-1", "euro-1", "bac-01"}),
    ],
)
def test_a_stop_reaches_a_game_a_book_of_it_or_everything(
    house: House, scope: dict[str, str], reached: set[str]
) -> None:
    rounds = [
        house.hand("asia-1", book="asia", game="baccarat"),
        house.hand("euro-1", book="euro", game="baccarat"),
        house.hand("bac-01"),
    ]
    stop(house, **scope)
    assert {round.table.code for round in rounds if codes(house, round)} == reached


def test_a_lifted_stop_lets_betting_begin_again(house: House) -> None:
    round = house.hand()
    thrown = stop(house)
    lift_stop(stop=thrown, actor=house.manager, reason="Camera back.")
    house.ticket(round, ("banker", "10"))
    events = AuditEvent.objects.filter(subject=f"stop:{thrown.pk}").order_by("id")
    assert [(event.action, event.reason) for event in events] == [
        ("betting_stopped", "Camera 3 is dark."),
        ("betting_resumed", "Camera back."),
    ]


def test_a_switch_thrown_twice_is_one_stop(house: House) -> None:
    assert stop(house) == stop(house)
    thrown = Stop.objects.get()
    for _ in range(2):
        lift_stop(stop=thrown, actor=house.manager, reason="Over.")
    assert AuditEvent.objects.filter(action="betting_resumed").count() == 1


@pytest.mark.parametrize("reason", ["", "  "])
def test_a_reason_is_required(house: House, reason: str) -> None:
    with pytest.raises(Refused, match="Say why"):
        stop_betting(actor=house.manager, reason=reason)
    assert not Stop.objects.exists()


def test_who_may_not_stop_the_house(house: House) -> None:
    for person in (house.supervisor, house.compliance, house.studio.person):
        with pytest.raises(Refused) as caught:
            stop_betting(actor=person, reason="-")
        assert caught.value.code == "not_permitted"
