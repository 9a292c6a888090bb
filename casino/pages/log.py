"""The decision log as compliance reads it: in the order of the chain, with what each changed."""

from __future__ import annotations

from typing import Any, ClassVar
from urllib.parse import urlencode

from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import reverse
from django_filters import BooleanFilter, CharFilter, ChoiceFilter, ModelChoiceFilter, NumberFilter

from casino.access import VIEW_LOG
from casino.admin.service import ServiceForm, filled, service_page
from casino.audit import verify_log
from casino.models import AuditEvent, AuditHead, AuditSeal, Person, Role
from casino.models.audit import Action
from casino.pages.body import read_body
from casino.pages.filters import ListFilter, moment_filter
from casino.pages.keyset import Trail
from casino.pages.listing import Listing, by_key, export, house_zone, show_listing
from casino.pages.registry import fragment, page
from casino.services.reviews import last_review, review_log
from games.refusals import Refused
from tickets.services.verification import place_of, read_digest

NOT_PEOPLE = (Role.MACHINE, Role.SYSTEM)

KINDS = ("round", "table", "shoe", "profile", "pit", "operator", "person", "client", "ledger")
"""What a decision can be about."""

HOUSE = {
    "pit": "casino_pit_changelist",
    "operator": "casino_operator_changelist",
    "person": "casino_person_changelist",
    "client": "casino_apiclient_changelist",
}
"""The list in which a subject without a page of its own is found."""


class ReviewForm(ServiceForm):
    """Up to where the log was looked through, and what was found."""

    upto = forms.IntegerField(label="Up to decision No.", min_value=1, max_value=2**63 - 1)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].label = "What you found"


class LogFilter(ListFilter):
    first = ("subject", "action", "actor", "people")
    led_by = frozenset({"subject", "actor"})

    subject = CharFilter(method="about", label="About (round, table, person …)")
    action = ChoiceFilter(
        field_name="event__action", choices=Action.choices, label="Decision", empty_label="All"
    )
    actor = ModelChoiceFilter(
        field_name="event__actor",
        queryset=Person.objects.order_by("username"),
        to_field_name="username",
        label="Actor",
        empty_label="Anybody",
    )
    people = BooleanFilter(
        method="by_people", label="People's decisions only", widget=forms.CheckboxInput
    )
    after = NumberFilter(
        method="leave", label="After No.", min_value=0, max_value=2**63 - 1, decimal_places=0
    )
    since = moment_filter("From", "event__at", "gte")
    until = moment_filter("To", "event__at", "lt")

    class Meta:
        model = AuditSeal
        fields: ClassVar[list[str]] = []

    def about(self, rows: QuerySet[AuditSeal], name: str, value: str) -> QuerySet[AuditSeal]:
        """By the whole subject, or by its key alone, whatever kind it is of."""
        subjects = [value, *(f"{kind}:{value}" for kind in KINDS)]
        return rows.filter(event__subject__in=subjects)

    def by_people(self, rows: QuerySet[AuditSeal], name: str, value: bool) -> QuerySet[AuditSeal]:
        """Leave out what the house itself and the machines at its tables wrote."""
        return rows.exclude(event__actor__role__in=NOT_PEOPLE) if value else rows


def _told(seals: list[AuditSeal]) -> list[dict[str, Any]]:
    return [
        {
            "seal": seal,
            "event": seal.event,
            "url": subject_url(seal.event),
            "body": read_body(seal.event.body, _currency(seal.event)),
        }
        for seal in seals
    ]


def _currency(event: AuditEvent) -> str:
    """The currency that the subject names, as a profile of limits does."""
    kind, _, key = event.subject.partition(":")
    return key.rpartition("/")[2] if kind == "profile" else ""


def subject_url(event: AuditEvent) -> str:
    """Where the subject of a decision is found; empty for what has no page."""
    kind, _, key = event.subject.partition(":")
    match kind:
        case "round":
            return reverse("admin:round", args=[key])
        case "table":
            return reverse("admin:table", args=[key])
        case "shoe":
            table, _, number = key.rpartition("-")
            return reverse("admin:shoe", args=[table, number])
        case "profile":
            return reverse("admin:limit_profiles")
    if kind not in HOUSE:
        return ""
    return f"{reverse(f'admin:{HOUSE[kind]}')}?{urlencode({'q': key.rpartition(':')[2]})}"


LOG = Listing(
    name="log",
    title="Decision log",
    template="pitbook/log.html",
    filters=LogFilter,
    read=by_key(
        lambda: AuditSeal.objects.select_related("event"),
        Trail(
            "casino_auditseal seal",
            "seal.position",
            "(SELECT at FROM casino_auditevent WHERE id = seal.event_id)",
        ),
    ),
    dress=_told,
    columns=("position", "at", "action", "subject", "actor", "reason", "body", "digest"),
    record=lambda seal: (
        seal.position, seal.event.at, seal.event.action, seal.event.subject,
        seal.event.actor_name, seal.event.reason, seal.event.body, bytes(seal.digest).hex(),
    ),
)  # fmt: skip


@page("log/", name="log", permission=VIEW_LOG)
def log(request: HttpRequest) -> HttpResponse:
    """Every decision, newest first."""
    review, end = last_review(), AuditHead.objects.get().position
    since = end - (review.upto if review else 0)
    return show_listing(request, LOG, zone=house_zone(), review=review, since=since, end=end)


@page("log/export/", name="log_export", permission=VIEW_LOG)
def log_export(request: HttpRequest) -> StreamingHttpResponse:
    return export(request, LOG)


@page("log/review/", name="log_review", permission=VIEW_LOG, methods=("GET", "POST"))
def log_review(request: HttpRequest) -> HttpResponse:
    """Note that the log was looked through, up to the decision that stood last on the page."""

    def carry_out(typed: dict[str, Any]) -> str:
        review = review_log(
            upto=typed["upto"],
            actor=request.user,  # type: ignore[arg-type]
            reason=typed["reason"],
        )
        return f"The log is reviewed up to No. {review.upto:,}."

    form = ReviewForm(filled(request), initial={"upto": request.GET.get("upto", "")})
    return service_page(
        request,
        form,
        carry_out,
        title="Review of the decision log",
        button="Note the review",
        back="admin:log",
        intro="You looked through every decision from the last review up to this one.",
    )


@page("log/verify/", name="log_verify", permission=VIEW_LOG)
def log_verify(request: HttpRequest) -> HttpResponse:
    """Recompute the whole chain, and find a digest that was kept from earlier; writes nothing."""
    kept = request.GET.get("kept", "").strip()
    context: dict[str, Any] = {"verification": verify_log(), "kept": kept, "zone": house_zone()}
    if kept:
        try:
            context["place"] = place_of(read_digest(kept))
        except Refused as refusal:
            context["refusal"] = refusal
    return fragment(request, "pitbook/log_verified.html", context)
