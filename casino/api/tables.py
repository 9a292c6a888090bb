"""Tables with what runs there now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db.models import OuterRef, Subquery
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.endpoint import ANY_SCOPE, Endpoint, client_of, read_query
from casino.api.paging import PageQuery, by_code, page_of
from casino.api.shapes import TableShape, refused
from casino.models import LimitSet, Operator, Round, Shoe, Table
from casino.selectors import limits_of

TablePage = page_of(TableShape)

WITH_NAMES = ("table", "shoe", "rides_on")
"""What a round's shape names besides the round itself."""


@dataclass(frozen=True, slots=True)
class TableNow:
    """A table, its open shoe, its latest round and the limits in force, a version a currency."""

    table: Table
    shoe: Shoe | None
    round: Round | None
    limits: list[LimitSet]


class Tables(Endpoint):
    scopes = {"GET": ANY_SCOPE}

    @extend_schema(
        operation_id="list_tables",
        summary="Tables with what runs there now",
        parameters=[PageQuery],
        responses={200: TablePage, **refused()},
    )
    def get(self, request: Request) -> Response:
        query = read_query(PageQuery, request)
        tables = Table.objects.select_related("pit")
        found = by_code(tables, after=query["after"], limit=query["limit"])
        now = _as_they_are(found.results, client_of(request).operator)
        return Response(TablePage(replace(found, results=now)).data)


def _as_they_are(tables: Sequence[Table], operator: Operator | None) -> list[TableNow]:
    shoes = {
        shoe.table_id: shoe
        for shoe in Shoe.objects.filter(table__in=tables)
        .exclude(phase__in=Shoe.OVER)
        .select_related("table")
    }
    latest = Round.objects.filter(table=OuterRef("pk")).order_by("-pk").values("pk")[:1]
    numbers = Table.objects.filter(pk__in=[table.pk for table in tables]).values(
        latest=Subquery(latest)
    )
    rounds = {
        round.table_id: round
        for round in Round.objects.filter(pk__in=numbers).select_related(
            "table", "shoe", "rides_on"
        )
    }
    limits = limits_of(tables, operator)
    return [
        TableNow(
            table,
            shoes.get(table.pk),
            rounds.get(table.pk),
            list(limits[table.pk].values()) if table.pk in limits else [],
        )
        for table in tables
    ]
