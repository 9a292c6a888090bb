"""The feed: what was settled after a cursor."""

from __future__ import annotations

from typing import Any

import orjson
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from casino.api.endpoint import Endpoint, client_of, read_query
from casino.api.fields import Digits, Query, Text
from casino.api.shapes import refused
from casino.models.people import Scope
from tickets.api.shapes import FeedShape
from tickets.feed import MOST_ROWS, read_feed, rfc3339


class FeedQuery(Query):
    """Which page of the feed is asked for."""

    after = Text(
        required=False,
        allow_blank=True,
        default="",
        help_text="A position, as `next` gave it; left out: from the beginning.",
    )
    limit = Digits(required=False, default=MOST_ROWS, min_value=1, max_value=MOST_ROWS)


class Settlements(Endpoint):
    scopes = {"GET": Scope.TICKETS_READ}

    @extend_schema(
        operation_id="list_settlements",
        summary="Settlements after a cursor, oldest first, in commit order",
        parameters=[FeedQuery],
        responses={200: FeedShape, **refused()},
    )
    def get(self, request: Request) -> HttpResponse:
        query = read_query(FeedQuery, request)
        page = read_feed(operator=client_of(request).operator, **query)
        body: dict[str, Any] = {"results": page.rows, "next": page.next, "has_more": page.has_more}
        if page.held_since is not None:
            body["held_since"] = rfc3339(page.held_since)
        return HttpResponse(orjson.dumps(body), content_type="application/json")
