"""Limits as rows of a file: taken out, and read back with every fault named by line and column.

A file states the whole of each set of limits that it names (a table, an operator or none, and a
currency): what it leaves out there is taken away. Sets that it does not name stay as they are.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from io import StringIO
from typing import Final

from django.db import transaction

from casino.access import SET_LIMITS, require
from casino.models import LimitSet, Operator, Person, Table
from casino.models.audit import Action
from casino.selectors import game_of, limits_in_force, limits_of
from casino.services.limits import (
    BOUNDS,
    EVERY_BET,
    NO_BOUND,
    Span,
    bounds_of,
    rows_of,
    set_limits,
)
from casino.services.record import canonical, log
from games.money import exponent, format_amount, parse_amount
from games.refusals import Refused

COLUMNS: Final = (
    "table", "operator", "currency", "limit", "bet", "selection", "minimum", "maximum",
)  # fmt: skip

BET, PLAYER, PAYOUT, EXPOSURE = "bet", "player", "payout", "exposure"

KINDS: Final = {
    PLAYER: ("table_min", "table_max"),
    PAYOUT: ("", "payout_max"),
    EXPOSURE: ("", "exposure_max"),
}
"""The words of the column `limit` beside "bet", with the bounds of their two amounts."""

MOST_ROWS: Final = 20_000
"""Rows that one file may have."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong in a file, and where."""

    line: int
    column: str
    message: str

    def __str__(self) -> str:
        return f"Line {self.line}, column {self.column}: {self.message}"


@dataclass(slots=True)
class Draft:
    """One set of limits as a file states it, beside the one that it would follow."""

    table: Table
    operator: Operator | None
    currency: str
    line: int
    old: LimitSet | None = None
    newest: LimitSet | None = None
    bets: dict[str, Span] = field(default_factory=dict)
    bounds: dict[str, int | None] = field(default_factory=lambda: dict.fromkeys(BOUNDS))

    @property
    def changes(self) -> bool:
        """Whether a new version would be written."""
        same = rows_of(self.old) == self.bets and bounds_of(self.old) == self.bounds
        return self.old is None or self.old != self.newest or not same


@dataclass(frozen=True, slots=True)
class FilePlan:
    """What a file would change, or why it is no such file. `seen` names what it was laid over."""

    drafts: tuple[Draft, ...]
    faults: tuple[Fault, ...]
    seen: str


def export_limits(*, actor: Person, reason: str) -> list[Sequence[str]]:
    """Every set of limits in force in the house, the general ones of a table before its operators'.

    Rows of COLUMNS, which come first. That they were taken out stands in the decision log.
    """
    require(actor, SET_LIMITS)
    tables = list(Table.objects.order_by("code"))
    general = limits_of(tables)
    sets = [limits for table in tables for limits in general.get(table.pk, {}).values()]
    for operator in Operator.objects.filter(limit_sets__isnull=False).distinct():
        own = limits_of(tables, operator)
        sets += [
            limits
            for table in tables
            for limits in own.get(table.pk, {}).values()
            if limits.operator_id is not None
        ]
    rows: list[Sequence[str]] = [COLUMNS]
    for limits in sets:
        rows += _rows(limits, limits.table.code)
    with transaction.atomic():
        log(
            Action.LIMITS_EXPORTED,
            subject="limits:all",
            actor=actor,
            reason=reason,
            body={"sets": [str(limits) for limits in sets]},
        )
    return rows


def limits_for(source: Table, tables: Iterable[Table]) -> list[Sequence[str]]:
    """The general limits in force at one table, as rows for other tables."""
    sets = limits_in_force(source).values()
    rows: list[Sequence[str]] = [COLUMNS]
    for table in tables:
        for limits in sets:
            rows += _rows(limits, table.code)
    return rows


def plan_import(text: str, *, effective_from: datetime | None = None) -> FilePlan:
    """Read a file and lay it over the limits that hold at its time."""
    reading = _Reading(effective_from)
    try:
        for line, cells in _lines(text):
            reading.take(line, cells)
    except _Wrong as wrong:
        reading.faults.append(wrong.fault)
    drafts = tuple(reading.drafts.values())
    for draft in drafts:
        if not draft.bets:
            reading.faults.append(
                Fault(draft.line, "limit", f"{_named(draft)} has no row for a bet.")
            )
    seen = [
        # A form sends lines back with other ends than the file had.
        text.splitlines(),
        effective_from,
        [(draft.old and draft.old.pk, draft.newest and draft.newest.pk) for draft in drafts],
    ]
    return FilePlan(
        tuple(draft for draft in drafts if draft.changes),
        tuple(reading.faults),
        hashlib.sha256(canonical(seen).encode()).hexdigest(),
    )


