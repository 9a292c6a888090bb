"""A person at the back office, as the tests see one."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from secrets import token_hex
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.models import Person, Round
from casino.pages.idle import MINUTE


def sign_in(client: Client, person: Person) -> str:
    """Leave what signing in leaves, without going through it; the key of the session.

    Its end is put off already, so that a page costs the same whatever minute it is asked in.
    """
    key = token_hex(16)
    known = {
        SESSION_KEY: str(person.pk),
        BACKEND_SESSION_KEY: settings.AUTHENTICATION_BACKENDS[-1],
        HASH_SESSION_KEY: person.get_session_auth_hash(),
        MINUTE: 2**40,
    }
    Session.objects.create(
        session_key=key,
        session_data=SessionStore().encode(known),
        expire_date=timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE),
    )
    client.cookies[settings.SESSION_COOKIE_NAME] = key
    return key


class Visitor:
    """Somebody signed in, or nobody (None); looks at pages by their names."""

    def __init__(self, person: Person | None) -> None:
        self.client = Client()
        if person is not None:
            sign_in(self.client, person)

    def get(self, name: str, *place: Any, script: bool = False, **query: Any) -> Any:
        """Look at `admin:<name>`; `script` asks as htmx does."""
        headers = {"HX-Request": "true"} if script else {}
        return self.client.get(reverse(f"admin:{name}", args=place), query, headers=headers)

    def post(self, name: str, *place: Any, script: bool = True, **form: Any) -> Any:
        """Send a form to `admin:<name>`."""
        headers = {"HX-Request": "true"} if script else {}
        return self.client.post(reverse(f"admin:{name}", args=place), form, headers=headers)

    def propose(self, round: Round, kind: str, **typed: Any) -> Any:
        """Ask for the preview of a ruling, filling in what is not given."""
        said = {"ground": "exposed_card", "note": "Seen on video.", "evidence": "cam 3 03:00:12"}
        return self.post("ruling", kind, round.key, **said | typed)

    def confirm(self, preview: Any, round: Round, kind: str) -> Any:
        """Confirm a preview that was shown."""
        return self.post(
            "ruling", kind, round.key, confirm="1", previewed=hidden(preview, "previewed")
        )

    def confirm_limits(self, preview: Any, reason: str = "New business.") -> Any:
        """Put in force what a preview of limits has shown."""
        form = {name: unescape(hidden(preview, name)) for name in ("text", "seen")}
        if 'name="effective_from" value' in preview.content.decode():
            form["effective_from"] = hidden(preview, "effective_from")
        return self.post("limits_file", script=False, do="confirm", reason=reason, **form)


def text(response: HttpResponse) -> str:
    """What a page says, without its markup."""
    page = re.sub(
        r"<(style|script|title|text)\b.*?</\1>", " ", response.content.decode(), flags=re.DOTALL
    )
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())


def listed(response: HttpResponse) -> list[list[str]]:
    """What a list says: a text for each cell of its rows."""
    assert response.status_code == 200
    body = re.search(r"<tbody.*?</tbody>", response.content.decode(), flags=re.DOTALL)
    rows = re.findall(r"<tr\b.*?</tr>", body[0], flags=re.DOTALL) if body else []
    return [
        [
            " ".join(unescape(re.sub(r"<[^>]*>", " ", cell)).split())
            for cell in re.findall(r"<t[dh]\b.*?</t[dh]>", row, flags=re.DOTALL)
        ]
        for row in rows
    ]


def hidden(response: HttpResponse, name: str) -> str:
    """The value of a hidden field."""
    found = re.search(rf'name="{name}" value="([^"]*)"', response.content.decode())
    assert found, f"no field {name}"
    return found[1]


def value(response: HttpResponse, field: str) -> str:
    """What stands in the input with this id."""
    found = re.search(rf'<input[^>]*id="{field}"[^>]*value="([^"]*)"', response.content.decode())
    assert found, f"no input {field}"
    return found[1]
