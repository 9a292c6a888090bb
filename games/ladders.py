"""From the steps that a book prints for a bet to the rungs that resolve it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from games.incidents import BookError, check_keys
from games.returns import parse_odds
from games.values import Result, Rung

_RUNG_KEYS = {"on": str, "pays": str | dict, "words": str, "survives": list}
_NO_ODDS = {
    "push": (Result.PUSH, Fraction(1)),
    "lose": (Result.LOSE, Fraction(0)),
    "lose half": (Result.HALF_LOSE, Fraction(1, 2)),
}
_SELECTION = "{selection}"


def read_rungs(
    steps: Sequence[Mapping[str, Any]],
    selections: Sequence[str],
    words: Mapping[str, str],
    place: str,
) -> dict[str, tuple[Rung, ...]]:
    """Read the ladder that each selection climbs; `words` are all facts with their words."""
    for step in steps:
        check_keys(step, _RUNG_KEYS, place)
        if isinstance(step["pays"], dict) and set(step["pays"]) != set(selections):
            raise BookError(f"{place}: the odds name other selections than the bet has")
    return {
        selection: tuple(_rung(step, selection, words, place) for step in steps)
        for selection in selections
    }


def printed_ladder(
    steps: Sequence[Mapping[str, Any]], rungs: Mapping[str, Sequence[Rung]], condition: str
) -> tuple[Rung, ...]:
    """Lay the ladder out for a reader: one rung a step, or one a selection where odds differ."""
    printed: list[Rung] = []
    for number, step in enumerate(steps):
        of_step = {selection: ladder[number] for selection, ladder in rungs.items()}
        if isinstance(step["pays"], dict):
            printed += [replace(rung, selection=name) for name, rung in of_step.items()]
            continue
        rung = next(iter(of_step.values()))
        if _SELECTION in step["on"]:
            words = step.get("words", condition)
            rung = replace(rung, fact=step["on"], words=words)
        printed.append(rung)
    return tuple(printed)


def _rung(step: Mapping[str, Any], selection: str, words: Mapping[str, str], place: str) -> Rung:
    fact = step["on"].replace(_SELECTION, selection)
    if fact not in words:
        raise BookError(f"{place}: no outcome states {fact!r}")
    pays = step["pays"][selection] if isinstance(step["pays"], dict) else step["pays"]
    reason = step.get("words", words[fact]).replace(_SELECTION, selection)
    survives = tuple(step.get("survives", ()))
    if pays == "drawn":
        return Rung(fact, None, pays, Result.WIN, reason, survives=survives)
    if pays in _NO_ODDS:
        result, returns = _NO_ODDS[pays]
        return Rung(fact, returns, pays, result, reason, survives=survives)
    try:
        return Rung(fact, parse_odds(pays), pays, Result.WIN, reason, survives=survives)
    except (ValueError, TypeError) as error:
        raise BookError(f"{place}: {error}") from error
