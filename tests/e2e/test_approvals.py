"""Two people in the browser: a misread card put right with a second approving, and stopping."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from casino.services.setup import create_person
from tests.e2e.conftest import Open
from tests.house import PASSWORD, PLAYER_WINS, REASON, House


def dialog(page: Page) -> Page:
    return page.get_by_role("dialog")


def propose_edit(page: Page) -> None:
    """Say that the nine was a six, and propose it."""
    page.keyboard.press("e")
    player = dialog(page).get_by_label("Player", exact=True)
    expect(player).to_be_focused()
    player.fill("KS 6H")
    player.press("Tab")
    dialog(page).get_by_text("Misread result").click()
    dialog(page).get_by_label("What happened").fill("The six was read as a nine.")
    dialog(page).get_by_label("Evidence").fill("cam 3 03:00:12")
    dialog(page).get_by_role("button", name="Preview").click()
    expect(dialog(page)).to_contain_text("A second person must approve: pit manager")
    dialog(page).get_by_role("button", name="Propose").click()
    expect(page.get_by_text("“Edit result” is proposed.")).to_be_visible()


def test_a_misread_card_is_put_right_with_a_second_person_and_not_by_the_proposer(
    house: House, open_as: Open
) -> None:
    ticket = house.play(PLAYER_WINS, ("player", "100"))
    house.policy(currency="USD", net_change=10_000)
    other = create_person(
        name="manager-2", role="pit_manager", password=PASSWORD, actor=house.system, reason=REASON
    )
    mine = open_as(house.manager, "/admin/rounds/bac-01-1-1/")
    propose_edit(mine)
    expect(mine.get_by_role("region", name="Waits for approval")).to_contain_text(
        "Proposed by manager"
    )
    mine.keyboard.press("a")
    expect(dialog(mine)).to_contain_text("Somebody else has to approve it")
    expect(dialog(mine).get_by_role("button", name="Approve")).to_have_count(0)
    proposal = ticket.round.proposals.get()
    refused = mine.request.post(
        f"/admin/approvals/{proposal.pk}/",
        form={"verdict": "approve", "csrfmiddlewaretoken": token(mine)},
        headers={"Referer": mine.url},
    )
    assert refused.status == 403
    assert "Nobody approves what they proposed themselves." in refused.text()
    assert ticket.round.rulings.count() == 0

    theirs = open_as(other, "/admin/approvals/")
    expect(theirs.get_by_role("region", name="Waiting for you")).to_contain_text("-200.00 USD")
    theirs.keyboard.press("a")
    expect(dialog(theirs)).to_contain_text("Banker 7 beats Player 6")
    dialog(theirs).get_by_label("Your note").fill("Seen it too.")
    dialog(theirs).get_by_label("Your note").press("Control+Enter")
    expect(theirs.get_by_text("is approved and carried out.")).to_be_visible()
    house.settle()
    assert house.paid(ticket) == 0
    ruling = ticket.round.rulings.get()
    assert (ruling.ruled_by, ruling.approved_by) == (house.manager, other)


def token(page: Page) -> str:
    return page.locator("dialog[open] input[name=csrfmiddlewaretoken]").input_value()


def test_a_table_is_stopped_in_mid_betting_and_every_open_page_says_so(
    house: House, open_as: Open
) -> None:
    house.hand()
    watching = open_as(house.supervisor, "/admin/floor/", hurried=True)
    page = open_as(house.manager, "/admin/stops/throw/?what=table:bac-01")
    page.get_by_label("Reason").fill("Camera 3 is dark.")
    page.get_by_role("button", name="Stop betting now").click()
    told = "Betting is stopped for table bac-01: Camera 3 is dark."
    expect(page.locator("#pb-stops")).to_contain_text(told)
    expect(watching.locator("#pb-stops")).to_contain_text(told)
    expect(watching.locator("#table-bac-01")).to_contain_text("Betting stopped. Camera 3 is dark.")
