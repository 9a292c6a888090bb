"""Void one ticket, or one bet of it: the stake comes back whatever the round comes to later."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction

from casino.models import AuditEvent, OutcomeRevision, Proposal, Round, Ruling
from casino.services import approvals
from casino.services.outcomes import Bets
from casino.services.plans import Draft, Plan, check_kind, plan_ruling
from casino.services.setup import create_person
from games.refusals import Refused
from tests.dealing import dealt
from tests.house import (
    BANKER_WINS,
    PASSWORD,
    PLAYER_WINS,
    REASON,
    TIE,
    WRONG_THIRD_CARD,
    House,
)
from tickets.feed import read_feed, rows_of
from tickets.models import LinePlay, Ticket, Wager
from tickets.services import resolving
from tickets.services.acceptance import BetAsked
from tickets.services.ledger import verify_ledger, verify_settlement
from tickets.services.plays import decide


@dealt
def ticket(house: House) -> Ticket:
    """Two bets beside those of somebody else; both of them win."""
    round = house.hand()
    house.ticket(round, ("player", "10"), ("banker", "20"), player="p-2")
    ticket = house.ticket(round, ("player", "100"), ("small", "10"))
    house.result(round, PLAYER_WINS)
    house.settle()
    ticket.round.refresh_from_db()
    return ticket


def plan(house: House, ticket: Ticket, kind: str = "void_ticket", *lines: int) -> Plan:
    ticket.round.refresh_from_db()
    draft = Draft(kind, "late_bet", "Too late.", "cam 3", bets=Bets(ticket.pk, lines))
    return plan_ruling(round=ticket.round, draft=draft, actor=house.manager)


def test_a_void_ticket_has_its_stake_back(house: House, ticket: Ticket) -> None:
    assert house.paid(ticket) == 20_000 + 2_500
    ruling = house.void_ticket(ticket, ground="late_bet")
    assert house.deltas(ticket) == [22_500, -11_500]
    row = rows_of(ticket)[-1]
    assert (row["kind"], row["result_summary"], row["ruling"]) == (
        "resettle", "void", str(ruling.pk),
    )  # fmt: skip
    assert {(bet["result"], bet["why"]) for bet in row["bets"]} == {
        ("void", "Bet void (late bet): stake returned")
    }
    assert verify_ledger().differences == ()


def test_one_bet_of_a_ticket_is_voided_alone(house: House, ticket: Ticket) -> None:
    house.void_ticket(ticket, 2)
    assert house.paid(ticket) == 20_000 + 1_000
    assert [bet["result"] for bet in rows_of(ticket)[-1]["bets"]] == ["win", "void"]


def test_nobody_else_is_touched(house: House, ticket: Ticket) -> None:
    house.void_ticket(ticket)
    feed = read_feed(operator=None, after="").rows
    assert [(row["settlement"], row["reference"]) for row in feed if row["settlement"] == 2] == [
        (2, ticket.reference)
    ]
    revision = house.outcomes(ticket.round)[-1]
    assert (revision.kind, revision.headline) == ("ticket", "Player 9 beats Banker 7")
    ticket.round.refresh_from_db()
    assert ticket.round.status == "resulted"


def test_the_stake_stays_back_whatever_the_round_comes_to(house: House, ticket: Ticket) -> None:
    house.void_ticket(ticket, 1)
    house.edit(ticket.round, BANKER_WINS)
    assert house.paid(ticket) == 10_000 + 2_500
    house.void(ticket.round)
    assert house.paid(ticket) == 10_000 + 1_000
    house.reinstate(ticket.round)
    house.edit(ticket.round, TIE)
    assert house.paid(ticket) == 10_000 + 2_500
    assert verify_ledger().differences == ()


def test_a_void_bet_counts_again_once_it_is_reinstated(house: House, ticket: Ticket) -> None:
    house.void_ticket(ticket)
    house.edit(ticket.round, BANKER_WINS)
    house.reinstate_ticket(ticket, 2)
    assert house.paid(ticket) == 10_000 + 2_500
    house.reinstate_ticket(ticket)
    assert house.paid(ticket) == 0 + 2_500
    house.void_ticket(ticket)
    assert house.paid(ticket) == 11_000
    assert verify_ledger().differences == ()


def test_what_was_settled_before_reads_as_it_was_settled(house: House, ticket: Ticket) -> None:
    """Replaying the feed from zero gives the same bytes, and each batch still verifies."""
    before = read_feed(operator=None, after="").rows
    house.void_ticket(ticket)
    house.edit(ticket.round, BANKER_WINS)
    house.reinstate_ticket(ticket)
    rows = read_feed(operator=None, after="").rows
    assert rows[: len(before)] == before
    assert sum(house.deltas(ticket)) == house.paid(ticket)
    for batch in ticket.round.settlements.all():
        assert verify_settlement(settlement=batch).differences == ()


@pytest.mark.first_hand
def test_a_ticket_is_voided_before_there_is_a_result(house: House) -> None:
    round = house.hand()
    ticket = house.ticket(round, ("player", "100"))
    other = house.ticket(round, ("player", "100"), player="p-2")
    ruling = house.void_ticket(ticket)
    round.refresh_from_db()
    assert (round.status, round.outcome_revision) == ("betting", 0)
    assert not ruling.outcomes.exists()
    house.result(round, PLAYER_WINS)
    house.settle()
    assert (house.deltas(ticket), house.deltas(other)) == ([10_000], [20_000])
    assert [bet["why"] for bet in rows_of(ticket)[0]["bets"]] == [
        "Bet void (late bet): stake returned"
    ]
    house.reinstate_ticket(ticket)
    assert house.deltas(ticket) == [10_000, 10_000]
    assert verify_ledger().differences == ()


@pytest.mark.first_hand
def test_a_void_bet_keeps_its_place_within_the_exposure_for_it_may_be_reinstated(
    house: House,
) -> None:
    round = house.hand()
    house.limit(round.table, exposure_max=30_000)
    ticket = house.ticket(round, ("banker", "100"))
    house.void_ticket(ticket)
    [refusal] = house.bet(round, ("banker", "100"), player="p-2").refusals
    assert refusal is not None and refusal.code == "above_maximum"
    house.reinstate_ticket(ticket)


@pytest.mark.first_hand
def test_a_result_not_settled_yet_is_settled_with_the_ruling(house: House) -> None:
    round = house.hand()
    ticket = house.ticket(round, ("player", "100"))
    house.result(round, PLAYER_WINS)
    house.void_ticket(ticket)
    assert house.deltas(ticket) == [10_000]
    batch = round.settlements.get()
    assert (batch.revision, batch.kind) == (2, "settle")
    assert verify_ledger().differences == ()


def test_a_ruling_that_the_ledger_passed_over_is_not_forgotten(
    house: House, ticket: Ticket
) -> None:
    house.void_ticket(ticket, 1, settle=False)
    house.edit(ticket.round, {"player": ["KS", "8H"], "banker": ["7D", "JC"]}, settle=False)
    house.settle()
    assert house.deltas(ticket) == [22_500, -10_000]
    assert verify_ledger().differences == ()


def test_in_a_large_round_too(
    house: House, ticket: Ticket, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There the wagers come from the game, a void one of another round among them."""
    house.void_ticket(house.play(PLAYER_WINS, ("player", "10"), ("small", "10")))
    monkeypatch.setattr(resolving, "LARGE", 1)
    house.edit(ticket.round, TIE)
    assert house.paid(ticket) == 10_000 + 2_500
    house.void_ticket(ticket)
    house.reinstate_ticket(ticket, 2)
    assert house.deltas(ticket) == [22_500, -10_000, -1_500, 1_500]
    assert verify_ledger().differences == ()


