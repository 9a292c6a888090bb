"""`manage.py replay_hands`: recorded hands of real tables, played through the whole house."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from django.core.management.base import BaseCommand, CommandError

from casino.selectors import game_of
from games.money import format_amount
from games.refusals import Refused
from tickets.management.recorded import WINNERS, RecordedHand, Unreadable, read_hands, spots_of
from tickets.management.replay import CURRENCY, Report, Venue, prepare, replay

DIFFERS = 1
UNREADABLE = 2
INTERRUPTED = 130

MOST_SHOWN = 20
"""Differences that are written out; the others are counted."""

BAR = 40
"""Width of the progress bar, in characters."""


class Command(BaseCommand):
    help = (
        "Play recorded baccarat hands through shoes, rounds, tickets, results and settlement, "
        "and compare with the record. Exit status 1: a difference; 2: an unreadable file."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="recorded hands, one JSON object a line")
        parser.add_argument("--book", default="club-a", help="rule book (default: %(default)s)")
        parser.add_argument(
            "--game", default="no_commission_baccarat", help="its game (default: %(default)s)"
        )
        parser.add_argument("--limit", type=_count, help="play only the first so many hands")
        parser.add_argument("--table", default="", help="code of the table to play at")

    def handle(
        self,
        *args: Any,
        file: Path,
        book: str,
        game: str,
        limit: int | None,
        table: str,
        **options: Any,
    ) -> None:
        hands = _read(file)[:limit]
        try:
            venue = prepare(book=book, game=game, table=table)
            report = replay(hands, venue=venue, progress=_progress(len(hands), sys.stderr))
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        except KeyboardInterrupt:
            raise CommandError(
                "Interrupted; the next replay at this table finishes the hand.",
                returncode=INTERRUPTED,
            ) from None
        for title, words in _rows(report, hands, venue):
            self.stdout.write(f"{title:<12} {words}".rstrip())
        assert report.ledger is not None
        if faults := len(report.differences) + len(report.ledger.differences):
            raise CommandError(f"The record and the house differ: {faults}.", returncode=DIFFERS)


def _read(file: Path) -> list[RecordedHand]:
    try:
        with file.open("rb") as lines:
            hands = read_hands(lines)
    except OSError as error:
        raise CommandError(
            f"{file} cannot be read: {error.strerror}.", returncode=UNREADABLE
        ) from error
    except Unreadable as fault:
        raise CommandError(f"{file}: {fault}", returncode=UNREADABLE) from fault
    if not hands:
        raise CommandError(f"{file} holds no hand.", returncode=UNREADABLE)
    return hands


def _rows(report: Report, hands: Sequence[RecordedHand], venue: Venue) -> Iterator[tuple[str, str]]:
    """The report, as titles and words; a title is empty where a line goes on."""
    game = game_of(venue.table)
    seen = Counter(spot for hand in hands for spot in hand.won or ())
    compared = [*WINNERS.values(), *spots_of(game)]
    detailed = sum(hand.won is not None for hand in hands)
    sized = sum(hand.has_small_and_big() for hand in hands)
    yield "game", f"{game.title} ({game.book}), table {venue.table.code}"
    yield "hands", f"{len(report.played):,}"
    yield "shoes", f"{report.shoes:,}, {report.made_up_shoes:,} of them for hands without one"
    yield "tickets", f"{report.tickets:,}"
    yield "bet lines", f"{report.lines:,}"
    yield "stakes", f"{format_amount(report.stake, CURRENCY)} {CURRENCY}"
    yield "payouts", f"{format_amount(report.payout, CURRENCY)} {CURRENCY}"
    yield "refusals", _counted(report.refusals)
    if report.refusals:
        yield "", "bets past their last hand are asked for on purpose and must be not_offered"
    yield "incidents", _counted(report.incidents)
    yield "compared", f"winner on {len(hands):,} hands, spots on {detailed:,}: {' '.join(compared)}"
    if sized < detailed and {"small", "big"} & set(compared):
        yield "", f"{detailed - sized:,} of them without small and big, which were not recorded"
    yield "not offered", " ".join(sorted(seen.keys() - set(compared))) or "none"
    yield "differences", f"{len(report.differences):,}"
    yield from _shown(report.differences)
    ledger = report.ledger
    assert ledger is not None
    yield "ledger", f"{ledger.rounds:,} rounds and {ledger.tickets:,} tickets recomputed, and the"
    yield (
        "",
        f"chain of {ledger.settlements:,} settlements: {len(ledger.differences):,} differences",
    )
    yield from _shown([f"{fault.what}: {fault.detail}" for fault in ledger.differences])
    yield "elapsed", f"{report.playing + report.verifying:.1f} s"
    yield "", f"{report.playing:.1f} s playing and settling, {report.verifying:.1f} s verifying"


def _shown(differences: Sequence[str]) -> Iterator[tuple[str, str]]:
    for difference in differences[:MOST_SHOWN]:
        yield "", difference
    if len(differences) > MOST_SHOWN:
        yield "", f"and {len(differences) - MOST_SHOWN:,} more"


def _counted(codes: Counter[str]) -> str:
    return ", ".join(f"{count:,} {code}" for code, count in sorted(codes.items())) or "none"


def _progress(hands: int, stream: TextIO) -> Callable[[int], None]:
    """A bar on a terminal, nothing elsewhere."""
    if not stream.isatty():
        return lambda done: None

    def show(done: int) -> None:
        bar = ("█" * (BAR * done // hands)).ljust(BAR, "░")
        end = "\n" if done == hands else ""
        stream.write(f"\r{bar} {done:,} of {hands:,} hands{end}")
        stream.flush()

    return show


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text} is no number of hands.")
    return int(text)
