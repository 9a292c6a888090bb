"""Every case of the shared case file, one by one, through the code behind `resolve`."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from games.money import format_amount, parse_amount
from games.rulebook import books
from games.whatif import answer

CASES = Path(__file__).resolve().parents[2].parent / "shared" / "cases" / "rules.jsonl"


def _cases() -> list[Any]:
    if not CASES.exists():
        return []
    return [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]


def _known(case: Any) -> bool:
    book = books().get(case["input"]["book"])
    return book is not None and case["input"]["game"] in book.games


KNOWN = [case for case in _cases() if _known(case)]
UNKNOWN = Counter(
    f"{case['input']['book']} {case['input']['game']}" for case in _cases() if not _known(case)
)


@pytest.mark.skipif(not CASES.exists(), reason=f"{CASES} is not here")
@pytest.mark.parametrize(
    "case",
    KNOWN,
    ids=lambda case: f"{case['input']['book']} {case['input']['game']}: {case['why']}",
)
def test_case(case: Any) -> None:
    answered = answer(case["input"])
    currency = case["input"].get("currency", "USD")
    total = 0
    for number in case["expect"]["of_bets"]:
        paid = answered["bets"][number]
        assert "error" not in paid, paid
        total += parse_amount(paid["payout"], currency) if paid["returns"] != "0" else 0
    assert format_amount(total, currency) == case["expect"]["payout"], case["why"]


@pytest.mark.skipif(not CASES.exists(), reason=f"{CASES} is not here")
def test_every_case_is_of_a_game_that_a_book_has() -> None:
    assert not UNKNOWN
