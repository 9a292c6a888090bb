"""What many tests begin with is dealt once for all of them that follow each other.

`@dealt` stands where `@pytest.fixture` would, over a function of the house alone; a mark gives the
beginnings that the house itself hands out. What they leave stays in an open transaction as long as
the tests ask for it; what each of them adds is rolled back to there. The tests of a module that
begin alike follow each other: see `together`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack
from copy import deepcopy
from itertools import chain, groupby
from typing import Any

import pytest
from django.db import transaction

from tests.house import PLAYER_WINS, House, build_house
from tickets.models import Ticket

Deal = Callable[[House], Any]

_DEALS: dict[tuple[str, str], Deal] = {}
"""By the module of its tests and its name there."""


def dealt(deal: Deal) -> Any:
    """A fixture of what `deal` returns."""
    _DEALS[deal.__module__, deal.__name__] = deal

    @pytest.fixture(name=deal.__name__)
    def found(house: House) -> Any:
        assert STAGE.deal is deal, "a test begins with one deal, its module's own or one for all"
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
            with ExitStack() as left:
                left.enter_context(blocker.unblock())
                left.enter_context(transaction.atomic())
                left.callback(transaction.set_rollback, True)
                house = build_house()
                house.dealt = deal(house)
                # What fails before it is dealt to the end is taken away at once.
                self._left = left.pop_all()
            self.deal, self.house = deal, house

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


def together(items: list[Any]) -> None:
    """Let the tests of a module that begin alike follow each other."""
    ordered: list[Any] = []
    for _, module in groupby(items, lambda item: item.path):
        alike = defaultdict(list)
        for item in module:
            alike[_asked_for(item)].append(item)
        ordered += chain.from_iterable(alike.values())
    items[:] = ordered


def _first_table(house: House) -> None:
    house.laid = house.table()


def _first_hand(house: House) -> None:
    house.open = house.hand()


_MARKS: dict[str, Deal | None] = {
    "first_table": _first_table,
    "first_hand": _first_hand,
    "nothing_dealt": None,
}


def _asked_for(item: Any) -> Deal | None:
    """What a test begins with: a deal of its module, or one for all, or what its mark says."""
    if "house" not in item.fixturenames:
        return None
    for module in (item.module.__name__, __name__):
        for name in item.fixturenames:
            if deal := _DEALS.get((module, name)):
                return deal
    marks = (mark.name for mark in item.iter_markers())
    return next((_MARKS[mark] for mark in marks if mark in _MARKS), None)


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


@dealt
def settled(house: House) -> Ticket:
    """100.00 on Player at bac-01, which won."""
    return house.play(PLAYER_WINS, ("player", "100"))
