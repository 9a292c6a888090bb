"""Profiles of limits in the browser and in the file: nothing is written before it was seen."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.urls import reverse
from django.utils import timezone

from casino.models import LimitProfile, LimitSet, ProfileVersion
from casino.selectors import limits_in_force, limits_to_come
from casino.services.limits import rows_of
from casino.services.limits_file import COLUMNS, plan_import
from tests.dealing import dealt
from tests.house import House
from tests.web.browsing import Visitor, hidden, text
from tests.web.counting import nothing_written, queries
from tests.web.test_pages_limits_file import confirm, exported, sent

HEAD = ",".join(COLUMNS) + "\n"
NEW = {"seen": "0", "low-": "1", "high-": "500"}


def test_a_profile_is_written_assigned_and_changed_each_after_a_look(house: House) -> None:
    """One evening's journey, from no profile to a table that has limits of its own again."""
    table, other = house.table(), house.table("rou-01", book="club-b", game="roulette")
    house.limit(table, operator=house.north.operator, bets={"": (100, 7_000)})
    visitor = Visitor(house.manager)
    assert "There is no profile yet" in text(visitor.get("limit_profiles"))
    assert "Which profile, in which currency?" in text(visitor.get("limit_profile_new"))
    url = reverse("admin:limit_profile_new") + "?name=Main+floor&currency=usd"
    assert "Limits of Main floor in USD" in text(visitor.client.get(url))
    wrong = visitor.client.post(url, NEW | {"spare0": "frog", "low-spare0": "1"})
    assert "No game of any book has a bet frog." in text(wrong)
    wrong = visitor.client.post(url, NEW | {"low-spare0": "1", "high-spare0": "2"})
    assert "Which one?" in text(wrong)
    with nothing_written():
        preview = visitor.client.post(
            url, NEW | {"spare0": "tie", "low-spare0": "1", "high-spare0": "1,000.00"}
        )
    assert "Profile Main floor USD Every other bet none 1.00 to 500.00" in text(preview)
    assert "Profile Main floor USD Tie none 1.00 to 1,000.00" in text(preview)
    assert visitor.confirm_limits(preview)["Location"] == reverse("admin:limit_profiles")
    profile = LimitProfile.objects.get()
    assert "There is a profile Main floor in USD already." in text(visitor.client.get(url))

    form = {"tables": ["bac-01", "rou-01"]}
    with nothing_written():
        preview = visitor.post("limit_profile_assign", profile.pk, script=False, **form)
    assert "bac-01 USD Follows the profile none Main floor" in text(preview)
    assert "rou-01 USD Every other bet 1.00 to 1,000.00 1.00 to 500.00" in text(preview)
    assert visitor.confirm_limits(preview).status_code == 302
    operator = {"tables": ["bac-01"], "operator": "north", "effective_from": "2099-01-05T06:00"}
    preview = visitor.post("limit_profile_assign", profile.pk, script=False, **operator)
    assert "bac-01 USD north only Every other bet 1.00 to 70.00 1.00 to 500.00" in text(preview)
    assert visitor.confirm_limits(preview).status_code == 302
    assert [str(one.profile_version) for one in limits_to_come(table)] == ["Main floor/USD/1"]
    assert "In USD following the profile Main floor" in text(visitor.get("table", "rou-01"))

    change = {"seen": "1", "low-": "1", "high-": "400"}
    with nothing_written():
        preview = visitor.post("limit_profile_change", profile.pk, script=False, **change)
    said = text(preview)
    assert "Profile Main floor USD Tie 1.00 to 1,000.00 as every other bet (1.00 to 400.00)" in said
    assert "rou-01 USD Every other bet 1.00 to 500.00 1.00 to 400.00" in said
    assert "bac-01 USD north only from 05 Jan 2099" in said
    house.assign(profile, house.table("bac-02"))
    stale = visitor.confirm_limits(preview)
    assert "Limits changed since this was previewed; preview it again." in text(stale)
    assert "bac-02 USD" in text(stale)
    assert visitor.confirm_limits(stale).status_code == 302
    assert rows_of(limits_in_force(other)["USD"]) == {"": (100, 40_000)}
    stale = visitor.post("limit_profile_change", profile.pk, script=False, **change)
    assert "The limits of Main floor in USD changed meanwhile" in text(stale)

    chosen = text(visitor.get("limit_profile_assign", profile.pk))
    told = "bac-01 · No Commission Baccarat · follows Main floor, north follows Main floor"
    assert told in chosen
    page = text(Visitor(house.compliance).get("limit_profile", profile.pk))
    assert "Every bet 1.00 USD 400.00 USD" in page
    assert "bac-01 every operator" in page and "bac-01 north" in page
    assert (
        "Tie: 1.00 to 1,000.00 → as every other bet (1.00 to 400.00)" in page and "manager" in page
    )
    assert "Main floor USD 1.00 to 400.00 2 3 1" in text(visitor.get("limit_profiles"))
    newest = LimitSet.objects.filter(table=other).latest("version")
    detail = text(visitor.get("casino_limitset_change", newest.pk))
    assert "Main floor, version 2" in detail

    url = reverse("admin:casino_limitset_set_limits") + "?table=rou-01&currency=USD"
    assert "These limits follow the profile Main floor" in text(visitor.client.get(url))
    preview = visitor.client.post(url, {"seen": "3", "low-": "1", "high-": "400"})
    assert "rou-01 USD Follows the profile Main floor none" in text(preview)
    assert visitor.confirm_limits(preview).status_code == 302
    assert limits_in_force(other)["USD"].profile_version is None
    assert "following the profile" not in text(visitor.get("table", "rou-01"))
    newest = LimitSet.objects.filter(table=other).latest("version")
    detail = text(visitor.get("casino_limitset_change", newest.pk))
    assert "Follows the profile: Main floor → none" in detail


