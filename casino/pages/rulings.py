"""The three steps of a ruling: propose, look at what it changes, carry out exactly that.

Nothing typed is ever lost: a refusal, a conflict and the way back all show the draft again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from casino.access import RULE
from casino.models import Incident, Proposal, Round, Ruling, of_bets
from casino.pages.bets import BETS, bets_told, named_bets, typed_bets
from casino.pages.dialogs import (
    WORDS,
    Step,
    answered_from,
    ground_choices,
    leave,
    show_dialog,
    suggested_words,
)
from casino.pages.entry import entered, fields_of, is_blank, names_of, pads_of, typed_from
from casino.pages.outcomes import hand_of
from casino.pages.preview import plan_context, seal, second_person, unseal
from casino.pages.registry import fragment, page
from casino.pages.round import ground_words, refusal_of
from casino.pages.waiting import overtaken
from casino.selectors import (
    game_of,
    last_dealt,
    latest_outcome,
    open_incidents,
    round_by_key,
    rulings_about,
)
from casino.services.approvals import propose
from casino.services.plans import (
    ABOUT_BETS,
    ALLOWED_BY,
    OF_BETS,
    Draft,
    check_kind,
    needs_evidence,
    plan_ruling,
    seen_now,
)
from games import rulebook
from games.refusals import Refused

STEPS = {
    Ruling.Kind.VOID_HAND: Step(
        "Void hand",
        "Every stake goes back, unless the book pays a bet all the same.",
        "is void",
        drastic=True,
    ),
    Ruling.Kind.EDIT: Step(
        "Edit result",
        "Enter what was really dealt; the rules say what it comes to.",
        "has its result edited",
    ),
    Ruling.Kind.SWAP: Step(
        "Swap Player 1 and Player 3",
        "The whole hand was dealt in reverse: the two hands change places, all else stays.",
        "has Player 1 and Player 3 swapped",
    ),
    Ruling.Kind.REINSTATE: Step(
        "Reinstate hand",
        "The hand counts again with the outcome that was recorded last.",
        "counts again",
    ),
    Ruling.Kind.VOID_TICKET: Step(
        "Void ticket",
        "The stake comes back, whatever the hand comes to; nobody else is touched.",
        "is void",
    ),
    Ruling.Kind.REINSTATE_TICKET: Step(
        "Reinstate ticket",
        "What was void of it counts again, by the outcome that is recorded.",
        "counts again",
    ),
}


NAMED = {
    Ruling.Kind.VOID_HAND: rulebook.Action.VOID_HAND,
    Ruling.Kind.EDIT: rulebook.Action.EDIT,
    Ruling.Kind.SWAP: rulebook.Action.SWAP,
    Ruling.Kind.REINSTATE: rulebook.Action.STAND,
    Ruling.Kind.VOID_TICKET: rulebook.Action.DISCRETION,
    Ruling.Kind.REINSTATE_TICKET: rulebook.Action.STAND,
}
"""For each ruling the action by which a clause names it."""


@page("rulings/<slug:kind>/<path:key>/", name="ruling", permission=RULE, methods=("GET", "POST"))
def ruling(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Propose a ruling (GET), preview it, take it back to the form, or carry it out (POST)."""
    round = round_by_key(key)
    if request.method == "GET":
        check_kind(round, kind, actor=request.user)  # type: ignore[arg-type]
        typed = _suggested(round, kind, answered_from(request, round))
        typed |= {name: request.GET[name] for name in BETS if name in typed and name in request.GET}
        typed |= _again(round, kind, request.GET.get("again", ""))
        return _propose(request, round, kind, typed)
    if kind not in STEPS:
        raise Refused("invalid_value", f"{kind} is not a kind of ruling.")
    if "confirm" in request.POST:
        return _carry_out(request, round, kind)
    typed = {name: request.POST.get(name, "") for name in _names(round, kind)}
    if "back" in request.POST:
        return _propose(request, round, kind, typed)
    return _preview(request, round, kind, typed)


@page("readings/<path:key>/", name="ruling_reading", permission=RULE)
def reading(request: HttpRequest, key: str) -> HttpResponse:
    """What the rules make of what is in the fields: a headline, or what is wrong with it."""
    game = game_of(round_by_key(key))
    typed = {name: request.GET.get(name, "") for name in names_of(game)}
    return fragment(request, "pitbook/ruling_reading.html", _read(game, typed))


