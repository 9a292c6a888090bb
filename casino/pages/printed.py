"""A bet as its book prints it, in words: what it pays, when it is offered, what the house keeps."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from casino.pages.edges import Price, price_of
from casino.pages.pictures import spoken
from games.families.dice import positions
from games.returns import parse_odds
from games.rulebook import Bet, Game, Result, Rung, Wager
from games.theory import Edge
from games.theory.symmetry import uneven

NO_ODDS = {Result.PUSH: "stake back", Result.HALF_LOSE: "half lost", Result.LOSE: "loses"}
"""What a step of a ladder pays where it pays no odds."""

LINE = 70
"""Characters of a list of selections that are read at a glance."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A selection: its name, and what wins on it where only the name tells it from the others."""

    label: str
    words: str = ""
    differs: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a ladder, the first of which that holds decides; or a chip of an announced bet."""

    words: str
    pays: str
    survives: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Selections that pay and cost alike; `price` is None while edges are being worked out."""

    choices: tuple[Choice, ...]
    steps: tuple[Step, ...]
    price: Price | None
    differs: frozenset[str] = frozenset()

    @property
    def is_long(self) -> bool:
        """Whether the list of selections is more than a reader wants at first sight."""
        return sum(len(choice.label) + 2 for choice in self.choices) > LINE


@dataclass(frozen=True, slots=True)
class Printed:
    """A bet in words; `differs` names what tells it from its namesake in another book."""

    bet: Bet
    groups: tuple[Group, ...]
    terms: Mapping[str, str]
    differs: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Known:
    """A game with its house edges by wager, None while they are being worked out."""

    game: Game
    edges: Mapping[Wager, Edge] | None
    unlike: frozenset[Wager] = frozenset()


def known(game: Game, edges: Sequence[Edge] | None) -> Known:
    """Lay a game and its edges out for `printed`."""
    if edges is None:
        return Known(game, None)
    return Known(game, {edge.wager: edge for edge in edges}, uneven(edges))


def printed(here: Known, code: str, *, beside: Known | None = None) -> Printed:
    """Put a bet into words, marking where it differs from its namesake in the game `beside`."""
    game, bet = here.game, here.game.bets[code]
    told = terms(game, bet)
    if beside is None or code not in beside.game.bets:
        return Printed(bet, _groups(here, bet), told)
    other = beside.game.bets[code]
    alone = frozenset(bet.selections) - frozenset(other.selections)
    paid = _unlike(_payable(game, bet), _payable(beside.game, other))
    costs = _unlike(_costs(here, bet), _costs(beside, other))
    told_there = terms(beside.game, other)
    differs = {name for name in {*told, *told_there} if told.get(name) != told_there.get(name)}
    differs |= {"selections"} if set(bet.selections) != set(other.selections) else set()
    differs |= ({"odds"} if paid else set()) | ({"house edge"} if costs else set())
    return Printed(bet, _groups(here, bet, paid, costs, alone), told, frozenset(differs))


def choice_words(selection: str) -> str:
    """Name a selection to people: "player1" is "Player 1", "box2/1" is "Box 2, hand 1".

    >>> choice_words("player1"), choice_words("box2/1"), choice_words("17-20")
    ('Player 1', 'Box 2, hand 1', '17-20')
    """
    return spoken(re.sub(r"([a-z])(\d)", r"\1 \2", selection.replace("/", ", hand ")))


def terms(game: Game, bet: Bet) -> dict[str, str]:
    """Say when and with what a bet is offered."""
    told = {}
    if bet.window is not None:
        told["window"] = f"Hands 1 to {bet.window} of a shoe"
    elif game.has_shoe:
        told["window"] = "Every hand of a shoe"
    if bet.needs:
        told["prerequisite"] = f"Only with {_listed(_needed(game, bet), 'or')}"
    if bet.excludes:
        names = [game.bets[other].title for other in bet.excludes]
        told["prohibited"] = f"Not with {_listed(names, 'or')}"
    if bet.limit is not None:
        told["limit"] = f"Limit {bet.limit} × the straight-up maximum"
    return told


