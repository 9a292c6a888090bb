"""What if: the page asks the rules what `manage.py resolve` asks them, and loses no word of it."""

from __future__ import annotations

import json
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.urls import reverse

from casino.pages.entry import entered, is_blank, names_of, pads_of, typed_from
from casino.pages.question import whatif_url
from games import whatif as rules
from games.cards import DECK
from games.rulebook import Game, book, books
from tests.house import House
from tests.web.browsing import Visitor, text, value
from tests.web.counting import nothing_written, queries

SUPER_98 = {"game": "club-b/super_98", "player": "KS 9H", "banker": "7D 9C", "die": "9"}


def every_game() -> list[Game]:
    return [game for edition in books().values() for game in edition.games.values()]


def dealt(game: Game, random: Random) -> dict[str, Any]:
    shoe = list(DECK * (game.decks or 1))
    random.shuffle(shoe)
    return game.deal(iter(shoe), lambda faces: random.randint(1, faces))


def bets(*rows: tuple[str, ...]) -> dict[str, list[str]]:
    """Rows of the form as (bet, selection, stake) or (bet, selection, stake, play)."""
    names = ("bet", "selection", "stake", "play")[: len(rows[0])]
    return {name: [row[at] for row in rows] for at, name in enumerate(names)}


def said(answer: Any) -> list[Any]:
    """What is said of each row that was filled in."""
    return [row["said"] for row in answer.context_data["rows"] if row["line"].bet]


@pytest.fixture
def visitor(house: House) -> Visitor:
    return Visitor(house.supervisor)


# The very same code


@pytest.mark.parametrize("game", every_game(), ids=lambda game: f"{game.book} {game.code}")
def test_the_page_answers_what_the_command_answers(visitor: Visitor, game: Game) -> None:
    random = Random(2026)
    for _ in range(3):
        outcome = game.read(dealt(game, random)).canonical
        wagers = [(bet.code, random.choice(bet.selections)) for bet in game.bets.values()]
        asked = [(bet, selection, "10.80") for bet, selection in random.sample(wagers, 3)]
        typed = typed_from(game, outcome)
        answer = visitor.get("whatif", game=f"{game.book}/{game.code}", **typed, **bets(*asked))
        wanted = rules.answer(
            {
                "book": game.book,
                "game": game.code,
                "outcome": outcome,
                "bets": [
                    dict(zip(("bet", "selection", "stake"), row, strict=True)) for row in asked
                ],
            }
        )
        assert json.loads(answer.context_data["answer"]) == wanted
        for row, one in zip(said(answer), wanted["bets"], strict=True):
            if "error" in one:
                assert row == {"error": one["error"]["message"]}
            else:
                assert (row["odds"], row["why"]) == (one["odds"], one["why"])
                assert f"{row['payout'] / 100:.2f}" == one["payout"]


def test_a_bet_shows_what_it_pays_and_why(visitor: Visitor) -> None:
    answer = visitor.get("whatif", **SUPER_98, **bets(("player", "", "100"), ("tie", "", "25")))
    shown = text(answer)
    assert "Player 9 beats Banker 6" in shown
    assert "Win 1.05:1 205.00 USD +105.00 USD Super hand: Player wins on a natural" in shown
    assert "Lose 0.00 USD -25.00 USD Player 9 beats Banker 6" in shown
    assert "Staked 125.00 USD , pays 205.00 USD , player's result +80.00 USD" in shown


def test_amounts_follow_the_currency(visitor: Visitor) -> None:
    answer = visitor.get("whatif", **SUPER_98, **bets(("player", "", "100")), currency="jpy")
    assert "Win 1.05:1 205 JPY +105 JPY" in text(answer)


def test_plays_belong_to_the_ticket(visitor: Visitor) -> None:
    answer = visitor.get(
        "whatif",
        game="club-b/blackjack",
        dealer="9H 8D",
        box1="6S 5C TH",
        **bets(("ante", "box1", "10", ""), ("double", "box1", "10", "D")),
    )
    assert [row["result"] for row in said(answer)] == ["Win", "Win"]
    assert 'aria-label="Play"' in answer.content.decode()
    assert 'aria-label="Play"' not in visitor.get("whatif", **SUPER_98).content.decode()


def test_the_same_question_is_shown_for_the_command_line(visitor: Visitor) -> None:
    answer = visitor.get("whatif", **SUPER_98, **bets(("player", "", "100")), hand="12")
    assert json.loads(answer.context_data["question"]) == {
        "book": "club-b",
        "game": "super_98",
        "hand": 12,
        "outcome": {"player": ["KS", "9H"], "banker": ["7D", "9C"], "die": 9},
        "bets": [{"bet": "player", "selection": "", "stake": "100"}],
        "currency": "USD",
    }


