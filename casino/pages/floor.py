"""The floor: a card a table, refreshing itself by what changed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from casino.access import VIEW_FLOOR, VIEW_MONEY, may
from casino.models import Incident, Round, Shoe
from casino.pages.outcomes import hand_of
from casino.pages.pictures import spoken
from casino.pages.registry import fragment, page, show
from casino.pages.states import State, pulse, states, with_results
from casino.selectors import game_of

ATTENTION = "attention"
STOPPED = "stopped"
IDLE = "idle"
STATES = {
    ATTENTION: "Needs a decision",
    Round.Phase.BETTING: "Betting",
    Round.Phase.CLOSED: "No more bets",
    Round.Phase.RESULTED: "Result",
    Round.Phase.VOID: "Void",
    STOPPED: "Betting stopped",
    IDLE: "No round yet",
}
"""The states that the floor can be narrowed to."""

LISTED = 4
"""Open incidents that the head of the page spells out; more are counted."""


@page("floor/", name="floor", permission=VIEW_FLOOR)
def floor(request: HttpRequest) -> HttpResponse:
    """Every table that the filters let through."""
    token = pulse()
    everywhere = states()
    context = _context(request, token, everywhere) | _choices(request, everywhere)
    return show(request, "pitbook/floor.html", context)


@page("floor/live/", name="floor_live", permission=VIEW_FLOOR, live=True)
def live(request: HttpRequest) -> HttpResponse:
    """What changed since the caller looked: nothing (204), some cards, or which cards there are.

    The caller names the `pulse` that it has and, for each card in turn, its `seen` mark.
    """
    token = pulse()
    if request.GET.get("pulse") == token:
        return HttpResponse(status=204)
    everywhere = states()
    seen = dict(word.rpartition(".")[::2] for word in request.GET.getlist("seen"))
    visible = _visible(request, everywhere)
    if [state.table.code for state in visible] != list(seen):
        context = _context(request, token, everywhere)
        answer = fragment(request, "pitbook/floor_cards.html", context)
        answer["HX-Retarget"], answer["HX-Reswap"] = "#floor", "outerHTML"
        return answer
    changed = [state for state in visible if state.mark != seen[state.table.code]]
    context = _context(request, token, everywhere, drawn=changed)
    return fragment(request, "pitbook/floor_changes.html", context)


def _context(
    request: HttpRequest,
    token: str,
    everywhere: Sequence[State],
    *,
    drawn: Sequence[State] | None = None,
) -> dict[str, Any]:
    if drawn is None:
        drawn = _visible(request, everywhere)
    money = may(request.user, VIEW_MONEY)  # type: ignore[arg-type]
    return {
        "title": "Floor",
        "pulse": token,
        "cards": [card(state, money=money) for state in with_results(drawn)],
        "summary": _summary(everywhere, money=money),
        "alerts": _alerts(everywhere),
        "query": _query(request),
    }


def card(state: State, *, money: bool) -> dict[str, Any]:
    """A table as the card component wants it; with `money`, what lies on the running round."""
    return {
        "code": state.table.code,
        "name": state.title,
        "url": reverse("admin:table", args=[state.table.code]),
        "status": state.status,
        "phase": state.phase,
        "held": [hand_of(round) for round in state.held if round != state.round],
        "since": state.since,
        "shoe": state.shoe and state.shoe.number,
        "hand": state.round and state.round.number,
        "round_word": "Hand" if game_of(state.table).has_shoe else "Round",
        "shoe_note": _shoe_note(state.shoe),
        "dealt": state.shoe and state.shoe.skipped + state.cards,
        "cards": state.shoe and state.shoe.cards,
        "cut": state.shoe and state.shoe.cards_to_cut,
        "sides": state.result.sides,
        "across": state.result.across,
        "last": _last(state),
        "headline": state.result.headline,
        "results": state.result.hands,
        "road_sides": state.result.road_sides,
        "marks": state.result.marks,
        "money": money,
        "stakes": [(stake.stake, stake.currency) for stake in state.stakes],
        "tickets": sum(stake.tickets for stake in state.stakes),
        "players": sum(stake.players for stake in state.stakes),
        "incidents": len(state.incidents),
        "alert": _alert(state.incidents[0]) if state.incidents else None,
        "stopped": state.stop.reason if state.stop else "",
        "mark": state.mark,
    }


def _last(state: State) -> str:
    """The hand that the cards are of: the running one, or the last one that had a result."""
    number = state.result.number
    if not number or state.round is None:
        return ""
    running = state.round.number == number
    return state.round.worded(f"Hand {number}" if running else f"Last: hand {number}")


def url_of_incident(incident: Incident) -> str:
    """Where an incident is decided: its round, else its shoe, else nowhere in particular."""
    if incident.round:
        return reverse("admin:round", args=[incident.round.key])
    if incident.shoe:
        return reverse("admin:shoe", args=[incident.table.code, incident.shoe.number])
    return ""


def _alert(incident: Incident) -> dict[str, Any]:
    """An open incident in words, and where it is decided."""
    round = incident.round
    return {
        "table": incident.table.code,
        "hand": hand_of(round).lower() if round else "",
        "held": bool(round and round.on_hold),
        "kind": spoken(incident.kind),
        "note": incident.note,
        "since": incident.raised_at,
        "url": reverse("admin:incident", args=[incident.pk]),
    }


def _alerts(everywhere: Sequence[State]) -> dict[str, Any]:
    """Open incidents, rounds on hold first, then the oldest."""
    found = [_alert(incident) for state in everywhere for incident in state.incidents]
    found.sort(key=lambda alert: (not alert["held"], alert["since"]))
    return {"listed": found[:LISTED], "more": len(found) - LISTED}


def _summary(everywhere: Sequence[State], *, money: bool) -> dict[str, Any]:
    counted = Counter(state.status for state in everywhere)
    staked: dict[str, int] = defaultdict(int)
    for state in everywhere:
        for stake in state.stakes:
            staked[stake.currency] += stake.stake
    return {
        "tables": len(everywhere),
        "betting": counted[Round.Phase.BETTING],
        "on_hold": counted["on_hold"],
        "incidents": sum(len(state.incidents) for state in everywhere),
        "tickets": sum(stake.tickets for state in everywhere for stake in state.stakes),
        "stakes": [(staked[currency], currency) for currency in sorted(staked)],
        "money": money,
    }


def _visible(request: HttpRequest, everywhere: Sequence[State]) -> list[State]:
    pit, game, state = (request.GET.get(name, "") for name in ("pit", "game", "state"))
    return [
        one
        for one in everywhere
        if pit in ("", one.table.pit.code)
        and game in ("", f"{one.table.book}/{one.table.game}")
        and (not state or _is_in(one, state))
    ]


def _is_in(state: State, wanted: str) -> bool:
    match wanted:
        case "attention":
            return bool(state.incidents or state.held)
        case "stopped":
            return state.stop is not None
        case "idle":
            return state.round is None
        case _:
            return state.status == wanted


def _choices(request: HttpRequest, everywhere: Sequence[State]) -> dict[str, Any]:
    """What the floor can be narrowed to, with what it is narrowed to now."""
    pits = {state.table.pit.code: state.table.pit.name for state in everywhere}
    games = {
        f"{state.table.book}/{state.table.game}": f"{state.title}, {state.table.book}"
        for state in everywhere
    }
    options = (("pit", "Pit", pits), ("game", "Game", games), ("state", "State", STATES))
    return {
        "filters": [
            {
                "name": name,
                "label": label,
                "options": [
                    (value, words, value == request.GET.get(name, ""))
                    for value, words in [("", "All"), *sorted(choices.items())]
                ],
            }
            for name, label, choices in options
        ],
    }


def _query(request: HttpRequest) -> list[tuple[str, str]]:
    """The filters in force, for the next look."""
    return [(name, request.GET[name]) for name in ("pit", "game", "state") if request.GET.get(name)]


def _shoe_note(shoe: Shoe | None) -> str:
    if shoe is None or shoe.phase == Shoe.Phase.OPEN:
        return ""
    return str(shoe.get_phase_display())
