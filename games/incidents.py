"""The incidents that a game knows, from the blocks that its book names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from games.values import Action, Ground

NOT_IN_DOCUMENT = "not in the document"

GROUNDS = (
    "commencement_error", "blue_card", "late_hand", "exposed_card", "unnecessary_card",
    "wrong_card", "dropped_card", "burn_error", "wrong_sequence", "reverse_dealing",
    "shuffler_jam", "deck_cleared", "bad_spin", "ball_mishandled", "wrong_direction",
    "cocked_die", "leaning_die", "stacked_die", "short_bounce", "bad_roll", "fumbled_ball",
    "foreign_object", "blackout", "no_drop", "no_outcome", "misread_result", "wrong_entry",
    "late_bet", "disconnection", "system_error", "shoe_composition", "management_discretion",
)  # fmt: skip
"""Every kind of incident there is; a book lists those that its games know."""


class BookError(ValueError):
    """A book that does not hold together; the message names the place."""


def read_grounds(
    document: str,
    entries: Iterable[Mapping[str, Any]],
    blocks: Mapping[str, Any],
    place: str,
) -> Iterator[Ground]:
    """Read the incident blocks of a game; the first block that lists a ground decides it.

    A block named without a source is a fallback that the document does not print.
    """
    seen = set()
    for entry in entries:
        check_keys(entry, {"block": str, "source": str}, place)
        printed = entry.get("source", NOT_IN_DOCUMENT)
        for code, table in blocks[entry["block"]].items():
            if code not in seen:
                seen.add(code)
                yield _ground(code, table, document, printed, f"{entry['block']}.{code}")


def source_text(document: str, place: str) -> str:
    """Name a place in a document, or say that the document has none."""
    return place if place == NOT_IN_DOCUMENT else f"{document} {place}"


def check_keys(table: Mapping[str, Any], allowed: Mapping[str, Any], place: str) -> None:
    """Raise BookError at a key that has no meaning where it stands, or at a value of another type.

    `allowed` gives the type of each key's value.
    """
    for key, value in table.items():
        if key not in allowed:
            raise BookError(f"{place}: {key!r} is not a word of this place")
        if not isinstance(value, allowed[key]) or (
            isinstance(value, bool) != (allowed[key] is bool)
        ):
            raise BookError(f"{place}: {key!r} cannot be {value!r}")


def _ground(code: str, table: Mapping[str, Any], document: str, printed: str, place: str) -> Ground:
    check_keys(table, {"actions": list, "clause": str, "place": str}, place)
    if code not in GROUNDS:
        raise BookError(f"{place}: there is no incident of this kind")
    source = source_text(document, printed)
    if printed != NOT_IN_DOCUMENT and "place" in table:
        source += f", {table['place']}"
    try:
        actions = tuple(Action(action) for action in table["actions"])
    except ValueError as error:
        raise BookError(f"{place}: {error}") from error
    return Ground(code, actions, table["clause"], source, printed != NOT_IN_DOCUMENT)
