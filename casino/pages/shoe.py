"""One shoe, from its first card to its close: its hands, what was irregular, what was ruled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any

from django.db.models import Count, Max, Q, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from casino.access import APPROVE, HOLD_ROUND, RULE, VIEW_FLOOR, VIEW_MONEY, may
from casino.models import Incident, Person, Round, Shoe, of_bets
from casino.pages.floor import url_of_incident
from casino.pages.outcomes import hand_of
from casino.pages.pictures import spoken
from casino.pages.registry import fragment, page, show
from casino.pages.round import ground_words, refusal_of
from casino.pages.states import newest_outcomes
from casino.pages.table import hand_rows, progress
from casino.pages.waiting import waiting_at
from casino.selectors import (
    game_of,
    gaming_day,
    rulings_about,
    shoe_by_number,
    table_by_code,
)
from casino.services.holds import check_shoe_stands
from casino.services.shoe_plans import check_void_shoe
from casino.services.shoes import check_correction
from tickets.models import Ticket

BUTTONS: tuple[tuple[str, str, str, str, str, Callable[..., None]], ...] = (
    ("Void shoe", "void_shoe", "v", "danger", RULE, check_void_shoe),
    ("Correct commencement", "correct_shoe", "c", "", HOLD_ROUND, check_correction),
    ("Let shoe stand", "stand_shoe", "l", "", RULE, check_shoe_stands),
)
"""What may be decided about a shoe: words, page, key, tone, who may, what checks the time."""

BLUE_CARD = {
    Shoe.Phase.LAST_HAND: "Blue card in a hand, which is the last",
    Shoe.Phase.SPENT: "Blue card as the burn card",
}
"""What brought a shoe into a phase."""


@page("tables/<slug:code>/shoes/<int:number>/", name="shoe", permission=VIEW_FLOOR)
def shoe_page(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """A shoe at its permanent address."""
    shoe = shoe_by_number(table_by_code(code), number)
    return show(request, "pitbook/shoe.html", shoe_context(request, shoe))


@page(
    "tables/<slug:code>/shoes/<int:number>/live/",
    name="shoe_live",
    permission=VIEW_FLOOR,
    live=True,
)
def live(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """The shoe as it is now, or nothing (204) where the caller has seen it so."""
    shoe = shoe_by_number(table_by_code(code), number)
    if request.GET.get("seen") == _mark(shoe):
        return HttpResponse(status=204)
    return fragment(request, "pitbook/shoe_live.html", shoe_context(request, shoe))


def _mark(shoe: Shoe) -> str:
    """Changes with everything that the page shows and that can still change."""
    hands = shoe.rounds.order_by().aggregate(
        all=Count("pk"),
        betting=Count("pk", filter=Q(phase=Round.Phase.BETTING)),
        closed=Count("pk", filter=Q(phase=Round.Phase.CLOSED)),
        held=Count("pk", filter=Q(on_hold=True)),
        recorded=Sum("outcome_revision"),
        settled=Sum("settled_revision"),
    )
    incidents = _of_shoe(shoe).order_by().aggregate(all=Count("pk"), closed=Count("closing"))
    proposals = shoe.proposals.aggregate(all=Count("pk"), decided=Count("decision"))
    tickets = Ticket.objects.filter(round__shoe=shoe, round__settled_revision=0).count()
    version = shoe.history.aggregate(newest=Max("history_id"))["newest"]
    # Before there is a result, a ruling on a ticket leaves no trace in its hand.
    rulings = rulings_about(shoe).count()
    follower = shoe.table.shoes.filter(pk__gt=shoe.pk).exists()
    parts = (
        version, *hands.values(), *incidents.values(), *proposals.values(), tickets, rulings,
        follower,
    )  # fmt: skip
    return ".".join(map(str, parts))


def shoe_context(request: HttpRequest, shoe: Shoe) -> dict[str, Any]:
    """Everything that the page of a shoe shows to this person."""
    person: Any = request.user
    table, rounds = shoe.table, Round.objects.filter(shoe=shoe)
    money = may(person, VIEW_MONEY)
    incidents = list(_incidents(shoe))
    return {
        "title": f"Shoe {shoe.number} at {table.code}",
        "shoe": shoe,
        "seen": _mark(shoe),
        "table": table,
        "game": game_of(table),
        "zone": table.pit.time_zone,
        "gaming_day": gaming_day(table.pit, shoe.opened_at),
        "progress": progress(shoe),
        "money": money,
        "rows": hand_rows(rounds, newest_outcomes(rounds), money=money),
        "incidents": incidents,
        "open": [
            entry
            for entry in incidents
            if entry["closing"] is None and entry["incident"].round is None
        ],
        "waiting": waiting_at(shoe),
        "may_approve": may(person, APPROVE),
        "buttons": _buttons(shoe, person),
        "story": story(shoe),
        "before": table.shoes.filter(pk__lt=shoe.pk).first(),
        "after": table.shoes.filter(pk__gt=shoe.pk).last(),
    }


def story(shoe: Shoe) -> list[dict[str, Any]]:
    """What happened to a shoe as a whole and was decided about it or its hands, newest first."""
    events = [*_phases(shoe), *_raised(shoe), *_ruled(shoe)]
    return sorted(events, key=lambda event: event["at"], reverse=True)


def _phases(shoe: Shoe) -> Iterator[dict[str, Any]]:
    """Its opening, its blue card and its close; a void or a correction is told as the ruling."""
    versions = list(shoe.history.select_related("history_user").order_by("history_id"))
    opened = versions[0]
    first = f"First card {opened.first_card}, {opened.burned} skipped." if opened.first_card else ""
    yield _event("Opened", opened, shoe.opened_at, why=first, tone="go")
    for before, after in pairwise(versions):
        if before.phase == after.phase:
            continue
        if after.phase in BLUE_CARD:
            yield _event(BLUE_CARD[after.phase], after, after.history_date, tone="wait")
        elif after.phase == Shoe.Phase.CLOSED:
            yield _event("Closed", after, after.history_date, tone="done")


def _event(what: str, version: Any, at: Any, *, tone: str, why: str = "") -> dict[str, Any]:
    why = why or version.history_change_reason
    return {"at": at, "what": what, "who": str(version.history_user), "why": why, "tone": tone}


def _raised(shoe: Shoe) -> Iterator[dict[str, Any]]:
    for incident in _of_shoe(shoe).select_related("round", "raised_by"):
        yield {
            "at": incident.raised_at,
            "what": f"Incident{_hand(incident.round)}: {spoken(incident.kind).lower()}",
            "who": str(incident.raised_by),
            "why": incident.note,
            "tone": "alarm",
            "url": incident.round and url_of_incident(incident),
        }


def _ruled(shoe: Shoe) -> Iterator[dict[str, Any]]:
    related = ("round", "ruled_by", "approved_by", "proposal_decision")
    for ruling in rulings_about(shoe).select_related(*related):
        numbers = [str(hand["number"]) for hand in ruling.plan.get("hands", ())]
        hands = f" (void with it: hand {', '.join(numbers)})" if numbers else ""
        said = f" {ruling.approved_by}: {ruling.approval}" if ruling.approval else ""
        yield {
            "at": ruling.ruled_at,
            "what": f"{of_bets(ruling.get_kind_display(), ruling.bets)}{_hand(ruling.round)}",
            "who": ruling.by,
            "why": f"{ruling.note}{hands}{said}",
            "tone": "alarm",
            "url": ruling.round and reverse("admin:round", args=[ruling.round.key]),
        }


def _of_shoe(shoe: Shoe) -> QuerySet[Incident]:
    """Incidents on a shoe itself or any of its hands."""
    return Incident.objects.filter(Q(shoe=shoe) | Q(round__shoe=shoe))


def _hand(round: Round | None) -> str:
    return f", {hand_of(round).lower()}" if round else ""


def _incidents(shoe: Shoe) -> Iterator[dict[str, Any]]:
    game = game_of(shoe.table)
    rows = _of_shoe(shoe)
    for incident in rows.select_related(
        "table", "shoe", "round", "raised_by", "closing__ruling__ruled_by"
    ):
        yield {
            "title": spoken(incident.kind),
            "incident": incident,
            "url": url_of_incident(incident),
            "closing": getattr(incident, "closing", None),
            "ground": ground_words(game, incident.kind),
        }


def _buttons(shoe: Shoe, person: Person) -> list[dict[str, str]]:
    """What this person may decide about the shoe, each with why not now, if not now."""
    return [
        {
            "label": label,
            "key": key,
            "tone": tone,
            "url": reverse(f"admin:{name}", args=[shoe.table.code, shoe.number]),
            "refusal": refusal_of(partial(check, shoe, actor=person)),
        }
        for label, name, key, tone, permission, check in BUTTONS
        if may(person, permission)
    ]
