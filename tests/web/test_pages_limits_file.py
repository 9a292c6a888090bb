"""Limits as a file: what goes out comes in again, and nothing is written unseen."""

from __future__ import annotations

import csv
from datetime import UTC, datetime
from io import BytesIO, StringIO
from typing import Any

import pytest
from django.utils import timezone

from casino.models import AuditEvent, LimitSet, Table
from casino.selectors import limits_in_force, limits_to_come
from casino.services.limits import bounds_of, rows_of
from casino.services.limits_file import COLUMNS, WITHOUT_PROFILES, import_limits, plan_import
from games.refusals import Refused
from tests.dealing import dealt
from tests.house import REASON, House
from tests.web.browsing import Visitor, hidden, text
from tests.web.counting import nothing_written, queries

pytestmark = pytest.mark.first_table

HEAD = ",".join(WITHOUT_PROFILES) + "\n"
"""Most files here are as they were before there were profiles, and are still read."""
EVERY = "bac-01,,USD,bet,,,1.00,1000.00\n"


@dealt
def table(house: House) -> Table:
    """A table with limits of every kind, general and for one operator."""
    table = house.table()
    house.limit(
        table, bets={"tie": (100, 5_000)}, table_min=200, table_max=90_000, payout_max=500_000,
        exposure_max=5_000_000,
    )  # fmt: skip
    house.limit(table, "JPY", bets={"": (100, 50_000)})
    house.limit(table, operator=house.north.operator, bets={"tie": (100, 2_000)})
    return table


def exported(house: House) -> str:
    answer = Visitor(house.administrator).post("limits_file", script=False, do="export")
    assert answer["Content-Type"].startswith("text/csv")
    return str(answer.content.decode())


def sent(house: House, file: str, **more: Any) -> Any:
    """A file as the form sends it."""
    upload = BytesIO(file.encode())
    upload.name = "limits.csv"
    return Visitor(house.manager).post("limits_file", script=False, do="file", file=upload, **more)


def confirm(house: House, file: str, seen: str, **more: Any) -> Any:
    form = {"do": "confirm", "text": file, "seen": seen, "reason": "New year."} | more
    return Visitor(house.manager).post("limits_file", script=False, **form)


def test_an_export_has_every_set_in_force_and_stands_in_the_log(house: House, table: Table) -> None:
    file = exported(house)
    rows = list(csv.reader(StringIO(file)))
    assert tuple(rows[0]) == COLUMNS
    assert ["bac-01", "", "USD", "bet", "tie", "", "1.00", "50.00", ""] in rows
    assert ["bac-01", "", "USD", "player", "", "", "2.00", "900.00", ""] in rows
    assert ["bac-01", "", "USD", "payout", "", "", "", "5000.00", ""] in rows
    assert ["bac-01", "", "JPY", "bet", "", "", "100", "50000", ""] in rows
    assert ["bac-01", "north", "USD", "bet", "tie", "", "1.00", "20.00", ""] in rows
    assert ["bac-01", "north", "USD", "exposure", "", "", "", "50000.00", ""] in rows
    event = AuditEvent.objects.get(action="limits_exported")
    assert event.actor == house.administrator


def test_what_goes_out_comes_in_again_and_changes_nothing(house: House, table: Table) -> None:
    file = exported(house)
    with nothing_written():
        assert "Nothing would change" in text(sent(house, file))
    assert plan_import(file).drafts == ()


def test_differences_are_shown_row_by_row_and_written_when_confirmed(
    house: House, table: Table
) -> None:
    file = exported(house).replace(",tie,,1.00,20.00", ",tie,,1.00,25.00")
    file = file.replace("bac-01,,USD,payout,,,,5000.00,\r\n", "")
    with nothing_written():
        page = sent(house, file)
    said = text(page)
    assert "bac-01 USD north only Tie 1.00 to 20.00 1.00 to 25.00" in said
    assert "bac-01 USD Payout to one player – to 5,000.00 none" in said
    assert confirm(house, file, hidden(page, "seen")).status_code == 302
    general = limits_in_force(table)["USD"]
    assert bounds_of(general)["payout_max"] is None
    assert bounds_of(general)["exposure_max"] == 5_000_000
    own = limits_in_force(table, house.north.operator)["USD"]
    assert rows_of(own)["tie"] == (100, 2_500)
    assert (own.set_by, own.reason) == (house.manager, "New year.")


