"""What the floor tells the rest of the house."""

from __future__ import annotations

from django.dispatch import Signal

outcome_recorded = Signal()
"""Sent after commit with `round_id` when a round has an outcome revision to settle.

Losing it costs only the wait for the next sweep (law 4).
"""
