"""How facts keep their history."""

from __future__ import annotations

from typing import Any

import pgtrigger
from django.db import models
from simple_history.models import HistoricalRecords

from casino.triggers import append_only


def history(*, excluded: list[str] | None = None) -> HistoricalRecords:
    """Every version of a fact, with who changed it and why.

    The person and the reason are set by the service that writes the fact, never taken from
    the request.
    """
    return HistoricalRecords(
        excluded_fields=excluded or [],
        history_change_reason_field=models.TextField(),
        user_db_constraint=True,
    )


def wall_history(*facts: Any) -> None:
    """Make the history tables of these facts append-only."""
    for fact in facts:
        pgtrigger.register(append_only())(fact.history.model)
