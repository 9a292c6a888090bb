"""Shoes: commencement, blue card, close."""

from __future__ import annotations

import pytest

from casino.models import Incident, Shoe
from casino.services import shoes
from games.refusals import Refused
from tests.house import BANKER_WINS, REASON, House

pytestmark = pytest.mark.django_db


def open_shoe(house: House, first_card: str, burned: int, number: int = 1) -> Shoe:
    from casino.models import Table

    table = Table.objects.filter(code="bac-01").first() or house.table()
    return shoes.open_shoe(
        table=table,
        number=number,
        first_card=first_card,
        burned=burned,
        actor=house.studio.person,
        reason=REASON,
    )


@pytest.mark.parametrize(
    ("card", "burn"), [("AS", 1), ("2H", 2), ("9C", 9), ("TD", 10), ("JS", 10), ("KH", 10)]
)
def test_the_first_card_says_how_many_are_skipped(house: House, card: str, burn: int) -> None:
    """Commencement: J, Q and K are considered as 10."""
    open_shoe(house, card, burn)
    assert not Incident.objects.exists()


def test_a_burn_that_does_not_fit_is_a_commencement_error(house: House) -> None:
    shoe = open_shoe(house, "KH", 9)
    incident = Incident.objects.get()
    assert (incident.kind, incident.shoe) == ("commencement_error", shoe)
    assert incident.note == "First card KH skips 10 cards, 9 were burned."


@pytest.mark.parametrize("card", ["1S", "10H", "", "KX", "kh", "KHH"])
def test_a_first_card_that_does_not_exist_is_refused(house: House, card: str) -> None:
    with pytest.raises(Refused, match="is not a card"):
        open_shoe(house, card, 10)
    assert not Shoe.objects.exists()


def test_the_same_shoe_again_is_the_same_shoe_and_another_a_conflict(house: House) -> None:
    shoe = open_shoe(house, "KH", 10)
    assert open_shoe(house, "KH", 10) == shoe
    with pytest.raises(Refused, match="another first card"):
        open_shoe(house, "5H", 5)
    with pytest.raises(Refused, match="still open"):
        open_shoe(house, "5H", 5, number=2)


def test_the_blue_card_in_a_hand_makes_it_the_last(house: House) -> None:
    """Block BAC: the running game will be the last hand."""
    round = house.hand()
    by = {"actor": house.studio.person, "reason": REASON}
    assert round.shoe is not None
    shoe = shoes.draw_blue_card(shoe=round.shoe, at="in_hand", **by)
    assert shoe.phase == Shoe.Phase.LAST_HAND
    house.result(round, BANKER_WINS)
    with pytest.raises(Refused, match="last hand"):
        house.round(round.table, 2)


def test_the_blue_card_as_burn_card_lets_no_further_hand_begin(house: House) -> None:
    shoe = open_shoe(house, "KH", 10)
    by = {"actor": house.studio.person, "reason": REASON}
    assert shoes.draw_blue_card(shoe=shoe, at="burn", **by).phase == Shoe.Phase.SPENT
    with pytest.raises(Refused, match="last hand"):
        house.round(shoe.table, 1)
    assert shoes.draw_blue_card(shoe=shoe, at="burn", **by).phase == Shoe.Phase.SPENT
    with pytest.raises(Refused, match="behind it"):
        shoes.draw_blue_card(shoe=shoe, at="in_hand", **by)


def test_a_shoe_closes_when_no_hand_of_it_runs(house: House) -> None:
    round = house.hand()
    by = {"actor": house.studio.person, "reason": REASON}
    assert round.shoe is not None
    with pytest.raises(Refused, match="still running"):
        shoes.close_shoe(shoe=round.shoe, **by)
    house.result(round, BANKER_WINS)
    closed = shoes.close_shoe(shoe=round.shoe, **by)
    assert closed.phase == Shoe.Phase.CLOSED and closed.closed_at is not None
    assert shoes.close_shoe(shoe=round.shoe, **by).closed_at == closed.closed_at
    house.shoe(round.table, 2)


def test_every_version_of_a_shoe_says_who_when_and_why(house: House) -> None:
    shoe = open_shoe(house, "KH", 10)
    shoes.close_shoe(shoe=shoe, actor=house.studio.person, reason="Time to shuffle.")
    versions = list(shoe.history.order_by("history_id"))
    assert [version.phase for version in versions] == ["open", "closed"]
    assert versions[1].history_user == house.studio.person
    assert versions[1].history_change_reason == "Time to shuffle."
