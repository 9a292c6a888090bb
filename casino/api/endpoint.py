"""What every endpoint has in common: a scope for each method, strict JSON, size limits."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any, ClassVar, Final, NoReturn

from django.conf import settings
from django.http import Http404
from rest_framework.exceptions import ParseError, PermissionDenied
from rest_framework.parsers import JSONParser
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from casino.api.errors import TooLarge
from casino.api.fields import Query, Shape
from casino.models import ApiClient
from casino.models.people import Scope

ANY_SCOPE: Final = ""
"""In place of a scope: a valid key is enough."""


class StrictJSON(JSONParser):
    """JSON by the letter: UTF-8, no name twice in an object, no number that is none.

    Half a character (a lone surrogate, which only an escape can smuggle in) is refused as well:
    it can neither be stored nor sent back.
    """

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        body = stream.read()
        try:
            data = json.loads(
                body.decode(),
                object_pairs_hook=_no_name_twice,
                parse_constant=_no_constant,
                parse_float=_finite,
            )
            if b"\\ud" in body.lower():
                json.dumps(data, ensure_ascii=False).encode()
            return data
        except (ValueError, RecursionError) as error:
            raise ParseError(f"The body is not JSON: {error}") from error


class HasScope(BasePermission):
    """The key has the scope that the endpoint asks for with this method."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        assert isinstance(view, Endpoint)
        if request.auth is None:
            return False
        scope = view.scopes.get("GET" if request.method == "HEAD" else request.method or "")
        if scope and scope not in client_of(request).scopes:
            raise PermissionDenied(f"This key lacks the scope {scope}.")
        return True


class Endpoint(APIView):
    """A view of the API. `scopes` names the scope for each method that it has."""

    parser_classes = [StrictJSON]
    permission_classes = [HasScope]
    scopes: ClassVar[Mapping[str, str]] = {}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        if _length(request) > most:
            raise TooLarge(f"A body has at most {most} bytes.")
        if "HTTP_TRANSFER_ENCODING" in request.META and not _length(request):
            raise ParseError("A body comes with its Content-Length.")
        if any("\0" in str(name) for name in kwargs.values()):
            raise Http404

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        done = super().finalize_response(request, response, *args, **kwargs)
        done["Cache-Control"] = "no-store"
        return done


def client_of(request: Request) -> ApiClient:
    """The client whose key this is."""
    assert isinstance(request.auth, ApiClient)
    return request.auth


def may_see_money(request: Request) -> bool:
    """Whether the key may read tickets and settlements."""
    return Scope.TICKETS_READ in client_of(request).scopes


def read_body(shape: type[Shape], request: Request) -> dict[str, Any]:
    """The body, if it has this shape; ValidationError otherwise."""
    values: dict[str, Any] = shape().run_validation(request.data)
    return values


def read_query(shape: type[Query], request: Request) -> dict[str, Any]:
    """The parameters of the URL, if they have this shape; ValidationError otherwise."""
    values: dict[str, Any] = shape().run_validation(request.query_params)
    return values


def _length(request: Request) -> int:
    length = request.META.get("CONTENT_LENGTH") or ""
    return int(length) if length.isdecimal() else 0


def _no_name_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice!r} stands twice in one object")
    return table


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{text[:20]} is too large a number")
    return number
