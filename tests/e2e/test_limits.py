"""A pit manager raises a limit in the browser, and the next ticket is taken under it."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.conftest import Open
from tests.house import House


def test_a_limit_is_raised_and_holds_from_the_next_ticket_on(house: House, open_as: Open) -> None:
    round = house.hand()
    assert house.bet(round, ("banker", "1500")).ticket is None
    page = open_as(house.manager, "/admin/casino/limitset/set")
    page.get_by_label("Table", exact=True).select_option("bac-01")
    page.get_by_label("Currency").fill("USD")
    page.get_by_role("button", name="Go on").click()
    page.get_by_label("Every other bet, maximum").fill("2,000.00")
    page.get_by_label("Payout of one round, maximum").fill("100000")
    page.get_by_role("button", name="Preview").click()
    raised = page.get_by_role("row", name="bac-01 USD Every other bet 1.00 to 1,000.00")
    expect(raised).to_contain_text("1.00 to 2,000.00")
    page.get_by_label("Reason").fill("High rollers tonight.")
    page.get_by_role("button", name="Put in force").click()
    expect(page.get_by_text("Versions of limits written: 1.")).to_be_visible()

    watching = open_as(house.supervisor, "/admin/tables/bac-01/")
    assert house.ticket(round, ("banker", "1500")).limit_set.version == 2
    told = watching.get_by_role("region", name="What the house pays in USD if …")
    expect(told).to_contain_text("at most 3,000.00 USD of 100,000.00 USD allowed")
    expect(told.get_by_role("img")).to_have_accessible_name(
        "What the house pays in USD: most on Banker, 3,000.00; staked 1,500.00"
    )
