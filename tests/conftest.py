"""The database of the tests: a PostgreSQL of their own, thrown away at the end."""

from __future__ import annotations

import gc
import os
import pickle
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

# The whole application stays in memory and is little else than long-lived objects: looking through
# them as often as Python does by default takes a fifth of the suite's time.
gc.freeze()
gc.set_threshold(100_000, 50, 100)

EDGES = "PITBOOK_TEST_EDGES"
"""Where the workers of a run keep the house edges that one of them worked out."""


def pytest_configure(config: pytest.Config) -> None:
    """Work out a game's edges once for all workers of a run, not once in each."""
    if not hasattr(config, "workerinput"):
        # Workers inherit the name; the process that starts them outlives them all and tidies up.
        os.environ[EDGES] = tempfile.mkdtemp(prefix="pitbook-edges-")
        config.add_cleanup(partial(shutil.rmtree, os.environ[EDGES]))
    from games import theory
    from games.theory import best_play

    theory._work_out = _from_the_shelf(theory._work_out)
    best_play.box_tally = cache(_from_the_shelf(best_play.box_tally))


def _from_the_shelf(work_out: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The same function, which looks first whether any worker has worked it out."""

    def shared(game: Any) -> Any:
        kept = Path(os.environ[EDGES]) / f"{work_out.__name__}.{game.digest}"
        if not kept.exists():
            fresh = kept.with_suffix(f".{os.getpid()}")
            fresh.write_bytes(pickle.dumps(work_out(game)))
            fresh.rename(kept)
        return pickle.loads(kept.read_bytes())

    return shared


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes long, so that no worker is left with it at the end."""
    if dealing := sys.modules.get("tests.dealing"):
        dealing.together(items)
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.fixture(scope="session")
def django_db_modify_db_settings() -> Iterator[None]:
    """Start the server when the first test asks for a database."""
    from django.db import connection

    from casino import localdb
    from casino.environment import database

    with localdb.throwaway() as url:
        connection.settings_dict.update(database(url) | {"CONN_MAX_AGE": 0})
        with _flush_past_the_walls():
            yield
        connection.close()


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Drop nothing at the end: the whole server is thrown away."""
    return True


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """Lay the house once; every test finds it, and what it adds is rolled back."""
    from tests.house import build_house

    _render_as_the_product_does()
    with django_db_blocker.unblock():
        build_house()
        _keep_the_house()


def _render_as_the_product_does() -> None:
    """Keep no copy of the context of every template and part, as Django's test runner would.

    It takes a seventh of the time of a page, and the tests read what people see.
    """
    from django.template.base import Template

    Template._render = lambda self, context: self.nodelist.render(context)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Take away what an earlier test began with, before anything asks for the database."""
    if dealing := sys.modules.get("tests.dealing"):
        dealing.STAGE.clear_for(item)


def _keep_the_house() -> None:
    """Put what the tables hold aside, for the flush to bring back."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("CREATE SCHEMA kept")
        for table in connection.introspection.table_names():
            cursor.execute(f"CREATE TABLE kept.{table} AS TABLE public.{table}")


@contextmanager
def _flush_past_the_walls() -> Iterator[None]:
    """Let the flush between transactional tests leave the house as it was laid.

    The walls refuse that to everybody else. Row by row: the few that a test leaves are gone long
    before a TRUNCATE has made new files.
    """
    from django.core.management.commands import flush
    from django.db import transaction
    from django.db.backends.postgresql.operations import DatabaseOperations

    def sql_flush(self: Any, style: Any, tables: list[str], **_: Any) -> list[str]:
        anew = "DELETE FROM public.{0}; INSERT INTO public.{0} TABLE kept.{0}"
        return [anew.format(table) for table in tables]

    def execute_sql_flush(self: Any, sql_list: list[str]) -> None:
        with transaction.atomic(), self.connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute(";".join(sql_list))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DatabaseOperations, "sql_flush", sql_flush)
        patch.setattr(DatabaseOperations, "execute_sql_flush", execute_sql_flush)
        patch.setattr(flush, "emit_post_migrate_signal", lambda *_, **__: None)
        yield
