"""How the floor's facts and decisions look from outside; each shape is also the documentation."""

from __future__ import annotations

import json
from typing import Any

from rest_framework import serializers

from casino.api.fields import Amount, Free, Id, Moment, Shape
from casino.models import AuditSeal, LimitSet
from games.money import format_amount


class FaultShape(Shape):
    """Why something was refused."""

    code = serializers.CharField(help_text="For machines.")
    message = serializers.CharField(help_text="A sentence for people.")
    field = serializers.CharField(
        allow_null=True, help_text="The part of the request that is at fault, as a.b.c."
    )
    incident = Id(required=False, help_text="The incident that the refused result led to.")
    status = serializers.CharField(
        required=False, help_text="The status of the round that the refused result led to."
    )


class ErrorShape(Shape):
    """A refusal."""

    error = FaultShape()


def refused(*statuses: int) -> dict[int, type[Shape]]:
    """What an endpoint refuses with: a key, a shape or a rate, and the statuses of its own."""
    return dict.fromkeys((400, 401, 403, 429, *statuses), ErrorShape)


class IncidentShape(Shape):
    """Something irregular, until a ruling answers it."""

    id = Id(source="pk")
    table = serializers.CharField(source="table.code")
    shoe = serializers.IntegerField(source="shoe.number", allow_null=True)
    round = serializers.CharField(source="round.key", allow_null=True)
    kind = serializers.CharField()
    note = serializers.CharField()
    video = serializers.CharField(allow_blank=True)
    raised_at = Moment()


class ShoeShape(Shape):
    """A shoe of a table. Its phase is open, last_hand, spent, closed or void."""

    table = serializers.CharField(source="table.code")
    number = serializers.IntegerField()
    decks = serializers.IntegerField()
    first_card = serializers.CharField(allow_blank=True)
    burned = serializers.IntegerField()
    cut = serializers.IntegerField(
        allow_null=True, help_text="How many cards from the end the cut card lies, if known."
    )
    phase = serializers.CharField()
    blue_card = serializers.CharField(
        allow_blank=True, help_text="in_hand, burn, or empty: not drawn."
    )
    opened_at = Moment()
    closed_at = Moment(allow_null=True)


class OpenedShoeShape(ShoeShape):
    """A shoe as it was opened, with the incident that a wrong burn led to."""

    incident = IncidentShape(allow_null=True)


class RoundShape(Shape):
    """A hand, spin or roll. Its status is betting, closed, on_hold, resulted or void."""

    id = serializers.CharField(source="key")
    table = serializers.CharField(source="table.code")
    rides_on = serializers.CharField(
        source="rides_on.key", allow_null=True, help_text="The round whose cards decide it."
    )
    shoe = serializers.IntegerField(source="shoe.number", allow_null=True)
    number = serializers.IntegerField()
    book = serializers.CharField()
    game = serializers.CharField()
    book_version = serializers.CharField()
    status = serializers.CharField()
    draws = Free(
        allow_null=True,
        help_text="What was drawn after betting closed, before the result; null: nothing known.",
    )
    outcome_revision = serializers.IntegerField(help_text="The newest outcome; 0: none yet.")
    settled_revision = serializers.IntegerField(help_text="The outcome that the ledger follows.")
    opened_at = Moment()
    closed_at = Moment(allow_null=True)
    resulted_at = Moment(allow_null=True)


class OutcomeShape(Shape):
    """What was recorded of a round, at first and each time that it changed.

    Its kind is result, edit, swap, void, reinstate, or ticket: the same result again, after a
    ruling about one ticket.
    """

    revision = serializers.IntegerField()
    kind = serializers.CharField()
    headline = serializers.CharField()
    outcome = Free(allow_null=True, help_text="What was dealt, in the words of the game.")
    void_ground = serializers.CharField(allow_blank=True)
    ruling = Id(source="ruling_id", allow_null=True)
    manual = serializers.BooleanField()
    recorded_at = Moment()


class RecordedShape(Shape):
    """A recorded result, with the round's incidents: what stands but must be looked at."""

    round = serializers.CharField()
    status = serializers.CharField()
    revision = serializers.IntegerField()
    headline = serializers.CharField()
    outcome = Free()
    incidents = IncidentShape(many=True)


class TotalShape(Shape):
    """What a batch came to for one operator, one currency and real or test tickets."""

    operator = serializers.CharField()
    currency = serializers.CharField()
    test = serializers.BooleanField()
    tickets = serializers.IntegerField()
    stake = Amount()
    payout = Amount()
    up = Amount(help_text="Sum of the deltas above zero.")
    down = Amount(help_text="Sum of the deltas below zero.")


