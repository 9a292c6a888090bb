"""The house that the tests of this folder play in."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import HttpResponse

from casino.pages import faults, registry
from tests.dealing import house, settled, standing

__all__ = ["house", "settled", "standing"]


@pytest.fixture
def wordless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refusals without the page around them, for tests in which it only counts who is refused."""

    def bare(*_: Any, status: int) -> HttpResponse:
        return HttpResponse(status=status)

    for module in (faults, registry):
        monkeypatch.setattr(module, "told", bare)
