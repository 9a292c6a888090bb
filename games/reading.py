"""How the plain parts of an outcome are read: keys and numbers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from games.refusals import Refused


def check_keys(raw: Any, allowed: Collection[str]) -> None:
    """Refuse `invalid_outcome` unless this is an object with none but the allowed keys."""
    if not isinstance(raw, Mapping):
        raise Refused("invalid_outcome", "An outcome is an object with named parts.")
    for key in raw:
        if key not in allowed:
            raise Refused(
                "invalid_outcome",
                f"An outcome of this game has no part {key!r}.",
                field=str(key),
            )


def read_number(raw: Mapping[str, Any], name: str, least: int, most: int) -> int:
    """Take a whole number out of an outcome; Refused `invalid_outcome` if it is out of range."""
    if name not in raw:
        raise Refused("invalid_outcome", f"{name} is missing.", field=name)
    value = raw[name]
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise Refused(
            "invalid_outcome",
            f"{name} is {value!r}, not {least} to {most}.",
            field=name,
        )
    return value
