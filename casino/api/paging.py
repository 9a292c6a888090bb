"""Lists in pages: what comes after a cursor, never by offset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from django.db.models import Model, QuerySet
from rest_framework import serializers

from casino.api.fields import Digits, Query, Shape, Text
from games.refusals import Refused

M = TypeVar("M", bound=Model)

MOST_ROWS: Final = 1000
USUAL_ROWS: Final = 100

_LARGEST_ID = 2**63 - 1


class PageQuery(Query):
    """Which page of a list is asked for."""

    after = Text(required=False, allow_blank=True, default="", help_text="The cursor `next`.")
    limit = Digits(required=False, default=USUAL_ROWS, min_value=1, max_value=MOST_ROWS)


@dataclass(frozen=True, slots=True)
class Page:
    """Rows of a list, the cursor behind the last of them, and whether any follow."""

    results: Sequence[Any]
    next: str
    has_more: bool


def newest_first(rows: QuerySet[M], *, after: str, limit: int) -> Page:
    """The rows written before the one whose id is the cursor, newest first."""
    if after:
        rows = rows.filter(pk__lt=read_number(after))
    found = list(rows.order_by("-pk")[: limit + 1])
    return page(found, limit=limit, after=after, key="pk")


def by_code(rows: QuerySet[M], *, after: str, limit: int) -> Page:
    """The rows whose code follows the cursor, in alphabetical order."""
    found = list(rows.filter(code__gt=after).order_by("code")[: limit + 1])
    return page(found, limit=limit, after=after, key="code")


def page(found: Sequence[Any], *, limit: int, after: str, key: str) -> Page:
    """A page of rows of which one more than wanted was looked for."""
    rows = found[:limit]
    last = str(getattr(rows[-1], key)) if rows else after
    return Page(results=rows, next=last, has_more=len(found) > limit)


def read_number(cursor: str) -> int:
    """A cursor that is a number; Refused `invalid_value`."""
    if not (cursor.isascii() and cursor.isdigit()) or int(cursor) > _LARGEST_ID:
        raise Refused("invalid_value", f"{cursor!r} is not a cursor of this list.", "after")
    return int(cursor)


def page_of(shape: type[Shape]) -> type[Shape]:
    """The shape of a page of these rows."""
    fields: dict[str, Any] = {
        "results": shape(many=True),
        "next": serializers.CharField(
            allow_blank=True, help_text="Cursor of the last row; ask for what comes after it."
        ),
        "has_more": serializers.BooleanField(),
        "__doc__": f"A page of a list. {shape.__doc__}",
    }
    return type(f"{shape.__name__}Page", (Shape,), fields)