@transaction.atomic
def import_limits(
    *,
    text: str,
    effective_from: datetime | None = None,
    seen: str,
    actor: Person,
    reason: str,
) -> list[LimitSet]:
    """Write a version for each set of limits that a file changes: all of them, or none.

    Refuses with `invalid_value` a file with a fault, naming its line and column, and with
    `conflict` where the file or what it is laid over is no longer what was `seen`.
    """
    require(actor, SET_LIMITS)
    named = {draft.table.pk for draft in plan_import(text, effective_from=effective_from).drafts}
    list(Table.objects.select_for_update(no_key=True).filter(pk__in=named).order_by("pk"))
    plan = plan_import(text, effective_from=effective_from)
    if plan.faults:
        raise Refused("invalid_value", str(plan.faults[0]), "text")
    if plan.seen != seen:
        raise Refused(
            "conflict", "Limits changed since this was previewed; preview it again.", "seen"
        )
    return [
        set_limits(
            table=draft.table,
            operator=draft.operator,
            currency=draft.currency,
            bets=dict.fromkeys(rows_of(draft.old)) | draft.bets,
            effective_from=effective_from,
            **{name: minor or NO_BOUND for name, minor in draft.bounds.items()},
            actor=actor,
            reason=reason,
        )
        for draft in plan.drafts
    ]


class _Wrong(Exception):
    """A row that cannot be understood."""

    def __init__(self, line: int, column: str, message: str) -> None:
        super().__init__(message)
        self.fault = Fault(line, column, message)


class _Reading:
    """A file on its way into drafts; a row with a fault is left out and the rest is read."""

    def __init__(self, effective_from: datetime | None) -> None:
        self.effective_from = effective_from
        self.tables = {table.code: table for table in Table.objects.select_related("pit")}
        self.operators = {operator.code: operator for operator in Operator.objects.all()}
        self.held: dict[str, dict[int, dict[str, LimitSet]]] = {}
        place = ("table_id", "operator_id", "currency")
        newest = LimitSet.objects.order_by(*place, "-version").distinct(*place)
        self.newest = {(row.table_id, row.operator_id, row.currency): row for row in newest}
        self.drafts: dict[tuple[str, str, str], Draft] = {}
        self.said: dict[tuple[str, ...], int] = {}
        self.faults: list[Fault] = []

    def take(self, line: int, cells: dict[str, str]) -> None:
        try:
            self._take(line, cells)
        except _Wrong as wrong:
            self.faults.append(wrong.fault)

    def _take(self, line: int, cells: dict[str, str]) -> None:
        draft = self._draft(line, cells)
        place = _place(line, cells, draft)
        key = (draft.table.code, cells["operator"], draft.currency, cells["limit"], place)
        if key in self.said:
            column = BET if cells["limit"] == BET else "limit"
            raise _Wrong(line, column, f"This was said on line {self.said[key]} already.")
        self.said[key] = line
        low, high = (_amount(line, cells, name, draft) for name in ("minimum", "maximum"))
        if low is not None and high is not None and low > high:
            raise _Wrong(line, "maximum", "The maximum is below the minimum.")
        if cells["limit"] != BET:
            for name, minor in zip(KINDS[cells["limit"]], (low, high), strict=True):
                if name:
                    draft.bounds[name] = minor
        elif low is None or high is None:
            raise _Wrong(line, "minimum" if low is None else "maximum", "An amount is missing.")
        else:
            draft.bets[place] = (low, high)

    def _draft(self, line: int, cells: dict[str, str]) -> Draft:
        """The set of limits that a row belongs to, found or begun."""
        code, operator, currency = (cells[name] for name in COLUMNS[:3])
        table = self.tables.get(code)
        if table is None:
            raise _Wrong(line, "table", f"There is no table {code}.")
        if operator and operator not in self.operators:
            raise _Wrong(line, "operator", f"There is no operator {operator}.")
        try:
            exponent(currency)
        except Refused as refusal:
            raise _Wrong(line, "currency", str(refusal)) from None
        key = (code, operator, currency)
        if key not in self.drafts:
            whose = self.operators.get(operator)
            self.drafts[key] = Draft(
                table, whose, currency, line,
                old=self._held(operator).get(table.pk, {}).get(currency),
                newest=self.newest.get((table.pk, whose.pk if whose else None, currency)),
            )  # fmt: skip
        return self.drafts[key]

    def _held(self, operator: str) -> dict[int, dict[str, LimitSet]]:
        """What holds at every table for an operator or in general, read once for the file."""
        if operator not in self.held:
            self.held[operator] = limits_of(
                self.tables.values(), self.operators.get(operator), at=self.effective_from
            )
        return self.held[operator]