def test_the_ends_of_lines_may_change_on_the_way_through_the_form(
    house: House, table: Table
) -> None:
    page = sent(house, HEAD + EVERY)
    answer = confirm(house, (HEAD + EVERY).replace("\n", "\r\n"), hidden(page, "seen"))
    assert answer.status_code == 302


def test_a_file_may_hold_from_a_time_on(house: House, table: Table) -> None:
    file = HEAD + EVERY
    later = "2099-01-05T06:00"
    page = sent(house, file, effective_from=later)
    moment = hidden(page, "effective_from")
    assert confirm(house, file, hidden(page, "seen"), effective_from=moment).status_code == 302
    [coming] = limits_to_come(table)
    assert coming.effective_from > timezone.now()
    assert rows_of(coming) == {"": (100, 100_000)}


def test_limits_that_end_later_show_the_general_ones_of_that_time(
    house: House, table: Table
) -> None:
    house.limit(table, bets={"tie": (100, 4_000)}, effective_from=datetime(2099, 1, 5, tzinfo=UTC))
    ended = HEAD + "bac-01,north,USD,general,,,,\n"
    assert "Tie 1.00 to 20.00 1.00 to 50.00" in text(sent(house, ended))
    page = sent(house, ended, effective_from="2099-01-06T06:00")
    assert "Tie 1.00 to 20.00 1.00 to 40.00" in text(page)


def test_what_changed_since_the_preview_is_not_written_over(house: House, table: Table) -> None:
    file = HEAD + EVERY
    page = sent(house, file)
    house.limit(table, bets={"tie": (100, 4_000)})
    with nothing_written():
        answer = confirm(house, file, hidden(page, "seen"))
        assert confirm(house, file + EVERY.replace("USD", "EUR"), "x").status_code == 422
    assert answer.status_code == 422
    assert "Limits changed since this was previewed; preview it again." in text(answer)
    assert "Tie 1.00 to 40.00 as every other bet (1.00 to 1,000.00)" in text(answer)


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ("bac-99,,USD,bet,,,1,2\n", "Line 2, column table: There is no table bac-99."),
        ("bac-01,west,USD,bet,,,1,2\n", "Line 2, column operator: There is no operator west."),
        ("bac-01,,XXY,bet,,,1,2\n", "Line 2, column currency: 'XXY' is not a currency"),
        ("bac-01,,USD,wager,,,1,2\n", "Line 2, column limit: 'wager' is none of bet, player"),
        (EVERY + "bac-01,,USD,bet,frog,,1,2\n", "Line 3, column bet: "),
        (EVERY + "bac-01,,USD,bet,tie,17,1,2\n", "Line 3, column selection: "),
        (EVERY + "bac-01,,USD,bet,,17,1,2\n", "Line 3, column selection: A selection needs"),
        (EVERY + "bac-01,,USD,player,tie,,1,2\n", "Line 3, column bet: A row for player"),
        ("bac-01,,USD,bet,,,one,2\n", "Line 2, column minimum: 'one' is no amount in USD"),
        ("bac-01,,USD,bet,,,1,\n", "Line 2, column maximum: An amount is missing."),
        ("bac-01,,USD,bet,,,3,2\n", "Line 2, column maximum: The maximum is below"),
        (EVERY + "bac-01,,USD,payout,,,1,2\n", "Line 3, column minimum: A row for payout"),
        (EVERY + "bac-01,,USD,exposure,,,,\n", "Line 3, column maximum: An amount is missing."),
        (EVERY + EVERY, "Line 3, column bet: This was said on line 2 already."),
        ("bac-01,,USD,payout,,,,2\n", "Line 2, column limit: bac-01 in USD has no row for a bet"),
        ("bac-01,,USD,bet,,,1\n", "Line 2, column maximum: This row has 7 cells and needs 8."),
        ("", "Line 1, column table: The file has no rows."),
    ],
)
def test_a_fault_is_told_with_its_line_and_column(house: House, rows: str, fault: str) -> None:
    house.table()
    with nothing_written():
        answer = sent(house, HEAD + rows)
    assert answer.status_code == 422
    assert fault in text(answer)
    with pytest.raises(Refused, match=r"Line \d, column"), nothing_written():
        seen = plan_import(HEAD + rows).seen
        import_limits(text=HEAD + rows, seen=seen, actor=house.manager, reason=REASON)


