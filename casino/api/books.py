"""The rule books: paytables, windows and exact house edges."""

from __future__ import annotations

from functools import cache
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.endpoint import ANY_SCOPE, Endpoint, read_query
from casino.api.fields import Shape
from casino.api.paging import Page, PageQuery, page_of
from casino.api.shapes import refused
from games import rulebook
from games.theory import decimal, edges


class GameNameShape(Shape):
    """A game of a book."""

    game = serializers.CharField()
    title = serializers.CharField()


class BookShape(Shape):
    """A rule book in its newest edition. `digest` is the SHA-256 of its content."""

    book = serializers.CharField()
    title = serializers.CharField()
    document = serializers.CharField()
    version = serializers.CharField()
    digest = serializers.CharField()
    games = GameNameShape(many=True)


class RungShape(Shape):
    """One step of a ladder: the first one that holds pays; where none does, the bet loses."""

    selection = serializers.CharField(
        allow_blank=True, help_text="Empty: it serves every selection of the bet."
    )
    when = serializers.CharField()
    result = serializers.CharField(help_text="win, push, lose or half_lose.")
    odds = serializers.CharField(
        allow_blank=True, help_text="What a win pays; empty for every other result."
    )


class EdgeShape(Shape):
    """What a wager keeps for the house per unit staked, and how often it ends in which way."""

    selection = serializers.CharField(allow_blank=True)
    house_edge = serializers.CharField(
        allow_null=True, help_text="A decimal; null where the draw behind the odds is not printed."
    )
    probabilities = serializers.DictField(
        child=serializers.CharField(), help_text="A fraction p/q for each result."
    )
    why = serializers.CharField(allow_blank=True, help_text="Why there is no edge.")


class BetShape(Shape):
    """A bet as its book prints it."""

    bet = serializers.CharField()
    title = serializers.CharField()
    selections = serializers.ListField(child=serializers.CharField(allow_blank=True))
    condition = serializers.CharField(allow_blank=True)
    window = serializers.IntegerField(
        allow_null=True, help_text="The last hand of a shoe on which it is offered."
    )
    needs = serializers.ListField(child=serializers.CharField())
    excludes = serializers.ListField(child=serializers.CharField())
    limit = serializers.IntegerField(
        allow_null=True, help_text="How many times the table's usual maximum it may reach."
    )
    ladder = RungShape(many=True)
    source = serializers.CharField()  # type: ignore[assignment]
    in_document = serializers.BooleanField()
    note = serializers.CharField(allow_blank=True)
    house_edges = EdgeShape(many=True)


class PaytableShape(Shape):
    """A game as one book prints it, bets in printed order."""

    book = serializers.CharField()
    game = serializers.CharField()
    title = serializers.CharField()
    version = serializers.CharField()
    digest = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]
    decks = serializers.IntegerField(allow_null=True)
    bets = BetShape(many=True)


BookPage = page_of(BookShape)


class Books(Endpoint):
    scopes = {"GET": ANY_SCOPE}

    @extend_schema(
        operation_id="list_books",
        summary="Rule books",
        parameters=[PageQuery],
        responses={200: BookPage, **refused()},
    )
    def get(self, request: Request) -> Response:
        query = read_query(PageQuery, request)
        books = rulebook.books()
        codes = sorted(code for code in books if code > query["after"])
        shown = codes[: query["limit"]]
        page = Page(
            results=[_book(books[code]) for code in shown],
            next=shown[-1] if shown else query["after"],
            has_more=len(codes) > len(shown),
        )
        return Response(BookPage(page).data)


class Paytable(Endpoint):
    scopes = {"GET": ANY_SCOPE}

    @extend_schema(
        operation_id="read_paytable",
        summary="The paytable of a game, with its house edges",
        responses={200: PaytableShape, **refused(404)},
    )
    def get(self, request: Request, book: str, game: str) -> Response:
        edition = rulebook.book(book)
        return Response(_paytable(edition.version, edition.game(game)))


def _book(book: rulebook.Book) -> dict[str, Any]:
    return {
        "book": book.code,
        "title": book.title,
        "document": book.document,
        "version": book.version,
        "digest": book.digest,
        "games": [{"game": game.code, "title": game.title} for game in book.games.values()],
    }


@cache
def _paytable(version: str, game: rulebook.Game) -> dict[str, Any]:
    """Kept once worked out: a published book never changes."""
    return {
        "book": game.book,
        "game": game.code,
        "title": game.title,
        "version": version,
        "digest": game.digest,
        "source": game.source,
        "decks": game.decks,
        "bets": [_bet(game, bet) for bet in game.bets.values()],
    }


def _bet(game: rulebook.Game, bet: rulebook.Bet) -> dict[str, Any]:
    return {
        "bet": bet.code,
        "title": bet.title,
        "selections": list(bet.selections),
        "condition": bet.condition,
        "window": bet.window,
        "needs": list(bet.needs),
        "excludes": list(bet.excludes),
        "limit": bet.limit,
        "ladder": [
            {
                "selection": rung.selection,
                "when": rung.words,
                "result": rung.result,
                "odds": rung.odds if rung.result == rulebook.Result.WIN else "",
            }
            for rung in bet.ladder
        ],
        "source": bet.source,
        "in_document": bet.in_document,
        "note": bet.note,
        "house_edges": [
            {
                "selection": edge.wager.selection,
                "house_edge": None if edge.house_edge is None else decimal(edge.house_edge),
                "probabilities": {
                    result: f"{chance.numerator}/{chance.denominator}"
                    for result, chance in edge.probabilities.items()
                },
                "why": edge.why,
            }
            for edge in edges(game)
            if edge.wager.bet == bet.code
        ],
    }
