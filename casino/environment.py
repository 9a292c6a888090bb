"""The environment, read word by word: what is missing or cannot be understood stops the process."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.utils.crypto import get_random_string

from casino import localdb


def env(name: str, default: str = "") -> str:
    """Read a string."""
    return os.environ.get(name, default).strip()


def env_bool(name: str, default: bool = False) -> bool:
    """Read a switch: 1, true, yes, on or 0, false, no, off."""
    match env(name).lower():
        case "":
            return default
        case "1" | "true" | "yes" | "on":
            return True
        case "0" | "false" | "no" | "off":
            return False
        case word:
            raise ImproperlyConfigured(f"{name} must be 1 or 0, not {word!r}.")


def env_int(name: str, default: int) -> int:
    """Read a whole number."""
    word = env(name)
    try:
        return int(word) if word else default
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {word!r}.") from error


def env_list(name: str, default: str = "") -> list[str]:
    """Read words separated by commas."""
    return [word.strip() for word in env(name, default).split(",") if word.strip()]


def env_secret(name: str) -> str:
    """Read a secret from NAME or from the file that NAME_FILE names."""
    path = env(f"{name}_FILE")
    if not path:
        return env(name)
    try:
        return Path(path).read_text().strip()
    except OSError as error:
        raise ImproperlyConfigured(f"{name}_FILE cannot be read: {error}.") from error


def required(name: str) -> str:
    """Read a secret, refusing to start without it."""
    value = env_secret(name)
    if not value:
        raise ImproperlyConfigured(
            f"{name} is not set. Set it, or LOCAL_HOUSE=1 for a house on this machine alone."
        )
    return value


def house_is_open(var: Path) -> bool:
    """Whether this machine's own house runs and the environment names no other."""
    named = any(env_secret(name) for name in ("SECRET_KEY", "DATABASE_URL"))
    return not named and localdb.answers(var / "postgres")


def local_secret(path: Path) -> str:
    """Read this machine's own key, making it the first time."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(f".{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(get_random_string(64))
        with suppress(FileExistsError):
            os.link(draft, path)  # of two processes the first wins, and neither reads half a key
        draft.unlink()
    return path.read_text()


def database(url: str) -> dict[str, Any]:
    """Turn postgresql://user:password@host:port/name?option=value into Django's words.

    A Unix socket's folder goes into `host=`, as libpq has it; other options are passed on.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("postgresql", "postgres"):
        raise ImproperlyConfigured("DATABASE_URL must begin with postgresql://.")
    options: dict[str, Any] = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.removeprefix("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", unquote(parts.hostname or "")),
        "PORT": str(parts.port or ""),
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options,
    }
