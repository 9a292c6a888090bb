"""House edges of blackjack: what is stated of them, under the rules that it is stated for."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from fractions import Fraction

import pytest

from games.loading import SHELF, load_book
from games.rulebook import Game, Result
from games.theory import Edge, decimal, edges
from games.theory.best_play import CARDS, DEALS, box_tally, dealer_ends, gain
from games.theory.blackjack import ONE_STAKE, WHOLE_BOX
from tests.games.blackjack_layout import CLUB_A, CLUB_B, EURO, every_book

BLOCKS = tomllib.loads((SHELF / "common.toml").read_text("utf-8"))

REFUND = '{ on = "dealer_blackjack:ten", pays = "push" }, # L638\n'
AFTER_SPLIT = str([f"box{box}{hand}" for box in range(1, 8) for hand in ("", "/1", "/2")])


def edge(game: Game, bet: str, selection: str = "box1") -> Edge:
    [found] = [
        row for row in edges(game) if (row.wager.bet, row.wager.selection) == (bet, selection)
    ]
    return found


def reprinted(code: str, *changes: tuple[str, str, str]) -> Game:
    """The blackjack of a book with lines of it exchanged: (bet or "", as printed, instead)."""
    text = (SHELF / f"{code}.toml").read_text("utf-8")
    for bet, printed, instead in changes:
        start = text.index(f"[games.blackjack.bets.{bet}]" if bet else "[games.blackjack]")
        place = text.index(printed, start)
        text = text[:place] + instead + text[place + len(printed) :]
    return load_book(text, BLOCKS, code).game("blackjack")


def percent(game: Game) -> str:
    """What a box costs by best play, in the three decimals in which it is stated."""
    return f"{float(-gain(box_tally(game)) * 100):.3f}"


DOUBLE_AFTER_SPLIT = (
    ("", "double_after_split = false", "double_after_split = true"),
    ("double", str([f"box{box}" for box in range(1, 8)]).replace("'", '"'), AFTER_SPLIT),
)
REFUNDED = ("", 'ladder = [\n  { on = "wins"', f'ladder = [\n  {REFUND}  {{ on = "wins"')


@pytest.mark.parametrize(
    ("game", "stated"),
    [
        # The rules that are played: eight cards win, and no double after a split in euro.
        (CLUB_A, "1.230"),
        (CLUB_B, "1.230"),
        (EURO, "0.792"),
        # Stated for the clubs without the win on eight cards.
        (reprinted("club-b", ("", "eight_cards_win = true", "eight_cards_win = false")), "1.231"),
        # C-35: no refund against a ten with blackjack, or that of a split stake too.
        (
            reprinted(
                "club-b",
                ("", "eight_cards_win = true", "eight_cards_win = false"),
                ("double", REFUND, ""),
            ),
            "1.312",
        ),
        (
            reprinted(
                "club-b",
                ("", "eight_cards_win = true", "eight_cards_win = false"),
                ("split", "ladder = [\n", f"ladder = [\n  {REFUND}"),
            ),
            "1.217",
        ),
        # Stated for euro with a double after a split, and C-45: with those stakes refunded.
        (reprinted("euro", *DOUBLE_AFTER_SPLIT), "0.674"),
        (
            reprinted(
                "euro",
                *DOUBLE_AFTER_SPLIT,
                ("split", *REFUNDED[1:]),
                ("double", *REFUNDED[1:]),
            ),
            "0.570",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_box_by_best_play(game: Game, stated: str) -> None:
    """rules.md sections 3.8, 5 and 6: C-35, C-45."""
    assert percent(game) == stated


@pytest.mark.parametrize(("decks", "stated"), [(8, "4.10"), (6, "6.11")])
def test_perfect_pairs_by_decks(decks: int, stated: str) -> None:
    game = reprinted("club-b", ("", "decks = 8", f"decks = {decks}"))
    for bet, selection in (("player_perfect_pair", "box3"), ("dealer_perfect_pair", "")):
        found = edge(game, bet, selection).house_edge
        assert found is not None
        assert f"{float(found * 100):.2f}" == stated


@every_book
def test_insurance(game: Game) -> None:
    """Off the top of eight decks, less the ace: 128 tens in 415 cards."""
    row = edge(game, "insurance", "box4")
    assert row.house_edge == 1 - 3 * Fraction(128, 415)
    assert row.probabilities[Result.WIN] == Fraction(128, 415)


@every_book
def test_the_first_stake_carries_the_edge_of_the_box(game: Game) -> None:
    row = edge(game, "ante")
    assert row.house_edge == -gain(box_tally(game))
    assert row.why == WHOLE_BOX
    assert decimal(row.house_edge) == ("0.007920921470" if game is EURO else "0.012303636939")


@every_book
def test_stakes_that_best_play_adds_win_lose_and_push(game: Game) -> None:
    for bet in ("ante", "split", "double"):
        row = edge(game, bet)
        assert set(row.probabilities) == {Result.WIN, Result.PUSH, Result.LOSE}
        assert sum(row.probabilities.values()) == 1
        if bet != "ante":
            assert row.house_edge is not None
            assert row.house_edge < 0
            assert row.why == ONE_STAKE


@every_book
def test_the_lines_of_a_box_make_up_its_edge(game: Game) -> None:
    """Each line's own result, as often as it is staked: together the edge of the box."""
    staked: dict[tuple[str, str], Fraction] = {}
    won: dict[tuple[str, str], Fraction] = {}
    for (line, _, returns), chance in box_tally(game).items():
        staked[line] = staked.get(line, Fraction(0)) + chance
        won[line] = won.get(line, Fraction(0)) + chance * (returns - 1)
    assert staked["ante", ""] == 1
    assert sum(won.values()) == gain(box_tally(game))
    for (bet, hand), chance in staked.items():
        row = edge(game, bet, f"box2{hand}")
        expected = (
            sum((won[line] for line in won), Fraction(0)) if bet == "ante" else won[bet, hand]
        )
        assert row.house_edge == -expected / chance


def test_the_dealer_of_an_infinite_deck() -> None:
    """Chances that every book on the game gives."""
    for up in CARDS:
        assert sum(count for count, _ in dealer_ends(up)) == DEALS
    naturals = {up: _chance(up, _is_natural) for up in CARDS}
    assert naturals == dict.fromkeys(CARDS, 0) | {"A": Fraction(4, 13), "T": Fraction(1, 13)}
    bust = {up: _chance(up, _is_bust) for up in CARDS}
    assert [f"{float(bust[up]):.4f}" for up in "23456789TA"] == [
        "0.3536", "0.3739", "0.3945", "0.4164", "0.4232",
        "0.2623", "0.2447", "0.2284", "0.2121", "0.1153",
    ]  # fmt: skip


def _chance(up: str, ended: Callable[[tuple[str, ...]], bool]) -> Fraction:
    return Fraction(sum(count for count, cards in dealer_ends(up) if ended(cards)), DEALS)


def _is_natural(cards: tuple[str, ...]) -> bool:
    return sorted(card[0] for card in cards) == ["A", "T"]


def _is_bust(cards: tuple[str, ...]) -> bool:
    return (
        sum(1 if card[0] == "A" else 10 if card[0] == "T" else int(card[0]) for card in cards) > 21
    )