# Refusals, each beside what it is about


@pytest.mark.parametrize(
    ("row", "more", "why"),
    [
        (("small", "", "10"), {"hand": "40"}, "first 35 hands of a shoe; this is hand 40."),
        (("red", "", "10"), {}, "Super 98 Baccarat has no bet 'red'."),
        (("player", "7", "10"), {}, "Player takes no selection."),
        (("player", "", "ten"), {}, "A stake is a decimal number"),
        (("player", "", "0"), {}, "A stake must be more than zero."),
        (("player", "", "10.505"), {}, "10.505 has more decimal places than USD has (2)."),
    ],
)
def test_a_bet_that_is_refused_says_so_in_its_row(
    visitor: Visitor, row: tuple[str, ...], more: dict[str, str], why: str
) -> None:
    answer = visitor.get("whatif", **SUPER_98, **bets(row, ("tie", "", "10")), **more)
    refused, other = said(answer)
    assert why in refused["error"]
    assert other["result"] == "Lose"


def test_a_missing_selection_is_asked_for(visitor: Visitor) -> None:
    answer = visitor.get("whatif", game="club-b/roulette", number="17", **bets(("split", "", "10")))
    assert said(answer) == [{"error": "Split needs a selection, such as '0-1'."}]


def test_a_play_where_there_is_none_is_refused(visitor: Visitor) -> None:
    answer = visitor.get("whatif", **SUPER_98, **bets(("player", "", "10", "HS")))
    assert "takes no play" in said(answer)[0]["error"]


@pytest.mark.parametrize(
    ("typed", "place", "why"),
    [
        ({"player": "KS 6H 2C"}, "outcome", "Player drew a third card on 6."),
        ({"player": "KS ZZ"}, "outcome", "'ZZ' in player is no card."),
        ({"die": "13"}, "outcome", "die is 13, not 1 to 12."),
        ({"die": ""}, "outcome", "die is missing."),
        ({"currency": "XXX"}, "currency", "'XXX' is not a currency of ISO 4217."),
        ({"hand": "first"}, "hand", "hand is not the number of a hand."),
        ({"void": "cocked_die"}, "void", "knows no ground 'cocked_die'."),
        ({"void": "wrong_entry"}, "void", "does not void a hand for wrong entry"),
    ],
)
def test_a_question_that_is_refused_says_so_beside_the_part(
    visitor: Visitor, typed: dict[str, str], place: str, why: str
) -> None:
    answer = visitor.get("whatif", **SUPER_98 | typed, **bets(("player", "", "10")))
    assert answer.status_code == 200
    assert why in answer.context_data["said"][place]
    assert why in text(answer)
    assert said(answer) == [None]


def test_a_game_that_is_in_no_book_is_not_found(visitor: Visitor) -> None:
    assert visitor.get("whatif", game="club-b/poker").status_code == 404
    assert visitor.get("whatif_answer", game="club-z/poker").status_code == 404


def test_nothing_entered_is_no_fault(visitor: Visitor) -> None:
    answer = visitor.get("whatif", game="club-b/super_98", **bets(("player", "", "10")))
    assert "Enter what happened at the table" in text(answer)
    assert said(answer) == [None]


# Void hands


def test_a_void_hand_returns_stakes_without_an_outcome(visitor: Visitor) -> None:
    answer = visitor.get(
        "whatif", game="club-b/super_98", void="exposed_card", **bets(("player", "", "10"))
    )
    assert "Void 10.00 USD 0.00 USD Hand void (exposed card): stake returned" in text(answer)


def test_a_void_hand_pays_what_the_book_pays_all_the_same(visitor: Visitor) -> None:
    answer = visitor.get(
        "whatif",
        game="club-b/blackjack",
        void="shuffler_jam",
        dealer="9H",
        box1="AS KS",
        **bets(("ante", "box1", "10")),
    )
    assert [(row["result"], row["odds"]) for row in said(answer)] == [("Win", "3:2")]


def test_only_grounds_that_void_are_offered(visitor: Visitor) -> None:
    offered = dict(visitor.get("whatif", **SUPER_98).context_data["grounds"])
    assert "exposed_card" in offered
    assert "wrong_entry" not in offered


# Entering an outcome


