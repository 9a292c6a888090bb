"""Who may open which address of the admin: each has a row, and every role is tried."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.http import HttpResponse
from django.test import RequestFactory
from django.urls import URLPattern, URLResolver, reverse

from casino.models import LimitSet, Pit
from casino.pages.navigation import MENU, sidebar
from casino.pages.registry import PAGES
from tests.dealing import dealt
from tests.house import PLAYER_WINS, House
from tests.web.browsing import Visitor
from tests.web.counting import nothing_written
from tests.web.test_pages_access import MATRIX as OWN_PAGES

PEOPLE = ("supervisor", "manager", "compliance", "administrator")
EVERYBODY = frozenset(PEOPLE)
FLOOR = EVERYBODY
SETUP = frozenset({"manager", "compliance", "administrator"})
LIMITS = frozenset({"manager", "administrator"})
HISTORY = frozenset({"compliance"})
SIGN_INS = frozenset({"compliance", "administrator"})
ADMINISTRATOR = frozenset({"administrator"})
NOBODY: frozenset[str] = frozenset()

SEEN = {
    "apiclient": SETUP,
    "apikey": SETUP,
    "limitset": SETUP,
    "operator": SETUP,
    "person": SETUP,
    "pit": SETUP,
    "round": FLOOR,
    "shoe": FLOOR,
    "table": SETUP,
}
"""Who sees the rows of each model."""

MATRIX: dict[str, frozenset[str]] = {
    "app_list": EVERYBODY,
    "autocomplete": NOBODY,
    "casino_apiclient_add_key": ADMINISTRATOR,
    "casino_apiclient_change_access": ADMINISTRATOR,
    "casino_apiclient_create": ADMINISTRATOR,
    "casino_apiclient_revoke_key": ADMINISTRATOR,
    "casino_limitset_file": LIMITS,
    "casino_limitset_follow": LIMITS,
    "casino_limitset_profiles": SETUP,
    "casino_limitset_set_limits": LIMITS,
    "casino_operator_create": ADMINISTRATOR,
    "casino_person_change_access": ADMINISTRATOR,
    "casino_person_change_password": ADMINISTRATOR,
    "casino_person_change_role": ADMINISTRATOR,
    "casino_person_create": ADMINISTRATOR,
    "casino_person_sign_ins": SIGN_INS,
    "casino_pit_create": ADMINISTRATOR,
    "casino_table_create": ADMINISTRATOR,
    "index": EVERYBODY,
    "jsi18n": EVERYBODY,
    "password_change": EVERYBODY,
    "password_change_done": EVERYBODY,
    "search": EVERYBODY,
}
for model, seen in SEEN.items():
    MATRIX[f"casino_{model}_changelist"] = seen
    MATRIX[f"casino_{model}_change"] = seen
    MATRIX[f"casino_{model}_add"] = NOBODY
    MATRIX[f"casino_{model}_delete"] = NOBODY
    MATRIX[f"casino_{model}_history"] = SETUP if model == "limitset" else HISTORY
    if model != "limitset":
        MATRIX[f"casino_{model}_simple_history"] = HISTORY
"""By name of address: the roles it is for."""

APART = {"login", "logout", "view_on_site"}
"""Addresses that are tested by themselves."""


def names(patterns: list[URLPattern | URLResolver]) -> Iterator[str]:
    """The names of all addresses below; one without a name leads elsewhere or nowhere."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from names(pattern.url_patterns)
        elif pattern.name:
            yield pattern.name


def path(name: str, rows: dict[str, Any]) -> str:
    """An address with something at it."""
    _, model, *rest = name.split("_") if name.startswith("casino_") else ("", "", "")
    if name == "app_list":
        return reverse("admin:app_list", args=["casino"])
    if not model or rest in (
        ["file"],
        ["profiles"],
        ["changelist"],
        ["add"],
        ["create"],
        ["set", "limits"],
    ):
        return reverse(f"admin:{name}")
    row = rows[model]
    if rest == ["simple", "history"]:
        return reverse(f"admin:{name}", args=[row.pk, row.history.first().pk])
    return reverse(f"admin:{name}", args=[row.pk])


