"""One incident: what happened, what shows it, what the book says, and what may be done about it."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from casino.access import RULE, VIEW_FLOOR
from casino.models import Incident
from casino.pages.answers import answers_to
from casino.pages.dialogs import leave, show_dialog
from casino.pages.outcomes import across, hand_of
from casino.pages.paytables import ACTION_WORDS, OF_A_HAND
from casino.pages.pictures import spoken
from casino.pages.registry import page, show
from casino.pages.round import ground_words, posted_sides
from casino.selectors import game_of
from casino.services.incidents import check_note, note_incident
from games.refusals import Refused

RELATED = (
    "table__pit", "round__table__pit", "round__shoe", "shoe", "raised_by",
    "closing__ruling__ruled_by", "closing__noted_by",
)  # fmt: skip


@page("incidents/<int:number>/", name="incident", permission=VIEW_FLOOR)
def incident_page(request: HttpRequest, number: int) -> HttpResponse:
    """An incident at its permanent address."""
    incident = _incident(number)
    place = incident.round or incident.table
    game = game_of(place)
    ground = game.grounds.get(incident.kind)
    sides = posted_sides(game, incident)
    posted = json.dumps(incident.evidence, ensure_ascii=False) if incident.evidence else ""
    context = {
        "title": f"{spoken(incident.kind)} at {incident.table.code}",
        "incident": incident,
        "kind": spoken(incident.kind),
        "named": hand_of(incident.round).lower() if incident.round else "",
        "game": game,
        "zone": incident.table.pit.time_zone,
        "closing": getattr(incident, "closing", None),
        "sides": sides,
        "across": across(game),
        "posted": "" if sides else posted,
        "ground": ground_words(game, incident.kind),
        "allows": [
            ACTION_WORDS[action]
            for action in (ground.actions if ground else ())
            if incident.round or action not in OF_A_HAND
        ],
        "answers": answers_to(incident, request.user),  # type: ignore[arg-type]
    }
    return show(request, "pitbook/incident.html", context)


@page(
    "incidents/<int:number>/note/", name="incident_note", permission=RULE, methods=("GET", "POST")
)
def note(request: HttpRequest, number: int) -> HttpResponse:
    """End an incident that is about no round, with a note of what came of it."""
    incident = _incident(number)
    check_note(incident, actor=request.user)  # type: ignore[arg-type]
    context: dict[str, Any] = {
        "title": f"Note and close: {incident.table.code}",
        "sub": f"{spoken(incident.kind)}: {incident.note}",
        "narrow": True,
        "url": request.path,
    }
    if request.method == "POST":
        said = request.POST.get("note", "")
        try:
            note_incident(incident=incident, note=said, actor=request.user, reason=said)  # type: ignore[arg-type]
        except Refused as refusal:
            context |= {"note": said, "refusal": refusal}
        else:
            url = reverse("admin:incident", args=[number])
            return leave(request, url, "The incident is noted and closed.")
    status = 422 if "refusal" in context else 200
    return show_dialog(
        request, incident.table, "pitbook/incident_note.html", context, status=status
    )


def _incident(number: int) -> Incident:
    incident = Incident.objects.select_related(*RELATED).filter(pk=number).first()
    if incident is None:
        raise Refused("not_found", f"There is no incident {number}.")
    return incident
