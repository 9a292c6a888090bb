"""A question to the rules as a person types it, in an address that can be sent to somebody."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any, NoReturn
from urllib.parse import urlencode

from django.http import HttpRequest, QueryDict
from django.urls import reverse

from casino.pages.amounts import plain
from casino.pages.entry import entered, is_blank, names_of, typed_from
from casino.pages.parts import parts_of
from games.refusals import Refused
from games.rulebook import Game, book, books
from games.whatif import DEFAULT_CURRENCY

STAKE = "100"
"""What a new row stakes."""


@dataclass(frozen=True, slots=True)
class Line:
    """A bet as it was typed. `turned` says that its row was made for another bet than it names."""

    bet: str = ""
    selection: str = ""
    stake: str = STAKE
    play: str = ""
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it was typed; `data` is the outcome as JSON, None where it is in fields."""

    game: Game
    typed: Mapping[str, str]
    data: str | None
    bets: tuple[Line, ...]
    hand: str
    currency: str
    void: str

    @property
    def blank(self) -> bool:
        """Whether no outcome was entered."""
        return is_blank(self.game, self.typed) if self.data is None else not self.data.strip()


def read_asked(request: HttpRequest) -> Asked:
    """Read the question; Refused `unknown_book` or `unknown_game`, which have no place on it."""
    query = request.GET
    game = _game(query.get("game", ""))
    typed = {name: query[name] for name in names_of(game) if name in query}
    by_data = query.get("as") == "data" or not parts_of(game)
    asked = Asked(
        game=game,
        typed={} if by_data else typed,
        data=query.get("outcome", "") if by_data else None,
        bets=_bets(game, query),
        hand=query.get("hand", "").strip() if game.has_shoe else "",
        currency=query.get("currency", DEFAULT_CURRENCY).strip().upper(),
        void=query.get("void", ""),
    )
    if "choose" in query or request.headers.get("HX-Trigger-Name") == "game":
        asked = replace(asked, bets=tuple(line for line in asked.bets if line.bet in game.bets))
    return _turned(asked, query.get("to"))


def _game(name: str) -> Game:
    """The game of "club-b/super_98"; the first of the first book where none is named."""
    if not name:
        return next(iter(next(iter(books().values())).games.values()))
    code, _, game = name.partition("/")
    return book(code).game(game)


def _bets(game: Game, query: QueryDict) -> tuple[Line, ...]:
    """The rows as they were sent; `made_for` is the bet whose selections a row offered.

    A selection of another bet was not meant for this one: where it does not fit, it is left out.
    """
    columns = map(query.getlist, ("bet", "selection", "stake", "play", "made_for"))
    lines = []
    for row in zip_longest(*columns, fillvalue=""):
        code, selection, stake, play, made_for = map(str.strip, row)
        turned = "made_for" in query and made_for != code
        bet = game.bets.get(code)
        if turned and (bet is None or selection not in bet.selections):
            selection = ""
        lines.append(Line(code, selection, plain(stake), play, turned))
    return tuple(lines)


def _turned(asked: Asked, to: str | None) -> Asked:
    """Turn the outcome over to data or to fields; what is no outcome stays as it was typed."""
    if to == "data" and asked.data is None:
        data = "" if asked.blank else json.dumps(entered(asked.game, asked.typed))
        return replace(asked, typed={}, data=data)
    if to == "fields" and asked.data is not None and parts_of(asked.game):
        try:
            return replace(asked, typed=typed_from(asked.game, _loaded(asked.data)), data=None)
        except Refused:
            return asked
    return asked


def with_outcome(asked: Asked, outcome: Mapping[str, Any]) -> Asked:
    """Put another outcome into a question, in fields or as data as it was asked."""
    if asked.data is None:
        return replace(asked, typed=typed_from(asked.game, outcome))
    return replace(asked, data=json.dumps(outcome))


def _loaded(text: str) -> Any:
    """Read an outcome that was entered as data, None for nothing; Refused `invalid_outcome`."""
    if not text.strip():
        return None
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise Refused("invalid_outcome", f"This is no JSON: {error}.", field="outcome") from error


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")


def question_of(asked: Asked) -> dict[str, Any]:
    """The question as `manage.py resolve` takes it; Refused where the outcome is no JSON."""
    question: dict[str, Any] = {"book": asked.game.book, "game": asked.game.code}
    if asked.hand:
        number = asked.hand.isdecimal() and asked.hand.isascii() and len(asked.hand) < 7
        question["hand"] = int(asked.hand) if number else asked.hand
    if asked.void:
        question["void"] = {"ground": asked.void}
    if not asked.blank and asked.data is None:
        question["outcome"] = entered(asked.game, asked.typed)
    elif not asked.blank:
        question["outcome"] = _loaded(asked.data or "")
    question["bets"] = [_asked_of(line) for line in asked.bets if line.bet]
    return question | {"currency": asked.currency}


def _asked_of(line: Line) -> dict[str, str]:
    bet = {"bet": line.bet, "selection": line.selection, "stake": line.stake}
    return bet | ({"play": line.play} if line.play else {})


def address_of(asked: Asked) -> str:
    """The address of a question, without what is not filled in."""
    pairs = [("game", f"{asked.game.book}/{asked.game.code}")]
    pairs += [(name, text) for name, text in asked.typed.items() if text]
    if asked.data is not None:
        pairs += [("as", "data"), ("outcome", asked.data)]
    pairs += [("hand", asked.hand), ("void", asked.void)]
    if asked.currency != DEFAULT_CURRENCY:
        pairs.append(("currency", asked.currency))
    columns = ["bet", "selection", "stake"]
    if any(line.play for line in asked.bets):
        columns.append("play")
    kept = [(name, text) for name, text in pairs if text]
    kept += [
        (column, getattr(line, column)) for line in asked.bets if line.bet for column in columns
    ]
    return f"{reverse('admin:whatif')}?{urlencode(kept, safe='/')}"


def whatif_url(game: Game, outcome: Mapping[str, Any] | None = None) -> str:
    """The address at which a game, with an outcome if there is one, stands ready to be asked of."""
    asked = Asked(game, {}, None, (), "", DEFAULT_CURRENCY, "")
    return address_of(with_outcome(asked, outcome) if outcome else asked)
