"""The house that the tests of this folder play in."""

from __future__ import annotations

from tests.house import house

__all__ = ["house"]
