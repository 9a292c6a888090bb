"""People through the admin: forms that call services, and refusals in words."""

from __future__ import annotations

from typing import Any

from django.test import Client
from django.urls import reverse

from casino.models import AuditEvent, Person
from tests.house import PASSWORD, House
from tests.web.browsing import Visitor, text
from tests.web.counting import nothing_written

NEW = {
    "name": "night-manager",
    "full_name": "Nadia Night",
    "role": "pit_manager",
    "password": "seven shoes an hour",
    "reason": "Hired for the night shift.",
}


def send(house: House, action: str, person: Person | None = None, **form: Any) -> Any:
    """Fill in a form about a person, or about one to be."""
    url = reverse(f"admin:casino_person_{action}", args=[person.pk] if person else [])
    return Visitor(house.administrator).client.post(url, form)


def test_a_person_is_created_with_a_reason_and_can_sign_in(house: House) -> None:
    answer = send(house, "create", **NEW)
    assert answer["Location"] == reverse("admin:casino_person_changelist")
    event = AuditEvent.objects.order_by("-pk").first()
    assert event is not None
    assert (event.actor, event.subject) == (house.administrator, "person:night-manager")
    assert event.reason == "Hired for the night shift."
    client = Client()
    form = {"username": NEW["name"], "password": NEW["password"]}
    assert client.post(reverse("admin:login"), form).status_code == 302
    assert client.get(reverse("admin:floor")).status_code == 200


def test_without_a_reason_nothing_is_created(house: House) -> None:
    with nothing_written():
        answer = send(house, "create", **NEW | {"reason": "   "})
    assert answer.status_code == 422
    assert "This field is required" in text(answer)


def test_a_refusal_stands_at_its_field_and_what_was_typed_stays(house: House) -> None:
    with nothing_written():
        answer = send(house, "create", **NEW | {"password": "short"})
    assert answer.status_code == 422
    page = text(answer)
    assert "This password is too short" in page
    html = answer.content.decode()
    assert 'value="night-manager"' in html
    assert "short" not in html.replace("too short", "")


def test_a_refusal_without_a_field_stands_above_the_form(house: House) -> None:
    with nothing_written():
        answer = send(house, "create", **NEW | {"name": "manager", "role": "compliance"})
    assert "Person manager exists already with another role." in text(answer)


def test_roles_of_machines_are_not_offered(house: House) -> None:
    with nothing_written():
        assert send(house, "create", **NEW | {"role": "system"}).status_code == 422


def test_a_changed_role_holds_from_the_next_click_on(house: House) -> None:
    supervisor = Visitor(house.supervisor)
    assert supervisor.get("log").status_code == 403
    send(house, "change_role", house.supervisor, role="compliance", reason="Moved.")
    assert supervisor.get("log").status_code == 200
    assert supervisor.get("floor").status_code == 200


def test_whoever_is_shut_out_is_out_at_once(house: House) -> None:
    manager = Visitor(house.manager)
    assert manager.get("floor").status_code == 200
    page = text(Visitor(house.administrator).get("casino_person_change_access", house.manager.pk))
    assert "Deactivate manager" in page
    send(house, "change_access", house.manager, reason="Left the house.")
    assert manager.get("floor").status_code == 302
    page = text(Visitor(house.administrator).get("casino_person_change_access", house.manager.pk))
    assert "Reactivate manager" in page
    send(house, "change_access", house.manager, reason="Came back.")
    house.manager.refresh_from_db()
    assert house.manager.is_active


def test_an_administrator_cannot_change_themself(house: House) -> None:
    with nothing_written():
        for action, form in (("change_role", {"role": "compliance"}), ("change_access", {})):
            answer = send(house, action, house.administrator, reason="Because.", **form)
            assert "Nobody changes their own role or access" in text(answer)


def test_a_password_set_by_an_administrator_ends_the_sessions_of_the_person(house: House) -> None:
    manager = Visitor(house.manager)
    assert manager.get("floor").status_code == 200
    send(house, "change_password", house.manager, password="seven shoes a night", reason="Lost.")
    assert manager.get("floor").status_code == 302


def test_somebody_who_is_not_there_is_not_found(house: House) -> None:
    visitor = Visitor(house.administrator)
    for action in ("change_role", "change_access", "change_password"):
        assert visitor.get(f"casino_person_{action}", 4711).status_code == 404


def test_the_page_of_a_person_lists_all_that_they_may_do(house: House) -> None:
    page = text(Visitor(house.compliance).get("casino_person_change", house.supervisor.pk))
    assert "See tickets, settlements and postings; Raise an incident" in page
    assert "Void a hand" not in page


def test_ones_own_account_tells_what_one_may_do(house: House) -> None:
    page = text(Visitor(house.supervisor).get("account"))
    assert "Pit supervisor" in page
    assert "Put a round on hold" in page
    assert "Set limits" not in page


def test_one_changes_ones_own_password_and_stays_signed_in(house: House) -> None:
    here, elsewhere = Visitor(house.supervisor), Visitor(house.supervisor)
    form = {"old": PASSWORD, "new": "seven shoes a night", "again": "seven shoes a night"}
    assert here.post("account_password", **form).status_code == 302
    assert here.get("account").status_code == 200
    assert elsewhere.get("account").status_code == 302
    house.supervisor.refresh_from_db()
    assert house.supervisor.check_password("seven shoes a night")
    event = AuditEvent.objects.order_by("-pk").first()
    assert event is not None
    assert (event.actor, event.reason) == (house.supervisor, "Changed by its owner.")


def test_a_password_is_changed_only_by_who_knows_it_and_types_the_new_one_twice(
    house: House,
) -> None:
    visitor = Visitor(house.supervisor)
    wrong = {
        "This is not your password.": {"old": "wrong"},
        "The two new passwords differ.": {"again": "eight shoes a night"},
        "This password is too short.": {"new": "short", "again": "short"},
    }
    form = {"old": PASSWORD, "new": "seven shoes a night", "again": "seven shoes a night"}
    with nothing_written():
        for words, change in wrong.items():
            answer = visitor.post("account_password", **form | change)
            assert answer.status_code == 422
            assert words in text(answer)