@pytest.mark.parametrize("game", every_game(), ids=lambda game: f"{game.book} {game.code}")
def test_every_outcome_can_be_entered(game: Game) -> None:
    random = Random(98)
    assert is_blank(game, {})
    for _ in range(20):
        outcome = game.read(dealt(game, random)).canonical
        typed = typed_from(game, outcome)
        assert set(typed) <= set(names_of(game))
        assert game.read(entered(game, typed)).canonical == outcome


def typed_as(game: str, **typed: str) -> dict[str, Any]:
    code, _, name = game.partition("/")
    return entered(book(code).game(name), typed)


def test_dice_are_typed_with_or_without_anything_between_them() -> None:
    for text_typed in ("442", "4 4 2", "4, 4, 2", "4-4-2"):
        assert typed_as("club-b/sic_bo", dice=text_typed) == {"dice": [4, 4, 2]}
    assert typed_as("club-b/super_color_sic_bo", dice="12 1 7") == {"dice": [12, 1, 7]}
    assert typed_as("club-b/sic_bo", dice="4 x") == {"dice": [4, "x"]}


def test_one_card_is_one_card() -> None:
    assert typed_as("club-b/dragon_tiger", dragon="10h", tiger="") == {"dragon": "TH"}
    assert typed_as("club-b/dragon_tiger", dragon="KS 9H") == {"dragon": "KS 9H"}


def test_a_split_box_has_a_slash_between_its_hands() -> None:
    assert typed_as("club-b/blackjack", dealer="9H", box2="8s3d / 8h") == {
        "dealer": ["9H"],
        "boxes": {"2": {"hands": [["8S", "3D"], ["8H"]]}},
    }


def test_drawn_odds_are_entered_beside_their_place() -> None:
    typed = {"super_numbers_1": "17", "super_numbers_1_odds": "499:1", "super_numbers_2": ""}
    assert typed_as("club-a/super_roulette", number="17", **typed) == {
        "number": 17,
        "super_numbers": {"17": "499:1"},
    }


def test_there_is_always_a_place_for_one_more_draw() -> None:
    game = book("club-a").game("super_sic_bo")
    raised = {f"specific_total:{total}": "99:1" for total in range(4, 11)}
    typed = typed_from(game, {"dice": [1, 2, 3], "super_odds": raised})
    [pad] = (pad for pad in pads_of(game, typed, {}) if pad["part"].name == "super_odds")
    assert [slot["place"] for slot in pad["slots"]] == [*raised, "", ""]


def test_a_hand_dealt_in_reverse_is_ticked() -> None:
    game = book("club-b").game("three_pictures")
    typed = typed_from(game, dealt(game, Random(3)) | {"reverse_dealt": True})
    assert typed["reverse_dealt"] == "1"
    assert entered(game, typed)["reverse_dealt"] is True
    del typed["reverse_dealt"]
    assert "reverse_dealt" not in entered(game, typed)


# As data


def test_an_outcome_can_be_given_as_data(visitor: Visitor) -> None:
    answer = visitor.get(
        "whatif",
        **{"game": "club-b/super_98", "as": "data"},
        outcome='{"deal": ["KS", "7D", "9H", "9C"], "die": 9}',
        **bets(("player", "", "100")),
    )
    assert [row["odds"] for row in said(answer)] == ["1.05:1"]


@pytest.mark.parametrize("text_typed", ["{", "NaN", "[1,", "9" * 5000, "[" * 100_000])
def test_what_is_no_json_is_refused_in_words(visitor: Visitor, text_typed: str) -> None:
    answer = visitor.get("whatif", **{"game": "club-b/roulette", "as": "data"}, outcome=text_typed)
    assert answer.context_data["said"]["outcome"].startswith("This is no JSON: ")


def test_data_that_is_no_outcome_is_refused_by_the_rules(visitor: Visitor) -> None:
    answer = visitor.get("whatif", **{"game": "club-b/roulette", "as": "data"}, outcome="[17]")
    assert "An outcome is an object with named parts." in text(answer)


def test_fields_turn_into_data_and_back(visitor: Visitor) -> None:
    answer = visitor.get("whatif", **SUPER_98, to="data")
    data = answer.context_data["asked"].data
    assert json.loads(data) == {"player": ["KS", "9H"], "banker": ["7D", "9C"], "die": 9}
    query = {"game": "club-b/super_98", "as": "data", "outcome": data, "to": "fields"}
    answer = visitor.get("whatif", **query)
    assert value(answer, "whatif-player") == "KS 9H"
    assert value(answer, "whatif-die") == "9"


