"""The page of house edges is what the command prints, for the books as they are."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

pytest.importorskip("django")

from casino.management.commands import house_edge
from games.rulebook import books

PAGE = Path(__file__).resolve().parents[2] / "docs" / "house-edges.md"


def printed(**options: str | None) -> str:
    out = io.StringIO()
    house_edge.Command(stdout=out).handle(format="markdown", **options)
    return out.getvalue()


def test_the_page_is_of_the_books_as_they_are() -> None:
    stated = re.findall(
        r"^`([a-z-]+)/(\w+)`, (?:\d+ decks?, )?digest `(\w+)`$", PAGE.read_text(), re.MULTILINE
    )
    assert stated == [
        (game.book, game.code, game.digest)
        for edition in books().values()
        for game in edition.games.values()
    ]


@pytest.mark.parametrize(("book", "game"), [("asia", "roulette"), ("club-b", "sic_bo")])
def test_a_section_of_the_page_is_what_the_command_prints(book: str, game: str) -> None:
    section = printed(book=book, game=game).partition("\n### ")[2].strip()
    assert f"\n### {section}\n" in PAGE.read_text()


@pytest.mark.slow
def test_the_page_is_what_the_command_prints() -> None:
    assert printed(book=None, game=None) == PAGE.read_text(), "run make docs"
