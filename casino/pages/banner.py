"""What is stopped, for the banner that stands on every page while a stop switch is thrown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from casino.models import Stop
from casino.pages.listing import house_zone
from casino.selectors import stops_in_force
from games.refusals import Refused
from games.rulebook import book, books


def stops_told() -> list[dict[str, Any]]:
    """The stops in force, in words; one query where nothing is stopped."""
    return in_words(stops_in_force())


def in_words(stops: Iterable[Stop]) -> list[dict[str, Any]]:
    """Stops with what they reach, and the clock that they are told by."""
    found = list(stops)
    zone = house_zone() if found else ""
    return [{"stop": stop, "what": what_is_stopped(stop), "zone": zone} for stop in found]


def what_is_stopped(stop: Stop) -> str:
    """What a stop reaches, with the game by its title."""
    if not stop.game:
        return stop.scope
    return f"{title_of(stop.book, stop.game)} {f'of {stop.book}' if stop.book else 'of every book'}"


def title_of(code: str, game: str) -> str:
    """A game's title in a book, or in the first book that has it; its code where none has."""
    for found in [book(code)] if code else books().values():
        try:
            return found.game(game).title
        except Refused:
            continue
    return game
