"""Amounts, odds and the one rounding (R-11)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.money import MAX_STAKE, exponent, format_amount, parse_amount
from games.refusals import Refused
from games.returns import odds_text, parse_odds, payout

CURRENCIES = st.sampled_from(["USD", "EUR", "JPY", "KWD", "CLF", "THB"])


@given(st.integers(1, MAX_STAKE), CURRENCIES)
def test_an_amount_printed_and_read_again_is_the_same(minor: int, currency: str) -> None:
    assert parse_amount(format_amount(minor, currency), currency) == minor


@given(st.integers(1, 10**9), CURRENCIES)
def test_a_negative_amount_carries_its_sign(minor: int, currency: str) -> None:
    assert format_amount(-minor, currency) == "-" + format_amount(minor, currency)


@pytest.mark.parametrize(
    ("text", "currency", "minor"),
    [("100.00", "USD", 10_000), ("0.5", "USD", 50), ("7", "JPY", 7), ("1.234", "KWD", 1_234)],
)
def test_a_stake_is_read_in_minor_units(text: str, currency: str, minor: int) -> None:
    assert parse_amount(text, currency) == minor


@pytest.mark.parametrize(
    "text",
    ["", "-1", "+1", "1e3", "1.005", "0", "0.00", "1.", ".5", " 1", "1,000", "NaN", "\u0661",
     "1" * 40, "10000000000.01", 5, 1.5, None, True, ["1"]],
)  # fmt: skip
def test_what_is_no_stake_is_refused(text: object) -> None:
    with pytest.raises(Refused) as refused:
        parse_amount(text, "USD")  # type: ignore[arg-type]
    assert (refused.value.code, refused.value.field) == ("invalid_stake", "stake")


def test_a_currency_without_minor_units_takes_no_decimals() -> None:
    with pytest.raises(Refused, match="more decimal places than JPY has"):
        parse_amount("1.5", "JPY")


@pytest.mark.parametrize("currency", ["XXX", "usd", "", "BTC", None, ["USD"]])
def test_an_unknown_currency_is_refused(currency: object) -> None:
    with pytest.raises(Refused) as refused:
        exponent(currency)  # type: ignore[arg-type]
    assert refused.value.code == "unknown_currency"


@given(st.fractions(min_value=1, max_value=10**6, max_denominator=999_999))
def test_odds_printed_and_read_again_are_the_same(returns: Fraction) -> None:
    assert parse_odds(odds_text(returns)) == returns


@pytest.mark.parametrize(
    ("odds", "returns"),
    [
        ("0.53:1", Fraction(153, 100)),
        ("1.45:1", Fraction(49, 20)),
        ("11:4", Fraction(15, 4)),
        ("0.95:1", Fraction(39, 20)),
        ("1:2", Fraction(3, 2)),
        ("777:1", Fraction(778)),
    ],
)
def test_odds_are_exact(odds: str, returns: Fraction) -> None:
    assert parse_odds(odds) == returns


@pytest.mark.parametrize("text", ["", "1", "1:0", "-1:1", "1:1.5", "1: 1", "one:1", "1:1:1"])
def test_what_is_no_odds_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="is not odds"):
        parse_odds(text)


@given(st.integers(0, 10**15), st.fractions(min_value=0, max_value=1000, max_denominator=400))
def test_a_payout_is_the_nearest_unit_and_half_goes_up(stake: int, returns: Fraction) -> None:
    exact = stake * returns
    paid = payout(stake, returns)
    assert abs(paid - exact) <= Fraction(1, 2)
    assert paid - exact != Fraction(-1, 2)


def test_half_a_unit_rounds_up() -> None:
    assert payout(1, Fraction(3, 2)) == 2
    assert payout(1250, Fraction(41, 20)) == 2563
