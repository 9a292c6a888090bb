"""Exact chances: what every outcome of a game weighs, and what its bets return for it.

Nothing here knows a rule. A family's theory lists outcomes with their weights; they are read
and resolved by the same code that settles a round.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from games.game import Game
from games.values import Bet, Outcome, Result, Wager

PLACES = 12
"""Decimal places in which a house edge is printed."""


@dataclass(frozen=True, slots=True)
class Edge:
    """What a wager keeps for the house, per unit staked, and how often it ends in which way.

    `house_edge` is None where the draw behind the odds is not printed; `why` then says so.
    """

    wager: Wager
    house_edge: Fraction | None
    probabilities: Mapping[Result, Fraction]
    why: str = ""


@dataclass(frozen=True, slots=True)
class Pass:
    """One way through all outcomes of a game, told apart as far as some facts need it.

    `settles` says of which facts the outcomes of a draw all agree; `draws` are outcomes with
    their weights, the whole of which is every way in which the round can go.
    """

    settles: Callable[[str], bool]
    draws: Callable[[], Iterable[tuple[int, Outcome]]]


@dataclass(frozen=True, slots=True)
class Theory:
    """What `theory/<family>.py` fills in as THEORY.

    `own` answers for wagers whose chances no pass can give: with an edge worked out in
    another way, or with the reason why there is none. None leaves the wager to the passes.

    `ends`, where a game has few enough, is one pass that knows the dearest of all outcomes for
    every wager that it settles (a pass weighs odds by a model, and a round need not follow it);
    `end_of` is the word by which people know an outcome.
    """

    passes: Callable[[Game], Iterable[Pass]]
    own: Callable[[Game, Wager], Edge | None] = lambda game, wager: None
    ends: Callable[[Game], Pass] | None = None
    end_of: Callable[[Outcome], str] = lambda outcome: outcome.winner


_EDGES: dict[str, tuple[Edge, ...]] = {}


def edges(game: Game) -> tuple[Edge, ...]:
    """Work out every wager of a game, in printed order; kept by the game's digest."""
    if game.digest not in _EDGES:
        _EDGES[game.digest] = tuple(_work_out(game))
    return _EDGES[game.digest]


def theory_of(game: Game) -> Theory:
    """The theory of a game's family."""
    theory = importlib.import_module(f"{__name__}.{game.family}").THEORY
    assert isinstance(theory, Theory)
    return theory


def settles(through: Pass, game: Game, wager: Wager) -> bool:
    """Whether a pass tells apart everything that a wager asks for."""
    return all(map(through.settles, facts_asked(game, wager)))


def facts_asked(game: Game, *wagers: Wager) -> frozenset[str]:
    """List the facts that the ladders of wagers, or of their chips, ask for."""
    return frozenset(
        rung.fact
        for wager in wagers
        for part in _parts(game.bets[wager.bet], wager)
        for rung in game.bets[part.bet].rungs[part.selection]
    )


def alike(outcome: Outcome, asked: frozenset[str]) -> object:
    """What outcomes have in common that return the same to all who ask for these facts.

    Where facts differ from wager to wager, as a play does, a family's `own` answers.
    """
    stated = outcome.facts & asked
    return stated, frozenset((fact, odds) for fact, odds in outcome.odds.items() if fact in stated)


def decimal(value: Fraction) -> str:
    """Print a fraction in `PLACES` decimals, rounded half up.

    >>> decimal(Fraction(1, 37))
    '0.027027027027'
    """
    sign = "-" if value < 0 else ""
    digits = (2 * abs(value) * 10**PLACES + 1) // 2
    whole, rest = divmod(digits, 10**PLACES)
    return f"{sign}{whole}.{rest:0{PLACES}d}"


def percent(value: Fraction, places: int = 6) -> str:
    """Print a fraction in percent, rounded half up.

    >>> percent(Fraction(1, 37)), percent(Fraction(-1, 8), 2)
    ('2.702703', '-12.50')
    """
    scaled = int(abs(value) * 100 * 10**places + Fraction(1, 2))
    whole, rest = divmod(scaled, 10**places)
    return f"{'-' if value < 0 else ''}{whole}.{rest:0{places}d}"


def _work_out(game: Game) -> list[Edge]:
    theory = theory_of(game)
    wagers = [
        game.wager(bet.code, selection)
        for bet in game.bets.values()
        for selection in bet.selections
    ]
    found = {wager: edge for wager in wagers if (edge := theory.own(game, wager)) is not None}
    for through in theory.passes(game):
        settled = [
            wager for wager in wagers if wager not in found and settles(through, game, wager)
        ]
        if settled:
            found |= _tally(game, settled, through.draws())
    missing = [wager for wager in wagers if wager not in found]
    assert not missing, f"no pass of {game.family} settles {missing[0]}"
    return [found[wager] for wager in wagers]


def _parts(bet: Bet, wager: Wager) -> Sequence[Wager]:
    """The wagers on which the chips of an announced bet lie; any other is its own part."""
    return [chip.wager for chip in bet.chips.get(wager.selection, ())] or [wager]


def _tally(
    game: Game, wagers: list[Wager], draws: Iterable[tuple[int, Outcome]]
) -> dict[Wager, Edge]:
    asked = facts_asked(game, *wagers)
    weights: Counter[object] = Counter()
    examples: dict[object, Outcome] = {}
    for weight, outcome in draws:
        kind = alike(outcome, asked)
        weights[kind] += weight
        examples.setdefault(kind, outcome)
    counts: list[Counter[tuple[Result, Fraction]]] = [Counter() for _ in wagers]
    for kind, outcome in examples.items():
        for count, verdict in zip(counts, game.resolve(outcome, wagers), strict=True):
            count[verdict.result, verdict.returns] += weights[kind]
    total = weights.total()
    return {wager: _edge(wager, count, total) for wager, count in zip(wagers, counts, strict=True)}


def _edge(wager: Wager, count: Counter[tuple[Result, Fraction]], total: int) -> Edge:
    returned = sum((returns * weight for (_, returns), weight in count.items()), Fraction(0))
    by_result: Counter[Result] = Counter()
    for (result, _), weight in count.items():
        by_result[result] += weight
    probabilities = {
        result: Fraction(by_result[result], total) for result in Result if by_result[result]
    }
    return Edge(wager, 1 - returned / total, probabilities)