def _read(game: rulebook.Game, typed: Mapping[str, str]) -> dict[str, str]:
    if is_blank(game, typed):
        return {}
    try:
        return {"headline": game.read(entered(game, typed)).headline}
    except Refused as refusal:
        return {"fault": str(refusal)}


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
    wrong = {_place(refusal, _names(round, kind)): str(refusal)} if refusal else {}
    edits = _enters(round, kind)
    read = _read(game, typed) if kind == Ruling.Kind.EDIT else {}
    if not wrong.keys().isdisjoint({"outcome", *names_of(game)}):
        # It stands beside the cards already.
        read.pop("fault", None)
    context = read | {
        "cards": fields_of(game, typed, wrong) if edits else [],
        "pads": pads_of(game, typed, wrong) if edits else [],
        "grounds": _grounds(round, kind),
        "needs_evidence": needs_evidence(round, kind),
        "typed": typed,
        "wrong": wrong,
        "elsewhere": wrong.get(""),
        "conflict": conflict,
    }
    status = 409 if conflict else 422 if refusal else 200
    return _answer(request, round, kind, "pitbook/ruling_form.html", context, status=status)


def _names(round: Round, kind: str) -> tuple[str, ...]:
    """The names of all fields of a form."""
    if kind in ABOUT_BETS:
        return WORDS + BETS
    return WORDS + (names_of(game_of(round)) if _enters(round, kind) else ())


def _enters(round: Round, kind: str) -> bool:
    """Whether the form asks what was dealt.

    An edit does; so does the void of a hand that was not finished, where the book pays some of
    it all the same (a shuffler jam pays a blackjack and pairs already dealt).
    """
    if kind == Ruling.Kind.VOID_HAND and last_dealt(round) is None:
        grounds = game_of(round).grounds.values()
        return any(rulebook.Action.PARTIAL in ground.actions for ground in grounds)
    return kind == Ruling.Kind.EDIT


def _left_blank(round: Round, kind: str, typed: Mapping[str, str]) -> bool:
    """Whether nothing was entered where nothing has to be; an edit says what is missing."""
    if kind == Ruling.Kind.EDIT:
        return False
    return not _enters(round, kind) or is_blank(game_of(round), typed)


def _place(refusal: Refused, names: tuple[str, ...]) -> str:
    """The field that a refusal stands beside; empty where it is about none that is shown.

    A third card that was not due is a fault of both hands together.
    """
    if refusal.field in names and refusal.field not in BETS:
        return str(refusal.field)
    of_outcome = refusal.field == "outcome" or refusal.code == "invalid_outcome"
    return "outcome" if of_outcome else ""


def _preview(
    request: HttpRequest, round: Round, kind: str, typed: Mapping[str, str]
) -> HttpResponse:
    """What the ruling would change, before anybody commits it."""
    game = game_of(round)
    try:
        draft = Draft(
            kind=kind,
            ground=typed["ground"],
            note=typed["note"],
            evidence=typed["evidence"],
            outcome=None if _left_blank(round, kind, typed) else entered(game, typed),
            bets=named_bets(typed) if kind in ABOUT_BETS else None,
        )
        plan = plan_ruling(round=round, draft=draft, actor=request.user)  # type: ignore[arg-type]
    except Refused as refusal:
        return _propose(request, round, kind, typed, refusal=refusal)
    previewed = {
        "round": round.key,
        "kind": kind,
        "actor": request.user.pk,
        "ruling": max(rulings_about(round).values_list("pk", flat=True), default=0),
        "typed": dict(typed),
        "outcome": draft.outcome,
        "seen": plan.seen,
        "shown": plan.shown,
    }
    told = plan_context(plan)
    told["warnings"] += overtaken(plan)
    context = {
        "typed": typed,
        "ground": ground_words(game, draft.ground),
        "plan": told,
        "second": second_person(plan),
        "previewed": seal(previewed),
    }
    return _answer(request, round, kind, "pitbook/ruling_preview.html", context)


