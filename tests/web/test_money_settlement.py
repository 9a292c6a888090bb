"""One settlement: header, totals, postings page by page, and a proof that writes nothing."""

from __future__ import annotations

import pytest
from django.db import connection

from casino.pages import keyset
from tests.house import BANKER_SIX, PLAYER_WINS, TIE, House
from tests.web.browsing import Visitor, text
from tests.web.counting import nothing_written
from tickets.models import Settlement, Ticket

pytestmark = pytest.mark.first_hand


def page(house: House, position: int, **query: str) -> str:
    answer = Visitor(house.manager).get("settlement", position, **query)
    assert answer.status_code == 200
    return text(answer)


def test_it_shows_its_header_and_totals_by_operator_and_currency(house: House) -> None:
    round = house.hand()
    house.limit(round.table, "EUR")
    house.ticket(round, ("player", "10"))
    house.ticket(round, ("banker", "4"), client=house.south)
    house.ticket(round, ("player", "3"), currency="EUR", test=True)
    house.result(round, PLAYER_WINS)
    house.settle()
    shown = page(house, 1)
    assert "No. 1 Settlement bac-01 hand 1 brought to outcome 1: Player 9 beats Banker 7" in shown
    assert "by The system Tickets 3" in shown
    assert bytes(Settlement.objects.get().digest).hex() in shown
    assert "north test 1 3.00 EUR 6.00 EUR +6.00 EUR 0.00 EUR" in shown
    assert "north 1 10.00 USD 20.00 USD +20.00 USD 0.00 USD" in shown
    assert "south 1 4.00 USD 0.00 USD 0.00 USD 0.00 USD" in shown


def test_a_re_settlement_names_its_ruling_and_its_neighbours(house: House, settled: Ticket) -> None:
    house.edit(settled.round, BANKER_SIX)
    house.void(settled.round)
    shown = page(house, 2)
    assert "Edit result by manager: Seen on video." in shown
    assert "No. 1 before No. 3 after" in shown
    assert "0.00 USD -200.00 USD" in shown


def test_a_batch_that_changed_no_ticket_says_so(house: House) -> None:
    ticket = house.play(PLAYER_WINS, ("tie", "10"))
    house.edit(ticket.round, BANKER_SIX)
    assert "No ticket changed" in page(house, 2)


def test_its_postings_come_a_page_at_a_time(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    round = house.hand()
    tickets = [house.ticket(round, ("player", "10"), reference=f"t-{n}") for n in range(5)]
    house.result(round, TIE)
    house.settle()
    monkeypatch.setattr(keyset.read_slice, "__kwdefaults__", {
        **keyset.read_slice.__kwdefaults__, "size": 2,
    })  # fmt: skip
    seen, before = [], str(tickets[-1].pk + 1)
    for _ in range(3):
        shown = page(house, 1, before=before)
        here = [ticket for ticket in tickets if f"{ticket.reference} " in shown]
        seen += [ticket.reference for ticket in reversed(here)]
        before = str(min(ticket.pk for ticket in here))
    assert seen == ["t-4", "t-3", "t-2", "t-1", "t-0"]


def test_verifying_recomputes_every_ticket_and_writes_nothing(house: House) -> None:
    ticket = house.play(PLAYER_WINS, ("player", "10"), ("tie", "1"))
    house.edit(ticket.round, BANKER_SIX)
    visitor = Visitor(house.supervisor)
    with nothing_written():
        for position in (1, 2):
            shown = text(visitor.get("settlement_verify", position))
            assert "Nothing differs 1 ticket recomputed" in shown


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("UPDATE tickets_posting SET payout = 9000, delta = 9000", "pays 9000 (sum 9000)"),
        ("UPDATE tickets_settlement SET settled_at = now()", "Settlement 1 was altered."),
        ("UPDATE tickets_settlement SET digest = ''", "Settlement 1 was altered."),
        ("UPDATE tickets_resolution SET numerators = '{7}'", "resolves differently now"),
        ("DELETE FROM tickets_posting", "Settlement 1 was altered."),
    ],
)
def test_verifying_finds_what_was_altered_behind_the_walls(
    change: str, found: str, house: House, settled: Ticket
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for table in ("posting", "settlement", "resolution"):
            cursor.execute(f"ALTER TABLE tickets_{table} DISABLE TRIGGER ALL")
        cursor.execute(change)
    shown = text(Visitor(house.supervisor).get("settlement_verify", 1))
    assert "The ledger differs from the rules" in shown
    assert found in shown


def test_a_settlement_that_is_not_there_is_not_found(house: House) -> None:
    visitor = Visitor(house.manager)
    assert visitor.get("settlement", 7).status_code == 404
    assert visitor.get("settlement_verify", 7).status_code == 404