def is_open(answer: HttpResponse) -> bool:
    """Whether a person got in; being led on to another page counts."""
    assert answer.status_code in (200, 302, 403), answer.status_code
    return answer.status_code != 403


@dealt
def paths(house: House) -> dict[str, str]:
    """Every address of the matrix, in a house that has a row of everything."""
    round = house.play(PLAYER_WINS, ("player", "10")).round
    rows = {
        "apiclient": house.north,
        "apikey": house.north.keys.first(),
        "limitset": LimitSet.objects.first(),
        "operator": house.north.operator,
        "person": house.manager,
        "pit": Pit.objects.first(),
        "round": round,
        "shoe": round.shoe,
        "table": round.table,
    }
    return {name: path(name, rows) for name in MATRIX}


def test_every_address_has_its_row() -> None:
    everything = set(names(admin.site.get_urls()))
    assert everything == set(MATRIX) | set(PAGES) | APART


@pytest.mark.parametrize("who", PEOPLE)
def test_each_role_opens_its_addresses_and_no_others(
    who: str, house: House, paths: dict[str, str], wordless: None
) -> None:
    client = Visitor(getattr(house, who)).client
    opened = {name for name, where in paths.items() if is_open(client.get(where))}
    assert opened == {name for name, people in MATRIX.items() if who in people}


@pytest.mark.parametrize("who", PEOPLE)
def test_an_empty_form_is_refused_and_writes_nothing(
    who: str, house: House, paths: dict[str, str], wordless: None
) -> None:
    client = Visitor(getattr(house, who)).client
    with nothing_written():
        answers = {name: client.post(where).status_code for name, where in paths.items()}
    for name, people in MATRIX.items():
        if who not in people:
            assert answers[name] in (403, 405), name
        assert answers[name] < 500, name


def test_a_stranger_and_a_machine_are_asked_to_sign_in(house: House, paths: dict[str, str]) -> None:
    for person in (None, house.studio.person):
        client = Visitor(person).client
        for name, where in paths.items():
            answer = client.get(where)
            assert answer.status_code == 302, name
            assert answer["Location"].startswith(reverse("admin:login")), name


def test_view_on_site_leads_nowhere(house: House) -> None:
    client = Visitor(house.administrator).client
    assert client.get(reverse("admin:view_on_site", args=[1, 1])).status_code == 404


def test_signing_out_takes_a_form(house: House) -> None:
    client = Visitor(house.manager).client
    assert client.get(reverse("admin:logout")).status_code == 405
    client.post(reverse("admin:logout"))
    assert client.get(reverse("admin:account")).status_code == 302


def test_every_action_of_the_admin_names_its_permission() -> None:
    nameless = [
        f"{type(rows).__name__}.{name}"
        for rows in admin.site._registry.values()
        for kind in ("actions_list", "actions_detail", "actions_row", "actions_submit_line")
        for name in rows._extract_action_names(getattr(rows, kind))
        if not getattr(getattr(rows, name), "allowed_permissions", None)
    ]
    assert nameless == []


def test_the_menu_has_what_a_role_may_open_and_nothing_else(house: House) -> None:
    request = RequestFactory().get(reverse("admin:floor"))
    may_open = MATRIX | {page: who for page, (who, _) in OWN_PAGES.items()}
    for who in PEOPLE:
        request.user = getattr(house, who)
        shown = {item["title"] for group in sidebar(request) for item in group["items"]}
        assert shown == {
            entry.title for _, group in MENU for entry in group if who in may_open[entry.to]
        }


def test_the_menu_is_lit_where_one_is(house: House) -> None:
    request = RequestFactory().get(reverse("admin:round", args=["bac-01-1-1"]))
    request.user = house.manager
    lit = [item["title"] for group in sidebar(request) for item in group["items"] if item["active"]]
    assert lit == ["Floor"]
