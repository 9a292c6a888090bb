"""`manage.py house_edge`: the exact house edge of every bet, through the rules that settle."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.game import Game
from games.refusals import Refused
from games.rulebook import book, books
from games.theory import Edge, decimal, edges
from games.values import Result

_COLUMNS = ("book", "game", "bet", "selection", "house edge", "win", "push", "lose", "half lose")


class Command(BaseCommand):
    help = "Print the exact chances and the house edge of every bet; no database is needed."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--book", help="only this book")
        parser.add_argument("--game", help="only this game, in every book that has it")
        parser.add_argument("--format", choices=("table", "json"), default="table")

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
        for result in (Result.WIN, Result.PUSH, Result.LOSE, Result.HALF_LOSE)
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
