"""The house that the tests of this folder play in."""

from __future__ import annotations

from tests.dealing import house, settled, standing

__all__ = ["house", "settled", "standing"]
