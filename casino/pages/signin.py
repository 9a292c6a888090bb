"""The way in: who knocks, and what is said to somebody who knocked too often."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from casino.api.authentication import client_address


def address_of(request: HttpRequest) -> str | None:
    """The address that failures are counted by, past the proxies in front of the house."""
    address = client_address(request)
    return str(address) if address else None


def locked_out(
    request: HttpRequest, answer: HttpResponse | None, credentials: dict[str, Any] | None
) -> HttpResponse:
    """Say that the account is locked for this address, and for how long."""
    wait = settings.AXES_COOLOFF_TIME
    minutes = int(wait.total_seconds() // 60)
    context = admin.site.each_context(request) | {"title": "Locked", "minutes": minutes}
    locked = render(request, "pitbook/locked_out.html", context, status=429)
    locked.headers["Retry-After"] = str(int(wait.total_seconds()))
    return locked
