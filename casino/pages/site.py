"""The back office: the admin's site with the house's own pages in it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import URLPattern, path
from unfold.dataclasses import Favicon
from unfold.sites import UnfoldAdminSite

from casino.pages.banner import stops_told
from casino.pages.registry import PAGES, View

MODULES = (
    "floor", "table", "round", "rulings", "quick", "approvals", "money", "ticket", "settlement",
    "shoe", "shoe_rulings", "rounds", "decisions", "ruling_record", "incident", "log", "account",
    "paytables", "whatif", "stops", "policy", "limits_file", "limit_profiles", "sign_ins",
)  # fmt: skip
"""The modules that put pages on the register."""

ICON = "pitbook/icons/pitbook.svg"


class PitbookSite(UnfoldAdminSite):
    """Pages and model lists under one roof, one sign-in and one menu."""

    def get_urls(self) -> list[URLPattern]:
        for module in MODULES:
            import_module(f"casino.pages.{module}")
        pages = [
            path(entry.route, self._mounted(entry.view), name=entry.name)
            for entry in PAGES.values()
        ]
        return pages + super().get_urls()

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The floor is where everybody begins."""
        return redirect("admin:floor")

    def password_change(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """A password goes through its service, like everything else."""
        return redirect("admin:account_password")

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        context = super().each_context(request)
        if self.has_permission(request):
            context["stops"] = stops_told()
        context["styles"] = [*context["styles"], static("pitbook/pitbook.css")]
        context["scripts"] = [*context["scripts"], static("pitbook/pitbook.js")]
        context["site_icon"] = static(ICON)
        context["site_favicons"] = [Favicon(rel="icon", type="image/svg+xml", href=static(ICON))]
        return context

    def _mounted(self, view: View) -> View:
        """Ask for a sign-in first. A script gets no sign-in form: it is told to load the page."""
        behind_sign_in = self.admin_view(view)

        def mounted(request: HttpRequest, **place: Any) -> HttpResponseBase:
            if request.headers.get("HX-Request") and not self.has_permission(request):
                return HttpResponse(status=401, headers={"HX-Refresh": "true"})
            return behind_sign_in(request, **place)

        return mounted


def icon(request: HttpRequest) -> HttpResponse:
    """Where browsers look for the house's icon unasked."""
    return redirect(static(ICON))


site = admin.site
