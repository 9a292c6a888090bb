"""`manage.py demo_floor`: tables at which cards are dealt and tickets arrive until stopped."""

from __future__ import annotations

import logging
import select
import signal
import socket
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from heapq import heapify, heappop, heappush
from time import monotonic
from typing import Any

from django.core.management.base import BaseCommand
from django.db import InterfaceError, OperationalError, connection

from games.refusals import Refused
from tickets.management.croupier import chance
from tickets.management.demo_house import every_game, lay_out
from tickets.management.demo_table import Habits, live
from tickets.tasks import sweep

logger = logging.getLogger(__name__)

SETBACK = 3.0
"""Seconds after which a table whose life was cut short begins anew."""

STOPPING = (signal.SIGINT, signal.SIGTERM)


class Command(BaseCommand):
    help = (
        "Deal at the tables of a demonstration house, with players who bet, until interrupted. "
        "Creates the house where it is missing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--pace",
            type=_seconds,
            default=15.0,
            help="seconds of betting on each hand (default: %(default)s)",
        )
        parser.add_argument(
            "--mishap",
            type=_whole,
            default=120,
            help="one hand in so many is irregular; 0: none (default: %(default)s)",
        )
        parser.add_argument(
            "--once", type=_whole, help="deal so many hands a table without waiting, then leave"
        )

    def handle(
        self, *args: Any, pace: float, mishap: int, once: int | None, **options: Any
    ) -> None:
        with stoppable() as stopped_within:
            house = lay_out(every_game())
            for name, key in house.keys.items():
                self.stdout.write(f"API key of {name}, shown this once: {key}")
            habits = Habits(pace=pace, mishap=mishap)
            lives = [
                partial(live, table, house, habits, once)
                for table in house.tables
                if table.rides_on_id is None
            ]
            if once is None:
                self.stdout.write(f"Dealing at {len(house.tables)} tables.")
                go_on(lives, first=pace, stopped_within=stopped_within)
                return
            for begin in lives:
                for _ in begin():
                    if stopped_within(0):
                        return
            sweep()


def go_on(
    lives: Sequence[Callable[[], Iterator[float]]],
    *,
    first: float,
    stopped_within: Callable[[float], bool],
) -> None:
    """Lead the lives side by side, each step when it is due, until stopped.

    They begin scattered over the `first` seconds. One that fails is told to the log and begins
    anew a little later: whether the database was lost, a person ruled on the running hand, or a
    game has a fault, the other tables do not stop.
    """
    agenda = [
        (monotonic() + chance.uniform(0, first), number, begin())
        for number, begin in enumerate(lives)
    ]
    heapify(agenda)
    while agenda:
        due, number, life = heappop(agenda)
        if stopped_within(due - monotonic()):
            return
        try:
            pause = next(life)
        except StopIteration:
            continue
        except (OperationalError, InterfaceError) as fault:
            logger.warning(
                "Nothing is dealt without the database: %s", str(fault).partition("\n")[0]
            )
            connection.close()
            if stopped_within(SETBACK):
                return
            pause, life = 0.0, lives[number]()
        except Refused as refusal:
            logger.info("A table begins anew: %s", refusal)
            pause, life = SETBACK, lives[number]()
        except Exception:
            logger.exception("A table begins anew")
            pause, life = SETBACK, lives[number]()
        heappush(agenda, (monotonic() + pause, number, life))


@contextmanager
def stoppable() -> Iterator[Callable[[float], bool]]:
    """Give a wait in seconds that ends at once, and says so, when the process is told to stop.

    A step that is under way is finished first; a second signal ends the process in any case.
    """
    reader, writer = socket.socketpair()
    reader.setblocking(False)
    writer.setblocking(False)

    def heed(number: int, frame: Any) -> None:
        for known in STOPPING:
            signal.signal(known, signal.SIG_DFL)

    def stopped_within(seconds: float) -> bool:
        return bool(select.select([reader], [], [], max(seconds, 0))[0])

    before = {number: signal.signal(number, heed) for number in STOPPING}
    wakeup = signal.set_wakeup_fd(writer.fileno())
    try:
        yield stopped_within
    finally:
        signal.set_wakeup_fd(wakeup)
        for number, handler in before.items():
            signal.signal(number, handler)
        reader.close()
        writer.close()


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not 0 < seconds <= 3600:
        raise ArgumentTypeError(f"{text} is no number of seconds from 0 to 3600.")
    return seconds


def _whole(text: str) -> int:
    if not text.isdecimal():
        raise ArgumentTypeError(f"{text} is no whole number.")
    return int(text)
