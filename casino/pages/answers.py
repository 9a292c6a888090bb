"""What answers an incident: what its book allows on that ground, now, and for this person."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from casino.models import Incident, Person, Round, Ruling
from casino.selectors import game_of
from casino.services.holds import STANDING, check_stand
from casino.services.incidents import check_note
from casino.services.plans import ABOUT_BETS, ALLOWED_BY, check_kind
from games.refusals import Refused
from games.rulebook import Action


def answers_to(incident: Incident, person: Person) -> list[dict[str, Any]]:
    """The buttons that answer an open incident, each leading to a form that begins with it.

    The checks are those of the round's own buttons and of the services behind them.
    """
    if incident.round is None:
        noted = reverse("admin:incident_note", args=[incident.pk])
        noting = {"label": "Note and close", "tone": "", "url": noted}
        return [noting] if _passes(partial(check_note, incident, actor=person)) else []
    ground = game_of(incident.round).grounds.get(incident.kind)
    if ground is None or hasattr(incident, "closing"):
        return []
    named = urlencode({"incident": incident.pk})
    return [
        {"label": label, "tone": tone, "url": f"{url}?{named}"}
        for label, tone, url, allowed, check in _ways(incident.round, person)
        if not allowed.isdisjoint(ground.actions) and _passes(check)
    ]


def _ways(
    round: Round, person: Person
) -> Iterator[tuple[str, str, str, frozenset[Action], Callable[[], None]]]:
    """Every way to rule on a round: words, tone, address, what allows it, what checks it."""
    for kind, allowed in ALLOWED_BY.items():
        if kind in ABOUT_BETS:
            continue
        tone = "danger" if kind == Ruling.Kind.VOID_HAND else ""
        url = reverse("admin:ruling", args=[kind, round.key])
        check = partial(check_kind, round, kind, actor=person)
        yield str(Ruling.Kind(kind).label), tone, url, allowed, check
    url = reverse("admin:stand", args=[round.key])
    check = partial(check_stand, round, actor=person)
    yield str(Ruling.Kind.STAND.label), "", url, STANDING, check


def _passes(check: Callable[[], None]) -> bool:
    try:
        check()
    except Refused:
        return False
    return True
