"""When a session ends: so long after the last thing that a person did."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

MINUTE = "minute"
"""In the session: the minute in which its end was last put off."""


class IdleMiddleware:
    """Prolong the session with every request, except those that a live page makes by itself.

    To the minute: the end of a session is not worth a write for every page that is looked at.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        session = request.session
        if session.accessed and SESSION_KEY in session and not getattr(request, "live", False):
            minute = int(timezone.now().timestamp() // 60)
            if session.get(MINUTE, 0) < minute:
                session[MINUTE] = minute
        return response
