"""The front door of the rules: every book, by code and edition."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from games.exposure import Exposure
from games.game import Game
from games.loading import Book, load_shelf
from games.refusals import Refused
from games.values import (
    Action,
    Bet,
    Chip,
    Ground,
    Notice,
    Outcome,
    Result,
    Rung,
    Stake,
    Verdict,
    Void,
    Wager,
)

__all__ = [
    "Action",
    "Bet",
    "Book",
    "Chip",
    "Exposure",
    "Game",
    "Ground",
    "Notice",
    "Outcome",
    "Result",
    "Rung",
    "Stake",
    "Verdict",
    "Void",
    "Wager",
    "book",
    "books",
]


def books() -> Mapping[str, Book]:
    """Give the newest edition of every book by its code."""
    return MappingProxyType({code: editions[-1] for code, editions in _shelf().items()})


def book(code: str, version: str | None = None) -> Book:
    """Find a book, in its newest edition unless a version is named; Refused `unknown_book`."""
    for edition in reversed(_shelf().get(code, ()) if isinstance(code, str) else ()):
        if version in (None, edition.version):
            return edition
    named = f"{code!r}" if version is None else f"{code!r} in version {version!r}"
    raise Refused("unknown_book", f"There is no rule book {named}.", field="book")


@cache
def _shelf() -> dict[str, list[Book]]:
    """Every edition of every book, oldest first."""
    shelf: dict[str, list[Book]] = {}
    for edition in sorted(load_shelf(), key=lambda book: int(book.version)):
        shelf.setdefault(edition.code, []).append(edition)
    return shelf
