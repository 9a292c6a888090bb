"""Limits that are to change together, laid over those that hold: planned, then written as one.

What is stated is the whole of each set of limits (a table, an operator or none, and a currency)
and of each profile; the sets that follow a profile change with it. Sets and profiles that are
not named stay as they are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.db import transaction

from casino.access import SET_LIMITS, require
from casino.models import LimitProfile, LimitSet, Operator, Person, ProfileVersion, Table
from casino.selectors import game_of, house_clock, limits_of, profile_lines, with_fate
from casino.services.limits import (
    BOUNDS,
    EVERY_BET,
    Bounds,
    Span,
    bounds_of,
    check_bounds,
    check_time,
    let_tickets_in,
    lock_limits,
    rows_of,
    same,
    write_limits,
    write_profile,
)
from casino.services.record import canonical
from games import rulebook
from games.money import exponent
from games.refusals import Refused

MOST_NAME: Final = 60
"""Letters that the name of a profile may have."""

Place = tuple[int, int | None, str]
"""One set of limits: table, operator or None, currency."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong in what was stated, and where in its file."""

    line: int
    column: str
    message: str

    def __str__(self) -> str:
        return f"Line {self.line}, column {self.column}: {self.message}"


def _no_bounds() -> dict[str, int | None]:
    return dict.fromkeys(BOUNDS)


@dataclass(slots=True)
class Draft:
    """One set of limits as it is to be, beside the one that it would follow.

    `source` is the version of a profile that it is written from, saved or about to be, `was` the
    one that the old set was written from; `ended` says that an operator is to have none of its
    own any longer.
    """

    table: Table
    operator: Operator | None
    currency: str
    line: int
    effective_from: datetime | None
    old: LimitSet | None
    newest: LimitSet | None
    bets: dict[str, Span] = field(default_factory=dict)
    bounds: dict[str, int | None] = field(default_factory=_no_bounds)
    source: ProfileVersion | None = None
    follows: LimitProfile | None = None
    was: ProfileVersion | None = None
    ended: bool = False

    @property
    def place(self) -> Place:
        """Which set of limits it is."""
        return self.table.pk, self.operator.pk if self.operator else None, self.currency

    @property
    def changes(self) -> bool:
        """Whether a new version would be written."""
        if self.ended:
            own = (one for one in (self.old, self.newest) if one and one.operator_id)
            return any(rows_of(one) for one in own)
        if self.old is None or self.old != self.newest:
            return True
        if self.source is not None and self.source.pk is None:
            return True
        whence = self.source and self.source.pk
        return whence != self.old.profile_version_id or not same(self.old, self.bets, self.bounds)

    def __str__(self) -> str:
        named = f"{self.table.code} in {self.currency}"
        return f"{named} for {self.operator.code}" if self.operator else named


@dataclass(slots=True)
class ProfileDraft:
    """A profile as it is to be, beside the version that it would follow."""

    profile: LimitProfile
    line: int
    old: ProfileVersion | None
    newest: ProfileVersion | None
    bets: dict[str, Span] = field(default_factory=dict)
    bounds: dict[str, int | None] = field(default_factory=_no_bounds)
    new: ProfileVersion | None = None

    @property
    def changes(self) -> bool:
        """Whether a new version would be written."""
        return self.old != self.newest or not same(self.old, self.bets, self.bounds)

    def __str__(self) -> str:
        return f"{self.profile.name} in {self.profile.currency}"


@dataclass(frozen=True, slots=True)
class LimitsPlan:
    """What would change, or why it cannot be. `seen` names what it was laid over."""

    profiles: tuple[ProfileDraft, ...]
    drafts: tuple[Draft, ...]
    faults: tuple[Fault, ...]
    effective_from: datetime | None
    seen: str


