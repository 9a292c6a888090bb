"""The body of a decision in words: what was so before, what is so after, and what else was said."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from casino.pages.amounts import grouped
from casino.pages.pictures import spoken

_DIGEST = re.compile("[0-9a-f]{64}")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d\S*")

AMOUNTS = frozenset(
    {
        "table_min",
        "table_max",
        "payout_max",
        "exposure_max",
        "bets",
        "up",
        "down",
        "net",
        "largest",
        "stake",
        "payout",
    }
)
"""Words under which a body keeps minor units of the currency that stands beside them."""


CODES = frozenset({"kind", "ground"})
"""Words under which a body keeps a code of ours."""

LONG = 12
"""Words of a list that stand in the open."""


@dataclass(frozen=True, slots=True)
class Change:
    """Something that a decision changed; a side that was not there is empty."""

    what: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Body:
    """What a decision changed, what it said besides, and what was shown before it was taken.

    `brief` is a sentence about what was shown; `lists` are what is too long to stand in the open.
    """

    changes: tuple[Change, ...]
    notes: tuple[tuple[str, str], ...]
    brief: str
    shown: tuple[tuple[str, str], ...]
    lists: tuple[tuple[str, tuple[str, ...]], ...]


def read_body(text: str, currency: str = "") -> Body:
    """Read the canonical JSON of a decision's body, in a `currency` that it does not name."""
    body: dict[str, Any] = json.loads(text)
    currency = body.get("currency", currency)
    before = dict(_flat(body.pop("before", None) or {}, currency))
    after = dict(_flat(body.pop("after", None) or {}, currency))
    plan: dict[str, Any] = body.pop("shown", None) or body.pop("plan", None) or {}
    long = {key: inner for key, inner in body.items() if _is_long(inner)}
    rest = {key: inner for key, inner in body.items() if key not in long}
    changes = tuple(
        Change(what, before.get(what, ""), after.get(what, ""))
        for what in dict.fromkeys((*before, *after))
        if before.get(what) != after.get(what)
    )
    return Body(
        changes,
        tuple(_flat(rest, currency)),
        _brief(plan),
        tuple(_flat(plan, "")),
        tuple((spoken(key), tuple(map(str, inner))) for key, inner in long.items()),
    )


def _is_long(value: object) -> bool:
    return isinstance(value, list) and len(value) > LONG and not isinstance(value[0], Mapping)


def _brief(plan: Mapping[str, Any]) -> str:
    """What a plan would do, in a sentence: to how many tickets, and to whose money."""
    if "tickets" not in plan:
        return ""
    words = [f"{plan['before']} → {plan['after']}"] if "after" in plan else []
    words.append(f"tickets that change: {plan['tickets']:,}")
    for row in plan.get("money", ()):
        net, currency = row.get("up", 0) + row.get("down", 0), row["currency"]
        whose = f"{row['operator']} (test)" if row.get("test") else row["operator"]
        words.append(f"{whose} {'+' if net > 0 else ''}{grouped(net, currency)} {currency}")
    return "; ".join(words)


def _flat(value: Mapping[str, Any], currency: str, place: str = "") -> Iterator[tuple[str, str]]:
    """Every leaf of a tree with its place in words."""
    currency = value.get("currency", currency)
    for key, inner in value.items():
        words = key if _DIGEST.fullmatch(key) else spoken(key) if key else "Every other bet"
        where = f"{place} › {words}" if place else words
        money = currency if key in AMOUNTS or place.endswith("Bets") else ""
        match inner:
            case Mapping():
                yield from _flat(inner, currency, where)
            case [Mapping(), *_]:
                for number, one in enumerate(inner, 1):
                    yield from _flat(one, currency, f"{where} {number}")
            case list():
                between = " to " if money else " "
                yield where, between.join(_leaf(one, money) for one in inner) or "–"
            case str() if key in CODES:
                yield where, spoken(inner)
            case _:
                yield where, _leaf(inner, money)


def _leaf(value: object, currency: str) -> str:
    match value:
        case None | "":
            return "–"
        case bool():
            return "yes" if value else "no"
        case int() if currency:
            return f"{grouped(value, currency)} {currency}"
        case str() if _MOMENT.fullmatch(value):
            return f"{datetime.fromisoformat(value).astimezone(UTC):%d %b %Y %H:%M:%S} UTC"
    return str(value)
