"""The register of the house's own pages: none without an address, a name and a permission."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone

from casino.access import require
from casino.models import Table
from games.refusals import Refused

View = Callable[..., HttpResponseBase]

STATUSES = {
    "not_permitted": 403,
    "not_found": 404,
    "unknown_round": 404,
    "unknown_book": 404,
    "unknown_game": 404,
    "conflict": 409,
}
"""What a refusal that a page does not answer itself is answered with; anything else is a 400."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it is mounted: `admin:<name>` at `route`, for whoever has the permission.

    A live page is fetched by a script, not by a person, and does not keep a session alive.
    """

    name: str
    route: str
    permission: str
    live: bool
    view: View


PAGES: dict[str, Page] = {}


def page(
    route: str,
    *,
    name: str,
    permission: str,
    methods: tuple[str, ...] = ("GET",),
    live: bool = False,
) -> Callable[[View], View]:
    """Put a view on the register, behind its permission; what it refuses is told in words."""

    def register(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, **place: Any) -> HttpResponseBase:
            request.live = live  # type: ignore[attr-defined]
            if request.method not in methods:
                return HttpResponseNotAllowed(methods)
            try:
                require(request.user, permission)  # type: ignore[arg-type]
                if any("\0" in str(name) for name in place.values()):
                    raise Refused("not_found", "There is nothing at this address.")
                return view(request, **place)
            except Refused as refusal:
                return refused(request, refusal)

        assert name not in PAGES, f"two pages are called {name}"
        PAGES[name] = Page(name, route, permission, live, guarded)
        return guarded

    return register


def show(
    request: HttpRequest, template: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """Render a page inside the back office's frame."""
    frame = admin.site.each_context(request) | {"now": timezone.now(), "tables": _tables()}
    return TemplateResponse(request, template, frame | context, status=status)


def fragment(
    request: HttpRequest, template: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """Render a part of a page, for a script to put in its place."""
    context = {"now": timezone.now()} | context
    return TemplateResponse(request, template, context, status=status)


def refused(request: HttpRequest, refusal: Refused) -> HttpResponse:
    """Tell a person, in words, what the house does not do."""
    status = STATUSES.get(refusal.code, 400)
    titles = {403: "Not for you", 404: "Not found", 409: "Not now"}
    return told(request, titles.get(status, "Not possible"), str(refusal), status=status)


def told(request: HttpRequest, title: str, message: str, *, status: int) -> HttpResponse:
    """Say something in place of a page, or to a script in a dialog on the one that it is on."""
    context = {"title": title, "message": message}
    if request.headers.get("HX-Request"):
        return fragment(request, "pitbook/refused_dialog.html", context, status=status)
    return show(request, "pitbook/refused.html", context, status=status)


def _tables() -> list[dict[str, str]]:
    """Where the key G leads to."""
    return [
        {"code": code, "name": name, "url": reverse("admin:table", args=[code])}
        for code, name in Table.objects.values_list("code", "name")
    ]
