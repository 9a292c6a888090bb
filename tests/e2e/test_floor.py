"""The floor in the browser: it shows what the tables do, by itself, and leads to them."""

from __future__ import annotations

from playwright.sync_api import expect

from casino.models import Incident
from tests.e2e.conftest import NARROW, Open
from tests.house import PLAYER_WINS, WRONG_THIRD_CARD, House


def test_the_floor_follows_a_hand_without_being_loaded_again(house: House, open_as: Open) -> None:
    round = house.hand()
    page = open_as(house.supervisor, "/admin/floor/", hurried=True)
    card = page.locator("#table-bac-01")
    expect(card).to_contain_text("Betting")
    page.evaluate("window.still = true")
    page.locator("#to-bac-01").focus()
    house.ticket(round, ("player", "123.45"))
    house.close(round)
    expect(card).to_contain_text("No more bets")
    expect(card).to_contain_text("123.45")
    house.result(round, PLAYER_WINS)
    house.settle()
    expect(card).to_contain_text("Player 9 beats Banker 7")
    for picture in ("Player: king of spades, nine of hearts", "Bead plate: 1 hand, Player 1"):
        expect(card.get_by_role("img", name=picture)).to_be_visible()
    expect(card).to_contain_text("nothing staked")
    expect(page.locator("#to-bac-01")).to_be_focused()
    assert page.evaluate("window.still")
    # A hand on hold becomes loud, and leads to where it is decided.
    expect(page.get_by_text("Needs a decision", exact=True).last).not_to_be_visible()
    house.result(house.hand(), WRONG_THIRD_CARD)
    page.get_by_role("link", name="bac-01 hand 2").click()
    expect(page.get_by_role("heading", name="Wrong card Open")).to_contain_text("On hold")


def test_narrowing_keeps_focus_and_address_and_the_keyboard_leads_to_a_table_and_its_hand(
    house: House, open_as: Open
) -> None:
    house.hand("bac-01")
    house.table("bac-02")
    page = open_as(house.supervisor, "/admin/floor/", hurried=True)
    page.get_by_label("State").focus()
    page.get_by_label("State").select_option("Betting")
    expect(page.locator("#table-bac-02")).to_have_count(0)
    expect(page.locator("#table-bac-01")).to_be_visible()
    expect(page.get_by_label("State")).to_be_focused()
    assert page.url.endswith("state=betting")
    house.hand("bac-02")
    expect(page.locator("#table-bac-02")).to_be_visible()
    page.locator("#to-bac-01").focus()
    page.keyboard.press("g")
    page.keyboard.type("02")
    page.keyboard.press("Enter")
    page.wait_for_url("**/admin/tables/bac-02/")
    page.keyboard.press("o")
    page.wait_for_url("**/admin/rounds/bac-02-1-1/")


def test_a_page_whose_session_ended_goes_to_the_sign_in(house: House, open_as: Open) -> None:
    page = open_as(house.supervisor, "/admin/floor/", hurried=True)
    page.context.clear_cookies()
    page.wait_for_url("**/admin/login/?next=/admin/floor/")


def test_nothing_is_cut_off_on_a_narrow_screen(house: House, open_as: Open) -> None:
    ticket = house.play(PLAYER_WINS, ("player", "10"))
    house.result(house.hand(), WRONG_THIRD_CARD)
    house.void(ticket.round)
    incident = f"/admin/incidents/{Incident.objects.get().pk}/"
    page = open_as(house.manager, size=NARROW)
    for path in ("/admin/floor/", "/admin/tables/bac-01/", "/admin/rounds/bac-01-1-1/", incident):
        page.goto(path)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= NARROW["width"], path


def test_no_cell_of_a_list_runs_into_the_next_on_a_narrow_screen(
    house: House, open_as: Open
) -> None:
    house.play(PLAYER_WINS, ("player", "10"), reference="r" * 64)
    wider = "cells => cells.filter(cell => cell.scrollWidth > cell.clientWidth).length"
    page = open_as(house.manager, size=NARROW)
    for name in ("tickets", "postings", "round-list"):
        page.goto(f"/admin/{name}/")
        assert page.locator("tbody tr").count(), name
        cells = page.locator(".pb-cards tbody :is(th, td)")
        assert cells.evaluate_all(wider) == 0, name
