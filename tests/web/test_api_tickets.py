"""Placing tickets over the API, alone and in lists."""

from __future__ import annotations

from typing import Any

import pytest

from tests.house import House
from tests.web.calls import Caller
from tests.web.counting import nothing_written, queries
from tickets.models import Line, Refusal, Ticket

pytestmark = pytest.mark.first_hand


def asked(round: Any, *bets: tuple[str, Any], **more: Any) -> dict[str, Any]:
    """A ticket as a platform posts it; a bet is (bet, stake)."""
    ticket: dict[str, Any] = {
        "reference": "op-7f3a",
        "round": round if isinstance(round, str) else round.key,
        "player": "p-184",
        "currency": "USD",
        "placed_at": "2026-11-29T18:00:00Z",
        "test": False,
        "bets": [
            {"bet": bet, "selection": "", "stake": stake}
            for bet, stake in bets or [("banker", "100.00")]
        ],
    }
    return ticket | more


@pytest.fixture
def north(house: House) -> Caller:
    return Caller(house.keys["north"])


def test_a_ticket_is_accepted(house: House, north: Caller) -> None:
    answer = north.post("tickets/", asked(house.hand(), ("banker", "100"), ("tie", "5.5")))
    assert answer.status_code == 201
    ticket = Ticket.objects.get()
    assert answer.json() == {
        "reference": "op-7f3a",
        "ticket": str(ticket.pk),
        "status": "accepted",
        "round": "bac-01-1-1",
        "bets": [
            {"bet": "banker", "selection": "", "stake": "100.00", "error": None},
            {"bet": "tie", "selection": "", "stake": "5.50", "error": None},
        ],
        "book_version": "1",
        "limit_version": "1",
    }
    assert (ticket.operator, ticket.client) == (house.north.operator, house.north)


def test_the_same_ticket_again_is_answered_as_at_first(house: House, north: Caller) -> None:
    ticket = asked(house.hand())
    first = north.post("tickets/", ticket)
    house.limit(Ticket.objects.get().round.table, bets={"": (1, 100)})
    with nothing_written():
        again = north.post("tickets/", ticket)
    assert again.status_code == 200
    assert again.content == first.content


def test_the_same_instant_in_another_offset_is_the_same_ticket(house: House, north: Caller) -> None:
    round = house.hand()
    north.post("tickets/", asked(round))
    again = north.post("tickets/", asked(round, placed_at="2026-11-30T02:00:00+08:00"))
    assert again.status_code == 200


def test_optional_fields_may_be_left_out(house: House, north: Caller) -> None:
    ticket = asked(house.hand())
    del ticket["test"], ticket["bets"][0]["selection"]
    assert north.post("tickets/", ticket).status_code == 201
    again = north.post("tickets/", asked("bac-01-1-1"))
    assert again.status_code == 200


def test_another_ticket_under_the_same_reference_is_refused(house: House, north: Caller) -> None:
    round = house.hand()
    north.post("tickets/", asked(round))
    with nothing_written(but=Refusal):
        answer = north.post("tickets/", asked(round, ("banker", "200.00")))
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "duplicate_reference"
    assert answer.json()["bets"][0]["error"]["code"] == "duplicate_reference"


def test_a_reference_belongs_to_its_operator(house: House, north: Caller) -> None:
    round = house.hand()
    assert north.post("tickets/", asked(round)).status_code == 201
    assert Caller(house.keys["south"]).post("tickets/", asked(round)).status_code == 201
    assert Ticket.objects.filter(reference="op-7f3a").count() == 2


def test_a_refusal_has_a_code_for_each_bet_and_is_kept(house: House, north: Caller) -> None:
    ticket = asked(house.hand(), ("banker", "1.00"), ("moon", "5.00"), ("tie", "2000.00"))
    with nothing_written(but=Refusal):
        answer = north.post("tickets/", ticket)
    assert answer.status_code == 422
    body = answer.json()
    assert (body["status"], body["ticket"]) == ("refused", None)
    assert [bet["error"] and bet["error"]["code"] for bet in body["bets"]] == [
        None,
        "unknown_bet",
        None,
    ]
    assert body["error"]["code"] == "unknown_bet"
    kept = Refusal.objects.get()
    assert (kept.codes, kept.reference, kept.player) == (["unknown_bet"], "op-7f3a", "p-184")


