"""Rulings on a shoe: void it with hands that are named, previewed first; correct its beginning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Q
from django.http import HttpRequest, HttpResponse

from casino.access import HOLD_ROUND, RULE
from casino.models import Proposal, Round, Ruling, Shoe
from casino.pages.dialogs import WORDS, Step, ground_choices, leave, show_dialog, url_of
from casino.pages.entry import read_notation
from casino.pages.preview import plan_context, seal, second_person, unseal
from casino.pages.registry import page
from casino.pages.round import ground_words
from casino.pages.states import newest_outcomes
from casino.pages.waiting import overtaken
from casino.selectors import game_of, open_incidents, shoe_by_number, table_by_code
from casino.services.approvals import propose_void_shoe
from casino.services.plans import Draft
from casino.services.shoe_plans import (
    WITHDRAWING,
    check_void_shoe,
    is_running,
    may_be_named,
    plan_void_shoe,
)
from casino.services.shoes import BURN, check_correction, correct_commencement
from games import rulebook
from games.refusals import Refused

BOTH = ("GET", "POST")

VOID = Step(
    "Void shoe",
    "No further hand is dealt from it, and the running hand is void with it. Hands that had their "
    "result stand, unless you name them.",
    "is void",
    drastic=True,
)
CORRECT = Step(
    "Correct commencement",
    "Enter the first card and how many cards were skipped, as they now lie. Only until the first "
    "hand is dealt.",
    "has its commencement corrected",
)
FIELDS = ("first_card", "burned", "note", "evidence")
"""What is typed to correct a commencement."""


@page(
    "tables/<slug:code>/shoes/<int:number>/void/", name="void_shoe", permission=RULE, methods=BOTH
)
def void_shoe(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Choose hands (GET), preview what it changes, take it back to the form, or carry it out."""
    shoe = shoe_by_number(table_by_code(code), number)
    if request.method == "GET":
        check_void_shoe(shoe, actor=request.user)  # type: ignore[arg-type]
        typed = _suggested(shoe, request.GET.get("incident", "")) | _again(
            shoe, request.GET.get("again", "")
        )
        return _propose(request, shoe, typed)
    if "confirm" in request.POST:
        return _carry_out(request, shoe)
    typed = {name: request.POST.get(name, "") for name in WORDS}
    typed["hands"] = request.POST.getlist("hands")
    typed["running"] = request.POST.getlist("running")
    if "every" in request.POST:
        typed["hands"] = [round.key for round in shoe.rounds.all() if may_be_named(round)]
    if "back" in request.POST:
        return _propose(request, shoe, typed)
    return _preview(request, shoe, typed)


