"""What is drawn after betting closes stays as it was drawn (000 L70, L434, L667; 001 L2, L834)."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, transaction

from casino.models import AuditEvent, Round
from casino.models.audit import Action
from casino.services import procedures, rounds
from games import rulebook
from games.refusals import Refused
from tests.dealing import dealt
from tests.house import PLAYER_WINS, REASON, House
from tickets.management import croupier

SEVEN = {"super_numbers": {"7": "499:1"}}


@dealt
def spin(house: House) -> Round:
    """A Super Roulette round with open bets."""
    return house.round(house.table("rou-01", "club-a", "super_roulette"))


def close(house: House, round: Round, draws: dict[str, Any] | None = None) -> Round:
    return rounds.close_betting(round=round, draws=draws, actor=house.studio.person, reason=REASON)


@pytest.mark.parametrize(
    "game",
    [game for book in rulebook.books().values() for game in book.games.values()],
    ids=lambda game: f"{game.book}-{game.code}",
)
def test_every_game_knows_what_it_draws(game: rulebook.Game) -> None:
    outcome = game.deal(croupier.drawn(croupier.shuffled(game.decks or 0)), croupier.roll)
    drawn = {part: outcome[part] for part in game.draws}
    supers = {"super_98", "super_sic_bo", "super_roulette", "super_fan_tan"}
    assert bool(drawn) == (game.code in supers)
    if drawn:
        assert game.read_draws(drawn) == drawn
        assert drawn.items() <= game.read(outcome).canonical.items()
    else:
        with pytest.raises(Refused, match="draws nothing"):
            game.read_draws({"die": 1})


def test_draws_are_recorded_with_the_close_and_logged(house: House, spin: Round) -> None:
    closed = close(house, spin, SEVEN)
    assert (closed.phase, closed.draws) == ("closed", SEVEN)
    event = AuditEvent.objects.get(action=Action.ROUND_DRAWN)
    assert (event.subject, event.body) == (
        "round:rou-01-1", '{"draws":{"super_numbers":{"7":"499:1"}}}',
    )  # fmt: skip
    assert close(house, spin, SEVEN) == close(house, spin) == closed
    assert AuditEvent.objects.filter(action=Action.ROUND_DRAWN).count() == 1


def test_draws_may_come_after_the_close_and_once_only(house: House, spin: Round) -> None:
    close(house, spin)
    assert close(house, spin, SEVEN).draws == SEVEN
    with pytest.raises(Refused, match="drawn once") as caught:
        close(house, spin, {"super_numbers": {"8": "499:1"}})
    assert caught.value.code == "conflict"
    with pytest.raises(DatabaseError, match="keeps its draws"), transaction.atomic():
        Round.objects.filter(pk=spin.pk).update(draws=None)


def test_a_result_that_leaves_the_draws_out_is_completed(house: House, spin: Round) -> None:
    ticket = house.ticket(spin, ("straight", "7", "10"))
    close(house, spin, SEVEN)
    recorded = house.post_result(spin, {"number": 7})
    assert recorded.outcome is not None and recorded.outcome.outcome == {"number": 7} | SEVEN
    assert house.post_result(spin, {"number": 7} | SEVEN).repeated
    house.settle()
    assert house.paid(ticket) == 500_000


def test_draws_survive_a_replay(house: House, spin: Round) -> None:
    """C-20: bets are locked, and so are the terms on which they were placed."""
    close(house, spin, SEVEN)
    by = {"actor": house.studio.person, "reason": REASON}
    procedures.replay(round=spin, kind="bad_spin", **by)
    other = {"number": 7, "super_numbers": {"7": "49:1"}}
    with pytest.raises(Refused, match="does not change that") as caught:
        house.post_result(spin, other)
    assert (caught.value.code, caught.value.field) == ("invalid_outcome", "super_numbers")
    assert not spin.outcomes.exists()
    house.post_result(spin, {"number": 7})
    assert house.outcomes(spin)[0].headline == "7 red, a Super Number at 499:1"


@pytest.mark.parametrize(
    ("draws", "told"),
    [
        ({"super_numbers": {"7": "98:1"}}, "cannot pay"),
        ({"super_numbers": {"37": "99:1"}}, "no number"),
        ({"super_numbers": {}}, "one to 5"),
        ({"number": 7}, "no part 'number'"),
        ({}, "one to 5"),
    ],
)
def test_draws_that_the_book_does_not_have_close_nothing(
    house: House, spin: Round, draws: dict[str, Any], told: str
) -> None:
    with pytest.raises(Refused, match=told) as caught:
        close(house, spin, draws)
    assert caught.value.code == "invalid_outcome"
    spin.refresh_from_db()
    assert (spin.phase, spin.draws) == ("betting", None)


def test_a_game_that_draws_nothing_takes_no_draws(house: House) -> None:
    with pytest.raises(Refused, match="draws nothing"):
        close(house, house.hand(), {"die": 8})


def test_nothing_is_drawn_for_a_round_that_has_its_result(house: House, spin: Round) -> None:
    house.result(spin, {"number": 7} | SEVEN)
    with pytest.raises(Refused, match="has its result"):
        close(house, spin, SEVEN)


def test_the_die_of_a_super_hand_is_held_with_a_hand_that_was_misdealt(house: House) -> None:
    hand = house.hand("sup-01", book="club-b", game="super_98")
    close(house, hand, {"die": 9})
    held = house.post_result(hand, {"player": ["KS", "6H", "2C"], "banker": ["7D", "JC"]})
    assert held.incident is not None and held.incident.evidence["die"] == 9


def test_an_edit_takes_the_draws_over_unless_it_says_otherwise(house: House) -> None:
    """Management alone may put right what a table told wrongly; a result never does."""
    hand = house.hand("sup-01", book="club-b", game="super_98")
    close(house, hand, {"die": 9})
    house.post_result(hand, PLAYER_WINS | {"die": 9})
    house.edit(hand, {"player": ["KS", "6H"], "banker": ["7D", "JC"]})
    house.edit(hand, {"player": ["KS", "6H"], "banker": ["7D", "JC"], "die": 1})
    assert [(row.outcome or {})["die"] for row in house.outcomes(hand)] == [9, 9, 1]


def test_the_die_of_super_fan_tan_is_drawn_before_its_cards_are_known(house: House) -> None:
    pictures = house.round(house.table("pic-01", "club-b", "three_pictures"))
    rounds_of_fan = house.table("fan-01", "club-b", "super_fan_tan", rides_on="pic-01")
    fan = house.round(rounds_of_fan)
    close(house, fan, {"die": 8})
    game = rulebook.book("club-b").game("three_pictures")
    house.result(pictures, game.deal(croupier.drawn(croupier.shuffled(1)), croupier.roll))
    house.post_result(fan, {})
    assert (house.outcomes(fan)[0].outcome or {})["die"] == 8