def asymmetries(game: Game, edges: Iterable[Edge]) -> list[tuple[Bet, str]]:
    """Say where a book pays selections differently that come equally often (R-3)."""
    edges = tuple(edges)
    flagged = uneven(edges)
    alike: defaultdict[object, list[Wager]] = defaultdict(list)
    for edge in edges:
        if edge.wager in flagged:
            alike[edge.wager.bet, tuple(sorted(edge.probabilities.items()))].append(edge.wager)
    return [(game.bets[wagers[0].bet], _unlike_words(game, wagers)) for wagers in alike.values()]


def drawn_odds(game: Game, wager: Wager) -> tuple[str, ...]:
    """Name the lowest and the highest odds that may be drawn for a wager; () without a draw."""
    if game.family == "dice":
        allowed = positions(game.setup).get(f"{wager.bet}:{wager.selection}")
        return (allowed["least"], allowed["most"]) if allowed else ()
    offered = sorted(game.options.get("super_odds", ()), key=parse_odds)
    return (offered[0], offered[-1]) if offered else ()


def _needed(game: Game, bet: Bet) -> list[str]:
    names = []
    for need in bet.needs:
        code, same, _ = need.partition(":")
        names.append(game.bets[code].title + (" on the same selection" if same else ""))
    return names


def _groups(
    here: Known,
    bet: Bet,
    paid: frozenset[str] = frozenset(),
    costs: frozenset[str] = frozenset(),
    alone: frozenset[str] = frozenset(),
) -> tuple[Group, ...]:
    """Group the selections that pay and cost alike, in printed order."""
    edges = _by_selection(here, bet)
    alike: defaultdict[object, list[str]] = defaultdict(list)
    for name, payable in _payable(here.game, bet).items():
        alike[payable, _cost(edges[name]) if edges else None].append(name)
    return tuple(
        Group(
            choices=_choices(bet, names, paid | costs | alone),
            steps=_chips(here.game, bet) if bet.chips else _steps(here.game, bet, names),
            price=price_of(edges[names[0]], here.unlike) if edges else None,
            differs=frozenset(
                aspect
                for aspect, differing in (("odds", paid), ("house edge", costs))
                if not differing.isdisjoint(names)
            ),
        )
        for names in alike.values()
    )


def _choices(bet: Bet, names: list[str], differing: frozenset[str]) -> tuple[Choice, ...]:
    return tuple(
        Choice(
            choice_words(name),
            bet.rungs[name][0].words if _says_more(bet, name) else "",
            differs=name in differing,
        )
        for name in names
        if name
    )


def _says_more(bet: Bet, name: str) -> bool:
    """Whether what wins on a selection is more than the selection's name, and no ladder says it."""
    if bet.chips or any(len(rungs) > 1 for rungs in bet.rungs.values()):
        return False
    told = {rungs[0].words for rungs in bet.rungs.values()}
    words = bet.rungs[name][0].words
    return len(told) > 1 and name not in words and choice_words(name) not in words


def _steps(game: Game, bet: Bet, names: list[str]) -> tuple[Step, ...]:
    ladders = [bet.rungs[name] for name in names]
    return tuple(
        _step(game, bet, rungs, names[0], alone=len(ladders[0]) == 1)
        for rungs in zip(*ladders, strict=True)
    )


def _step(game: Game, bet: Bet, rungs: Sequence[Rung], name: str, *, alone: bool) -> Step:
    """A step that all these selections share; one that stands alone needs no words."""
    survives = " or ".join(spoken(ground).lower() for ground in rungs[0].survives)
    words = "" if alone else _common([rung.words for rung in rungs])
    return Step(words, _pays(game, rungs[0], Wager(bet.code, name)), survives)


