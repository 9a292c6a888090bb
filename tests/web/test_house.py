"""The house on one machine opens with one command, closes whole and keeps its data."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from casino import localdb
from casino.house import HouseFailed, alone

ROOT = Path(__file__).resolve().parents[2]
# Whoever runs the tests in the background may have told everybody to ignore the interrupt.
SLEEPER = """
import signal, time
signal.signal(signal.SIGINT, signal.SIG_DFL)
print("asleep", flush=True)
time.sleep(60)
"""
LAUNCHER = """
import sys
from pathlib import Path
from casino.house import alone, running
folder = Path(sys.argv[1])
children = {"obedient": "", "deaf": "trap '' TERM;"}
wait = "while :; do sleep 0.1; done"
commands = {
    name: ["/bin/sh", "-c", trap + wait, str(folder / "child")] for name, trap in children.items()
}
with alone(folder) as hold, running(commands, folder, hold):
    print("open", flush=True)
    sys.stdin.read()
"""
HOLDER = """
import sys
from casino import localdb
with localdb.throwaway() as url:
    print(url, flush=True)
    sys.stdin.read()
"""


def processes(folder: Path) -> list[str]:
    """List the command lines, of any process alive, that name the folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = process.read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if str(folder) in line:
            found.append(line)
    return found


def soon(holds: Callable[[], bool]) -> bool:
    """Whether something comes to hold within half a minute."""
    deadline = time.monotonic() + 30
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def child(house: subprocess.Popen[str], program: str) -> int:
    """Find the process that the house started for a program."""
    children = Path(f"/proc/{house.pid}/task/{house.pid}/children").read_text().split()
    return next(
        int(number)
        for number in children
        if program.encode() in Path(f"/proc/{number}/cmdline").read_bytes()
    )


@contextmanager
def opened(folder: Path, port: int) -> Iterator[subprocess.Popen[str]]:
    house = subprocess.Popen(
        [sys.executable, "-m", "casino.house"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "VAR_DIR": str(folder), "PORT": str(port), "DEMO": "0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield house
    finally:
        if house.poll() is None:
            house.send_signal(signal.SIGINT)
        house.communicate()


def read_until(house: subprocess.Popen[str], words: str) -> str:
    """Read what the house says up to the line with these words."""
    assert house.stdout is not None
    said = ""
    for line in house.stdout:
        said += line
        if words in line:
            return said
    pytest.fail(f"The house ended without saying {words!r}:\n{said}")


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.slow
def test_the_house_opens_keeps_its_data_and_closes_whole(tmp_path: Path, port: int) -> None:
    with opened(tmp_path, port) as house:
        first = read_until(house, "the house is open at")
        address = re.search(r"http://\S+", first)
        assert address is not None
        with urllib.request.urlopen(address[0]) as page:
            assert page.status == 200
    assert house.returncode == 0
    assert processes(tmp_path) == []
    key = (tmp_path / "secret_key").read_text()
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0
    passwords = re.findall(r"^\w+  .+  (\S{12,})$", first, re.MULTILINE)
    assert len(passwords) == len({"supervisor", "manager", "compliance", "administrator"})

    with opened(tmp_path, port) as house:
        second = read_until(house, "the house is open at")
        os.kill(child(house, "celery"), signal.SIGKILL)
        read_until(house, "the worker has ended")
        house.wait()
    assert house.returncode == 1
    assert processes(tmp_path) == []
    assert (tmp_path / "secret_key").read_text() == key
    assert not any(password in second for password in passwords)


def test_a_house_that_is_killed_leaves_nobody_behind(tmp_path: Path) -> None:
    sleeper = subprocess.Popen([sys.executable, "-c", SLEEPER], stdout=subprocess.PIPE, text=True)
    assert sleeper.stdout is not None
    assert sleeper.stdout.readline() == "asleep\n"
    (tmp_path / "postmaster.pid").write_text(f"{sleeper.pid}\n")
    house = subprocess.Popen(
        [sys.executable, "-c", LAUNCHER, tmp_path],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert house.stdout is not None
    assert house.stdout.readline() == "open\n"
    # A process that has only just begun has no command line yet.
    assert soon(lambda: len(set(processes(tmp_path / "child"))) == 2)
    house.kill()
    house.wait()
    with pytest.raises(HouseFailed, match="still closing"), alone(tmp_path):
        pass
    sleeper.communicate(timeout=30)
    assert sleeper.returncode == -signal.SIGINT
    (tmp_path / "postmaster.pid").unlink()
    house.communicate()  # The guard writes where the house wrote, and ends last.
    assert processes(tmp_path) == []
    with alone(tmp_path):
        pass


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with opened(tmp_path, port) as house:
            read_until(house, f"port {port} cannot be used")
            house.wait()
    assert house.returncode == 1


def test_the_last_to_leave_stops_a_database_whose_path_is_too_long_for_a_socket(
    tmp_path: Path,
) -> None:
    folder = tmp_path / ("long" * 30) / "postgres"
    with localdb.serving(folder, throwaway=True) as first:
        with localdb.serving(folder, throwaway=True) as second:
            assert second == first
        assert str(folder) not in first
        assert localdb.answers(folder)
    assert not Path(first.partition("host=")[2]).exists()
    assert not localdb.answers(folder)
    assert processes(folder) == []


def test_a_throwaway_database_leaves_nothing() -> None:
    with localdb.throwaway() as url:
        folder = Path(url.partition("host=")[2])
        assert localdb.answers(folder)
    assert not folder.parent.exists()
    assert processes(folder) == []


@pytest.mark.slow
def test_a_throwaway_database_does_not_outlive_a_process_that_is_killed() -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout is not None
    folder = Path(holder.stdout.readline().strip().partition("host=")[2])
    assert localdb.answers(folder)
    holder.kill()
    holder.communicate()
    assert soon(lambda: not folder.parent.exists())
    assert processes(folder) == []
