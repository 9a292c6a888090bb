"""Replay with bets locked, and release of bets: what the book prescribes, done by the table."""

from __future__ import annotations

import pytest

from casino.models import Incident, Round
from casino.services import procedures
from games.refusals import Refused
from tests.house import REASON, House

pytestmark = pytest.mark.django_db


def spin(house: House, book: str) -> Round:
    return house.round(house.table(f"rou-{book}", book, "roulette"))


def test_a_bad_spin_is_spun_again_with_bets_locked(house: House) -> None:
    """club-b, block ROUL: no withdrawal."""
    round = spin(house, "club-b")
    ticket = house.ticket(round, ("straight", "17", "10"))
    house.close(round)
    by = {"actor": house.studio.person, "reason": REASON}
    ruling = procedures.replay(round=round, kind="bad_spin", **by)
    assert (ruling.kind, ruling.ruled_by) == ("replay", house.studio.person)
    assert Incident.objects.get().closing.ruling == ruling
    house.post_result(round, {"number": 17})
    house.settle()
    assert house.paid(ticket) == 36000


def test_a_replay_needs_locked_bets_and_no_result(house: House) -> None:
    round = spin(house, "club-b")
    by = {"actor": house.studio.person, "reason": REASON}
    with pytest.raises(Refused, match="not between"):
        procedures.replay(round=round, kind="bad_spin", **by)
    house.result(round, {"number": 17})
    with pytest.raises(Refused, match="has its result"):
        procedures.replay(round=round, kind="bad_spin", **by)


def test_only_what_the_book_names_is_played_again(house: House) -> None:
    round = house.close(spin(house, "club-b"))
    by = {"actor": house.studio.person, "reason": REASON}
    with pytest.raises(Refused) as caught:
        procedures.replay(round=round, kind="wrong_entry", **by)
    assert caught.value.code == "not_permitted"
    with pytest.raises(Refused, match="knows no incident"):
        procedures.replay(round=round, kind="exposed_card", **by)


def test_bets_are_handed_back_and_betting_reopens(house: House) -> None:
    """asia, Roulette: not deducted, not paid; the countdown restarts."""
    round = spin(house, "asia")
    ticket = house.ticket(round, ("straight", "17", "10"))
    house.close(round)
    by = {"actor": house.studio.person, "reason": REASON}
    again = procedures.release(round=round, kind="foreign_object", **by)
    house.settle()
    assert house.paid(ticket) == 1000
    round.refresh_from_db()
    assert (round.phase, again.phase, again.number) == ("void", "betting", 2)
    house.ticket(again, ("straight", "17", "10"))


def test_a_book_that_keeps_bets_locked_hands_none_back(house: House) -> None:
    round = house.close(spin(house, "club-b"))
    by = {"actor": house.studio.person, "reason": REASON}
    with pytest.raises(Refused) as caught:
        procedures.release(round=round, kind="bad_spin", **by)
    assert caught.value.code == "not_permitted"
    round.refresh_from_db()
    assert round.phase == "closed"
