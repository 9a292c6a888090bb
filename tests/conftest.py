"""The database of the tests: a PostgreSQL of their own, thrown away at the end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session")
def django_db_modify_db_settings() -> Iterator[None]:
    """Start the server when the first test asks for a database."""
    from django.db import connection

    from casino import localdb
    from casino.settings import database

    with localdb.throwaway() as url:
        connection.settings_dict.update(database(url) | {"CONN_MAX_AGE": 0})
        yield
        connection.close()
