"""What every page and a ruling's preview cost the server, with a million tickets beside them."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.urls import NoReverseMatch, reverse

from bench.data import REASON, BenchHouse
from bench.measure import Times, report
from bench.settling import REPEATS
from casino.models import Role, Round
from casino.pages.registry import PAGES
from casino.selectors import system
from casino.services import setup
from tickets.models import Posting, Settlement, Ticket
from tickets.services.settlement import settle_due

AIM = "under 200 ms"
ORDINARY = 1200
"""Tickets of the round that a pit manager has before them at three in the morning."""


def run() -> Iterator[str]:
    """Look at every page that takes no body, then preview a ruling."""
    actor = system()
    house = BenchHouse(actor, "club-b", "dragon_tiger")
    round = house.round(ORDINARY, {"dragon": "KS", "tiger": "9H"})
    settle_due(actor=actor, round_ids=[round.pk])
    # A house that has grown to this has statistics of its tables; only the newest rows have none.
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    yield (
        f"Pages beside {Ticket.objects.count():,} tickets and {Posting.objects.count():,} "
        f"postings, a round of {ORDINARY:,} tickets in hand"
    )
    logging.disable(logging.WARNING)
    people = manager, _ = _visitor(Role.MANAGER), _visitor(Role.COMPLIANCE)
    timed = [
        (name, _median(partial(_look, visitor, address)))
        for name, address in _addresses(round).items()
        for visitor in [one for one in people if _look(one, address).status_code == 200][:1]
    ]
    slowest = sorted(timed, key=lambda row: row[1], reverse=True)
    for name, seconds in slowest[:6]:
        yield report(f"  {name}", f"{seconds * 1000:.0f} ms", AIM)
    rest = max(seconds for _, seconds in slowest[6:])
    yield report(f"  each of {len(slowest) - 6} others, at most", f"{rest * 1000:.0f} ms", AIM)
    for one, aim in ((round, AIM), (_largest(), "")):
        count = Ticket.objects.filter(round=one).count()
        took = f"{_median(partial(_preview, manager, one)) * 1000:.0f} ms"
        yield report(f"  preview of voiding a round of {count:,} tickets", took, aim)


def _visitor(role: str) -> Client:
    client = Client(SERVER_NAME="localhost")
    person = setup.create_person(
        name=f"bench-{role}",
        role=role,
        password=secrets.token_urlsafe(),
        actor=system(),
        reason=REASON,
    )
    client.force_login(person)
    return client


def _addresses(round: Round) -> dict[str, str]:
    """Every page whose address the bench can fill in; exports are files and not looked at here."""
    position = Settlement.objects.get(round=round).position
    known: dict[str, tuple[Any, ...]] = {
        "table": (round.table.code,),
        "table_live": (round.table.code,),
        "shoe": (round.table.code, 1),
        "shoe_live": (round.table.code, 1),
        "round": (round.key,),
        "round_live": (round.key,),
        "ruling": ("void_hand", round.key),
        "ticket": (Ticket.objects.filter(round=round)[0].pk,),
        "settlement": (position,),
        "settlement_verify": (position,),
        "paytable": (round.book, round.game),
    }
    addresses = {"floor": reverse("admin:floor")}
    for name in PAGES:
        try:
            addresses[name] = reverse(f"admin:{name}", args=known.get(name, ()))
        except NoReverseMatch:
            continue
    return {name: page for name, page in addresses.items() if not name.endswith("_export")}


def _look(client: Client, address: str) -> HttpResponse:
    return client.get(address)


def _preview(client: Client, round: Round) -> HttpResponse:
    form = {"ground": "exposed_card", "note": REASON, "evidence": "camera 3 03:00:12"}
    return client.post(
        reverse("admin:ruling", args=("void_hand", round.key)),
        form,
        headers={"HX-Request": "true"},
    )


def _median(do: Callable[[], HttpResponse]) -> float:
    do()
    times = Times()
    for _ in range(REPEATS):
        with times.once():
            answer = do()
        assert answer.status_code == 200, answer.status_code
    return times.median


def _largest() -> Round:
    largest = Settlement.objects.filter(kind=Settlement.Kind.SETTLE).order_by("-tickets").first()
    assert largest is not None
    return largest.round
