"""The paytables: every bet of every game as its book prints it, and two books side by side."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from casino.access import VIEW_FLOOR
from casino.pages.edges import edges_soon
from casino.pages.pictures import spoken
from casino.pages.printed import Printed, asymmetries, known, printed
from casino.pages.question import whatif_url
from casino.pages.registry import page, show
from games.rulebook import Action, Game, Ground, book, books

ACTION_WORDS = {
    Action.STAND: "The result stands",
    Action.VOID_HAND: "Void the hand",
    Action.VOID_SHOE: "Void the shoe",
    Action.EDIT: "Edit the result",
    Action.SWAP: "Swap Player 1 and Player 3",
    Action.REPLAY: "Play it again, bets locked",
    Action.RELEASE: "Hand the bets back and reopen",
    Action.PARTIAL: "Pay what was already won",
    Action.DISCRETION: "Management decides",
}
"""What a clause allows to be done, as a person says it."""

OF_A_HAND = frozenset(Action) - {Action.VOID_SHOE, Action.DISCRETION}
"""The actions that are about a hand, which an incident without one cannot be answered with."""

ASPECTS = ("selections", "odds", "house edge", "window", "prerequisite", "prohibited", "limit")
"""What two books are compared by."""


@page("paytables/", name="paytables", permission=VIEW_FLOOR)
def paytables(request: HttpRequest) -> HttpResponse:
    """Every game of every book: a row a game, a column a book."""
    shelf = list(books().values())
    codes = dict.fromkeys(code for edition in shelf for code in edition.games)
    rows = []
    for code in codes:
        offered = [edition.games.get(code) for edition in shelf]
        games = [game for game in offered if game is not None]
        rows.append(
            {
                "title": games[0].title,
                "cells": [game and _cell(game) for game in offered],
                "compare": _compare_url(games[0], games[1]) if len(games) > 1 else "",
            }
        )
    context = {"title": "Paytables", "books": shelf, "rows": rows}
    return show(request, "pitbook/paytables.html", context)


@page("paytables/compare/", name="paytable_compare", permission=VIEW_FLOOR)
def compare(request: HttpRequest) -> HttpResponse:
    """Two games side by side, `?one=club-a/sic_bo&other=club-b/sic_bo`, bets aligned by code."""
    games = [_named(request.GET.get(name, "")) for name in ("one", "other")]
    context: dict[str, Any] = {
        "title": "Compare paytables",
        "shelf": books().values(),
        "chosen": [game and f"{game.book}/{game.code}" for game in games],
        "only": request.GET.get("only", ""),
    }
    if None not in games:
        one, other = (game for game in games if game is not None)
        context |= _side_by_side(one, other, only=bool(context["only"]))
    return show(request, "pitbook/compare.html", context)


@page("paytables/<slug:code>/<slug:game_code>/", name="paytable", permission=VIEW_FLOOR)
def paytable(request: HttpRequest, code: str, game_code: str) -> HttpResponse:
    """A game as one book prints it, in its newest edition or the one that `?edition=` names."""
    edition = book(code, request.GET.get("edition") or None)
    game = edition.game(game_code)
    edges = edges_soon(game)
    here = known(game, edges)
    bets = [printed(here, bet) for bet in game.bets]
    newest = book(code)
    context = {
        "title": f"{game.title}, {edition.title}",
        "edition": edition,
        "newest": newest if newest.version != edition.version else None,
        "game": game,
        "bets": bets,
        "pending": edges is None,
        "asymmetries": asymmetries(game, edges or ()),
        "unprinted": sum(not one.bet.in_document for one in bets),
        "grounds": [_ground(ground) for ground in game.grounds.values()],
        "others": [
            (other, _compare_url(game, other.games[game.code]))
            for other in books().values()
            if other.code != code and game.code in other.games
        ],
        "whatif": whatif_url(game),
    }
    return show(request, "pitbook/paytable.html", context)


def _cell(game: Game) -> dict[str, Any]:
    return {
        "url": reverse("admin:paytable", args=[game.book, game.code]),
        "book": book(game.book).title,
        "bets": len(game.bets),
        "unprinted": sum(not bet.in_document for bet in game.bets.values()),
    }


def _compare_url(one: Game, other: Game) -> str:
    named = {"one": f"{one.book}/{one.code}", "other": f"{other.book}/{other.code}"}
    return f"{reverse('admin:paytable_compare')}?{urlencode(named, safe='/')}"


def _named(name: str) -> Game | None:
    """The game of "club-b/sic_bo"; None where none is named."""
    if not name:
        return None
    code, _, game = name.partition("/")
    return book(code).game(game)


def _ground(ground: Ground) -> dict[str, Any]:
    return {
        "title": spoken(ground.code),
        "ground": ground,
        "actions": [ACTION_WORDS[action] for action in ground.actions],
    }


def _side_by_side(one: Game, other: Game, *, only: bool) -> dict[str, Any]:
    here, beside = known(one, edges_soon(one)), known(other, edges_soon(other))
    rows = []
    for code in dict.fromkeys((*one.bets, *other.bets)):
        sides = [
            printed(mine, code, beside=theirs) if code in mine.game.bets else None
            for mine, theirs in ((here, beside), (beside, here))
        ]
        rows.append(_pair(code, sides, (one, other)))
    differing = [row for row in rows if row["marks"]]
    return {
        "title": f"{one.title}: {_where(one)} beside {_where(other)}"
        if one.code == other.code
        else f"{one.title} beside {other.title}",
        "games": [{"game": game, "book": book(game.book)} for game in (one, other)],
        "rows": differing if only else rows,
        "alike": len(rows) - len(differing),
        "differing": len(differing),
        "pending": here.edges is None or beside.edges is None,
    }


def _pair(code: str, sides: list[Printed | None], games: tuple[Game, Game]) -> dict[str, Any]:
    """One bet in both games, with the marks of what tells them apart."""
    there = [side for side in sides if side is not None]
    if len(there) == 1:
        marks = [f"only in {_where(games[sides[0] is None])}"]
    else:
        marks = [aspect for aspect in ASPECTS if aspect in there[0].differs]
    titles = dict.fromkeys(side.bet.title for side in there)
    return {"code": code, "title": " / ".join(titles), "sides": sides, "marks": marks}


def _where(game: Game) -> str:
    return book(game.book).title
