"""Dialogs about a round or a table: what each asks for, and the page that it stands on."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from casino.models import Incident, Round, Shoe, Table
from casino.pages.registry import fragment, show
from casino.pages.round import ground_words, round_context
from casino.pages.shoe import shoe_context
from casino.pages.table import table_context
from casino.selectors import game_of, latest_outcome, open_incidents
from games.rulebook import Action

WORDS = ("ground", "note", "evidence")
"""What a person types or chooses for every decision."""


@dataclass(frozen=True, slots=True)
class Step:
    """Words for one kind of decision: its button, what it asks, and what is so afterwards.

    `drastic` ones are confirmed with a button that warns.
    """

    verb: str
    question: str
    done: str
    legend: str = "Why: the ground"
    drastic: bool = False

    def at(self, round: Round) -> Step:
        """The same step in the word that a round goes by at its table."""
        return replace(self, verb=round.worded(self.verb), question=round.worded(self.question))


Place = Round | Shoe | Table
"""What a decision can be about."""


def ground_choices(
    place: Place,
    *,
    named: Action | None = None,
    allowed: Collection[Action] = frozenset(Action),
    among: Collection[str] | None = None,
) -> list[dict[str, str]]:
    """The grounds of the book, or those `among` them, that allow one of these actions.

    Those that are open here come first, then those whose clause names the very action, then
    those that leave it to management.
    """
    game = game_of(place.table if isinstance(place, Shoe) else place)
    here: dict[str, Any] = {type(place).__name__.lower(): place}
    opened = {incident.kind for incident in open_incidents(**here)}
    grounds = [
        ground
        for ground in game.grounds.values()
        if set(allowed) & set(ground.actions) and (among is None or ground.code in among)
    ]
    grounds.sort(key=lambda ground: (ground.code not in opened, named not in ground.actions))
    return [{"code": ground.code} | ground_words(game, ground.code) for ground in grounds]


def answered_from(request: HttpRequest, place: Round | Shoe) -> Incident | None:
    """The incident of a round or shoe from which a dialog was opened, as the address names it."""
    number = request.GET.get("incident", "")
    if not number.isdecimal():
        return None
    return Incident.objects.filter(pk=number, **_about(place)).first()


def suggested_words(
    place: Round | Shoe, grounds: list[dict[str, str]], opened_from: Incident | None
) -> dict[str, str]:
    """What a decision about a place begins with: the incident it answers, as far as it fits."""
    incident = opened_from or open_incidents(**_about(place)).first()
    kind = incident.kind if incident else ""
    return {
        "ground": kind if kind in {ground["code"] for ground in grounds} else "",
        "note": opened_from.note if opened_from else "",
        "evidence": incident.video if incident else "",
    }


def _about(place: Round | Shoe) -> dict[str, Any]:
    """The incidents of a round; of a shoe those on the shoe itself, and on no hand of it."""
    return {"shoe": place, "round": None} if isinstance(place, Shoe) else {"round": place}


def show_dialog(
    request: HttpRequest,
    place: Place,
    dialog: str,
    context: dict[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    """Show a dialog: by itself where a script asked, else on the page of what it is about."""
    table = place if isinstance(place, Table) else place.table
    context = {
        "dialog_id": "pb-ruling",
        "show": True,
        "sub": _sub(place),
        "zone": table.pit.time_zone,
    } | context
    if request.headers.get("HX-Request"):
        if isinstance(place, Round):
            context = {"round": place} | context
        return fragment(request, dialog, context, status=status)
    match place:
        case Round():
            page, around = "pitbook/round.html", round_context(request, place)
        case Shoe():
            page, around = "pitbook/shoe.html", shoe_context(request, place)
        case Table():
            page, around = "pitbook/table.html", table_context(request, place)
    return show(request, page, around | context | {"dialog": dialog}, status=status)


def _sub(place: Place) -> str:
    """What stands under the title of a dialog: how things are."""
    match place:
        case Round():
            latest = latest_outcome(place)
            return latest.headline if latest else "No result recorded"
        case Shoe():
            return str(place.get_phase_display())
    return ""


def url_of(place: Place) -> str:
    """The page of a round, a shoe or a table."""
    match place:
        case Round():
            return reverse("admin:round", args=[place.key])
        case Shoe():
            return reverse("admin:shoe", args=[place.table.code, place.number])
    return reverse("admin:table", args=[place.code])


def leave(request: HttpRequest, url: str, said: str) -> HttpResponse:
    """Lead on to a page, with a sentence about what was done."""
    messages.success(request, said)
    if request.headers.get("HX-Request"):
        return HttpResponse(headers={"HX-Redirect": url})
    return redirect(url)
