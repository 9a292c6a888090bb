#!/usr/bin/env python
"""Django's command line."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from importlib import import_module

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

from casino import localdb

ABOUT_BOOKS = ("resolve", "house_edge")
"""Commands that ask the rule books alone; they run without settings and without a database."""


def main() -> None:
    """Run a command; in a local house, with its database running for as long."""
    if sys.argv[1:2] and sys.argv[1] in ABOUT_BOOKS:
        command = import_module(f"casino.management.commands.{sys.argv[1]}").Command()
        command.run_from_argv(sys.argv)
        return
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    try:
        folder = settings.EMBEDDED_DATABASE
    except ImproperlyConfigured as error:
        sys.exit(f"Pitbook cannot start: {error}")
    with localdb.serving(folder) if folder else nullcontext():
        execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
