"""One table: the running round, the roads, the hands of a shoe, limits, shoes and incidents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Count, Max, Q, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from casino.access import RAISE_INCIDENT, STOP, VIEW_FLOOR, VIEW_MONEY, may
from casino.models import Incident, Round, Shoe, Table
from casino.pages.exposure import exposure_of
from casino.pages.floor import card, url_of_incident
from casino.pages.limits import limits_shown
from casino.pages.outcomes import hand_of, road_sides, sides_of
from casino.pages.pictures import spoken
from casino.pages.registry import fragment, page, show
from casino.pages.states import Dealt, State, newest_outcomes, recent_rounds, states
from casino.selectors import (
    cards_out,
    game_of,
    gaming_day,
    shoe_by_number,
    table_by_code,
)
from games.refusals import Refused
from games.roads import scoreboard
from tickets.selectors import open_stakes

RECENT = 10
"""Shoes and incidents that the page lists; the lists in the menu have the rest."""


@page("tables/<slug:code>/", name="table", permission=VIEW_FLOOR)
def table(request: HttpRequest, code: str) -> HttpResponse:
    """A table as it stands, with the open shoe or the one that `?shoe=` names."""
    return show(request, "pitbook/table.html", table_context(request, table_by_code(code)))


@page("tables/<slug:code>/live/", name="table_live", permission=VIEW_FLOOR, live=True)
def live(request: HttpRequest, code: str) -> HttpResponse:
    """The part of the page that moves, or nothing (204) where it shows what the caller has."""
    state = _state(table_by_code(code))
    shoe = _shoe(request, state)
    if request.GET.get("seen") == _mark(state, shoe, _rounds(state, shoe)):
        return HttpResponse(status=204)
    return fragment(request, "pitbook/table_live.html", _live_part(request, state))


def table_context(request: HttpRequest, where: Table) -> dict[str, Any]:
    """Everything that the page of a table shows to this person."""
    context = {
        "title": f"Table {where.code}",
        "table": where,
        "game": game_of(where),
        "shoes": _shoes(where),
        "incidents": _incidents(where),
    }
    return context | limits_shown(where) | _live_part(request, _state(where))


def _state(where: Table) -> State:
    return states(pk=where.pk)[0]


def _live_part(request: HttpRequest, state: State) -> dict[str, Any]:
    money = may(request.user, VIEW_MONEY)  # type: ignore[arg-type]
    shoe = _shoe(request, state)
    rounds = _rounds(state, shoe)
    newest = newest_outcomes(rounds)
    game = game_of(state.table)
    roads = road_sides(game)
    return {
        "table": state.table,
        "gaming_day": gaming_day(state.table.pit, timezone.now()),
        "seen": _mark(state, shoe, rounds),
        "running": card(state, money=money),
        "round": state.round,
        "round_url": state.round and reverse("admin:round", args=[state.round.key]),
        "open": [_open_incident(incident) for incident in state.incidents],
        "shoe": shoe,
        "has_shoe": game.has_shoe,
        "progress": progress(shoe) if shoe else None,
        "road_note": f"Shoe {shoe.number}" if shoe else "",
        "board": scoreboard([dealt.hand for dealt in newest], sides=roads) if roads else None,
        "rows": hand_rows(rounds, newest, money=money),
        "money": money,
        "exposure": exposure_of(state.round) if money and state.round else [],
        "may_raise": may(request.user, RAISE_INCIDENT),  # type: ignore[arg-type]
        "may_stop": may(request.user, STOP),  # type: ignore[arg-type]
    }


def _shoe(request: HttpRequest, state: State) -> Shoe | None:
    """The shoe that is looked at: the one asked for, the open one, or the last one."""
    number = request.GET.get("shoe", "")
    if number:
        if not number.isdecimal() or len(number) > 9:
            raise Refused("not_found", f"There is no shoe {number}.")
        return shoe_by_number(state.table, int(number))
    return state.shoe or state.table.shoes.first()


def _rounds(state: State, shoe: Shoe | None) -> QuerySet[Round]:
    """The rounds that are listed: those of the shoe, or the last ones at a table without shoes."""
    return Round.objects.filter(shoe=shoe) if shoe else recent_rounds([state])


def _mark(state: State, shoe: Shoe | None, rounds: QuerySet[Round]) -> str:
    """Changes with everything in the part that moves; a settlement moves it too."""
    revisions = rounds.order_by().aggregate(
        recorded=Sum("outcome_revision"), settled=Sum("settled_revision")
    )
    place = shoe.number if shoe else 0
    return f"{state.mark}.{place}.{revisions['recorded']}.{revisions['settled']}"


def hand_rows(
    rounds: QuerySet[Round], newest: Sequence[Dealt], *, money: bool
) -> list[dict[str, Any]]:
    """These rounds, newest first, with what they are known by.

    A round's first batch has all of its tickets; only unsettled rounds need counting.
    """
    outcomes = {dealt.round_id: dealt for dealt in newest}
    listed = list(
        rounds.order_by("-id").annotate(
            settled_tickets=Max("settlements__tickets"),
            open_incidents=Count(
                "incidents", filter=Q(incidents__closing__isnull=True), distinct=True
            ),
        )
    )
    unsettled = [round for round in listed if not round.settled_revision] if money else []
    open_tickets = {
        round_id: sum(stake.tickets for stake in stakes)
        for round_id, stakes in open_stakes(unsettled).items()
    }
    return [
        {
            "round": round,
            "url": reverse("admin:round", args=[round.key]),
            "sides": sides_of(outcome.played, outcome.outcome, size="small") if outcome else [],
            "headline": outcome.headline if outcome else "",
            "changed": outcome is not None and outcome.revision > 1,
            "settling": is_settling(round),
            "tickets": open_tickets.get(round.pk, round.settled_tickets),
            "incidents": round.open_incidents,
        }
        for round in listed
        for outcome in [outcomes.get(round.pk)]
    ]


def is_settling(round: Round) -> bool:
    """Whether the ledger has yet to follow the newest outcome."""
    return round.outcome_revision > round.settled_revision and not round.on_hold


def progress(shoe: Shoe) -> dict[str, int]:
    """How far a shoe is dealt: cards out of it, and all before its cut card or else its end."""
    return {"out": cards_out(shoe), "to": shoe.cards_to_cut or shoe.cards, "all": shoe.cards}


def _open_incident(incident: Incident) -> dict[str, Any]:
    return {
        "title": spoken(incident.kind),
        "note": incident.note,
        "since": incident.raised_at,
        "named": hand_of(incident.round).lower() if incident.round else "",
        "url": reverse("admin:incident", args=[incident.pk]),
    }


def _shoes(where: Table) -> list[Shoe]:
    return list(where.shoes.annotate(hands=Count("rounds"))[:RECENT])


def _incidents(where: Table) -> list[dict[str, Any]]:
    related = ("table", "shoe", "round", "raised_by")
    recent = where.incidents.select_related(
        *related, "closing__ruling__ruled_by", "closing__noted_by"
    )
    return [
        {
            "title": spoken(incident.kind),
            "incident": incident,
            "url": url_of_incident(incident),
            "closing": getattr(incident, "closing", None),
        }
        for incident in recent[:RECENT]
    ]
