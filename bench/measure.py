"""Timing, with the spread shown: a median alone hides a noisy machine."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from statistics import median


class Times:
    """Seconds of one thing, repeated."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    @contextmanager
    def once(self) -> Iterator[None]:
        """Time the block."""
        start = time.perf_counter()
        yield
        self.seconds.append(time.perf_counter() - start)

    @property
    def median(self) -> float:
        return median(self.seconds)


def ratio(over: Sequence[float], under: Sequence[float]) -> str:
    """The median of the ratios pair by pair, with the smallest and the largest."""
    ratios = sorted(a / b for a, b in zip(over, under, strict=True))
    return f"{median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"


def report(name: str, figure: str, aim: str = "") -> str:
    """One line of the report."""
    return f"{name:<66} {figure:>22}  {aim}".rstrip()
