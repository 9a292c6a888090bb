"""The paytables: what their books say of every bet, and where two books differ."""

from __future__ import annotations

import doctest
from threading import Event
from typing import Any

import pytest
from django.urls import reverse

from casino.pages import edges, entry, paytables
from casino.pages import printed as in_words
from casino.pages.printed import Printed, drawn_odds, known, printed
from games.rulebook import Game, Result, Wager, book, books
from games.theory import edges as work_out
from tests.house import House
from tests.web.browsing import Visitor, text
from tests.web.counting import nothing_written, queries

NOT_PRINTED = "The document does not print how super payouts are drawn."


def every_game() -> list[Game]:
    return [game for edition in books().values() for game in edition.games.values()]


@pytest.fixture
def visitor(house: House) -> Visitor:
    return Visitor(house.supervisor)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for house edges as long as they take."""
    monkeypatch.setattr(edges, "PATIENCE", 60)


@pytest.fixture
def without_edges(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the house edges out, where the words are what counts."""
    monkeypatch.setattr(paytables, "edges_soon", lambda game: None)


def told(code: str, game: str, bet: str, *, priced: bool = False) -> Printed:
    """A bet in words, with or without its house edges."""
    here = book(code).game(game)
    return printed(known(here, work_out(here) if priced else None), bet)


def beside(one: str, other: str, **more: str) -> dict[str, str]:
    return {"one": one, "other": other, **more}


# The shelf


def test_the_shelf_leads_to_every_game_of_every_book(visitor: Visitor) -> None:
    page = visitor.get("paytables").content.decode()
    for game in every_game():
        assert f'href="{reverse("admin:paytable", args=[game.book, game.code])}"' in page


def test_the_shelf_counts_what_the_documents_do_not_print(visitor: Visitor) -> None:
    for row in visitor.get("paytables").context_data["rows"]:
        for cell, edition in zip(row["cells"], books().values(), strict=True):
            game = edition.games.get(next(c for c, g in _titles() if g == row["title"]))
            assert (cell is None) == (game is None)
            if game is not None:
                outside = [bet for bet in game.bets.values() if not bet.in_document]
                assert (cell["bets"], cell["unprinted"]) == (len(game.bets), len(outside))


def _titles() -> list[tuple[str, str]]:
    return [(game.code, game.title) for game in every_game()]


# A paytable


def test_a_paytable_says_of_every_bet_what_its_book_says(
    visitor: Visitor, without_edges: None
) -> None:
    for game in every_game():
        said = text(visitor.get("paytable", game.book, game.code))
        for bet in game.bets.values():
            assert f"{bet.title} {bet.condition}" in said
            assert bet.source in said
            assert bet.note in said
            for rung in bet.ladder:
                assert rung.result != Result.WIN or rung.returns is None or rung.odds in said
            if bet.window:
                assert f"Hands 1 to {bet.window} of a shoe" in said
            if bet.limit:
                assert f"Limit {bet.limit} × the straight-up maximum" in said


def test_bets_stand_in_printed_order_each_at_its_anchor(
    visitor: Visitor, without_edges: None
) -> None:
    game = book("club-b").game("super_98")
    page = visitor.get("paytable", "club-b", "super_98").content.decode()
    places = [page.index(f'<tr id="{code}">') for code in game.bets]
    assert places == sorted(places)


def test_a_paytable_names_edition_digest_and_decks(visitor: Visitor, without_edges: None) -> None:
    game = book("euro").game("baccarat")
    said = text(visitor.get("paytable", "euro", "baccarat"))
    assert "Euro, edition 1 · printed at 004 L328-522 · 3 bets · 8 decks" in said
    assert game.digest in said
    assert book("euro").digest in said


def test_a_limit_on_coverage_is_told(visitor: Visitor, without_edges: None) -> None:
    assert "one player may cover 34 numbers" in text(visitor.get("paytable", "euro", "roulette"))


def test_what_the_document_does_not_print_is_marked_with_its_note(
    visitor: Visitor, without_edges: None
) -> None:
    said = text(visitor.get("paytable", "club-a", "seven_up"))
    assert "4 of them not in the document" in said
    assert (
        "Both totals are equal. B-5: the pay table is lost; value of document 001. "
        "Tie on 7 9:1 Tie 7:1" in said
    )


def test_grounds_are_listed_with_what_they_allow_and_their_clause(
    visitor: Visitor, without_edges: None
) -> None:
    for game in every_game():
        said = text(visitor.get("paytable", game.book, game.code))
        for ground in game.grounds.values():
            allowed = " ".join(paytables.ACTION_WORDS[action] for action in ground.actions)
            assert f"{allowed} {ground.clause} {ground.source}" in said


