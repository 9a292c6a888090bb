"""The values that books, families and the floor exchange. Nothing here decides anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any


class Action(StrEnum):
    """What a book allows to be done when something went wrong at the table."""

    STAND = "stand"
    VOID_HAND = "void_hand"
    VOID_SHOE = "void_shoe"
    EDIT = "edit"
    SWAP = "swap"
    REPLAY = "replay"
    RELEASE = "release"
    PARTIAL = "partial"
    DISCRETION = "discretion"


VOIDING = frozenset(
    {
        Action.VOID_HAND,
        Action.VOID_SHOE,
        Action.RELEASE,
        Action.PARTIAL,
        Action.DISCRETION,
    }
)
"""The actions under which the stakes of a hand go back."""


class Result(StrEnum):
    """What becomes of a bet."""

    WIN = "win"
    PUSH = "push"
    LOSE = "lose"
    HALF_LOSE = "half_lose"
    VOID = "void"


@dataclass(frozen=True, slots=True, order=True)
class Wager:
    """What a bet is on, without its stake. `play` is None outside blackjack."""

    bet: str
    selection: str = ""
    play: str | None = None


@dataclass(frozen=True, slots=True)
class Stake:
    """A wager with its stake in minor units."""

    wager: Wager
    stake: int


@dataclass(frozen=True, slots=True)
class Notice:
    """Something about an outcome that stands and must be looked at all the same."""

    ground: str
    message: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened at the table, checked, and the facts that it amounts to.

    `canonical` is the outcome as data that `Game.read` accepts again. `cards` are all cards
    that left the shoe, in order. `odds` are returns per unit for facts whose odds were drawn
    for this round. `detail` belongs to the family.
    """

    canonical: Mapping[str, Any]
    facts: frozenset[str]
    headline: str
    winner: str = ""
    notices: tuple[Notice, ...] = ()
    cards: tuple[str, ...] = ()
    odds: Mapping[str, Fraction] = field(default_factory=dict)
    detail: Any = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Void:
    """A hand that does not count, and the ground on which it was voided."""

    ground: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of one wager. `returns` is per unit staked, stake included.

    `odds` is the printed form of what a winning bet pays and empty for every other result.
    """

    result: Result
    odds: str
    returns: Fraction
    why: str


@dataclass(frozen=True, slots=True)
class Rung:
    """One step of a bet's ladder: if the fact holds, this is what the bet returns.

    `returns` is None where the odds are drawn with the outcome. `survives` are the grounds on
    which a void hand pays this rung all the same.
    """

    fact: str
    returns: Fraction | None
    odds: str
    result: Result
    words: str
    selection: str = ""
    survives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chip:
    """Part of an announced bet: so many chips on a bet of the layout."""

    wager: Wager
    count: int


@dataclass(frozen=True, slots=True)
class Bet:
    """A bet as its book prints it.

    `ladder` is laid out for a reader: a rung with a `selection` is for that one, and a fact
    with "{selection}" stands for all. `rungs` are what each selection climbs, `chips` where
    the chips of an announced bet lie instead.

    `window` is the last hand of a shoe on which it is offered, `needs` the bets of which one
    must be held with it ("ante:{selection}" asks for the same selection), `excludes` the bets
    that may not be, `limit` the multiple of the straight-up maximum that it may reach.
    """

    code: str
    title: str
    selections: tuple[str, ...]
    ladder: tuple[Rung, ...]
    condition: str
    source: str
    in_document: bool
    note: str = ""
    lost: str = ""
    window: int | None = None
    needs: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    limit: int | None = None
    rungs: Mapping[str, tuple[Rung, ...]] = field(default_factory=dict, repr=False)
    chips: Mapping[str, tuple[Chip, ...]] = field(default_factory=dict, repr=False)

    def units(self, selection: str) -> int:
        """Count the chips that one stake on this bet is divided into."""
        return sum(chip.count for chip in self.chips.get(selection, ())) or 1


@dataclass(frozen=True, slots=True)
class Ground:
    """A kind of incident that a game knows, and what its book allows to be done about it."""

    code: str
    actions: tuple[Action, ...]
    clause: str
    source: str
    in_document: bool


@dataclass(frozen=True, slots=True, eq=False)
class Setup:
    """What a book sets for a family: decks in the shoe (None without cards) and its options.

    Compared by identity: what follows from it is worked out once for each game.
    """

    decks: int | None
    options: Mapping[str, Any]
