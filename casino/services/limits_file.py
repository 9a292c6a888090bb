"""Limits as rows of a file: taken out, and read back with every fault named by line and column.

A file states the whole of each profile and of each set of limits (a table, an operator or none,
and a currency) that it names: what it leaves out there is taken away. Rows without a table are a
profile's; a row "profile" of a table lets its limits follow one, a row "general" ends those that
an operator has of its own. What the file does not name stays as it is, but for the limits that
follow a profile which it changes.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from io import StringIO
from typing import Final

from django.db import transaction

from casino.access import SET_LIMITS, require
from casino.models import LimitSet, Operator, Person, ProfileVersion, Table
from casino.models.audit import Action
from casino.selectors import (
    followers_of,
    game_of,
    house_clock,
    limits_in_force,
    limits_of,
    profile_lines,
)
from casino.services.limit_plans import (
    Draft,
    Fault,
    Laying,
    LimitsPlan,
    ProfileDraft,
    carry_out,
    game_with,
)
from casino.services.limits import EVERY_BET, Bounds, Span, bounds_of, check_place, rows_of
from casino.services.record import log
from games.money import exponent, format_amount, parse_amount
from games.refusals import Refused

COLUMNS: Final = (
    "table", "operator", "currency", "limit", "bet", "selection", "minimum", "maximum", "profile",
)  # fmt: skip

WITHOUT_PROFILES: Final = COLUMNS[:-1]
"""The columns of a file that knows no profiles: what it does not change goes on following one."""

BET, PLAYER, PAYOUT, EXPOSURE = "bet", "player", "payout", "exposure"
PROFILE, GENERAL = "profile", "general"

KINDS: Final = {
    PLAYER: ("table_min", "table_max"),
    PAYOUT: ("", "payout_max"),
    EXPOSURE: ("", "exposure_max"),
}
"""The words of the column `limit` for bounds, with the names of their two amounts."""

WORDS: Final = (BET, *KINDS, PROFILE, GENERAL)
"""Every word of the column `limit`."""

MOST_ROWS: Final = 20_000
"""Rows that one file may have."""

Row = Sequence[str]


def export_limits(*, actor: Person, reason: str) -> list[Row]:
    """Every profile and every set of limits in force in the house, profiles first.

    The general limits of a table come before its operators'; limits that follow a profile say so
    in place of their amounts. Rows of COLUMNS, which come first. That they were taken out stands
    in the decision log.
    """
    require(actor, SET_LIMITS)
    now = house_clock()
    lines = profile_lines(now)
    profiles = [versions[0] for versions in lines.values() if versions[0].effective_from <= now]
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
    rows: list[Row] = [COLUMNS]
    for version in sorted(profiles, key=lambda version: str(version.profile)):
        rows += profile_rows(
            version.profile.name, version.currency, rows_of(version), bounds_of(version)
        )
    rows += _sets(sets)
    with transaction.atomic():
        log(
            Action.LIMITS_EXPORTED,
            subject="limits:all",
            actor=actor,
            reason=reason,
            body={"sets": [str(one) for one in (*profiles, *sets)]},
        )
    return rows


def limits_for(source: Table, tables: Iterable[Table]) -> list[Row]:
    """The general limits in force at one table, as rows for other tables."""
    rows = list(_sets(list(limits_in_force(source).values())))
    return [(table.code, *cells) for table in tables for _, *cells in rows]


def limit_rows(
    table: Table, operator: Operator | None, currency: str, bets: Mapping[str, Span], bounds: Bounds
) -> list[Row]:
    """One set of limits of its own as rows; without any bet, the end of what an operator has."""
    start = (table.code, operator.code if operator else "", currency)
    if not bets:
        return [(*start, GENERAL, "", "", "", "", "")]
    return [(*start, *cells, "") for cells in _amounts(currency, bets, bounds)]


def profile_rows(name: str, currency: str, bets: Mapping[str, Span], bounds: Bounds) -> list[Row]:
    """What a profile says, as rows."""
    return [("", "", currency, *cells, name) for cells in _amounts(currency, bets, bounds)]


def follow_row(table: Table, operator: Operator | None, currency: str, name: str) -> Row:
    """That a set of limits follows a profile."""
    code = operator.code if operator else ""
    return (table.code, code, currency, PROFILE, "", "", "", "", name)


def plan_import(text: str, *, effective_from: datetime | None = None) -> LimitsPlan:
    """Read a file and lay it over the limits that hold at its time."""
    reading = _Reading(effective_from)
    try:
        for line, cells in _lines(text):
            reading.take(line, cells)
    except _Wrong as wrong:
        reading.laying.faults.append(wrong.fault)
    return reading.plan(text)


def import_limits(
    *,
    text: str,
    effective_from: datetime | None = None,
    seen: str,
    actor: Person,
    reason: str,
) -> LimitsPlan:
    """Write a version for each profile and each set of limits that a file changes: all, or none.

    Refuses with `invalid_value` a file with a fault, naming its line and column, and with
    `conflict` where the file or what it is laid over is no longer what was `seen`. Answers what
    was written.
    """

    def plan() -> LimitsPlan:
        return plan_import(text, effective_from=effective_from)

    return carry_out(plan, seen=seen, actor=actor, reason=reason)


class _Wrong(Exception):
    """A row that cannot be understood."""

    def __init__(self, line: int, column: str, message: str) -> None:
        super().__init__(message)
        self.fault = Fault(line, column, message)


class _Reading:
    """A file on its way into drafts; a row with a fault is left out and the rest is read."""

    def __init__(self, effective_from: datetime | None) -> None:
        self.laying = Laying(effective_from)
        self.begun: dict[Row, int] = {}
        self.whole: dict[Row, int] = {}
        self.said: dict[Row, int] = {}
        self.following: list[tuple[int, Draft, str]] = []
        self.own: list[Draft] = []

    def take(self, line: int, cells: dict[str, str]) -> None:
        try:
            self._take(line, cells)
        except _Wrong as wrong:
            self.laying.faults.append(wrong.fault)

    def plan(self, text: str) -> LimitsPlan:
        """What the file comes to."""
        for line, draft, name in self.following:
            draft.follows = self.laying.known_profile(name, draft.currency)
            if draft.follows is None:
                told = f"There is no profile {name} in {draft.currency}."
                self.laying.faults.append(Fault(line, PROFILE, told))
        for draft in self.own:
            self.laying.go_on_following(draft)
        # A form sends lines back with other ends than the file had.
        return self.laying.plan(text.splitlines())

    def _take(self, line: int, cells: dict[str, str]) -> None:
        kind = cells["limit"]
        if kind not in WORDS:
            raise _Wrong(line, "limit", f"{kind!r} is none of {', '.join(WORDS)}.")
        draft = self._draft(line, cells)
        if kind in (PROFILE, GENERAL):
            self._take_whole(line, cells, draft)
            return
        place = _place(line, cells, draft)
        self._check_said_once(line, cells, place)
        low, high = (_amount(line, cells, name) for name in ("minimum", "maximum"))
        if low is not None and high is not None and low > high:
            raise _Wrong(line, "maximum", "The maximum is below the minimum.")
        if kind != BET:
            for name, minor in zip(KINDS[kind], (low, high), strict=True):
                if name:
                    draft.bounds[name] = minor
        elif low is None or high is None:
            raise _Wrong(line, "minimum" if low is None else "maximum", "An amount is missing.")
        else:
            draft.bets[place] = (low, high)

    def _take_whole(self, line: int, cells: dict[str, str], draft: Draft | ProfileDraft) -> None:
        """A row that says all of a set: which profile it follows, or that it ends."""
        kind, name = cells["limit"], cells.get(PROFILE, "")
        if isinstance(draft, ProfileDraft):
            raise _Wrong(line, "table", f"A row for {kind} names a table.")
        for column in ("bet", "selection", "minimum", "maximum"):
            if cells[column]:
                raise _Wrong(line, column, f"A row for {kind} has no {column}.")
        if kind == GENERAL and draft.operator is None:
            raise _Wrong(line, "operator", "Only limits of an operator's own can end.")
        if kind == PROFILE and not name:
            raise _Wrong(line, PROFILE, "Which profile?")
        begun = self.begun.setdefault(_of(cells), line)
        if begun != line:
            raise _Wrong(line, "limit", f"Line {begun} says something else of {draft}.")
        self.whole[_of(cells)] = line
        if kind == PROFILE:
            self.following.append((line, draft, name))
        else:
            draft.ended = True

    def _check_said_once(self, line: int, cells: dict[str, str], place: str) -> None:
        key = (*_of(cells), cells["limit"], place)
        if key in self.said:
            column = BET if cells["limit"] == BET else "limit"
            raise _Wrong(line, column, f"This was said on line {self.said[key]} already.")
        self.said[key] = line
        self.begun.setdefault(_of(cells), line)
        if _of(cells) in self.whole:
            told = f"Line {self.whole[_of(cells)]} says all of these limits already."
            raise _Wrong(line, "limit", told)

    def _draft(self, line: int, cells: dict[str, str]) -> Draft | ProfileDraft:
        """What a row is about, found or begun."""
        code, operator, currency = (cells[name] for name in COLUMNS[:3])
        profile = "" if code else cells.get(PROFILE, "")
        table = self.laying.tables.get(code)
        if table is None and not profile:
            told = f"There is no table {code}." if code else "Which table?"
            raise _Wrong(line, "table", told)
        if operator and (profile or operator not in self.laying.operators):
            told = "A profile has no" if profile else "There is no"
            raise _Wrong(line, "operator", f"{told} operator {operator}.")
        try:
            exponent(currency)
        except Refused as refusal:
            raise _Wrong(line, "currency", str(refusal)) from None
        if table is None:
            try:
                return self.laying.profile(profile, currency, line)
            except Refused as refusal:
                raise _Wrong(line, PROFILE, str(refusal)) from None
        if cells.get(PROFILE) and cells["limit"] != PROFILE:
            told = "Limits of a table's own name no profile; a row for profile follows one."
            raise _Wrong(line, PROFILE, told)
        draft = self.laying.limits(table, self.laying.operators.get(operator), currency, line)
        if PROFILE not in cells and _of(cells) not in self.begun:
            self.own.append(draft)
        return draft


def _of(cells: dict[str, str]) -> Row:
    """What a row is about: a table, an operator and a currency, or a profile in a currency."""
    return (*(cells[name] for name in COLUMNS[:3]), "" if cells["table"] else cells[PROFILE])


def _lines(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a file with their lines, their cells by column. Commas, or semicolons."""
    text = text.removeprefix("\N{BOM}")
    first = text.partition("\n")[0]
    reader = csv.reader(StringIO(text), delimiter=";" if ";" in first else ",", strict=True)
    taken = 0
    try:
        head = [name.strip().lower() for name in next(reader, [])]
        columns = COLUMNS if PROFILE in head else WITHOUT_PROFILES
        for place, name in enumerate(columns):
            if place >= len(head) or head[place] != name:
                raise _Wrong(1, name, f"The first line names the columns: {', '.join(COLUMNS)}.")
        for cells in reader:
            if not any(map(str.strip, cells)):
                continue
            taken += 1
            if taken > MOST_ROWS:
                raise _Wrong(reader.line_num, "table", f"A file has at most {MOST_ROWS} rows.")
            if len(cells) != len(columns):
                column = columns[min(len(cells), len(columns) - 1)]
                told = f"This row has {len(cells)} cells and needs {len(columns)}."
                raise _Wrong(reader.line_num, column, told)
            # A cell that a spreadsheet might take for a formula was written behind a quote.
            values = (cell.strip().removeprefix("'") for cell in cells)
            yield reader.line_num, dict(zip(columns, values, strict=True))
    except csv.Error as error:
        raise _Wrong(reader.line_num, "table", f"This is no CSV: {error}.") from None
    if not taken:
        raise _Wrong(1, "table", "The file has no rows.")


