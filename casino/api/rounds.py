"""Rounds, as everybody with a key may read them.

Cards are served from recorded outcomes alone: what a sensor saw of a running round, or posted of
one that is on hold, is not here.
"""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.endpoint import ANY_SCOPE, Endpoint, client_of, may_see_money, read_query
from casino.api.fields import Name, Word
from casino.api.paging import PageQuery, newest_first, page_of
from casino.api.shapes import OutcomeShape, RoundShape, WholeRoundShape, refused
from casino.models import Operator, Round
from casino.selectors import round_by_key
from games.money import format_amount
from tickets.feed import rfc3339
from tickets.models import Settlement
from tickets.selectors import settlements_of

ON_HOLD = "on_hold"


RoundPage = page_of(RoundShape)


class RoundQuery(PageQuery):
    """Which rounds are asked for."""

    table = Name(required=False)
    status = Word(required=False, choices=[*Round.Phase.values, ON_HOLD])


class Rounds(Endpoint):
    scopes = {"GET": ANY_SCOPE}

    @extend_schema(
        operation_id="list_rounds",
        summary="Rounds, newest first",
        parameters=[RoundQuery],
        responses={200: RoundPage, **refused()},
    )
    def get(self, request: Request) -> Response:
        query = read_query(RoundQuery, request)
        rounds = Round.objects.select_related("table", "shoe", "rides_on")
        if "table" in query:
            rounds = rounds.filter(table__code=query["table"])
        if "status" in query:
            rounds = _of_status(rounds, query["status"])
        found = newest_first(rounds, after=query["after"], limit=query["limit"])
        return Response(RoundPage(found).data)


class OneRound(Endpoint):
    scopes = {"GET": ANY_SCOPE}

    @extend_schema(
        operation_id="read_round",
        summary="A round with its outcomes and settlements",
        responses={200: WholeRoundShape, **refused(404)},
    )
    def get(self, request: Request, round: str) -> Response:
        found = round_by_key(round)
        client = client_of(request)
        body = RoundShape(found).data | {
            "outcomes": OutcomeShape(found.outcomes.order_by("revision"), many=True).data,
            "settlements": [
                _batch(batch, money=may_see_money(request), operator=client.operator)
                for batch in settlements_of(found)
            ],
        }
        return Response(body)


def _of_status(rounds: QuerySet[Round], status: str) -> QuerySet[Round]:
    if status == ON_HOLD:
        return rounds.filter(on_hold=True)
    return rounds.filter(phase=status, on_hold=False)


def _batch(batch: Settlement, *, money: bool, operator: Operator | None) -> dict[str, Any]:
    """A settlement; with its totals where the key may see money, and then an operator's own."""
    body: dict[str, Any] = {
        "settlement": batch.position,
        "kind": batch.kind,
        "revision": batch.revision,
        "ruling": str(batch.ruling_id) if batch.ruling_id else None,
        "settled_at": rfc3339(batch.settled_at),
    }
    if not money:
        return body
    totals = [
        {
            "operator": total.operator.code,
            "currency": total.currency,
            "test": total.test,
            "tickets": total.tickets,
            "stake": format_amount(total.stake, total.currency),
            "payout": format_amount(total.payout, total.currency),
            "up": format_amount(total.up, total.currency),
            "down": format_amount(total.down, total.currency),
        }
        for total in batch.totals.all()
        if operator is None or total.operator_id == operator.pk
    ]
    return body | {"totals": totals}