# What it says before, and what it keeps


def test_the_plan_tells_what_would_move_and_writes_nothing(house: House, ticket: Ticket) -> None:
    words = Wager.objects.count()
    drawn = plan(house, ticket, "void_ticket", 1)
    [money] = drawn.shown["money"]
    assert money == {
        "operator": "north", "currency": "USD", "test": False, "tickets": 1, "debited": 1,
        "up": 0, "down": -10_000, "largest": 10_000,
    }  # fmt: skip
    assert (drawn.before, drawn.after) == ("Player 9 beats Banker 7", "Player 9 beats Banker 7")
    assert drawn.shown["bets"] == {"ticket": ticket.pk, "lines": [1]}
    assert Wager.objects.count() == words and not LinePlay.objects.exists()


def test_a_ruling_keeps_which_bets_and_why(house: House, ticket: Ticket) -> None:
    ruling = house.void_ticket(ticket, 2, ground="late_bet")
    ruling.refresh_from_db()
    assert ruling.bets == {"ticket": ticket.pk, "lines": [2]}
    assert (ruling.ground, ruling.evidence) == ("late_bet", "cam 3 03:00:12")
    event = AuditEvent.objects.get(action="ticket_voided")
    assert (event.subject, event.actor) == (f"round:{ticket.round.key}", house.manager)
    play = LinePlay.objects.get()
    assert (play.ruling, play.revision, play.wager.void_ground) == (ruling, 2, "late_bet")
    house.reinstate_ticket(ticket)
    assert AuditEvent.objects.filter(action="ticket_reinstated").count() == 1


