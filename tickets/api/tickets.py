"""Tickets: posted by betting platforms, read by their operators."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.endpoint import Endpoint, client_of, read_query
from casino.api.errors import TooLarge
from casino.api.fields import Moment, Name, Query, Text, Word
from casino.api.paging import PageQuery, newest_first, page_of
from casino.api.shapes import ErrorShape, OutcomeShape, refused
from casino.models import ApiClient, OutcomeRevision
from casino.models.people import Scope
from games.money import format_amount
from games.refusals import Refused
from tickets.api.placing import answer_all, answer_one
from tickets.api.shapes import (
    AcceptedShape,
    AnswersShape,
    RefusedShape,
    TicketBody,
    TicketShape,
    WholeTicketShape,
)
from tickets.feed import rfc3339, rows_of
from tickets.models import Line, Posting, Ticket
from tickets.selectors import OPEN, SETTLED, VOID, lines_of, of_status, with_state
from tickets.services.acceptance import MOST_TICKETS

TicketPage = page_of(TicketShape)

BODY: Final = PolymorphicProxySerializer(
    component_name="TicketOrTickets",
    serializers=[TicketBody, TicketBody(many=True)],
    resource_type_field_name=None,
    many=False,
)
AGAIN: Final = PolymorphicProxySerializer(
    component_name="AcceptedOrAnswers",
    serializers=[AcceptedShape, AnswersShape],
    resource_type_field_name=None,
)
REFUSED_OR_MALFORMED: Final = PolymorphicProxySerializer(
    component_name="RefusedOrError",
    serializers=[RefusedShape, ErrorShape],
    resource_type_field_name=None,
)


class TicketQuery(PageQuery):
    """Which tickets are asked for."""

    operator = Name(required=False, help_text="For clients that see the tickets of several.")
    round = Name(required=False)
    player = Text(required=False)
    status = Word(required=False, choices=[OPEN, SETTLED, VOID])
    settled_after = Moment(
        required=False, help_text="With a settlement that moved the ticket's money after this."
    )


class OperatorQuery(Query):
    """Whose ticket is asked for."""

    operator = Name(required=False, help_text="For clients that see the tickets of several.")


class Tickets(Endpoint):
    scopes = {"GET": Scope.TICKETS_READ, "POST": Scope.TICKETS_WRITE}

    @extend_schema(
        operation_id="place_tickets",
        summary="Place one ticket, or up to 1,000 in a list",
        description=(
            "The reference is the idempotency key: the same ticket again answers 200 with the "
            "first answer. A list is answered 200 with one answer for each ticket, in the order "
            "asked, each with the status_code that it would have had alone."
        ),
        request=BODY,
        responses={
            201: AcceptedShape,
            200: AGAIN,
            **refused(413),
            409: RefusedShape,
            422: REFUSED_OR_MALFORMED,
        },
    )
    def post(self, request: Request) -> Response:
        client = client_of(request)
        if client.operator is None:
            raise PermissionDenied("Tickets are posted for an operator; this key is the studio's.")
        data: Any = request.data
        if not isinstance(data, list):
            status, body = answer_one(data, client)
            return Response(body, status=status)
        if len(data) > MOST_TICKETS:
            raise TooLarge(f"A list has at most {MOST_TICKETS} tickets.")
        if not data:
            raise Refused("malformed", "The list is empty; it holds at least one ticket.")
        return Response({"results": answer_all(data, client)})

    @extend_schema(
        operation_id="list_tickets",
        summary="Tickets, newest first",
        parameters=[TicketQuery],
        responses={200: TicketPage, **refused()},
    )
    def get(self, request: Request) -> Response:
        query = read_query(TicketQuery, request)
        tickets = with_state(_matching(_visible(client_of(request)), query))
        found = newest_first(
            tickets.select_related("round", "operator"), after=query["after"], limit=query["limit"]
        )
        return Response(
            {
                "results": [_shown(ticket) for ticket in found.results],
                "next": found.next,
                "has_more": found.has_more,
            }
        )


class OneTicket(Endpoint):
    scopes = {"GET": Scope.TICKETS_READ}

    @extend_schema(
        operation_id="read_ticket",
        summary="A ticket with its bets, settlements and outcomes",
        parameters=[OperatorQuery],
        responses={200: WholeTicketShape, **refused(404, 409)},
    )
    def get(self, request: Request, reference: str) -> Response:
        query = read_query(OperatorQuery, request)
        tickets = _matching(_visible(client_of(request)), query).filter(reference=reference)
        found = list(with_state(tickets).select_related("round", "operator", "limit_set")[:2])
        if not found:
            raise Refused("not_found", f"There is no ticket {reference}.")
        if len(found) > 1:
            raise Refused(
                "conflict", f"Several operators have a ticket {reference}; name one.", "operator"
            )
        return Response(_whole(found[0]))


def _visible(client: ApiClient) -> QuerySet[Ticket]:
    """The tickets that a client may see: its operator's, or as the studio's all of them."""
    if client.operator is None:
        return Ticket.objects.all()
    return Ticket.objects.filter(operator=client.operator)


def _matching(tickets: QuerySet[Ticket], query: dict[str, Any]) -> QuerySet[Ticket]:
    if "operator" in query:
        tickets = tickets.filter(operator__code=query["operator"])
    if "round" in query:
        tickets = tickets.filter(round__key=query["round"])
    if "player" in query:
        tickets = tickets.filter(player=query["player"])
    if "settled_after" in query:
        moved = Posting.objects.filter(settlement__settled_at__gt=query["settled_after"])
        tickets = tickets.filter(pk__in=moved.values("ticket"))
    if "status" in query:
        tickets = of_status(tickets, query["status"])
    return tickets


def _shown(ticket: Any) -> dict[str, Any]:
    """A ticket that was read `with_state`."""
    paid = ticket.paid
    return {
        "ticket": str(ticket.pk),
        "operator": ticket.operator.code,
        "reference": ticket.reference,
        "round": ticket.round.key,
        "player": ticket.player,
        "currency": ticket.currency,
        "test": ticket.test,
        "status": ticket.status,
        "stake": format_amount(ticket.staked, ticket.currency),
        "payout": None if paid is None else format_amount(paid, ticket.currency),
        "placed_at": rfc3339(ticket.placed_at),
        "accepted_at": rfc3339(ticket.accepted_at),
    }


def _whole(ticket: Ticket) -> dict[str, Any]:
    """A ticket with its bets, its rows of the feed and the outcomes that these followed."""
    round = ticket.round
    followed = OutcomeRevision.objects.filter(round=round, revision__lte=round.settled_revision)
    return _shown(ticket) | {
        "book": round.book,
        "game": round.game,
        "book_version": ticket.book_version,
        "limit_version": str(ticket.limit_set.version),
        "bets": [_bet(line, ticket.currency) for line in lines_of(ticket)],
        "settlements": rows_of(ticket),
        "outcomes": OutcomeShape(followed.order_by("revision"), many=True).data,
    }


def _bet(line: Line, currency: str) -> dict[str, Any]:
    wager = line.wager
    bet = {
        "bet": wager.bet,
        "selection": wager.selection,
        "stake": format_amount(line.stake, currency),
    }
    return bet | {"play": wager.play} if wager.play else bet
