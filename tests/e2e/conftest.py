"""A real browser before a real server: Chromium, driven as a person would."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, Error, Page, sync_playwright

from casino.models import Person
from tests.house import House, build_house
from tests.web.browsing import sign_in

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = "no Chromium found: install it, or name it in CHROMIUM"
QUIET = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-remote-fonts",
]  # fmt: skip

HURRY = """if (document.cookie.includes("hurried")) {
    const later = setTimeout;
    window.setTimeout = (what, wait, ...more) =>
        later(what, wait < 1000 ? wait : wait / 5, ...more);
}"""
"""Pages ask anew every few seconds; a hurried one asks five times as often."""

QUIET_PLACE = "/static/pitbook/pitbook.css"
"""Where a page waits for the next test: at the same site, where it keeps its process."""

WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 390, "height": 844}

Open = Callable[..., Page]


def chromium() -> str | None:
    """Where the browser is, if there is one."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named if Path(named).exists() else None
    return next(filter(None, map(shutil.which, NAMES)), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The browser of the whole run. In CI a missing one is a failure."""
    found = chromium()
    if found is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(MISSING)
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        # The driver runs a loop in this thread, which is no reason to forbid it the database.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        browser = playwright.chromium.launch(executable_path=found, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def house(transactional_db: Any) -> House:
    """The house before the first hand, seen by every connection."""
    return build_house()


@pytest.fixture(scope="session")
def kept(browser: Browser) -> list[Page]:
    """Pages in profiles of their own, kept from test to test: a new one costs half a second."""
    return []


@pytest.fixture
def open_as(browser: Browser, kept: list[Page], live_server: Any) -> Iterator[Open]:
    """Open pages as somebody who has signed in, or as nobody (None): `open_as(person, path)`.

    Each is in a profile of its own that remembers nothing of an earlier test. Without a path the
    page is still to go somewhere; `hurried` is for a test that waits for what it asks by itself. At
    the end no page may have complained on its console.
    """
    pages: list[Page] = []
    complaints: list[str] = []

    def complain(error: Error) -> None:
        complaints.append(str(error))

    def open_page(
        person: Person | None,
        path: str | None = None,
        *,
        size: dict[str, int] = WIDE,
        hurried: bool = False,
    ) -> Page:
        if len(pages) == len(kept):
            context = browser.new_context(base_url=live_server.url)
            context.add_init_script(HURRY)
            kept.append(context.new_page())
        page = kept[len(pages)]
        pages.append(page)
        if person is not None:
            name, value = settings.SESSION_COOKIE_NAME, sign_in(Client(), person)
            session = {"name": name, "value": value, "url": live_server.url}
            page.context.add_cookies([session])
        if hurried:
            hurry = {"name": "hurried", "value": "1", "url": live_server.url}
            page.context.add_cookies([hurry])
        page.set_viewport_size(size)
        page.set_default_timeout(15_000)
        page.on("pageerror", complain)
        if path is not None:
            page.goto(path)
        return page

    yield open_page
    for page in pages:
        page.goto(QUIET_PLACE)
        page.evaluate("localStorage.clear(), sessionStorage.clear()")
        page.remove_listener("pageerror", complain)
        page.context.clear_cookies()
    assert not complaints


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say loudly that the browser tests did not run."""
    if any(MISSING in str(report.longrepr) for report in terminalreporter.getreports("skipped")):
        terminalreporter.section("BROWSER TESTS DID NOT RUN", sep="!", red=True, bold=True)
        terminalreporter.line(MISSING)
