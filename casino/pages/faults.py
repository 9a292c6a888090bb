"""What a browser is shown where no page answers: why in words, and a way back.

Whoever is signed in sees it inside the back office's frame. A fault of ours, and whatever came
without a session, is told on a page that needs nothing: no session, no database, no other file.
Machines read the same as JSON.
"""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from casino.api.errors import plain
from casino.pages.registry import told
from games.refusals import Refused


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _alone(request, 400, "Not understood", "What was sent is not understood here.")


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _framed(request, 403, "Not for you", "Your role does not open this page.")


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _framed(request, 404, "Not found", "There is nothing at this address.")


def form_not_trusted(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The answer to a form without the token that its page gave it."""
    message = (
        "Nothing was done: the form is from before you signed in, or this browser keeps no "
        "cookies. Go back, load the page again and repeat it."
    )
    return _framed(request, 403, "Form too old", message)


def server_error(request: HttpRequest) -> HttpResponse:
    message = "It is in the log of the house. Look whether what you did was done before repeating."
    return _alone(request, 500, "Something went wrong here", message)


CODES = {400: "malformed", 403: "not_permitted", 404: "not_found", 500: "internal"}


def _framed(request: HttpRequest, status: int, title: str, message: str) -> HttpResponse:
    """Tell a person inside the frame, anybody else on a page that stands alone."""
    known = hasattr(request, "user") and admin.site.has_permission(request)
    if known and not _is_machine(request):
        return told(request, title, message, status=status)
    return _alone(request, status, title, message)


def _alone(request: HttpRequest, status: int, title: str, message: str) -> HttpResponse:
    if _is_machine(request):
        return plain(Refused(CODES[status], f"{title}. {message}"))
    page = render_to_string("pitbook/fault.html", {"title": title, "message": message})
    return HttpResponse(page, status=status)


def _is_machine(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")
