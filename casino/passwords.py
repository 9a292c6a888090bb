"""What the house asks of a password besides what Django does."""

from __future__ import annotations

import re
from typing import Any, Final

from django.core.exceptions import ValidationError

SHORTEST: Final = 3
"""Letters that a part of a name has at least to be looked for; shorter ones are in any word."""


class NameInsideValidator:
    """Refuses a password with a name of its person in it, whatever stands around that."""

    def validate(self, password: str, user: Any = None) -> None:
        """Raises ValidationError; without a person nothing is too like."""
        if user is None:
            return
        names = re.split(r"[\W_]+", f"{user.username} {user.get_full_name()}".casefold())
        if any(len(name) >= SHORTEST and name in password.casefold() for name in names):
            raise ValidationError(
                "This password has the person’s name in it.", code="password_too_similar"
            )

    def get_help_text(self) -> str:
        return "Your password can’t have your name in it."
