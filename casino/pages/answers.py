"""What answers an incident: what its book allows on that ground, now, and for this person."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from casino.models import Incident, Person, Round, Ruling, Shoe, kind_at
from casino.selectors import game_of
from casino.services.holds import STANDING, check_shoe_stands, check_stand
from casino.services.incidents import check_note
from casino.services.plans import ABOUT_BETS, ALLOWED_BY, check_kind
from casino.services.shoe_plans import WITHDRAWING, check_void_shoe
from casino.services.shoes import COMMENCEMENT, check_correction
from games.refusals import Refused
from games.rulebook import Action

Way = tuple[str, str, str, frozenset[Action], Callable[[], None]]
"""A way to rule: words, tone, address, the actions of a ground that allow it, what checks it."""


def answers_to(incident: Incident, person: Person) -> list[dict[str, Any]]:
    """The buttons that answer an open incident, each leading to a form that begins with it.

    The checks are those of the buttons of the round and the shoe, and of the services behind them.
    """
    ground = game_of(incident.round or incident.table).grounds.get(incident.kind)
    actions = ground.actions if ground and not hasattr(incident, "closing") else ()
    named = urlencode({"incident": incident.pk})
    answers = [
        {"label": label, "tone": tone, "url": f"{url}?{named}"}
        for label, tone, url, allowed, check in _ways(incident, person)
        if not allowed.isdisjoint(actions) and _passes(check)
    ]
    if _passes(partial(check_note, incident, actor=person)):
        noted = reverse("admin:incident_note", args=[incident.pk])
        answers.append({"label": "Note and close", "tone": "", "url": noted})
    return answers


def _ways(incident: Incident, person: Person) -> Iterator[Way]:
    if incident.round:
        yield from _of_round(incident.round, person)
    shoe = incident.round.shoe if incident.round else incident.shoe
    if shoe:
        yield from _of_shoe(shoe, incident, person)


def _of_round(round: Round, person: Person) -> Iterator[Way]:
    """Every way to rule on a round."""
    for kind, allowed in ALLOWED_BY.items():
        if kind in ABOUT_BETS:
            continue
        tone = "danger" if kind == Ruling.Kind.VOID_HAND else ""
        url = reverse("admin:ruling", args=[kind, round.key])
        check = partial(check_kind, round, kind, actor=person)
        yield kind_at(kind, round), tone, url, allowed, check
    url = reverse("admin:stand", args=[round.key])
    check = partial(check_stand, round, actor=person)
    yield str(Ruling.Kind.STAND.label), "", url, STANDING, check


def _of_shoe(shoe: Shoe, incident: Incident, person: Person) -> Iterator[Way]:
    """Every way to rule on a shoe; where a hand is concerned, only what the clause names."""

    def url(name: str) -> str:
        return reverse(f"admin:{name}", args=[shoe.table.code, shoe.number])

    void = partial(check_void_shoe, shoe, actor=person)
    if incident.round:
        named = frozenset({Action.VOID_SHOE})
        yield str(Ruling.Kind.VOID_SHOE.label), "danger", url("void_shoe"), named, void
        return
    if incident.kind == COMMENCEMENT:
        correct = partial(check_correction, shoe, actor=person)
        label = str(Ruling.Kind.CORRECT_SHOE.label)
        yield label, "", url("correct_shoe"), frozenset(Action), correct
    yield str(Ruling.Kind.VOID_SHOE.label), "danger", url("void_shoe"), WITHDRAWING, void
    stand = partial(check_shoe_stands, shoe, actor=person)
    yield "Let shoe stand", "", url("stand_shoe"), STANDING, stand


def _passes(check: Callable[[], None]) -> bool:
    try:
        check()
    except Refused:
        return False
    return True
