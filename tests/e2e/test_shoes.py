"""A shoe is voided in the browser: two settled hands are named, a second person approves."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from casino.models import Round
from casino.services.setup import create_person
from tests.e2e.conftest import Open
from tests.house import PASSWORD, PLAYER_WINS, REASON, House


def dialog(page: Page) -> Page:
    return page.get_by_role("dialog")


def test_a_shoe_is_voided_with_two_settled_hands_and_a_second_person(
    house: House, open_as: Open
) -> None:
    tickets = [house.play(PLAYER_WINS, ("player", "100")) for _ in range(3)]
    running = house.ticket(house.hand(), ("player", "100"))
    house.policy(kind="void_shoe")
    other = create_person(
        name="manager-2", role="pit_manager", password=PASSWORD, actor=house.system, reason=REASON
    )
    mine = open_as(house.manager, "/admin/tables/bac-01/shoes/1/")
    expect(mine.get_by_role("heading", name="bac-01 shoe 1 Open")).to_be_visible()
    mine.keyboard.press("v")
    expect(dialog(mine).get_by_label("Hand 4")).to_be_disabled()
    expect(dialog(mine).get_by_label("Hand 3")).to_be_focused()
    dialog(mine).get_by_label("Hand 1").check()
    dialog(mine).get_by_label("Hand 3").check()
    dialog(mine).get_by_text("Commencement error").click()
    dialog(mine).get_by_label("What happened").fill("Nine cards were skipped, not ten.")
    dialog(mine).get_by_label("Evidence").fill("cam 3 03:00:12")
    dialog(mine).get_by_role("button", name="Close").focus()
    mine.keyboard.press("Control+Enter")
    expect(dialog(mine)).to_contain_text("A second person must approve: pit manager")
    told = dialog(mine).get_by_role("region", name="Hands that become void")
    expect(told.get_by_role("row")).to_have_count(4)
    dialog(mine).get_by_role("button", name="Propose").click()
    expect(mine.get_by_text("“Void shoe” is proposed.")).to_be_visible()

    theirs = open_as(other, "/admin/approvals/")
    expect(theirs.get_by_role("region", name="Waiting for you")).to_contain_text("bac-01-1")
    theirs.keyboard.press("a")
    dialog(theirs).get_by_role("button", name="Approve").click()
    expect(theirs.get_by_text("is approved and carried out.")).to_be_visible()
    house.settle()
    assert [house.paid(ticket) for ticket in tickets] == [10_000, 20_000, 10_000]
    assert house.paid(running) == 10_000
    expect(mine.get_by_role("heading", name="bac-01 shoe 1 Void")).to_be_visible()
    assert Round.objects.filter(phase="void").count() == 3
