"""The long lists: every row once, the right rows, as few statements for many rows as for few."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.http import QueryDict
from django.test.utils import CaptureQueriesContext

from casino.models import AuditEvent, Incident
from casino.pages import decisions, listing, log, money, rounds
from casino.pages.keyset import SLACK, Trail
from casino.pages.listing import Listing
from casino.services.setup import create_pit
from tests.dealing import dealt
from tests.house import BANKER_SIX, PLAYER_WINS, REASON, TIE, WRONG_THIRD_CARD, House
from tests.web.browsing import Visitor, text
from tests.web.counting import nothing_written, queries, seal
from tickets.models import Posting, Settlement, Ticket

LISTINGS = (
    money.TICKETS,
    money.SETTLEMENTS,
    money.POSTINGS,
    money.REFUSALS,
    rounds.ROUNDS,
    decisions.RULINGS,
    decisions.INCIDENTS,
    log.LOG,
)


def narrowed(what: Listing, query: str = "", *, size: int = 50, before: str = "") -> Any:
    filters = what.filters(QueryDict(query))
    assert filters.form.is_valid(), filters.form.errors
    return what.read(filters, before, size)


def walk(what: Listing, query: str = "", *, size: int) -> Iterator[Any]:
    """Every row of a list, page by page."""
    page = narrowed(what, query, size=size)
    yield from page.rows
    while page.older:
        page = narrowed(what, query, size=size, before=page.older)
        yield from page.rows


@dealt
def evening(house: House) -> House:
    """Hands of every fate: edited, void, reinstated, as dealt, open, and on hold."""
    edited = house.play(PLAYER_WINS, ("player", "10"), reference="edited")
    void = house.play(TIE, ("super_6", "5"), reference="void", player="p-2")
    back = house.play(TIE, ("tie", "7.50"), reference="back", client=house.south)
    house.play(BANKER_SIX, ("banker", "20"), reference="plain", code="bac-02", test=True)
    house.edit(edited.round, BANKER_SIX)
    house.void(void.round)
    house.void(back.round)
    house.reinstate(back.round)
    running = house.hand("bac-02")
    house.limit(running.table, "EUR")
    house.ticket(running, ("player", "10"), ("tie", "1"), reference="open")
    house.ticket(running, ("banker", "3"), reference="euro", currency="EUR")
    house.bet(running, ("nonsense", "1"), reference="refused")
    house.bet(running, ("player", "5000"), reference="too much", client=house.south, player="p-2")
    house.result(house.hand("bac-03"), WRONG_THIRD_CARD)
    seal()
    return house


def test_a_list_shows_every_row_once_newest_first(evening: House) -> None:
    for what in LISTINGS:
        model = Posting if what is money.POSTINGS else what.filters.Meta.model
        key = "position" if model is Settlement else "pk"
        expected = list(model.objects.order_by(f"-{key}").values_list(key, flat=True))
        assert expected, what.name
        for size in (1, 2, 3, 50):
            assert [getattr(row, key) for row in walk(what, size=size)] == expected, what.name


def test_rows_that_come_while_one_reads_move_nothing(evening: House) -> None:
    first = narrowed(money.TICKETS, size=2)
    evening.ticket(evening.hand("bac-04"), ("player", "10"), reference="late")
    second = narrowed(money.TICKETS, before=first.older)
    shown = [ticket.reference for ticket in (*first.rows, *second.rows)]
    assert shown == ["euro", "open", "plain", "back", "void", "edited"]


def test_tickets_are_narrowed(evening: House) -> None:
    expected = {
        "reference=edited": "edited",
        "player=p-2": "void",
        "player=p-1&operator=south": "back",
        "operator=south": "back",
        "table=bac-02": "euro open plain",
        "round=bac-02-1-1": "plain",
        "round=bac-77-1-1": "",
        "currency=eur": "euro",
        "test=True": "plain",
        "test=False&table=bac-02": "euro open",
        "status=open": "euro open",
        "status=void": "void",
        "status=settled": "plain back edited",
        "changed=on": "back void edited",
        "changed=on&status=void": "void",
        "until=2020-01-01T00:00": "",
        "since=2100-01-01T00:00": "",
        "since=2020-01-01T00:00&until=2100-01-01T00:00": "euro open plain back void edited",
    }
    found = {
        query: " ".join(ticket.reference for ticket in walk(money.TICKETS, query, size=2))
        for query in expected
    }
    assert found == expected


def test_settlements_are_narrowed_by_one_and_the_same_total(evening: House) -> None:
    expected = {
        "kind=void": [7, 6],
        "kind=reinstate": [8],
        "operator=south": [8, 7, 3],
        "operator=north&test=True": [4],
        "operator=south&test=True": [],
        "table=bac-02": [4],
        "round=bac-01-1-1": [5, 1],
        "currency=EUR": [],
    }
    found = {
        query: [batch.position for batch in walk(money.SETTLEMENTS, query, size=1)]
        for query in expected
    }
    assert found == expected


def test_postings_are_narrowed(evening: House) -> None:
    expected = {
        "reference=edited": [(5, -2000), (1, 2000)],
        "reference=edited&kind=resettle": [(5, -2000)],
        "player=p-1&operator=south": [(8, 6000), (7, -6000), (3, 6750)],
        "operator=south": [(8, 6000), (7, -6000), (3, 6750)],
        "round=bac-02-1-1": [(4, 3000)],
        "kind=void": [(7, -6000), (6, 500)],
        "test=True": [(4, 3000)],
        "table=bac-02&currency=USD": [(4, 3000)],
        "currency=JPY": [],
        "until=2020-01-01T00:00": [],
    }
    found = {
        query: [(row.settlement.position, row.delta) for row in walk(money.POSTINGS, query, size=1)]
        for query in expected
    }
    assert found == expected


def test_refusals_rounds_and_decisions_are_narrowed(evening: House) -> None:
    counted = {
        (money.REFUSALS, "operator=south"): 1,
        (money.REFUSALS, "code=unknown_bet"): 1,
        (money.REFUSALS, "round=bac-02-1-2"): 2,
        (money.REFUSALS, "player=p-2&code=unknown_bet"): 0,
        (rounds.ROUNDS, "status=on_hold"): 1,
        (rounds.ROUNDS, "status=void"): 1,
        (rounds.ROUNDS, "status=betting"): 1,
        (rounds.ROUNDS, "status=settling"): 0,
        (rounds.ROUNDS, "changed=on&table=bac-01"): 3,
        (decisions.RULINGS, "kind=void_hand"): 2,
        (decisions.RULINGS, "ground=wrong_card"): 1,
        (decisions.RULINGS, "ruled_by=manager"): 4,
        (decisions.INCIDENTS, "state=open"): 1,
        (decisions.INCIDENTS, "state=answered"): 0,
        (log.LOG, "action=hand_voided"): 2,
        (log.LOG, "subject=bac-01-1-3&action=hand_reinstated"): 1,
        (log.LOG, "subject=round:bac-01-1-3&actor=manager"): 2,
        (log.LOG, "subject=round:bac-01-1-3&people=on"): 2,
    }
    found = {(what, query): sum(1 for _ in walk(what, query, size=2)) for what, query in counted}
    assert found == counted


def costs(visitor: Visitor) -> dict[str, int]:
    """How many statements the first page of each list takes."""
    return {what.name: queries(partial(visitor.get, what.name)) for what in LISTINGS}


def test_a_page_costs_as_much_for_many_rows_as_for_few(evening: House) -> None:
    visitor = Visitor(evening.compliance)
    few = costs(visitor)
    for number in range(3):
        ticket = evening.play(TIE, ("player", "10"), ("tie", "1"), player=f"p-{number}")
        evening.bet(ticket.round, ("player", "1"))
        evening.edit(ticket.round, PLAYER_WINS)
        evening.result(evening.hand(f"bac-1{number}"), WRONG_THIRD_CARD)
    seal()
    assert costs(visitor) == few
    assert max(few.values()) <= 14, few


def test_no_page_counts_or_skips(evening: House) -> None:
    visitor = Visitor(evening.compliance)
    for what in LISTINGS:
        before = "1.1" if what is money.POSTINGS else "3"
        with CaptureQueriesContext(
            connection,
        ) as captured:
            assert visitor.get(what.name, before=before).status_code == 200
        for query in captured:
            assert "OFFSET" not in query["sql"], what.name
            if "casino_proposal" not in query["sql"]:  # what waits for approval is few
                assert '"__count"' not in query["sql"], what.name


def test_where_no_index_leads_a_page_looks_through_a_stretch_and_says_so(
    evening: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "STRETCH", 2)
    newest = narrowed(money.TICKETS, "operator=south")
    assert (newest.rows, newest.cut) == ([], True)
    found = [ticket.reference for ticket in walk(money.TICKETS, "operator=south", size=50)]
    assert found == ["back"]
    visitor = Visitor(evening.compliance)
    page = text(visitor.get("tickets", operator="south"))
    assert "Nothing among those looked through" in page
    assert "Look further back" in page
    led = narrowed(money.TICKETS, "player=p-1&operator=south")
    assert (len(led.rows), led.cut) == (1, False)


def test_a_moment_is_found_among_keys_by_halving(house: House) -> None:
    trail = Trail("tickets_ticket", "id", "accepted_at")
    first = house.ticket(house.hand(), ("player", "10"))
    start = first.accepted_at
    fields = {
        field.attname: getattr(first, field.attname)
        for field in Ticket._meta.concrete_fields
        if field.attname not in ("id", "reference", "accepted_at")
    }
    rows = [first]
    for minute in (1, 1, 2, 5, 9, 9, 40):
        rows.append(
            Ticket.objects.create(
                reference=f"at-{len(rows)}", accepted_at=start + timedelta(minutes=minute), **fields
            )
        )
    for minute in range(-1, 45):
        moment = start + timedelta(minutes=minute)
        later = [row.pk for row in rows if row.accepted_at >= moment]
        key = trail.first_since(moment)
        assert [row.pk for row in rows if row.pk >= key] == later, minute


def test_a_span_of_time_has_its_rows_whatever_their_keys(house: House) -> None:
    """A ticket may get its number a little after one that was accepted a little later."""
    first = house.ticket(house.hand(), ("player", "10"), reference="first")
    fields = {
        field.attname: getattr(first, field.attname)
        for field in Ticket._meta.concrete_fields
        if field.attname not in ("id", "reference", "accepted_at")
    }
    base = first.accepted_at.replace(second=0, microsecond=0) + timedelta(hours=2)
    for name, at in (("b", base + SLACK / 2), ("a", base), ("c", base + timedelta(hours=1))):
        Ticket.objects.create(reference=name, accepted_at=at, **fields)
    until = base + SLACK / 4
    query = f"since={base:%Y-%m-%dT%H:%M}&until={until:%Y-%m-%dT%H:%M:%S}"
    assert [row.reference for row in narrowed(money.TICKETS, query).rows] == ["a"]


def test_what_is_not_understood_is_said_and_shows_nothing(evening: House) -> None:
    visitor = Visitor(evening.compliance)
    for query in ({"since": "yesterday"}, {"operator": "west"}, {"status": "lost"}):
        page = visitor.get("tickets", **query)
        assert page.status_code == 200
        assert "A filter is not understood" in text(page)
        assert "edited" not in text(page)


def test_a_page_that_was_never_given_is_refused(house: House) -> None:
    visitor = Visitor(house.compliance)
    for before in ("x", "-1", "1.2.3", "9" * 30, "9" * 5000, "1'", "٣"):
        for name in ("tickets", "postings", "log"):
            page = visitor.get(name, before=before)
            assert page.status_code == 400
            assert "no such page" in text(page)


def test_a_cursor_of_another_list_is_refused(house: House) -> None:
    visitor = Visitor(house.compliance)
    assert visitor.get("postings", before="12").status_code == 400
    assert visitor.get("tickets", before="1.2").status_code == 400


def test_a_span_is_shown_on_the_clock_of_the_pit(evening: House) -> None:
    page = text(Visitor(evening.compliance).get("tickets", since="2026-11-29T18:00"))
    assert "Asia/Manila: from 30 Nov 2026 02:00" in page


def test_incidents_that_wait_stand_above_the_list(evening: House) -> None:
    visitor = Visitor(evening.compliance)
    assert "Waiting for a ruling 1" in text(visitor.get("incidents"))
    assert Incident.objects.filter(closing__isnull=True).count() == 1
    assert "Waiting for a ruling" not in text(visitor.get("incidents", state="answered"))


def test_looking_writes_nothing(evening: House) -> None:
    visitor = Visitor(evening.compliance)
    before = AuditEvent.objects.count()
    with nothing_written():
        for what in LISTINGS:
            assert visitor.get(what.name).status_code == 200
    assert AuditEvent.objects.count() == before


@pytest.mark.parametrize("moment", ["0001-01-01T00:00", "9999-12-31T23:59"])
def test_a_moment_outside_the_calendar_of_any_house_is_refused_at_its_field(
    evening: House, moment: str
) -> None:
    visitor = Visitor(evening.compliance)
    for what in LISTINGS:
        for end in ("since", "until"):
            answer = visitor.get(what.name, **{end: moment})
            assert answer.status_code == 200, what.name
            assert "any house was open" in text(answer) or "every house will be" in text(answer)


def test_moments_of_a_house_with_several_clocks_say_whose_they_are_on(evening: House) -> None:
    visitor = Visitor(evening.compliance)
    assert "pb-mixed-clocks" not in visitor.get("rulings").content.decode()
    create_pit(code="riga", time_zone="Europe/Riga", actor=evening.system, reason=REASON)
    page = visitor.get("rulings").content.decode()
    assert "pb-mixed-clocks" in page and 'data-pb-offset="UTC+08"' in page
    assert 'data-pb-offset="UTC"' in visitor.get("log").content.decode()
    assert "UTC+08" in text(visitor.get("casino_shoe_changelist"))
    assert "UTC+08" in text(visitor.get("casino_limitset_changelist"))
