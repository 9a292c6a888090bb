"""What the engine offers to a family, on a family of four numbers made for this test."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest

from games import loading
from games.families import Family, Roll
from games.incidents import BookError
from games.loading import SHELF, load_book
from games.reading import check_keys, read_number
from games.refusals import Refused
from games.rulebook import Game, Outcome, Stake, Verdict, Void, Wager
from games.values import Bet, Setup

BLOCKS = tomllib.loads((SHELF / "common.toml").read_text("utf-8"))
NUMBERS = ("1", "2", "3", "4")

BOOK = """
code = "test"
title = "Test"
document = "999"
version = "1"

[games.four]
title = "Four Numbers"
family = "four"
source = "L1"
shoe = false
coverage = 3
incidents = [{ block = "BJ-001", source = "L9" }, { block = "HOUSE" }]

[games.four.bets.straight]
title = "Straight"
condition = "The number is drawn."
source = "L2"
limit = 1
selections = "numbers"
ladder = [
  { on = "super:{selection}", pays = "drawn" },
  { on = "number:{selection}", pays = "2:1", survives = ["shuffler_jam"] },
]

[games.four.bets.low]
title = "Low"
condition = "1 or 2 is drawn; on 3 half is lost."
source = "L3"
excludes = ["high"]
ladder = [
  { on = "number:1", pays = "0.95:1" },
  { on = "number:2", pays = "push", words = "On the line" },
  { on = "number:3", pays = "lose half" },
  { on = "number:4", pays = "lose" },
]

[games.four.bets.high]
title = "High"
condition = "The chosen number is drawn, high numbers pay more."
source = "L4"
ladder = [{ on = "number:{selection}", pays = { "3" = "1:1", "4" = "3:2" } }]

[games.four.bets.side]
title = "Side"
condition = "4 is drawn."
source = "L5"
needs = ["straight:{selection}"]
selections = ["1", "4"]
ladder = [{ on = "number:4", pays = "5:1" }]

[games.four.bets.called]
title = "Called"
condition = "The chips win."
source = "L6"
chips = ["straight:1", "2 straight:4"]

[games.four.bets.around]
title = "Around"
condition = "The number or the next one is drawn."
source = "L7"
selections = "numbers"
chips = "around"

