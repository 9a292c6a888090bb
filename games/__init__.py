"""The rules: books, games, bets and outcomes. Standard library only."""

from __future__ import annotations
