"""The Celery application: messages that shorten a wait, never the only record of work.

A round that is due is found in the database by the sweep; losing every message loses nothing.
"""

from __future__ import annotations

import os

from celery import Celery
from kombu.transport import TRANSPORT_ALIASES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

TRANSPORT_ALIASES["folder"] = "casino.mailbox:Transport"

app = Celery("casino")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
