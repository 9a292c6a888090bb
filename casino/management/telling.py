"""How the commands that set the house up speak: one JSON object, or one sentence of refusal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.core.management.base import CommandError
from django.db import DataError

from games.refusals import Refused

REASON: Final = "Set up by command."
"""The reason that the log has for whatever a command sets up."""


@contextmanager
def refusals_told() -> Iterator[None]:
    """Let a refusal end the command with exit status 1, its code and its sentence."""
    try:
        yield
    except Refused as refused:
        raise CommandError(f"{refused.code}: {refused.message}") from refused
    except DataError as error:
        raise CommandError("invalid_value: A value is longer than the house stores.") from error


def as_json(answer: dict[str, Any]) -> str:
    """The one line that a command prints."""
    return json.dumps(answer, ensure_ascii=False)
