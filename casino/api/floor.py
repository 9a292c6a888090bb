"""What floor systems post: shoes, rounds, results, incidents."""

from __future__ import annotations

from typing import Final

from django.db.models import Max
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.endpoint import Endpoint, client_of, read_body
from casino.api.errors import refusal
from casino.api.fields import Flag, Free, Name, Shape, Text, Whole, Word
from casino.api.shapes import (
    IncidentShape,
    OpenedShoeShape,
    RecordedShape,
    RoundShape,
    ShoeShape,
    refused,
)
from casino.models import Incident, Round, Shoe, Table
from casino.models.people import Scope
from casino.selectors import round_by_key, shoe_by_number, table_by_code
from casino.services.incidents import report_incident
from casino.services.procedures import release, replay
from casino.services.rounds import Recorded, close_betting, open_round, record_result
from casino.services.shoes import close_shoe, draw_blue_card, open_shoe

REASON: Final = "Posted by the table system."
LARGEST: Final = 2**31 - 1
"""The largest number of a shoe or a round."""

WRITES: Final = {"POST": Scope.FLOOR_WRITE}
REFUSED: Final = refused(404, 409, 413, 422)


class Nothing(Shape):
    """A body without anything in it; it may be left out."""


class ShoeBody(Shape):
    """A shoe as it is opened."""

    number = Whole(min_value=1, max_value=LARGEST)
    first_card = Text(
        max_length=8,
        required=False,
        default="",
        help_text="May be left out, with the burn, where the document prints no commencement.",
    )
    burned = Whole(min_value=0, max_value=999, required=False, default=None)
    cut = Whole(
        min_value=0,
        max_value=999,
        required=False,
        default=None,
        help_text="How many cards from the end the cut card lies, if it is known.",
    )


class BlueCardBody(Shape):
    """How the blue card came."""

    at = Word(
        choices=[Shoe.BlueCard.IN_HAND.value, Shoe.BlueCard.BURN.value],
        help_text="in_hand: this hand is the last; burn: none follows, and an open one is void.",
    )


class RoundBody(Shape):
    """A round as it is opened."""

    number = Whole(min_value=1, max_value=LARGEST, help_text="The hand's number in the shoe.")
    round_id = Name(
        required=False, default="", help_text="The table system's own id for it, if it has one."
    )


class CloseBody(Shape):
    """What was drawn once betting had closed; it may be left out, and so may the whole body."""

    draws = Free(
        required=False,
        default=None,
        help_text='As the outcome has it: {"die": 8}, {"super_odds": {…}}, {"super_numbers": {…}}.',
    )


class ResultBody(Shape):
    """What was dealt, in the words of the game."""

    outcome = Free()
    manual = Flag(required=False, default=False, help_text="Entered by hand, not by a sensor.")
    video = Text(max_length=200, allow_blank=True, required=False, default="")
    dealer = Text(max_length=80, allow_blank=True, required=False, default="")


class GroundBody(Shape):
    """Why a round is played again or its bets are handed back."""

    kind = Name(help_text="An incident that the game's book knows.")


class IncidentBody(Shape):
    """Something irregular that a system noticed."""

    table = Name()
    round = Name(required=False, default=None)
    shoe = Whole(min_value=1, max_value=LARGEST, required=False, default=None)
    kind = Name()
    note = Text(max_length=2000, lines=True)
    video = Text(max_length=200, allow_blank=True, required=False, default="")


class Shoes(Endpoint):
    scopes = WRITES

    @extend_schema(
        operation_id="open_shoe",
        summary="Open a shoe",
        description="200 where this shoe is there already, with the same first card, burn and cut.",
        request=ShoeBody,
        responses={200: OpenedShoeShape, 201: OpenedShoeShape, **REFUSED},
    )
    def post(self, request: Request, table: str) -> Response:
        values = read_body(ShoeBody, request)
        place = table_by_code(table)
        newest = _newest(Shoe)
        shoe = open_shoe(table=place, **values, actor=client_of(request).person, reason=REASON)
        incident = Incident.objects.filter(shoe=shoe, kind="commencement_error").last()
        body = ShoeShape(shoe).data | {"incident": incident and IncidentShape(incident).data}
        return Response(body, status=201 if shoe.pk > newest else 200)


class ShoeBlueCard(Endpoint):
    scopes = WRITES

    @extend_schema(
        operation_id="draw_blue_card",
        summary="Draw the blue card",
        request=BlueCardBody,
        responses={200: ShoeShape, **REFUSED},
    )
    def post(self, request: Request, table: str, number: int) -> Response:
        values = read_body(BlueCardBody, request)
        shoe = shoe_by_number(table_by_code(table), number)
        shoe = draw_blue_card(
            shoe=shoe, at=values["at"], actor=client_of(request).person, reason=REASON
        )
        return Response(ShoeShape(shoe).data)


class ShoeClose(Endpoint):
    scopes = WRITES

    @extend_schema(
        operation_id="close_shoe",
        summary="Close a shoe",
        request=Nothing,
        responses={200: ShoeShape, **REFUSED},
    )
    def post(self, request: Request, table: str, number: int) -> Response:
        read_body(Nothing, request)
        shoe = shoe_by_number(table_by_code(table), number)
        shoe = close_shoe(shoe=shoe, actor=client_of(request).person, reason=REASON)
        return Response(ShoeShape(shoe).data)