@page(
    "tables/<slug:code>/shoes/<int:number>/correct/", name="correct_shoe",
    permission=HOLD_ROUND, methods=BOTH,
)  # fmt: skip
def correct_shoe(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Put the first card and the burn right, before the first hand."""
    shoe = shoe_by_number(table_by_code(code), number)
    check_correction(shoe, actor=request.user)  # type: ignore[arg-type]
    if request.method == "GET":
        typed = {"first_card": shoe.first_card, "burned": _due(shoe), "note": "", "evidence": ""}
        return _ask(request, shoe, typed)
    typed = {name: request.POST.get(name, "") for name in FIELDS}
    try:
        correct_commencement(
            shoe=shoe,
            first_card=_card(typed["first_card"]),
            burned=_count(typed["burned"]),
            note=typed["note"],
            video=typed["evidence"],
            actor=request.user,  # type: ignore[arg-type]
            reason=typed["note"],
        )
    except Refused as refusal:
        return _ask(request, shoe, typed, refusal)
    return leave(request, url_of(shoe), f"Shoe {shoe.number} {CORRECT.done}.")


def _propose(
    request: HttpRequest,
    shoe: Shoe,
    typed: Mapping[str, Any],
    *,
    refusal: Refused | None = None,
    conflict: dict[str, Any] | None = None,
) -> HttpResponse:
    """The form, with what was chosen before and what was said about it."""
    wrong = _wrong(refusal, (*WORDS, "hands"))
    context = {
        "grounds": ground_choices(shoe, named=rulebook.Action.VOID_SHOE, allowed=WITHDRAWING),
        "hands": _hands(shoe, typed["hands"]),
        "evidence_when": "needed once a settled hand is void",
        "typed": typed,
        "wrong": wrong,
        "elsewhere": wrong.get(""),
        "conflict": conflict,
    }
    status = 409 if conflict else 422 if refusal else 200
    return _answer(request, shoe, VOID, "pitbook/void_shoe_form.html", context, status=status)


def _preview(request: HttpRequest, shoe: Shoe, typed: Mapping[str, Any]) -> HttpResponse:
    """What it would change, hand by hand, before anybody commits it."""
    draft = _draft(typed)
    try:
        plan = plan_void_shoe(shoe=shoe, draft=draft, actor=request.user)  # type: ignore[arg-type]
    except Refused as refusal:
        return _propose(request, shoe, typed, refusal=refusal)
    told = plan_context(plan)
    told["warnings"] += _moved_on(shoe, typed) + overtaken(plan)
    previewed = {
        "shoe": str(shoe),
        "actor": request.user.pk,
        "typed": dict(typed),
        "seen": plan.seen,
        "tickets": plan.shown["tickets"],
    }
    context = {
        "typed": typed,
        "ground": ground_words(game_of(shoe.table), draft.ground),
        "plan": told,
        "second": second_person(plan),
        "previewed": seal(previewed),
    }
    return _answer(request, shoe, VOID, "pitbook/void_shoe_preview.html", context)


def _moved_on(shoe: Shoe, typed: Mapping[str, Any]) -> list[str]:
    """Hands that were running while the form was filled in, and stand now."""
    since = shoe.rounds.filter(key__in=typed["running"]).exclude(key__in=typed["hands"])
    return [
        f"Hand {round.number} has its result meanwhile and stands unless you name it."
        for round in since.order_by("number")
        if may_be_named(round)
    ]


def _carry_out(request: HttpRequest, shoe: Shoe) -> HttpResponse:
    """Rule exactly as previewed; the preview comes back signed, so nobody can have changed it."""
    sealed = request.POST.get("previewed", "")
    previewed = unseal(sealed, shoe=str(shoe), actor=request.user.pk)
    typed = previewed["typed"]
    try:
        ruled = propose_void_shoe(
            shoe=shoe,
            draft=_draft(typed),
            seen=previewed["seen"],
            actor=request.user,  # type: ignore[arg-type]
            reason=typed["note"],
        )
    except Refused as refusal:
        if refusal.field != "seen":
            return _propose(request, shoe, typed, refusal=refusal)
        conflict = {"what": "The shoe", "why": str(refusal)}
        return _propose(request, shoe, typed, conflict=conflict)
    if isinstance(ruled, Proposal):
        who = ruled.get_role_display().lower()
        said = f"“{VOID.verb}” is proposed. It waits for another person: {who}."
        return leave(request, url_of(shoe), said)
    tickets = f"Tickets that change: {previewed['tickets']:,}."
    return leave(request, url_of(shoe), f"Shoe {shoe.number} {VOID.done}. {tickets}")


def _draft(typed: Mapping[str, Any]) -> Draft:
    words = {name: typed[name] for name in WORDS}
    return Draft(kind=Ruling.Kind.VOID_SHOE, hands=tuple(typed["hands"]), **words)


def _hands(shoe: Shoe, named: list[str]) -> list[dict[str, Any]]:
    """The hands that go with the shoe and those that may be named, newest first."""
    rounds = Round.objects.filter(shoe=shoe)
    headlines = {dealt.round_id: dealt.headline for dealt in newest_outcomes(rounds)}
    return [
        {
            "round": round,
            "headline": headlines.get(round.pk, "No result"),
            "running": is_running(round),
            "named": round.key in named,
        }
        for round in rounds.order_by("-number")
        if is_running(round) or may_be_named(round)
    ]


def _suggested(shoe: Shoe, opened_from: str) -> dict[str, Any]:
    """What the form begins with: the incident it was opened from, or one open on the shoe."""
    typed: dict[str, Any] = dict.fromkeys(WORDS, "") | {"hands": []}
    grounds = game_of(shoe.table).grounds
    own_first = sorted(
        open_incidents().filter(Q(shoe=shoe) | Q(round__shoe=shoe)),
        key=lambda incident: (str(incident.pk) != opened_from, bool(incident.round)),
    )
    for incident in own_first:
        if str(incident.pk) == opened_from:
            words = {"note": incident.note, "evidence": incident.video}
            return typed | {"ground": incident.kind} | words
        if rulebook.Action.VOID_SHOE in grounds[incident.kind].actions:
            return typed | {"ground": incident.kind, "evidence": incident.video}
    return typed


def _again(shoe: Shoe, number: str) -> dict[str, Any]:
    """What was chosen for an earlier proposal, to propose it anew."""
    earlier = shoe.proposals.filter(pk=number).first() if number.isdecimal() else None
    if earlier is None:
        return {}
    return {name: getattr(earlier, name) for name in WORDS} | {"hands": earlier.hands}


def _ask(
    request: HttpRequest, shoe: Shoe, typed: Mapping[str, Any], refusal: Refused | None = None
) -> HttpResponse:
    """The form of a correction, with what is wrong beside its fields."""
    wrong = _wrong(refusal, FIELDS)
    context = {"typed": typed, "wrong": wrong, "elsewhere": wrong.get("")}
    status = 422 if refusal else 200
    return _answer(request, shoe, CORRECT, "pitbook/correct_shoe_form.html", context, status=status)


def _wrong(refusal: Refused | None, names: tuple[str, ...]) -> dict[str, str]:
    """A refusal by the field that it stands beside; empty where it is about none of them."""
    if refusal is None:
        return {}
    return {refusal.field if refusal.field in names else "": str(refusal)}


def _answer(
    request: HttpRequest,
    shoe: Shoe,
    step: Step,
    dialog: str,
    context: dict[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    context |= {
        "title": f"{step.verb}: {shoe.table.code} shoe {shoe.number}",
        "step": step,
        "kind": Ruling.Kind.VOID_SHOE,
        "url": request.path,
    }
    return show_dialog(request, shoe, dialog, context, status=status)


def _due(shoe: Shoe) -> str:
    """How many cards the first card on record says to skip."""
    return str(BURN[shoe.first_card[0]]) if shoe.first_card else ""


def _card(typed: str) -> str:
    """A card as it was typed; what is none stays as it is, for the service to name."""
    cards = read_notation(typed)
    return cards[0] if len(cards) == 1 else typed.strip()


def _count(typed: str) -> int:
    if not typed.isdecimal() or len(typed) > 3:
        raise Refused("invalid_value", "Say how many cards were skipped.", "burned")
    return int(typed)
