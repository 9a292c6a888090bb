"""What is in the house, counted: for tests that nothing was written, or that reads stay few."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.apps import apps
from django.db import connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext


def rows() -> dict[str, tuple[int, int]]:
    """How many rows every table of the house has, and a sum that changes with each that changes.

    A row that is changed is written anew in another place.
    """
    tables = [
        model._meta.db_table
        for name in ("casino", "tickets")
        for model in apps.get_app_config(name).get_models()
    ]
    with connection.cursor() as cursor:
        cursor.execute(
            " UNION ALL ".join(
                f"SELECT '{table}', count(*), coalesce(sum(hashtid(ctid)), 0) FROM {table}"
                for table in tables
            )
        )
        return {table: (count, int(places)) for table, count, places in cursor.fetchall()}


READS = re.compile(
    r"\s*(SELECT|WITH|SAVEPOINT|RELEASE|ROLLBACK TO)\b(?!.*\b(INSERT|UPDATE|DELETE|MERGE)\b)",
    flags=re.DOTALL | re.IGNORECASE,
)
"""A statement that can write no row."""


@contextmanager
def nothing_written(*, but: type[Model] | None = None) -> Iterator[None]:
    """Fail if a row was written or changed, in any table `but` one.

    The rows are counted as soon as a statement comes that could write one: most often none does.
    """
    before: dict[str, tuple[int, int]] = {}

    def count_first(execute: Callable[..., Any], sql: Any, *rest: Any) -> Any:
        if not before and not READS.match(str(sql)):
            before.update(rows())
        return execute(sql, *rest)

    with connection.execute_wrapper(count_first):
        yield
    if not before:
        return
    allowed = but and but._meta.db_table
    written = {
        table: after[0] - before[table][0] or "changed"
        for table, after in rows().items()
        if after != before[table] and table != allowed
    }
    assert not written, written


def seal() -> None:
    """Let fall due what waits for the commit: the seals of the decision log, and its walls."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def write_the_log_anew() -> None:
    """Alter a decision and seal all of them again: what only the owner of the database can do."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(
            "UPDATE casino_auditevent SET reason = 'Another.' WHERE subject = 'pit:main'"
        )
        cursor.execute(
            """
            DO $$
            DECLARE
                link record;
                sum bytea := decode(repeat('00', 32), 'hex');
            BEGIN
                FOR link IN
                    SELECT seal.position, event.*
                    FROM casino_auditseal seal
                    JOIN casino_auditevent event ON event.id = seal.event_id
                    ORDER BY seal.position
                LOOP
                    sum := sha256(sum || convert_to(concat_ws(E'\\x1f',
                        link.id, link.transaction, extract(epoch FROM link.at), link.actor_id,
                        link.actor_name, link.action, link.subject, link.reason, link.body),
                        'UTF8'));
                    UPDATE casino_auditseal SET digest = sum WHERE position = link.position;
                END LOOP;
                UPDATE casino_audithead SET digest = sum;
            END $$
            """
        )
        cursor.execute("SET LOCAL session_replication_role = origin")


def queries(call: Callable[[], Any]) -> int:
    """How many statements a call sends to the database."""
    with CaptureQueriesContext(connection) as captured:
        call()
    return len(captured)
