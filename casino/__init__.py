"""The floor: the project itself, its facts and its decisions."""

from __future__ import annotations

from casino.celery import app as celery_app

__all__ = ["celery_app"]
