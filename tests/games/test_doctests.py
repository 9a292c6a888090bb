"""The examples in the docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import games

MODULES = [
    module.name
    for module in pkgutil.walk_packages(games.__path__, "games.")
    if module.name != "games.lock"
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
