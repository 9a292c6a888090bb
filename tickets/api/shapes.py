"""How tickets and settlements look from outside; each shape is also the documentation."""

from __future__ import annotations

from typing import Final

from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers

from casino.api.fields import Amount, Flag, Id, Moment, Name, Shape, StakeText, Text
from casino.api.shapes import FaultShape, OutcomeShape

MOST_BETS: Final = 200
"""Bets that one ticket may hold."""

MOST_REFERENCE: Final = 64
"""Characters of a reference."""


class BetBody(Shape):
    """A bet as asked."""

    bet = Name()
    selection = Name(required=False, allow_blank=True, default="")
    stake = StakeText()


class TicketBody(Shape):
    """A ticket as a betting platform asks for it."""

    reference = Name(
        max_length=MOST_REFERENCE, help_text="The platform's own; unique for its operator."
    )
    round = Name()
    player = Text()
    currency = Name()
    placed_at = Moment()
    test = Flag(required=False, default=False)
    bets = BetBody(  # type: ignore[call-arg]
        many=True,
        allow_empty=False,
        max_length=MOST_BETS,
        error_messages={
            "required": "is missing.",
            "null": "may not be null.",
            "not_a_list": "is not a list.",
            "empty": "is empty; a ticket holds at least one bet.",
            "max_length": "has more than {max_length} bets.",
        },
    )


class BetFaultShape(Shape):
    """Why a bet was refused."""

    code = serializers.CharField()
    message = serializers.CharField()


class AcceptedBetShape(Shape):
    """A bet as it was taken."""

    bet = serializers.CharField()
    selection = serializers.CharField(allow_blank=True)
    stake = Amount()
    error = BetFaultShape(allow_null=True)


class AcceptedShape(Shape):
    """A ticket that was taken."""

    status_code = serializers.IntegerField(required=False, help_text="In the answer to a list.")
    reference = serializers.CharField()
    ticket = Id()
    status = serializers.ChoiceField(choices=["accepted"])
    round = serializers.CharField()
    bets = AcceptedBetShape(many=True)
    book_version = serializers.CharField()
    limit_version = serializers.CharField()


class RefusedBetShape(Shape):
    """A bet of a ticket that was refused, as asked; `error` is null where it was in order."""

    bet = serializers.CharField()
    selection = serializers.CharField(allow_blank=True)
    stake = serializers.JSONField(allow_null=True)
    error = BetFaultShape(allow_null=True)


class RefusedShape(Shape):
    """A ticket that was refused: the first fault, and one for each bet."""

    status_code = serializers.IntegerField(required=False, help_text="In the answer to a list.")
    reference = serializers.CharField()
    ticket = Id(allow_null=True)
    status = serializers.ChoiceField(choices=["refused"])
    round = serializers.CharField()
    bets = RefusedBetShape(many=True)
    error = FaultShape()


class MalformedShape(Shape):
    """An item of a list that is no ticket; `reference` as far as it could be read."""

    status_code = serializers.IntegerField()
    reference = serializers.CharField(allow_null=True)
    error = FaultShape()


class AnswersShape(Shape):
    """The answers to a list, in the order asked."""

    results = PolymorphicProxySerializer(
        component_name="Answer",
        serializers=[AcceptedShape, RefusedShape, MalformedShape],
        resource_type_field_name=None,
        many=True,
    )


class TicketShape(Shape):
    """A ticket. Its status is open until its round is settled, then settled or void."""

    ticket = Id()
    operator = serializers.CharField()
    reference = serializers.CharField()
    round = serializers.CharField()
    player = serializers.CharField()
    currency = serializers.CharField()
    test = serializers.BooleanField()
    status = serializers.CharField()
    stake = Amount()
    payout = Amount(allow_null=True, help_text="What the ledger says it pays; null while open.")
    placed_at = Moment()
    accepted_at = Moment()


class LineShape(Shape):
    """A bet of a ticket."""

    bet = serializers.CharField()
    selection = serializers.CharField(allow_blank=True)
    play = serializers.CharField(required=False)
    stake = Amount()


class SettledBetShape(Shape):
    """What became of a bet."""

    bet = serializers.CharField()
    selection = serializers.CharField(allow_blank=True)
    play = serializers.CharField(required=False)
    stake = Amount()
    result = serializers.CharField(help_text="win, push, lose, half_lose or void.")
    odds = serializers.CharField(allow_blank=True)
    payout = Amount()
    why = serializers.CharField()


class SettlementShape(Shape):
    """What a ticket pays from one settlement on, and by how much that differs from before."""

    position = serializers.CharField(help_text="Its cursor.")
    settlement = serializers.IntegerField()
    kind = serializers.CharField(help_text="settle, resettle, void or reinstate.")
    round = serializers.CharField()
    revision = serializers.IntegerField()
    ticket = Id()
    reference = serializers.CharField()
    player = serializers.CharField()
    currency = serializers.CharField()
    test = serializers.BooleanField()
    stake = Amount()
    payout = Amount()
    delta = Amount()
    result_summary = serializers.CharField()
    ruling = Id(allow_null=True)
    bets = SettledBetShape(many=True)
    settled_at = Moment()


class FeedShape(Shape):
    """A page of the feed. `held_since` says since when something holds it back."""

    results = SettlementShape(many=True)
    next = serializers.CharField(help_text="Position of the last row; it may be used for ever.")
    has_more = serializers.BooleanField()
    held_since = Moment(required=False)


class WholeTicketShape(TicketShape):
    """A ticket with its bets, its settlements and the outcomes that they followed."""

    book = serializers.CharField()
    game = serializers.CharField()
    book_version = serializers.CharField()
    limit_version = serializers.CharField()
    bets = LineShape(many=True)
    settlements = SettlementShape(many=True)
    outcomes = OutcomeShape(many=True)
