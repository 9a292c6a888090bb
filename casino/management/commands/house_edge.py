"""`manage.py house_edge`: the exact house edge of every bet, through the rules that settle."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.game import Game
from games.refusals import Refused
from games.rulebook import book, books
from games.theory import Edge, decimal, edges, percent
from games.values import Result

ENDINGS = (Result.WIN, Result.PUSH, Result.LOSE, Result.HALF_LOSE)
"""The ways in which a bet can end, in the order of the columns."""

LONG = 60
"""A list of selections of more characters is counted instead."""

INTRODUCTION = """\
# House edges

What every bet of every book keeps for the house, per unit staked, and how often it ends in which
way. The figures are exact: every way in which a round can go is counted through the rules that
settle it, off the top of a full shoe, and nothing is simulated. They are rounded half up to the
digits shown; `python manage.py house_edge --format json` has twelve, and the chances as fractions.

Where a document does not print how super payouts are drawn there is no figure. A Super hand is one
in six. Blackjack is by best play against an infinite deck, its pairs and insurance from a full
shoe.

This page is made by `make docs`; do not edit it."""

_COLUMNS = ("book", "game", "bet", "selection", "house edge", "win", "push", "lose", "half lose")


class Command(BaseCommand):
    help = "Print the exact chances and the house edge of every bet; no database is needed."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--book", help="only this book")
        parser.add_argument("--game", help="only this game, in every book that has it")
        parser.add_argument("--format", choices=("table", "json", "markdown"), default="table")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            games = _games(options["book"], options["game"])
        except Refused as refused:
            raise CommandError(refused.message) from refused
        rows = ((game, edge) for game in games for edge in edges(game))
        if options["format"] == "json":
            listed = ",\n".join(json.dumps(_row(game, edge)) for game, edge in rows)
            self.stdout.write(f"[\n{listed}\n]")
            return
        if options["format"] == "markdown":
            self.stdout.write("\n".join(_document(games)))
            return
        for line in _table([_COLUMNS, *(_cells(game, edge) for game, edge in rows)]):
            self.stdout.write(line)


def _games(book_code: str | None, game_code: str | None) -> list[Game]:
    wanted = [book(book_code)] if book_code else list(books().values())
    if game_code is None:
        return [game for edition in wanted for game in edition.games.values()]
    found = [edition.games[game_code] for edition in wanted if game_code in edition.games]
    return found or [wanted[0].game(game_code)]


def _row(game: Game, edge: Edge) -> dict[str, Any]:
    row: dict[str, Any] = {
        "book": game.book,
        "game": game.code,
        "bet": edge.wager.bet,
        "selection": edge.wager.selection,
        "house_edge": None if edge.house_edge is None else decimal(edge.house_edge),
        "probabilities": {
            result: f"{chance.numerator}/{chance.denominator}"
            for result, chance in edge.probabilities.items()
        },
    }
    return row | ({"why": edge.why} if edge.why else {})


def _cells(game: Game, edge: Edge) -> tuple[str, ...]:
    head = (game.book, game.code, edge.wager.bet, edge.wager.selection)
    if edge.house_edge is None:
        return (*head, edge.why)
    chances = (
        decimal(edge.probabilities[result]) if result in edge.probabilities else ""
        for result in ENDINGS
    )
    return (*head, decimal(edge.house_edge), *chances)


def _table(rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [
        max((len(row[column]) for row in rows if len(row) > column + 1), default=0)
        for column in range(len(_COLUMNS))
    ]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=False))
        yield "  ".join(cells).rstrip()


def _document(games: Sequence[Game]) -> Iterator[str]:
    """Write the edges as a page for readers: a table a game, alike selections in one row."""
    yield INTRODUCTION
    shelf = ""
    for game in games:
        if game.book != shelf:
            shelf, edition = game.book, book(game.book)
            yield f"\n## {edition.title}: document {edition.document}, edition {edition.version}"
        decks = f"{game.decks} deck{'s' if game.decks != 1 else ''}, " if game.decks else ""
        yield f"\n### {game.title}\n"
        yield f"`{game.book}/{game.code}`, {decks}digest `{game.digest}`\n"
        yield "| Bet | Selection | House edge % | Win % | Stake back % | Lose % | Half lost % |"
        yield "|---|---|--:|--:|--:|--:|--:|"
        notes = dict.fromkeys(edge.why for edge in edges(game) if edge.why)
        marks = {why: f"({number})" for number, why in enumerate(notes, 1)}
        for alike in _alike(edges(game)):
            yield f"| {' | '.join(_printed(game, alike, marks))} |"
        yield from (f"\n{mark} {why}" for why, mark in marks.items())


def _alike(rows: Sequence[Edge]) -> Iterator[list[Edge]]:
    """Put the selections of a bet together that cost the same and end as often in each way."""
    groups: defaultdict[object, list[Edge]] = defaultdict(list)
    for edge in rows:
        ends = tuple(edge.probabilities.get(result) for result in ENDINGS)
        groups[edge.wager.bet, edge.house_edge, ends, edge.why].append(edge)
    yield from groups.values()


def _printed(game: Game, alike: list[Edge], marks: dict[str, str]) -> Iterator[str]:
    edge = alike[0]
    selections = ", ".join(one.wager.selection for one in alike)
    kept = "" if edge.house_edge is None else percent(edge.house_edge)
    yield game.bets[edge.wager.bet].title
    yield selections if len(selections) <= LONG else f"{len(alike)} selections"
    yield f"{kept} {marks.get(edge.why, '')}".strip()
    for result in ENDINGS:
        chance = edge.probabilities.get(result)
        yield "" if chance is None else percent(chance, 4)
