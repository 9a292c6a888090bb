"""Amounts as pages show them, thousands apart by commas, and as people type them: so or plainly."""

from __future__ import annotations

import re
from typing import Any

from django import forms

from games.money import format_amount, parse_amount
from games.refusals import Refused

_GROUPED = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?", re.ASCII)


def plain(typed: str) -> str:
    """An amount without its commas, if they stand exactly where thousands are apart.

    >>> plain("1,000.00"), plain("1,00"), plain("1000,000")
    ('1000.00', '1,00', '1000,000')
    """
    return typed.replace(",", "") if _GROUPED.fullmatch(typed) else typed


def grouped(minor: int, currency: str) -> str:
    """An amount of minor units as text, thousands apart.

    >>> grouped(-123_456_789, "USD")
    '-1,234,567.89'
    """
    digits = format_amount(minor, currency)
    whole, point, fraction = digits.removeprefix("-").partition(".")
    return f"{'-' if minor < 0 else ''}{int(whole):,}{point}{fraction}"


class AmountField(forms.CharField):
    """An amount of one currency, in minor units; empty is None."""

    def __init__(self, currency: str, **more: Any) -> None:
        widget = forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"})
        super().__init__(widget=widget, max_length=30, **more)
        self.currency = currency

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        if not text:
            return None
        try:
            return parse_amount(plain(text), self.currency)
        except Refused:
            example = format_amount(100_000, self.currency)
            message = f"Not an amount in {self.currency}, such as {example}."
            raise forms.ValidationError(message) from None
