"""The whole house on one machine: `make run`.

1. Take the house for oneself and see that the port is free.
2. Start the database, bring its schema up to date, create roles and demo people.
3. Start the web server, the worker with the periodic sweep, and unless DEMO=0 the demo floor.
4. Wait for Ctrl-C or for the first of them to end, then end them all, the database last.
"""

from __future__ import annotations

import fcntl
import http.client
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from casino import localdb

ROOT = Path(__file__).resolve().parent.parent
HOST = "127.0.0.1"
ANSWER_SECONDS = 120
STOP_SECONDS = 15
LOOK_SECONDS = 0.25

# A house on this machine is never the production one, whatever the shell has in its environment.
FOREIGN = ("ALLOWED_HOSTS", "CELERY_BROKER_URL", "DATABASE_URL", "HTTPS", "SECRET_KEY")

Children = dict[str, subprocess.Popen[bytes]]

# Ends the process groups that it is told of, and then the database, when its input ends. It holds
# the house until the database is down, so that nobody opens the house on it before.
GUARD = """
while read -r group; do groups="$groups -$group"; done
kill -s TERM -- $groups
sleep 1
kill -s KILL -- $groups
kill -s INT "$(head -n 1 "$0/postmaster.pid")"
for second in 1 2 3 4 5 6 7 8 9; do [ ! -e "$0/postmaster.pid" ] || sleep 1; done
"""

closing = threading.Event()


class HouseFailed(Exception):
    """The house cannot open or stay open; the message says why."""


def main() -> None:
    """Open the house that the environment describes and keep it open."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: closing.set())
    for name in FOREIGN:
        os.environ.pop(name, None)
        os.environ.pop(f"{name}_FILE", None)
    os.environ["LOCAL_HOUSE"] = "1"
    os.environ.setdefault("LOG_LEVEL", "WARNING")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    try:
        keep_open(port=_port(), demo=os.environ.get("DEMO") != "0")
    except (HouseFailed, localdb.DatabaseUnavailable) as error:
        sys.exit(f"Pitbook: {error}")


def keep_open(*, port: int, demo: bool) -> None:
    """Open the house on `port`; return when asked to close, raise HouseFailed if a part ends."""
    from django.conf import settings

    database = settings.EMBEDDED_DATABASE
    assert database is not None
    with ExitStack() as stack:
        hold = stack.enter_context(alone(settings.VAR_DIR))
        _check_port(port)
        _say("starting the database")
        stack.enter_context(localdb.serving(database))
        _prepare()
        _drop_messages(settings.QUEUE_DIR)
        commands = _commands(port=port, demo=demo, schedule=settings.VAR_DIR / "beat")
        children = stack.enter_context(running(commands, database, hold))
        answered = False
        opened = time.monotonic()
        while not closing.wait(LOOK_SECONDS):
            _check(children, database)
            if not answered and _answers(port):
                answered = True
                _say(f"the house is open at http://{HOST}:{port}/ (Ctrl-C closes it)")
            if not answered and time.monotonic() - opened > ANSWER_SECONDS:
                raise HouseFailed("the web server does not answer; closing the house.")
        _say("closing")
    _say("closed")


def _prepare() -> None:
    """Bring the schema up to date and see that every role has its person."""
    import django
    from django.core.management import call_command
    from django.db import connections

    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    call_command("demo_people")
    connections.close_all()


def _drop_messages(queue: Path) -> None:
    """Throw away what nobody was there to read: the sweep finds all that is due in the database."""
    for message in queue.glob("[!.]*.msg"):
        message.unlink()


def _commands(*, port: int, demo: bool, schedule: Path) -> dict[str, list[str]]:
    web = [sys.executable, "-m", "gunicorn", "casino.wsgi", "--bind", f"{HOST}:{port}"]
    web += ["--threads", "8", "--log-level", "warning", "--no-control-socket"]
    worker = [sys.executable, "-W", "ignore:You're running the worker with superuser privileges"]
    worker += ["-m", "celery", "--app", "casino", "--quiet", "worker", "--loglevel", "warning"]
    worker += ["--pool", "solo", "--beat", "--schedule", str(schedule)]
    worker += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    commands = {"the web server": web, "the worker": worker}
    if demo:
        commands["the demo floor"] = [sys.executable, "manage.py", "demo_floor"]
    return commands


@contextmanager
def running(commands: dict[str, list[str]], database: Path, hold: int) -> Iterator[Children]:
    """Run the commands, each in a process group of its own, and end all of them at the end.

    A house that is killed cannot do that. The guard does it then, and stops the database in its
    folder: it waits for the end of its input, which comes with the end of this process. `hold` is
    the file by which the house is held.
    """
    children: Children = {}
    guard = subprocess.Popen(
        ["/bin/sh", "-c", GUARD, database],
        stdin=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        pass_fds=[hold],
        start_new_session=True,
    )
    assert guard.stdin is not None
    try:
        for name, command in commands.items():
            children[name] = subprocess.Popen(
                command, cwd=ROOT, stdin=subprocess.DEVNULL, start_new_session=True
            )
            guard.stdin.write(f"{children[name].pid}\n".encode())
            guard.stdin.flush()
        yield children
    finally:
        _end(children)
        guard.kill()
        guard.communicate()


def _end(children: Children) -> None:
    for child in children.values():
        child.terminate()
    deadline = time.monotonic() + STOP_SECONDS
    for child in children.values():
        with suppress(subprocess.TimeoutExpired):
            child.wait(max(0.0, deadline - time.monotonic()))
        # Whoever is left of the group: the child itself, or one that it did not wait for.
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def _check(children: Children, database: Path) -> None:
    for name, child in children.items():
        if child.poll() is not None:
            raise HouseFailed(f"{name} has ended (exit {child.returncode}); closing the house.")
    if not localdb.answers(database):
        raise HouseFailed("the database does not answer; closing the house.")


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection(HOST, port, timeout=ANSWER_SECONDS)
    try:
        connection.request("GET", "/healthz")
        connection.getresponse()
    except OSError:
        return False
    finally:
        connection.close()
    return True


@contextmanager
def alone(folder: Path) -> Iterator[int]:
    """Hold the house in `folder` by a file; the system lets go of it however the process ends."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "house.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise HouseFailed(f"the house in {folder} is open already, or still closing.") from None
        yield file.fileno()


def _port() -> int:
    word = os.environ.get("PORT") or "8000"
    if not word.isdecimal() or not 0 < int(word) < 65536:
        raise HouseFailed(f"PORT must be a number from 1 to 65535, not {word!r}.")
    return int(word)


def _check_port(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise HouseFailed(
                f"port {port} cannot be used ({error.strerror}); choose another: make run PORT=8001"
            ) from None


def _say(sentence: str) -> None:
    print(f"Pitbook: {sentence}", flush=True)


if __name__ == "__main__":
    main()
