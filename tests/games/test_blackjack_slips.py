"""The lines of one ticket: prerequisites, stakes, plays; and what the floor may ask of them."""

from __future__ import annotations

from typing import Any

import pytest

from games.families.blackjack import check_decisions, insurance_stake
from games.rulebook import Game, Stake, Wager
from games.whatif import answer
from tests.games.blackjack_layout import CLUB_A, CLUB_B, EURO, clubs, every_book, laid

Line = tuple[str, str, int, str | None]

ANTE: Line = ("ante", "box1", 100, None)


def ticket(game: Game, *lines: Line) -> list[Stake]:
    return [Stake(game.wager(bet, place, play), stake) for bet, place, stake, play in lines]


def codes(game: Game, *lines: Line, held: tuple[Wager, ...] = ()) -> list[str | None]:
    refusals = game.check_slip(ticket(game, *lines), hand=None, held=held)
    return [refused and refused.code for refused in refusals]


def decided(game: Game, *lines: Line, **known: Any) -> list[str | None]:
    refusals = check_decisions(game, game.complete(ticket(game, *lines)), **known)
    return [refused and f"{refused.code}: {refused.message}" for refused in refusals]


@every_book
@pytest.mark.parametrize("bet", ["split", "double", "insurance"])
def test_an_added_stake_needs_an_ante_on_its_box(game: Game, bet: str) -> None:
    stake = 50 if bet == "insurance" else 100
    play = {"split": "P[][]", "double": "D", "insurance": None}[bet]
    assert codes(game, (bet, "box1", stake, play)) == ["prerequisite_missing"]
    assert codes(game, (bet, "box2", stake, play), ANTE) == ["prerequisite_missing", None]
    assert codes(game, (bet, "box1", stake, play), ANTE) == [None, None]


@every_book
def test_an_ante_of_another_ticket_is_not_the_one_added_to(game: Game) -> None:
    held = (game.wager("ante", "box1"),)
    assert codes(game, ("insurance", "box1", 50, None), held=held) == ["prerequisite_missing"]


@clubs
def test_a_side_bet_needs_an_ante(game: Game) -> None:
    """L643, L704: on the same box; for the Dealer's pair on any."""
    own: Line = ("player_perfect_pair", "box1", 10, None)
    dealers: Line = ("dealer_perfect_pair", "", 10, None)
    elsewhere: Line = ("ante", "box2", 100, None)
    missing = "prerequisite_missing"
    assert codes(game, own, dealers) == [missing, missing]
    assert codes(game, own, dealers, elsewhere) == [missing, None, None]
    assert codes(game, own, dealers, ANTE) == [None, None, None]
    held = (game.wager("ante", "box1"),)
    assert codes(game, own, dealers, held=held) == [None, None]


@every_book
def test_a_split_and_a_double_stake_the_ante_again(game: Game) -> None:
    """L651, L678; 004 2.6, 2.7."""
    for bet, play in (("split", "P[S][S]"), ("double", "D")):
        for stake, code in ((100, None), (99, "invalid_stake"), (200, "invalid_stake")):
            assert codes(game, ANTE, (bet, "box1", stake, play)) == [None, code]


@every_book
@pytest.mark.parametrize(("ante", "due"), [(100, 50), (1, 1), (5, 3), (2001, 1001)])
def test_insurance_is_half_the_ante_rounded_half_up(game: Game, ante: int, due: int) -> None:
    """L686, 004 2.5.1, R-11."""
    assert insurance_stake(ante) == due
    first: Line = ("ante", "box1", ante, None)
    assert codes(game, first, ("insurance", "box1", due, None)) == [None, None]
    for stake in (due - 1, due + 1):
        assert codes(game, first, ("insurance", "box1", stake, None)) == [None, "invalid_stake"]


@every_book
def test_a_ticket_has_one_line_of_a_kind_on_a_box(game: Game) -> None:
    again = "prohibited_combination"
    assert codes(game, ANTE, ("ante", "box1", 50, None)) == [None, again]
    assert codes(game, ANTE, *[("insurance", "box1", 50, None)] * 2) == [None, None, again]
    assert codes(game, ANTE, ("ante", "box2", 50, None)) == [None, None]


@every_book
def test_the_lines_of_a_box_tell_of_one_play(game: Game) -> None:
    ante: Line = ("ante", "box1", 100, "HS")
    assert codes(game, ante, ("double", "box1", 100, "D")) == ["invalid_play", "invalid_play"]
    other: Line = ("ante", "box2", 100, "D")
    assert codes(game, ante, other, ("double", "box2", 100, "D")) == [None] * 3


@every_book
def test_an_added_stake_without_a_play_is_refused(game: Game) -> None:
    assert codes(game, ANTE, ("double", "box1", 100, None)) == [None, "invalid_play"]
    assert codes(game, ANTE, ("split", "box1", 100, None)) == [None, "invalid_play"]


