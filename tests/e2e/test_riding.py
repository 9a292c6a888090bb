"""A whole hand of 3 Pictures dealt in reverse is put right; Super Fan Tan rides along."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.e2e.conftest import Open
from tests.floor.test_riding import DEALT, Pair
from tests.house import House


def dialog(page: Page) -> Page:
    return page.get_by_role("dialog")


def test_two_hands_are_swapped_and_then_void_with_fan_tan_following(
    house: House, open_as: Open
) -> None:
    pair = Pair(house)
    first, third = (
        house.ticket(pair.pictures, ("win", f"player{box}", "100"), player=f"p-{box}")
        for box in (1, 3)
    )
    pair.result(DEALT)
    before = house.paid(first), house.paid(third)
    fan = pair.paid()
    assert before[0] != before[1]
    page = open_as(house.manager, f"/admin/rounds/{pair.pictures.key}/")
    expect(page.get_by_text(f"{pair.fan.key} takes its cards from this round")).to_be_visible()

    page.get_by_role("button", name="Swap Player 1 and Player 3").click()
    dialog(page).get_by_text("Reverse dealing").click()
    dialog(page).get_by_label("What happened").fill("Dealt from the wrong side.")
    dialog(page).get_by_label("Evidence").fill("cam 3 03:00:12")
    dialog(page).get_by_role("button", name="Preview").click()
    dialog(page).get_by_role("button", name="Swap").last.click()
    expect(page.get_by_role("heading", name="2. Player 1 and Player 3 swapped")).to_be_visible()
    house.settle()
    assert (house.paid(first), house.paid(third)) == before[::-1]
    assert pair.paid() == fan

    page.get_by_role("button", name="Void round").click()
    dialog(page).get_by_text("Management decides").or_(
        dialog(page).get_by_text("Management discretion")
    ).first.click()
    dialog(page).get_by_label("What happened").fill("The shuffler jammed before.")
    dialog(page).get_by_label("Evidence").fill("cam 3 03:04:00")
    dialog(page).get_by_role("button", name="Preview").click()
    expect(dialog(page)).to_contain_text(f"Round {pair.fan.key} rides on this one and follows it")
    dialog(page).get_by_role("button", name="Void round now").click()
    expect(page.get_by_role("heading", name="3. Void")).to_be_visible()
    house.settle()
    assert pair.paid() == (10_000, 10_000)
    assert (house.paid(first), house.paid(third)) == (10_000, 10_000)
