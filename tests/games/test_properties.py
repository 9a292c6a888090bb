"""What holds for every game of every book, whatever is dealt and whatever is bet."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence, Set
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.cards import DECK
from games.returns import odds_text, payout
from games.rulebook import Game, Outcome, Result, Void, Wager, books
from games.theory import edges, facts_asked, theory_of
from games.values import VOIDING
from tests.games.shoes import shuffled

GAMES = [game for edition in books().values() for game in edition.games.values()]
WAGERS = {
    id(game): [
        game.wager(bet.code, selection)
        for bet in game.bets.values()
        for selection in bet.selections
    ]
    for game in GAMES
}
SEEDS = st.integers(0, 2**32)

in_every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.book} {game.code}")
ROUNDS = 4
"""Rounds dealt for one example: what an example itself costs is more than a round."""

quickly = settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])


LOW_CARDS = tuple(card for card in DECK if card[0] in "A234")
"""Cards of which long hands are made."""


def dealt(game: Game, random: Random, deck: Sequence[str] = DECK) -> Outcome:
    """Deal one round by the rules, from a shuffled shoe."""
    shoe = shuffled(deck * (game.decks or 0), random)
    return game.read(game.deal(shoe, lambda faces: random.randint(1, faces)))


def rounds(game: Game, seed: int) -> Iterator[Outcome]:
    """Deal the rounds of one example."""
    random = Random(seed)
    return (dealt(game, random) for _ in range(ROUNDS))


def fitting(game: Game, outcome: Outcome) -> list[Wager]:
    """List every wager that can have been made on an outcome."""
    return [
        wager
        for bet in game.bets.values()
        for selection in bet.selections
        for wager in game.fitting(outcome, bet.code, selection)
    ]


def stated(game: Game, outcome: Outcome) -> set[str]:
    """The facts of an outcome, and those that hold for some wager on it."""
    each = [game.rules.facts_for(game.setup, outcome, wager) for wager in fitting(game, outcome)]
    return set(outcome.facts).union(*each)


@in_every_game
@quickly
@given(seed=SEEDS)
def test_a_legal_deal_is_read_and_reads_back_to_itself(game: Game, seed: int) -> None:
    for outcome in rounds(game, seed):
        assert outcome.headline
        assert outcome.facts
        assert outcome.facts <= set(game.words)
        again = game.read(json.loads(json.dumps(outcome.canonical)))
        assert again == outcome


@in_every_game
@quickly
@given(seed=SEEDS)
def test_a_payout_never_depends_on_the_other_lines(game: Game, seed: int) -> None:
    for outcome in rounds(game, seed):
        wagers = fitting(game, outcome)
        together = dict(zip(wagers, game.resolve(outcome, wagers), strict=True))
        mixed = Random(seed).sample(wagers, len(wagers))
        assert dict(zip(mixed, game.resolve(outcome, mixed), strict=True)) == together
        for wager in mixed[:5]:
            assert game.resolve(outcome, [wager]) == [together[wager]]


@in_every_game
@quickly
@given(seed=SEEDS)
def test_a_verdict_is_true_to_what_comes_back(game: Game, seed: int) -> None:
    """R-12: the fraction decides, the words agree with it."""
    verdicts = [
        verdict
        for outcome in rounds(game, seed)
        for verdict in game.resolve(outcome, fitting(game, outcome))
    ]
    for verdict in verdicts:
        assert verdict.why
        match verdict.result:
            case Result.WIN:
                assert verdict.returns > 1
                assert verdict.odds
            case Result.PUSH:
                assert (verdict.returns, verdict.odds) == (1, "")
            case Result.HALF_LOSE:
                assert 0 < verdict.returns < 1
            case Result.LOSE:
                assert (verdict.returns, verdict.odds) == (0, "")
            case _:
                pytest.fail(f"{verdict.result} without a void")


@in_every_game
@quickly
@given(seed=SEEDS, stakes=st.tuples(*[st.integers(1, 10**12)] * ROUNDS))
def test_a_void_returns_stakes_to_the_unit(game: Game, seed: int, stakes: Sequence[int]) -> None:
    voids = [
        Void(ground.code)
        for ground in game.grounds.values()
        if not VOIDING.isdisjoint(ground.actions)
    ]
    for (outcome, stake), void in product(zip(rounds(game, seed), stakes, strict=True), voids):
        for verdict in game.resolve(outcome, WAGERS[id(game)], void=void):
            if verdict.result == Result.VOID:
                assert payout(stake, verdict.returns) == stake


def unstated(facts: Set[str], rounds: Iterable[Set[str]]) -> Set[str]:
    """The facts that none of these rounds states; what they all do is found out early."""
    for stated_there in rounds:
        if not facts:
            break
        facts = facts - stated_there
    return facts


@in_every_game
def test_every_fact_on_a_ladder_is_stated_by_some_outcome(game: Game) -> None:
    """Those that an enumeration settles by it, what is left by many deals."""
    wanting: Set[str] = facts_asked(game, *WAGERS[id(game)])
    for through in theory_of(game).passes(game):
        settled = set(filter(through.settles, wanting))
        wanting -= settled - unstated(settled, (outcome.facts for _, outcome in through.draws()))
    deals = (dealt(game, Random(seed), LOW_CARDS if seed % 2 else DECK) for seed in range(20_000))
    assert not unstated(wanting, (stated(game, outcome) for outcome in deals))


@in_every_game
def test_every_bet_both_wins_and_loses(game: Game) -> None:
    for edge in edges(game):
        if edge.house_edge is None:
            continue
        chances = edge.probabilities
        assert chances.get(Result.WIN), f"{edge.wager} never wins"
        assert chances.get(Result.LOSE) or chances.get(Result.HALF_LOSE), (
            f"{edge.wager} never loses"
        )


@in_every_game
def test_a_wager_names_itself(game: Game) -> None:
    for wager in WAGERS[id(game)]:
        assert game.wager(wager.bet, wager.selection, wager.play) == wager
    assert sorted(set(WAGERS[id(game)])) == sorted(WAGERS[id(game)])
    assert Wager("player") < Wager("tie")


@in_every_game
def test_odds_printed_in_a_book_are_the_returns_it_pays(game: Game) -> None:
    for bet in game.bets.values():
        for rung in bet.ladder:
            if rung.result == Result.WIN and rung.returns is not None:
                whole, _, part = odds_text(rung.returns).partition(":")
                assert rung.returns - 1 == _ratio(whole, part) == _ratio(*rung.odds.split(":"))


def _ratio(won: str, staked: str) -> Fraction:
    return Fraction(won) / Fraction(staked)
