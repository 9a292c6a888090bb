"""What a request may carry: strict shapes that take nothing for something else.

A message is the rest of a sentence that begins with the name of the field. Codes follow from the
kind of fault: a value out of its range is `invalid_value`, everything else `malformed`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, ClassVar, Final

from django.http import QueryDict
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from tickets.feed import rfc3339

_COMMON: Final[dict[str, Any]] = {
    "required": "is missing.",
    "null": "may not be null.",
}
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)", re.ASCII)


_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


class Shape(serializers.Serializer[Any]):
    """An object with named fields; a field that it does not know is refused."""

    default_error_messages = _COMMON | {"invalid": "is not an object with named fields."}

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, Mapping):
            self.fail("invalid")
        for name in data:
            if name not in self.fields:
                raise ValidationError({name: "is not a field of this request."})
        return super().to_internal_value(data)


class Query(Shape):
    """The query of a URL. A parameter may be given once."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, QueryDict):
            for name, values in data.lists():
                if len(values) > 1:
                    raise ValidationError({name: "is given more than once."})
            data = data.dict()
        return super().to_internal_value(data)


class Text(serializers.CharField):
    """Text as it is: one printable line, or with `lines` several and whatever can be stored."""

    default_error_messages = _COMMON | {
        "invalid": "is not text in quotes.",
        "blank": "is empty.",
        "max_length": "has more than {max_length} characters.",
        "unprintable": "has characters that cannot be printed.",
    }

    def __init__(self, *, max_length: int = 64, lines: bool = False, **options: Any) -> None:
        self.lines = lines
        super().__init__(max_length=max_length, trim_whitespace=False, **options)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        if _CONTROL.search(data) if self.lines else not data.isprintable():
            self.fail("unprintable")
        return data


class Name(Text):
    """What something is called by: text that can stand in a URL, without blanks and slashes.

    Clients leave a step of one or two dots out of an address, so these would never be reached.
    """

    default_error_messages: ClassVar[dict[str, Any]] = {
        "unfit": "has a blank or a slash.",
        "dots": "is nothing but dots.",
    }

    def to_internal_value(self, data: Any) -> str:
        name = super().to_internal_value(data)
        if " " in name or "/" in name:
            self.fail("unfit")
        if name in (".", ".."):
            self.fail("dots")
        return name


class Word(serializers.ChoiceField):
    """One of a few words."""

    default_error_messages = _COMMON | {"invalid_choice": "is not one of {words}."}

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str) or data not in self.choices:
            self.fail("invalid_choice", words=", ".join(map(str, self.choices)))
        return data


class Whole(serializers.IntegerField):
    """A whole number, and no text that looks like one."""

    default_error_messages = _COMMON | {
        "invalid": "is not a whole number.",
        "min_value": "is less than {min_value}.",
        "max_value": "is more than {max_value}.",
    }

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return data


class Digits(serializers.IntegerField):
    """A whole number in a query, where everything is text."""

    default_error_messages = _COMMON | {
        "invalid": "is not a whole number.",
        "min_value": "is less than {min_value}.",
        "max_value": "is more than {max_value}.",
    }

    def to_internal_value(self, data: Any) -> int:
        if not (isinstance(data, str) and data.isascii() and data.isdigit() and len(data) < 19):
            self.fail("invalid")
        return int(data)


class Flag(serializers.BooleanField):
    """true or false."""

    default_error_messages = _COMMON | {"invalid": "is neither true nor false."}

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid")
        return data


class Moment(serializers.DateTimeField):
    """A time by RFC 3339, with its offset; kept and given back in UTC, to the microsecond."""

    default_error_messages = _COMMON | {
        "invalid": "is not a time with its offset, such as 2026-11-29T18:00:00Z.",
    }

    def to_internal_value(self, value: Any) -> datetime:
        if not isinstance(value, str) or _MOMENT.fullmatch(value) is None:
            self.fail("invalid")
        try:
            return datetime.fromisoformat(value.upper()).astimezone(UTC)
        except (ValueError, OverflowError):
            self.fail("invalid")

    def to_representation(self, value: datetime) -> str:
        return rfc3339(value)


class Id(serializers.CharField):
    """An opaque id, or none."""

    def to_representation(self, value: Any) -> str:
        return str(value)


class Amount(serializers.CharField):
    """A decimal amount with the places of its currency, such as "100.00"."""


class Free(serializers.DictField):
    """An object whose fields the game knows, not the API."""

    default_error_messages = _COMMON | {"not_a_dict": "is not an object with named fields."}

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            self.fail("not_a_dict", input_type=type(data).__name__)
        return data


class StakeText(serializers.CharField):
    """A stake as asked. What is no amount is refused by the house, not by the shape."""

    default_error_messages = _COMMON | {
        "invalid_stake": 'is not a decimal number in quotes, such as "100.00".',
    }
    MOST = 64

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if data is serializers.empty:
            self.fail("required")
        fits = isinstance(data, str) and len(data) <= self.MOST and data.isprintable()
        if not fits and not isinstance(data, int | float | None):
            self.fail("invalid_stake")
        return data
