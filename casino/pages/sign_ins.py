"""Sign-ins as compliance and administrators read them: who came in, who was refused, from where."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from itertools import islice
from operator import attrgetter
from typing import Any, ClassVar, Final

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django import forms
from django.conf import settings
from django.db.models import Max, QuerySet, Sum
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils import timezone
from django_filters import CharFilter, ChoiceFilter, Filter

from casino.access import VIEW_SIGN_INS
from casino.models import Person
from casino.pages.filters import ListFilter, moment_filter
from casino.pages.keyset import Slice, Trail, bounds, read_cursor
from casino.pages.listing import Listing, export, house_zone, show_listing
from casino.pages.registry import page

SIGNED_IN, REFUSED, LOCKED = "signed_in", "refused", "locked"
OUTCOMES = {
    SIGNED_IN: ("go", "Signed in"),
    REFUSED: ("wait", "Refused"),
    LOCKED: ("alarm", "Refused and locked"),
}
"""How somebody fared at the door: the tone of its badge, and what a person calls it."""

SOURCES: tuple[tuple[Any, Trail], ...] = (
    (AccessLog, Trail("axes_accesslog", "id", "attempt_time")),
    (AccessFailureLog, Trail("axes_accessfailurelog", "id", "attempt_time")),
)
"""Where those who came in are kept, and where those who were refused."""

BEYOND: Final = 2**63 - 1
"""A key that no row reaches."""


class AddressFilter(Filter):
    field_class = forms.GenericIPAddressField


class SignInFilter(ListFilter):
    first = ("username", "address", "outcome")
    led_by = frozenset({"username", "address"})

    username = CharFilter(label="Name, as typed")
    address = AddressFilter(field_name="ip_address", label="Address", unpack_ipv4=True)
    outcome = ChoiceFilter(
        method="with_outcome",
        choices=[(outcome, words) for outcome, (_, words) in OUTCOMES.items()],
        label="Outcome",
        empty_label="All",
    )
    since = moment_filter("From", "attempt_time", "gte")
    until = moment_filter("To", "attempt_time", "lt")

    class Meta:
        model = AccessLog
        fields: ClassVar[list[str]] = []

    def with_outcome(self, rows: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        if (rows.model is AccessLog) != (value == SIGNED_IN):
            return rows.none()
        return rows if value == SIGNED_IN else rows.filter(locked_out=value == LOCKED)


def read_sign_ins(filters: ListFilter, before: str, size: int) -> Slice[Any]:
    """A page of sign-ins and refusals, newest first; a cursor has a key of each."""
    given = filters.given
    tops: Any = read_cursor(before, width=2) if before else (BEYOND, BEYOND)
    lists = []
    for (model, trail), top in zip(SOURCES, tops, strict=True):
        span = bounds(trail, since=given.get("since"), until=given.get("until"))
        high = top if span.high is None else min(top, span.high)
        rows = filters.filter_queryset(model.objects.filter(pk__gte=span.low, pk__lt=high))
        lists.append(rows.order_by("-pk")[: size + 1])
    merged = heapq.merge(*lists, key=attrgetter("attempt_time"), reverse=True)
    found = list(islice(merged, size + 1))
    if len(found) <= size:
        return Slice(found)
    shown = found[:size]
    lowest = [
        min((row.pk for row in shown if isinstance(row, model)), default=top)
        for (model, _), top in zip(SOURCES, tops, strict=True)
    ]
    return Slice(shown, ".".join(map(str, lowest)))


def outcome_of(row: Any) -> str:
    """How the attempt ended: a key of OUTCOMES."""
    if isinstance(row, AccessLog):
        return SIGNED_IN
    return LOCKED if row.locked_out else REFUSED


def _told(rows: list[Any]) -> list[dict[str, Any]]:
    """Attempts with the person whose name was typed, if there is one."""
    people = Person.objects.in_bulk({row.username for row in rows}, field_name="username")
    return [
        {
            "row": row,
            "person": people.get(row.username),
            "badge": dict(zip(("tone", "label"), OUTCOMES[outcome_of(row)], strict=True)),
        }
        for row in rows
    ]


def _record(row: Any) -> Sequence[object]:
    left = row.logout_time if isinstance(row, AccessLog) else None
    return row.attempt_time, row.username, row.ip_address, outcome_of(row), left, row.user_agent


SIGN_INS = Listing(
    name="sign_ins",
    title="Sign-ins",
    template="pitbook/sign_ins.html",
    filters=SignInFilter,
    read=read_sign_ins,
    dress=_told,
    columns=("at", "name", "address", "outcome", "signed_out_at", "browser"),
    record=_record,
)


def locks() -> list[dict[str, Any]]:
    """The names that are locked now, each with its address and until when."""
    failures = AccessAttempt.objects.filter(
        attempt_time__gte=timezone.now() - settings.AXES_COOLOFF_TIME
    )
    locked = (
        failures.values("username", "ip_address")
        .annotate(failures=Sum("failures_since_start"), last=Max("attempt_time"))
        .filter(failures__gte=settings.AXES_FAILURE_LIMIT)
        .order_by("last")
    )
    return [lock | {"until": lock["last"] + settings.AXES_COOLOFF_TIME} for lock in locked]


@page("sign-ins/", name="sign_ins", permission=VIEW_SIGN_INS)
def sign_ins(request: HttpRequest) -> HttpResponse:
    """Sign-ins and refused ones, newest first; what is tried during a lock is not kept."""
    return show_listing(request, SIGN_INS, zone=house_zone(), locks=locks())


@page("sign-ins/export/", name="sign_ins_export", permission=VIEW_SIGN_INS)
def sign_ins_export(request: HttpRequest) -> StreamingHttpResponse:
    return export(request, SIGN_INS)
