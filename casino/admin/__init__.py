"""The facts of the house as lists with a history; what may be changed goes through a service."""

from __future__ import annotations

from casino.admin import clients, floor, limits, people

__all__ = ["clients", "floor", "limits", "people"]
