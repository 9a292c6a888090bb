"""A long list as a page and as a file: what it reads, what it can be narrowed to, its columns."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils import timezone

from casino.models import Person, Pit
from casino.pages.filters import ListFilter
from casino.pages.keyset import STRETCH, Slice, Trail, bounds, read_slice
from casino.pages.registry import show
from casino.services.exports import note_export

MOST_EXPORTED: Final = 50_000
"""Rows of one file; a file that ends here says so in its last line."""

READ_AT_ONCE: Final = 1000
"""Rows of a file that are read in one query."""

Read = Callable[[ListFilter, str, int], Slice[Any]]


@dataclass(frozen=True, slots=True)
class Listing:
    """A list at `admin:<name>`, and where it has `columns` as a file at `admin:<name>_export`.

    `read` answers the filters, a cursor and a size with a page. `dress` adds to the rows of a
    page what only people need to see; `record` turns a row into the cells of a file.
    """

    name: str
    title: str
    template: str
    filters: type[ListFilter]
    read: Read
    dress: Callable[[list[Any]], list[Any]] = list
    columns: tuple[str, ...] = ()
    record: Callable[[Any], Sequence[object]] = tuple

    @property
    def export(self) -> str:
        return f"admin:{self.name}_export"


def by_key(rows: Callable[[], QuerySet[Any]], trail: Trail, *, key: str = "pk") -> Read:
    """Read a list in the order of its keys; where no index leads, a stretch at a time.

    Filters of the names `since`, `until` and `after` (a key) bound what is looked through.
    """

    def read(filters: ListFilter, before: str, size: int) -> Slice[Any]:
        given = filters.given
        return read_slice(
            filters.filter_queryset(rows()),
            before=before,
            key=key,
            within=bounds(
                trail,
                since=given.get("since"),
                until=given.get("until"),
                after=int(given.get("after", 0)),
            ),
            stretch=STRETCH if given and not filters.led else 0,
            size=size,
        )

    return read


def show_listing(
    request: HttpRequest, listing: Listing, *, size: int = 50, **context: Any
) -> HttpResponse:
    """Show one page of a list."""
    filters = listing.filters(request.GET)
    page = _read(listing, filters, request.GET.get("before", ""), size)
    shown = {
        "title": listing.title,
        "listing": listing,
        "filters": filters,
        "rows": listing.dress(page.rows),
        "page": page,
        "span": _span(filters),
        "first": "before" not in request.GET,
        "mixed_clocks": len(_zones()) > 1,
    }
    return show(request, listing.template, shown | context)


def export(request: HttpRequest, listing: Listing) -> StreamingHttpResponse:
    """Stream the narrowed list as a CSV file, and note that it was taken."""
    assert isinstance(request.user, Person)
    filters = listing.filters(request.GET)
    note_export(
        name=listing.name,
        narrowed={name: str(value) for name, value in request.GET.items() if value},
        actor=request.user,
        reason="Taken as a file from its page.",
    )
    name = f"{listing.name}-{timezone.now():%Y%m%d-%H%M%S}.csv"
    writer = csv.writer(_Echo())
    lines = (writer.writerow(map(cell, row)) for row in _records(listing, filters))
    return StreamingHttpResponse(
        lines,
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def house_zone() -> str:
    """The time zone that all pits share; UTC for a house of several, or of none yet."""
    zones = _zones()
    return zones[0] if len(zones) == 1 else "UTC"


def _zones() -> list[str]:
    return list(Pit.objects.order_by().values_list("time_zone", flat=True).distinct()[:2])


def cell(value: object) -> str:
    """A cell of a file. Text that a spreadsheet would take for a formula is quoted with '.

    Amounts are digits of ours and stay what they are; whatever a platform or a person typed
    passes as text.
    """
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case datetime():
            return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        case int():
            return str(value)
        case Amount():
            return value.text
    text = str(value)
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) else text


@dataclass(frozen=True, slots=True)
class Amount:
    """Decimal text of an amount, which may begin with a minus."""

    text: str


def _read(listing: Listing, filters: ListFilter, before: str, size: int) -> Slice[Any]:
    """A page of the list; none at all while a filter is not understood."""
    if not filters.form.is_valid():
        return Slice([])
    return listing.read(filters, before, size)


def _records(listing: Listing, filters: ListFilter) -> Iterator[Sequence[object]]:
    yield listing.columns
    before, left = "", MOST_EXPORTED
    while left > 0:
        page = _read(listing, filters, before, min(left, READ_AT_ONCE))
        yield from map(listing.record, page.rows)
        before, left = page.older, left - len(page.rows)
        if not before:
            return
    yield [f"Cut after {MOST_EXPORTED} rows: narrow the list for the rest."]


def _span(filters: ListFilter) -> list[str]:
    """The span of time asked for, on the clocks of the pits."""
    given = filters.given
    names = (("from", "since"), ("to", "until"))
    ends = [(word, given[name]) for word, name in names if name in given]
    if not ends:
        return []
    zones = Pit.objects.order_by("time_zone").values_list("time_zone", flat=True).distinct()
    return [f"{zone}: {' '.join(_on_clock(end, zone) for end in ends)}" for zone in zones]


def _on_clock(end: tuple[str, datetime], zone: str) -> str:
    word, at = end
    return f"{word} {at.astimezone(ZoneInfo(zone)):%d %b %Y %H:%M}"


class _Echo:
    """A file for the writer of lines that hands each line on."""

    def write(self, line: str) -> str:
        return line
