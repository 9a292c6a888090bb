"""The shape of the house: who may import whom."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("casino", "games", "tickets")


def imported(module: Path) -> Iterator[str]:
    """Name the top-level packages that a module imports, wherever in it the import stands."""
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.partition(".")[0]


def test_rules_import_the_standard_library_only() -> None:
    modules = list((ROOT / "games").rglob("*.py"))
    assert modules
    foreign = {
        f"{module.relative_to(ROOT)} imports {name}"
        for module in modules
        for name in imported(module)
        if name != "games" and name not in sys.stdlib_module_names
    }
    assert foreign == set()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the code in which a break may be planted."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    return tmp_path


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_house_keeps_its_contracts(copy: Path) -> None:
    done = lint_imports(copy)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("importer", "planted", "contract"),
    [
        ("casino/selectors.py", "import tickets.models", "Imports run one way"),
        ("casino/models/floor.py", "import casino.services", "Imports run one way"),
        ("tickets/services/settlement.py", "import tickets.tasks", "Imports run one way"),
        ("casino/services/rounds.py", "import casino.pages", "Imports run one way"),
        ("games/cards.py", "import django", "The rules stand on the standard library alone"),
        ("tickets/services/ledger.py", "import rest_framework", "know neither HTTP nor Celery"),
    ],
)
def test_a_planted_break_is_found(copy: Path, importer: str, planted: str, contract: str) -> None:
    module = copy / importer
    module.write_text(f"{module.read_text()}\n{planted}\n")
    done = lint_imports(copy)
    assert done.returncode == 1
    broken = [line for line in done.stdout.splitlines() if line.endswith(" BROKEN")]
    assert any(contract in line for line in broken), done.stdout
