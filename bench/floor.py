"""What a floor of sixty tables costs, the server at every look and the browser at every change."""

from __future__ import annotations

import logging
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from statistics import median
from threading import Thread
from typing import Any

from django.conf import settings
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
from django.core.wsgi import get_wsgi_application
from django.http import QueryDict
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, sync_playwright

from bench.data import REASON
from bench.measure import Times, report
from bench.resolving import deal
from casino.models import ApiClient, Person, Role, Round, Table
from casino.selectors import game_of, system
from casino.services import rounds, setup, shoes
from casino.services.limits import EVERY_BET, set_limits
from tests.e2e.conftest import MISSING, QUIET, WIDE, chromium
from tickets.services.acceptance import BetAsked, TicketAsked, accept_tickets
from tickets.services.settlement import settle_due

TABLES = 60
HANDS = 8
"""Hands that each table has dealt before it is looked at."""

REPEATS = 5
PLAYERS = 3
"""Tickets on every hand in play."""

GAMES = (
    ("club-a", "no_commission_baccarat", "player"),
    ("club-b", "dragon_tiger", "dragon"),
    ("asia", "baccarat", "banker"),
    ("club-b", "roulette", "red"),
    ("asia", "sic_bo", "big"),
)
"""Book, game and the bet that everybody makes; the tables take them in turn."""

AIM = "under 100 ms"

# The page looks only while it is in sight. What it gets is timed from the answer's arrival until
# the frame that shows it is done; its main thread by the sum of its long tasks, of 50 ms and more.
WATCH = """
window.away = true;
Object.defineProperty(document, "hidden", { get: () => window.away });
window.long = 0;
new PerformanceObserver((list) => {
  for (const task of list.getEntries()) window.long += task.duration;
}).observe({ entryTypes: ["longtask"] });
window.look = () => new Promise((done) => {
  let start;
  window.long = 0;
  const begin = (event) => {
    if (event.detail.xhr.status !== 200) return;
    document.removeEventListener("htmx:beforeOnLoad", begin);
    window.away = true;
    start = performance.now();
    requestAnimationFrame(() => setTimeout(() => {
      const took = performance.now() - start;
      setTimeout(() => done([took, window.long]), 200);
    }));
  };
  document.addEventListener("htmx:beforeOnLoad", begin);
  window.away = false;
});
"""


class Floor:
    """Sixty tables of five games, each with a hand in play and tickets on it."""

    def __init__(self) -> None:
        self.actor: Person = system()
        self.by: dict[str, Any] = {"actor": self.actor, "reason": REASON}
        setup.create_pit(code="bench", time_zone="UTC", **self.by)
        setup.create_operator(code="north", **self.by)
        self.client: ApiClient = setup.create_api_client(
            name="floor", operator="north", scopes=["tickets:write"], **self.by
        )[0]
        self.seed = 0
        self.running = [self._open(number) for number in range(TABLES)]
        settle_due(actor=self.actor)

    def move(self, count: int) -> None:
        """Record the hand in play at so many tables, and open the next."""
        for place in range(count):
            round, bet = self.running[place]
            self.running[place] = self._next(self._deal(round), bet), bet
        settle_due(actor=self.actor)

    def _open(self, number: int) -> tuple[Round, str]:
        book, game, bet = GAMES[number % len(GAMES)]
        table = setup.create_table(
            code=f"floor-{number + 1:02}", pit="bench", book=book, game=game, **self.by
        )
        set_limits(table=table, currency="USD", bets={EVERY_BET: (100, 10**6)}, **self.by)
        if game_of(table).has_shoe:
            shoes.open_shoe(table=table, number=1, first_card="TH", burned=10, **self.by)
        round = rounds.open_round(table=table, number=1, **self.by)
        for _ in range(HANDS):
            round = rounds.open_round(table=self._deal(round), number=round.number + 1, **self.by)
        return self._bet_on(round, bet), bet

    def _deal(self, round: Round) -> Table:
        self.seed += 1
        rounds.close_betting(round=round, **self.by)
        rounds.record_result(round=round, outcome=deal(game_of(round), self.seed), **self.by)
        return round.table

    def _next(self, table: Table, bet: str) -> Round:
        number = table.rounds.order_by("-id")[0].number + 1
        return self._bet_on(rounds.open_round(table=table, number=number, **self.by), bet)

    def _bet_on(self, round: Round, bet: str) -> Round:
        asked = [
            TicketAsked(
                reference=f"{round.key}-{player}",
                round=round.key,
                player=f"p-{player}",
                currency="USD",
                placed_at=datetime.now(UTC),
                test=False,
                bets=(BetAsked(bet, "", "10.00"),),
            )
            for player in range(PLAYERS)
        ]
        answers = accept_tickets(asked=asked, client=self.client)
        assert all(answer.ticket for answer in answers), answers[0].refusals
        return round


