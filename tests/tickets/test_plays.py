"""Blackjack: several tickets on one box, each with its own decisions, until the result."""

from __future__ import annotations

from typing import Any

import pytest

from casino.models import Round
from games.refusals import Refused
from tests.dealing import dealt
from tests.house import House
from tickets.feed import read_feed
from tickets.models import Line, LinePlay, Ticket
from tickets.services.acceptance import BetAsked
from tickets.services.ledger import verify_ledger
from tickets.services.plays import Decided, decide

DEALER_18 = {"dealer": ["9H", "9D"]}


@dealt
def round(house: House) -> Round:
    return house.round(house.table("bj-01", "club-b", "blackjack"))


@dealt
def ticket(house: House) -> Ticket:
    """10.00 on the first box of such a round."""
    box = house.round(house.table("bj-01", "club-b", "blackjack"))
    return house.ticket(box, ("ante", "box1", "10"))


def play(ticket: Ticket, text: str, *added: tuple[str, str, str], box: int = 1) -> Decided:
    return decide(ticket=ticket, box=box, play=text, added=[BetAsked(*bet) for bet in added])


def refusal(ticket: Ticket, text: str, *added: tuple[str, str, str], box: int = 1) -> Refused:
    before = (Line.objects.count(), LinePlay.objects.count())
    with pytest.raises(Refused) as caught:
        play(ticket, text, *added, box=box)
    assert before == (Line.objects.count(), LinePlay.objects.count())
    return caught.value


def finish(house: House, round: Round, boxes: dict[str, Any]) -> None:
    house.result(round, DEALER_18 | {"boxes": boxes})
    house.settle()


def test_two_tickets_on_one_box_act_differently(house: House, round: Round) -> None:
    """A ticket's hand is the first cards of the box that its own actions took."""
    stands = house.ticket(round, ("ante", "box1", "10"))
    draws = house.ticket(round, ("ante", "box1", "10"), player="p-2")
    play(stands, "S")
    play(draws, "HS")
    finish(house, round, {"1": {"cards": ["TS", "6C", "5D"]}})
    assert (house.paid(stands), house.paid(draws)) == (0, 2000)


def test_no_decision_in_time_stands(house: House, ticket: Ticket) -> None:
    finish(house, ticket.round, {"1": {"cards": ["TS", "9C"]}})
    assert house.paid(ticket) == 2000


def test_a_double_adds_its_stake_and_its_hand(house: House, ticket: Ticket) -> None:
    decided = play(ticket, "D", ("double", "box1", "10"))
    assert [stake.wager.bet for stake in decided.stakes] == ["ante", "double"]
    finish(house, ticket.round, {"1": {"cards": ["6S", "5C", "TD"]}})
    assert house.paid(ticket) == 4000
    [row] = read_feed(operator=None, after="").rows
    assert (row["stake"], row["payout"]) == ("20.00", "40.00")
    assert [bet["play"] for bet in row["bets"]] == ["D", "D"]
    totals = ticket.round.settlements.get().totals.get()
    assert (totals.stake, totals.payout) == (2000, 4000)
    assert verify_ledger().differences == ()


def test_a_split_is_two_hands_with_a_stake_each(house: House, ticket: Ticket) -> None:
    play(ticket, "P[][]", ("split", "box1", "10"))
    play(ticket, "P[HS][]")
    play(ticket, "P[HS][S]")
    finish(house, ticket.round, {"1": {"hands": [["8S", "3D", "KH"], ["8H", "TS"]]}})
    # 21 beats 18 and 18 pushes.
    assert house.paid(ticket) == 2000 + 1000


def test_a_void_gives_back_what_decisions_added_too(house: House, ticket: Ticket) -> None:
    play(ticket, "D", ("double", "box1", "10"))
    finish(house, ticket.round, {"1": {"cards": ["6S", "5C", "TD"]}})
    house.rule(ticket.round, "void_hand", "exposed_card")
    assert house.deltas(ticket) == [4000, -2000]
    assert verify_ledger().differences == ()


def test_the_same_decision_again_changes_nothing(ticket: Ticket) -> None:
    first = play(ticket, "D", ("double", "box1", "10"))
    again = play(ticket, "D", ("double", "box1", "10"))
    assert (first.repeated, again.repeated) == (False, True)
    assert Line.objects.filter(ticket=ticket).count() == 2


def test_no_decision_is_taken_back(ticket: Ticket) -> None:
    play(ticket, "H")
    play(ticket, "HH")
    assert refusal(ticket, "S").code == "invalid_play"
    assert "takes back" in str(refusal(ticket, "H"))
    play(ticket, "HHS")


@pytest.mark.parametrize(
    ("text", "added", "code"),
    [
        ("X", [], "invalid_play"),
        ("D", [], "prerequisite_missing"),
        ("D", [("double", "box1", "5")], "invalid_stake"),
        ("S", [("double", "box1", "10")], "invalid_play"),
        ("P[S][S]", [], "prerequisite_missing"),
        ("S", [("insurance", "box1", "10")], "invalid_stake"),
        ("S", [("ante", "box2", "10")], "not_offered"),
        ("S", [("insurance", "box1", 5)], "invalid_stake"),
    ],
)
def test_a_play_that_the_rules_do_not_allow_is_refused(
    ticket: Ticket, text: str, added: list[Any], code: str
) -> None:
    assert refusal(ticket, text, *added).code == code


def test_a_box_without_an_ante_takes_no_decision(ticket: Ticket) -> None:
    assert refusal(ticket, "S", box=2).code == "prerequisite_missing"


def test_decisions_end_with_the_result(house: House, ticket: Ticket) -> None:
    finish(house, ticket.round, {"1": {"cards": ["TS", "9C"]}})
    assert refusal(ticket, "S").code == "betting_closed"


def test_a_game_without_decisions_takes_none(house: House) -> None:
    ticket = house.ticket(house.hand(), ("banker", "10"))
    assert "takes no decisions" in str(refusal(ticket, "S"))


def test_insurance_that_no_ace_was_there_for_comes_back(house: House, ticket: Ticket) -> None:
    play(ticket, "S", ("insurance", "box1", "5"))
    finish(house, ticket.round, {"1": {"cards": ["TS", "9C"]}})
    assert house.paid(ticket) == 2000 + 500
    [row] = read_feed(operator=None, after="").rows
    assert row["bets"][1]["result"] == "void"
    assert "only against an ace" in row["bets"][1]["why"]
    assert "only against an ace" in ticket.round.incidents.get().note


@pytest.mark.parametrize("bet", ["split", "double", "insurance"])
def test_what_is_added_during_the_hand_is_not_placed_before_it(
    house: House, round: Round, bet: str
) -> None:
    answer = house.bet(round, ("ante", "box1", "10"), (bet, "box1", "10"))
    assert [one and one.code for one in answer.refusals] == [None, "not_offered"]


def test_a_jam_pays_a_blackjack_already_dealt_and_returns_the_rest(
    house: House, round: Round
) -> None:
    """Block BJ: the dealer's first card is not ten-valued or an ace."""
    blackjack = house.ticket(round, ("ante", "box1", "10"))
    other = house.ticket(round, ("ante", "box2", "10"), player="p-2")
    house.close(round)
    lay = {"dealer": ["9H"], "boxes": {"1": {"cards": ["AS", "KH"]}, "2": {"cards": ["TS", "5C"]}}}
    house.rule(round, "void_hand", "shuffler_jam", outcome=lay)
    assert (house.paid(blackjack), house.paid(other)) == (2500, 1000)
