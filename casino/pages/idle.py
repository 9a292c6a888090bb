"""When a session ends: so long after the last thing that a person did."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


class IdleMiddleware:
    """Prolong the session with every request, except those that a live page makes by itself."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.session.accessed and not getattr(request, "live", False):
            request.session.modified = True
        return response