def test_the_house_edge_stands_beside_what_is_paid(visitor: Visitor, patient: None) -> None:
    said = text(visitor.get("paytable", "asia", "roulette"))
    assert "17:1 2.702703 % = 1/37 wins 5.4054 %" in said


def test_an_edge_that_nobody_can_state_says_why(visitor: Visitor, patient: None) -> None:
    said = text(visitor.get("paytable", "club-a", "super_roulette"))
    assert f"no figure wins 2.7027 % {NOT_PRINTED}" in said


def test_like_treated_unlike_is_flagged(visitor: Visitor, patient: None) -> None:
    """R-3: 001 pays total 13 as printed, 6:1, where 8 pays 8:1."""
    page = visitor.get("paytable", "club-b", "sic_bo")
    said = text(page)
    assert "Specific Total 8 and 13 come equally often, but 8 pays 8:1 and 13 pays 6:1." in said
    assert "13 6:1 31.944444 % = 23/72 ≠ treated unlike its like" in said
    assert page.content.decode().count('class="pb-flag"') == 2
    assert "≠" not in text(visitor.get("paytable", "club-a", "sic_bo"))


def test_a_page_does_not_wait_for_edges_that_take_long(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = Event()

    def slowly(game: Game) -> Any:
        assert ready.wait(60)
        return work_out(game)

    monkeypatch.setattr(edges, "edges", slowly)
    monkeypatch.setattr(edges, "_ASKED", {})
    monkeypatch.setattr(edges, "PATIENCE", 0)
    page = visitor.get("paytable", "asia", "roulette")
    assert "House edges are being worked out" in text(page)
    assert "17:1 computing…" in text(page)
    assert 'hx-trigger="load delay:1s"' in page.content.decode()
    ready.set()
    monkeypatch.setattr(edges, "PATIENCE", 60)
    page = visitor.get("paytable", "asia", "roulette")
    assert "computing…" not in text(page)
    assert "load delay:1s" not in page.content.decode()


def test_edges_are_asked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def count(game: Game) -> Any:
        asked.append(game.code)
        return ()

    monkeypatch.setattr(edges, "edges", count)
    monkeypatch.setattr(edges, "_ASKED", {})
    monkeypatch.setattr(edges, "PATIENCE", 60)
    game = book("asia").game("roulette")
    assert (edges.edges_soon(game), edges.edges_soon(game)) == ((), ())
    assert asked == ["roulette"]


@pytest.mark.parametrize(
    "place", [("club-z", "sic_bo"), ("club-b", "poker"), ("club-b", "no_commission_baccarat")]
)
def test_a_game_that_is_in_no_book_is_not_found(visitor: Visitor, place: tuple[str, str]) -> None:
    assert visitor.get("paytable", *place).status_code == 404


def test_an_edition_that_was_never_published_is_not_found(visitor: Visitor) -> None:
    assert visitor.get("paytable", "club-b", "sic_bo", edition="99").status_code == 404
    assert visitor.get("paytable", "club-b", "sic_bo", edition="1").status_code == 200


# A bet in words


def test_selections_that_pay_and_cost_alike_stand_together() -> None:
    groups = told("club-b", "sic_bo", "specific_total", priced=True).groups
    assert [
        ([choice.label for choice in group.choices], group.steps[0].pays) for group in groups
    ] == [
        (["4", "17"], "50:1"),
        (["5", "16"], "18:1"),
        (["6", "15"], "14:1"),
        (["7", "14"], "12:1"),
        (["8"], "8:1"),
        (["9", "12"], "6:1"),
        (["10", "11"], "6:1"),
        (["13"], "6:1"),
    ]


def test_a_selection_says_what_wins_on_it_where_its_name_does_not() -> None:
    [first, *_] = told("club-b", "super_color_sic_bo", "zodiac").groups
    assert [(choice.label, choice.words) for choice in first.choices] == [
        ("Rat", "Total from 3 to 8"),
        ("Pig", "Total from 31 to 36"),
    ]


def test_a_ladder_shared_by_hands_is_told_once() -> None:
    [group] = told("club-b", "three_pictures", "win").groups
    assert [choice.label for choice in group.choices] == ["Player 1", "Player 2", "Player 3"]
    assert [(step.words, step.pays) for step in group.steps] == [
        ("Player … beats Dealer on a six", "1:2"),
        ("Player … beats Dealer", "1:1"),
        ("Player … and Dealer tie", "stake back"),
    ]


def test_an_announced_bet_tells_where_its_chips_lie() -> None:
    [group] = told("club-b", "roulette", "voisins").groups
    assert [(step.words, step.pays) for step in group.steps][-2:] == [
        ("2 chips on Street 0-2-3", "11:1"),
        ("2 chips on Corner 25-26-28-29", "8:1"),
    ]
    [group] = told("club-b", "roulette", "neighbors").groups
    assert [(step.words, step.pays) for step in group.steps] == [("5 chips on Straight Up", "35:1")]


def test_drawn_odds_are_told_as_a_range() -> None:
    roulette = book("club-a").game("super_roulette")
    assert drawn_odds(roulette, Wager("straight", "17")) == ("49:1", "499:1")
    [group] = told("club-a", "super_roulette", "straight").groups
    assert [step.pays for step in group.steps] == ["49:1 to 499:1", "29:1"]


def test_what_a_void_hand_pays_all_the_same_is_told() -> None:
    for game in every_game():
        for bet in game.bets.values():
            for group in printed(known(game, None), bet.code).groups:
                for step, rung in zip(
                    group.steps, bet.rungs.get(bet.selections[0], ()), strict=False
                ):
                    assert bool(step.survives) == bool(rung.survives)


def test_terms_name_prerequisites_and_prohibitions() -> None:
    assert told("club-b", "seven_up", "super_7s").terms == {
        "window": "Hands 1 to 35 of a shoe",
        "prerequisite": "Only with Player, Banker or Tie",
    }
    assert told("euro", "sic_bo", "odd").terms == {"prohibited": "Not with Even"}


def test_the_examples_in_docstrings_are_true() -> None:
    for module in (in_words, entry):
        assert doctest.testmod(module).attempted
        assert not doctest.testmod(module).failed


# Side by side


def test_two_books_stand_side_by_side(visitor: Visitor, patient: None) -> None:
    page = visitor.get("paytable_compare", **beside("club-a/sic_bo", "club-b/sic_bo"))
    assert "Sic Bo: Club A beside Club B 9 bets alike, 1 differs" in text(page)
    marks = {row["code"]: row["marks"] for row in page.context_data["rows"]}
    assert marks.pop("specific_total") == ["odds", "house edge"]
    assert not any(marks.values())
    assert page.content.decode().count("<mark>13</mark>") == 2


def test_windows_are_compared(visitor: Visitor, without_edges: None) -> None:
    """C-4, C-5: odds and windows of one game are per document."""
    page = visitor.get("paytable_compare", **beside("club-a/super_98", "club-b/super_98"))
    marks = {row["code"]: row["marks"] for row in page.context_data["rows"]}
    assert marks["player"] == []
    assert marks["player_pair"] == ["window"]
    assert marks["big"] == ["odds", "window"]
    assert "<mark>Hands 1 to 30 of a shoe</mark>" in page.content.decode()


def test_a_bet_of_one_book_alone_is_named(visitor: Visitor, patient: None) -> None:
    page = visitor.get("paytable_compare", **beside("asia/roulette", "club-b/roulette"))
    marks = {row["code"]: row["marks"] for row in page.context_data["rows"]}
    assert marks["voisins"] == ["only in Club B"]
    assert marks["triple"] == ["only in Asia"]
    assert marks["street"] == ["selections", "limit"]
    assert page.content.decode().count("<mark>0-1-2</mark>") == 1
    assert "no such bet" in text(page)


def test_only_what_differs_is_shown_if_asked(visitor: Visitor, patient: None) -> None:
    sides = beside("club-a/sic_bo", "club-b/sic_bo", only="differences")
    page = visitor.get("paytable_compare", **sides)
    assert [row["code"] for row in page.context_data["rows"]] == ["specific_total"]
    same = beside("club-a/sic_bo", "club-a/sic_bo", only="differences")
    assert "Nothing differs" in text(visitor.get("paytable_compare", **same))


def test_without_two_games_there_is_a_choice(visitor: Visitor) -> None:
    assert "Choose two games" in text(visitor.get("paytable_compare"))
    assert "Choose two games" in text(visitor.get("paytable_compare", one="asia/roulette"))


def test_a_comparison_with_nothing_is_not_found(visitor: Visitor) -> None:
    sides = beside("club-a/sic_bo", "club-b/poker")
    assert visitor.get("paytable_compare", **sides).status_code == 404


# What it costs


def test_more_tables_take_no_more_queries(
    house: House, visitor: Visitor, without_edges: None
) -> None:
    def ask() -> list[int]:
        return [
            queries(lambda: visitor.get("paytables")),
            queries(lambda: visitor.get("paytable", "asia", "roulette")),
            queries(lambda: visitor.get("paytable_compare")),
        ]

    house.table("bac-01")
    few = ask()
    for number in range(2, 7):
        house.table(f"bac-{number:02d}")
    assert ask() == few
    assert len(set(few)) == 1, "beyond the frame, the books need no database"


def test_looking_writes_nothing(visitor: Visitor, without_edges: None) -> None:
    with nothing_written():
        visitor.get("paytable", "asia", "roulette")
