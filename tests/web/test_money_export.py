"""A list as a file: the rows that the list shows, safe to open, never cut without saying so."""

from __future__ import annotations

import csv
import json
from datetime import UTC, datetime, timedelta, timezone
from io import StringIO
from typing import Any

import pytest

from casino.models import AuditEvent
from casino.pages import listing
from casino.pages.listing import Amount, cell
from tests.house import BANKER_SIX, PLAYER_WINS, House
from tests.web.browsing import Visitor
from tests.web.counting import queries, seal
from tickets.models import Ticket

pytestmark = pytest.mark.first_hand


def export(house: House, name: str, **query: Any) -> list[list[str]]:
    answer = Visitor(house.compliance).get(f"{name}_export", **query)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert f'filename="{name}-' in answer.headers["Content-Disposition"]
    return list(csv.reader(StringIO(answer.getvalue().decode())))


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_text_that_would_be_a_formula_is_text(first: str) -> None:
    assert cell(f"{first}1+1") == f"'{first}1+1"


def test_other_cells_stay_what_they_are() -> None:
    manila = timezone(timedelta(hours=8))
    assert cell("a=b") == "a=b"
    assert cell(Amount("-5.00")) == "-5.00"
    assert cell(None) == ""
    assert (cell(True), cell(False), cell(-3)) == ("yes", "no", "-3")
    assert cell(datetime(2026, 11, 30, 2, tzinfo=manila)) == "2026-11-29T18:00:00.000Z"
    assert cell(datetime(2026, 1, 1, tzinfo=UTC)) == "2026-01-01T00:00:00.000Z"


def test_tickets_are_exported_as_the_list_is_narrowed(house: House) -> None:
    ticket = house.play(PLAYER_WINS, ("player", "10"), player="=HYPERLINK(1)", reference="-1")
    house.ticket(house.hand(), ("tie", "1"), client=house.south, reference="other")
    house.edit(ticket.round, BANKER_SIX)
    header, *rows = export(house, "tickets", operator="north")
    row = dict(zip(header, *rows, strict=True))
    assert row.pop("accepted_at").endswith("Z")
    assert row == {
        "ticket": str(ticket.pk),
        "reference": "'-1",
        "operator": "north",
        "player": "'=HYPERLINK(1)",
        "table": "bac-01",
        "round": "bac-01-1-1",
        "currency": "USD",
        "stake": "10.00",
        "payout": "0.00",
        "status": "settled",
        "changed": "yes",
        "test": "no",
    }


def test_postings_keep_the_sign_of_their_difference(house: House, settled: Ticket) -> None:
    house.edit(settled.round, BANKER_SIX)
    header, *rows = export(house, "postings")
    deltas = [dict(zip(header, row, strict=True))["delta"] for row in rows]
    assert deltas == ["-200.00", "200.00"]


def test_every_list_has_its_file(house: House, settled: Ticket) -> None:
    house.void(settled.round)
    house.bet(settled.round, ("player", "1"))
    seal()
    lists = ("tickets", "settlements", "postings", "refusals", "rounds", "rulings", "log")
    for name in lists:
        header, *rows = export(house, name)
        assert rows, name
        assert {len(row) for row in rows} == {len(header)}, name
    header, *rows = export(house, "incidents")
    assert (header[0], rows) == ("incident", [])


def test_a_file_is_whole_however_it_is_read(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    round = house.hand()
    tickets = house.tickets(7, round, ("player", "1"))
    monkeypatch.setattr(listing, "READ_AT_ONCE", 2)
    _, *rows = export(house, "tickets")
    assert [int(row[0]) for row in rows] == [ticket.pk for ticket in reversed(tickets)]


def test_a_file_goes_on_where_a_page_would_stop_looking(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    round = house.hand()
    house.ticket(round, ("player", "1"), client=house.south, reference="old")
    house.tickets(6, round, ("player", "1"))
    monkeypatch.setattr(listing, "STRETCH", 2)
    _, *rows = export(house, "tickets", operator="south")
    assert [row[1] for row in rows] == ["old"]


def test_a_file_that_is_cut_says_so_in_its_last_line(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    round = house.hand()
    house.tickets(5, round, ("player", "1"))
    monkeypatch.setattr(listing, "MOST_EXPORTED", 4)
    _, *rows = export(house, "tickets")
    assert len(rows) == 5
    assert rows[-1] == ["Cut after 4 rows: narrow the list for the rest."]


def test_what_is_not_understood_exports_no_row(house: House, settled: Ticket) -> None:
    _, *rows = export(house, "tickets", since="yesterday")
    assert rows == []


def test_a_file_costs_as_much_for_many_rows_as_for_few(house: House) -> None:
    visitor = Visitor(house.supervisor)
    round = house.hand()
    house.ticket(round, ("player", "1"))
    few = queries(lambda: visitor.get("tickets_export").getvalue())
    house.tickets(20, round, ("player", "1"))
    assert queries(lambda: visitor.get("tickets_export").getvalue()) == few


def test_what_was_taken_out_is_in_the_decision_log(house: House, settled: Ticket) -> None:
    export(house, "tickets", operator="north", player="")
    event = AuditEvent.objects.latest("pk")
    assert (event.action, event.subject) == ("list_exported", "list:tickets")
    assert event.actor == house.compliance
    assert json.loads(event.body) == {"narrowed": {"operator": "north"}}
