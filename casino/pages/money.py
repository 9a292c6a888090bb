"""The lists of money: tickets, settlements, postings and refused tickets. Nothing here writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Count, F, OuterRef, QuerySet, Subquery
from django.db.models.lookups import GreaterThan
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse

from casino.access import VIEW_MONEY
from casino.models import Operator, Round
from casino.pages.filters import PostingFilter, RefusalFilter, SettlementFilter, TicketFilter
from casino.pages.keyset import Slice, Trail, bounds, read_cursor, read_slice
from casino.pages.listing import Amount, Listing, by_key, export, house_zone, show_listing
from casino.pages.registry import page
from games.money import format_amount
from tickets.models import Posting, Refusal, Settlement, Ticket
from tickets.selectors import totals_in_order, with_state
from tickets.services.verification import last_verification


def _tickets() -> QuerySet[Ticket]:
    """Tickets with what they pay, their status, and whether what they pay ever changed."""
    postings = (
        Posting.objects.filter(ticket=OuterRef("pk"), settlement__round=OuterRef("round_id"))
        .order_by()
        .values("ticket")
        .annotate(n=Count("*"))
        .values("n")
    )
    tickets = Ticket.objects.select_related("operator", "round__table__pit")
    told = with_state(tickets).annotate(postings=Subquery(postings))
    return told.annotate(changed=GreaterThan(F("postings"), 1))


def _ticket_record(ticket: Any) -> Sequence[object]:
    paid = None if ticket.paid is None else Amount(format_amount(ticket.paid, ticket.currency))
    return (
        ticket.pk, ticket.reference, ticket.operator.code, ticket.player, ticket.round.table.code,
        ticket.round.key, ticket.accepted_at, ticket.currency,
        Amount(format_amount(ticket.staked, ticket.currency)), paid, ticket.status,
        bool(ticket.changed), ticket.test,
    )  # fmt: skip


TICKETS = Listing(
    name="tickets",
    title="Tickets",
    template="pitbook/money_tickets.html",
    filters=TicketFilter,
    read=by_key(_tickets, Trail("tickets_ticket", "id", "accepted_at")),
    columns=(
        "ticket", "reference", "operator", "player", "table", "round", "accepted_at", "currency",
        "stake", "payout", "status", "changed", "test",
    ),
    record=_ticket_record,
)  # fmt: skip


def _settlements() -> QuerySet[Settlement]:
    rows = Settlement.objects.select_related("round__table__pit", "settled_by", "ruling")
    return rows.prefetch_related(totals_in_order())


SETTLEMENTS = Listing(
    name="settlements",
    title="Settlements",
    template="pitbook/money_settlements.html",
    filters=SettlementFilter,
    read=by_key(
        _settlements, Trail("tickets_settlement", "position", "settled_at"), key="position"
    ),
    columns=(
        "settlement", "kind", "round", "table", "revision", "settled_at", "settled_by", "ruling",
        "tickets", "digest",
    ),
    record=lambda batch: (
        batch.position, batch.kind, batch.round.key, batch.round.table.code, batch.revision,
        batch.settled_at, str(batch.settled_by), batch.ruling_id, batch.tickets,
        bytes(batch.digest).hex(),
    ),
)  # fmt: skip


def read_postings(filters: PostingFilter, before: str, size: int) -> Slice[Posting]:
    """A page of postings, newest batch first.

    Batches are chosen first, one more than the page has rows (and one that the page before may
    have used up): each has a posting to show, because its totals let it through. Where tickets
    are named, they lead to their postings instead.
    """
    given = filters.given
    trail = Trail("tickets_settlement", "id", "settled_at")
    span = bounds(trail, since=given.get("since"), until=given.get("until"))
    batches = filters.filter_queryset(Settlement.objects.filter(tickets__gt=0, pk__gte=span.low))
    if span.high is not None:
        batches = batches.filter(pk__lt=span.high)
    postings = Posting.objects.filter(
        **{f"ticket__{name}": value for name, value in (filters.whose | filters.named).items()}
    )
    if before:
        batch, _ = read_cursor(before, width=2)  # type: ignore[misc]
        batches = batches.filter(pk__lte=batch)
    if not filters.named:
        newest = batches.order_by("-pk").values_list("pk", flat=True)[: size + 2]
        postings = postings.filter(settlement__in=list(newest))
    else:
        if "operator" not in filters.whose:
            operators = list(Operator.objects.values_list("pk", flat=True))
            postings = postings.filter(ticket__operator__in=operators)
        postings = postings.filter(settlement__round=F("ticket__round"), settlement__in=batches)
    rows = postings.select_related("ticket__operator", "settlement__round__table__pit")
    return read_slice(rows, before=before, size=size)


def _posting_record(posting: Any) -> Sequence[object]:
    ticket, batch = posting.ticket, posting.settlement
    payout, delta = (
        Amount(format_amount(minor, ticket.currency)) for minor in (posting.payout, posting.delta)
    )
    return (
        batch.position, batch.kind, batch.settled_at, batch.round.table.code, batch.round.key,
        batch.revision, ticket.pk, ticket.reference, ticket.operator.code, ticket.player,
        ticket.currency, Amount(format_amount(posting.stake, ticket.currency)), payout, delta,
        ticket.test,
    )  # fmt: skip


POSTINGS = Listing(
    name="postings",
    title="Postings",
    template="pitbook/money_postings.html",
    filters=PostingFilter,
    read=read_postings,
    columns=(
        "settlement", "kind", "settled_at", "table", "round", "revision", "ticket", "reference",
        "operator", "player", "currency", "stake", "payout", "delta", "test",
    ),
    record=_posting_record,
)  # fmt: skip


def _with_rounds(refusals: list[Refusal]) -> list[dict[str, Any]]:
    """Refusals with their rounds, which may never have been, and why each was refused."""
    keys = {refusal.round_key for refusal in refusals}
    rounds = Round.objects.select_related("table__pit").in_bulk(keys, field_name="key")
    return [
        {
            "refusal": refusal,
            "round": rounds.get(refusal.round_key),
            "reasons": reasons(refusal),
        }
        for refusal in refusals
    ]


def reasons(refusal: Refusal) -> list[str]:
    """The sentences in which a ticket was refused, each once."""
    return list(dict.fromkeys(answer["message"] for answer in refusal.answer if answer))


REFUSALS = Listing(
    name="refusals",
    title="Refused tickets",
    template="pitbook/money_refusals.html",
    filters=RefusalFilter,
    read=by_key(
        lambda: Refusal.objects.select_related("operator", "client"),
        Trail("tickets_refusal", "id", "at"),
    ),
    dress=_with_rounds,
    columns=("refusal", "at", "operator", "client", "reference", "round", "player", "codes", "why"),
    record=lambda refusal: (
        refusal.pk, refusal.at, refusal.operator.code, refusal.client.name, refusal.reference,
        refusal.round_key, refusal.player, " ".join(refusal.codes), " ".join(reasons(refusal)),
    ),
)  # fmt: skip


@page("tickets/", name="tickets", permission=VIEW_MONEY)
def tickets(request: HttpRequest) -> HttpResponse:
    """Tickets, newest first."""
    return show_listing(request, TICKETS)


@page("tickets/export/", name="tickets_export", permission=VIEW_MONEY)
def tickets_export(request: HttpRequest) -> StreamingHttpResponse:
    return export(request, TICKETS)


@page("settlements/", name="settlements", permission=VIEW_MONEY)
def settlements(request: HttpRequest) -> HttpResponse:
    """Batches, newest first."""
    return show_listing(request, SETTLEMENTS, verified=last_verification(), zone=house_zone())


@page("settlements/export/", name="settlements_export", permission=VIEW_MONEY)
def settlements_export(request: HttpRequest) -> StreamingHttpResponse:
    return export(request, SETTLEMENTS)


@page("postings/", name="postings", permission=VIEW_MONEY)
def postings(request: HttpRequest) -> HttpResponse:
    """Postings, newest batch first."""
    return show_listing(request, POSTINGS)


@page("postings/export/", name="postings_export", permission=VIEW_MONEY)
def postings_export(request: HttpRequest) -> StreamingHttpResponse:
    return export(request, POSTINGS)


@page("refusals/", name="refusals", permission=VIEW_MONEY)
def refusals(request: HttpRequest) -> HttpResponse:
    """Tickets that were refused, newest first."""
    return show_listing(request, REFUSALS)


@page("refusals/export/", name="refusals_export", permission=VIEW_MONEY)
def refusals_export(request: HttpRequest) -> StreamingHttpResponse:
    return export(request, REFUSALS)
