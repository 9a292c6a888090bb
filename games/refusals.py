"""The one way in which this house says no."""

from __future__ import annotations


class Refused(Exception):
    """Something that the rules, or the house, do not allow.

    `code` is for machines, `message` is a sentence for a tired person and `field` names the
    part of the request that is at fault, if one is. `ground` is set (for instance
    "wrong_card") only where the cards are real but the deal breaks the drawing rules: the
    round is then held with an incident of that kind instead of being turned away.

    >>> str(Refused("unknown_bet", "This game has no bet called 'dragon'.", field="bet"))
    "This game has no bet called 'dragon'."
    """

    def __init__(
        self,
        code: str,
        message: str,
        field: str | None = None,
        ground: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field
        self.ground = ground
