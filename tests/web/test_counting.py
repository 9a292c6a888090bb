"""What the tests count by: a block in which nothing may be written is told of all that was."""

from __future__ import annotations

import pytest
from django.db import connection, transaction

from casino.models import Incident, Table
from tests.house import House
from tests.web.counting import READS, nothing_written

pytestmark = pytest.mark.first_table


def test_a_row_that_was_written_is_found(house: House) -> None:
    with pytest.raises(AssertionError, match="'casino_incident': 1"), nothing_written():
        assert Table.objects.count() == 1
        house.incident(house.table())


def test_a_row_that_was_changed_is_found(house: House) -> None:
    table = house.table()
    with pytest.raises(AssertionError, match="'casino_table': 'changed'"), nothing_written():
        Table.objects.filter(pk=table.pk).update(name="Another")


def test_what_was_rolled_back_was_not_written(house: House) -> None:
    with nothing_written(), transaction.atomic():
        house.incident(house.table())
        transaction.set_rollback(True)


def test_a_table_may_be_left_out(house: House) -> None:
    with pytest.raises(AssertionError) as failed, nothing_written(but=Incident):
        house.incident(house.table())
    assert "casino_incident'" not in str(failed.value)
    assert "casino_auditevent'" in str(failed.value)


def test_no_function_of_the_house_writes_where_a_statement_only_reads(house: House) -> None:
    """Such a function would have to be volatile; the walls are run by writing alone."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT proname FROM pg_proc
            WHERE pronamespace = 'public'::regnamespace
              AND prorettype <> 'trigger'::regtype AND provolatile = 'v'
            """
        )
        assert cursor.fetchall() == []


@pytest.mark.parametrize(
    ("statement", "reads"),
    [
        ("SELECT 1", True),
        ("WITH one AS (SELECT 1) SELECT * FROM one", True),
        ('SAVEPOINT "s1"', True),
        ("WITH one AS (INSERT INTO t VALUES (1) RETURNING 1) SELECT 1", False),
        ("WITH one AS (\nSELECT 1)\nUPDATE t SET x = 1", False),
        ("INSERT INTO t SELECT 1", False),
        ("COPY t FROM STDIN", False),
        ("SET CONSTRAINTS ALL IMMEDIATE", False),
    ],
)
def test_a_statement_that_could_write_is_told_from_one_that_only_reads(
    statement: str, reads: bool
) -> None:
    assert bool(READS.match(statement)) is reads