class BatchShape(Shape):
    """One settlement of a round: settle, resettle, void or reinstate."""

    settlement = serializers.IntegerField(help_text="Its position in the feed, before the dot.")
    kind = serializers.CharField()
    revision = serializers.IntegerField()
    ruling = Id(allow_null=True)
    settled_at = Moment()
    totals = TotalShape(many=True, required=False, help_text="With the scope tickets:read.")


class WholeRoundShape(RoundShape):
    """A round with all that was recorded of it and every settlement that followed."""

    outcomes = OutcomeShape(many=True)
    settlements = BatchShape(many=True)


class BetLimitShape(Shape):
    """What is taken on one bet, or on one selection of it.

    An empty bet stands for every bet without a row of its own, an empty selection for every
    selection without one.
    """

    bet = serializers.CharField(allow_blank=True)
    selection = serializers.CharField(allow_blank=True)
    minimum = Amount()
    maximum = Amount()


class LimitsShape(Shape):
    """What a table takes in one currency: the caller's own limits there, or the general ones.

    `table_min` and `table_max` bound a player's stakes in a round, `payout_max` what they may
    return. What the house may have to pay on a round is bounded too, and not told here.
    """

    currency = serializers.CharField()
    version = serializers.CharField()
    effective_from = Moment()
    table_min = Amount(allow_null=True)
    table_max = Amount(allow_null=True)
    payout_max = Amount(allow_null=True)
    bets = BetLimitShape(many=True)

    def to_representation(self, limits: LimitSet) -> dict[str, Any]:
        def shown(minor: int | None) -> str | None:
            return None if minor is None else format_amount(minor, limits.currency)

        return {
            "currency": limits.currency,
            "version": str(limits.version),
            "effective_from": self.fields["effective_from"].to_representation(
                limits.effective_from
            ),
            "table_min": shown(limits.table_min),
            "table_max": shown(limits.table_max),
            "payout_max": shown(limits.payout_max),
            "bets": [
                {
                    "bet": row.bet,
                    "selection": row.selection,
                    "minimum": shown(row.minimum),
                    "maximum": shown(row.maximum),
                }
                for row in limits.bets.all()
            ],
        }


class TableShape(Shape):
    """A table with what runs there now: its shoe, its latest round, its limits."""

    table = serializers.CharField(source="table.code")
    name = serializers.CharField(source="table.name")
    pit = serializers.CharField(source="table.pit.code")
    book = serializers.CharField(source="table.book")
    game = serializers.CharField(source="table.game")
    shoe = ShoeShape(allow_null=True)
    round = RoundShape(allow_null=True)
    limits = LimitsShape(many=True)


class LeftShape(Shape):
    """An outcome revision that a ruling left behind."""

    round = serializers.CharField(source="round.key")
    revision = serializers.IntegerField()


class RulingShape(Shape):
    """A decision about a round, or about a ticket in it; or, with `round` null, about a shoe.

    Of a round: void_hand, edit, swap, reinstate, replay, release, hold, stand, void_ticket or
    reinstate_ticket; of a shoe: void_shoe, correct_shoe or stand.
    """

    id = Id(source="pk")
    kind = serializers.CharField()
    table = serializers.CharField(source="place.table.code")
    shoe = serializers.IntegerField(
        source="shoe.number", allow_null=True, help_text="The shoe that was ruled on."
    )
    round = serializers.CharField(
        source="round.key", allow_null=True, help_text="The round that was ruled on."
    )
    ground = serializers.CharField()
    note = serializers.CharField()
    evidence = serializers.CharField(allow_blank=True)
    plan = Free(help_text="What was shown to the person who ruled.")
    ruled_by = serializers.CharField()
    ruled_at = Moment()
    revision = serializers.IntegerField(
        allow_null=True, help_text="The revision that it left behind for its round, if one."
    )
    outcomes = LeftShape(
        many=True, help_text="Every revision that it left behind, riding rounds included."
    )


class EventShape(Shape):
    """A line of the decision log. `digest` seals it together with every line before it."""

    position = serializers.CharField(help_text="Its place in the log: gapless, in commit order.")
    at = Moment()
    actor = serializers.CharField()
    action = serializers.CharField()
    subject = serializers.CharField(help_text="What it is about, as kind:key.")
    reason = serializers.CharField()
    body = Free()
    digest = serializers.CharField()

    def to_representation(self, seal: AuditSeal) -> dict[str, Any]:
        event = seal.event
        return {
            "position": str(seal.position),
            "at": Moment().to_representation(event.at),
            "actor": event.actor_name,
            "action": event.action,
            "subject": event.subject,
            "reason": event.reason,
            "body": json.loads(event.body),
            "digest": bytes(seal.digest).hex(),
        }