def test_a_file_without_its_columns_is_told_which_they_are(house: House) -> None:
    said = text(sent(house, "table,currency\nbac-01,USD\n"))
    assert "Line 1, column operator: The first line names the columns: table, operator" in said


def test_a_file_with_semicolons_and_a_mark_at_its_start_is_read(house: House) -> None:
    house.table()
    file = "\N{BOM}" + (HEAD + EVERY).replace(",", ";")
    assert "Nothing would change" in text(sent(house, file))


def test_one_tables_limits_are_applied_to_others_after_a_look(house: House, table: Table) -> None:
    other = house.table("bac-02")
    visitor = Visitor(house.manager)
    page = visitor.post("limits_file", script=False, do="copy", source="bac-01", targets="bac-02")
    assert "bac-02 USD Tie as every other bet (1.00 to 1,000.00) 1.00 to 50.00" in text(page)
    file = "\r\n".join(line for line in exported(house).split("\r\n") if ",north," not in line)
    file = file.replace("bac-02,,USD,bet,,,1.00,1000.00,\r\n", "").replace("bac-01", "bac-02")
    assert confirm(house, file, plan_import(file).seen).status_code == 302
    assert rows_of(limits_in_force(other)["USD"]) == rows_of(limits_in_force(table)["USD"])
    assert set(limits_in_force(other)) == {"USD", "JPY"}


def test_a_table_with_other_bets_does_not_take_them(house: House, table: Table) -> None:
    house.table("rou-01", book="club-b", game="roulette")
    answer = Visitor(house.manager).post(
        "limits_file", script=False, do="copy", source="bac-01", targets="rou-01"
    )
    assert "Roulette has no bet tie." in text(answer)


def test_only_who_sets_limits_takes_them_out_or_brings_them_in(house: House) -> None:
    house.table()
    for person in (house.supervisor, house.compliance):
        assert Visitor(person).post("limits_file", do="export").status_code == 403
        with pytest.raises(Refused):
            import_limits(text="", seen="", actor=person, reason=REASON)
    assert LimitSet.objects.count() == 1


def test_a_file_of_many_tables_is_read_in_as_few_statements_as_one_of_one(
    house: House, table: Table
) -> None:
    def reads(codes: list[str]) -> int:
        rows = "".join(EVERY.replace("bac-01", code) for code in codes)
        return queries(lambda: plan_import(HEAD + rows))

    codes = ["bac-01"]
    one = reads(codes)
    for number in range(2, 5):
        codes.append(f"bac-0{number}")
        house.table(codes[-1])
    assert reads(codes) == one


def test_a_time_that_no_clock_shows_is_shown_as_none_and_writes_nothing(
    house: House, table: Table
) -> None:
    file = exported(house).replace(",tie,,1.00,20.00", ",tie,,1.00,25.00")
    with nothing_written():
        page = confirm(house, file, "seen", effective_from="9999-12-31T23:59:59Z")
    assert "1.00 to 25.00" in text(page)
