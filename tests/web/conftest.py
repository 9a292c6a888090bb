"""The house that the tests of this folder play in."""

from __future__ import annotations

from tests.dealing import house, standing

__all__ = ["house", "standing"]
