"""`python -m bench`: every measure from one run, on an embedded PostgreSQL made for it.

`python -m bench floor` takes that measure alone; `feed` and `pages` need `settling` before them.
"""

from __future__ import annotations

import os
import platform
import sys
import tempfile
from itertools import chain
from pathlib import Path

import django


def main() -> int:
    """Run the benchmarks and print their figures; scale down with BENCH_TICKETS."""
    from casino.localdb import serving

    with tempfile.TemporaryDirectory(prefix="pitbook-bench-") as folder:
        Path(folder).chmod(0o755)
        with serving(Path(folder) / "postgres") as url:
            os.environ.update(
                DATABASE_URL=url, LOCAL_HOUSE="1", DJANGO_SETTINGS_MODULE="casino.settings"
            )
            django.setup()
            from django.core.management import call_command
            from django.db import connection

            from bench import accepting, feed, floor, pages, resolving, settling

            call_command("migrate", verbosity=0)
            python = platform.python_version()
            print(f"{platform.machine()}, {os.cpu_count()} cores, Python {python}")
            tickets = int(os.environ.get("BENCH_TICKETS", "100000"))
            measures = {
                "resolving": resolving.run(),
                # Before the other measures lay tables of their own.
                "floor": floor.run(),
                "settling": settling.run(tickets),
                "feed": feed.run(tickets),
                "accepting": accepting.run(),
                "pages": pages.run(),
            }
            wanted = sys.argv[1:] or measures
            for line in chain.from_iterable(measures[name] for name in wanted):
                print(line, flush=True)
            connection.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
