"""`manage.py resolve`: what bets pay under a book, one JSON line in, one JSON line out."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from django.core.management.base import BaseCommand, CommandError

from games.whatif import answer

NOT_JSON = 2
"""Exit status for a line that is no JSON; whatever the answers, it is 0."""


class Command(BaseCommand):
    help = "Answer what bets pay under a rule book, from JSON lines; no database is needed."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, help="JSON lines; default: input")

    def handle(self, *args: Any, file: Path | None, **options: Any) -> None:
        if file is None:
            self._answer_all(sys.stdin.buffer)
            return
        try:
            with file.open("rb") as lines:
                self._answer_all(lines)
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from error

    def _answer_all(self, lines: BinaryIO) -> None:
        for question in _questions(lines):
            self.stdout.write(json.dumps(answer(question)))


def _questions(lines: BinaryIO) -> Iterator[Any]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield json.loads(line.decode(), parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            raise CommandError(f"Line {number} is no JSON: {error}", returncode=NOT_JSON) from error


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")