def _lines(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a file with their lines, their cells by column. Commas, or semicolons."""
    text = text.removeprefix("\N{BOM}")
    first = text.partition("\n")[0]
    reader = csv.reader(StringIO(text), delimiter=";" if ";" in first else ",", strict=True)
    taken = 0
    try:
        head = [name.strip().lower() for name in next(reader, [])]
        for place, name in enumerate(COLUMNS):
            if place >= len(head) or head[place] != name:
                raise _Wrong(1, name, f"The first line names the columns: {', '.join(COLUMNS)}.")
        for cells in reader:
            if not any(map(str.strip, cells)):
                continue
            taken += 1
            if taken > MOST_ROWS:
                raise _Wrong(reader.line_num, "table", f"A file has at most {MOST_ROWS} rows.")
            if len(cells) != len(COLUMNS):
                column = COLUMNS[min(len(cells), len(COLUMNS) - 1)]
                told = f"This row has {len(cells)} cells and needs {len(COLUMNS)}."
                raise _Wrong(reader.line_num, column, told)
            # A cell that a spreadsheet might take for a formula was written behind a quote.
            values = (cell.strip().removeprefix("'") for cell in cells)
            yield reader.line_num, dict(zip(COLUMNS, values, strict=True))
    except csv.Error as error:
        raise _Wrong(reader.line_num, "table", f"This is no CSV: {error}.") from None
    if not taken:
        raise _Wrong(1, "table", "The file has no rows.")


def _place(line: int, cells: dict[str, str], draft: Draft) -> str:
    """What a row is about, as `set_limits` names a place; empty beside a bet's rows."""
    kind, bet, selection = cells["limit"], cells["bet"], cells["selection"]
    if kind != BET:
        if kind not in KINDS:
            words = ", ".join((BET, *KINDS))
            raise _Wrong(line, "limit", f"{kind!r} is none of {words}.")
        for column in ("bet", "selection"):
            if cells[column]:
                raise _Wrong(line, column, f"A row for {kind} names no {column}.")
        return EVERY_BET
    game = game_of(draft.table)
    if bet and bet not in game.bets:
        raise _Wrong(line, "bet", f"{game.title} has no bet {bet}.")
    if not selection:
        return bet
    if not bet:
        raise _Wrong(line, "selection", "A selection needs its bet.")
    try:
        game.wager(bet, selection)
    except Refused as refusal:
        raise _Wrong(line, "selection", str(refusal)) from None
    return f"{bet}:{selection}"


def _amount(line: int, cells: dict[str, str], column: str, draft: Draft) -> int | None:
    text, kind = cells[column], cells["limit"]
    if kind in (PAYOUT, EXPOSURE):
        if column == "minimum" and text:
            raise _Wrong(line, column, f"A row for {kind} has no minimum.")
        if column == "maximum" and not text:
            raise _Wrong(line, column, "An amount is missing.")
    if not text:
        return None
    try:
        return parse_amount(text, draft.currency)
    except Refused:
        example = format_amount(100_000, draft.currency)
        told = f"{text!r} is no amount in {draft.currency}, such as {example}."
        raise _Wrong(line, column, told) from None


def _rows(limits: LimitSet, table: str) -> Iterator[Sequence[str]]:
    """One set of limits as rows, under the name of a table."""

    def shown(minor: int | None) -> str:
        return "" if minor is None else format_amount(minor, limits.currency)

    start = (table, limits.operator.code if limits.operator else "", limits.currency)
    for row in limits.bets.all():
        span = (shown(row.minimum), shown(row.maximum))
        yield (*start, BET, row.bet, row.selection, *span)
    bounds = bounds_of(limits)
    for kind, (low, high) in KINDS.items():
        span = (shown(bounds.get(low)), shown(bounds[high]))
        if any(span):
            yield (*start, kind, "", "", *span)


def _named(draft: Draft) -> str:
    named = f"{draft.table.code} in {draft.currency}"
    return f"{named} for {draft.operator.code}" if draft.operator else named