class TableRounds(Endpoint):
    scopes = WRITES

    @extend_schema(
        operation_id="open_round",
        summary="Open a round for betting",
        description=(
            "200 where this very round is there already, whatever became of it. A hand after the "
            "last one of its shoe is answered with the status void and takes no tickets."
        ),
        request=RoundBody,
        responses={200: RoundShape, 201: RoundShape, **REFUSED},
    )
    def post(self, request: Request, table: str) -> Response:
        values = read_body(RoundBody, request)
        place = table_by_code(table)
        newest = _newest(Round)
        round = open_round(table=place, **values, actor=client_of(request).person, reason=REASON)
        return Response(RoundShape(round).data, status=201 if round.pk > newest else 200)


class RoundClose(Endpoint):
    scopes = WRITES

    @extend_schema(
        operation_id="close_round",
        summary="No more bets",
        description=(
            "With `draws`, in a game that draws after betting closes; where they come later, close "
            "the round once more with them. They are recorded once: others are 409, and a result "
            "against them is 422."
        ),
        request=CloseBody,
        responses={200: RoundShape, **REFUSED},
    )
    def post(self, request: Request, round: str) -> Response:
        values = read_body(CloseBody, request)
        closed = close_betting(
            round=round_by_key(round), **values, actor=client_of(request).person, reason=REASON
        )
        return Response(RoundShape(closed).data)


class RoundResult(Endpoint):
    scopes = WRITES

    @extend_schema(
        operation_id="record_result",
        summary="Record a result",
        description=(
            "200 and no effect where the same result is recorded already; 409 where another is: "
            "changing it takes a ruling. A reading that differs from all that was recorded raises "
            "an incident, once. A deal of real cards that breaks the drawing rules is refused with "
            "422 and puts the round on hold. In both cases the error names the incident."
        ),
        request=ResultBody,
        responses={200: RecordedShape, 201: RecordedShape, **REFUSED},
    )
    def post(self, request: Request, round: str) -> Response:
        values = read_body(ResultBody, request)
        recorded = record_result(
            round=round_by_key(round), **values, actor=client_of(request).person, reason=REASON
        )
        if recorded.refusal is not None:
            assert recorded.incident is not None
            return refusal(
                recorded.refusal,
                incident=str(recorded.incident.pk),
                status=recorded.round.status,
            )
        return Response(_recorded(recorded), status=200 if recorded.repeated else 201)


class RoundReplay(Endpoint):
    scopes = WRITES

    @extend_schema(
        operation_id="replay_round",
        summary="Spin or roll again; bets stay locked",
        request=GroundBody,
        responses={200: RoundShape, **REFUSED},
    )
    def post(self, request: Request, round: str) -> Response:
        values = read_body(GroundBody, request)
        found = round_by_key(round)
        replay(round=found, kind=values["kind"], actor=client_of(request).person, reason=REASON)
        return Response(RoundShape(round_by_key(round)).data)


class RoundRelease(Endpoint):
    scopes = WRITES

    @extend_schema(
        operation_id="release_round",
        summary="Hand all bets back and open betting anew",
        description="Answers the round that follows. Only where the book releases bets.",
        request=GroundBody,
        responses={201: RoundShape, **REFUSED},
    )
    def post(self, request: Request, round: str) -> Response:
        values = read_body(GroundBody, request)
        following = release(
            round=round_by_key(round),
            kind=values["kind"],
            actor=client_of(request).person,
            reason=REASON,
        )
        return Response(RoundShape(following).data, status=201)


class Incidents(Endpoint):
    scopes = WRITES

    @extend_schema(
        operation_id="raise_incident",
        summary="Raise an incident",
        description=(
            "200 with the first one where the same client raised the same incident, in the same "
            "words about the same place, and it is still open."
        ),
        request=IncidentBody,
        responses={200: IncidentShape, 201: IncidentShape, **REFUSED},
    )
    def post(self, request: Request) -> Response:
        values = read_body(IncidentBody, request)
        table: Table = table_by_code(values.pop("table"))
        round, shoe = values.pop("round"), values.pop("shoe")
        reported = report_incident(
            table=table,
            round=round_by_key(round) if round else None,
            shoe=shoe_by_number(table, shoe) if shoe else None,
            **values,
            actor=client_of(request).person,
            reason=REASON,
        )
        status = 200 if reported.repeated else 201
        return Response(IncidentShape(reported.incident).data, status=status)


def _newest(facts: type[Shoe] | type[Round]) -> int:
    """The highest id so far: what a service answers with a higher one is new."""
    return facts.objects.aggregate(newest=Max("pk"))["newest"] or 0


def _recorded(recorded: Recorded) -> dict[str, object]:
    assert recorded.outcome is not None
    incidents = recorded.round.incidents.select_related("table", "shoe", "round").order_by("pk")
    return {
        "round": recorded.round.key,
        "status": recorded.round.status,
        "revision": recorded.outcome.revision,
        "headline": recorded.outcome.headline,
        "outcome": recorded.outcome.outcome,
        "incidents": IncidentShape(incidents, many=True).data,
    }
