"""What if and the paytables in the browser: typed, pressed, sent on, and never cut off."""

from __future__ import annotations

import re
from threading import Event
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from casino.pages import edges
from games.rulebook import Game
from games.theory import edges as work_out
from tests.e2e.conftest import NARROW, Open
from tests.house import House


def test_the_answer_follows_the_keyboard(house: House, open_as: Open) -> None:
    page = open_as(house.supervisor, "/admin/whatif/?game=club-b/super_98")
    page.evaluate("window.still = true")
    page.get_by_label("Player", exact=True).focus()
    page.keyboard.type("ks9h")
    page.keyboard.press("Tab")
    page.keyboard.type("7d 9c")
    page.keyboard.press("Tab")
    page.keyboard.type("9")
    expect(page.locator("#whatif-reading")).to_contain_text("Player 9 beats Banker 6")
    page.locator("body").click(position={"x": 5, "y": 5})
    page.keyboard.press("b")
    page.keyboard.type("Player")
    said = page.locator("#whatif-said-1")
    expect(said).to_contain_text("205.00 USD")
    expect(said).to_contain_text("Super hand: Player wins on a natural")
    page.keyboard.press("Tab")
    page.keyboard.type("10.505")
    expect(said).to_contain_text("more decimal places than USD has (2)")
    assert page.evaluate("window.still")


def test_another_bet_and_another_game_bring_their_fields_and_the_address_is_sent_on(
    house: House, open_as: Open
) -> None:
    page = open_as(house.supervisor, "/admin/whatif/?game=club-b/sic_bo&dice=4+4+2")
    page.locator("#whatif-bet-1").select_option("Specific Double")
    expect(page.locator("#whatif-said-1")).to_contain_text("needs a selection")
    page.locator("#whatif-selection-1").select_option("4")
    expect(page.locator("#whatif-said-1")).to_contain_text("900.00 USD")
    page.locator("#whatif-bet-1").select_option("Even")
    expect(page.locator("#whatif-selection-1")).to_have_count(0)
    expect(page.locator("#whatif-said-1")).to_contain_text("200.00 USD")
    page.get_by_label("Book and game").select_option("club-b/roulette")
    expect(page.get_by_label("Number", exact=True)).to_be_visible()
    expect(page.locator("#whatif-bet-1")).to_have_value("even")
    page.get_by_role("button", name="17", exact=True).click()
    page.locator("#whatif-bet-1").select_option("Straight Up")
    page.locator("#whatif-selection-1").select_option("17")
    expect(page.locator("#whatif-said-1")).to_contain_text("3,600.00 USD")
    page.wait_for_url("**/admin/whatif/?game=club-b/roulette&number=17&bet=straight*")
    other = open_as(house.compliance, page.url.removeprefix(page.url.split("/admin")[0]))
    expect(other.locator("#whatif-said-1")).to_contain_text("3,600.00 USD")
    expect(other.locator("#whatif-reading")).to_contain_text("17 black")


def test_a_dealt_round_can_be_turned_into_data_and_back(house: House, open_as: Open) -> None:
    page = open_as(house.supervisor, "/admin/whatif/?game=club-b/three_pictures")
    page.keyboard.press("d")
    expect(page.locator("#whatif-reading")).to_contain_text("; Dealer")
    dealt = page.get_by_label("Player 1", exact=True).input_value()
    assert len(dealt.split()) == 3
    page.get_by_role("button", name="As data").click()
    cards = ", ".join(f'"{card}"' for card in dealt.split())
    expect(page.get_by_label("Outcome as JSON")).to_have_value(re.compile(re.escape(cards)))
    page.get_by_role("button", name="At the table").click()
    expect(page.get_by_label("Player 1", exact=True)).to_have_value(dealt)


def test_house_edges_appear_by_themselves(
    house: House, open_as: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = Event()

    def slowly(game: Game) -> Any:
        assert ready.wait(60)
        return work_out(game)

    monkeypatch.setattr(edges, "edges", slowly)
    monkeypatch.setattr(edges, "_ASKED", {})
    page = open_as(house.supervisor, "/admin/paytables/club-b/sic_bo/", hurried=True)
    expect(page.locator("#any_triple")).to_contain_text("computing…")
    ready.set()
    expect(page.locator("#any_triple")).to_contain_text("30.555556 % = 11/36")
    expect(page.get_by_text("Specific Total 8 and 13 come equally often")).to_be_visible()


def test_a_comparison_follows_its_choice(house: House, open_as: Open) -> None:
    path = "/admin/paytables/compare/?one=club-a/sic_bo&other=club-b/sic_bo"
    page = open_as(house.supervisor, path)
    expect(page.get_by_text("9 bets alike, 1 differs")).to_be_visible()
    page.get_by_label("Only what differs").check()
    expect(page.locator("#specific_total")).to_be_visible()
    expect(page.locator("#small")).to_have_count(0)
    page.get_by_label("Beside").select_option("euro/sic_bo")
    expect(page.locator("#small")).to_contain_text("Not with Big")
    assert page.url.endswith("other=euro%2Fsic_bo&only=differences")


def test_nothing_is_cut_off_on_a_narrow_screen(house: House, open_as: Open) -> None:
    page = open_as(house.supervisor, size=NARROW)
    for path in (
        "/admin/paytables/",
        "/admin/paytables/club-a/super_roulette/",
        "/admin/paytables/compare/?one=club-a/sic_bo&other=club-b/sic_bo",
        "/admin/whatif/?game=club-a/super_roulette&number=17&bet=straight&selection=17&stake=100",
        "/admin/whatif/?game=club-b/blackjack&dealer=9H+8D&box1=8S+3D+/+8H+TS",
    ):
        page.goto(path)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= NARROW["width"], path


def test_it_works_without_a_script(
    house: House, open_as: Open, browser: Browser, live_server: Any
) -> None:
    signed_in = open_as(house.supervisor).context
    plain = browser.new_context(
        base_url=live_server.url,
        java_script_enabled=False,
        storage_state=signed_in.storage_state(),
    )
    page = plain.new_page()
    page.goto("/admin/whatif/?game=club-b/roulette&number=17")
    page.locator("#whatif-bet-1").select_option("Straight Up")
    page.get_by_role("button", name="Answer").click()
    expect(page.locator("#whatif-said-1")).to_contain_text("needs a selection")
    page.locator("#whatif-selection-1").select_option("17")
    page.get_by_role("button", name="Answer").click()
    expect(page.locator("#whatif-said-1")).to_contain_text("3,600.00 USD")
    plain.close()
