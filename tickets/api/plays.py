"""What blackjack tickets decide before the result is recorded."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.endpoint import Endpoint, client_of, read_body
from casino.api.fields import Amount, Id, Name, Shape, Whole
from casino.api.shapes import refused
from casino.models.people import Scope
from games.money import format_amount
from games.refusals import Refused
from tickets.api.shapes import BetBody, LineShape
from tickets.models import Ticket
from tickets.services.acceptance import BetAsked
from tickets.services.plays import decide


class PlayBody(Shape):
    """All that a ticket has decided on a box so far, and the stakes that this adds."""

    box = Whole(min_value=1, max_value=7)
    play = Name(help_text='As in "S", "HHS", "D", "F", "P[HS][D]".')
    added = BetBody(many=True, required=False, default=list, max_length=8)  # type: ignore[call-arg]


class DecidedShape(Shape):
    """A ticket with its bets after the decision."""

    reference = serializers.CharField()
    ticket = Id()
    box = serializers.IntegerField()
    play = serializers.CharField()
    stake = Amount()
    bets = LineShape(many=True)


class Plays(Endpoint):
    scopes = {"POST": Scope.TICKETS_WRITE}

    @extend_schema(
        operation_id="decide_play",
        summary="Take down what a blackjack ticket decided on a box",
        description=(
            "Until the result is recorded. A later play continues the earlier one; the same "
            "again answers 200 and changes nothing. A play that the rules do not allow is "
            "refused with the rule's name."
        ),
        request=PlayBody,
        responses={201: DecidedShape, 200: DecidedShape, **refused(404, 422)},
    )
    def post(self, request: Request, reference: str) -> Response:
        client = client_of(request)
        ticket = Ticket.objects.filter(operator=client.operator, reference=reference).first()
        if client.operator is None or ticket is None:
            raise Refused("not_found", f"There is no ticket {reference}.")
        body = read_body(PlayBody, request)
        added = [BetAsked(bet["bet"], bet["selection"], bet["stake"]) for bet in body["added"]]
        decided = decide(ticket=ticket, box=body["box"], play=body["play"], added=added)
        bets = [
            {
                "bet": stake.wager.bet,
                "selection": stake.wager.selection,
                "stake": format_amount(stake.stake, ticket.currency),
            }
            | ({"play": stake.wager.play} if stake.wager.play else {})
            for stake in decided.stakes
        ]
        answer = {
            "reference": reference,
            "ticket": str(ticket.pk),
            "box": body["box"],
            "play": body["play"],
            "stake": format_amount(sum(stake.stake for stake in decided.stakes), ticket.currency),
            "bets": bets,
        }
        return Response(answer, status=200 if decided.repeated else 201)
