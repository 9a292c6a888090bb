"""What is shown where no page answers: words in the house's face, and a way back."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.house import PASSWORD, House
from tests.web.browsing import Visitor, text


def test_what_is_not_answered_is_told_in_words_with_a_way_back(house: House) -> None:
    """Inside the frame for who is signed in, on a page alone for everybody else."""
    client = Visitor(house.supervisor).client
    nothing, not_for_you = "/admin/nothing/", reverse("admin:casino_person_changelist")
    for path, status, words in (
        (nothing, 404, "There is nothing at this address."),
        (not_for_you, 403, "Your role does not open this page."),
    ):
        answer = client.get(path)
        assert answer.status_code == status
        assert words in text(answer) and "Stop switches" not in text(answer)
        assert "Go to the floor" in text(answer) and "Decisions" in text(answer)
    stranger = Client(raise_request_exception=False, enforce_csrf_checks=True)
    form = {"username": "manager", "password": PASSWORD}
    for answer, status, words in (
        (stranger.get("/nothing"), 404, "There is nothing at this address."),
        (stranger.get("/", headers={"Host": "elsewhere"}), 400, "is not understood here"),
        (stranger.post(reverse("admin:login"), form), 403, "Nothing was done: the form is from"),
    ):
        assert answer.status_code == status
        assert words in text(answer) and "Go to the floor" in text(answer)
        assert "http" not in answer.content.decode()
    answer = stranger.get("/api/v2/tickets/")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


def test_a_fault_of_ours_is_told_without_session_or_database(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ValueError

    client = Client(raise_request_exception=False)
    client.force_login(house.manager)
    with monkeypatch.context() as patch:
        patch.setattr("django.contrib.sessions.backends.db.SessionStore.load", fail)
        patch.setattr("casino.api.authentication._client_of", fail)
        answer = client.get(reverse("admin:floor"))
        machine = client.get("/api/v1/tickets/", headers={"Authorization": "Bearer key"})
    assert answer.status_code == machine.status_code == 500
    assert machine.json()["error"]["code"] == "internal"
    assert "Something went wrong here" in text(answer) and "Go to the floor" in text(answer)


def test_a_browser_finds_the_icon_where_it_looks(client: Client) -> None:
    assert client.get("/favicon.ico")["Location"].endswith("/pitbook/icons/pitbook.svg")
