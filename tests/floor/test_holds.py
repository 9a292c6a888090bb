"""One person puts a round on hold at once; management lets it stand or rules otherwise."""

from __future__ import annotations

import pytest

from casino.models import Incident, Person, Round
from casino.services.holds import hold_round, let_stand
from games.refusals import Refused
from tests.house import BANKER_WINS, WRONG_THIRD_CARD, House

pytestmark = pytest.mark.first_hand


def hold(house: House, round: Round, actor: Person | None = None, **words: str) -> None:
    values = {"ground": "exposed_card", "note": "A card fell."} | words
    hold_round(round=round, actor=actor or house.supervisor, reason="Seen.", **values)
    round.refresh_from_db()


def stand(house: House, round: Round, actor: Person | None = None, **words: str) -> None:
    values = {"ground": "management_discretion", "note": "The card was not in play."} | words
    let_stand(round=round, actor=actor or house.manager, reason="Looked.", **values)
    round.refresh_from_db()


def test_a_held_round_is_not_settled_until_it_is_let_stand(house: House) -> None:
    round = house.hand()
    ticket = house.ticket(round, ("banker", "10"))
    house.result(round, BANKER_WINS)
    hold(house, round)
    assert (round.status, house.settle()) == ("on_hold", [])
    assert Incident.objects.get().kind == "exposed_card"
    stand(house, round)
    house.settle()
    assert house.paid(ticket) == 2000
    assert Incident.objects.get().closing.ruling.kind == "stand"


def test_a_held_round_may_be_voided_instead(house: House) -> None:
    round = house.hand()
    ticket = house.ticket(round, ("banker", "10"))
    house.result(round, BANKER_WINS)
    hold(house, round)
    house.void(round)
    assert house.deltas(ticket) == [1000]


def test_a_held_hand_without_a_result_goes_on_where_it_was(house: House) -> None:
    round = house.hand()
    ticket = house.ticket(round, ("banker", "10"))
    house.result(round, WRONG_THIRD_CARD)
    stand(house, round)
    house.post_result(round, BANKER_WINS)
    house.settle()
    assert house.paid(ticket) == 2000


def test_it_cannot_go_on_while_the_table_deals_another(house: House) -> None:
    round = house.hand()
    house.result(round, WRONG_THIRD_CARD)
    house.round(round.table, 2)
    with pytest.raises(Refused, match="deals another hand"):
        stand(house, round)


def test_an_incident_alone_may_be_let_stand(house: House) -> None:
    round = house.hand()
    house.result(round, {"deal": ["KS", "7D", "6H", "JC", "5S"]})
    house.settle()
    stand(house, round, ground="unnecessary_card")
    assert Incident.objects.get().closing.ruling.kind == "stand"
    with pytest.raises(Refused, match="Nothing is open"):
        stand(house, round)


def test_only_what_the_book_lets_stand_stands(house: House) -> None:
    round = house.hand()
    hold(house, round)
    with pytest.raises(Refused) as caught:
        stand(house, round, ground="late_hand")
    assert caught.value.code == "not_permitted"
    assert round.on_hold


def test_what_is_held_or_void_is_not_held(house: House) -> None:
    round = house.hand()
    hold(house, round)
    with pytest.raises(Refused, match="on hold already"):
        hold(house, round)
    house.void(round)
    with pytest.raises(Refused, match="is already void"):
        hold(house, round)


def test_words_are_needed(house: House) -> None:
    round = house.hand()
    with pytest.raises(Refused, match="in a note"):
        hold(house, round, note=" ")
    with pytest.raises(Refused, match="knows no ground"):
        hold(house, round, ground="bad_mood")
    assert not Incident.objects.exists()


def test_who_may_hold_and_who_may_let_stand(house: House) -> None:
    round = house.hand()
    for person in (house.compliance, house.administrator, house.studio.person):
        with pytest.raises(Refused, match="may not do this"):
            hold(house, round, actor=person)
    hold(house, round)
    for person in (house.supervisor, house.compliance, house.administrator):
        with pytest.raises(Refused, match="may not do this"):
            stand(house, round, actor=person)
