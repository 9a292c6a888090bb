"""Whether people who see, hear or move otherwise can work here: what axe-core says of the pages."""

from __future__ import annotations

import json

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Open
from tests.house import PLAYER_WINS, House

RULES = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa"]},
    "resultTypes": ["violations"],
    "preload": False,  # of these rules only the one about sound that plays by itself needs it
    "selectors": False,
}
AXE = f"""{Axe().axe_script};
axe.run({json.dumps(RULES)}).then(found => [found.violations, found.passes.length]);"""
PAGES = (
    "floor/", "tables/bac-01/", "tables/bac-01/shoes/1/", "approvals/", "casino/limitset/",
    "tickets/", "whatif/?book=club-a&game=no_commission_baccarat", "stops/",
)  # fmt: skip


def faults(page: Page) -> list[str]:
    """What stands in somebody's way on a page, or quite shuts them out."""
    violations, passed = page.evaluate(AXE)
    assert passed > 10, page.url
    return [
        f"{page.url}: {violation['help']}: {node['html']}"
        for violation in violations
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
    ]


def test_no_page_stands_in_anybodys_way(house: House, open_as: Open) -> None:
    round = house.play(PLAYER_WINS, ("player", "100")).round
    house.incident(round)
    house.stop(operator=house.south.operator)
    house.proposal(house.play(PLAYER_WINS, ("player", "100")).round)
    house.ticket(house.hand(), ("player", "100"))
    page = open_as(house.manager, f"/admin/rounds/{round.key}/")
    page.keyboard.press("v")
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Exposed card").click()
    dialog.get_by_label("What happened").fill("Seen before it was due.")
    dialog.get_by_label("Evidence").fill("cam 3 03:00:12")
    dialog.get_by_role("button", name="Preview").click()
    expect(dialog).to_contain_text("Tickets that change")
    found = faults(page)
    for place in PAGES:
        page.goto(f"/admin/{place}")
        found += faults(page)
    found += faults(open_as(house.compliance, "/admin/log/"))
    assert found == []
