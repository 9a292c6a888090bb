"""What many tests begin with is dealt once for all of them that follow each other.

`@dealt` stands where `@pytest.fixture` would, over a function of the house alone. What it leaves
stays in an open transaction as long as the tests ask for it; what each of them adds is rolled
back to there.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from copy import deepcopy
from typing import Any

import pytest
from django.db import transaction

from tests.house import House, build_house

Deal = Callable[[House], Any]

_DEALS: dict[tuple[str, str], Deal] = {}
"""By the module of its tests and its name there."""


def dealt(deal: Deal) -> Any:
    """A fixture of what `deal` returns."""
    _DEALS[deal.__module__, deal.__name__] = deal

    @pytest.fixture(name=deal.__name__)
    def found(house: House) -> Any:
        return house.dealt

    return found


class Stage:
    """The house as it stands between two tests: as it was laid, or dealt on."""

    def __init__(self) -> None:
        self.deal: Deal | None = None
        self.house: House | None = None
        self._left = ExitStack()

    def set(self, item: Any, blocker: Any) -> None:
        """Deal what a test begins with, unless that is what stands there."""
        if (deal := _asked_for(item)) is self.deal:
            return
        self.clear()
        if deal is not None:
            assert not transaction.get_connection().in_atomic_block, "the test has begun already"
            self._left.enter_context(blocker.unblock())
            self._left.enter_context(transaction.atomic())
            self._left.callback(transaction.set_rollback, True)
            self.house = build_house()
            self.house.dealt = deal(self.house)
            self.deal = deal

    def find(self) -> House:
        """The house for one test."""
        return deepcopy(self.house) if self.house else build_house()

    def clear(self) -> None:
        self._left.close()
        self.deal = self.house = None

    def clear_for(self, item: Any) -> None:
        """Leave nothing standing that a test did not ask for."""
        if _asked_for(item) is not self.deal:
            self.clear()


def _first_hand(house: House) -> None:
    house.open = house.hand()


def _asked_for(item: Any) -> Deal | None:
    asked = (_DEALS.get((item.module.__name__, name)) for name in item.fixturenames)
    return next(filter(None, asked), _first_hand if _has_first_hand(item) else None)


def _has_first_hand(item: Any) -> bool:
    marked = item.get_closest_marker
    return bool(marked("first_hand") and not marked("nothing_dealt"))


STAGE = Stage()


@pytest.fixture
def standing(request: Any, django_db_setup: None, django_db_blocker: Any) -> Stage:
    """The stage with what the test begins with."""
    STAGE.set(request.node, django_db_blocker)
    return STAGE


@pytest.fixture
def house(standing: Stage, db: None) -> House:
    """The house before the first hand, one pit and no table; or what was dealt in it."""
    return standing.find()
