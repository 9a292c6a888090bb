"""Every refusal as an answer: one status for each code, and one body for all."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, OperationalError
from django.http import Http404, JsonResponse
from rest_framework import exceptions
from rest_framework.response import Response

from games.refusals import Refused

logger = logging.getLogger(__name__)

STATUS: Final = {
    "malformed": 400,
    "invalid_value": 400,
    "unauthenticated": 401,
    "not_permitted": 403,
    "not_found": 404,
    "unknown_book": 404,
    "unknown_game": 404,
    "unknown_round": 404,
    "method_not_allowed": 405,
    "conflict": 409,
    "duplicate_reference": 409,
    "too_large": 413,
    "throttled": 429,
    "internal": 500,
    "unavailable": 503,
}
"""The status of each code; every other one is a refusal by the rules, RULES."""

RULES: Final = 422

LONGEST: Final = 500
"""Characters of a message, and of the name of a field, that are repeated to whoever sent them."""

_INVALID_VALUES = {"invalid_choice", "min_value", "max_value"}


class TooLarge(exceptions.APIException):
    """A request over a size limit."""

    status_code = STATUS["too_large"]
    default_code = "too_large"


def error(refused: Refused) -> dict[str, Any]:
    """A refusal as it stands in the body of an answer."""
    field = refused.field and refused.field[:LONGEST]
    return {"code": refused.code, "message": refused.message[:LONGEST], "field": field}


def http_status(refused: Refused) -> int:
    """The HTTP status that a refusal is answered with."""
    return STATUS.get(refused.code, RULES)


def refusal(refused: Refused, **more: Any) -> Response:
    """Answer a refusal; `more` is laid beside its code and message."""
    return Response({"error": error(refused) | more}, status=http_status(refused))


def answer(exception: Exception, context: Mapping[str, Any]) -> Response | None:
    """Turn what a view raised into an answer; None leaves it to Django, as a fault of ours."""
    refused = as_refused(exception)
    if refused is None:
        return None
    response = refusal(refused)
    if isinstance(exception, exceptions.APIException):
        if isinstance(exception, exceptions.UnsupportedMediaType | exceptions.NotAcceptable):
            response.status_code = exception.status_code
        if wait := getattr(exception, "wait", None):
            response["Retry-After"] = str(math.ceil(wait))
        if header := getattr(exception, "auth_header", None):
            response["WWW-Authenticate"] = header
    elif refused.code == "unavailable":
        response["Retry-After"] = "1"
    return response


def as_refused(exception: Exception) -> Refused | None:
    """The refusal that an exception amounts to, if it is one."""
    match exception:
        case Refused():
            return exception
        case exceptions.ValidationError():
            return malformed(exception)
        case exceptions.ParseError():
            return Refused("malformed", str(exception.detail))
        case exceptions.UnsupportedMediaType() | exceptions.NotAcceptable():
            return Refused("malformed", "Bodies and answers are application/json.")
        case exceptions.NotAuthenticated():
            return Refused("unauthenticated", "Send a key as Authorization: Bearer <key>.")
        case exceptions.AuthenticationFailed():
            return Refused("unauthenticated", str(exception.detail))
        case exceptions.PermissionDenied() | PermissionDenied():
            return Refused("not_permitted", str(exception) or "This key may not do this.")
        case exceptions.NotFound() | Http404():
            return Refused("not_found", "There is nothing at this address.")
        case exceptions.MethodNotAllowed():
            return Refused("method_not_allowed", str(exception.detail))
        case exceptions.Throttled():
            return Refused("throttled", "Too many requests; see Retry-After.")
        case TooLarge():
            return Refused("too_large", str(exception.detail))
        case IntegrityError():
            logger.warning("Two requests met: %s", exception)
            return Refused(
                "conflict", "Somebody wrote the same at this moment; ask what is there and repeat."
            )
        case OperationalError():
            logger.error("The database did not answer: %s", exception)
            return Refused("unavailable", "The house cannot answer right now; try again.")
    return None


def malformed(fault: exceptions.ValidationError) -> Refused:
    """The first fault of a body, as a sentence that begins with the name of the field."""
    path, detail = _first(fault.detail, [])
    field = ".".join(path)
    code = "malformed"
    if detail.code in _INVALID_VALUES:
        code = "invalid_value"
    elif detail.code == "invalid_stake":
        code = "invalid_stake"
    return Refused(code, f"{field or 'The body'} {detail}", field or None)


def plain(refused: Refused) -> JsonResponse:
    """Answer a refusal where no view of the API does."""
    return JsonResponse({"error": error(refused)}, status=http_status(refused))


def _first(detail: Any, path: list[str]) -> tuple[list[str], exceptions.ErrorDetail]:
    if isinstance(detail, exceptions.ErrorDetail):
        return path, detail
    if isinstance(detail, Mapping):
        name, inner = next(iter(detail.items()))
        return _first(inner, path if name == "non_field_errors" else [*path, str(name)])
    assert isinstance(detail, Sequence)
    index, inner = next((index, inner) for index, inner in enumerate(detail) if inner)
    listed = isinstance(inner, Mapping)
    return _first(inner, [*path, str(index)] if listed else path)
