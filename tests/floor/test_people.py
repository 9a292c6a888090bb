"""What a person may do, whether they may come in, and with which password."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from casino.models import AuditEvent, Person
from casino.models.audit import Action
from casino.services import people, setup
from games.refusals import Refused
from tests.house import PASSWORD, REASON, House


def last_event() -> AuditEvent:
    event = AuditEvent.objects.order_by("-pk").first()
    assert event is not None
    return event


def refused(call: Callable[..., Any], **told: Any) -> Refused:
    """Call a service that has to refuse, and see that it wrote no decision."""
    before = AuditEvent.objects.count()
    with pytest.raises(Refused) as caught:
        call(**told, reason=REASON)
    assert AuditEvent.objects.count() == before
    return caught.value


def test_a_role_is_changed_with_its_version_and_its_line_in_the_log(house: House) -> None:
    people.change_role(
        person=house.supervisor, role="pit_manager", actor=house.administrator, reason="Promoted."
    )
    house.supervisor.refresh_from_db()
    assert house.supervisor.role == "pit_manager"
    version = house.supervisor.history.first()
    assert (version.history_user, version.history_change_reason) == (
        house.administrator,
        "Promoted.",
    )
    event = last_event()
    assert (event.action, event.subject) == (Action.PERSON_CHANGED, "person:supervisor")
    assert json.loads(event.body) == {
        "before": {"role": "pit_supervisor"},
        "after": {"role": "pit_manager"},
    }


def test_a_person_who_is_shut_out_may_do_nothing_and_comes_back_whole(house: House) -> None:
    people.deactivate(person=house.manager, actor=house.administrator, reason=REASON)
    house.manager.refresh_from_db()
    assert not house.manager.is_active
    assert json.loads(last_event().body)["after"] == {"active": False}
    people.reactivate(person=house.manager, actor=house.administrator, reason=REASON)
    house.manager.refresh_from_db()
    assert (house.manager.is_active, house.manager.role) == (True, "pit_manager")


@pytest.mark.parametrize("change", [people.deactivate, people.reactivate])
def test_what_is_so_already_writes_nothing(change: Callable[..., Any], house: House) -> None:
    people.deactivate(person=house.manager, actor=house.administrator, reason=REASON)
    if change is people.reactivate:
        people.reactivate(person=house.manager, actor=house.administrator, reason=REASON)
    people.change_role(
        person=house.manager, role="pit_manager", actor=house.administrator, reason=REASON
    )
    before = AuditEvent.objects.count()
    change(person=house.manager, actor=house.administrator, reason=REASON)
    assert AuditEvent.objects.count() == before


def test_nobody_changes_their_own_role_or_access(house: House) -> None:
    own = {"person": house.administrator, "actor": house.administrator}
    assert refused(people.change_role, role="pit_manager", **own).code == "not_permitted"
    assert refused(people.deactivate, **own).code == "not_permitted"
    house.administrator.refresh_from_db()
    assert (house.administrator.role, house.administrator.is_active) == ("administrator", True)


def test_only_who_may_set_the_house_up_changes_people(house: House) -> None:
    for actor in (house.supervisor, house.manager, house.compliance, house.studio.person):
        other = {"person": house.administrator, "actor": actor}
        assert refused(people.change_role, role="compliance", **other).code == "not_permitted"
        assert refused(people.deactivate, **other).code == "not_permitted"
        assert refused(people.set_password, password=PASSWORD, **other).code == "not_permitted"


def test_machines_and_the_system_are_no_people(house: House) -> None:
    by = {"actor": house.administrator}
    for person in (house.studio.person, house.system):
        assert (
            refused(people.change_role, person=person, role="compliance", **by).code == "conflict"
        )
        assert refused(people.deactivate, person=person, **by).code == "conflict"
        assert (
            refused(people.set_password, person=person, password=PASSWORD, **by).code == "conflict"
        )
    for role in ("machine", "system", "owner"):
        assert refused(people.change_role, person=house.manager, role=role, **by).field == "role"


def test_a_password_is_set_and_never_told(house: House) -> None:
    people.set_password(
        person=house.manager, password="nine lives of a cat", actor=house.administrator,
        reason=REASON,
    )  # fmt: skip
    house.manager.refresh_from_db()
    assert house.manager.check_password("nine lives of a cat")
    assert "cat" not in last_event().body
    assert not hasattr(house.manager.history.first(), "password")


def test_one_sets_ones_own_password(house: House) -> None:
    people.set_password(
        person=house.supervisor, password="nine lives of a cat", actor=house.supervisor,
        reason=REASON,
    )  # fmt: skip
    house.supervisor.refresh_from_db()
    assert house.supervisor.check_password("nine lives of a cat")


@pytest.mark.parametrize(
    "password", ["short", "123456789012", "compliance-1", "compliance12345678"]
)
def test_a_weak_password_is_refused_for_old_and_new_people(password: str, house: House) -> None:
    told = {"password": password, "actor": house.administrator}
    assert refused(people.set_password, person=house.compliance, **told).field == "password"
    new = {"name": "compliance-2", "role": "compliance"}
    assert refused(setup.create_person, **new, **told).field == "password"
    told["password"] = "seven INES a night"
    new = {"name": "ines", "role": "compliance"}
    assert "name in it" in str(refused(setup.create_person, **new, **told))
    assert not Person.objects.filter(username="compliance-2").exists()