def test_it_answers_the_incidents_of_its_own_ground_alone(house: House, ticket: Ticket) -> None:
    late = house.incident(ticket.round, "late_bet")
    seen = house.incident(ticket.round, "exposed_card")
    house.void_ticket(ticket, ground="late_bet")
    late.refresh_from_db()
    seen.refresh_from_db()
    assert late.closing.answer == "Void ticket"
    assert not hasattr(seen, "closing")


def test_a_second_person_approves_exactly_that(house: House, ticket: Ticket) -> None:
    house.policy(kind="void_ticket")
    other = create_person(
        name="manager-2", role="pit_manager", password=PASSWORD, actor=house.system, reason=REASON
    )
    with pytest.raises(Refused, match="second person"):
        house.void_ticket(ticket)
    drawn = plan(house, ticket)
    proposal = approvals.propose(
        round=ticket.round, draft=drawn.draft, seen=drawn.seen, actor=house.manager, reason="Late."
    )
    assert isinstance(proposal, Proposal)
    ruling = approvals.approve(proposal=proposal, actor=other, reason="Seen it too.")
    house.settle()
    assert (ruling.bets, ruling.approved_by) == ({"ticket": ticket.pk, "lines": []}, other)
    assert house.paid(ticket) == 11_000


# What is refused


def refused(do: Any, *args: Any, **more: Any) -> str:
    before = (Ruling.objects.count(), LinePlay.objects.count(), OutcomeRevision.objects.count())
    with pytest.raises(Refused) as caught, transaction.atomic():
        do(*args, **more)
    assert before == (
        Ruling.objects.count(), LinePlay.objects.count(), OutcomeRevision.objects.count(),
    )  # fmt: skip
    return str(caught.value)


def test_what_is_void_is_not_voided_again_nor_reinstated_twice(
    house: House, ticket: Ticket
) -> None:
    assert "is not void" in refused(house.reinstate_ticket, ticket)
    house.void_ticket(ticket, 1)
    assert "is void already" in refused(house.void_ticket, ticket, 1)
    house.void_ticket(ticket)
    assert "is void already" in refused(house.void_ticket, ticket)


