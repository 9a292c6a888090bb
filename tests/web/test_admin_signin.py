"""The way in: branded, recorded, and locked for a while after three failures."""

from __future__ import annotations

from datetime import timedelta

import pytest
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.models import Person
from casino.pages.sign_ins import SignInFilter, outcome_of, read_sign_ins
from tests.house import PASSWORD, House
from tests.web.browsing import Visitor, listed, text
from tests.web.counting import queries

HERE, ELSEWHERE = "10.0.0.1", "10.0.0.2"


def knock(name: str, password: str, *, address: str = HERE) -> int:
    """Try to sign in; answers the status: 302 for who is in, 200 for a failure, 429 for a lock."""
    form = {"username": name, "password": password}
    return Client(REMOTE_ADDR=address).post(reverse("admin:login"), form).status_code


def test_the_sign_in_page_bears_the_name_of_the_house(db: None) -> None:
    page = text(Client().get(reverse("admin:login")))
    assert "Pitbook The tables' back office" in page


def test_who_was_going_somewhere_gets_there(house: House) -> None:
    client = Client()
    where = reverse("admin:tickets") + "?status=open"
    asked = client.get(where)
    assert asked.status_code == 302
    form = {"username": "manager", "password": PASSWORD, "next": where}
    assert client.post(asked["Location"], form)["Location"] == where


def test_a_failure_does_not_tell_whether_the_name_exists(house: House) -> None:
    answers = [
        text(Client().post(reverse("admin:login"), {"username": name, "password": "wrong"}))
        for name in ("manager", "nobody-at-all")
    ]
    assert answers[0] == answers[1]
    assert "Please enter the correct" in answers[0]


def test_after_three_failures_the_right_password_does_not_open_either(house: House) -> None:
    assert [knock("manager", "wrong") for _ in range(3)] == [200, 200, 429]
    assert knock("manager", PASSWORD) == 429


def test_the_lock_holds_for_that_name_from_that_address_alone(house: House) -> None:
    for _ in range(3):
        knock("manager", "wrong")
    assert knock("manager", PASSWORD, address=ELSEWHERE) == 302
    assert knock("supervisor", PASSWORD) == 302
    assert knock("manager", PASSWORD) == 429


def test_whoever_is_locked_out_is_told_for_how_long(house: House) -> None:
    for _ in range(3):
        knock("manager", "wrong")
    form = {"username": "manager", "password": PASSWORD}
    answer = Client(REMOTE_ADDR=HERE).post(reverse("admin:login"), form)
    assert answer.headers["Retry-After"] == "900"
    assert "Try again in 15 minutes" in text(answer)


def test_the_lock_opens_by_itself(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        knock("manager", "wrong")
    later = timezone.now() + settings.AXES_COOLOFF_TIME + timedelta(seconds=1)
    monkeypatch.setattr("axes.handlers.proxy.now", lambda: later)
    assert knock("manager", PASSWORD) == 302


def test_a_sign_in_forgets_the_failures_before_it(house: House) -> None:
    for _ in range(2):
        knock("manager", "wrong")
    assert knock("manager", PASSWORD) == 302
    assert [knock("manager", "wrong") for _ in range(2)] == [200, 200]


def test_every_sign_in_and_every_failure_is_kept_with_its_address(house: House) -> None:
    knock("manager", "wrong")
    knock("manager", PASSWORD)
    failure, success = AccessFailureLog.objects.get(), AccessLog.objects.get()
    assert (failure.username, failure.ip_address) == ("manager", HERE)
    assert (success.username, success.ip_address) == ("manager", HERE)


def test_no_password_is_kept(house: House) -> None:
    knock("manager", "wrong-password-of-mine")
    kept = [
        str(value)
        for model in (AccessAttempt, AccessFailureLog)
        for row in model.objects.all()
        for value in vars(row).values()
    ]
    assert any("manager" in value for value in kept)
    assert not any("wrong-password-of-mine" in value for value in kept)


def test_a_sign_in_makes_no_version_of_the_person(house: House) -> None:
    before = house.manager.history.count()
    knock("manager", PASSWORD)
    assert house.manager.history.count() == before
    manager = Person.objects.get(pk=house.manager.pk)
    assert manager.last_login is not None


def test_who_was_shut_out_and_machines_do_not_come_in(house: House) -> None:
    assert knock("client:studio", PASSWORD) == 200
    assert knock("system", PASSWORD) == 200


def test_sign_ins_and_refusals_are_read_in_one_list(house: House) -> None:
    def shown(**query: str) -> list[tuple[str, str, str]]:
        return [(row[1], row[3], row[4]) for row in listed(visitor.get("sign_ins", **query))]

    visitor = Visitor(house.compliance)
    knock("manager", "wrong")
    few = queries(shown)
    knock("manager", PASSWORD)
    for _ in range(4):
        knock("supervisor", "wrong", address=ELSEWHERE)
    knock("nobody-at-all", "wrong")
    everything = [
        ("nobody-at-all", HERE, "Refused"),
        ("supervisor", ELSEWHERE, "Refused and locked"),
        ("supervisor", ELSEWHERE, "Refused"),
        ("supervisor", ELSEWHERE, "Refused"),
        ("manager", HERE, "Signed in"),
        ("manager", HERE, "Refused"),
    ]
    assert shown() == everything
    assert queries(shown) == few <= 14
    assert shown(username="manager") == everything[4:6]
    assert shown(outcome="locked") == everything[1:2]
    assert shown(outcome="signed_in") == [everything[4]]
    assert shown(outcome="refused", address=HERE) == [everything[0], everything[5]]
    assert shown(since="2020-01-01T00:00", until="2100-01-01T00:00") == everything
    assert shown(until="2020-01-01T00:00") == shown(address="nowhere") == []

    found, before = [], ""
    while True:
        page = read_sign_ins(SignInFilter({}), before, 2)
        found += [(row.username, outcome_of(row)) for row in page.rows]
        before = page.older
        if not before:
            break
    assert found == [
        (name, {"Signed in": "signed_in", "Refused": "refused"}.get(words, "locked"))
        for name, _, words in everything
    ]
    page = text(visitor.get("sign_ins"))
    assert "supervisor is locked from 10.0.0.2 until" in page and "after 3 failures" in page
    assert "What is tried there until then is refused and not listed." in page
    assert "When Asia/Manila" in page and "Nobody of that name" in page
    lines = b"".join(visitor.get("sign_ins_export").streaming_content).decode().splitlines()
    assert [line.split(",")[3] for line in lines[1:]].count("refused") == 4
    link = visitor.client.get(f"/admin/casino/person/{house.manager.pk}/sign-ins", follow=True)
    assert [row[1] for row in listed(link)] == ["manager", "manager"]