@transaction.atomic
def carry_out(
    plan: Callable[[], LimitsPlan], *, seen: str | None = None, actor: Person, reason: str
) -> LimitsPlan:
    """Plan while nobody else sets limits, and write what it comes to: all of it, or nothing.

    Refuses with `invalid_value` what has a fault, and with `conflict` where it is no longer what
    was `seen`; None looked at nothing before.
    """
    require(actor, SET_LIMITS)
    lock_limits()
    planned = plan()
    if planned.faults:
        fault = planned.faults[0]
        raise Refused("invalid_value", str(fault) if fault.line else fault.message, fault.column)
    if seen is not None and planned.seen != seen:
        raise Refused(
            "conflict", "Limits changed since this was previewed; preview it again.", "seen"
        )
    check_time(planned.effective_from)
    tables = Table.objects.filter(pk__in={draft.table.pk for draft in planned.drafts})
    list(tables.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    let_tickets_in(
        (draft.table, draft.currency)
        for draft in planned.drafts
        if draft.bounds["exposure_max"] is not None
    )
    for profile in planned.profiles:
        assert profile.new is not None
        write_profile(
            profile=profile.profile,
            old=profile.old,
            new=profile.new,
            bets=profile.bets,
            effective_from=planned.effective_from,
            actor=actor,
            reason=reason,
        )
    written: dict[Place, LimitSet] = {}
    for draft in planned.drafts:
        written[draft.place] = write_limits(
            table=draft.table,
            operator=draft.operator,
            currency=draft.currency,
            old=written.get(draft.place, draft.old),
            bets=draft.bets,
            bounds=draft.bounds,
            effective_from=draft.effective_from,
            profile_version=draft.source,
            actor=actor,
            reason=reason,
        )
    return planned


class Laying:
    """What is stated, on its way over the limits that hold at a time; everything is read once."""

    def __init__(self, effective_from: datetime | None = None) -> None:
        self.effective_from = effective_from
        self.at = effective_from or house_clock()
        self.tables = {table.code: table for table in Table.objects.select_related("pit")}
        self.operators = {operator.code: operator for operator in Operator.objects.all()}
        self.profiles = {(row.name, row.currency): row for row in LimitProfile.objects.all()}
        self.lines = profile_lines(self.at)
        self.faults: list[Fault] = []
        self._held: dict[tuple[int, datetime], dict[int, dict[str, LimitSet]]] = {}
        place = ("table_id", "operator_id", "currency")
        newest = LimitSet.objects.order_by(*place, "-version").distinct(*place)
        self._newest: dict[Place, LimitSet] = {
            (row.table_id, row.operator_id, row.currency): row
            for row in newest.select_related("table__pit", "operator").prefetch_related("bets")
        }
        self._versions = ProfileVersion.objects.select_related("profile").in_bulk()
        self._drafts: dict[Place, Draft] = {}
        self._stated: dict[tuple[str, str], ProfileDraft] = {}

    def limits(
        self, table: Table, operator: Operator | None, currency: str, line: int = 0
    ) -> Draft:
        """The set of limits that is spoken of, found or begun."""
        place = (table.pk, operator.pk if operator else None, currency)
        if place not in self._drafts:
            self._drafts[place] = self._begun(table, operator, currency, line)
        return self._drafts[place]

    def profile(self, name: str, currency: str, line: int = 0) -> ProfileDraft:
        """The profile that is spoken of, found or begun; Refused where that cannot be its name."""
        key = (name, currency)
        if key not in self._stated:
            exponent(currency)
            check_name(name)
            known = self.profiles.get(key)
            versions = self.lines.get(known.pk, []) if known else []
            old = versions[0] if versions and versions[0].effective_from <= self.at else None
            self._stated[key] = ProfileDraft(
                known or LimitProfile(name=name, currency=currency),
                line, old, versions[-1] if versions else None,
            )  # fmt: skip
        return self._stated[key]

    def plan(self, *said: object) -> LimitsPlan:
        """What all of it comes to. `said` is what it was read from, to be known again by."""
        for profile in self._stated.values():
            self._check_profile(profile)
        profiles = [profile for profile in self._stated.values() if profile.changes]
        for profile in profiles:
            last = profile.newest.version if profile.newest else 0
            profile.new = ProfileVersion(
                profile=profile.profile, version=last + 1, **profile.bounds
            )
        drafts: list[Draft] = []
        for draft in self._drafts.values():
            drafts += self._following(draft) if draft.follows else self._own(draft)
        for profile in profiles:
            drafts += self._followers(profile)
        over = [
            said,
            self.effective_from,
            [(one.old and one.old.pk, one.newest and one.newest.pk) for one in profiles],
            [
                (str(one), one.effective_from, one.old and one.old.pk,
                 one.newest and one.newest.pk, one.source and one.source.pk)
                for one in (*drafts, *self._drafts.values())
            ],
        ]  # fmt: skip
        return LimitsPlan(
            tuple(profiles),
            tuple(drafts),
            tuple(self.faults),
            self.effective_from,
            hashlib.sha256(canonical(over).encode()).hexdigest(),
        )

    def known_profile(self, name: str, currency: str) -> LimitProfile | None:
        """A profile that there is, or that is stated here."""
        stated = self._stated.get((name, currency))
        return stated.profile if stated else self.profiles.get((name, currency))

    def go_on_following(self, draft: Draft) -> None:
        """Let a set that follows a profile do so still where its amounts stay the same.

        It does so with the versions that wait for their time, too: nothing is written.
        """
        was = draft.was
        if was is None or self._followed(draft.newest) != was.profile_id:
            return
        if same(draft.old, draft.bets, draft.bounds):
            draft.follows = was.profile

    def _held_by(self, operator: Operator | None, at: datetime) -> dict[int, dict[str, LimitSet]]:
        """What holds at every table for an operator or in general, read once for all of them."""
        key = (operator.pk if operator else 0, at)
        if key not in self._held:
            self._held[key] = limits_of(self.tables.values(), operator, at=at)
        return self._held[key]

    def _source(self, limits: LimitSet | None) -> ProfileVersion | None:
        """The version of a profile that limits were written from."""
        return self._versions.get(limits.profile_version_id or 0) if limits else None

    def _followed(self, limits: LimitSet | None) -> int | None:
        source = self._source(limits)
        return source.profile_id if source else None

    def _begun(
        self, table: Table, operator: Operator | None, currency: str, line: int,
        effective_from: datetime | None = None,
    ) -> Draft:  # fmt: skip
        place = (table.pk, operator.pk if operator else None, currency)
        moment = effective_from or self.effective_from
        old = self._held_by(operator, moment or self.at).get(table.pk, {}).get(currency)
        own = old is not None and old.operator_id == (operator and operator.pk)
        return Draft(
            table, operator, currency, line, moment,
            old=old,
            was=self._source(old) if own else None,
            newest=self._newest.get(place),
        )  # fmt: skip

    def _own(self, draft: Draft) -> Iterator[Draft]:
        """A set that is stated bet by bet."""
        if not draft.bets and not draft.ended:
            self.faults.append(Fault(draft.line, "limit", f"{draft} has no row for a bet."))
        try:
            check_bounds(draft.bounds)
        except Refused as refusal:
            self.faults.append(Fault(draft.line, "minimum", str(refusal)))
        if draft.changes:
            yield draft

    def _following(self, draft: Draft) -> Iterator[Draft]:
        """What a set that is to follow a profile becomes, also by versions that are to come."""
        profile = draft.follows
        assert profile is not None
        stated = self._stated.get((profile.name, profile.currency))
        if stated is not None and stated.new is not None:
            yield from self._written(draft, stated.new, stated.bets, stated.bounds)
            return
        follows = draft.was is not None and draft.was.profile_id == profile.pk
        if follows and self._followed(draft.newest) == profile.pk:
            return
        overtaken = False
        for version in self.lines[profile.pk]:
            coming = version.effective_from if version.effective_from > self.at else None
            one = self._begun(draft.table, draft.operator, draft.currency, draft.line, coming)
            told = list(self._written(one, version, rows_of(version), bounds_of(version)))
            if not told and overtaken:
                # It is there already, but the one before it will be newer.
                told = [one]
            overtaken = bool(told)
            yield from told

    def _followers(self, profile: ProfileDraft) -> Iterator[Draft]:
        """What the sets become that follow a profile already and are not spoken of themselves.

        One that is to follow it from a later time on does so with the new version.
        """
        assert profile.new is not None
        if profile.profile.pk is None:
            return
        for place, newest in self._newest.items():
            if place in self._drafts or self._followed(newest) != profile.profile.pk:
                continue
            spoken = (newest.table, newest.operator, newest.currency, profile.line)
            draft = self._begun(*spoken)
            if draft.was is None or draft.was.profile_id != profile.profile.pk:
                draft = self._begun(*spoken, self._beginning(newest, profile.profile.pk))
            yield from self._written(draft, profile.new, profile.bets, profile.bounds)

    def _beginning(self, newest: LimitSet, profile_id: int) -> datetime:
        """When a set that waits for its time begins to follow a profile."""
        coming = with_fate(
            LimitSet.objects.filter(
                table=newest.table, operator=newest.operator, currency=newest.currency
            )
        ).filter(overtaken=False, effective_from__gt=self.at)
        return min(one.effective_from for one in coming if self._followed(one) == profile_id)

    def _written(
        self, draft: Draft, source: ProfileVersion, bets: Mapping[str, Span], bounds: Bounds
    ) -> Iterator[Draft]:
        """A set as a profile has it, without the bets that its game does not have."""
        if not bets:
            return  # That is a fault of the profile, told once.
        game = game_of(draft.table)
        draft.bets = {place: span for place, span in bets.items() if _has(game, place)}
        draft.bounds, draft.source, draft.follows = dict(bounds), source, source.profile
        if all(place.partition(":")[0] in game.added for place in draft.bets):
            told = (
                f"{source.profile.name} limits no bet of {game.title}, "
                f"which {draft.table.code} deals."
            )
            self.faults.append(Fault(draft.line, "profile", told))
        elif draft.changes:
            yield draft

    def _check_profile(self, draft: ProfileDraft) -> None:
        if not draft.bets:
            self.faults.append(Fault(draft.line, "limit", f"{draft} has no row for a bet."))
        try:
            check_bounds(draft.bounds)
        except Refused as refusal:
            self.faults.append(Fault(draft.line, "minimum", str(refusal)))


def check_name(name: str) -> None:
    """Refuse what cannot be the name of a profile, in a file as well as on a page."""
    wrong = not name.isprintable() or name != name.strip() or not name[:1].isalnum()
    if wrong or len(name) > MOST_NAME:
        raise Refused(
            "invalid_value",
            f"A profile's name has up to {MOST_NAME} letters and begins with a letter or a digit.",
            "name",
        )


def game_with(place: str) -> rulebook.Game:
    """The first game of any book that has a bet or a selection of it; Refused `unknown_bet`."""
    for book in rulebook.books().values():
        for game in book.games.values():
            if _has(game, place):
                return game
    bet, _, selection = place.partition(":")
    told = f"{selection!r} of {bet}" if selection else bet
    raise Refused("unknown_bet", f"No game of any book has a bet {told}.", "bet")


def _has(game: rulebook.Game, place: str) -> bool:
    bet, _, selection = place.partition(":")
    if place == EVERY_BET:
        return True
    if bet not in game.bets:
        return False
    try:
        return not selection or bool(game.wager(bet, selection))
    except Refused:
        return False
