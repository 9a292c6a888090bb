"""Amounts of money: decimal text outside, whole minor units inside."""

from __future__ import annotations

import re

from games.refusals import Refused

MAX_STAKE = 10**12
"""The largest stake that this house reads at all, in minor units."""

_NO_MINOR_UNIT = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
_THOUSANDTHS = "BHD IQD JOD KWD LYD OMR TND"
_TEN_THOUSANDTHS = "CLF UYW"
_HUNDREDTHS = """
AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN
BZD CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP
GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP
LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR
NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN
SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD YER ZAR ZMW
ZWG
"""
_EXPONENTS = {
    code: exponent
    for exponent, codes in (
        (0, _NO_MINOR_UNIT),
        (2, _HUNDREDTHS),
        (3, _THOUSANDTHS),
        (4, _TEN_THOUSANDTHS),
    )
    for code in codes.split()
}
"""Decimal places of every currency in circulation, ISO 4217."""

_AMOUNT = re.compile(r"(\d{1,30})(?:\.(\d{1,9}))?", re.ASCII)


def exponent(currency: str) -> int:
    """Give the decimal places of a currency; Refused `unknown_currency`.

    >>> exponent("USD"), exponent("JPY"), exponent("KWD")
    (2, 0, 3)
    """
    if not isinstance(currency, str) or currency not in _EXPONENTS:
        raise Refused(
            "unknown_currency",
            f"{currency!r} is not a currency of ISO 4217.",
            field="currency",
        )
    return _EXPONENTS[currency]


def parse_amount(text: str, currency: str) -> int:
    """Read a stake in minor units; Refused `invalid_stake` or `unknown_currency`.

    Only plain decimal text is an amount: no sign, no exponent notation, no more places than
    the currency has, more than nothing and no more than `MAX_STAKE`.

    >>> parse_amount("12.5", "USD")
    1250
    """
    places = exponent(currency)
    match = _AMOUNT.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise _invalid('A stake is a decimal number in quotes, such as "100.00".')
    whole, fraction = match[1], match[2] or ""
    if len(fraction) > places:
        raise _invalid(f"{text} has more decimal places than {currency} has ({places}).")
    minor = int(whole + fraction.ljust(places, "0"))
    if minor == 0:
        raise _invalid("A stake must be more than zero.")
    if minor > MAX_STAKE:
        raise _invalid(
            f"{text} is more than any stake this house takes "
            f"({format_amount(MAX_STAKE, currency)} {currency})."
        )
    return minor


def format_amount(minor: int, currency: str) -> str:
    """Print minor units as decimal text with the currency's places; Refused `unknown_currency`.

    >>> format_amount(-500, "USD"), format_amount(7, "JPY")
    ('-5.00', '7')
    """
    places = exponent(currency)
    sign, digits = ("-" if minor < 0 else ""), str(abs(minor)).rjust(places + 1, "0")
    if places == 0:
        return sign + digits
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def _invalid(message: str) -> Refused:
    return Refused("invalid_stake", message, field="stake")
