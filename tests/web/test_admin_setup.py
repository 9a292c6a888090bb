"""Pits, tables, operators, API clients, keys and limits through the admin."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.urls import reverse
from django.utils import timezone

from casino.models import ApiClient, ApiKey, AuditEvent, LimitSet, Operator, Pit, Table
from casino.selectors import limits_in_force
from casino.services import setup
from casino.services.setup import key_digest
from tests.house import REASON, House
from tests.web.browsing import Visitor, text
from tests.web.calls import Caller
from tests.web.counting import nothing_written

WHY = {"reason": "New business."}
LIMITS = "casino_limitset_set_limits"


def send(house: House, action: str, /, *place: Any, **form: Any) -> Any:
    """Fill in a form of the administrator, with a reason."""
    url = reverse(f"admin:casino_{action}", args=place)
    return Visitor(house.administrator).client.post(url, form | WHY)


def key_shown(answer: Any) -> str:
    """The key on the page that shows it."""
    assert answer.status_code == 200
    assert "no-store" in answer.headers["Cache-Control"]
    found = re.search(r"pb_[\w-]{43}", answer.content.decode())
    assert found, text(answer)
    return found[0]


def test_a_pit_a_table_and_an_operator_are_created_with_a_reason(house: House) -> None:
    send(house, "pit_create", code="annex", name="Annex", time_zone="Europe/Malta")
    send(
        house, "table_create", code="bac-09", name="", pit="annex",
        game="club-a/no_commission_baccarat",
    )  # fmt: skip
    send(house, "operator_create", code="west", name="West")
    assert Pit.objects.get(code="annex").time_zone == "Europe/Malta"
    table = Table.objects.select_related("pit").get(code="bac-09")
    assert (table.pit.code, table.book, table.game) == ("annex", "club-a", "no_commission_baccarat")
    assert Operator.objects.get(code="west").name == "West"
    reasons = AuditEvent.objects.order_by("-pk").values_list("reason", flat=True)[:3]
    assert set(reasons) == {"New business."}


def test_an_operator_that_is_there_already_is_told_so(house: House) -> None:
    with nothing_written():
        answer = send(house, "operator_create", code="north")
    said = [str(message) for message in get_messages(answer.wsgi_request)]
    assert said == ["Operator north was there already and stays as it is."]


def test_what_the_house_does_not_know_is_refused_in_words(house: House) -> None:
    with nothing_written():
        answer = send(house, "pit_create", code="no blanks", name="", time_zone="UTC")
        assert "A code has 1 to 32 letters" in text(answer)
        answer = send(house, "pit_create", code="annex", name="", time_zone="Mars/Olympus")
        assert "Mars/Olympus is not one of the available choices" in text(answer)
        answer = send(house, "table_create", code="x", pit="main", name="", game="club-a/whist")
        assert "club-a/whist is not one of the available choices" in text(answer)


def test_an_api_client_gets_a_key_that_is_shown_once(house: House) -> None:
    answer = send(
        house, "apiclient_create", name="west-bets", operator="north",
        scopes=["tickets:write", "tickets:read"], addresses="10.0.0.7\n10.0.0.8",
    )  # fmt: skip
    key = key_shown(answer)
    client = ApiClient.objects.get(name="west-bets")
    assert client.addresses == ["10.0.0.7", "10.0.0.8"]
    assert client.keys.get().digest == key_digest(key)
    again = Visitor(house.administrator).get("casino_apiclient_change", client.pk)
    assert key not in again.content.decode()
    assert key[:8] in again.content.decode()


def test_a_client_sent_twice_keeps_its_key(house: House) -> None:
    form = {"name": "west-bets", "operator": "north", "scopes": ["tickets:read"], "addresses": ""}
    key_shown(send(house, "apiclient_create", **form))
    answer = send(house, "apiclient_create", **form)
    assert answer.status_code == 302
    assert ApiKey.objects.filter(client__name="west-bets").count() == 1


def test_what_a_client_may_not_be_is_refused_at_its_field(house: House) -> None:
    with nothing_written():
        answer = send(
            house, "apiclient_create", name="x", operator="", scopes=["tickets:write"],
            addresses="",
        )  # fmt: skip
        assert "A client that posts tickets belongs to an operator." in text(answer)
        answer = send(
            house, "apiclient_create", name="x", operator="", scopes=["floor:write"],
            addresses="10.0.0",
        )  # fmt: skip
        assert "Enter a valid IPv4 or IPv6 address." in text(answer)


def test_keys_overlap_while_a_client_changes_over(house: House) -> None:
    old = house.north.keys.get()
    new = key_shown(send(house, "apiclient_add_key", house.north.pk))
    assert house.north.keys.filter(revoked_at__isnull=True).count() == 2
    answer = send(house, "apiclient_revoke_key", house.north.pk, key=old.pk)
    assert answer.status_code == 302
    old.refresh_from_db()
    assert old.revoked_at is not None
    assert house.north.keys.get(revoked_at__isnull=True).digest == key_digest(new)


def test_only_a_living_key_of_the_client_itself_is_revoked(house: House) -> None:
    expired = setup.add_api_key(
        client=house.north, expires_at=timezone.now() - timedelta(days=1), actor=house.system,
        reason=REASON,
    )  # fmt: skip
    dead = house.north.keys.get(digest=key_digest(expired))
    with nothing_written():
        for key in (house.south.keys.get(), dead):
            assert (
                send(house, "apiclient_revoke_key", house.north.pk, key=key.pk).status_code == 422
            )


def test_a_client_that_is_switched_off_is_kept_out_until_it_is_switched_on(house: House) -> None:
    caller = Caller(house.keys["north"])
    assert caller.get("tickets/").status_code == 200
    assert send(house, "apiclient_change_access", house.north.pk).status_code == 302
    assert caller.get("tickets/").status_code == 401
    send(house, "apiclient_change_access", house.north.pk)
    assert caller.get("tickets/").status_code == 200
    told = AuditEvent.objects.filter(subject="client:north", action="client_changed")
    assert [json.loads(event.body) for event in told.order_by("pk")] == [
        {"active": False},
        {"active": True},
    ]


def limits_of(house: House, table: Table, operator: str = "", **form: Any) -> Any:
    """Send the limits form of a table in USD, filled in as it is shown but for what is given."""
    url = reverse(f"admin:{LIMITS}") + f"?table={table.code}&currency=USD&operator={operator}"
    shown = {"seen": "1", "low-": "1.00", "high-": "1000.00"}
    return Visitor(house.manager).client.post(url, shown | form)


@pytest.mark.first_table
def test_limits_are_chosen_for_a_table_and_a_currency(house: House) -> None:
    table = house.table()
    visitor = Visitor(house.manager)
    versions = visitor.get("casino_limitset_changelist")
    assert f'href="{reverse(f"admin:{LIMITS}")}"' in versions.content.decode()
    assert "Set limits" in text(versions)
    assert "Whose limits, in which currency?" in text(visitor.get(LIMITS))
    assert "is not a currency" in text(visitor.get(LIMITS, table=table.code, currency="xxx"))
    page = visitor.get(LIMITS, table=table.code, currency="usd")
    assert "Limits of bac-01 in USD" in text(page)
    assert 'value="1000.00"' in page.content.decode()


@pytest.mark.first_table
def test_a_pit_manager_puts_a_new_version_in_force(house: House) -> None:
    table = house.table()
    form = {"high-": "500", "low-tie": "2", "high-tie": "50.50", "table_max": "2,000.00"}
    with nothing_written():
        preview = limits_of(house, table, **form)
    assert "bac-01 USD Every other bet 1.00 to 1,000.00 1.00 to 500.00" in text(preview)
    assert Visitor(house.manager).confirm_limits(preview).status_code == 302
    limits = LimitSet.objects.get(table=table, version=2)
    rows = {row.bet: (row.minimum, row.maximum) for row in limits.bets.all()}
    assert rows == {"": (100, 50_000), "tie": (200, 5_050)}
    assert (limits.table_min, limits.table_max) == (None, 200_000)
    assert (limits.set_by, limits.reason) == (house.manager, "New business.")
    page = text(Visitor(house.compliance).get("casino_limitset_change", limits.pk))
    assert "Every other bet: 1.00 to 1,000.00 → 1.00 to 500.00" in page
    assert "Tie: as every other bet (1.00 to 1,000.00) → 2.00 to 50.50" in page


@pytest.mark.first_table
def test_limits_that_moved_since_they_were_looked_at_are_not_written_over(house: House) -> None:
    table = house.table()
    house.limit(table, bets={"": (100, 9_000)})
    with nothing_written():
        answer = limits_of(house, table)
    assert answer.status_code == 422
    assert "The limits of bac-01 in USD changed meanwhile; look at them again." in text(answer)


@pytest.mark.first_table
def test_limits_that_make_no_sense_are_refused(house: House) -> None:
    table = house.table()
    wrong = {
        "Not an amount in USD, such as 1000.00.": {"high-": "1e3"},
        "must be above zero and not above its maximum": {"low-": "2000"},
        "Give both, or neither.": {"low-tie": "2"},
        "Give a minimum and a maximum for at least one bet.": {"low-": "", "high-": ""},
        "Limits cannot hold from a time that has passed.": {"effective_from": "2020-01-01T06:00"},
        "Limits hold from the year 2999 at the latest.": {"effective_from": "9999-12-31T23:59"},
    }
    with nothing_written():
        for words, form in wrong.items():
            answer = limits_of(house, table, **form)
            assert answer.status_code == 422
            assert words in text(answer), words
        assert "Not an amount in USD" in text(limits_of(house, table, **{"high-": "1,00"}))


def test_limits_for_an_operator_and_of_a_selection_from_a_time_on(house: House) -> None:
    """The pit's clock is Manila's, eight hours ahead."""
    table = house.table("rou-01", book="club-b", game="roulette")
    visitor = Visitor(house.manager)
    url = reverse(f"admin:{LIMITS}") + "?table=rou-01&currency=USD&operator=north"
    form = {
        "seen": "0", "low-": "1", "high-": "500", "spare0": "straight:17",
        "low-spare0": "1", "high-spare0": "20", "payout_max": "9000",
        "exposure_max": "50000", "effective_from": "2099-01-05T06:00",
    }  # fmt: skip
    assert visitor.confirm_limits(visitor.client.post(url, form)).status_code == 302
    limits = LimitSet.objects.get(table=table, version=2)
    assert limits.effective_from == datetime(2099, 1, 4, 22, tzinfo=UTC)
    assert {row.place: row.maximum for row in limits.bets.all()} == {
        "": 50_000,
        "straight:17": 2_000,
    }
    assert (limits.operator, limits.payout_max) == (house.north.operator, 900_000)
    page = text(visitor.get("casino_limitset_change", limits.pk))
    assert "Every other bet: 1.00 to 1,000.00 → 1.00 to 500.00" in page
    assert "Straight Up 17: as every other bet (1.00 to 1,000.00) → 1.00 to 20.00" in page
    assert "Payout of one round: none → – to 50,000.00" in page
    listed = text(visitor.get("casino_limitset_changelist"))
    assert "Coming" in listed and "north" in listed
    told = text(Visitor(house.supervisor).get("table", "rou-01"))
    assert "version 2 in USD for north, by manager: New business." in told


@pytest.mark.first_table
def test_a_bets_own_limits_are_taken_away_by_clearing_them(house: House) -> None:
    table = house.table()
    house.limit(table, bets={"tie": (100, 500)}, table_max=9_000)
    preview = limits_of(house, table, seen="2")
    assert Visitor(house.manager).confirm_limits(preview).status_code == 302
    limits = LimitSet.objects.get(table=table, version=3)
    assert [row.place for row in limits.bets.all()] == [""]
    assert limits.table_max is None
    page = text(Visitor(house.manager).get("casino_limitset_change", limits.pk))
    assert "Tie: 1.00 to 5.00 → as every other bet (1.00 to 1,000.00)" in page


@pytest.mark.first_table
def test_limits_that_change_nothing_write_nothing_and_an_operators_may_end(house: House) -> None:
    table = house.table()
    assert "Nothing would change" in text(limits_of(house, table))
    house.limit(table, operator=house.north.operator, bets={"tie": (100, 500)})
    page = limits_of(house, table, operator="north", seen="2", **{"low-": "", "high-": ""})
    told = "bac-01 USD north only Tie 1.00 to 5.00 as every other bet (1.00 to 1,000.00)"
    assert told in text(page)
    assert Visitor(house.manager).confirm_limits(page).status_code == 302
    assert limits_in_force(table, house.north.operator)["USD"].version == 1


@pytest.mark.first_table
def test_the_versions_of_limits_are_their_history(house: House) -> None:
    table = house.table()
    house.limit(table, bets={"": (100, 9_000)})
    first = LimitSet.objects.get(table=table, version=1)
    answer = Visitor(house.manager).get("casino_limitset_history", first.pk)
    assert answer["Location"].endswith(f"?table__id__exact={table.pk}&currency=USD")
    assert Visitor(house.manager).client.get(answer["Location"]).status_code == 200


@pytest.mark.first_table
def test_a_version_leads_to_the_form_for_the_next(house: House) -> None:
    limits = LimitSet.objects.get(table=house.table())
    answer = Visitor(house.manager).get("casino_limitset_follow", limits.pk)
    page = Visitor(house.manager).client.get(answer["Location"])
    assert "Limits of bac-01 in USD" in text(page)