def _place(line: int, cells: dict[str, str], draft: Draft | ProfileDraft) -> str:
    """What a row is about, as `set_limits` names a place; empty beside a bet's rows."""
    kind, bet, selection = cells["limit"], cells["bet"], cells["selection"]
    if kind != BET:
        for column in ("bet", "selection"):
            if cells[column]:
                raise _Wrong(line, column, f"A row for {kind} names no {column}.")
        return EVERY_BET
    if selection and not bet:
        raise _Wrong(line, "selection", "A selection needs its bet.")
    places = {"bet": bet} | ({"selection": f"{bet}:{selection}"} if selection else {})
    for column, place in places.items():
        try:
            if isinstance(draft, ProfileDraft):
                game_with(place)
            else:
                check_place(game_of(draft.table), place)
        except Refused as refusal:
            raise _Wrong(line, column, str(refusal)) from None
    return places.get("selection", bet)


def _amount(line: int, cells: dict[str, str], column: str) -> int | None:
    text, kind, currency = cells[column], cells["limit"], cells["currency"]
    if kind in (PAYOUT, EXPOSURE):
        if column == "minimum" and text:
            raise _Wrong(line, column, f"A row for {kind} has no minimum.")
        if column == "maximum" and not text:
            raise _Wrong(line, column, "An amount is missing.")
    if not text:
        return None
    try:
        return parse_amount(text, currency)
    except Refused:
        example = format_amount(100_000, currency)
        raise _Wrong(
            line, column, f"{text!r} is no amount in {currency}, such as {example}."
        ) from None


