"""What would these bets pay under this book? Questions and answers as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games import money
from games.game import Game
from games.refusals import Refused
from games.returns import payout
from games.rulebook import book
from games.values import Outcome, Stake, Verdict, Void, Wager

DEFAULT_CURRENCY = "USD"

_QUESTION = {"book", "game", "hand", "outcome", "bets", "currency", "void"}
_BET = {"bet", "selection", "stake", "play"}


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its parts checked; bets that are no wagers stand as their refusals."""

    game: Game
    outcome: Outcome | None
    void: Void | None
    hand: int | None
    currency: str
    bets: Sequence[Stake | Refused]


def answer(raw: Any) -> dict[str, Any]:
    """Answer one question; an error takes the place of whatever cannot be answered.

    The bets together are one ticket: windows, prerequisites and prohibited combinations
    apply to it as they would at acceptance, money limits do not.
    """
    try:
        question = _read(raw)
    except Refused as refused:
        return _error(refused)
    facts = question.outcome.facts if question.outcome is not None else frozenset()
    return {"bets": _answers(question), "facts": sorted(facts)}


def _answers(question: Question) -> list[dict[str, Any]]:
    placed = question.game.complete([bet for bet in question.bets if isinstance(bet, Stake)])
    refusals = question.game.check_slip(placed, hand=question.hand)
    checked = iter(zip(placed, refusals, strict=True))
    answers = []
    for bet in question.bets:
        if isinstance(bet, Refused):
            answers.append(_error(bet))
            continue
        stake, refused = next(checked)
        answers.append(_resolved(question, stake) if refused is None else _error(refused))
    return answers


def _resolved(question: Question, bet: Stake) -> dict[str, Any]:
    try:
        [verdict] = question.game.resolve(question.outcome, [bet.wager], void=question.void)
    except Refused as refused:
        return _error(refused)
    return _told(verdict, bet.stake, question.currency)


def _told(verdict: Verdict, stake: int, currency: str) -> dict[str, Any]:
    return {
        "result": verdict.result,
        "odds": verdict.odds,
        "returns": str(verdict.returns),
        "payout": money.format_amount(payout(stake, verdict.returns), currency),
        "why": verdict.why,
    }


def _read(raw: Any) -> Question:
    """Check a question part by part; Refused names the first fault."""
    table = _object(raw, _QUESTION, "The question")
    game = book(_part(table, "book")).game(_part(table, "game"))
    currency = table.get("currency", DEFAULT_CURRENCY)
    money.exponent(currency)
    void = _void(game, table.get("void"))
    outcome = _outcome(game, table.get("outcome"), void)
    bets = _part(table, "bets")
    if not isinstance(bets, list):
        raise Refused("malformed", "bets is not a list.", field="bets")
    return Question(
        game=game,
        outcome=outcome,
        void=void,
        hand=_hand(table.get("hand")),
        currency=currency,
        bets=[_bet(game, bet, currency) for bet in bets],
    )


def _void(game: Game, raw: Any) -> Void | None:
    if raw is None:
        return None
    ground = _part(_object(raw, {"ground"}, "void"), "ground")
    if not isinstance(ground, str):
        raise Refused("malformed", "ground is not the name of a ground.", field="ground")
    void = Void(ground)
    game.check_void(void)
    return void


def _outcome(game: Game, raw: Any, void: Void | None) -> Outcome | None:
    if raw is not None:
        return game.read(raw, unfinished=void is not None)
    if void is None:
        raise Refused("invalid_outcome", "outcome is missing.", field="outcome")
    return None


def _hand(hand: Any) -> int | None:
    if hand is None or (isinstance(hand, int) and not isinstance(hand, bool) and hand > 0):
        return hand
    raise Refused("malformed", "hand is not the number of a hand.", field="hand")


def _bet(game: Game, raw: Any, currency: str) -> Stake | Refused:
    try:
        table = _object(raw, _BET, "The bet")
        wager: Wager = game.wager(
            _part(table, "bet"), table.get("selection", ""), table.get("play")
        )
        return Stake(wager, money.parse_amount(_part(table, "stake"), currency))
    except Refused as refused:
        return refused


def _object(raw: Any, parts: set[str], name: str) -> Mapping[str, Any]:
    if not isinstance(raw, dict):
        raise Refused("malformed", f"{name} is not an object with named parts.")
    for part in raw:
        if part not in parts:
            raise Refused("malformed", f"{name} has no part {part!r}.", field=part)
    return raw


def _part(table: Mapping[str, Any], name: str) -> Any:
    if name not in table:
        raise Refused("malformed", f"{name} is missing.", field=name)
    return table[name]


def _error(refused: Refused) -> dict[str, Any]:
    return {"error": {"code": refused.code, "message": refused.message}}
