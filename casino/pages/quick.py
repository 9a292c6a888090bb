"""What one person decides at once: a hold, letting a round stand, raising an incident."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse

from casino.access import HOLD_ROUND, RAISE_INCIDENT, RULE
from casino.models import Person, Round, Shoe, Table
from casino.pages.dialogs import (
    WORDS,
    Place,
    Step,
    answered_from,
    ground_choices,
    leave,
    show_dialog,
    suggested_words,
    url_of,
)
from casino.pages.outcomes import hand_of, place_of
from casino.pages.pictures import spoken
from casino.pages.registry import page
from casino.selectors import open_shoe_of, round_by_key, shoe_by_number, table_by_code
from casino.services.holds import (
    STANDING,
    check_hold,
    check_shoe_stands,
    check_stand,
    hold_round,
    let_shoe_stand,
    let_stand,
)
from casino.services.incidents import raise_incident
from games.refusals import Refused
from games.rulebook import Action

BOTH = ("GET", "POST")

HOLD = Step(
    "Put on hold",
    "The hand takes no more bets, and nothing is settled on it until management rules.",
    "is on hold",
)
HOLD_SETTLED = replace(
    HOLD,
    question="This hand is settled already. The hold takes nothing back: what was paid stays paid "
    "until management rules on it. It only says that the hand is in doubt, and keeps it from being "
    "settled again before the ruling.",
)
STAND = Step(
    "Let stand",
    "The hand counts as it is: its hold and its incidents end, and it settles if that was due.",
    "stands",
)
STAND_SHOE = Step(
    "Let shoe stand",
    "The shoe is dealt on. What is open on the shoe itself ends; what is open on a hand does not.",
    "stands",
)
RAISE = Step(
    "Raise incident",
    "Raising an incident stops nothing by itself. It stays on the floor until it is ruled on.",
    "Raised",
    legend="What happened, in the words of the book",
)


@page("holds/<path:key>/", name="hold", permission=HOLD_ROUND, methods=BOTH)
def hold(request: HttpRequest, key: str) -> HttpResponse:
    """Put a round on hold at once."""
    round = round_by_key(key)
    check_hold(round, actor=request.user)  # type: ignore[arg-type]
    step = (HOLD_SETTLED if round.settled_revision else HOLD).at(round)
    return _decide(request, round, step, partial(_rule, hold_round, round, step))


@page(
    "tables/<slug:code>/shoes/<int:number>/stand/", name="stand_shoe", permission=RULE,
    methods=BOTH,
)  # fmt: skip
def stand_shoe(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Let a shoe stand as it is."""
    shoe = shoe_by_number(table_by_code(code), number)
    check_shoe_stands(shoe, actor=request.user)  # type: ignore[arg-type]
    return _decide(request, shoe, STAND_SHOE, partial(_let_shoe_stand, shoe))


@page("stands/<path:key>/", name="stand", permission=RULE, methods=BOTH)
def stand(request: HttpRequest, key: str) -> HttpResponse:
    """Let a round stand as it is."""
    round = round_by_key(key)
    check_stand(round, actor=request.user)  # type: ignore[arg-type]
    step = STAND.at(round)
    return _decide(request, round, step, partial(_rule, let_stand, round, step))


@page(
    "incidents/raise/round/<path:key>/", name="raise_on_round", permission=RAISE_INCIDENT,
    methods=BOTH,
)  # fmt: skip
def raise_on_round(request: HttpRequest, key: str) -> HttpResponse:
    """Raise an incident about a round."""
    round = round_by_key(key)
    return _decide(request, round, RAISE, partial(_raise, round.table, round))


@page(
    "incidents/raise/table/<slug:code>/", name="raise_at_table", permission=RAISE_INCIDENT,
    methods=BOTH,
)  # fmt: skip
def raise_at_table(request: HttpRequest, code: str) -> HttpResponse:
    """Raise an incident about a table."""
    table = table_by_code(code)
    return _decide(request, table, RAISE, partial(_raise, table, None))


def _decide(
    request: HttpRequest,
    place: Place,
    step: Step,
    carry_out: Callable[..., str],
) -> HttpResponse:
    """Ask for ground and note (GET), and carry out what was said (POST)."""
    if request.method == "GET":
        return _ask(request, place, step, _suggested(request, place, step))
    typed = {name: request.POST.get(name, "") for name in WORDS}
    try:
        done = carry_out(request.user, typed)
    except Refused as refusal:
        return _ask(request, place, step, typed, refusal)
    return leave(request, url_of(place), done)


def _ask(
    request: HttpRequest,
    place: Place,
    step: Step,
    typed: Mapping[str, str],
    refusal: Refused | None = None,
) -> HttpResponse:
    named = {"kind": "ground", "video": "evidence"}
    field = named.get(str(refusal.field), refusal.field) if refusal else None
    wrong = {field if field in WORDS else "": str(refusal)} if refusal else {}
    where = place.code if isinstance(place, Table) else f"{place.table.code} {place_of(place)}"
    context = {
        "title": f"{step.verb}: {where}",
        "step": step,
        "grounds": _grounds(place, step),
        "typed": typed,
        "wrong": wrong,
        "elsewhere": wrong.get(""),
        "url": request.path,
    }
    dialog = "pitbook/quick_form.html"
    return show_dialog(request, place, dialog, context, status=422 if refusal else 200)


def _suggested(request: HttpRequest, place: Place, step: Step) -> dict[str, str]:
    """What the form begins with: the incident that a decision about the place answers."""
    if isinstance(place, Table) or step is RAISE:
        return dict.fromkeys(WORDS, "")
    return suggested_words(place, _grounds(place, step), answered_from(request, place))


def _grounds(place: Place, step: Step) -> list[dict[str, str]]:
    if step.verb in (STAND.verb, STAND_SHOE.verb):
        return ground_choices(place, named=Action.STAND, allowed=STANDING)
    return ground_choices(place)


def _rule(
    service: Callable[..., Any], round: Round, step: Step, person: Person, typed: Mapping[str, str]
) -> str:
    service(
        round=round,
        ground=typed["ground"],
        note=typed["note"],
        video=typed["evidence"],
        actor=person,
        reason=typed["note"],
    )
    return f"{hand_of(round)} {step.done}."


def _let_shoe_stand(shoe: Shoe, person: Person, typed: Mapping[str, str]) -> str:
    let_shoe_stand(
        shoe=shoe,
        ground=typed["ground"],
        note=typed["note"],
        video=typed["evidence"],
        actor=person,
        reason=typed["note"],
    )
    return f"Shoe {shoe.number} {STAND_SHOE.done}."


def _raise(table: Table, round: Round | None, person: Person, typed: Mapping[str, str]) -> str:
    if not typed["note"].strip():
        raise Refused("invalid_value", "Say in a note what was seen.", "note")
    incident = raise_incident(
        table=table,
        shoe=round.shoe if round else open_shoe_of(table),
        round=round,
        kind=typed["ground"],
        note=typed["note"],
        video=typed["evidence"],
        actor=person,
        reason=typed["note"],
    )
    return f"{RAISE.done}: {spoken(incident.kind)}. It waits for a ruling."