def _sets(sets: Sequence[LimitSet]) -> Iterator[Row]:
    """Sets of limits as rows: that they follow a profile, or what they say themselves."""
    versions = ProfileVersion.objects.select_related("profile").in_bulk(
        {limits.profile_version_id for limits in sets if limits.profile_version_id}
    )
    profiles = {version.profile_id: version.profile for version in versions.values()}
    following = {
        (one.table_id, one.operator_id, one.currency): profile_id
        for profile_id, followers in followers_of(list(profiles.values())).items()
        for one in followers
    }
    for limits in sets:
        source = versions.get(limits.profile_version_id or 0)
        place = (limits.table_id, limits.operator_id, limits.currency)
        if source is not None and following.get(place) == source.profile_id:
            yield follow_row(limits.table, limits.operator, limits.currency, source.profile.name)
        else:
            yield from limit_rows(
                limits.table, limits.operator, limits.currency, rows_of(limits), bounds_of(limits)
            )


def _amounts(currency: str, bets: Mapping[str, Span], bounds: Bounds) -> Iterator[Row]:
    """What limits say, row by row: from the column `limit` to `maximum`."""

    def shown(minor: int | None) -> str:
        return "" if minor is None else format_amount(minor, currency)

    for place, span in sorted(bets.items()):
        bet, _, selection = place.partition(":")
        yield (BET, bet, selection, *map(shown, span))
    for kind, (low, high) in KINDS.items():
        ends = (shown(bounds.get(low)), shown(bounds[high]))
        if any(ends):
            yield (kind, "", "", *ends)
