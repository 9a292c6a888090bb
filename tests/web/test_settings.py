"""A process starts with what production needs, or says what is missing."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.test import override_settings

ROOT = Path(__file__).resolve().parents[2]
NO_HOUSE = "/nonexistent"

PRODUCTION = {
    "ALLOWED_HOSTS": "pitbook.example",
    "CELERY_BROKER_URL": "redis://broker/0",
    "CSRF_TRUSTED_ORIGINS": "https://pitbook.example",
    "DATABASE_URL": "postgresql://pitbook:secret@database/pitbook",
    "SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-*/",
}


def manage(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a process of its own that has this environment and no other."""
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "VAR_DIR": NO_HOUSE, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def settings(**environment: str) -> dict[str, Any]:
    """Read the settings of a process that has this environment and no other."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "environ", {"VAR_DIR": NO_HOUSE, **environment})
        return runpy.run_path(str(ROOT / "casino" / "settings.py"))


def without(name: str) -> dict[str, str]:
    return {key: value for key, value in PRODUCTION.items() if key != name}


def test_deployment_check_is_clean_under_production_settings() -> None:
    done = manage("check", "--deploy", "--fail-level", "INFO", **PRODUCTION)
    assert done.returncode == 0, done.stderr
    assert "no issues (0 silenced)" in done.stdout


def test_static_files_are_complete(tmp_path: Path) -> None:
    """Collecting fails on a style sheet that names a file which is not there."""
    storages = settings(**PRODUCTION)["STORAGES"]
    assert "Manifest" in storages["staticfiles"]["BACKEND"]
    with override_settings(STATIC_ROOT=tmp_path, STORAGES=storages):
        call_command("collectstatic", interactive=False, verbosity=0)
    assert (tmp_path / "staticfiles.json").exists()


def test_without_what_it_needs_the_process_names_it_and_stops() -> None:
    done = manage("check", **without("SECRET_KEY"))
    assert done.returncode == 1
    assert "Pitbook cannot start: SECRET_KEY is not set." in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["SECRET_KEY", "DATABASE_URL"])
def test_what_a_process_cannot_do_without_is_named(name: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=f"^{name} is not set"):
        settings(**without(name))


def test_an_empty_secret_is_no_secret() -> None:
    with pytest.raises(ImproperlyConfigured, match=r"^SECRET_KEY is not set"):
        settings(**PRODUCTION | {"SECRET_KEY": " "})


def test_a_secret_may_stand_in_a_file(tmp_path: Path) -> None:
    secret = tmp_path / "key"
    secret.write_text(PRODUCTION["SECRET_KEY"] + "\n")
    read = settings(SECRET_KEY_FILE=str(secret), **without("SECRET_KEY"))
    assert read["SECRET_KEY"] == PRODUCTION["SECRET_KEY"]


def test_a_secret_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"^SECRET_KEY_FILE cannot be read"):
        settings(SECRET_KEY_FILE=str(tmp_path / "none"), **without("SECRET_KEY"))


@pytest.mark.parametrize(
    ("name", "value"), [("DEBUG", "perhaps"), ("SESSION_IDLE_MINUTES", "soon")]
)
def test_a_value_that_cannot_be_understood_is_refused(name: str, value: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=f"^{name} must be .*{value}"):
        settings(**PRODUCTION | {name: value})


def test_debug_is_off_unless_asked_for() -> None:
    assert settings(**PRODUCTION)["DEBUG"] is False
    assert settings(**PRODUCTION, DEBUG="1")["DEBUG"] is True


def test_database_address_is_read_whole() -> None:
    from casino.environment import database

    read = database("postgresql://pit%40book:p%2Fw@db.example:6432/house?sslmode=verify-full")
    assert read["USER"] == "pit@book"
    assert read["PASSWORD"] == "p/w"
    assert (read["HOST"], read["PORT"], read["NAME"]) == ("db.example", "6432", "house")
    assert read["OPTIONS"] == {"sslmode": "verify-full"}


def test_database_address_may_be_a_socket() -> None:
    from casino.environment import database

    read = database("postgresql://postgres@/house?host=/run/postgresql")
    assert (read["HOST"], read["PORT"], read["OPTIONS"]) == ("/run/postgresql", "", {})
