"""What the bets of a round can return: by the end that it may come to, and at most."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from games.cards import DECK
from games.returns import payout
from games.rulebook import Exposure, Game, Stake, Wager, book, books
from games.theory import theory_of
from tests.games.shoes import shuffled

GAMES = [game for one in books().values() for game in one.games.values()]
CALLED = [f"{game.book}-{game.code}" for game in GAMES]


def laid(game: Game, *bets: tuple[str, str, int]) -> Exposure:
    exposure = Exposure(game)
    for bet, selection, stake in bets:
        exposure.add(game.wager(bet, selection), stake)
    return exposure


def most(game: Game, bet: str, selection: str = "") -> Fraction:
    """The most that a unit on one wager can bring back."""
    return Fraction(laid(game, (bet, selection, 1_000)).bound, 1_000)


def paid(game: Game, raw: dict[str, Any], stakes: list[Stake]) -> int:
    """What settlement pays on an outcome, line by line."""
    verdicts = game.resolve(game.read(raw), [stake.wager for stake in stakes])
    return sum(
        payout(stake.stake, verdict.returns)
        for stake, verdict in zip(stakes, verdicts, strict=True)
    )


@pytest.mark.parametrize("game", GAMES, ids=CALLED)
def test_no_outcome_ever_returns_more_than_the_bound(game: Game) -> None:
    """A stake on everything and a slip of a few bets, through dealt rounds of every game."""
    dice = Random(20)
    everything = [
        Wager(bet.code, selection)
        for bet in game.bets.values()
        for selection in bet.selections
        if bet.code not in game.added
    ]
    few = dice.sample(everything, min(6, len(everything)))
    for wagers in (everything, few):
        stakes = [Stake(wager, dice.randrange(1, 5_000)) for wager in wagers]
        exposure = Exposure(game)
        for stake in stakes:
            exposure.add(stake.wager, stake.stake)
        for _ in range(12):
            shoe = shuffled(DECK * (game.decks or 0), dice)
            raw = game.deal(shoe, lambda faces: dice.randint(1, faces))
            outcome = game.read(raw)
            fitting = [
                Stake(wager, stake.stake)
                for stake in stakes
                for wager in game.fitting(outcome, stake.wager.bet, stake.wager.selection)[:1]
            ]
            assert paid(game, raw, fitting) <= exposure.bound
        assert max(exposure.by_end().values()) <= exposure.bound
        assert exposure.staked == sum(stake.stake for stake in stakes)


def test_in_roulette_each_number_pays_what_settlement_pays_on_it() -> None:
    game = book("club-b").game("roulette")
    stakes = [
        Stake(game.wager(bet, selection), stake)
        for bet, selection, stake in (
            ("straight", "17", 1_000), ("red", "", 20_000), ("split", "17-20", 500),
            ("voisins", "", 18_000), ("neighbors", "0", 2_500), ("dozen", "2", 4_000),
        )
    ]  # fmt: skip
    exposure = Exposure(game)
    for stake in stakes:
        exposure.add(stake.wager, stake.stake)
    ends = exposure.by_end()
    assert list(ends) == [str(number) for number in range(37)]
    assert ends == {str(number): paid(game, {"number": number}, stakes) for number in range(37)}
    assert max(ends.values()) == exposure.bound


def test_in_dragon_tiger_each_side_counts_its_dearest_cards() -> None:
    game = book("club-b").game("dragon_tiger")
    bets = [(bet.code, stake) for stake, bet in enumerate(game.bets.values(), start=100)]
    exposure = laid(game, *((bet, "", stake) for bet, stake in bets))
    stakes = [Stake(game.wager(bet), stake) for bet, stake in bets]
    dearest: dict[str, int] = {}
    for dragon, tiger in product(DECK, DECK):
        raw = {"dragon": dragon, "tiger": tiger}
        winner = game.read(raw).winner
        dearest[winner] = max(dearest.get(winner, 0), paid(game, raw, stakes))
    assert {end: abs(minor - dearest[end]) <= 1 for end, minor in exposure.by_end().items()} == {
        "dragon": True, "tiger": True, "tie": True,
    }  # fmt: skip
    assert max(dearest.values()) <= exposure.bound <= max(dearest.values()) + len(bets) // 2


def test_a_round_has_one_end_so_opposite_bets_do_not_add_up() -> None:
    game = book("club-a").game("no_commission_baccarat")
    exposure = laid(game, ("player", "", 1_000), ("banker", "", 1_000), ("tie", "", 100))
    assert exposure.by_end() == {"player": 2_000, "banker": 2_000, "tie": 2_900}
    assert exposure.bound == 2_900


def test_bets_on_the_first_two_cards_count_beside_every_end() -> None:
    game = book("club-a").game("no_commission_baccarat")
    alone = laid(game, ("player", "", 1_000))
    both = laid(game, ("player", "", 1_000), ("player_pair", "", 100))
    pair = most(game, "player_pair")
    assert both.bound == alone.bound + 100 * pair


@pytest.mark.parametrize(
    ("name", "bet", "selection", "odds"),
    [
        ("super_roulette", "straight", "17", 499),
        ("super_sic_bo", "specific_triple", "4", 999),
        ("super_sic_bo", "specific_total", "4", 999),
    ],
)
def test_drawn_odds_count_with_the_highest_that_the_book_allows(
    name: str, bet: str, selection: str, odds: int
) -> None:
    game = book("club-a").game(name)
    assert most(game, bet, selection) == odds + 1


@pytest.mark.parametrize("code", ["club-a", "club-b", "euro"])
def test_a_blackjack_ante_counts_with_all_that_decisions_may_add(code: str) -> None:
    game = book(code).game("blackjack")
    ante = most(game, "ante", "box1")
    doubled = "box1/1" in game.bets["double"].selections
    added = 2 + (4 if doubled else 0) + Fraction(3, 2)
    assert ante == Fraction(5, 2) + added


def test_half_units_are_counted_line_by_line() -> None:
    """Two stakes of 1 at 0.5:1 are paid 2 each, since every line is rounded half up."""
    game = book("club-a").game("no_commission_baccarat")
    exposure = Exposure(game)
    exposure.add(game.wager("banker"), 2, lines=2)
    assert exposure.bound >= 4


def test_a_game_with_too_many_ends_has_one_without_a_name() -> None:
    game = book("club-b").game("three_pictures")
    assert theory_of(game).ends is None
    assert list(laid(game, ("win", "player1", 100)).by_end()) == [""]
