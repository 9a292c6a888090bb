"""Rulings in the browser: proposed, previewed, carried out exactly as previewed or not at all."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.test import Client

from casino.models import Ruling
from casino.pages.entry import entered, read_notation, typed_from
from casino.pages.preview import seal
from casino.selectors import game_of
from casino.services.policy import set_approval_rule
from games import rulebook
from tests.floor.test_riding import Pair
from tests.house import BANKER_SIX, BANKER_WINS, PLAYER_WINS, TIE, WRONG_THIRD_CARD, House
from tests.web.browsing import Visitor, hidden, sign_in, text, value
from tests.web.counting import nothing_written
from tickets.models import Ticket

pytestmark = pytest.mark.first_hand

BANKER_CARDS = {"player": "KS 6H", "banker": "7D JC"}
EDIT_WORDS = {"ground": "misread_result", "evidence": "cam 3 03:00:12", "note": "Misread."}
EDIT = {"ground": "misread_result", "evidence": "cam 3 03:00:12", **BANKER_CARDS}


@pytest.fixture
def manager(house: House) -> Visitor:
    return Visitor(house.manager)


# Proposing


def test_the_form_offers_the_grounds_of_the_book_with_their_clauses(
    manager: Visitor, settled: Ticket
) -> None:
    said = text(manager.get("ruling", "void_hand", settled.round.key, script=True))
    assert "Exposed card A card of the hand seen while bets are open voids the hand" in said
    assert "Misread result" not in said
    said = text(manager.get("ruling", "edit", settled.round.key, script=True))
    assert "Misread result" in said
    assert "Late hand" not in said


def test_what_is_open_on_the_hand_comes_first_and_is_chosen(house: House, manager: Visitor) -> None:
    round = house.hand()
    house.result(round, WRONG_THIRD_CARD, video="cam 1 03:00:12")
    form = manager.get("ruling", "void_hand", round.key, script=True)
    assert form.context_data["grounds"][0]["code"] == "wrong_card"
    assert form.context_data["typed"]["ground"] == "wrong_card"
    assert value(form, "ruling-evidence") == "cam 1 03:00:12"


def test_an_edit_begins_with_the_cards_on_record(house: House, manager: Visitor) -> None:
    ticket = house.play(BANKER_SIX, ("player", "10"))
    form = manager.get("ruling", "edit", ticket.round.key, script=True)
    assert value(form, "ruling-player") == "KS 2H 3C"
    assert value(form, "ruling-banker") == "6D JC"


def test_an_edit_of_a_hand_on_hold_begins_with_the_cards_refused(
    house: House, manager: Visitor
) -> None:
    round = house.hand()
    house.result(round, WRONG_THIRD_CARD)
    form = manager.get("ruling", "edit", round.key, script=True)
    assert value(form, "ruling-player") == "KS 6H 2C"


def test_a_form_loaded_as_a_page_stands_on_the_page_of_the_round(
    manager: Visitor, settled: Ticket
) -> None:
    page = manager.get("ruling", "void_hand", settled.round.key)
    assert "Void hand: bac-01 hand 1" in text(page)
    assert 'id="round-live"' in page.content.decode()


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("reinstate", "Hand 1 is not void."),
        ("void_shoe", "void_shoe is not a kind of ruling."),
        ("replay", "replay is not a kind of ruling."),
    ],
)
def test_what_may_not_be_ruled_is_refused_in_words(
    manager: Visitor, settled: Ticket, kind: str, why: str
) -> None:
    answer = manager.get("ruling", kind, settled.round.key, script=True)
    assert answer.status_code in (400, 409)
    assert why in text(answer)


# Reading cards


def test_cards_are_read_while_they_are_entered(house: House, manager: Visitor) -> None:
    key = house.play(PLAYER_WINS, ("player", "10")).round.key

    def read(player: str, banker: str) -> str:
        return text(manager.get("ruling_reading", key, player=player, banker=banker, script=True))

    assert read("", "") == "The rules say here who won."
    assert read("ks 6h", "7d jc") == "By the rules: Banker 7 beats Player 6"
    assert "Player drew a third card on 6." in read("KS 6H 2C", "7D JC")
    assert "'ZZ' in player is no card." in read("KS ZZ", "7D JC")


@pytest.mark.parametrize(
    ("typed", "cards"),
    [
        ("KS 9H", ["KS", "9H"]),
        ("ks9h", ["KS", "9H"]),
        ("10d, 10C;as", ["TD", "TC", "AS"]),
        ("K♠ 9♥ 4♦ 2♣", ["KS", "9H", "4D", "2C"]),
        ("KS banana", ["KS", "BANANA"]),
        ("", []),
    ],
)
def test_card_notation(typed: str, cards: list[str]) -> None:
    assert read_notation(typed) == cards


@pytest.mark.parametrize(
    ("book", "game", "outcome"),
    [
        ("club-a", "no_commission_baccarat", BANKER_SIX),
        ("club-a", "no_commission_baccarat", {"deal": ["KS", "7D", "9H", "JC"]}),
        ("club-a", "no_commission_baccarat", {"deal": ["KS", "7D", "9H", "JC", "2C"]}),
        ("club-a", "no_commission_baccarat", {"deal": ["2S", "6D", "3H", "JC", "4C"]}),
        ("club-a", "super_98", PLAYER_WINS | {"die": 11}),
        ("club-b", "seven_up", {"deal": ["9D", "2H", "JC"]}),
    ],
)
def test_what_was_recorded_comes_back_as_it_was_typed(
    book: str, game: str, outcome: dict[str, Any]
) -> None:
    dealt = rulebook.book(book).game(game)
    recorded = dealt.read(outcome).canonical
    assert dealt.read(entered(dealt, typed_from(dealt, recorded))).canonical == recorded


# Refusals: beside the field, with everything typed kept


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"ground": ""}, "knows no ground"),
        ({"ground": "late_hand"}, "does not allow an edit on this ground"),
        ({"note": " "}, "Say in a note why."),
        ({"evidence": ""}, "Name the video time or card image that shows it."),
        ({"player": "KS 6H 2C"}, "Player drew a third card on 6."),
        ({"player": "KS"}, "player lists 1 cards, not 2 to 3."),
        ({"player": "KS 6X"}, "'6X' in player is no card."),
        ({"player": "KS 9H"}, "These are the cards that are recorded already."),
    ],
)
def test_a_refusal_is_a_sentence_and_keeps_what_was_typed(
    manager: Visitor, settled: Ticket, changed: dict[str, str], why: str
) -> None:
    typed = EDIT | {"note": "The six was read as a nine."} | changed
    with nothing_written():
        form = manager.propose(settled.round, "edit", **typed)
    assert form.status_code == 422
    assert why in text(form)
    assert value(form, "ruling-player") == typed["player"]
    assert value(form, "ruling-banker") == typed["banker"]
    assert value(form, "ruling-evidence") == typed["evidence"]
    assert form.context_data["typed"]["note"] == typed["note"]
    assert text(form).count(why) == 1
    assert "The rules say here who won." not in text(form)


def test_a_winner_cannot_be_typed(house: House, manager: Visitor, settled: Ticket) -> None:
    preview = manager.propose(settled.round, "edit", winner="tie", **EDIT)
    manager.confirm(preview, settled.round, "edit")
    assert house.outcomes(settled.round)[-1].headline == "Banker 7 beats Player 6"


# Previewing


def test_the_preview_tells_before_and_after_and_the_money_and_writes_nothing(
    house: House, manager: Visitor
) -> None:
    round = house.hand()
    house.limit(round.table, "EUR")
    house.ticket(round, ("player", "100"), player="ann")
    house.ticket(round, ("banker", "50"), player="bob")
    house.ticket(round, ("tie", "20"), player="eve", client=house.south, currency="EUR")
    house.ticket(round, ("player", "10"), player="tester", test=True)
    house.result(round, PLAYER_WINS)
    house.settle()
    with nothing_written():
        preview = manager.propose(round, "void_hand")
    said = text(preview)
    assert "Before Player 9 wins Banker 7 Player 9 beats Banker 7" in said
    assert "After Void: exposed card" in said
    assert "Tickets that change 4 Players 4 Players who give credit back 2" in said
    assert "north 2 +50.00 USD -100.00 USD 1 -50.00 USD 100.00 USD" in said
    assert "north (test) 1 0.00 USD -10.00 USD 1 -10.00 USD 10.00 USD" in said
    assert "south 1 +20.00 EUR 0.00 EUR 0 +20.00 EUR 20.00 EUR" in said


def test_the_preview_of_an_edit_counts_only_what_changes(house: House, manager: Visitor) -> None:
    round = house.hand()
    house.ticket(round, ("player", "100"))
    house.ticket(round, ("tie", "5"), player="p-2")
    house.result(round, PLAYER_WINS)
    house.settle()
    said = text(manager.propose(round, "edit", **EDIT))
    assert "Tickets that change 1 Players 1" in said
    assert "north 1 0.00 USD -200.00 USD 1 -200.00 USD 200.00 USD" in said


def test_the_preview_names_what_is_answered_and_what_is_not_settled_yet(
    house: House, manager: Visitor
) -> None:
    round = house.hand()
    house.ticket(round, ("player", "100"))
    house.result(round, WRONG_THIRD_CARD)
    said = text(manager.propose(round, "void_hand", ground="wrong_card"))
    assert "This answers what is open on the hand: “Wrong card”." in said
    assert "Tickets that this settles for the first time: 1." in said


def test_the_form_asks_for_evidence_exactly_where_the_door_does(
    house: House, manager: Visitor, settled: Ticket
) -> None:
    fresh = house.hand()
    asked = {
        key: manager.get("ruling", "void_hand", key, script=True).context_data["needs_evidence"]
        for key in (settled.round.key, fresh.key)
    }
    assert asked == {settled.round.key: True, fresh.key: False}
    refused = manager.propose(settled.round, "void_hand", evidence="")
    assert "Name the video time or card image that shows it." in text(refused)
    assert manager.propose(fresh, "void_hand", evidence="").status_code == 200


def test_the_preview_tells_what_was_ruled_before(
    house: House, manager: Visitor, settled: Ticket
) -> None:
    assert "Ruled before" not in text(manager.propose(settled.round, "void_hand"))
    house.void(settled.round)
    said = text(manager.propose(settled.round, "reinstate"))
    assert "Ruled before on this hand Void hand: exposed card manager," in said


def test_a_void_during_betting_warns_that_bets_still_come(house: House, manager: Visitor) -> None:
    assert "Betting is still open." in text(manager.propose(house.hand(), "void_hand"))


def test_the_way_back_keeps_what_was_typed(manager: Visitor, settled: Ticket) -> None:
    form = manager.propose(settled.round, "edit", note="Six, not nine.", back="1", **EDIT)
    assert value(form, "ruling-player") == "KS 6H"
    assert form.context_data["typed"]["note"] == "Six, not nine."


# Carrying out


def test_a_void_is_carried_out_as_previewed(
    house: House, manager: Visitor, settled: Ticket
) -> None:
    preview = manager.propose(settled.round, "void_hand", note="Third card was seen.")
    answer = manager.confirm(preview, settled.round, "void_hand")
    assert answer["HX-Redirect"] == f"/admin/rounds/{settled.round.key}/"
    house.settle()
    assert house.paid(settled) == 10_000
    ruling = Ruling.objects.get()
    assert (ruling.ruled_by, ruling.ground, ruling.note) == (
        house.manager, "exposed_card", "Third card was seen.",
    )  # fmt: skip
    assert ruling.plan == {
        "before": "Player 9 beats Banker 7",
        "after": "Void: exposed card",
        "tickets": 1,
        "players": 1,
        "debited": 1,
        "unsettled": 0,
        "money": [
            {"operator": "north", "currency": "USD", "test": False,
             "tickets": 1, "debited": 1, "up": 0, "down": -10_000, "largest": 10_000}
        ],
        "closes": [],
        "riders": {},
        "earlier": [],
    }  # fmt: skip


def test_an_edit_and_a_reinstatement_are_carried_out(
    house: House, manager: Visitor, settled: Ticket
) -> None:
    round = settled.round
    manager.confirm(manager.propose(round, "edit", **EDIT), round, "edit")
    house.settle()
    assert house.paid(settled) == 0
    house.void(round)
    preview = manager.propose(round, "reinstate", ground="wrong_entry")
    assert "After Player 6 Banker 7 wins" in text(preview)
    manager.confirm(preview, round, "reinstate")
    house.settle()
    assert house.deltas(settled) == [20_000, -20_000, 10_000, -10_000]


def test_success_leads_to_the_round_with_a_message(manager: Visitor, settled: Ticket) -> None:
    preview = manager.propose(settled.round, "void_hand")
    answer = manager.post(
        "ruling", "void_hand", settled.round.key, script=False, confirm="1",
        previewed=hidden(preview, "previewed"),
    )  # fmt: skip
    assert (answer.status_code, answer["Location"]) == (302, f"/admin/rounds/{settled.round.key}/")
    assert [str(message) for message in get_messages(answer.wsgi_request)] == [
        "Hand 1 is void. Tickets that change: 1."
    ]
    said = text(manager.get("round", settled.round.key))
    assert "Void Settling…" in said


def test_the_second_of_two_clicks_gets_the_conflict(manager: Visitor, settled: Ticket) -> None:
    preview = manager.propose(settled.round, "void_hand")
    manager.confirm(preview, settled.round, "void_hand")
    with nothing_written():
        second = manager.confirm(preview, settled.round, "void_hand")
    assert second.status_code == 409
    assert Ruling.objects.count() == 1


def test_a_conflict_tells_what_happened_and_loses_nothing(
    house: House, manager: Visitor, settled: Ticket
) -> None:
    preview = manager.propose(settled.round, "edit", note="Six, not nine.", **EDIT)
    house.edit(settled.round, TIE, settle=False)
    with nothing_written():
        answer = manager.confirm(preview, settled.round, "edit")
    said = text(answer)
    assert answer.status_code == 409
    assert "Nothing of yours was carried out." in said
    assert "manager ruled “Edit result” at" in said
    assert "You saw “Player 9 beats Banker 7”; now it is “Tie on 7”." in said
    assert 'name="preview"' in answer.content.decode()
    assert value(answer, "ruling-player") == "KS 6H"
    assert answer.context_data["typed"]["note"] == "Six, not nine."
    house.settle()
    again = manager.propose(settled.round, "edit", **answer.context_data["typed"])
    assert "Before Player 7 Banker 7 Tie on 7" in text(again)
    manager.confirm(again, settled.round, "edit")
    assert house.outcomes(settled.round)[-1].headline == "Banker 7 beats Player 6"


def test_a_conflict_with_a_void_leaves_the_typed_text_to_read(
    house: House, manager: Visitor, settled: Ticket
) -> None:
    preview = manager.propose(settled.round, "edit", note="Six, not nine.", **EDIT)
    house.void(settled.round)
    answer = manager.confirm(preview, settled.round, "edit")
    assert answer.status_code == 409
    assert answer.context_data["typed"]["note"] == "Six, not nine."
    assert "Hand 1 is void; reinstate it before editing its result. What you typed" in text(answer)
    assert 'name="preview"' not in answer.content.decode()
    refused = manager.propose(settled.round, "edit", **answer.context_data["typed"])
    assert "Hand 1 is void; reinstate it before editing its result." in text(refused)
    assert refused.content.decode().count(" autofocus>") == 1, "what is refused has the focus"


def test_a_conflict_does_not_blame_a_ruling_from_before_the_preview(
    house: House, manager: Visitor, settled: Ticket
) -> None:
    house.edit(settled.round, BANKER_WINS, settle=False)
    preview = manager.propose(settled.round, "void_hand")
    house.settle()
    said = text(manager.confirm(preview, settled.round, "void_hand"))
    assert "Nothing of yours was carried out." in said
    assert "manager ruled" not in said


def test_a_settlement_between_preview_and_confirmation_is_a_conflict(
    house: House, manager: Visitor
) -> None:
    """What changes hands is another sum once the first settlement is written."""
    round = house.hand()
    house.ticket(round, ("player", "100"))
    house.result(round, PLAYER_WINS)
    preview = manager.propose(round, "void_hand")
    house.settle()
    answer = manager.confirm(preview, round, "void_hand")
    assert answer.status_code == 409
    assert f"Hand {round.number} changed since the preview" in text(answer)


def test_only_a_preview_that_this_person_was_shown_can_be_confirmed(
    house: House, manager: Visitor
) -> None:
    first = house.play(PLAYER_WINS, ("player", "100")).round
    second = house.play(BANKER_WINS, ("player", "100")).round
    preview = manager.propose(first, "void_hand")
    sealed = hidden(preview, "previewed")
    forged = [
        ("void_hand", first.key, ""),
        ("void_hand", first.key, sealed[:-1] + ("A" if sealed[-1] != "A" else "B")),
        ("void_hand", second.key, sealed),
        ("edit", first.key, sealed),
        ("void_hand", first.key, seal({"round": first.key, "kind": "void_hand", "actor": 0})),
    ]
    with nothing_written():
        for kind, key, text_sent in forged:
            answer = manager.post("ruling", kind, key, confirm="1", previewed=text_sent)
            assert answer.status_code == 409
            assert "not a preview that you were shown" in text(answer)


def test_a_form_from_another_site_is_refused(house: House, settled: Ticket) -> None:
    client = Client(enforce_csrf_checks=True)
    sign_in(client, house.manager)
    answer = client.post(f"/admin/rulings/void_hand/{settled.round.key}/", {"ground": "late_hand"})
    assert answer.status_code == 403


def test_what_is_typed_is_shown_as_text(manager: Visitor, settled: Ticket) -> None:
    note = "<script>alert(1)</script>"
    preview = manager.propose(settled.round, "void_hand", note=note)
    assert note not in preview.content.decode()
    manager.confirm(preview, settled.round, "void_hand")
    page = manager.get("round", settled.round.key).content.decode()
    assert note not in page
    assert "&lt;script&gt;alert(1)" in page


@pytest.mark.nothing_dealt
def test_super_98_asks_for_the_die(house: House, manager: Visitor) -> None:
    ticket = house.play(PLAYER_WINS | {"die": 11}, ("player", "10"), game="super_98")
    round = ticket.round
    assert value(manager.get("ruling", "edit", round.key, script=True), "ruling-die") == "11"
    assert manager.propose(round, "edit", die="13", **EDIT).status_code == 422
    manager.confirm(manager.propose(round, "edit", die="9", **EDIT), round, "edit")
    assert house.outcomes(round)[-1].outcome["die"] == 9
    assert "Die showing 9" in manager.get("round", round.key).content.decode()


@pytest.mark.nothing_dealt
def test_every_game_of_the_family_can_be_edited(house: House, manager: Visitor) -> None:
    ticket = house.play({"deal": ["9D", "2H", "JC"]}, ("player", "10"), game="seven_up")
    assert game_of(ticket.round).options["fixed_seven"]
    form = manager.get("ruling", "edit", ticket.round.key, script=True)
    assert value(form, "ruling-player") == "7S 2H"


@pytest.mark.nothing_dealt
@pytest.mark.parametrize(
    ("game", "outcome", "typed", "headline"),
    [
        ("roulette", {"number": 17}, {"number": "18"}, "18 red"),
        ("sic_bo", {"dice": [4, 4, 2]}, {"dice": "666"}, "6-6-6, total 18, a triple"),
        (
            "dragon_tiger",
            {"dragon": "KS", "tiger": "7H"},
            {"tiger": "AH"},
            "Dragon K beats Tiger A",
        ),
        ("super_ball", {"number": 7}, {"number": "8"}, "8 green, wood, west"),
    ],
)
def test_the_result_of_any_game_is_edited_by_what_was_dealt(
    house: House,
    manager: Visitor,
    game: str,
    outcome: dict[str, Any],
    typed: dict[str, str],
    headline: str,
) -> None:
    table = house.table(book="club-b", game=game)
    if game_of(table).has_shoe:
        house.shoe(table)
    round = house.round(table)
    house.result(round, outcome)
    form = manager.get("ruling", "edit", round.key, script=True)
    [(name, _)] = typed.items()
    assert value(form, f"ruling-{name}") == form.context_data["typed"][name] != ""
    fields = form.context_data["typed"] | EDIT_WORDS | typed
    preview = manager.propose(round, "edit", **fields)
    assert headline in text(preview)
    manager.confirm(preview, round, "edit")
    assert house.outcomes(round)[-1].headline == headline


# A second person


def test_what_needs_a_second_person_waits_for_one(house: House, manager: Visitor) -> None:
    set_approval_rule(kind="void_hand", role="compliance", actor=house.compliance, reason="Policy.")
    ticket = house.play(PLAYER_WINS, ("player", "100"))
    preview = manager.propose(ticket.round, "void_hand", note="Third card was seen.")
    answer = manager.confirm(preview, ticket.round, "void_hand")
    assert answer["HX-Redirect"] == f"/admin/rounds/{ticket.round.key}/"
    assert Ruling.objects.count() == 0
    said = text(manager.get("round", ticket.round.key))
    assert "“Void hand” waits for a second person to approve it: compliance" in said
    assert "Player 9 beats Banker 7 → Void: exposed card" in said
    second = manager.propose(ticket.round, "void_hand")
    assert "“Void hand” by manager waits here already" in text(second)
    again = manager.confirm(second, ticket.round, "void_hand")
    assert again.status_code == 422
    assert "“Void hand” by manager waits for approval already." in text(again)


# A hand that was not finished


@pytest.mark.nothing_dealt
def test_a_jam_is_voided_with_what_lay_on_the_table(house: House, manager: Visitor) -> None:
    """Block BJ: a blackjack that was dealt is paid all the same."""
    round = house.round(house.table(book="club-b", game="blackjack"))
    blackjack = house.ticket(round, ("ante", "box1", "10"))
    other = house.ticket(round, ("ante", "box2", "10"), player="p-2")
    house.close(round)
    form = manager.get("ruling", "void_hand", round.key, script=True)
    assert "What lay on the table" in text(form)
    lay = {"dealer": "9H", "box1": "AS KH", "box2": "TS 5C"}
    words = {"ground": "shuffler_jam", "note": "The shuffler jammed."}
    fields = form.context_data["typed"] | words | lay
    preview = manager.propose(round, "void_hand", **fields)
    manager.confirm(preview, round, "void_hand")
    house.settle()
    assert (house.paid(blackjack), house.paid(other)) == (2500, 1000)


@pytest.mark.nothing_dealt
def test_a_void_of_a_hand_that_lay_nowhere_asks_for_nothing(house: House, manager: Visitor) -> None:
    round = house.round(house.table(book="club-b", game="blackjack"))
    ticket = house.ticket(round, ("ante", "box1", "10"))
    preview = manager.propose(round, "void_hand", ground="shuffler_jam")
    manager.confirm(preview, round, "void_hand")
    house.settle()
    assert house.paid(ticket) == 1000
    assert "What lay on the table" not in text(
        manager.get("ruling", "void_hand", house.hand("bac-02").key, script=True)
    )


# A round that is no hand of a shoe


def test_a_swap_shows_the_cards_exchanged_and_what_rides_on_it_unmoved(house: House) -> None:
    """001 L610: Player 1 and Player 3 are swapped; Super Fan Tan counts all the cards (C-51)."""
    pair = Pair(house)
    pair.result()
    visitor = Visitor(house.manager)
    preview = visitor.propose(pair.pictures, "swap", ground="reverse_dealing")
    before, after = (
        {side.label: side.cards for side in preview.context_data["plan"][when]["sides"]}
        for when in ("before", "after")
    )
    assert (after["Player 1"], after["Player 3"]) == (before["Player 3"], before["Player 1"])
    assert (after["Player 2"], after["Dealer"]) == (before["Player 2"], before["Dealer"])
    assert f"Round {pair.fan.key} rides on this one and stays as it is" in text(preview)
    visitor.confirm(preview, pair.pictures, "swap")
    page = visitor.get("round", pair.pictures.key)
    shown = {side.label: side.cards for side in page.context_data["result"]["sides"]}
    assert shown == after


def test_where_there_is_no_hand_the_rulings_speak_of_a_round(house: House) -> None:
    round = house.round(house.table("rou-01", "club-b", "roulette"))
    house.ticket(round, ("red", "10"))
    house.result(round, {"number": 7})
    house.settle()
    visitor = Visitor(house.manager)
    assert "Void round V" in text(visitor.get("round", round.key))
    preview = visitor.propose(round, "void_hand", ground="system_error")
    assert "Void round: rou-01 round 1" in text(preview) and "Void round now" in text(preview)
    visitor.confirm(preview, round, "void_hand")
    assert "Reinstate round R" in text(visitor.get("round", round.key))
    assert "Void round System error rou-01-1" in text(visitor.get("rulings"))
    assert "Round voided" in text(Visitor(house.compliance).get("round", round.key))
