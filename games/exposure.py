"""What the bets of a round can return: by the end that the round may come to, and at most.

A bound is never too low. In a game whose ends are few enough to go through, all bets are
resolved on each of them and the dearest end counts, since a round has one end only. What the
ends do not settle (baccarat's bets on the first two cards), and every bet of a game with too
many ends (pictures, blackjack), counts with the most that its ladder returns, whatever else
happens; a blackjack ante with all that decisions may add to it. A void is no end: it hands
stakes back and costs the house nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import lcm

from games.game import Game
from games.theory import alike, facts_asked, settles, theory_of
from games.values import Outcome, Wager

_KEPT = 256
"""Games whose ends are remembered: more than all books have."""


@dataclass(frozen=True, slots=True)
class _Ends:
    """The ends of a game, and what a unit on each wager returns on each of them.

    Ends of one name lie together; what is returned is in parts, `whole` of them a unit.
    """

    names: tuple[str, ...]
    parts: Mapping[tuple[str, str], tuple[int, ...]]
    whole: int


@dataclass(slots=True)
class Exposure:
    """Bets laid on one round of a game, summed up as they come. Sums are minor units.

    A return includes the stake. `staked` is the sum of all stakes.
    """

    game: Game
    staked: int = 0
    _parts: list[int] = field(default_factory=list)
    _uneven: int = 0

    def add(self, wager: Wager, stake: int, *, lines: int = 1) -> None:
        """Lay a stake, or so many of them that come to `stake` together."""
        ends = _ends(self.game)
        returned = ends.parts[wager.bet, wager.selection]
        self._parts = self._parts or [0] * len(ends.names)
        self._parts = [
            before + stake * part for before, part in zip(self._parts, returned, strict=True)
        ]
        known = stake if lines == 1 else 1
        self._uneven += lines * any(known * part % ends.whole for part in returned)
        self.staked += stake

    @property
    def bound(self) -> int:
        """The most that all bets together can return.

        Each line is rounded half up when it is paid, so each that is no whole number of units
        may add half a unit.
        """
        whole = _ends(self.game).whole
        return (2 * max(self._parts, default=0) + self._uneven * whole) // (2 * whole)

    def by_end(self) -> dict[str, int]:
        """What the bets return on each end, by the word for it; on the dearest of that name.

        The sum is rounded half up, once. A game with too many ends has one, without a name.
        """
        ends = _ends(self.game)
        paid: dict[str, int] = {}
        for name, parts in zip(ends.names, self._parts or [0] * len(ends.names), strict=True):
            paid[name] = max(paid.get(name, 0), (2 * parts + ends.whole) // (2 * ends.whole))
        return paid


@lru_cache(maxsize=_KEPT)
def _ends(game: Game) -> _Ends:
    """Resolve every wager of a game on each of its ends, once."""
    theory = theory_of(game)
    wagers = [
        Wager(bet.code, selection) for bet in game.bets.values() for selection in bet.selections
    ]
    settled: frozenset[Wager] = frozenset()
    named: list[tuple[str, Outcome]] = []
    if theory.ends is not None:
        through = theory.ends(game)
        settled = frozenset(wager for wager in wagers if settles(through, game, wager))
        asked = facts_asked(game, *settled)
        distinct: dict[object, tuple[str, Outcome]] = {}
        for _, outcome in through.draws():
            name = theory.end_of(outcome)
            distinct.setdefault((name, alike(outcome, asked)), (name, outcome))
        named = sorted(distinct.values(), key=lambda end: _order(game, end[0]))
    names = tuple(name for name, _ in named) or ("",)
    returns = {
        (wager.bet, wager.selection): [game.resolve(end, [wager])[0].returns for _, end in named]
        if wager in settled
        else [_on_ladder(game, wager)] * len(names)
        for wager in wagers
    }
    whole = lcm(*(back.denominator for paid in returns.values() for back in paid))
    return _Ends(
        names,
        {
            place: tuple(back.numerator * (whole // back.denominator) for back in paid)
            for place, paid in returns.items()
        },
        whole,
    )


def _on_ladder(game: Game, wager: Wager) -> Fraction:
    """The highest rung of a wager, and of all that may be added to it."""
    rungs = game.bets[wager.bet].rungs.get(wager.selection, ())
    found = Fraction(0)
    for rung in rungs:
        assert rung.returns is not None, "odds that are drawn need the ends of the game"
        found = max(found, rung.returns)
    return found + sum(
        (part * _on_ladder(game, more) for more, part in game.rules.may_add(wager)), Fraction(0)
    )


def _order(game: Game, name: str) -> int:
    """Numbers in their order, the sides of a game in the order of its bets."""
    number = name.rpartition(" ")[2]
    return int(number) if number.isdecimal() else list(game.bets).index(name)
