"""What a book must be: complete, consistent and never changed once published."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from games.families import names
from games.incidents import GROUNDS, BookError
from games.loading import SHELF, load_book, load_shelf
from games.lock import LOCK, lock_text
from games.refusals import Refused
from games.rulebook import Game, Result, book, books

BLOCKS = tomllib.loads((SHELF / "common.toml").read_text("utf-8"))

SMALL_BOOK = """
code = "small"
title = "Small"
document = "999"
version = "1"

[games.baccarat]
title = "Baccarat"
family = "baccarat"
source = "L1"
decks = 8
shoe = true
incidents = [{ block = "BAC", source = "L9" }, { block = "HOUSE" }]

[games.baccarat.bets.player]
title = "Player"
condition = "Player's total is higher."
source = "L2"
ladder = [{ on = "player_wins", pays = "1:1" }, { on = "tie", pays = "push" }]

[games.baccarat.bets.banker]
title = "Banker"
condition = "Banker's total is higher."
source = "not in the document"
note = "A value of the house."
excludes = ["player"]
ladder = [{ on = "banker_wins", pays = "0.95:1" }, { on = "tie", pays = "push" }]
"""


def every_game() -> list[Game]:
    return [game for edition in books().values() for game in edition.games.values()]


def test_a_published_book_never_changes() -> None:
    """If this fails, a published number was changed. A correction is a new version."""
    assert LOCK.read_text("utf-8") == lock_text()


def test_a_digest_moves_with_one_number_and_with_nothing_else() -> None:
    before = load_book(SMALL_BOOK, BLOCKS, "small.toml")
    commented = load_book(SMALL_BOOK + "\n# a comment\n", BLOCKS, "small.toml")
    changed = load_book(SMALL_BOOK.replace("0.95:1", "0.96:1"), BLOCKS, "small.toml")
    assert commented.digest == before.digest
    assert changed.digest != before.digest
    assert changed.game("baccarat").digest != before.game("baccarat").digest
    assert len(before.digest) == 64


@pytest.mark.parametrize(
    ("printed", "misprint"),
    [
        ('on = "player_wins"', 'on = "player_win"'),
        ('pays = "0.95:1"', 'pays = "0.95"'),
        ('pays = "push"', 'pays = "return"'),
        ('excludes = ["player"]', 'excludes = ["playr"]'),
        ('excludes = ["player"]', 'needs = ["tie"]'),
        ('excludes = ["player"]', 'exclude = ["player"]'),
        ('excludes = ["player"]', "odds = 3"),
        ('family = "baccarat"', 'family = "bacarat"'),
        ('block = "HOUSE"', 'block = "MOUSE"'),
        ("decks = 8\n", "decks = 8\ndeks = 8\n"),
        ("shoe = true\n", "shoe = true\noptions = { fixed_sevn = true }\n"),
        ("shoe = true\n", "shoe = true\noptions = { fixed_seven = 1 }\n"),
        ("shoe = true\n", ""),
        ('version = "1"', 'edition = "1"'),
        ('version = "1"', 'version = "one"'),
        ('excludes = ["player"]', 'window = "30"'),
        ('excludes = ["player"]', "window = true"),
        ("shoe = true\n", "shoe = 1\n"),
        ('pays = "0.95:1"', "pays = 0.95"),
        (
            '[{ on = "player_wins", pays = "1:1" },',
            '[{ on = "player_wins", pays = "1:1", survives = ["nonsense"] },',
        ),
        (
            'ladder = [{ on = "player_wins"',
            'selections = ["1"]\nladder = [{ on = "wins:{selection}"',
        ),
    ],
)
def test_a_misprint_fails_when_the_book_is_loaded(printed: str, misprint: str) -> None:
    assert printed in SMALL_BOOK
    with pytest.raises(BookError, match="small"):
        load_book(SMALL_BOOK.replace(printed, misprint, 1), BLOCKS, "small.toml")


def test_a_prohibition_said_once_holds_both_ways() -> None:
    bets = load_book(SMALL_BOOK, BLOCKS, "small.toml").game("baccarat").bets
    assert bets["player"].excludes == ("banker",)
    assert bets["banker"].excludes == ("player",)


def test_an_incident_names_its_place_or_that_it_has_none() -> None:
    grounds = load_book(SMALL_BOOK, BLOCKS, "small.toml").game("baccarat").grounds
    assert grounds["wrong_card"].source == "999 L9, clause 4"
    assert grounds["wrong_card"].actions == ("edit", "void_hand", "void_shoe", "discretion")
    assert grounds["system_error"].source == "not in the document"
    assert not grounds["system_error"].in_document


def test_an_incident_block_printed_for_a_game_goes_before_the_fallback() -> None:
    """004 2.1.8 voids the hand; the block of 000 and 001 knows what 004 does not print."""
    grounds = book("euro").game("baccarat").grounds
    assert grounds["system_error"].source.startswith("004")
    assert grounds["wrong_card"].source == "not in the document"


@pytest.mark.parametrize("game", every_game(), ids=lambda game: f"{game.book} {game.code}")
def test_every_game_knows_its_grounds(game: Game) -> None:
    assert set(game.grounds) <= set(GROUNDS)
    assert "management_discretion" in game.grounds
    for ground in game.grounds.values():
        assert ground.actions
        assert ground.clause.endswith(".")


@pytest.mark.parametrize("game", every_game(), ids=lambda game: f"{game.book} {game.code}")
def test_every_bet_is_told_to_people(game: Game) -> None:
    """R-2: what is not in the document says so, and where it is from."""
    for bet in game.bets.values():
        assert bet.title, bet.code
        assert bet.condition.endswith("."), bet.code
        assert bet.in_document == (bet.source != "not in the document"), bet.code
        assert bet.in_document or bet.note, bet.code
        assert not bet.in_document or re.match(r"00[0134] ", bet.source), bet.code
        for rung in bet.ladder:
            assert rung.words, bet.code
            wins = rung.returns is None or rung.returns > 1
            assert (rung.result == Result.WIN) == wins, bet.code


def test_windows_are_those_of_each_document() -> None:
    """C-5."""

    def windows(book_code: str, game: str) -> dict[str, int]:
        bets = book(book_code).game(game).bets
        return {code: bet.window for code, bet in bets.items() if bet.window}

    naturals = [f"{side}_natural_{total}" for side in ("player", "banker") for total in (8, 9)]
    sixty = dict.fromkeys(["player_pair", "banker_pair", *naturals, "super_6"], 60)
    assert windows("club-a", "no_commission_baccarat") == {"small": 30, "big": 30} | sixty
    assert windows("club-a", "super_98") == {"small": 30, "big": 30} | sixty
    assert windows("club-b", "super_98") == {"small": 35, "big": 35}
    assert windows("club-a", "seven_up") == {"super_7s": 40}
    assert windows("club-b", "seven_up") == {"super_7s": 35}
    assert windows("asia", "baccarat") == {}
    assert windows("euro", "baccarat") == {}


def test_a_correction_is_a_new_version_beside_the_old_one(tmp_path: Path) -> None:
    (tmp_path / "common.toml").write_bytes((SHELF / "common.toml").read_bytes())
    (tmp_path / "small.toml").write_text(SMALL_BOOK, "utf-8")
    corrected = SMALL_BOOK.replace("0.95:1", "0.96:1")
    (tmp_path / "small-2.toml").write_text(corrected, "utf-8")
    with pytest.raises(BookError, match="version 1 stands on the shelf 2 times"):
        load_shelf(tmp_path)
    corrected = corrected.replace('version = "1"', 'version = "2"')
    (tmp_path / "small-2.toml").write_text(corrected, "utf-8")
    editions = {edition.version: edition for edition in load_shelf(tmp_path)}
    assert set(editions) == {"1", "2"}
    assert editions["1"].digest == load_book(SMALL_BOOK, BLOCKS, "small.toml").digest


def test_a_version_of_a_book_can_be_asked_for() -> None:
    assert book("euro", "1") is book("euro") is books()["euro"]


def test_unknown_names_are_refused() -> None:
    def code(call: Any, *args: Any) -> str:
        with pytest.raises(Refused) as refused:
            call(*args)
        return refused.value.code

    game = book("club-a").game("lucky_baccarat")
    assert code(book, "club-c") == "unknown_book"
    assert code(book, "club-a", "2") == "unknown_book"
    assert code(book, None) == "unknown_book"
    assert code(book("euro").game, "super_98") == "unknown_game"
    assert code(game.wager, "dragon") == "unknown_bet"
    assert code(game.wager, None) == "unknown_bet"
    assert code(game.wager, ["player"]) == "unknown_bet"
    assert code(game.wager, "player", "1") == "unknown_bet"
    assert code(game.wager, "tie_on") == "unknown_bet"
    assert code(game.wager, "tie_on", "1-3") == "unknown_bet"
    assert code(game.wager, "tie_on", ["0-3"]) == "unknown_bet"
    assert code(game.wager, "player", "", "S") == "invalid_play"
    assert code(game.wager, "player", "", 5) == "invalid_play"


def test_every_module_of_the_families_is_a_family() -> None:
    assert "baccarat" in names()
