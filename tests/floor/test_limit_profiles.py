"""Profiles of limits: who follows one takes on every version of it, at its time, or none does."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from casino.models import AuditEvent, LimitProfile, LimitSet, ProfileVersion, Table
from casino.selectors import followers_of, limits_in_force
from casino.services.limit_profiles import assign_profile, set_profile
from casino.services.limits import NO_BOUND, bounds_of, rows_of
from games.refusals import Refused
from tests.house import REASON, House
from tests.web.counting import nothing_written, queries

pytestmark = pytest.mark.django_db

MONDAY = timezone.now() + timedelta(days=3)
TUESDAY = MONDAY + timedelta(days=1)


def refusal_of(do: Any, **values: Any) -> Refused:
    with pytest.raises(Refused) as caught, nothing_written():
        do(reason=REASON, **values)
    return caught.value


def held(table: Table, at: Any = None, operator: Any = None) -> tuple[int, str]:
    """The largest stake on every other bet, and the version of the profile it came from."""
    limits = limits_in_force(table, operator, at=at)["USD"]
    return rows_of(limits)[""][1], str(limits.profile_version or "own")


def test_a_table_follows_a_profile_through_its_versions_until_limits_are_set_at_it(
    house: House,
) -> None:
    first, second, other = (house.table(f"bac-0{number}") for number in (1, 2, 3))
    profile = house.profile(exposure_max=900_000)
    house.assign(profile, first, second)
    house.assign(profile, other, operator=house.north.operator)
    assert held(first) == (50_000, "Main floor/USD/1")
    assert bounds_of(limits_in_force(first)["USD"])["exposure_max"] == 900_000
    assert held(other) == (100_000, "own")
    assert held(other, operator=house.north.operator) == (50_000, "Main floor/USD/1")

    house.profile(bets={"": (100, 40_000), "tie": (100, 5_000)}, exposure_max=NO_BOUND)
    assert {held(table) for table in (first, second)} == {(40_000, "Main floor/USD/2")}
    assert held(other, operator=house.north.operator) == (40_000, "Main floor/USD/2")
    assert bounds_of(limits_in_force(first)["USD"])["exposure_max"] is None
    event = AuditEvent.objects.filter(action="limits_set", subject="table:bac-01").latest("pk")
    said = json.loads(event.body)
    assert (event.actor, event.reason) == (house.administrator, REASON)
    assert said["before"]["profile"] == "Main floor/USD/1"
    assert said["after"]["bets"] == {"": [100, 40_000], "tie": [100, 5_000]}
    event = AuditEvent.objects.filter(action="profile_set").latest("pk")
    said = json.loads(event.body)
    assert event.subject == "profile:Main floor/USD"
    assert (said["version"], said["before"]["exposure_max"]) == (2, 900_000)

    house.limit(first, bets={"": (100, 30_000)})
    house.profile(bets={"": (100, 20_000)})
    assert held(first) == (30_000, "own")
    assert held(second) == (20_000, "Main floor/USD/3")
    assert {str(one.table) for one in followers_of([profile])[profile.pk]} == {"bac-02", "bac-03"}


def test_what_changes_nothing_writes_nothing(house: House) -> None:
    profile = house.profile()
    table = house.table()
    house.assign(profile, table)
    with nothing_written():
        house.profile()
        house.assign(profile, table)


def test_the_same_amounts_set_by_hand_follow_nothing_any_longer(house: House) -> None:
    table = house.table()
    house.assign(house.profile(), table)
    house.limit(table, bets={"": (100, 50_000)})
    house.profile(bets={"": (100, 20_000)})
    assert held(table) == (50_000, "own")


def test_versions_that_wait_for_their_time_reach_followers_then(house: House) -> None:
    early, late, twice, weekly, own = (house.table(f"bac-0{n}") for n in (1, 2, 3, 4, 5))
    profile = house.profile()
    house.assign(profile, early)
    house.assign(profile, own)
    house.limit(own, bets={"": (100, 70_000)}, effective_from=TUESDAY)
    house.profile(bets={"": (100, 40_000)}, effective_from=MONDAY)
    house.assign(profile, late)
    house.assign(profile, twice, effective_from=MONDAY)
    house.assign(profile, twice)
    house.assign(profile, weekly, effective_from=TUESDAY)
    for table in (early, late, twice):
        assert held(table) == (50_000, "Main floor/USD/1")
        assert held(table, MONDAY) == (40_000, "Main floor/USD/2")
    assert held(weekly, MONDAY) == (100_000, "own")
    assert held(weekly, TUESDAY) == (40_000, "Main floor/USD/2")
    # Own limits are to come there, so that a change of the profile is not for it.
    assert (held(own), held(own, MONDAY)) == (
        (50_000, "Main floor/USD/1"), (50_000, "Main floor/USD/1"),
    )  # fmt: skip

    house.profile(bets={"": (100, 30_000)})
    for table in (early, late, twice):
        assert held(table) == held(table, TUESDAY) == (30_000, "Main floor/USD/3")
    assert held(weekly, MONDAY) == (100_000, "own")
    assert held(weekly, TUESDAY) == (30_000, "Main floor/USD/3")
    assert held(own, TUESDAY) == (70_000, "own")


def test_a_game_takes_the_bets_that_it_has_and_one_without_any_is_refused(house: House) -> None:
    cards = house.table()
    wheel = house.table("rou-01", book="club-b", game="roulette")
    profile = house.profile(bets={"tie": (100, 500), "straight:17": (100, 700)})
    house.assign(profile, cards, wheel)
    assert rows_of(limits_in_force(cards)["USD"]) == {"tie": (100, 500)}
    assert rows_of(limits_in_force(wheel)["USD"]) == {"straight:17": (100, 700)}

    by = {"actor": house.manager, "name": "Main floor", "currency": "USD"}
    refusal = refusal_of(set_profile, bets={"straight:17": None}, **by)
    assert str(refusal) == "Main floor limits no bet of Roulette, which rou-01 deals."
    assert {held_version(table) for table in (cards, wheel)} == {"Main floor/USD/1"}
    ties = house.profile("Ties", bets={"tie": (100, 500)})
    assign = {"profile": ties, "tables": [cards, wheel], "actor": house.manager}
    assert "Ties limits no bet of Roulette" in str(refusal_of(assign_profile, **assign))


def held_version(table: Table) -> str:
    return str(limits_in_force(table)["USD"].profile_version)


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"bets": {"frog": (1, 2)}}, "unknown_bet"),
        ({"bets": {"straight:99": (1, 2)}}, "unknown_bet"),
        ({"bets": {"": (3, 2)}}, "invalid_value"),
        ({"bets": {}}, "invalid_value"),
        ({"table_min": 5, "table_max": 4}, "invalid_value"),
        ({"currency": "XXY"}, "unknown_currency"),
        ({"name": ""}, "invalid_value"),
        ({"name": "n" * 61}, "invalid_value"),
        ({"name": "=1+1"}, "invalid_value"),
        ({"effective_from": timezone.now() - timedelta(days=1)}, "invalid_value"),
    ],
)
def test_profiles_that_cannot_be_are_refused(
    house: House, values: dict[str, Any], code: str
) -> None:
    given = {"name": "Main floor", "currency": "USD", "bets": {"": (1, 2)}} | values
    assert refusal_of(set_profile, actor=house.manager, **given).code == code


def test_only_who_sets_limits_writes_or_assigns_a_profile(house: House) -> None:
    profile, table = house.profile(), house.table()
    for person in (house.supervisor, house.compliance):
        by = {"actor": person, "reason": REASON}
        with pytest.raises(Refused, match="may not do this"):
            set_profile(name="Main floor", currency="USD", bets={"": (1, 2)}, **by)
        with pytest.raises(Refused, match="may not do this"):
            assign_profile(profile=profile, tables=[table], **by)
    assert (LimitProfile.objects.count(), ProfileVersion.objects.count()) == (1, 1)
    assert LimitSet.objects.filter(profile_version__isnull=False).count() == 0


def test_a_ticket_keeps_what_the_profile_said_when_it_was_taken(house: House) -> None:
    round = house.hand()
    house.assign(house.profile(), round.table)
    ticket = house.ticket(round, ("banker", "500"))
    house.profile(bets={"": (100, 20_000)})
    assert house.bet(round, ("banker", "500"), player="p-2").ticket is None
    ticket.refresh_from_db()
    assert str(ticket.limit_set.profile_version) == "Main floor/USD/1"


def test_a_change_for_many_tables_is_planned_in_as_few_statements_as_for_one(house: House) -> None:
    from casino.services.limit_plans import Laying

    def plans() -> int:
        def plan() -> None:
            laying = Laying()
            laying.profile("Main floor", "USD").bets[""] = (100, 9_000)
            assert len(laying.plan().drafts) == len(tables)

        return queries(plan)

    tables = [house.table()]
    profile = house.profile()
    house.assign(profile, *tables)
    one = plans()
    tables += [house.table(f"bac-0{number}") for number in (2, 3, 4)]
    house.assign(profile, *tables)
    assert plans() == one


def test_what_was_planned_is_written_without_being_read_again(house: House) -> None:
    """A table more costs its version, its bets, its line in the log, and what these say."""
    tables = [house.table(f"bac-0{number}") for number in range(1, 6)]
    profile = house.profile()
    one = queries(lambda: house.assign(profile, tables[0]))
    four = queries(lambda: house.assign(profile, *tables[1:]))
    assert four - one <= 3 * 6
