"""The decision log and the rulings, for a regulator's system."""

from __future__ import annotations

from django.db.models import OuterRef, Prefetch, Subquery
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.endpoint import Endpoint, read_query
from casino.api.paging import PageQuery, newest_first, page, page_of, read_number
from casino.api.shapes import EventShape, RulingShape, refused
from casino.models import AuditSeal, OutcomeRevision, Ruling
from casino.models.people import Scope

EventPage = page_of(EventShape)
RulingPage = page_of(RulingShape)


class Events(Endpoint):
    scopes = {"GET": Scope.AUDIT_READ}

    @extend_schema(
        operation_id="list_events",
        summary="The decision log after a cursor, oldest first, in commit order",
        parameters=[PageQuery],
        responses={200: EventPage, **refused()},
    )
    def get(self, request: Request) -> Response:
        query = read_query(PageQuery, request)
        after, limit = query["after"], query["limit"]
        seals = AuditSeal.objects.filter(position__gt=read_number(after or "0"))
        found = list(seals.order_by("position").select_related("event")[: limit + 1])
        shown = page(found, limit=limit, after=after or "0", key="position")
        return Response(EventPage(shown).data)


class Rulings(Endpoint):
    scopes = {"GET": Scope.AUDIT_READ}

    @extend_schema(
        operation_id="list_rulings",
        summary="Rulings, newest first",
        parameters=[PageQuery],
        responses={200: RulingPage, **refused()},
    )
    def get(self, request: Request) -> Response:
        query = read_query(PageQuery, request)
        left = OutcomeRevision.objects.select_related("round").order_by("pk")
        of_round = left.filter(ruling=OuterRef("pk"), round=OuterRef("round"))
        rulings = (
            Ruling.objects.select_related("round__table", "shoe__table", "ruled_by")
            .prefetch_related(Prefetch("outcomes", queryset=left))
            .annotate(revision=Subquery(of_round.values("revision")[:1]))
        )
        found = newest_first(rulings, after=query["after"], limit=query["limit"])
        return Response(RulingPage(found).data)
