"""The three steps of a ruling: propose, look at what it changes, carry out exactly that.

Nothing typed is ever lost: a refusal, a conflict and the way back all show the draft again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from casino.access import RULE
from casino.models import Round, Ruling
from casino.pages.entry import entered, fields_of, has_die, typed_from
from casino.pages.preview import plan_context, seal, unseal
from casino.pages.registry import fragment, page, show
from casino.pages.round import ground_words, round_context
from casino.selectors import game_of, last_dealt, latest_outcome, open_incidents, round_by_key
from casino.services import rulings
from casino.services.plans import EDITING, Draft, check_kind, plan_ruling
from games import rulebook
from games.refusals import Refused
from games.values import VOIDING

ENTRY = ("player", "banker", "unnecessary", "die")
TYPED = ("ground", "note", "evidence", *ENTRY)
"""Everything that a person types or chooses for a ruling."""


@dataclass(frozen=True, slots=True)
class Step:
    """Words for one kind of ruling."""

    verb: str
    question: str
    done: str


STEPS = {
    Ruling.Kind.VOID_HAND: Step(
        "Void hand",
        "Every stake goes back, unless the book pays a bet all the same.",
        "is void",
    ),
    Ruling.Kind.EDIT: Step(
        "Edit result",
        "Enter the cards as they were dealt; the rules say who won.",
        "has its result edited",
    ),
    Ruling.Kind.SWAP: Step(
        "Swap Player 1 and Player 3",
        "The whole hand was dealt in reverse: the two hands change places, all else stays.",
        "has Player 1 and Player 3 swapped",
    ),
    Ruling.Kind.REINSTATE: Step(
        "Reinstate hand",
        "The hand counts again with the cards that were recorded last.",
        "counts again",
    ),
}


ACTIONS = {
    Ruling.Kind.VOID_HAND: (rulebook.Action.VOID_HAND, VOIDING),
    Ruling.Kind.EDIT: (rulebook.Action.EDIT, EDITING),
    Ruling.Kind.SWAP: (rulebook.Action.SWAP, frozenset({rulebook.Action.SWAP})),
    Ruling.Kind.REINSTATE: (rulebook.Action.STAND, frozenset(rulebook.Action)),
}
"""For each ruling the action that a clause may name for it, and all that allow it."""


@page("rulings/<slug:kind>/<path:key>/", name="ruling", permission=RULE, methods=("GET", "POST"))
def ruling(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Propose a ruling (GET), preview it, take it back to the form, or carry it out (POST)."""
    round = round_by_key(key)
    if request.method == "GET":
        check_kind(round, kind, actor=request.user)  # type: ignore[arg-type]
        return _propose(request, round, kind, _suggested(round, kind))
    if kind not in STEPS:
        raise Refused("invalid_value", f"{kind} is not a kind of ruling.")
    if "confirm" in request.POST:
        return _carry_out(request, round, kind)
    typed = {name: request.POST.get(name, "") for name in TYPED}
    if "back" in request.POST:
        return _propose(request, round, kind, typed)
    return _preview(request, round, kind, typed)


@page("readings/<path:key>/", name="ruling_reading", permission=RULE)
def reading(request: HttpRequest, key: str) -> HttpResponse:
    """What the rules make of the cards in the fields: a headline, or what is wrong with them."""
    game = game_of(round_by_key(key))
    typed = {name: request.GET.get(name, "") for name in ENTRY}
    context: dict[str, Any] = {}
    if typed["player"].strip() or typed["banker"].strip():
        try:
            context["headline"] = game.read(entered(game, typed)).headline
        except Refused as refusal:
            context["fault"] = str(refusal)
    return fragment(request, "pitbook/ruling_reading.html", context)


def _propose(
    request: HttpRequest,
    round: Round,
    kind: str,
    typed: Mapping[str, str],
    *,
    refusal: Refused | None = None,
    conflict: dict[str, Any] | None = None,
) -> HttpResponse:
    """The form, with what was typed before and what was said about it."""
    game = game_of(round)
    wrong = {_place(refusal): str(refusal)} if refusal else {}
    context = {
        "fields": fields_of(game, typed, wrong) if kind == Ruling.Kind.EDIT else [],
        "die": has_die(game) and kind == Ruling.Kind.EDIT,
        "grounds": _grounds(round, kind),
        "typed": typed,
        "wrong": wrong,
        "elsewhere": wrong.get(""),
        "conflict": conflict,
    }
    status = 409 if conflict else 422 if refusal else 200
    return _answer(request, round, kind, "pitbook/ruling_form.html", context, status=status)


def _place(refusal: Refused) -> str:
    """The field that a refusal stands beside; empty where it is about none of them.

    A third card that was not due is a fault of both hands together.
    """
    if refusal.field is None and refusal.code == "invalid_outcome":
        return "outcome"
    return refusal.field if refusal.field in (*TYPED, "outcome") else ""


