#!/usr/bin/env python
"""Django's command line."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack

from django.core.management import execute_from_command_line


def main() -> None:
    """Run a command; in a local house, with its database running for as long."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    from casino import settings

    with ExitStack() as stack:
        if settings.EMBEDDED_DATABASE:
            from casino import localdb

            stack.enter_context(localdb.serving())
        execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
