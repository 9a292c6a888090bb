"""Questions and answers of the resolve command."""

from __future__ import annotations

from typing import Any

import pytest

from games.whatif import answer

QUESTION: dict[str, Any] = {
    "book": "club-b",
    "game": "super_98",
    "hand": 12,
    "outcome": {"player": ["2S", "KH", "2D"], "banker": ["3D", "3C"], "die": 4},
    "bets": [{"bet": "banker", "selection": "", "stake": "100.00", "play": None}],
    "currency": "USD",
}


def error(question: Any) -> str:
    answered = answer(question)
    assert set(answered) == {"error"}
    assert set(answered["error"]) == {"code", "message"}
    return str(answered["error"]["code"])


def bet_errors(*bets: Any, **others: Any) -> list[str | None]:
    answered = answer(QUESTION | others | {"bets": list(bets)})
    return [bet["error"]["code"] if "error" in bet else None for bet in answered["bets"]]


def test_the_answer_says_what_each_bet_pays_and_why() -> None:
    assert answer(QUESTION) == {
        "bets": [
            {
                "result": "win",
                "odds": "0.5:1",
                "returns": "3/2",
                "payout": "150.00",
                "why": "Banker wins on 6",
            }
        ],
        "facts": [
            "banker_pair",
            "banker_pair:3",
            "banker_wins",
            "banker_wins_on:6",
            "banker_wins_on_6_with:2",
            "decided_on_6",
            "third_card",
        ],
    }


def test_hand_currency_selection_and_play_may_be_left_out() -> None:
    short = {key: QUESTION[key] for key in ("book", "game", "outcome")}
    answered = answer(short | {"bets": [{"bet": "banker", "stake": "1"}]})
    assert answered["bets"][0]["payout"] == "1.50"


def test_a_payout_is_rounded_half_up_to_the_currency() -> None:
    bets = [{"bet": "banker", "stake": "5"}]
    assert answer(QUESTION | {"currency": "JPY", "bets": bets})["bets"][0]["payout"] == "8"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"book": "club-z"}, "unknown_book"),
        ({"book": 5}, "unknown_book"),
        ({"game": "roulete"}, "unknown_game"),
        ({"currency": "XYZ"}, "unknown_currency"),
        ({"currency": None}, "unknown_currency"),
        ({"outcome": {}}, "invalid_outcome"),
        ({"outcome": None}, "invalid_outcome"),
        ({"outcome": "KS 9H"}, "invalid_outcome"),
        (
            {"outcome": {"player": ["KS", "6H", "2D"], "banker": ["7D", "KC"], "die": 1}},
            "invalid_outcome",
        ),
        ({"colour": "red"}, "malformed"),
        ({"hand": 0}, "malformed"),
        ({"hand": "12"}, "malformed"),
        ({"hand": True}, "malformed"),
        ({"bets": {}}, "malformed"),
        ({"void": {"ground": "bad_spin"}}, "not_permitted"),
        ({"void": {}}, "malformed"),
        ({"void": {"ground": ["exposed_card"]}}, "malformed"),
        ({"void": {"ground": "exposed_card", "by": "me"}}, "malformed"),
        ({"void": True}, "malformed"),
    ],
)
def test_a_question_that_cannot_be_answered_says_why(change: dict[str, Any], code: str) -> None:
    assert error(QUESTION | change) == code


@pytest.mark.parametrize("question", [None, [], "text", 5])
def test_a_question_is_an_object(question: Any) -> None:
    assert error(question) == "malformed"


@pytest.mark.parametrize("part", ["book", "game", "bets"])
def test_a_missing_part_is_named(part: str) -> None:
    question = {key: value for key, value in QUESTION.items() if key != part}
    assert answer(question)["error"]["message"] == f"{part} is missing."


def test_a_bet_that_would_be_refused_does_not_stop_the_others() -> None:
    good = {"bet": "player", "stake": "1"}
    assert bet_errors(
        good,
        {"bet": "dragon", "stake": "1"},
        {"bet": "player", "stake": 1},
        {"bet": "player", "stake": 1.5},
        {"bet": "player", "stake": "1", "odds": "2:1"},
        {"bet": "player"},
        {"bet": "player", "stake": "1", "play": "S"},
        {"bet": "player", "stake": "1", "selection": "red"},
        "player",
        {"bet": "big", "stake": "1"},
        good,
        hand=36,
    ) == [
        None,
        "unknown_bet",
        "invalid_stake",
        "invalid_stake",
        "malformed",
        "malformed",
        "invalid_play",
        "unknown_bet",
        "malformed",
        "not_offered",
        None,
    ]


def test_the_bets_of_a_question_are_one_ticket() -> None:
    """Super 7's with a main bet beside it stand, alone they do not (C-49)."""
    hand = {"outcome": {"deal": ["7H", "7D", "KC", "2S"]}, "game": "seven_up"}
    sevens, main = {"bet": "super_7s", "stake": "7"}, {"bet": "player", "stake": "1"}
    assert bet_errors(sevens, **hand) == ["prerequisite_missing"]
    assert bet_errors(sevens, main, **hand) == [None, None]


def test_a_void_returns_the_stakes_also_without_a_sound_outcome() -> None:
    void = {"void": {"ground": "wrong_card"}}
    wrong = {"outcome": {"player": ["KS", "6H", "2D"], "banker": ["7D", "KC"], "die": 1}}
    for change in (void, void | {"outcome": None}, void | wrong):
        [paid] = answer(QUESTION | change)["bets"]
        assert (paid["result"], paid["returns"], paid["payout"]) == ("void", "1", "100.00")
        assert paid["why"] == "Hand void (wrong card): stake returned"
    nonsense = {"outcome": {"player": ["XX"], "banker": [], "die": 1}}
    assert error(QUESTION | void | nonsense) == "invalid_outcome"
