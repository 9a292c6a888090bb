"""The addresses of the API, version 1."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.urls import path, re_path
from django.views.decorators.csrf import csrf_exempt

import casino.api.schema
from casino.api import books, floor, log, rounds, tables
from casino.api.errors import plain
from games.refusals import Refused
from tickets.api import plays, settlements, tickets


@csrf_exempt
def nothing_here(request: HttpRequest, **_: str) -> JsonResponse:
    """The answer at an address that is none."""
    fault = Refused("not_found", "There is nothing at this address; each one ends with a slash.")
    return plain(fault)


urlpatterns = [
    path("schema/", casino.api.schema.Schema.as_view()),
    path("tables/", tables.Tables.as_view()),
    path("tables/<str:table>/shoes/", floor.Shoes.as_view()),
    path("tables/<str:table>/shoes/<int:number>/blue-card/", floor.ShoeBlueCard.as_view()),
    path("tables/<str:table>/shoes/<int:number>/close/", floor.ShoeClose.as_view()),
    path("tables/<str:table>/rounds/", floor.TableRounds.as_view()),
    path("rounds/", rounds.Rounds.as_view()),
    path("rounds/<str:round>/", rounds.OneRound.as_view()),
    path("rounds/<str:round>/close/", floor.RoundClose.as_view()),
    path("rounds/<str:round>/result/", floor.RoundResult.as_view()),
    path("rounds/<str:round>/replay/", floor.RoundReplay.as_view()),
    path("rounds/<str:round>/release/", floor.RoundRelease.as_view()),
    path("incidents/", floor.Incidents.as_view()),
    path("tickets/", tickets.Tickets.as_view()),
    path("tickets/<str:reference>/", tickets.OneTicket.as_view()),
    path("tickets/<str:reference>/plays/", plays.Plays.as_view()),
    path("settlements/", settlements.Settlements.as_view()),
    path("books/", books.Books.as_view()),
    path("books/<str:book>/<str:game>/", books.Paytable.as_view()),
    path("audit/events/", log.Events.as_view()),
    path("rulings/", log.Rulings.as_view()),
    re_path(r"^.*$", nothing_here),
]
