"""Exact house edges: what they cover, and what is said of them elsewhere."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations
from math import perm
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.cards import DECK
from games.drawing import points
from games.families import ball
from games.refusals import Refused
from games.rulebook import Bet, Game, Result, book, books
from games.theory import Edge, decimal, edges
from games.theory.baccarat import passes, weighted_hands

STATED = Path(__file__).resolve().parents[2].parent / "shared" / "design" / "paytables.json"

DOCUMENT_OF = {"club-a": "000", "club-b": "001", "asia": "003", "euro": "004"}

# Where the stated table spells a game or a bet otherwise than its book does.
GAMES_SPELLED = {
    "Fabulous 4 Baccarat": "Fabulous 4 Baccarat (untitled in 000)",
    "Lucky Baccarat": "Lucky Baccarat (untitled in 000)",
}
BETS_SPELLED: dict[str, list[tuple[str, str | None]]] = {
    **{
        f"three_pictures Player {number} {name}": [(bet, f"player{number}")]
        for number in (1, 2, 3)
        for name, bet in (
            ("Win", "win"),
            ("Lose", "lose"),
            ("Tie", "tie"),
            ("3 Knights", "three_knights"),
            ("Pair Plus", "pair_plus"),
        )
    },
    "three_pictures Dealer Pair Plus": [("pair_plus", "dealer")],
    **{f"super_fan_tan {a} Nim {b}": [("nim", f"{a}-{b}")] for a, b in permutations("1234", 2)},
    **{f"super_fan_tan Kwok {a} & {b}": [("kwok", f"{a}-{b}")] for a, b in combinations("1234", 2)},
    **{f"{game} Number": [("number", None)] for game in ("sic_bo", "super_sic_bo")},
    **{f"sic_bo Total {total}": [("specific_total", f"{total}")] for total in range(4, 18)},
    **{
        f"super_sic_bo Total {low}/{21 - low}": [
            ("specific_total", f"{total}") for total in (low, 21 - low)
        ]
        for low in range(4, 11)
    },
    **{
        f"{game} {name}": bets
        for game in ("roulette", "super_roulette")
        for name, bets in (
            ("Four Bet", [("four", None)]),
            ("Red/Black", [("red", ""), ("black", "")]),
            ("Even/Odd", [("odd", ""), ("even", "")]),
            ("Odd/Even", [("odd", ""), ("even", "")]),
            ("Low/High", [("low", ""), ("high", "")]),
        )
    },
    "roulette Triple (0-1-2 / 0-2-3)": [("triple", None)],
    "roulette Row/Street": [("street", None)],
    "roulette 4-number (corner, 0-1-2-3)": [("corner", None)],
    "roulette 6's / Line": [("line", None)],
    "roulette Low 1-18": [("low", "")],
    "roulette High 19-36": [("high", "")],
    **{
        f"super_ball {kind.capitalize()} {name.capitalize()}": [(kind, name)]
        for kind in ("element", "wind")
        for name in ball.FAMILY.selections[kind]
    },
}
"""The wagers that a stated row means; None is every selection of the bet."""

STATED_ROUGHLY = {
    "super_fan_tan": 0.0001,  # as if the four numbers came equally often
    "super_sic_bo": 0.0005,  # in three decimals where the model decides
    "super_roulette": 0.0005,
}


STATED_OTHERWISE = {("blackjack", "Ante"), ("blackjack", "Main")}
"""Stated under other rules of the hand; test_blackjack_edges.py compares them under those."""


def every_game() -> list[Game]:
    return [game for edition in books().values() for game in edition.games.values()]


def edge(book_code: str, game: str, bet: str, selection: str = "") -> Edge:
    [found] = [
        row
        for row in edges(book(book_code).game(game))
        if (row.wager.bet, row.wager.selection) == (bet, selection)
    ]
    return found


def test_eight_decks_deal_exactly_so_many_hands() -> None:
    assert sum(weighted_hands(8, fixed_seven=False).values()) == 4_998_398_275_503_360
    assert sum(weighted_hands(8, fixed_seven=True).values()) == perm(416, 5)


def test_every_pass_covers_every_deal() -> None:
    game = book("club-a").game("fabulous_4")
    totals = [sum(weight for weight, _ in through.draws()) for through in passes(game)]
    assert totals == [perm(416, 6), perm(416, 2), perm(416, 2)]


@pytest.mark.parametrize(
    ("book_code", "game", "bet", "percent"),
    [
        ("asia", "baccarat", "player", "1.2351"),
        ("asia", "baccarat", "banker", "1.0579"),
        ("asia", "baccarat", "tie", "14.3596"),
        ("asia", "baccarat", "player_pair", "10.3614"),
        ("asia", "baccarat", "big", "4.3457"),
        ("asia", "baccarat", "small", "5.2829"),
        ("club-a", "no_commission_baccarat", "banker", "1.4581"),
        ("club-a", "no_commission_baccarat", "super_6", "20.0070"),
        ("club-b", "super_98", "player", "1.0996"),
        ("club-b", "super_98", "banker", "1.3226"),
        ("club-b", "seven_up", "player", "2.5926"),
        ("club-b", "seven_up", "super_7s", "17.8668"),
        ("club-a", "fabulous_4", "banker", "1.5472"),
        ("club-a", "lucky_baccarat", "lucky_6", "5.0410"),
    ],
)
def test_known_edges(book_code: str, game: str, bet: str, percent: str) -> None:
    found = edge(book_code, game, bet).house_edge
    assert found is not None
    assert f"{float(found * 100):.4f}" == percent


def test_known_chances_of_the_hand() -> None:
    """The figures that every book on the game gives for eight decks."""
    banker = edge("asia", "baccarat", "banker").probabilities
    assert banker[Result.WIN] == Fraction(2_292_252_566_437_888, 4_998_398_275_503_360)
    assert banker[Result.PUSH] == Fraction(475_627_426_473_216, 4_998_398_275_503_360)
    assert banker[Result.LOSE] == Fraction(2_230_518_282_592_256, 4_998_398_275_503_360)


@pytest.mark.parametrize("game", every_game(), ids=lambda game: f"{game.book} {game.code}")
def test_every_wager_has_its_row_and_its_chances_sum_to_one(game: Game) -> None:
    rows = edges(game)
    assert [(row.wager.bet, row.wager.selection) for row in rows] == [
        (bet.code, selection) for bet in game.bets.values() for selection in bet.selections
    ]
    for row in rows:
        if row.house_edge is None:
            assert row.why
        else:
            assert sum(row.probabilities.values()) == 1


def test_edges_are_kept_by_the_games_digest() -> None:
    game = book("euro").game("baccarat")
    assert edges(game) is edges(game)


def test_an_edge_is_printed_in_twelve_places() -> None:
    assert decimal(Fraction(1, 3)) == "0.333333333333"
    assert decimal(Fraction(2, 3)) == "0.666666666667"
    assert decimal(Fraction(-1, 8)) == "-0.125000000000"


def test_a_shoe_of_one_deck_deals_no_card_twice() -> None:
    """The edges that are published for a single deck, by which commission is 5%."""
    game = book("euro").game("baccarat")
    single = replace(game, setup=replace(game.setup, decks=1), digest=f"{game.digest} single")
    found = {edge.wager.bet: round(float(edge.house_edge) * 100, 2) for edge in edges(single)}
    published = {"player": 1.29, "banker": 1.01, "tie": 15.75}
    assert {bet: found[bet] for bet in published} == published


def test_hands_of_one_kind_amount_to_the_same_facts() -> None:
    """What lets the enumeration look at one hand of each kind: any other settles alike."""
    game = book("club-a").game("lucky_baccarat")
    by_totals = next(iter(passes(game)))
    kinds: dict[Any, frozenset[str]] = {}
    for _, outcome in by_totals.draws():
        kinds[_kind(outcome.canonical)] = frozenset(filter(by_totals.settles, outcome.facts))
    random = Random(98)
    for _ in range(2_000):
        outcome = game.read(game.deal(iter(random.sample(DECK * 8, 6)), _unrolled))
        settled = frozenset(filter(by_totals.settles, outcome.facts))
        assert settled == kinds[_kind(outcome.canonical)]


def _kind(hand: Any) -> Any:
    player, banker = hand["player"], hand["banker"]
    thirds = [points(side[2:]) if side[2:] else None for side in (player, banker)]
    return (points(player[:2]), points(banker[:2]), *thirds)


def _unrolled(faces: int) -> int:
    raise AssertionError("this game rolls no die")


def _stated_rows(game: Game) -> list[tuple[str, float]]:
    tables = json.loads(STATED.read_text("utf-8"))
    return [
        (name, row["house_edge_pct"])
        for name, row in tables[DOCUMENT_OF[game.book]]
        .get(GAMES_SPELLED.get(game.title, game.title), {})
        .items()
        if isinstance(row, dict) and row.get("house_edge_pct") is not None
        if (game.code, name) not in STATED_OTHERWISE
    ]


def _named(bet: Bet, selection: str) -> set[str]:
    """The names under which a wager may be stated: for all selections, or for one."""
    return {bet.title.casefold(), f"{bet.title} {selection}".strip().casefold()}


def _by_model(game: Game) -> Game:
    """The game set to state house edges by its model of a draw that is not printed (R-2)."""
    if "edge_by_model" not in game.options:
        return game
    setup = replace(game.setup, options=game.options | {"edge_by_model": True})
    return replace(game, setup=setup, digest=f"{game.digest} by model")


@pytest.mark.skipif(not STATED.exists(), reason=f"{STATED} is not here")
@pytest.mark.parametrize("game", every_game(), ids=lambda game: f"{game.book} {game.code}")
def test_every_game_is_stated_and_its_edges_agree(game: Game) -> None:
    """To the four decimals of a percentage, six digits, that the tables state."""
    stated, found = _stated_rows(game), edges(_by_model(game))
    assert stated
    for name, percent in stated:
        wanted = BETS_SPELLED.get(f"{game.code} {name}", [])
        matching = [
            row
            for row in found
            if (row.wager.bet, row.wager.selection) in wanted
            or (row.wager.bet, None) in wanted
            or name.casefold() in _named(game.bets[row.wager.bet], row.wager.selection)
        ]
        assert matching, f"{game.title} has no bet called {name}"
        for row in matching:
            assert row.house_edge is not None, name
            exact = float(row.house_edge * 100)
            roughly = abs(exact - percent) < STATED_ROUGHLY.get(game.code, 0)
            assert round(exact, 4) == percent or roughly, name


def test_an_unknown_game_has_no_edges() -> None:
    with pytest.raises(Refused, match="has no game"):
        book("asia").game("super_98")
