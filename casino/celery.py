"""The Celery application: messages that shorten a wait, never the only record of work.

A round that is due is found in the database by the sweep; losing every message loses nothing.
"""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

app = Celery("casino")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
