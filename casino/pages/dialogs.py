"""Dialogs about a round or a table: what each asks for, and the page that it stands on."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from casino.models import Incident, Round, Table
from casino.pages.registry import fragment, show
from casino.pages.round import ground_words, round_context
from casino.pages.table import table_context
from casino.selectors import game_of, latest_outcome, open_incidents
from games.rulebook import Action

WORDS = ("ground", "note", "evidence")
"""What a person types or chooses for every decision."""


@dataclass(frozen=True, slots=True)
class Step:
    """Words for one kind of decision: its button, what it asks, and what is so afterwards."""

    verb: str
    question: str
    done: str
    legend: str = "Why: the ground"


def ground_choices(
    place: Round | Table,
    *,
    named: Action | None = None,
    allowed: Collection[Action] = frozenset(Action),
) -> list[dict[str, str]]:
    """The grounds of the book that allow one of these actions, in its words.

    Those that are open here come first, then those whose clause names the very action, then
    those that leave it to management.
    """
    game = game_of(place)
    here: dict[str, Any] = {"round": place} if isinstance(place, Round) else {"table": place}
    opened = {incident.kind for incident in open_incidents(**here)}
    grounds = [ground for ground in game.grounds.values() if set(allowed) & set(ground.actions)]
    grounds.sort(key=lambda ground: (ground.code not in opened, named not in ground.actions))
    return [{"code": ground.code} | ground_words(game, ground.code) for ground in grounds]


def answered_from(request: HttpRequest, round: Round) -> Incident | None:
    """The incident of a round from which a dialog was opened, as the address names it."""
    number = request.GET.get("incident", "")
    return round.incidents.filter(pk=number).first() if number.isdecimal() else None


def suggested_words(
    round: Round, grounds: list[dict[str, str]], opened_from: Incident | None
) -> dict[str, str]:
    """What a decision about a round begins with: the incident it answers, as far as it fits."""
    incident = opened_from or open_incidents(round=round).first()
    kind = incident.kind if incident else ""
    return {
        "ground": kind if kind in {ground["code"] for ground in grounds} else "",
        "note": opened_from.note if opened_from else "",
        "evidence": incident.video if incident else "",
    }


def show_dialog(
    request: HttpRequest,
    place: Round | Table,
    dialog: str,
    context: dict[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    """Show a dialog: by itself where a script asked, else on the page of its round or table."""
    context = {"dialog_id": "pb-ruling", "show": True} | context
    if isinstance(place, Round):
        latest = latest_outcome(place)
        sub = latest.headline if latest else "No result recorded"
        context = {"round": place, "sub": sub} | context
    if request.headers.get("HX-Request"):
        return fragment(request, dialog, context, status=status)
    context |= {"dialog": dialog}
    if isinstance(place, Round):
        around = round_context(request, place) | context
        return show(request, "pitbook/round.html", around, status=status)
    around = table_context(request, place) | context
    return show(request, "pitbook/table.html", around, status=status)


def url_of(place: Round | Table) -> str:
    """The page of a round or table."""
    if isinstance(place, Round):
        return reverse("admin:round", args=[place.key])
    return reverse("admin:table", args=[place.code])


def leave(request: HttpRequest, url: str, said: str) -> HttpResponse:
    """Lead on to a page, with a sentence about what was done."""
    messages.success(request, said)
    if request.headers.get("HX-Request"):
        return HttpResponse(headers={"HX-Redirect": url})
    return redirect(url)
