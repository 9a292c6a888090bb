"""Tasks only shorten the wait: the sweep finds what no message told of."""

from __future__ import annotations

import json

import pytest
from kombu.exceptions import OperationalError

from casino.models import AuditEvent
from tests.house import BANKER_WINS, House
from tickets import tasks
from tickets.models import Settlement

pytestmark = pytest.mark.first_hand


def test_the_sweep_settles_what_no_message_told_of(house: House) -> None:
    for code in ("bac-01", "bac-02"):
        round = house.hand(code)
        house.ticket(round, ("banker", "10"))
        house.result(round, BANKER_WINS)
    assert tasks.sweep() == 2
    assert tasks.sweep() == 0


def test_a_message_that_comes_twice_settles_once(house: House) -> None:
    round = house.hand()
    house.ticket(round, ("banker", "10"))
    house.result(round, BANKER_WINS)
    assert (tasks.settle_round(round.pk), tasks.settle_round(round.pk)) == (1, 0)


def test_a_dead_broker_turns_no_result_into_an_error(
    house: House,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: object,
) -> None:
    def dead(*args: object, **kwargs: object) -> None:
        raise OperationalError("no broker")

    monkeypatch.setattr(tasks.settle_round, "apply_async", dead)
    round = house.hand()
    house.ticket(round, ("banker", "10"))
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        house.result(round, BANKER_WINS)
    assert tasks.sweep() == 1


def test_a_result_asks_a_worker_once_committed(
    house: House, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: object
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(tasks.settle_round, "apply_async", lambda args, **_: asked.append(args[0]))
    round = house.hand()
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        house.result(round, BANKER_WINS)
        assert asked == []
    assert asked == [round.pk]


def test_the_nightly_verification_writes_down_what_it_found(house: House) -> None:
    from django.db import connection

    house.play(BANKER_WINS, ("banker", "10"))
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    assert tasks.verify()
    event = AuditEvent.objects.get(action="ledger_verified")
    assert json.loads(event.body)["differences"] == 0
    assert Settlement.objects.count() == 1