def run() -> Iterator[str]:
    """Look at the floor, change one table and then all of them, five times each."""
    found = chromium()
    if found is None:
        yield f"A floor of {TABLES} tables: not measured, {MISSING}"
        return
    logging.disable(logging.WARNING)
    floor = Floor()
    person = setup.create_person(
        name="bench-floor",
        role=Role.MANAGER,
        password=secrets.token_urlsafe(),
        **floor.by,
    )
    client = Client(SERVER_NAME="localhost")
    client.force_login(person)
    yield f"A floor of {TABLES} tables with hands in play, in the browser"
    with _page(found, client) as page:
        took = Times()
        for _ in range(REPEATS):
            sent = _look(client, page, took)
        yield report("  server, nothing changed", _told(took, sent))
        for count in (1, TABLES):
            took, shown, long = Times(), [], []
            for _ in range(REPEATS):
                floor.move(count)
                sent = _look(client, page, took)
                at_once, in_long_tasks = page.evaluate("look()")
                shown.append(at_once)
                long.append(in_long_tasks)
            tables = f"{count} table{'s' if count > 1 else ''} changed"
            yield report(f"  server, {tables}", _told(took, sent))
            busy = f"{median(long):.0f} ms" if median(long) else "under 50 ms"
            yield report(f"  browser, {tables}, its main thread", busy, AIM)
            yield report(f"  browser, {tables}, until shown", f"{median(shown):.0f} ms")


def _look(client: Client, page: Page, took: Times) -> int:
    """Ask for what changed as the page would, and answer how many bytes that is."""
    shown = page.evaluate(
        "() => [...document.querySelectorAll('#floor input')].map((i) => [i.name, i.value])"
    )
    query = QueryDict(mutable=True)
    for name, value in shown:
        query.appendlist(name, value)
    with took.once():
        answer = client.get(f"{reverse('admin:floor_live')}?{query.urlencode()}")
    return len(answer.content)


def _told(took: Times, sent: int) -> str:
    return f"{took.median * 1000:.0f} ms, {sent:,} bytes"


@contextmanager
def _page(browser: str, client: Client) -> Iterator[Page]:
    """The floor in a browser, with a server of its own, looking only when it is told to."""
    # The driver runs a loop in this thread, which is no reason to forbid it the database.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    server = ThreadedWSGIServer(("127.0.0.1", 0), _Quiet)
    server.set_app(get_wsgi_application())
    Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    name = settings.SESSION_COOKIE_NAME
    with sync_playwright() as playwright:
        chrome = playwright.chromium.launch(executable_path=browser, args=QUIET)
        page = chrome.new_page(base_url=url, viewport=WIDE)
        page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": url}])
        page.add_init_script(WATCH)
        page.goto(reverse("admin:floor"))
        page.wait_for_function(f"document.querySelectorAll('article').length === {TABLES}")
        yield page
        chrome.close()
    server.shutdown()


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing of single requests."""
