"""Odds, returns and the one rounding (R-11)."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

_ODDS = re.compile(r"(\d{1,12}(?:\.\d{1,6})?):(\d{1,6})", re.ASCII)


def payout(stake: int, returns: Fraction) -> int:
    """Pay one bet line: minor units of stake times the return per unit, rounded half up.

    >>> payout(1250, Fraction(41, 20))
    2563
    """
    numerator, denominator = stake * returns.numerator, returns.denominator
    return (2 * numerator + denominator) // (2 * denominator)


@lru_cache(maxsize=1024)
def parse_odds(text: str) -> Fraction:
    """Read printed odds as the return per unit staked, stake included.

    "a:b" wins a for every b staked (C-34, C-52). ValueError if the text is no such odds.

    >>> parse_odds("0.95:1"), parse_odds("3:2")
    (Fraction(39, 20), Fraction(5, 2))
    """
    match = _ODDS.fullmatch(text)
    if match is None or int(match[2]) == 0:
        raise ValueError(f"{text!r} is not odds such as 0.95:1 or 3:2")
    return 1 + Fraction(match[1]) / int(match[2])


@lru_cache(maxsize=1024)
def odds_text(returns: Fraction) -> str:
    """Print a return of at least one unit as odds; the inverse of `parse_odds`.

    Odds to one where a short decimal says it exactly, else a ratio.

    >>> odds_text(Fraction(39, 20)), odds_text(Fraction(4, 3)), odds_text(Fraction(36))
    ('0.95:1', '1:3', '35:1')
    """
    net = returns - 1
    thousandths = net * 1000
    if thousandths.denominator != 1:
        return f"{net.numerator}:{net.denominator}"
    whole, rest = divmod(thousandths.numerator, 1000)
    return f"{whole}.{rest:03d}".rstrip("0").rstrip(".") + ":1"
