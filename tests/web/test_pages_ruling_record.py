"""The record of a ruling: what was decided, by whom and why, and what came of it."""

from __future__ import annotations

import pytest

from casino.models import Ruling, Table
from casino.services import approvals, shoes
from tests.house import BANKER_SIX, PLAYER_WINS, REASON, TIE, House
from tests.web.browsing import Visitor, text
from tests.web.counting import queries

pytestmark = pytest.mark.first_hand


def record(house: House, ruling: Ruling, who: str = "compliance") -> str:
    return text(Visitor(getattr(house, who)).get("ruling_record", ruling.pk))


def test_a_ruling_tells_what_who_and_why_and_what_was_posted(house: House) -> None:
    ticket = house.play(PLAYER_WINS, ("player", "100"))
    incident = house.incident(ticket.round, "wrong_card")
    ruling = house.edit(ticket.round, BANKER_SIX)
    said = record(house, ruling)
    for words in (
        f"Ruling No. {ruling.pk} · bac-01 hand 1",
        "by manager Ground Wrong card",
        "What happened Seen on video. Evidence cam 3 03:00:12",
        "bac-01 hand 1 , outcome 2 (edited result) In force",
        "Player 9 beats Banker 7 → Player 5",
        "No. 2 bac-01-1-1 north 1 0.00 USD -200.00 USD",
        "Tickets that change 1",
    ):
        assert words in said, words
    assert f"Wrong card : {incident.note}" in said

    back = house.edit(ticket.round, PLAYER_WINS)
    said = record(house, ruling)
    assert "outcome 2 (edited result) Superseded" in said
    assert "Ruled since Edit result manager" in said
    last = record(house, back)
    assert "outcome 3 (edited result) In force" in last and "Ruled since" not in last


def test_it_names_who_proposed_and_who_approved(house: House) -> None:
    ticket = house.play(PLAYER_WINS, ("player", "100"))
    proposal = house.proposal(ticket.round)
    ruling = approvals.approve(
        proposal=proposal, actor=house.compliance, reason="Seen on both cameras."
    )
    said = record(house, ruling)
    assert "by manager Approved" in said and "by compliance: Seen on both cameras." in said
    assert "Not settled yet" in said and "Nothing posted yet" in said


def test_a_void_shoe_has_all_its_hands_and_a_correction_both_counts(house: House) -> None:
    ticket = house.play(PLAYER_WINS, ("player", "100"))
    shoe = ticket.round.shoe
    assert shoe is not None
    said = record(house, house.void_shoe(shoe, ticket.round))
    assert "Void shoe" in said and "bac-01 hand 1 , outcome 2 (void)" in said

    opened = {"table": house.table("bac-02"), "number": 1, "first_card": "KH", "burned": 9}
    shoe = shoes.open_shoe(**opened, actor=house.studio.person, reason=REASON)
    ruling = shoes.correct_commencement(
        shoe=shoe, first_card="KH", burned=10, note="Counted again.", video="cam 3",
        actor=house.manager, reason=REASON,
    )  # fmt: skip
    said = record(house, ruling)
    assert "First card KH → KH Burned 9 → 10" in said
    assert "What was posted" not in said


def test_a_ruling_on_a_bet_names_it_to_whoever_may_see_money(house: House) -> None:
    ticket = house.play(PLAYER_WINS, ("player", "100"), ("tie", "5"))
    ruling = house.void_ticket(ticket, 2)
    said = record(house, ruling)
    assert f"One bet of ticket {ticket.reference} north, player p-1 Bets Tie, 5.00 USD" in said
    blind = record(house, ruling, "administrator")
    assert ticket.reference not in blind and "USD" not in blind
    assert "Seen on video." in blind and "In the decision log" not in blind


def test_what_decides_nothing_about_money_has_a_record_too(house: House) -> None:
    held = house.hold(house.hand())
    said = record(house, held, "supervisor")
    assert "Put on hold" in said and "No outcome was changed." in said


def test_it_is_found_from_where_the_ruling_is_told(house: House) -> None:
    ticket = house.play(PLAYER_WINS, ("player", "100"))
    ruling = house.void(ticket.round)
    visitor = Visitor(house.compliance)
    link = f'href="/admin/rulings/{ruling.pk}/"'
    for name, place in (("rulings", ()), ("round", (ticket.round.key,)), ("settlement", (2,))):
        assert link in visitor.get(name, *place).content.decode(), name
    assert visitor.get("ruling_record", ruling.pk + 1).status_code == 404


def test_its_statements_do_not_grow_with_the_hands_of_a_shoe(house: House) -> None:
    def asked(hands: int, code: str) -> int:
        rounds = [house.play(PLAYER_WINS, ("player", "1"), code=code).round for _ in range(hands)]
        shoe = rounds[0].shoe
        assert shoe is not None
        ruling = house.void_shoe(shoe, *rounds)
        visitor = Visitor(house.compliance)
        return queries(lambda: visitor.get("ruling_record", ruling.pk))

    assert asked(1, "bac-01") == asked(3, "bac-02")


def test_what_was_followed_before_it_was_settled_waits_for_nothing(house: House) -> None:
    ticket = house.play(PLAYER_WINS, ("player", "100"))
    first = house.edit(ticket.round, BANKER_SIX, settle=False)
    assert "In force Not settled yet" in record(house, first)
    house.edit(ticket.round, TIE, settle=False)
    said = record(house, first)
    assert "Not settled yet" not in said and "follows by itself" not in said
    house.settle()
    said = record(house, first)
    assert "Player 9 beats Banker 7 → Player 5" in said and "Superseded" in said
    assert "Nothing posted under this ruling A later one took its place" in said


def test_a_result_that_stays_as_it_is_is_not_struck_out(house: House) -> None:
    ticket = house.play(PLAYER_WINS, ("player", "100"))
    ruling = house.void_ticket(ticket)
    page = Visitor(house.compliance).get("ruling_record", ruling.pk).content.decode()
    assert "<ins>Player 9 beats Banker 7</ins>" in page
    assert "<del>" not in page.partition("What was posted")[0]


def test_what_was_ruled_since_elsewhere_says_where(house: House) -> None:
    ticket = house.play(PLAYER_WINS, ("player", "100"))
    shoe = ticket.round.shoe
    assert shoe is not None
    ruling = house.void_shoe(shoe, ticket.round)
    house.reinstate(ticket.round)
    assert "Ruled since Reinstate hand , bac-01 hand 1 manager" in record(house, ruling)


def test_a_ruling_on_a_shoe_keeps_the_game_that_it_was_dealt_by(house: House) -> None:
    ticket = house.play(PLAYER_WINS, ("player", "100"))
    table, shoe = ticket.round.table, ticket.round.shoe
    assert shoe is not None
    ruling = house.void_shoe(shoe, ticket.round)
    Table.objects.filter(pk=table.pk).update(book="club-b", game="super_98")
    assert "· No Commission Baccarat · book club-a ·" in record(house, ruling)
