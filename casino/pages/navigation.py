"""The menu: what a person may see, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from casino.access import (
    APPROVE,
    STOP,
    VIEW_FLOOR,
    VIEW_LOG,
    VIEW_MONEY,
    VIEW_SETUP,
    VIEW_SIGN_INS,
    may,
)
from casino.models import Person
from casino.services.approvals import waiting_for


@dataclass(frozen=True, slots=True)
class Entry:
    """A place in the menu: its words and icon, the name of its address, and who may see it.

    It is lit on every address below its own, and below those in `also`, which are relative to
    the front page. `count` says how much of it waits for a person.
    """

    title: str
    icon: str
    to: str
    permission: str
    also: tuple[str, ...] = ()
    count: Callable[[Person], int] | None = None


def _approvals(person: Person) -> int:
    return waiting_for(person).count()


MENU: tuple[tuple[str, tuple[Entry, ...]], ...] = (
    (
        "",
        (Entry("Floor", "grid_view", "floor", VIEW_FLOOR, also=("tables/", "rounds/")),),
    ),
    (
        "Money",
        (
            Entry("Tickets", "confirmation_number", "tickets", VIEW_MONEY),
            Entry("Settlements", "receipt_long", "settlements", VIEW_MONEY),
            Entry("Postings", "swap_vert", "postings", VIEW_MONEY),
            Entry("Refused tickets", "block", "refusals", VIEW_MONEY),
        ),
    ),
    (
        "Decisions",
        (
            Entry("Approvals", "how_to_reg", "approvals", APPROVE, count=_approvals),
            Entry("Rulings", "gavel", "rulings", VIEW_FLOOR),
            Entry("Incidents", "report", "incidents", VIEW_FLOOR),
            Entry("Stop switches", "dangerous", "stops", STOP),
            Entry("Decision log", "menu_book", "log", VIEW_LOG),
        ),
    ),
    (
        "Rules",
        (
            Entry("Paytables", "table_chart", "paytables", VIEW_FLOOR),
            Entry("What if", "calculate", "whatif", VIEW_FLOOR),
        ),
    ),
    (
        "House",
        (
            Entry("Pits", "domain", "casino_pit_changelist", VIEW_SETUP),
            Entry("Tables", "table_restaurant", "casino_table_changelist", VIEW_SETUP),
            Entry("Shoes", "style", "casino_shoe_changelist", VIEW_FLOOR),
            Entry("Rounds", "casino", "rounds", VIEW_FLOOR),
            Entry("Limits", "tune", "casino_limitset_changelist", VIEW_SETUP, also=("limits/",)),
            Entry("Approval policy", "policy", "policy", VIEW_SETUP),
            Entry("People", "group", "casino_person_changelist", VIEW_SETUP),
            Entry("Sign-ins", "login", "sign_ins", VIEW_SIGN_INS),
            Entry("Operators", "storefront", "casino_operator_changelist", VIEW_SETUP),
            Entry("API clients", "key", "casino_apiclient_changelist", VIEW_SETUP),
        ),
    ),
)


def sidebar(request: HttpRequest) -> list[dict[str, Any]]:
    """The menu of the person who asks, as the admin's face wants it."""
    person: Any = request.user
    front = reverse("admin:index")
    groups = []
    for title, entries in MENU:
        items = []
        for entry in entries:
            if not may(person, entry.permission):
                continue
            link = reverse(f"admin:{entry.to}")
            places = (link, *(front + place for place in entry.also))
            items.append(
                {
                    "title": entry.title,
                    "icon": entry.icon,
                    "link": link,
                    "active": request.path.startswith(places),
                    "badge": entry.count(person) if entry.count else 0,
                }
            )
        if items:
            groups.append({"title": title, "items": items})
    return groups
