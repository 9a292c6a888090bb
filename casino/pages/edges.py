"""House edges on a page: worked out once for each game, beside the requests, and put into words."""

from __future__ import annotations

from collections.abc import Collection
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from games.rulebook import Game, Result, Wager
from games.theory import Edge, decimal, edges, percent

PATIENCE = 0.25
"""Seconds that a page waits for edges before it goes out without them."""

CHANCES = {Result.WIN: "wins", Result.PUSH: "stake back", Result.HALF_LOSE: "half lost"}
"""How a bet can end; all else loses."""

SHORT = 9
"""An exact fraction of so many characters is worth reading."""

_WORKER = ThreadPoolExecutor(max_workers=1, thread_name_prefix="house-edges")
_ASKED: dict[str, Future[tuple[Edge, ...]]] = {}


@dataclass(frozen=True, slots=True)
class Price:
    """What the house keeps of a wager, in percent; empty where nobody can say.

    `exact` is the fraction where it is short, `digits` all decimals, `unlike` the mark of a
    selection that comes as often as another one of its bet and costs otherwise.
    """

    percent: str
    exact: str
    digits: str
    chances: str
    why: str
    unlike: bool


def edges_soon(game: Game) -> tuple[Edge, ...] | None:
    """Give the house edges of a game, or None while they are still being worked out.

    Some games take seconds, once in the life of a process: whoever asks again gets them.
    """
    asked = _ASKED.get(game.digest)
    if asked is None:
        asked = _ASKED.setdefault(game.digest, _WORKER.submit(edges, game))
    try:
        return asked.result(timeout=PATIENCE)
    except TimeoutError:
        return None


def price_of(edge: Edge, unlike: Collection[Wager]) -> Price:
    """Put an edge into words."""
    kept = edge.house_edge
    chances = (
        f"{words} {percent(edge.probabilities[result], 4)} %"
        for result, words in CHANCES.items()
        if result in edge.probabilities
    )
    return Price(
        percent="" if kept is None else percent(kept),
        exact=str(kept) if kept is not None and len(str(kept)) <= SHORT else "",
        digits="" if kept is None else decimal(kept),
        chances=", ".join(chances),
        why=edge.why,
        unlike=edge.wager in unlike,
    )
