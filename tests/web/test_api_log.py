"""The decision log and the rulings, as a regulator's system reads them."""

from __future__ import annotations

from typing import Any

import pytest

from casino.models import Round
from tests.dealing import dealt
from tests.house import BANKER_WINS, PLAYER_WINS, House
from tests.web.calls import Caller
from tests.web.counting import queries, seal


@pytest.fixture
def studio(house: House) -> Caller:
    return Caller(house.keys["studio"])


@dealt
def night(house: House) -> Round:
    """A round that was edited, voided and reinstated."""
    round = house.hand()
    house.result(round, BANKER_WINS)
    house.edit(round, PLAYER_WINS)
    house.void(round)
    house.reinstate(round)
    seal()
    return round


def walk(caller: Caller, path: str, limit: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    after, more = "", True
    while more:
        page = caller.get(path, after=after, limit=limit).json()
        found += page["results"]
        after, more = page["next"], page["has_more"]
    return found


def test_an_event_says_who_did_what_and_why(house: House, studio: Caller, night: Round) -> None:
    edited = next(
        row for row in walk(studio, "audit/events/", 1000) if row["action"] == "result_edited"
    )
    assert edited["actor"] == "manager"
    assert edited["subject"] == f"round:{night.key}"
    assert edited["reason"] == "Seen on video."
    assert edited["body"]["before"]["headline"] == "Banker 7 beats Player 6"
    assert len(edited["digest"]) == 64


def test_the_log_is_followed_without_a_gap(house: House, studio: Caller, night: Round) -> None:
    whole = walk(studio, "audit/events/", 1000)
    assert [row["position"] for row in whole] == [str(n) for n in range(1, len(whole) + 1)]
    assert walk(studio, "audit/events/", 3) == whole
    end = whole[-1]["position"]
    assert studio.get("audit/events/", after=end).json() == {
        "results": [],
        "next": end,
        "has_more": False,
    }
    house.hand(code="bac-02")
    seal()
    late = studio.get("audit/events/", after=end).json()["results"]
    assert late[-1]["action"] == "round_opened"
    assert late[0]["position"] == str(int(end) + 1)


def test_a_ruling_on_a_shoe_names_the_shoe_and_every_hand_that_it_left_void(
    house: House, studio: Caller
) -> None:
    first = house.play(BANKER_WINS, ("player", "10")).round
    running = house.hand()
    assert running.shoe is not None
    house.void_shoe(running.shoe, first)
    [row] = walk(studio, "rulings/", 1000)
    assert (row["kind"], row["table"], row["shoe"], row["round"], row["revision"]) == (
        "void_shoe", "bac-01", 1, None, None,
    )  # fmt: skip
    assert row["outcomes"] == [
        {"round": first.key, "revision": 2}, {"round": running.key, "revision": 1},
    ]  # fmt: skip


def test_rulings_are_listed_newest_first(house: House, studio: Caller, night: Round) -> None:
    rulings = walk(studio, "rulings/", 1000)
    assert [(row["kind"], row["revision"]) for row in rulings] == [
        ("reinstate", 4),
        ("void_hand", 3),
        ("edit", 2),
    ]
    edit = rulings[-1]
    assert (edit["round"], edit["ground"], edit["ruled_by"]) == (night.key, "wrong_card", "manager")
    assert (edit["note"], edit["evidence"]) == ("Seen on video.", "cam 3 03:00:12")
    assert walk(studio, "rulings/", 1) == rulings


def test_statements_do_not_grow_with_the_rows(house: House, studio: Caller, night: Round) -> None:
    for path in ("audit/events/", "rulings/"):
        few = queries(lambda path=path: studio.get(path, limit=1))  # type: ignore[misc]
        assert queries(lambda path=path: studio.get(path)) == few, path  # type: ignore[misc]
