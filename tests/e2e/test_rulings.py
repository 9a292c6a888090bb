"""Ruling in the browser: void a hand, put a misread card right, run into another ruling."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.e2e.conftest import NARROW, Open
from tests.house import BANKER_WINS, PASSWORD, PLAYER_WINS, WRONG_THIRD_CARD, House


def dialog(page: Page) -> Page:
    return page.get_by_role("dialog")


def test_a_newcomer_voids_a_hand_from_the_floor(house: House, open_as: Open) -> None:
    """Sign in, table, hand, void, ground, note, evidence, preview, confirm: nothing else."""
    ticket = house.play(PLAYER_WINS, ("player", "100"))
    page = open_as(None, "/", hurried=True)
    page.locator("#id_username").fill("manager")
    page.locator("#id_password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_role("link", name="bac-01").first.click()
    page.get_by_role("link", name="Hand 1", exact=True).click()
    page.get_by_role("button", name="Void hand").click()
    dialog(page).get_by_text("Exposed card").click()
    dialog(page).get_by_label("What happened").fill("The third card was seen too early.")
    dialog(page).get_by_label("Evidence").fill("cam 3 03:00:12")
    dialog(page).get_by_role("button", name="Preview").click()
    expect(dialog(page)).to_contain_text("Player 9 beats Banker 7")
    expect(dialog(page)).to_contain_text("Void: exposed card")
    expect(dialog(page)).to_contain_text("-100.00 USD")
    dialog(page).get_by_role("button", name="Void hand now").click()
    expect(page.get_by_text("Hand 1 is void. Tickets that change: 1.")).to_be_visible()
    expect(page.get_by_text("Settling…")).to_be_visible()
    house.settle()
    expect(page.get_by_text("Settling…")).not_to_be_visible()
    expect(page.get_by_role("row", name="No. 2 Void")).to_contain_text("-100.00 USD")
    assert house.paid(ticket) == 10_000


def test_a_misread_card_is_put_right_with_the_keyboard_alone(house: House, open_as: Open) -> None:
    ticket = house.play(PLAYER_WINS, ("player", "100"))
    page = open_as(house.manager, "/admin/rounds/bac-01-1-1/")
    page.keyboard.press("e")
    player = dialog(page).get_by_label("Player", exact=True)
    expect(player).to_be_focused()
    expect(player).to_have_value("KS 9H")
    player.press("Control+a")
    page.keyboard.type("ks6h")
    page.keyboard.press("Tab")
    expect(dialog(page)).to_contain_text("By the rules: Banker 7 beats Player 6")
    dialog(page).get_by_label("Misread result").press("Space")
    dialog(page).get_by_label("What happened").focus()
    page.keyboard.type("The six was read as a nine.")
    page.keyboard.press("Tab")
    page.keyboard.type("cam 3 03:00:12")
    page.keyboard.down("Control")
    page.keyboard.down("Enter")
    expect(dialog(page)).to_contain_text("-200.00 USD")
    expect(page.locator(".pb-preview")).to_be_focused()
    page.keyboard.down("Enter")
    assert not page.locator(".htmx-request").count(), "a key held down confirms nothing"
    page.keyboard.up("Enter")
    page.keyboard.up("Control")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="2. Edited result")).to_be_visible()
    house.settle()
    assert house.paid(ticket) == 0


def test_cards_are_picked_with_the_mouse(house: House, open_as: Open) -> None:
    house.result(house.hand(), WRONG_THIRD_CARD)
    page = open_as(house.manager, "/admin/rounds/bac-01-1-1/")
    answers = page.get_by_role("group", name="Answers to wrong card")
    answers.get_by_role("button", name="Edit result").click()
    expect(dialog(page)).to_contain_text("Player drew a third card on 6.")
    dialog(page).get_by_label("Player", exact=True).click()
    dialog(page).get_by_role("button", name="Take last card back").click()
    expect(dialog(page)).to_contain_text("By the rules: Banker 7 beats Player 6")
    dialog(page).get_by_role("button", name="Take last card back").click()
    dialog(page).get_by_role("button", name="nine of hearts").click()
    expect(dialog(page)).to_contain_text("By the rules: Player 9 beats Banker 7")


def test_another_ruling_in_between_is_told_nothing_typed_is_lost_and_a_double_click_rules_once(
    house: House, open_as: Open
) -> None:
    ticket = house.play(PLAYER_WINS, ("player", "100"))
    page = open_as(house.manager, "/admin/rounds/bac-01-1-1/")
    page.keyboard.press("v")
    dialog(page).get_by_text("Exposed card").click()
    dialog(page).get_by_label("What happened").fill("A long and careful account.")
    dialog(page).get_by_label("Evidence").fill("cam 3 03:00:12")
    dialog(page).get_by_role("button", name="Preview").click()
    expect(dialog(page)).to_contain_text("Tickets that change")
    edit = house.edit(ticket.round, BANKER_WINS)
    dialog(page).get_by_role("button", name="Void hand now").click()
    told = dialog(page).get_by_role("alert")
    expect(told).to_contain_text("Nothing of yours was carried out.")
    expect(told).to_be_focused()
    expect(told).to_be_in_viewport()
    expect(dialog(page)).to_contain_text("now it is “Banker 7 beats Player 6”")
    expect(dialog(page).get_by_label("What happened")).to_have_value("A long and careful account.")
    dialog(page).get_by_role("button", name="Preview").click()
    expect(dialog(page)).to_contain_text("+100.00 USD")
    dialog(page).get_by_role("button", name="Void hand now").dblclick()
    expect(page.get_by_text("Hand 1 is void.")).to_be_visible()
    assert ticket.round.rulings.exclude(pk=edit.pk).count() == 1
    house.settle()
    assert house.deltas(ticket) == [20_000, -20_000, 10_000]


def test_a_ruling_that_is_not_possible_cannot_be_pressed(house: House, open_as: Open) -> None:
    house.play(PLAYER_WINS, ("player", "100"))
    page = open_as(house.supervisor, "/admin/rounds/bac-01-1-1/")
    button = page.get_by_role("button", name="Void hand")
    expect(button).to_have_attribute("aria-disabled", "true")
    button.click(force=True)
    page.keyboard.press("v")
    expect(dialog(page)).to_have_count(0)
    expect(page.get_by_text("Pit supervisor may not do this")).to_be_visible()


def test_on_a_narrow_screen_a_ruling_fits_what_is_refused_stays_typed_and_escape_closes(
    house: House, open_as: Open
) -> None:
    house.play(PLAYER_WINS, ("player", "100"))
    page = open_as(house.manager, "/admin/rounds/bac-01-1-1/", size=NARROW)
    page.get_by_role("button", name="Edit result").click()
    for name in ("Preview", "Cancel", "ten of diamonds"):
        box = dialog(page).get_by_role("button", name=name).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= NARROW["width"]
    dialog(page).get_by_text("Misread result").click()
    dialog(page).get_by_label("What happened").fill("Seen.")
    dialog(page).get_by_label("Evidence").fill("cam 3")
    dialog(page).get_by_role("button", name="Preview").click()
    expect(dialog(page)).to_contain_text("These are the cards that are recorded already.")
    expect(dialog(page).get_by_label("What happened")).to_have_value("Seen.")
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)