def test_data_that_cannot_be_turned_into_fields_stays(visitor: Visitor) -> None:
    query = {"game": "club-b/super_98", "as": "data", "outcome": "{", "to": "fields"}
    assert visitor.get("whatif", **query).context_data["asked"].data == "{"


# The address is the question


def test_a_dealt_round_stands_at_its_own_address(visitor: Visitor) -> None:
    for game in every_game():
        name = f"{game.book}/{game.code}"
        address = visitor.get("whatif", game=name, deal="1")["Location"]
        answer = visitor.client.get(address)
        assert answer.context_data["headline"]
        assert not answer.context_data["said"]


def test_the_address_of_an_outcome_brings_it_back(visitor: Visitor) -> None:
    game = book("club-b").game("roulette")
    address = whatif_url(game, {"number": 17})
    assert address == f"{reverse('admin:whatif')}?game=club-b/roulette&number=17"
    assert visitor.client.get(address).context_data["headline"] == "17 black"


def test_typing_keeps_the_address_to_what_was_filled_in(visitor: Visitor) -> None:
    rows = bets(("player", "", "100"), ("", "", "100"), ("tie", "", "5"))
    answer = visitor.get("whatif_answer", **SUPER_98, **rows, hand="", void="", script=True)
    asked = parse_qs(urlsplit(answer["HX-Replace-Url"]).query, keep_blank_values=True)
    assert asked == {
        "game": ["club-b/super_98"],
        "player": ["KS 9H"],
        "banker": ["7D 9C"],
        "die": ["9"],
        "bet": ["player", "tie"],
        "selection": ["", ""],
        "stake": ["100", "5"],
    }


# While it is typed


def test_the_answer_goes_to_every_row_and_place(visitor: Visitor) -> None:
    rows = bets(("player", "", "100"), ("", "", "100"), ("small", "", "5"))
    answer = visitor.get("whatif_answer", **SUPER_98, **rows, hand="40", script=True)
    page = answer.content.decode()
    for place in ("1", "2", "3", "hand", "currency", "void"):
        assert f'id="whatif-said-{place}" hx-swap-oob="true"' in page
    assert "Win 1.05:1 205.00 USD" in text(answer)
    assert "Small is offered on the first 35 hands" in text(answer)
    assert "whatif-choice" not in page


def test_another_bet_brings_its_selections(visitor: Visitor) -> None:
    rows = bets(("dozen", "17", "10"), ("straight", "3", "10"))
    made_for = {"made_for": ["straight", "straight"]}
    answer = visitor.get(
        "whatif_answer", game="club-b/roulette", number="17", **rows, **made_for, script=True
    )
    page = answer.content.decode()
    assert 'id="whatif-choice-1" hx-swap-oob="true"' in page
    assert "whatif-choice-2" not in page
    assert "Dozen needs a selection, such as '1'." in text(answer)


def test_a_selection_that_also_fits_the_other_bet_stays(visitor: Visitor) -> None:
    answer = visitor.get(
        "whatif_answer",
        game="club-b/roulette",
        number="2",
        **bets(("column", "2", "10")),
        made_for="dozen",
        script=True,
    )
    assert [row["result"] for row in said(answer)] == ["Win"]


def test_another_game_keeps_what_it_can(visitor: Visitor) -> None:
    rows = bets(("player", "", "100"), ("small", "", "5"))
    answer = visitor.get("whatif", **SUPER_98 | {"game": "asia/baccarat"}, **rows, choose="1")
    assert [row["line"].bet for row in answer.context_data["rows"]] == ["player", "small", ""]
    answer = visitor.get("whatif", **SUPER_98 | {"game": "asia/roulette"}, **rows, choose="1")
    assert [row["line"].bet for row in answer.context_data["rows"]] == ["", "", ""]


def test_there_is_always_a_row_to_spare(visitor: Visitor) -> None:
    rows = bets(*[("player", "", "1")] * 5)
    assert len(visitor.get("whatif", **SUPER_98, **rows).context_data["rows"]) == 6


# What it costs


def test_asking_writes_nothing_and_asks_the_database_for_nothing(visitor: Visitor) -> None:
    def ask() -> Any:
        return visitor.get("whatif_answer", **SUPER_98, **bets(("player", "", "1")), script=True)

    with nothing_written():
        ask()
    one = queries(ask)
    more = bets(*[("player", "", "1")] * 20)
    assert queries(lambda: visitor.get("whatif_answer", **SUPER_98, **more, script=True)) == one
    assert one <= 5