def _carry_out(request: HttpRequest, round: Round, kind: str) -> HttpResponse:
    """Rule exactly as previewed; the preview comes back signed, so nobody can have changed it."""
    place = {"round": round.key, "kind": kind, "actor": request.user.pk}
    previewed = unseal(request.POST.get("previewed", ""), **place)
    typed = previewed["typed"]
    try:
        ruled = propose(
            round=round,
            draft=Draft(
                kind=kind,
                ground=typed["ground"],
                note=typed["note"],
                evidence=typed["evidence"],
                outcome=previewed["outcome"],
                bets=named_bets(typed) if kind in ABOUT_BETS else None,
            ),
            seen=previewed["seen"],
            actor=request.user,  # type: ignore[arg-type]
            reason=typed["note"],
        )
    except Refused as refusal:
        round = round_by_key(round.key)
        moved = not previewed["seen"].startswith(f"{seen_now(round)} ")
        if refusal.field != "seen" and not moved:
            return _propose(request, round, kind, typed, refusal=refusal)
        conflict = _what_happened(round, previewed, refusal) | {
            "impossible": refusal_of(partial(check_kind, round, kind, actor=request.user))  # type: ignore[arg-type]
        }
        return _propose(request, round, kind, typed, conflict=conflict)
    step = _step(round, kind, typed)
    url = reverse("admin:round", args=[round.key])
    what = hand_of(round)
    if told := bets_told(ruled.bets):
        of = "Ticket" if told["whole"] else "A bet of ticket"
        what, url = f"{of} {told['reference']}", told["url"]
    if isinstance(ruled, Proposal):
        who = ruled.get_role_display().lower()
        said = f"“{step.verb}” is proposed. It waits for another person: {who}."
        return leave(request, url, said)
    tickets = f"Tickets that change: {previewed['shown']['tickets']:,}."
    return leave(request, url, f"{what} {step.done}. {tickets}")


def _step(round: Round, kind: str, typed: Mapping[str, str]) -> Step:
    """The words for a ruling, in those that its round and its bets go by."""
    step = STEPS[Ruling.Kind(kind)].at(round)
    if kind not in ABOUT_BETS:
        return step
    return replace(step, verb=of_bets(step.verb, named_bets(typed).as_data()))


def _what_happened(round: Round, previewed: Mapping[str, Any], refusal: Refused) -> dict[str, Any]:
    """What moved the round between the preview and the confirmation."""
    since = rulings_about(round).filter(pk__gt=previewed["ruling"]).select_related("ruled_by")
    outcome = latest_outcome(round)
    return {
        "what": round.worded("The hand"),
        "ruling": since.first(),
        "why": str(refusal),
        "seen": previewed["shown"]["before"],
        "now": outcome.headline if outcome else round.get_phase_display(),
    }


def _suggested(round: Round, kind: str, opened_from: Incident | None) -> dict[str, str]:
    """What the form begins with: what is on record, was refused or drawn, and what is open.

    From an incident it begins with all that the incident says, a second reading of the cards too.
    """
    game = game_of(round)
    typed = dict.fromkeys(_names(round, kind), "")
    typed |= suggested_words(round, _grounds(round, kind), opened_from)
    if _enters(round, kind):
        dealt = last_dealt(round)
        incident = opened_from or open_incidents(round=round).first()
        posted = incident.evidence if incident else None
        if dealt and not (opened_from and posted):
            posted = dealt.outcome
        typed |= typed_from(game, posted or round.draws)
    return typed


def _again(round: Round, kind: str, number: str) -> dict[str, str]:
    """What was typed for an earlier proposal of the same ruling, to propose it anew."""
    earlier = round.proposals.filter(kind=kind, pk=number).first() if number.isdecimal() else None
    if earlier is None:
        return {}
    typed = {name: getattr(earlier, name) for name in WORDS}
    if earlier.bets:
        return typed | typed_bets(earlier.bets)
    return typed | (typed_from(game_of(round), earlier.outcome) if earlier.outcome else {})


def _grounds(round: Round, kind: str) -> list[dict[str, str]]:
    """The grounds on which the round's book allows such a ruling."""
    ruled = Ruling.Kind(kind)
    among = OF_BETS if ruled in ABOUT_BETS else None
    return ground_choices(round, named=NAMED[ruled], allowed=ALLOWED_BY[ruled], among=among)


def _answer(
    request: HttpRequest,
    round: Round,
    kind: str,
    dialog: str,
    context: dict[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    """A step of a ruling as a dialog."""
    step = _step(round, kind, context["typed"])
    if kind in ABOUT_BETS:
        context["bets"] = bets_told(named_bets(context["typed"]).as_data())
    context |= {
        "title": f"{step.verb}: {round.table.code} {hand_of(round).lower()}",
        "step": step,
        "kind": kind,
        "url": reverse("admin:ruling", args=[kind, round.key]),
    }
    return show_dialog(request, round, dialog, context, status=status)
