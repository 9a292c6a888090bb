"""Reading the feed at the end of many postings."""

from __future__ import annotations

from collections.abc import Iterator

import orjson

from bench.measure import Times, report
from tickets.feed import read_feed
from tickets.models import Posting, Settlement

PAGE = 1000
PAGES = 20


def run(tickets: int) -> Iterator[str]:
    """Page through the last postings there are, as JSON bytes."""
    last = Settlement.objects.filter(kind="settle").order_by("-position")[0]
    start = (
        Posting.objects.filter(settlement=last)
        .order_by("-ticket_id")
        .values_list("ticket_id", flat=True)[min(PAGE * PAGES, tickets - 1)]
    )
    cursor, times, rows = f"{last.position}.{start}", Times(), 0
    for _ in range(PAGES):
        with times.once():
            page = read_feed(operator=None, after=cursor, limit=PAGE)
            orjson.dumps(page.rows)
        rows += len(page.rows)
        cursor = page.next
    total = Posting.objects.count()
    yield report(
        f"Feed pages of {PAGE:,} at the end of {total:,} postings",
        f"{rows / sum(times.seconds):,.0f} rows/s",
    )
    yield report("  one page, JSON ready", f"{times.median * 1000:.1f} ms")