def test_rules_refuse_with_422(house: House, north: Caller) -> None:
    ticket = asked(house.hand())
    cases: list[tuple[dict[str, Any], str]] = [
        ({"round": "bac-09-1-1"}, "unknown_round"),
        ({"currency": "XXX"}, "unknown_currency"),
        ({"currency": "EUR"}, "unknown_currency"),
        ({"bets": [{"bet": "banker", "selection": "red", "stake": "1.00"}]}, "unknown_bet"),
        ({"bets": [{"bet": "banker", "stake": "0.50"}]}, "below_minimum"),
        ({"bets": [{"bet": "banker", "stake": "1000.01"}]}, "above_maximum"),
    ]
    for change, code in cases:
        with nothing_written(but=Refusal):
            answer = north.post("tickets/", ticket | change)
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, code)
        assert Refusal.objects.latest("pk").codes == [code]
    assert Refusal.objects.count() == len(cases)


def test_after_no_more_bets_a_ticket_is_refused(house: House, north: Caller) -> None:
    round = house.hand()
    house.close(round)
    with nothing_written(but=Refusal):
        answer = north.post("tickets/", asked(round))
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "betting_closed")


def test_a_player_may_not_hold_what_the_book_keeps_apart(house: House, north: Caller) -> None:
    round = house.hand(code="eur-01", book="euro", game="baccarat")
    assert north.post("tickets/", asked(round, ("player", "5.00"))).status_code == 201
    again = north.post("tickets/", asked(round, ("banker", "5.00"), reference="op-2"))
    assert again.status_code == 422
    assert again.json()["bets"][0]["error"]["code"] == "prohibited_combination"


def test_each_ticket_of_a_list_stands_for_itself(house: House, north: Caller) -> None:
    round = house.hand()
    north.post("tickets/", asked(round, reference="known"))
    answer = north.post(
        "tickets/",
        [
            asked(round, reference="good"),
            asked(round, ("moon", "1.00"), reference="bad-bet"),
            asked(round, reference="known"),
            asked(round, ("tie", "1.00"), reference="known"),
            asked(round, reference="shapeless", colour="red"),
            asked(round, ("banker", 1.5), reference="float"),
            asked(round, ("banker", ["1"]), reference="list"),
            "no ticket at all",
            None,
            asked(round, reference="good"),
            asked(round, reference="last", player="p-2"),
        ],
    )
    assert answer.status_code == 200
    results = answer.json()["results"]
    assert [(row["status_code"], row.get("error", {}).get("code")) for row in results] == [
        (201, None),
        (422, "unknown_bet"),
        (200, None),
        (409, "duplicate_reference"),
        (400, "malformed"),
        (422, "invalid_stake"),
        (422, "invalid_stake"),
        (400, "malformed"),
        (400, "malformed"),
        (200, None),
        (201, None),
    ]
    assert " ".join(row["reference"] or "-" for row in results) == (
        "good bad-bet known known shapeless float list - - good last"
    )
    assert results[9]["ticket"] == results[0]["ticket"]
    assert set(Ticket.objects.values_list("reference", flat=True)) == {"known", "good", "last"}


def test_a_reference_that_was_refused_first_is_free(house: House, north: Caller) -> None:
    round = house.hand()
    answer = north.post("tickets/", [asked(round, ("moon", "1.00")), asked(round)])
    assert [row["status_code"] for row in answer.json()["results"]] == [422, 201]


def test_a_list_of_nothing_but_malformed_tickets_writes_nothing(
    house: House, north: Caller
) -> None:
    with nothing_written():
        answer = north.post("tickets/", [{}, 1, []])
    assert [row["status_code"] for row in answer.json()["results"]] == [400, 400, 400]


def test_a_thousand_tickets_come_in_one_list(house: House, north: Caller) -> None:
    round = house.hand()
    tickets = [asked(round, reference=f"r-{n}", player=f"p-{n}") for n in range(1000)]
    answer = north.post("tickets/", tickets)
    assert [row["status_code"] for row in answer.json()["results"]] == [201] * 1000
    assert [row["reference"] for row in answer.json()["results"]] == [f"r-{n}" for n in range(1000)]
    assert (Ticket.objects.count(), Line.objects.count()) == (1000, 1000)


def test_a_thousand_and_one_are_too_many(house: House, north: Caller) -> None:
    round = house.hand()
    with nothing_written():
        answer = north.post("tickets/", [asked(round, reference=f"r-{n}") for n in range(1001)])
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")


def test_statements_do_not_grow_with_the_list(house: House, north: Caller) -> None:
    round = house.hand()

    def tickets(first: int, last: int) -> list[dict[str, Any]]:
        return [asked(round, ("tie", "1.00"), reference=f"r-{n}") for n in range(first, last)]

    north.post("tickets/", tickets(0, 1))
    few = queries(lambda: north.post("tickets/", tickets(1, 4)))
    assert queries(lambda: north.post("tickets/", tickets(4, 44))) == few
    few_again = queries(lambda: north.post("tickets/", tickets(0, 2)))
    assert queries(lambda: north.post("tickets/", tickets(0, 44))) == few_again
