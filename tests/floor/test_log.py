"""The decision log: one chain, verifiable, in which nothing can be altered unnoticed."""

from __future__ import annotations

import json

import pytest
from django.db import connection

from casino.audit import verify_log
from casino.models import AuditEvent, AuditHead
from casino.models.audit import Action
from casino.services.record import canonical, log
from tests.house import BANKER_WINS, House
from tickets.models import Ticket

pytestmark = pytest.mark.first_hand


def seal_what_is_written() -> None:
    """Events get their place when the transaction commits; a test has only one transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def test_a_hands_life_is_in_the_log(house: House) -> None:
    round = house.hand()
    house.result(round, BANKER_WINS)
    house.void(round)
    events = AuditEvent.objects.filter(subject=f"round:{round.key}").order_by("id")
    assert [(event.action, event.actor_name) for event in events] == [
        ("round_opened", "studio"),
        ("round_closed", "studio"),
        ("round_resulted", "studio"),
        ("hand_voided", "manager"),
    ]
    body = json.loads(events.last().body)  # type: ignore[union-attr]
    assert body["before"]["headline"] == "Banker 7 beats Player 6"
    assert body["after"]["headline"] == "Void: exposed card"


def test_the_chain_verifies(settled: Ticket) -> None:
    seal_what_is_written()
    found = verify_log()
    assert found.faults == ()
    assert found.head.position == AuditEvent.objects.count() == AuditHead.objects.get().position


@pytest.mark.parametrize(
    "tampering",
    [
        "UPDATE casino_auditevent SET reason = 'another' WHERE id = {middle}",
        "UPDATE casino_auditevent SET actor_id = actor_id + 1 WHERE id = {middle}",
        "UPDATE casino_auditevent SET at = at - interval '1 day' WHERE id = {middle}",
        "UPDATE casino_auditevent SET body = '{{}}' WHERE id = {middle}",
        "DELETE FROM casino_auditseal WHERE event_id = {middle}",
        "DELETE FROM casino_auditseal WHERE event_id = {last}",
    ],
)
def test_tampering_is_found(settled: Ticket, tampering: str) -> None:
    seal_what_is_written()
    ids = list(AuditEvent.objects.filter(action="round_opened").values_list("id", flat=True))
    last = AuditEvent.objects.order_by("-id").values_list("id", flat=True)[0]
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(tampering.format(middle=ids[0], last=last))
        cursor.execute("SET LOCAL session_replication_role = DEFAULT")
    assert verify_log().faults


def test_an_action_outside_the_vocabulary_cannot_be_logged(house: House) -> None:
    with pytest.raises(ValueError, match="made_coffee"):
        log("made_coffee", subject="-", actor=house.manager, reason="-")


def test_the_actors_name_is_kept_as_it_was(house: House) -> None:
    event = log(Action.LIMITS_SET, subject="table:x", actor=house.manager, reason="-")
    house.manager.first_name = "Somebody else"
    event.refresh_from_db()
    assert event.actor_name == "manager"


def test_canonical_text_does_not_depend_on_the_order_of_keys() -> None:
    assert canonical({"b": 1, "a": [1, "é"]}) == canonical({"a": [1, "é"], "b": 1})
    assert canonical({"a": "é"}) == '{"a":"é"}'