def _pays(game: Game, rung: Rung, wager: Wager) -> str:
    if rung.returns is None:
        return " to ".join(drawn_odds(game, wager))
    return NO_ODDS.get(rung.result, rung.odds)


def _chips(game: Game, bet: Bet) -> tuple[Step, ...]:
    """The chips of an announced bet with what each pays; by their kind where they follow it."""
    if len(bet.chips) > 1:
        [first, *_] = bet.chips.values()
        counts = Counter[str]()
        for chip in first:
            counts[chip.wager.bet] += chip.count
        lying = [(count, Wager(code, "")) for code, count in counts.items()]
    else:
        lying = [(chip.count, chip.wager) for chips in bet.chips.values() for chip in chips]
    steps = []
    for count, wager in lying:
        on = game.bets[wager.bet]
        rungs = on.rungs[wager.selection or on.selections[0]]
        place = f"{on.title} {wager.selection}".strip()
        pays = " or ".join(_pays(game, rung, wager) for rung in rungs)
        steps.append(Step(f"{count} chip{'s' if count > 1 else ''} on {place}", pays))
    return tuple(steps)


def _common(told: Sequence[str]) -> str:
    """What sentences share, with an ellipsis where they do not.

    >>> _common(["Player 1 beats Dealer", "Player 2 beats Dealer"])
    'Player … beats Dealer'
    """
    if len(set(told)) == 1:
        return told[0]
    words = [sentence.split() for sentence in told]
    before = _shared(words)
    after = _shared([sentence[len(before) :][::-1] for sentence in words])[::-1]
    return " ".join([*before, "…", *after])


def _shared(lists: Sequence[Sequence[str]]) -> list[str]:
    """The words with which all of these begin."""
    columns = takewhile(lambda column: len(set(column)) == 1, zip(*lists, strict=False))
    return [column[0] for column in columns]


def _payable(game: Game, bet: Bet) -> dict[str, object]:
    """What each selection pays, in a form that can be compared across books."""
    if bet.chips:
        return dict.fromkeys(
            bet.selections,
            tuple(
                (chip.wager.bet, chip.count, _odds_of(game, game.bets[chip.wager.bet], chip.wager))
                for chip in next(iter(bet.chips.values()))
            ),
        )
    return {name: _odds_of(game, bet, Wager(bet.code, name)) for name in bet.selections}


def _odds_of(game: Game, bet: Bet, wager: Wager) -> tuple[object, ...]:
    return tuple(
        (rung.result, drawn_odds(game, wager) if rung.returns is None else rung.returns)
        for rung in bet.rungs[wager.selection]
    )


def _unlike(one: Mapping[str, object], other: Mapping[str, object]) -> frozenset[str]:
    """Name the selections of both that differ."""
    return frozenset(name for name in one if name in other and one[name] != other[name])


def _by_selection(here: Known, bet: Bet) -> dict[str, Edge]:
    """The edges of a bet; {} while they are being worked out."""
    if here.edges is None:
        return {}
    return {name: here.edges[Wager(bet.code, name)] for name in bet.selections}


def _costs(here: Known, bet: Bet) -> dict[str, object]:
    return {name: edge.house_edge for name, edge in _by_selection(here, bet).items()}


def _cost(edge: Edge) -> object:
    return (edge.house_edge, tuple(sorted(edge.probabilities.items())), edge.why)


def _unlike_words(game: Game, wagers: Sequence[Wager]) -> str:
    bet = game.bets[wagers[0].bet]
    paid = [
        f"{choice_words(wager.selection)} pays {bet.rungs[wager.selection][-1].odds}"
        for wager in wagers
    ]
    names = _listed([choice_words(wager.selection) for wager in wagers], "and")
    return f"{bet.title} {names} come equally often, but {_listed(paid, 'and')}."


def _listed(names: Sequence[str], joint: str) -> str:
    """Write a list as people say it: "Player, Banker or Tie"."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {joint} {names[-1]}"
