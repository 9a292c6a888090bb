"""Super Fan Tan rides on the 3 Pictures table: its round follows, in order, however often."""

from __future__ import annotations

from typing import Any

import pytest

from casino.models import Round
from casino.services import rounds, setup
from casino.services.plans import Draft, plan_ruling
from casino.services.rulings import rule
from games.refusals import Refused
from tests.dealing import dealt
from tests.house import REASON, House
from tickets.services.ledger import verify_ledger

DEALT = {
    "player1": ["AS", "2S", "3S"],
    "player2": ["4H", "5H", "7H"],
    "player3": ["JD", "QD", "KD"],
    "dealer": ["9C", "TC", "2C"],
}
"""The twelve cards add up to 79, which counts off to 3."""

MISREAD = DEALT | {"dealer": ["9C", "TC", "3C"]}
"""One more: 80, which counts off to 4."""


def cards(outcome: dict[str, list[str]]) -> list[str]:
    return [card for hand in outcome.values() for card in hand]


class Pair:
    """A 3 Pictures table and the Super Fan Tan table that rides on it, a round open at each."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.carrier = house.table("pic-01", "club-b", "three_pictures")
        self.rider = house.table("fan-01", "club-b", "super_fan_tan", rides_on="pic-01")
        self.pictures = house.round(self.carrier)
        self.fan = house.round(self.rider)
        self.three = house.ticket(self.fan, ("fan", "3", "100"))
        self.four = house.ticket(self.fan, ("fan", "4", "100"), player="p-2")

    def result(self, outcome: dict[str, Any] = DEALT, die: int = 1) -> None:
        self.house.result(self.pictures, outcome)
        self.house.result(self.fan, {"die": die})
        self.house.settle()

    def edit(self, outcome: dict[str, Any]) -> None:
        self.house.edit(self.pictures, outcome, ground="wrong_sequence")

    def paid(self) -> tuple[int, int]:
        return self.house.paid(self.three), self.house.paid(self.four)


@dealt
def pair(house: House) -> Pair:
    return Pair(house)


@dealt
def resulted(house: House) -> Pair:
    """Both with their results, settled: the fan is a three."""
    pair = Pair(house)
    pair.result()
    return pair


def test_a_riding_round_takes_its_cards_from_the_round_it_rides_on(resulted: Pair) -> None:
    outcome = resulted.house.outcomes(resulted.fan)[0].outcome
    assert outcome is not None and sorted(outcome["cards"]) == sorted(cards(DEALT))
    assert resulted.paid() == (38500, 0)


def test_a_super_hand_raises_the_fan(pair: Pair) -> None:
    pair.result(die=8)
    assert pair.paid() == (40000, 0)


def test_the_die_waits_for_the_cards(pair: Pair) -> None:
    with pytest.raises(Refused, match="has no result"):
        pair.house.result(pair.fan, {"die": 1})


def test_other_cards_than_those_ridden_on_are_refused(pair: Pair) -> None:
    pair.house.result(pair.pictures, DEALT)
    with pytest.raises(Refused, match="not the cards"):
        pair.house.result(pair.fan, {"die": 1, "cards": cards(MISREAD)})


def test_an_edit_of_the_cards_moves_the_rider_there_and_back(resulted: Pair) -> None:
    resulted.edit(MISREAD)
    assert resulted.paid() == (0, 38500)
    resulted.edit(DEALT)
    assert resulted.paid() == (38500, 0)
    kinds = [revision.kind for revision in resulted.house.outcomes(resulted.fan)]
    assert kinds == ["result", "edit", "edit"]
    assert verify_ledger().differences == ()


def test_a_void_and_its_reinstatement_carry_the_rider_along(resulted: Pair) -> None:
    resulted.house.void(resulted.pictures)
    assert resulted.paid() == (10000, 10000)
    assert resulted.house.outcomes(resulted.fan)[-1].void_ground == "exposed_card"
    resulted.house.reinstate(resulted.pictures)
    assert resulted.paid() == (38500, 0)
    ruling = resulted.pictures.rulings.get(kind="void_hand")
    assert {revision.round for revision in ruling.outcomes.all()} == {
        resulted.pictures,
        resulted.fan,
    }


def test_a_void_before_the_die_voids_the_rider_too(pair: Pair) -> None:
    pair.house.void(pair.pictures)
    assert pair.paid() == (10000, 10000)


def test_what_would_take_a_settled_rider_back_needs_evidence(pair: Pair) -> None:
    pair.house.result(pair.pictures, DEALT)
    pair.house.hold(pair.pictures)
    pair.pictures.refresh_from_db()
    draft = Draft("void_hand", "exposed_card", "Seen on video.")
    plan_ruling(round=pair.pictures, draft=draft, actor=pair.house.manager)
    pair.house.result(pair.fan, {"die": 1})
    pair.house.settle()
    with pytest.raises(Refused, match="video time or card image"):
        plan_ruling(round=pair.pictures, draft=draft, actor=pair.house.manager)


def test_a_swap_of_players_1_and_3_leaves_the_sum_as_it_was(pair: Pair) -> None:
    """C-51, and block PICT: Fan Tan total unchanged."""
    first = pair.house.ticket(pair.pictures, ("win", "player1", "10"))
    pair.result()
    before = pair.house.paid(first)
    pair.house.rule(pair.pictures, "swap", "reverse_dealing")
    assert pair.house.outcomes(pair.fan)[-1].kind == "result"
    assert pair.paid() == (38500, 0)
    after = pair.house.paid(first)
    assert (before, after) == (1500, 2000)
    pair.house.rule(pair.pictures, "swap", "reverse_dealing")
    assert pair.house.paid(first) == before


def test_a_rider_voided_for_itself_stays_void_when_the_cards_change(resulted: Pair) -> None:
    resulted.house.rule(resulted.fan, "void_hand", "management_discretion")
    resulted.edit(MISREAD)
    assert resulted.paid() == (10000, 10000)
    resulted.house.reinstate(resulted.fan)
    assert resulted.paid() == (0, 38500)


def test_a_rider_voided_for_itself_is_not_reinstated_with_the_round_it_rides_on(
    pair: Pair,
) -> None:
    pair.result()
    pair.house.rule(pair.fan, "void_hand", "management_discretion")
    pair.house.void(pair.pictures)
    pair.house.reinstate(pair.pictures)
    assert Round.objects.get(pk=pair.fan.pk).phase == "void"


def test_the_cards_of_a_rider_are_edited_where_they_were_dealt(resulted: Pair) -> None:
    with pytest.raises(Refused, match="edit that one"):
        resulted.house.edit(resulted.fan, {"cards": cards(MISREAD), "die": 1})


def test_a_rider_has_no_hands_to_swap(resulted: Pair) -> None:
    with pytest.raises(Refused, match="no Player 1"):
        resulted.house.rule(resulted.fan, "swap", "reverse_dealing")


def test_the_plan_names_the_rounds_that_follow(resulted: Pair) -> None:
    resulted.pictures.refresh_from_db()
    draft = Draft("edit", "wrong_sequence", "Misread.", "cam 3", MISREAD)
    plan = plan_ruling(round=resulted.pictures, draft=draft, actor=resulted.house.manager)
    assert [round for round, _ in plan.changes] == [resulted.pictures, resulted.fan]
    assert plan.riders[0][1].headline == "The cards add up to 80: the number is 4"


def test_a_rider_that_moved_since_the_preview_is_a_conflict(resulted: Pair) -> None:
    resulted.pictures.refresh_from_db()
    draft = Draft("edit", "wrong_sequence", "Misread.", "cam 3", MISREAD)
    plan = plan_ruling(round=resulted.pictures, draft=draft, actor=resulted.house.manager)
    resulted.house.rule(resulted.fan, "void_hand", "management_discretion")
    with pytest.raises(Refused, match="changed since the preview: it moved on"):
        rule(
            round=resulted.pictures,
            draft=draft,
            seen=plan.seen,
            actor=resulted.house.manager,
            reason="Misread.",
        )


def test_a_rider_opens_only_while_the_carrier_takes_bets(resulted: Pair) -> None:
    with pytest.raises(Refused, match="to ride on"):
        resulted.house.round(resulted.rider, 2)


def test_only_fan_tan_rides_and_only_on_3_pictures(house: House) -> None:
    house.table("bac-01")
    with pytest.raises(Refused, match="Only Super Fan Tan rides"):
        setup.create_table(
            code="fan-09",
            pit="main",
            book="club-b",
            game="super_fan_tan",
            rides_on="bac-01",
            actor=house.system,
            reason=REASON,
        )


def test_a_fan_tan_table_of_its_own_posts_its_cards(house: House) -> None:
    round = house.round(house.table("fan-02", "club-b", "super_fan_tan"))
    ticket = house.ticket(round, ("fan", "3", "100"))
    rounds.close_betting(round=round, actor=house.studio.person, reason=REASON)
    house.post_result(round, {"cards": cards(DEALT), "die": 1})
    house.settle()
    assert house.paid(ticket) == 38500