def _preview(
    request: HttpRequest, round: Round, kind: str, typed: Mapping[str, str]
) -> HttpResponse:
    """What the ruling would change, before anybody commits it."""
    game = game_of(round)
    draft = Draft(
        kind=kind,
        ground=typed["ground"],
        note=typed["note"],
        evidence=typed["evidence"],
        outcome=entered(game, typed) if kind == Ruling.Kind.EDIT else None,
    )
    try:
        plan = plan_ruling(round=round, draft=draft, actor=request.user)  # type: ignore[arg-type]
    except Refused as refusal:
        return _propose(request, round, kind, typed, refusal=refusal)
    previewed = {
        "round": round.key,
        "kind": kind,
        "actor": request.user.pk,
        "typed": dict(typed),
        "outcome": draft.outcome,
        "seen": plan.seen,
        "shown": plan.shown,
    }
    context = {
        "typed": typed,
        "ground": ground_words(game, draft.ground),
        "plan": plan_context(plan),
        "previewed": seal(previewed),
    }
    return _answer(request, round, kind, "pitbook/ruling_preview.html", context)


def _carry_out(request: HttpRequest, round: Round, kind: str) -> HttpResponse:
    """Rule exactly as previewed; the preview comes back signed, so nobody can have changed it."""
    place = {"round": round.key, "kind": kind, "actor": request.user.pk}
    previewed = unseal(request.POST.get("previewed", ""), **place)
    typed = previewed["typed"]
    try:
        rulings.rule(
            round=round,
            draft=Draft(
                kind=kind,
                ground=typed["ground"],
                note=typed["note"],
                evidence=typed["evidence"],
                outcome=previewed["outcome"],
            ),
            seen=previewed["seen"],
            actor=request.user,  # type: ignore[arg-type]
            reason=typed["note"],
        )
    except Refused as refusal:
        round = round_by_key(round.key)
        if refusal.field != "seen":
            return _propose(request, round, kind, typed, refusal=refusal)
        return _propose(request, round, kind, typed, conflict=_what_happened(round, previewed))
    tickets = f"Tickets that change: {previewed['shown']['tickets']:,}."
    messages.success(request, f"{_hand(round)} {STEPS[Ruling.Kind(kind)].done}. {tickets}")
    url = reverse("admin:round", args=[round.key])
    if request.headers.get("HX-Request"):
        return HttpResponse(headers={"HX-Redirect": url})
    return redirect(url)


def _what_happened(round: Round, previewed: Mapping[str, Any]) -> dict[str, Any]:
    """What moved the round between the preview and the confirmation."""
    latest = round.rulings.select_related("ruled_by").first()
    outcome = latest_outcome(round)
    return {
        "ruling": latest,
        "seen": previewed["shown"]["before"],
        "now": outcome.headline if outcome else round.get_phase_display(),
    }


def _suggested(round: Round, kind: str) -> dict[str, str]:
    """What the form begins with: the cards on record or refused, and the ground that is open."""
    game = game_of(round)
    incident = open_incidents(round=round).first()
    typed = dict.fromkeys(TYPED, "")
    allowed = {ground["code"] for ground in _grounds(round, kind)}
    if incident and incident.kind in allowed:
        typed["ground"] = incident.kind
    if incident:
        typed["evidence"] = incident.video
    if kind == Ruling.Kind.EDIT:
        posted = incident.evidence if incident else None
        dealt = last_dealt(round)
        typed |= typed_from(game, dealt.outcome if dealt else posted)
    return typed


def _grounds(round: Round, kind: str) -> list[dict[str, str]]:
    """The grounds on which the round's book allows such a ruling.

    Those that are open on the hand come first, then those whose clause names this very action,
    then those that leave it to management.
    """
    game = game_of(round)
    opened = {incident.kind for incident in open_incidents(round=round)}
    named, allowed = ACTIONS[Ruling.Kind(kind)]
    grounds = [ground for ground in game.grounds.values() if not allowed.isdisjoint(ground.actions)]
    grounds.sort(key=lambda ground: (ground.code not in opened, named not in ground.actions))
    return [{"code": ground.code} | ground_words(game, ground.code) for ground in grounds]


def _answer(
    request: HttpRequest,
    round: Round,
    kind: str,
    dialog: str,
    context: dict[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    """A step as a dialog: by itself where a script asked, else on the page of the round."""
    step = STEPS[Ruling.Kind(kind)]
    latest = latest_outcome(round)
    context = context | {
        "dialog_id": "pb-ruling",
        "title": f"{step.verb}: {round.table.code} hand {round.number}",
        "sub": latest.headline if latest else "No result recorded",
        "show": True,
        "step": step,
        "kind": kind,
        "round": round,
        "url": reverse("admin:ruling", args=[kind, round.key]),
    }
    if request.headers.get("HX-Request"):
        return fragment(request, dialog, context, status=status)
    around = round_context(request, round) | context | {"dialog": dialog}
    return show(request, "pitbook/round.html", around, status=status)


def _hand(round: Round) -> str:
    return f"Hand {round.number}" if round.shoe_id else f"Round {round.number}"
