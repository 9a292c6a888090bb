"""From a book's TOML to its games. Whatever does not fit fails here, not on a Saturday night."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from games.families import Family, family
from games.game import Game
from games.incidents import (
    NOT_IN_DOCUMENT,
    BookError,
    check_keys,
    read_grounds,
    source_text,
)
from games.ladders import printed_ladder, read_rungs
from games.refusals import Refused
from games.values import Bet, Chip, Ground, Setup, Wager

SHELF = Path(__file__).parent / "books"
"""Where the books stand. common.toml is none: it holds the incident blocks they refer to."""

_BOOK_KEYS = {"code": str, "title": str, "document": str, "version": str, "games": dict}
_GAME_KEYS = {
    "title": str,
    "family": str,
    "source": str,
    "decks": int,
    "shoe": bool,
    "coverage": int,
    "incidents": list,
    "options": dict,
    "bets": dict,
}
_BET_KEYS = {
    "title": str,
    "condition": str,
    "lost": str,
    "source": str,
    "note": str,
    "window": int,
    "needs": list,
    "excludes": list,
    "limit": int,
    "selections": str | list,
    "chips": str | list,
    "ladder": list,
}
_CHIP = re.compile(r"(?:([1-9]\d?) )?([a-z0-9_]+)(?::(.+))?", re.ASCII)
_FACT = re.compile(r"[a-z0-9_]+(:[A-Za-z0-9_:-]+)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Book:
    """One edition of one printed rule document. `digest` is the SHA-256 of its content."""

    code: str
    title: str
    document: str
    version: str
    digest: str
    games: Mapping[str, Game]

    def game(self, code: str) -> Game:
        """Find a game of this book; Refused `unknown_game`."""
        found = self.games.get(code) if isinstance(code, str) else None
        if found is None:
            raise Refused("unknown_game", f"{self.title} has no game {code!r}.", field="game")
        return found


def load_shelf(shelf: Path = SHELF) -> list[Book]:
    """Load every edition on the shelf; BookError names what is wrong."""
    blocks = tomllib.loads((shelf / "common.toml").read_text("utf-8"))
    paths = sorted(path for path in shelf.glob("*.toml") if path.name != "common.toml")
    editions = [load_book(path.read_text("utf-8"), blocks, path.name) for path in paths]
    for (code, version), copies in Counter((book.code, book.version) for book in editions).items():
        if copies > 1:
            raise BookError(f"{code}: version {version} stands on the shelf {copies} times")
    return editions


def load_book(text: str, blocks: Mapping[str, Any], name: str) -> Book:
    """Load one book; `blocks` are the incident blocks that its games may refer to."""
    table = tomllib.loads(text)
    check_keys(table, _BOOK_KEYS, name)
    for key in _BOOK_KEYS:
        if key not in table:
            raise BookError(f"{name}: {key!r} is missing")
    if not table["version"].isdecimal():
        raise BookError(f"{name}: version {table['version']!r} is no number in quotes")
    games = {
        code: _game(table, code, game, blocks, f"{name} {code}")
        for code, game in table["games"].items()
    }
    head = {key: table[key] for key in ("code", "title", "document", "version")}
    digest = _digest(head | {"games": {code: game.digest for code, game in games.items()}})
    return Book(**head, digest=digest, games=games)


def _game(
    book: Mapping[str, Any],
    code: str,
    table: Mapping[str, Any],
    blocks: Any,
    place: str,
) -> Game:
    check_keys(table, _GAME_KEYS, place)
    try:
        rules = family(table["family"])
        grounds = {
            ground.code: ground
            for ground in read_grounds(book["document"], table["incidents"], blocks, place)
        }
        options = _options(rules, table.get("options", {}), place)
        setup = Setup(table.get("decks"), options)
        words = rules.glossary(setup)
        for fact in words:
            if _FACT.fullmatch(fact) is None:
                raise BookError(f"{place}: the family states {fact!r}, which is no fact name")
        bets = {
            bet: _bet(bet, bet_table, book["document"], rules, words, f"{place} {bet}")
            for bet, bet_table in table["bets"].items()
        }
        bets = _connect(bets, table["bets"], rules, grounds, place)
        content = {
            "book": [book["code"], book["version"]],
            "game": table,
            "incidents": [blocks[entry["block"]] for entry in table["incidents"]],
        }
        return Game(
            book=book["code"],
            code=code,
            title=table["title"],
            source=source_text(book["document"], table["source"]),
            family=table["family"],
            digest=_digest(content),
            has_shoe=table["shoe"],
            bets=bets,
            grounds=grounds,
            coverage=table.get("coverage"),
            setup=setup,
            rules=rules,
            words=words,
        )
    except LookupError as error:
        raise BookError(f"{place}: {error} is missing or unknown") from error


def _bet(
    code: str,
    table: Mapping[str, Any],
    document: str,
    rules: Family,
    words: Mapping[str, str],
    place: str,
) -> Bet:
    check_keys(table, _BET_KEYS, place)
    selections = _selections(table, rules, place)
    steps = table.get("ladder", ())
    if not steps and "chips" not in table:
        raise BookError(f"{place}: a bet needs a ladder or chips")
    rungs = read_rungs(steps, selections, words, place)
    return Bet(
        code=code,
        title=table["title"],
        selections=selections,
        ladder=printed_ladder(steps, rungs, table["condition"]),
        condition=table["condition"],
        source=source_text(document, table["source"]),
        in_document=table["source"] != NOT_IN_DOCUMENT,
        note=table.get("note", ""),
        lost=table.get("lost", ""),
        window=table.get("window"),
        needs=tuple(table.get("needs", ())),
        excludes=tuple(table.get("excludes", ())),
        limit=table.get("limit"),
        rungs=rungs,
    )


def _selections(table: Mapping[str, Any], rules: Family, place: str) -> tuple[str, ...]:
    """Take the selections that a bet lists, calls by name, or names in its odds."""
    named = table.get("selections")
    if isinstance(named, str):
        return rules.selections[named]
    if named is not None:
        return tuple(named)
    for step in table.get("ladder", ()):
        if isinstance(step.get("pays"), dict):
            return tuple(step["pays"])
    return ("",)


def _connect(
    bets: dict[str, Bet],
    tables: Mapping[str, Any],
    rules: Family,
    grounds: Mapping[str, Ground],
    place: str,
) -> dict[str, Bet]:
    """Check what bets say of each other and of incidents, and lay the announced bets' chips.

    A prohibition holds both ways, also where only one of the two bets states it.
    """
    excluded: dict[str, list[str]] = {code: list(bet.excludes) for code, bet in bets.items()}
    for bet in bets.values():
        for other in (*bet.excludes, *(need.partition(":")[0] for need in bet.needs)):
            if other not in bets:
                raise BookError(f"{place} {bet.code}: there is no bet {other!r} in this game")
        for other in bet.excludes:
            if bet.code not in excluded[other]:
                excluded[other].append(bet.code)
        for rung in bet.ladder:
            for ground in rung.survives:
                if ground not in grounds:
                    raise BookError(f"{place} {bet.code}: there is no ground {ground!r}")
    connected = {}
    for code, bet in bets.items():
        chips = _chips(bet, tables[code].get("chips"), bets, rules, f"{place} {code}")
        connected[code] = replace(bet, excludes=tuple(excluded[code]), chips=chips)
    return connected


def _chips(
    bet: Bet,
    placed: str | list[str] | None,
    bets: Mapping[str, Bet],
    rules: Family,
    place: str,
) -> dict[str, tuple[Chip, ...]]:
    """Lay the chips of an announced bet: "split:4-7", or "2 corner:25-26-28-29" for two."""
    if placed is None:
        return {}
    laid = {}
    for selection in bet.selections:
        lines = rules.chips[placed](selection) if isinstance(placed, str) else placed
        chips = []
        for line in lines:
            match = _CHIP.fullmatch(line)
            count, code, spot = match.groups("") if match else ("", "", "")
            if code not in bets or spot not in bets[code].selections:
                raise BookError(f"{place}: a chip lies on {line!r}, which is no bet of this game")
            chips.append(Chip(Wager(code, spot), int(count or 1)))
        laid[selection] = tuple(chips)
    return laid


def _options(rules: Family, table: Mapping[str, Any], place: str) -> dict[str, Any]:
    for name, value in table.items():
        if name not in rules.options:
            raise BookError(f"{place}: the family has no option {name!r}")
        if type(value) is not type(rules.options[name]):
            raise BookError(f"{place}: option {name} is {value!r}")
    return dict(rules.options) | dict(table)


def _digest(content: Any) -> str:
    text = json.dumps(content, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
