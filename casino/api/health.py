"""Whether the house is well: for load balancers, and in figures for Prometheus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_network
from typing import Any

from django.conf import settings
from django.db import OperationalError
from django.db.models import Count, F, Min
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from casino.api.authentication import client_address
from casino.api.errors import error
from casino.models import AuditHead, Round
from casino.selectors import due_rounds, open_incidents
from games.refusals import Refused
from tickets.feed import rfc3339
from tickets.models import SettlementHead
from tickets.services.verification import Verified, last_verification


@dataclass(frozen=True, slots=True)
class Health:
    """What was found at a moment, in seconds where it is an age."""

    due_rounds: int
    oldest_due: float
    feed_position: int
    verified: Verified | None
    verified_ago: float


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer 200 while everything is within its bounds, else 503 with the reasons."""
    try:
        health = look()
    except OperationalError:
        return JsonResponse(
            {"status": "failing", "reasons": ["The database does not answer."]}, status=503
        )
    reasons = list(_reasons(health))
    body = {
        "status": "failing" if reasons else "ok",
        "reasons": reasons,
        "due_rounds": health.due_rounds,
        "oldest_due_seconds": health.oldest_due,
        "feed": {"position": health.feed_position, "lag_seconds": health.oldest_due},
        "ledger": health.verified and _shown(health.verified),
    }
    return JsonResponse(body, status=503 if reasons else 200)


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """The same and more as gauges, for addresses in METRICS_ADDRESSES alone."""
    address = client_address(request)
    networks = [ip_network(listed) for listed in settings.METRICS_ADDRESSES]
    if address is None or not any(address in network for network in networks):
        fault = Refused("not_permitted", "Metrics are for addresses inside the house.")
        return JsonResponse({"error": error(fault)}, status=403)
    try:
        lines = [line for gauge in _gauges() for line in gauge]
    except OperationalError:
        lines = _gauge("up", "Whether the database answers.", 0)
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; version=0.0.4")


def look() -> Health:
    """Read how the house is; OperationalError if the database does not answer."""
    due = (
        due_rounds()
        .filter(outcomes__revision=F("outcome_revision"))
        .order_by()
        .aggregate(rounds=Count("pk"), oldest=Min("outcomes__recorded_at"))
    )
    verified = last_verification()
    return Health(
        due_rounds=due["rounds"],
        oldest_due=_age(due["oldest"]),
        feed_position=SettlementHead.objects.get().position,
        verified=verified,
        verified_ago=_age(verified.at if verified else None),
    )


def _reasons(health: Health) -> Iterator[str]:
    most = settings.HEALTH_DUE_SECONDS
    if health.oldest_due > most:
        yield f"A round has been due for {health.oldest_due:.0f} seconds; {most} are allowed."
    if health.verified is None:
        return
    if not health.verified.passed:
        yield "The last verification found differences."
    hours = settings.HEALTH_VERIFIED_HOURS
    if health.verified_ago > timedelta(hours=hours).total_seconds():
        yield f"The last verification is more than {hours} hours old."


def _shown(verified: Verified) -> dict[str, Any]:
    return {
        "verified_at": rfc3339(verified.at),
        "passed": verified.passed,
        "differences": verified.differences,
    }


def _gauges() -> Iterator[list[str]]:
    health = look()
    phases: dict[str, float] = dict(
        Round.objects.filter(phase__in=[Round.Phase.BETTING, Round.Phase.CLOSED], on_hold=False)
        .order_by()
        .values_list("phase")
        .annotate(Count("pk"))
    )
    yield _gauge("up", "Whether the database answers.", 1)
    yield _gauge(
        "rounds_running",
        "Rounds that are open or closed for betting and have no result.",
        {f'phase="{phase}"': phases.get(phase, 0) for phase in ("betting", "closed")},
    )
    held = Round.objects.filter(on_hold=True).count()
    yield _gauge("rounds_on_hold", "Rounds that wait for a ruling.", held)
    yield _gauge("rounds_due", "Rounds with an outcome to settle.", health.due_rounds)
    yield _gauge("oldest_due_seconds", "How long the oldest of them waits.", health.oldest_due)
    yield _gauge("incidents_open", "Incidents without a ruling.", open_incidents().count())
    yield _gauge("settlement_position", "The end of the feed.", health.feed_position)
    yield _gauge("log_position", "The end of the decision log.", AuditHead.objects.get().position)
    if health.verified is not None:
        yield _gauge("verified_ago_seconds", "Age of the last verification.", health.verified_ago)
        differences = health.verified.differences
        yield _gauge("verified_differences", "What the last verification found.", differences)


def _gauge(name: str, told: str, value: float | dict[str, float]) -> list[str]:
    """One gauge in the text format of Prometheus; a dict has a value for each label."""
    name = f"pitbook_{name}"
    labelled: Mapping[str, float] = value if isinstance(value, dict) else {"": value}
    rows = [
        f"{name}{{{label}}} {number}" if label else f"{name} {number}"
        for label, number in labelled.items()
    ]
    return [f"# HELP {name} {told}", f"# TYPE {name} gauge", *rows]


def _age(moment: datetime | None) -> float:
    return max(0.0, (timezone.now() - moment).total_seconds()) if moment else 0.0