@dealt
def followed(house: House) -> LimitProfile:
    """A profile that a table follows, and an operator at another one."""
    profile = house.profile(table_max=90_000)
    house.assign(profile, house.table())
    house.assign(profile, house.table("bac-02"), operator=house.north.operator)
    return profile


def test_profiles_and_who_follows_them_go_out_and_come_in_again(
    house: House, followed: LimitProfile
) -> None:
    file = exported(house)
    lines = file.split("\r\n")
    assert lines[1:3] == [
        ",,USD,bet,,,1.00,500.00,Main floor",
        ",,USD,player,,,,900.00,Main floor",
    ]
    assert "bac-01,,USD,profile,,,,,Main floor" in lines
    assert "bac-02,,USD,bet,,,1.00,1000.00," in lines
    assert "bac-02,north,USD,profile,,,,,Main floor" in lines
    with nothing_written():
        assert "Nothing would change" in text(sent(house, file))
    old = "table,operator,currency,limit,bet,selection,minimum,maximum\n"
    same = "bac-01,,USD,bet,,,1,500\nbac-01,,USD,player,,,,900\n"
    assert plan_import(old + same).drafts == ()
    house.profile(bets={"": (100, 40_000)}, effective_from=timezone.now() + timedelta(days=1))
    assert plan_import(old + same).drafts == ()
    said = text(sent(house, old + same.replace("900", "800")))
    assert "bac-01 USD Follows the profile Main floor none" in said


def test_a_file_writes_profiles_and_lets_tables_follow_them(
    house: House, followed: LimitProfile
) -> None:
    house.table("bac-03")
    file = HEAD + (
        "bac-03,,USD,profile,,,,,VIP\n"
        "bac-02,north,USD,general,,,,,\n"
        ",,USD,bet,,,10.00,9000.00,VIP\n"
        ",,USD,bet,,,1.00,300.00,Main floor\n"
    )
    page = sent(house, file)
    said = text(page)
    assert "Profile VIP USD Every other bet none 10.00 to 9,000.00" in said
    assert "bac-03 USD Follows the profile none VIP" in said
    assert "bac-02 USD north only Follows the profile Main floor none" in said
    assert "bac-01 USD Every other bet 1.00 to 500.00 1.00 to 300.00" in said
    assert confirm(house, file, hidden(page, "seen")).status_code == 302
    held = {str(one.table): one for one in LimitSet.objects.order_by("version")}
    assert str(held["bac-01"].profile_version) == "Main floor/USD/2"
    assert str(held["bac-03"].profile_version) == "VIP/USD/1"
    assert held["bac-02"].operator and not held["bac-02"].bets.exists()
    assert "Nothing would change" in text(sent(house, file))
    assert ProfileVersion.objects.count() == 3


FAULTS = [
    (",,USD,bet,,,1,2,\n", "Line 2, column table: Which table?"),
    (",north,USD,bet,,,1,2,P\n", "Line 2, column operator: A profile has no operator"),
    (",,USD,bet,frog,,1,2,P\n", "Line 2, column bet: No game of any book has a bet frog"),
    (",,USD,bet,straight,99,1,2,P\n", "Line 2, column selection: No game of any book has"),
    (",,USD,payout,,,,2,P\n", "Line 2, column limit: P in USD has no row for a bet"),
    (",,USD,profile,,,,,P\n", "Line 2, column table: A row for profile names a table."),
    ("bac-01,,USD,profile,,,,,P\n", "Line 2, column profile: There is no profile P in USD"),
    ("bac-01,,USD,profile,,,,,\n", "Line 2, column profile: Which profile?"),
    ("bac-01,,USD,profile,,,1,,P\n", "Line 2, column minimum: A row for profile has no"),
    ("bac-01,,USD,bet,,,1,2,P\n", "Line 2, column profile: Limits of a table's own name no"),
    ("bac-01,,USD,general,,,,,\n", "Line 2, column operator: Only limits of an operator's"),
    (
        "bac-01,,USD,bet,,,1,2,\nbac-01,,USD,profile,,,,,Main floor\n",
        "Line 3, column limit: Line 2 says something else of bac-01 in USD.",
    ),
    (
        "bac-01,,USD,profile,,,,,Main floor\nbac-01,,USD,bet,,,1,2,\n",
        "Line 3, column limit: Line 2 says all of these limits already.",
    ),
    (
        "bac-01,,USD,profile,,,,,P\n,,USD,bet,straight,,1,2,P\n",
        "Line 2, column profile: P limits no bet of No Commission Baccarat",
    ),
]


def test_faults_about_profiles_are_told_with_their_line_and_column(
    house: House, followed: LimitProfile
) -> None:
    for rows, fault in FAULTS:
        assert str(plan_import(HEAD + rows).faults[0]).startswith(fault), rows
    with nothing_written():
        answer = sent(house, HEAD + FAULTS[0][0])
    assert answer.status_code == 422


def test_the_pages_of_profiles_read_as_little_for_many_as_for_one(
    house: House, followed: LimitProfile
) -> None:
    def reads(name: str, *place: Any) -> int:
        visitor = Visitor(house.compliance)
        visitor.get(name, *place)
        return queries(lambda: visitor.get(name, *place))

    one = (reads("limit_profiles"), reads("limit_profile", followed.pk))
    house.profile("VIP", bets={"": (100, 90_000), "tie": (100, 500)})
    for most in (40_000, 30_000):
        house.profile(bets={"": (100, most), "tie": (100, 500)})
    house.assign(followed, house.table("bac-03"))
    assert (reads("limit_profiles"), reads("limit_profile", followed.pk)) == one
    assert Visitor(house.manager).get("limit_profile", 999).status_code == 404
