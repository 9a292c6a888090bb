"""The demonstration house: two pits, a table for every game of every book, two operators."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from casino.models import ApiClient, LimitProfile, Person, Table
from casino.models.people import Scope
from casino.selectors import game_of, limits_of, system
from casino.services import setup
from casino.services.limit_profiles import assign_profile, set_profile
from casino.services.limits import EVERY_BET
from games import rulebook
from tickets.management.players import CURRENCIES, LARGEST, OPERATORS, SMALLEST

REASON = "Demonstration."
STUDIO = "studio-demo"
PITS = {"manila": ("Manila", "Asia/Manila"), "riga": ("Riga", "Europe/Riga")}

SHOES, OTHERS = "Tables with a shoe", "Tables without a shoe"
"""The profiles of limits that tables of the demonstration follow."""

TABLE_MAX = {SHOES: 3 * LARGEST, OTHERS: 4 * LARGEST}
"""What one player may have in a round under each of them, in minor units."""


@dataclass(frozen=True, slots=True)
class DemoHouse:
    """The tables, and the machines that speak for the studio and for each operator.

    `keys` are the API keys of clients that were created just now; nobody can show them again.
    """

    tables: tuple[Table, ...]
    studio: Person
    operators: dict[str, ApiClient]
    keys: dict[str, str] = field(repr=False)


def every_game() -> list[rulebook.Game]:
    """Every game of every book, book by book."""
    return [game for book in rulebook.books().values() for game in book.games.values()]


def lay_out(games: Iterable[rulebook.Game]) -> DemoHouse:
    """Create what is missing of a house with a table for each game; harmless when repeated.

    A Super Fan Tan table rides on the 3 Pictures table of its book, where that one comes before
    it. A table without limits follows a profile: those that somebody set since stay.
    """
    by: dict[str, Any] = {"actor": system(), "reason": REASON}
    for code, (name, time_zone) in PITS.items():
        setup.create_pit(code=code, name=name, time_zone=time_zone, **by)
    keys: dict[str, str] = {}
    studio = _client(STUDIO, None, [Scope.FLOOR_WRITE], keys, by)
    operators = {}
    for code, name in OPERATORS.items():
        setup.create_operator(code=code, name=name, **by)
        scopes = [Scope.TICKETS_READ, Scope.TICKETS_WRITE]
        operators[code] = _client(code, code, scopes, keys, by)
    pits = list(PITS)
    tables = tuple(_table(game, pits[number % len(pits)], by) for number, game in enumerate(games))
    _limit(tables, by)
    return DemoHouse(tables, studio.person, operators, keys)


def _table(game: rulebook.Game, pit: str, by: dict[str, Any]) -> Table:
    code, carrier = _code(game), _carrier(game)
    return Table.objects.filter(code=code).first() or setup.create_table(
        code=code,
        name=f"{game.title}, {rulebook.book(game.book).title}",
        pit=carrier.pit.code if carrier else pit,
        book=game.book,
        game=game.code,
        rides_on=carrier.code if carrier else None,
        **by,
    )


def _limit(tables: Sequence[Table], by: dict[str, Any]) -> None:
    limited = limits_of(tables)
    for currency in sorted(set(CURRENCIES)):
        for name, most in TABLE_MAX.items():
            bare = [
                table
                for table in tables
                if currency not in limited.get(table.pk, {})
                and game_of(table).has_shoe == (name == SHOES)
            ]
            if bare:
                profile = LimitProfile.objects.filter(name=name, currency=currency).first()
                if profile is None:
                    bets = {EVERY_BET: (SMALLEST, LARGEST)}
                    profile = set_profile(
                        name=name, currency=currency, bets=bets, table_max=most, **by
                    ).profile
                assign_profile(profile=profile, tables=bare, **by)


def _code(game: rulebook.Game) -> str:
    return f"{game.book}-{game.code}"[:32]


def _carrier(game: rulebook.Game) -> Table | None:
    """The table that one with this game rides on, if it is there (001, L813)."""
    if game.family != "fan_tan":
        return None
    pictures = [
        _code(other)
        for other in rulebook.book(game.book).games.values()
        if other.family == "pictures"
    ]
    return Table.objects.filter(code__in=pictures).select_related("pit").first()


def _client(
    name: str, operator: str | None, scopes: Sequence[str], keys: dict[str, str], by: dict[str, Any]
) -> ApiClient:
    client, key = setup.create_api_client(name=name, operator=operator, scopes=scopes, **by)
    if key is not None:
        keys[name] = key
    return client