[games.four.bets.guess]
title = "Guess"
condition = "The play names the number."
source = "L8"
ladder = [{ on = "guessed", pays = "2:1" }]
"""


def glossary(setup: Setup) -> dict[str, str]:
    numbers = {f"number:{number}": f"The number is {number}" for number in NUMBERS}
    supers = {f"super:{number}": f"Super number {number}" for number in NUMBERS}
    return numbers | supers | {"guessed": "The number was named"}


def read(setup: Setup, raw: Mapping[str, Any]) -> Outcome:
    check_keys(raw, {"number", "super"})
    number = str(read_number(raw, "number", 1, 4))
    facts = {f"number:{number}"}
    odds = {f"super:{name}": Fraction(returns) for name, returns in raw.get("super", {}).items()}
    facts |= {fact for fact in odds if fact == f"super:{number}"}
    return Outcome(raw, frozenset(facts), f"Number {number}", odds=odds)


def deal(setup: Setup, shoe: Iterator[str], roll: Roll) -> dict[str, Any]:
    return {"number": roll(4)}


def facts_for(setup: Setup, outcome: Outcome, wager: Wager) -> frozenset[str]:
    if wager.play is None:
        return outcome.facts
    if wager.play == "4" and outcome.canonical["number"] == 1:
        raise Refused("invalid_play", "4 cannot be named on 1.")
    return outcome.facts | ({"guessed"} if f"number:{wager.play}" in outcome.facts else set())


def play(bet: Bet, selection: str, text: str) -> str:
    if bet.code != "guess" or text.strip() not in NUMBERS:
        raise Refused("invalid_play", f"{text!r} names no number.")
    return text.strip()


def check(setup: Setup, slip: Sequence[Stake], held: Sequence[Wager]) -> Sequence[Refused | None]:
    return [
        Refused("invalid_stake", "A guess is 10.") if line.wager.bet == "guess" and line.stake != 10
        else None
        for line in slip
    ]  # fmt: skip


FOUR = Family(
    glossary=glossary,
    read=read,
    deal=deal,
    selections={"numbers": NUMBERS},
    facts_for=facts_for,
    play=play,
    default_play=lambda bet, selection: "1" if bet.code == "guess" else None,
    chips={"around": lambda number: (f"straight:{number}", f"straight:{int(number) % 4 + 1}")},
    covers=lambda bet, selection: frozenset({selection} if bet == "straight" else ()),
    check=check,
)


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> Game:
    monkeypatch.setattr(loading, "family", lambda name: FOUR)
    return load_book(BOOK, BLOCKS, "test.toml").game("four")


def resolve(game: Game, raw: Any, bet: str, selection: str = "", play: Any = None) -> Verdict:
    [verdict] = game.resolve(game.read(raw), [game.wager(bet, selection, play)])
    return verdict


def codes(
    game: Game, *lines: tuple[str, str, int], held: tuple[Wager, ...] = ()
) -> list[str | None]:
    slip = [Stake(game.wager(bet, selection), stake) for bet, selection, stake in lines]
    refusals = game.check_slip(slip, hand=None, held=held)
    return [refused.code if refused else None for refused in refusals]


def test_a_fact_may_carry_the_selection_and_its_own_words(game: Game) -> None:
    won = resolve(game, {"number": 3}, "straight", "3")
    assert (won.returns, won.odds, won.why) == (3, "2:1", "The number is 3")
    assert resolve(game, {"number": 3}, "straight", "4").result == "lose"


def test_odds_may_differ_by_selection(game: Game) -> None:
    assert game.bets["high"].selections == ("3", "4")
    assert resolve(game, {"number": 3}, "high", "3").returns == 2
    assert resolve(game, {"number": 4}, "high", "4").returns == Fraction(5, 2)


def test_the_ladder_is_laid_out_for_a_reader(game: Game) -> None:
    straight, high = game.bets["straight"].ladder, game.bets["high"].ladder
    assert [(rung.fact, rung.odds, rung.selection) for rung in straight] == [
        ("super:{selection}", "drawn", ""),
        ("number:{selection}", "2:1", ""),
    ]
    assert [(rung.fact, rung.odds, rung.selection) for rung in high] == [
        ("number:3", "1:1", "3"),
        ("number:4", "3:2", "4"),
    ]


def test_the_first_fact_that_holds_decides(game: Game) -> None:
    results = [resolve(game, {"number": number}, "low") for number in (1, 2, 3, 4)]
    assert [(verdict.result, verdict.returns) for verdict in results] == [
        ("win", Fraction(39, 20)),
        ("push", 1),
        ("half_lose", Fraction(1, 2)),
        ("lose", 0),
    ]
    assert [verdict.why for verdict in results] == [
        "The number is 1",
        "On the line: stake returned",
        "The number is 3: half the stake lost",
        "The number is 4",
    ]


def test_odds_drawn_for_the_round_come_from_the_outcome(game: Game) -> None:
    raw = {"number": 3, "super": {"3": 50, "4": 500}}
    won = resolve(game, raw, "straight", "3")
    assert (won.returns, won.odds, won.why) == (50, "49:1", "Super number 3")
    assert resolve(game, raw, "straight", "4").result == "lose"


def test_an_announced_bet_returns_what_its_chips_return(game: Game) -> None:
    assert game.bets["called"].units("") == 3
    assert resolve(game, {"number": 4}, "called").returns == 2  # two of three chips at 2:1
    assert resolve(game, {"number": 1}, "called").result == "push"  # one of three chips at 2:1
    assert resolve(game, {"number": 2}, "called").result == "lose"
    won = resolve(game, {"number": 4, "super": {"4": 50}}, "called")
    assert (won.returns, won.odds) == (Fraction(100, 3), "97:3")
    assert resolve(game, {"number": 1}, "around", "4").returns == Fraction(3, 2)


def test_the_stake_of_an_announced_bet_divides_by_its_chips(game: Game) -> None:
    assert codes(game, ("called", "", 300), ("called", "", 100), ("around", "2", 100)) == [
        None,
        "invalid_stake",
        None,
    ]


def test_a_prerequisite_may_ask_for_the_same_selection(game: Game) -> None:
    missing = "prerequisite_missing"
    assert codes(game, ("side", "4", 1), ("straight", "1", 1)) == [missing, None]
    assert codes(game, ("side", "4", 1), ("straight", "4", 1)) == [None, None]
    assert codes(game, ("side", "4", 1), held=(Wager("straight", "4"),)) == [None]


def test_coverage_counts_what_the_player_holds_already(game: Game) -> None:
    """All bets that cover something are refused together: none of them is the one too many."""
    three = [("straight", number, 1) for number in "123"]
    exceeded = "coverage_exceeded"
    assert codes(game, *three, ("low", "", 1)) == [None] * 4
    assert codes(game, *three, ("straight", "3", 5)) == [None] * 4
    assert codes(game, *three, ("straight", "4", 1), ("low", "", 1)) == [exceeded] * 4 + [None]
    assert codes(game, *three, held=(Wager("straight", "4"),)) == [exceeded] * 3


def test_a_family_may_object_to_a_slip(game: Game) -> None:
    assert codes(game, ("guess", "", 9), ("guess", "", 10)) == ["invalid_stake", None]


def test_a_play_is_checked_and_kept_in_its_one_form(game: Game) -> None:
    assert game.wager("guess", "", " 2 ") == Wager("guess", "", "2")
    assert game.wager("guess") == Wager("guess", "", "1")
    with pytest.raises(Refused) as refused:
        game.wager("guess", "", "9")
    assert refused.value.code == "invalid_play"


def test_facts_may_depend_on_the_wager(game: Game) -> None:
    assert resolve(game, {"number": 2}, "guess", "", "2").result == "win"
    assert resolve(game, {"number": 2}, "guess", "", "3").result == "lose"
    with pytest.raises(Refused, match="cannot be named"):
        resolve(game, {"number": 1}, "guess", "", "4")


def test_a_void_pays_what_survives_its_ground(game: Game) -> None:
    outcome = game.read({"number": 3})
    wagers = [game.wager("straight", "3"), game.wager("straight", "4"), game.wager("called")]
    jammed = game.resolve(outcome, wagers, void=Void("shuffler_jam"))
    exposed = game.resolve(outcome, wagers, void=Void("exposed_card"))
    assert [(verdict.result, verdict.returns) for verdict in jammed] == [
        ("win", 3),
        ("void", 1),
        ("void", 1),
    ]
    assert {verdict.result for verdict in exposed} == {"void"}


@pytest.mark.parametrize(
    ("printed", "misprint"),
    [
        ('"2 straight:4"', '"2 straight:5"'),
        ('"2 straight:4"', '"2 street:4"'),
        ('"2 straight:4"', '"two straight:4"'),
        ('chips = "around"', 'chips = "about"'),
        ('selections = "numbers"', 'selections = "digits"'),
        ('survives = ["shuffler_jam"]', 'survives = ["bad_spin"]'),
        ('{ "3" = "1:1", "4" = "3:2" }', '{ "3" = "1:1", "5" = "3:2" }'),
    ],
)
def test_a_misprint_fails_when_the_book_is_loaded(game: Game, printed: str, misprint: str) -> None:
    assert printed in BOOK
    with pytest.raises(BookError, match="test"):
        load_book(BOOK.replace(printed, misprint, 1), BLOCKS, "test.toml")
