"""Settings of the tests: those of the product, with what a test can do without left out."""

from __future__ import annotations

import logging
import os

os.environ |= {
    "ALLOWED_HOSTS": "testserver,localhost,127.0.0.1",
    "CELERY_BROKER_URL": "memory://",
    # The server of the tests starts with the first test that needs it: see conftest.
    "DATABASE_URL": "postgresql:///postgres",
    "DEBUG": "0",
    "HTTPS": "0",
    "LOCAL_HOUSE": "0",
    "SECRET_KEY": "only for tests",
}

from casino.settings import *  # noqa: F403

# Tables and walls as the models have them. How they came about, migration by migration, is gone
# through where a whole house is opened, and the lint holds the migrations against the models.
MIGRATION_MODULES = dict.fromkeys(
    ("admin", "auth", "axes", "casino", "contenttypes", "sessions", "tickets")
)
PGTRIGGER_INSTALL_ON_MIGRATE = True
logging.getLogger("pgtrigger").setLevel(logging.WARNING)
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = True
WHITENOISE_MAX_AGE = 3600
