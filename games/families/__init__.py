"""What the engine asks of a family of games.

A family knows how an outcome of its games is written, what makes one impossible, and which
facts it amounts to. It knows no odds: those are in the books. Each family is one module of
this package that fills in a `Family` and calls it FAMILY.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from games.refusals import Refused
from games.values import Bet, Outcome, Setup, Stake, Wager

Roll = Callable[[int], int]
"""A fair roll: `roll(n)` gives 1 to n."""


Draw = Callable[[Setup, Mapping[str, Any]], Any]
"""Takes what was drawn for a round out of its outcome, checked; Refused `invalid_outcome`."""


def no_play(bet: Bet, selection: str, play: str) -> str:
    """Refuse every play: the answer of a game in which tickets decide nothing."""
    raise Refused("invalid_play", f"{bet.title} takes no play in this game.", field="play")


def shared_facts(setup: Setup, outcome: Outcome, wager: Wager) -> frozenset[str]:
    """Give the facts of the outcome: what holds for one wager holds for all."""
    return outcome.facts


def headline(setup: Setup, outcome: Outcome, wager: Wager) -> str:
    """Tell the headline: where a round has one result, it is the reason for everybody."""
    return outcome.headline


def no_draws(setup: Setup) -> Mapping[str, Draw]:
    """Draw nothing: the answer of a game whose terms stand before the bets are placed."""
    return {}


def no_decision(setup: Setup, outcome: Outcome, bet: str, selection: str) -> tuple[str | None, ...]:
    """Fit every wager without a play: the answer of a game in which tickets decide nothing."""
    return (None,)


def complete_already(slip: Sequence[Stake]) -> Sequence[Stake]:
    """Leave a ticket as it is: no line of it lacks what another one says."""
    return slip


def adds_nothing(wager: Wager) -> Sequence[tuple[Wager, Fraction]]:
    """Add nothing to a wager later: the answer of a game in which tickets decide nothing."""
    return ()


def covers_nothing(bet: str, selection: str) -> frozenset[str]:
    """Cover no part of a layout: the answer of a game without one."""
    return frozenset()


def no_objection(
    setup: Setup, slip: Sequence[Stake], held: Sequence[Wager]
) -> Sequence[Refused | None]:
    """Have nothing to add to the book's own conditions."""
    return [None] * len(slip)


@dataclass(frozen=True, slots=True)
class Family:
    """The rules that the games of one family share.

    The first three are what every family has; the others have a default that suits most.
    """

    glossary: Callable[[Setup], Mapping[str, str]]
    """Every fact that a game with this setup can state, each with its words."""

    read: Callable[[Setup, Mapping[str, Any]], Outcome]
    """Check a complete outcome and turn it into facts, once; Refused `invalid_outcome`."""

    deal: Callable[[Setup, Iterator[str], Roll], dict[str, Any]]
    """Play one round by the rules with cards from a shoe: an outcome that `read` accepts."""

    read_unfinished: Callable[[Setup, Mapping[str, Any]], Outcome] | None = None
    """Take down what was dealt of a hand that is void, with the facts already certain."""

    draws: Callable[[Setup], Mapping[str, Draw]] = no_draws
    """The parts of an outcome that are drawn after betting closes, before the result (C-20)."""

    options: Mapping[str, Any] = field(default_factory=dict)
    """What a book may set for a game, each with its default; the default's type is checked."""

    selections: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Sets of selections that a book may call by name instead of listing them."""

    plain: frozenset[str] = frozenset()
    """The facts that `reason` tells better than their words do: by default, with the headline."""

    facts_for: Callable[[Setup, Outcome, Wager], frozenset[str]] = shared_facts
    """The facts that hold for one wager; Refused `invalid_play` if it could not be played."""

    reason: Callable[[Setup, Outcome, Wager], str] = headline
    """Why a wager won by a plain fact, or lost; the headline unless wagers differ in it."""

    fitting: Callable[[Setup, Outcome, str, str], tuple[str | None, ...]] = no_decision
    """The plays with which a bet and selection can have been made on this outcome."""

    play: Callable[[Bet, str, str], str] = no_play
    """Check the play of a wager and give it in its one form; Refused `invalid_play`."""

    default_play: Callable[[Bet, str], str | None] = lambda bet, selection: None
    """The play of a wager that names none."""

    added: frozenset[str] = frozenset()
    """The bets that are added to a ticket while the hand is played, never placed before it."""

    may_add: Callable[[Wager], Sequence[tuple[Wager, Fraction]]] = adds_nothing
    """The most that decisions may add to a wager: further wagers, as parts of its stake."""

    complete: Callable[[Sequence[Stake]], Sequence[Stake]] = complete_already
    """Give the lines of one ticket the play that another line of it names."""

    chips: Mapping[str, Callable[[str], tuple[str, ...]]] = field(default_factory=dict)
    """Announced bets whose chips follow the selection, by the name that a book calls them."""

    covers: Callable[[str, str], frozenset[str]] = covers_nothing
    """The parts of the layout on which a bet and selection win, for a limit on coverage."""

    check: Callable[[Setup, Sequence[Stake], Sequence[Wager]], Sequence[Refused | None]] = (
        no_objection
    )
    """Conditions between the bets of a slip that a book cannot express: one answer per bet."""


def names() -> tuple[str, ...]:
    """List the families that exist."""
    return tuple(module.name for module in pkgutil.iter_modules(__path__))


def family(name: str) -> Family:
    """Find a family by its name; LookupError if there is none."""
    if name not in names():
        raise LookupError(f"there is no family {name!r} in games/families")
    found = importlib.import_module(f"{__name__}.{name}").FAMILY
    assert isinstance(found, Family), f"FAMILY of {name} is no Family"
    return found
