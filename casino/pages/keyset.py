"""Pages of long lists: newest first, found by key, in bounded time however long the list is.

A page never counts and never skips rows. Where no index leads to what is looked for, one page
looks through a stretch of the list at most, says so, and offers the next stretch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Generic, TypeVar

from django.db import connection, models
from django.db.models import Max, Min, QuerySet

from games.refusals import Refused

Row = TypeVar("Row", bound=models.Model)
Key = int | tuple[int, ...]

PAGE: Final = 50
"""Rows of one page."""

STRETCH: Final = 200_000
"""Keys that one page looks through where no index helps (some 60 ms on two cores)."""

SLACK: Final = timedelta(minutes=5)
"""How far the order of keys and the order of times may differ: longer than any transaction."""


@dataclass(frozen=True, slots=True)
class Trail:
    """A table whose rows were numbered in the order in which they came.

    `source`, `key` and `at` are SQL. Time needs no index here: it is found by halving.
    """

    source: str
    key: str
    at: str

    def first_since(self, moment: datetime) -> int:
        """The key before which every row is older than the moment."""
        with connection.cursor() as cursor:
            cursor.execute(
                f"""
                WITH RECURSIVE halving (low, high) AS (
                    SELECT coalesce(min({self.key}), 1), coalesce(max({self.key}), 0) + 1
                    FROM {self.source}
                  UNION ALL
                    SELECT CASE WHEN probe.early THEN probe.key + 1 ELSE low END,
                           CASE WHEN probe.early THEN high ELSE middle END
                    FROM (SELECT low, high, (low + high) / 2 AS middle
                          FROM halving WHERE low < high) span
                    CROSS JOIN LATERAL (
                        SELECT {self.key} AS key, {self.at} < %s AS early FROM {self.source}
                        WHERE {self.key} >= middle ORDER BY {self.key} LIMIT 1
                    ) probe
                )
                SELECT max(low) FROM halving
                """,
                [moment],
            )
            return int(cursor.fetchone()[0])


@dataclass(frozen=True, slots=True)
class Bounds:
    """Keys that can lie within a span of time: from `low` on, below `high` (None: no bound)."""

    low: int = 0
    high: int | None = None


def bounds(
    trail: Trail, *, since: datetime | None, until: datetime | None, after: int = 0
) -> Bounds:
    """The keys to look through for rows of a span of time, and `after` a key."""
    return Bounds(
        max(trail.first_since(since - SLACK) if since else 0, after + 1 if after else 0),
        trail.first_since(until + SLACK) if until else None,
    )


@dataclass(frozen=True, slots=True)
class Slice(Generic[Row]):
    """One page of a list. `older` is the cursor of the next, empty at the end of the list.

    `cut` marks a page that ends because its stretch did, with more to look through.
    """

    rows: list[Row]
    older: str = ""
    cut: bool = False


def read_slice(
    rows: QuerySet[Row],
    *,
    before: str = "",
    key: str = "pk",
    within: Bounds = Bounds(),
    stretch: int = 0,
    size: int = PAGE,
) -> Slice[Row]:
    """The newest rows before a cursor. Refuses a cursor that no page gave.

    `key` numbers the rows in their order and is unique; a composite primary key will do where
    neither bounds nor a stretch are given. A `stretch` of 0 looks through all that is left.
    """
    width = len(rows.model._meta.pk_fields) if key == "pk" else 1
    top: Any = read_cursor(before, width=width) if before else within.high
    floor, first = within.low, 1
    if stretch:
        ends = rows.model._default_manager.aggregate(first=Min(key), last=Max(key))
        first = ends["first"] or 1
        if top is None:
            top = (ends["last"] or 0) + 1
        floor = max(floor, top - stretch)
    if top is not None:
        rows = rows.filter(**{f"{key}__lt": top})
    if floor:
        rows = rows.filter(**{f"{key}__gte": floor})
    found = list(rows.order_by(f"-{key}")[: size + 1])
    if len(found) > size:
        return Slice(found[:size], _cursor(getattr(found[size - 1], key)))
    if floor > max(within.low, first):
        return Slice(found, str(floor), cut=True)
    return Slice(found)


def read_all(rows: QuerySet[Row], *, most: int, **how: Any) -> Iterator[Row]:
    """Rows one after another, newest first, read a thousand at a time; `most` of them."""
    before = ""
    while most > 0:
        page = read_slice(rows, before=before, size=min(most, 1000), **how)
        yield from page.rows
        most -= len(page.rows)
        before = page.older
        if not before:
            return


def read_cursor(text: str, *, width: int = 1) -> Key:
    """The key in a cursor: so many numbers with dots between. Refuses anything else."""
    parts = text.split(".")
    digits = len(text) < 40 and all(part.isascii() and part.isdigit() for part in parts)
    if len(parts) != width or not digits or max(map(int, parts)) >= 2**63:
        raise Refused("invalid_value", "This list has no such page.", "before")
    numbers = tuple(map(int, parts))
    return numbers if width > 1 else numbers[0]


def _cursor(key: Key) -> str:
    return ".".join(map(str, key)) if isinstance(key, tuple) else str(key)
