"""Setting the house up is harmless when repeated, and refuses what does not fit."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from casino.models import ApiClient, ApiKey, AuditEvent, LimitSet, Person, Table
from casino.selectors import limits_in_force, limits_to_come
from casino.services import setup
from casino.services.limits import NO_BOUND, rows_of, set_limits
from games.refusals import Refused
from tests.house import REASON, House

pytestmark = pytest.mark.first_table


def refusal_of(do: Any, **values: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        do(reason=REASON, **values)
    return caught.value


def test_a_repeat_writes_nothing(house: House) -> None:
    house.table()
    events = AuditEvent.objects.count()
    by = {"actor": house.administrator, "reason": REASON}
    house.table()
    setup.create_pit(code="main", time_zone="Asia/Manila", **by)
    setup.create_operator(code="north", **by)
    client, key = setup.create_api_client(
        name="north", operator="north", scopes=["tickets:write", "tickets:read"], **by
    )
    assert (client, key) == (house.north, None)
    assert AuditEvent.objects.count() == events


def test_a_code_that_is_taken_by_something_else_is_a_conflict(house: House) -> None:
    house.table()
    refusal = refusal_of(
        setup.create_table,
        code="bac-01",
        pit="main",
        book="asia",
        game="baccarat",
        actor=house.administrator,
    )
    assert refusal.code == "conflict"


@pytest.mark.nothing_dealt
@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"pit": "nowhere"}, "not_found"),
        ({"book": "club-z"}, "unknown_book"),
        ({"game": "snap"}, "unknown_game"),
        ({"code": "has space"}, "invalid_value"),
        ({"code": ""}, "invalid_value"),
    ],
)
def test_a_table_that_cannot_be_is_refused(house: House, values: dict[str, str], code: str) -> None:
    table = {"code": "t-1", "pit": "main", "book": "asia", "game": "baccarat"} | values
    assert refusal_of(setup.create_table, actor=house.administrator, **table).code == code
    assert not Table.objects.exists()


def test_a_pit_has_a_real_time_zone(house: House) -> None:
    refusal = refusal_of(
        setup.create_pit, code="p", time_zone="Mars/Olympus", actor=house.administrator
    )
    assert refusal.field == "time_zone"


@pytest.mark.parametrize("role", ["machine", "system", "", "king"])
def test_a_person_has_a_role_of_a_person(house: House, role: str) -> None:
    refusal = refusal_of(
        setup.create_person, name="x", role=role, password="-", actor=house.administrator
    )
    assert refusal.field == "role"


def test_only_administrators_set_the_house_up(house: House) -> None:
    for person in (house.supervisor, house.manager, house.compliance, house.studio.person):
        refusal = refusal_of(setup.create_operator, code="x", actor=person)
        assert refusal.code == "not_permitted"


@pytest.mark.parametrize(
    ("operator", "scopes"),
    [
        (None, ["tickets:write"]),
        ("north", ["floor:write"]),
        ("north", ["audit:read"]),
        ("north", []),
        ("north", ["everything"]),
        ("nowhere", ["tickets:read"]),
    ],
)
def test_scopes_follow_whom_the_client_belongs_to(
    house: House, operator: str | None, scopes: list[str]
) -> None:
    refusal_of(
        setup.create_api_client,
        name="x",
        operator=operator,
        scopes=scopes,
        actor=house.administrator,
    )
    assert not ApiClient.objects.filter(name="x").exists()


def test_a_key_is_kept_only_as_a_digest_and_may_be_rotated(house: House) -> None:
    by = {"actor": house.administrator, "reason": REASON}
    old = house.keys["north"]
    new = setup.add_api_key(client=house.north, **by)
    kept = ApiKey.objects.filter(client=house.north)
    assert {key.digest for key in kept} == {setup.key_digest(old), setup.key_digest(new)}
    assert not any(key in str(AuditEvent.objects.values_list("body")) for key in (old, new))
    first = kept.get(digest=setup.key_digest(old))
    setup.revoke_api_key(key=first, **by)
    setup.revoke_api_key(key=first, **by)
    assert AuditEvent.objects.filter(action="key_revoked").count() == 1


def test_limits_are_versions_that_never_change(house: House) -> None:
    table = house.table()
    by = {"actor": house.manager, "reason": "High rollers tonight."}
    second = set_limits(table=table, currency="USD", bets={"tie": (100, 50000)}, **by)
    assert second.version == 2
    assert {row.bet: row.maximum for row in second.bets.all()} == {"": 100000, "tie": 50000}
    first = LimitSet.objects.get(version=1)
    assert [row.bet for row in first.bets.all()] == [""]
    assert set_limits(table=table, currency="USD", bets={"tie": (100, 50000)}, **by) == second
    event = AuditEvent.objects.filter(action="limits_set").order_by("-id")[0]
    assert event.reason == "High rollers tonight."


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"bets": {"frog": (1, 2)}}, "unknown_bet"),
        ({"bets": {"tie": (5, 2)}}, "invalid_value"),
        ({"bets": {"tie": (0, 2)}}, "invalid_value"),
        ({"bets": {"": (1, 2)}, "currency": "XYZ"}, "unknown_currency"),
        ({"bets": {"": (1, 2)}, "table_min": 10, "table_max": 5}, "invalid_value"),
        ({"bets": {"": (1, 2)}, "payout_max": -1}, "invalid_value"),
        ({"bets": {"tie:17": (1, 2)}}, "unknown_bet"),
        ({"bets": {"": None}}, "invalid_value"),
        ({"bets": {}, "effective_from": datetime(2020, 1, 1, tzinfo=UTC)}, "invalid_value"),
        ({"bets": {}, "currency": "EUR"}, "invalid_value"),
    ],
)
def test_limits_that_cannot_be_are_refused(house: House, values: dict[str, Any], code: str) -> None:
    table = house.table()
    refusal = refusal_of(
        set_limits, **({"table": table, "currency": "USD", "actor": house.manager} | values)
    )
    assert refusal.code == code
    assert LimitSet.objects.count() == 1


def test_a_bet_may_lose_its_own_limits_and_a_table_its_bounds(house: House) -> None:
    table = house.table()
    house.limit(table, bets={"tie": (100, 500)}, table_max=9_000, payout_max=90_000)
    kept = limits_in_force(table)["USD"]
    assert (kept.table_max, kept.payout_max, kept.exposure_max) == (9_000, 90_000, None)
    house.limit(table, bets={"tie": None}, table_max=NO_BOUND)
    limits = limits_in_force(table)["USD"]
    assert rows_of(limits) == {"": (100, 100_000)}
    assert (limits.table_max, limits.payout_max) == (None, 90_000)


def test_a_version_holds_from_its_time_on(house: House) -> None:
    table = house.table()
    monday = timezone.now() + timedelta(days=3)
    house.limit(table, bets={"": (100, 5_000)}, effective_from=monday)
    assert limits_in_force(table)["USD"].version == 1
    assert limits_in_force(table, at=monday)["USD"].version == 2
    assert [limits.version for limits in limits_to_come(table)] == [2]


def test_a_version_is_laid_over_what_will_hold_at_its_time(house: House) -> None:
    table = house.table()
    monday = timezone.now() + timedelta(days=3)
    house.limit(table, bets={"tie": (100, 5_000)}, effective_from=monday)
    house.limit(table, bets={"banker": (1, 2)}, effective_from=monday + timedelta(days=1))
    assert set(rows_of(limits_in_force(table, at=monday)["USD"])) == {"", "tie"}
    tuesday = limits_in_force(table, at=monday + timedelta(days=1))["USD"]
    assert set(rows_of(tuesday)) == {"", "tie", "banker"}


def test_a_newer_decision_overtakes_one_that_waits_for_its_time(house: House) -> None:
    table = house.table()
    monday = timezone.now() + timedelta(days=3)
    house.limit(table, bets={"": (100, 5_000)}, effective_from=monday)
    house.limit(table, bets={"": (100, 7_000)})
    assert limits_in_force(table)["USD"].version == 3
    assert limits_in_force(table, at=monday)["USD"].version == 3
    assert limits_to_come(table) == []


def test_to_decide_on_what_holds_already_overtakes_what_was_to_come(house: House) -> None:
    table = house.table()
    monday = timezone.now() + timedelta(days=3)
    house.limit(table, bets={"": (100, 5_000)}, effective_from=monday)
    house.limit(table)
    assert limits_in_force(table, at=monday)["USD"].version == 3


def test_an_operators_own_limits_stand_before_the_general_ones(house: House) -> None:
    table = house.table()
    north, south = house.north.operator, house.south.operator
    house.limit(table, operator=north, bets={"tie": (100, 500)}, exposure_max=70_000)
    own = limits_in_force(table, north)["USD"]
    assert rows_of(own) == {"": (100, 100_000), "tie": (100, 500)}
    assert limits_in_force(table, south)["USD"].version == 1
    assert limits_in_force(table)["USD"].version == 1
    house.limit(table, operator=north, bets={"": None, "tie": None})
    assert limits_in_force(table, north)["USD"].version == 1


def test_only_managers_and_administrators_set_limits(house: House) -> None:
    table = house.table()
    for person in (house.supervisor, house.compliance, house.studio.person):
        refusal = refusal_of(
            set_limits, table=table, currency="USD", bets={"": (1, 2)}, actor=person
        )
        assert refusal.code == "not_permitted"


def test_a_gaming_day_follows_the_pits_clock(house: House) -> None:
    from datetime import UTC, date, datetime

    from casino.models import Pit
    from casino.selectors import gaming_day

    pit = Pit.objects.get(code="main")
    before = datetime(2026, 11, 28, 21, 59, tzinfo=UTC)
    assert gaming_day(pit, before) == date(2026, 11, 28)
    assert gaming_day(pit, before.replace(hour=22, minute=0)) == date(2026, 11, 29)


def test_the_system_is_a_row_that_nobody_signs_in_with(house: House) -> None:
    system = Person.objects.get(role="system")
    assert not system.has_usable_password() and not system.is_staff