def test_only_bets_of_the_round_are_ruled_on(house: House, ticket: Ticket) -> None:
    assert "no such bet" in refused(house.void_ticket, ticket, 7)
    elsewhere = house.ticket(house.hand("bac-02"), ("player", "10"))
    bets = Bets(elsewhere.pk)
    assert "has no ticket" in refused(
        house.rule, ticket.round, "void_ticket", "late_bet", bets=bets
    )
    assert "Name the ticket." in refused(house.rule, ticket.round, "void_ticket", "late_bet")


def test_ground_note_and_evidence_are_needed(house: House, ticket: Ticket) -> None:
    bets = Bets(ticket.pk)
    for draft, field in (
        (Draft("void_ticket", "bad_mood", "Late.", "cam 3", bets=bets), "ground"),
        (Draft("void_ticket", "disconnection", "Late.", "cam 3", bets=bets), "ground"),
        (Draft("void_ticket", "exposed_card", "Late.", "cam 3", bets=bets), "ground"),
        (Draft("void_ticket", "late_bet", " ", "cam 3", bets=bets), "note"),
        (Draft("void_ticket", "late_bet", "Late.", " ", bets=bets), "evidence"),
        (Draft("reinstate_ticket", "late_bet", "In time.", "", bets=bets), "evidence"),
    ):
        with pytest.raises(Refused) as caught:
            plan_ruling(round=ticket.round, draft=draft, actor=house.manager)
        assert caught.value.field == field or caught.value.code == "not_permitted"


def test_a_round_that_is_void_or_on_hold_is_ruled_on_first(house: House, ticket: Ticket) -> None:
    house.void(ticket.round)
    assert "reinstate it before" in refused(house.void_ticket, ticket)
    held = house.hand()
    waiting = house.ticket(held, ("player", "10"))
    house.result(held, WRONG_THIRD_CARD)
    assert "on hold" in refused(house.void_ticket, waiting)


@pytest.mark.parametrize("name", ["supervisor", "compliance", "administrator"])
def test_only_pit_managers_rule_on_tickets(house: House, ticket: Ticket, name: str) -> None:
    person = getattr(house, name)
    assert "may not do this" in refused(house.void_ticket, ticket, actor=person)
    for kind in ("void_ticket", "reinstate_ticket"):
        with pytest.raises(Refused, match="may not do this"):
            check_kind(ticket.round, kind, actor=person)


# Blackjack: what is played on a box goes together


@dealt
def box(house: House) -> Round:
    return house.round(house.table("bj-01", "club-b", "blackjack"))


def test_stakes_added_to_a_box_go_with_its_ante(house: House, box: Round) -> None:
    ticket = house.ticket(
        box, ("ante", "box1", "10"), ("ante", "box2", "20"), ("player_perfect_pair", "box1", "5")
    )
    decide(ticket=ticket, box=1, play="D", added=[BetAsked("double", "box1", "10")])
    dealt = {"1": {"cards": ["6S", "5C", "TD"]}, "2": {"cards": ["TS", "7C"]}}
    house.result(box, {"dealer": ["9H", "9D"], "boxes": dealt})
    house.settle()
    assert house.paid(ticket) == 4_000
    house.void_ticket(ticket, 1)
    assert house.paid(ticket) == 2_000
    assert [bet["result"] for bet in rows_of(ticket)[-1]["bets"]] == [
        "void", "lose", "lose", "void",
    ]  # fmt: skip
    house.reinstate_ticket(ticket)
    assert house.paid(ticket) == 4_000
    assert [bet["play"] for bet in rows_of(ticket)[-1]["bets"] if bet.get("play")] == ["D", "D"]
    assert verify_ledger().differences == ()


def test_a_void_box_takes_no_more_decisions(house: House, box: Round) -> None:
    ticket = house.ticket(box, ("ante", "box1", "10"))
    house.void_ticket(ticket)
    with pytest.raises(Refused, match="box 1 are void"):
        decide(ticket=ticket, box=1, play="S", added=[])
