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
from casino.pages.floor import card
from casino.pages.outcomes import hand_of, road_sides, sides_of
from casino.pages.pictures import spoken
from casino.pages.registry import fragment, page, show
from casino.pages.states import Dealt, State, newest_outcomes, recent_rounds, states
from casino.selectors import (
    cards_used,
    game_of,
    gaming_day,
    limits_in_force,
    shoe_by_number,
    table_by_code,
)
from games.cards import DECK
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
        "gaming_day": gaming_day(where.pit, timezone.now()),
        "limits": _limits(where),
        "shoes": _shoes(where),
        "incidents": _incidents(where),
    }
    return context | _live_part(request, _state(where))


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
        "seen": _mark(state, shoe, rounds),
        "running": card(state, money=money),
        "round": state.round,
        "round_url": state.round and reverse("admin:round", args=[state.round.key]),
        "open": [_open_incident(incident) for incident in state.incidents],
        "shoe": shoe,
        "has_shoe": game.has_shoe,
        "cards_out": _cards_out(shoe) if shoe else None,
        "road_note": f"Shoe {shoe.number}" if shoe else "",
        "board": scoreboard([dealt.hand for dealt in newest], sides=roads) if roads else None,
        "rows": _rows(rounds, newest, money=money),
        "money": money,
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


def _rows(rounds: QuerySet[Round], newest: Sequence[Dealt], *, money: bool) -> list[dict[str, Any]]:
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


def _cards_out(shoe: Shoe) -> dict[str, int]:
    """Cards out of the shoe, counting the first card and those skipped with it."""
    dealt = cards_used(shoe).total() + shoe.burned
    return {"out": dealt, "all": shoe.decks * len(DECK)}


def _open_incident(incident: Incident) -> dict[str, Any]:
    return {
        "title": spoken(incident.kind),
        "note": incident.note,
        "since": incident.raised_at,
        "named": hand_of(incident.round).lower() if incident.round else "",
        "url": reverse("admin:incident", args=[incident.pk]),
    }


def _limits(where: Table) -> list[dict[str, Any]]:
    """The limits in force, currency by currency; what holds for the rest of the bets comes last."""
    bets = game_of(where).bets
    rows = []
    for currency, limits in limits_in_force(where).items():
        named = sorted(limits.bets.all(), key=lambda limit: (not limit.bet, limit.bet))
        rest = "Every other bet" if len(named) > 1 else "Every bet"
        rows += [
            {
                "title": bets[limit.bet].title if limit.bet in bets else limit.bet or rest,
                "currency": currency,
                "minimum": limit.minimum,
                "maximum": limit.maximum,
            }
            for limit in named
        ]
        if limits.table_min is not None or limits.table_max is not None:
            rows.append(
                {
                    "title": "All bets of one player",
                    "currency": currency,
                    "minimum": limits.table_min,
                    "maximum": limits.table_max,
                }
            )
    return rows


def _shoes(where: Table) -> list[Shoe]:
    return list(where.shoes.annotate(hands=Count("rounds"))[:RECENT])


def _incidents(where: Table) -> list[dict[str, Any]]:
    related = ("round", "raised_by", "closing__ruling__ruled_by", "closing__noted_by")
    recent = where.incidents.select_related(*related)
    return [
        {
            "title": spoken(incident.kind),
            "incident": incident,
            "url": incident.round and reverse("admin:round", args=[incident.round.key]),
            "closing": getattr(incident, "closing", None),
        }
        for incident in recent[:RECENT]
    ]
