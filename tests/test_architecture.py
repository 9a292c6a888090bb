"""The shape of the house: who may import whom."""

from __future__ import annotations

import ast
import re
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


ONE_WAY = "Imports run one way, and the floor never imports the money"
ALONE = "The rules stand on the standard library alone"
CORE = "Services, selectors and models know neither HTTP nor Celery"

PLANTED = [
    ("casino.selectors", "tickets.models", ONE_WAY),
    ("casino.models.floor", "casino.services", ONE_WAY),
    ("tickets.services.settlement", "tickets.tasks", ONE_WAY),
    ("casino.services.rounds", "casino.pages", ONE_WAY),
    ("games.cards", "django", ALONE),
    ("tickets.services.ledger", "rest_framework", CORE),
]
"""Breaks by the module that imports, what it imports and the contract that forbids it."""


def test_planted_breaks_are_found_by_the_contracts_that_forbid_them(copy: Path) -> None:
    for importer, planted, _ in PLANTED:
        module = copy / f"{importer.replace('.', '/')}.py"
        module.write_text(f"{module.read_text()}\nimport {planted}\n")
    done = lint_imports(copy)
    assert done.returncode == 1
    report = done.stdout.partition("Broken contracts")[2]
    parts = re.split(r"^(.+)\n-+\n", report, flags=re.MULTILINE)
    broken = dict(zip(parts[1::2], parts[2::2], strict=True))
    found = [
        (importer, planted, contract)
        for importer, planted, contract in PLANTED
        if f" {importer} -> {planted} (" in broken.get(contract, "")
    ]
    assert found == PLANTED, done.stdout