@clubs
def test_the_doubles_of_a_split_need_its_stake(game: Game) -> None:
    play = "P[D][S]"
    ante: Line = ("ante", "box1", 100, play)
    split: Line = ("split", "box1", 100, play)
    double: Line = ("double", "box1/1", 100, play)
    assert codes(game, ante, double) == [None, "prerequisite_missing"]
    assert codes(game, ante, split, double) == [None, None, None]


def test_what_a_book_never_allows_is_refused_without_cards() -> None:
    assert codes(EURO, ("ante", "box1", 100, "F")) == ["invalid_play"]
    assert codes(EURO, ("ante", "box1", 100, "P[D][S]")) == ["invalid_play"]
    assert codes(CLUB_B, ("ante", "box1", 100, "F")) == [None]


@every_book
def test_a_ticket_says_its_play_once(game: Game) -> None:
    """Lines without a play get that of their box; other bets and other boxes do not."""
    lines = ticket(
        game,
        ("ante", "box1", 100, "P[HS][S]"),
        ("split", "box1", 100, None),
        ("insurance", "box1", 50, None),
        ("ante", "box2", 100, None),
        ("double", "box3", 100, "D"),
        ("ante", "box3", 100, None),
    )
    plays = [line.wager.play for line in game.complete(lines)]
    assert plays == ["P[HS][S]", "P[HS][S]", None, None, "D", "D"]
    assert [line.stake for line in game.complete(lines)] == [line.stake for line in lines]


def test_a_question_says_its_play_once() -> None:
    bets = [
        {"bet": "ante", "selection": "box1", "stake": "10", "play": "P[D][S]"},
        {"bet": "split", "selection": "box1", "stake": "10", "play": None},
        {"bet": "double", "selection": "box1/1", "stake": "10"},
        {"bet": "double", "selection": "box1/2", "stake": "10"},
        {"bet": "chair", "stake": "10"},
    ]
    outcome = laid("TD 9C", "8S 3D KC / 8H 5H")
    question = {"book": "club-b", "game": "blackjack", "outcome": outcome, "bets": bets}
    answers = answer(question)["bets"]
    assert [row.get("payout") for row in answers] == ["20.00", "0.00", "20.00", None, None]
    assert answers[3]["error"]["message"] == "P[D][S] has no double on box1/2."
    assert answers[4]["error"]["code"] == "unknown_bet"


def test_bets_that_are_added_during_the_hand_are_named() -> None:
    for game in (CLUB_A, CLUB_B, EURO):
        assert game.added == {"split", "double", "insurance"}


class TestBeforeTheResult:
    @every_book
    def test_a_play_needs_the_stakes_that_it_makes(self, game: Game) -> None:
        [refused] = decided(game, ("ante", "box1", 100, "D"))
        assert refused == "prerequisite_missing: D needs the stake of its double on box1."
        [refused] = decided(game, ("ante", "box1", 100, "P[S][S]"))
        assert refused == "prerequisite_missing: P[S][S] needs the stake of its split on box1."
        assert decided(game, ("ante", "box1", 100, "D"), ("double", "box1", 100, None)) == [
            None,
            None,
        ]

    @clubs
    def test_a_double_after_a_split_needs_its_own_stake(self, game: Game) -> None:
        lines: list[Line] = [("ante", "box1", 100, "P[S][D]"), ("split", "box1", 100, None)]
        [refused, _] = decided(game, *lines)
        assert refused == "prerequisite_missing: P[S][D] needs the stake of its double on box1/2."
        lines.append(("double", "box1/2", 100, None))
        assert decided(game, *lines) == [None] * 3

    @clubs
    @pytest.mark.parametrize(
        ("cards", "play", "why"),
        [
            ("8S 8H", "S", "A pair of 8s may only be split or folded."),
            ("8S 8H", "F", None),
            ("8S 8H", None, None),
            ("9S 9H", "F", "Only a pair of aces or a pair of 8s may be folded."),
            ("TS 6H", "HS", None),
            ("AS KH", "S", None),
            ("AS KH", "H", "A hand of 21 takes no more cards: it cannot hit."),
        ],
    )
    def test_the_first_decision_is_held_against_the_first_cards(
        self, game: Game, cards: str, play: str | None, why: str | None
    ) -> None:
        [refused] = decided(game, ("ante", "box1", 100, play), cards={1: cards.split()})
        assert refused == (f"invalid_play: {why}" if why else None)

    @every_book
    def test_insurance_is_held_against_the_dealers_first_card(self, game: Game) -> None:
        lines: list[Line] = [ANTE, ("insurance", "box1", 50, None)]
        assert decided(game, *lines) == decided(game, *lines, up="AD") == [None, None]
        [_, refused] = decided(game, *lines, up="KD")
        assert refused == "not_offered: Insurance is offered only against an ace of the Dealer."
