"""Shoes: commencement, blue card, close."""

from __future__ import annotations

import pytest

from casino.models import AuditEvent, Incident, Round, Ruling, Shoe, Table
from casino.selectors import cards_out, cards_used
from casino.services import shoes
from games.refusals import Refused
from tests.house import BANKER_SIX, BANKER_WINS, REASON, WRONG_THIRD_CARD, House

pytestmark = pytest.mark.first_table


def open_shoe(house: House, first_card: str, burned: int, number: int = 1) -> Shoe:
    table = Table.objects.filter(code="bac-01").first() or house.table()
    return shoes.open_shoe(
        table=table,
        number=number,
        first_card=first_card,
        burned=burned,
        actor=house.studio.person,
        reason=REASON,
    )


@pytest.mark.parametrize(
    ("card", "burn"), [("AS", 1), ("2H", 2), ("9C", 9), ("TD", 10), ("JS", 10), ("KH", 10)]
)
def test_the_first_card_says_how_many_are_skipped(house: House, card: str, burn: int) -> None:
    """Commencement: J, Q and K are considered as 10."""
    open_shoe(house, card, burn)
    assert not Incident.objects.exists()


def test_a_burn_that_does_not_fit_is_a_commencement_error(house: House) -> None:
    shoe = open_shoe(house, "KH", 9)
    incident = Incident.objects.get()
    assert (incident.kind, incident.shoe) == ("commencement_error", shoe)
    assert incident.note == "First card KH skips 10 cards, 9 were burned."


@pytest.mark.parametrize("card", ["1S", "10H", "KX", "kh", "KHH"])
def test_a_first_card_that_does_not_exist_is_refused(house: House, card: str) -> None:
    with pytest.raises(Refused, match="is not a card"):
        open_shoe(house, card, 10)
    assert not Shoe.objects.exists()


def test_the_same_shoe_again_is_the_same_shoe_and_another_a_conflict(house: House) -> None:
    shoe = open_shoe(house, "KH", 10)
    assert open_shoe(house, "KH", 10) == shoe
    with pytest.raises(Refused, match="another first card"):
        open_shoe(house, "5H", 5)
    with pytest.raises(Refused, match="still open"):
        open_shoe(house, "5H", 5, number=2)


@pytest.mark.first_hand
def test_the_blue_card_in_a_hand_makes_it_the_last(house: House) -> None:
    """Block BAC: the running game will be the last hand."""
    round = house.hand()
    by = {"actor": house.studio.person, "reason": REASON}
    assert round.shoe is not None
    shoe = shoes.draw_blue_card(shoe=round.shoe, at="in_hand", **by)
    assert shoe.phase == Shoe.Phase.LAST_HAND
    house.result(round, BANKER_WINS)
    assert late(house, shoe, 2).phase == "void"


def late(house: House, shoe: Shoe, number: int) -> Round:
    """A hand that the table opens although the last one is behind it."""
    return house.round(shoe.table, number)


@pytest.mark.first_hand
def test_hands_after_the_last_are_void_each_with_an_incident_and_never_take_a_bet(
    house: House,
) -> None:
    """Block BAC, clause 2: additional hands are invalid and void."""
    round = house.hand()
    assert round.shoe is not None
    by = {"actor": house.studio.person, "reason": REASON}
    shoes.draw_blue_card(shoe=round.shoe, at="in_hand", **by)
    house.result(round, BANKER_WINS)
    for number in (2, 3):
        hand = late(house, round.shoe, number)
        assert (hand.phase, late(house, round.shoe, number)) == ("void", hand)
        [refusal] = [one for one in house.bet(hand, ("player", "10")).refusals if one]
        assert refusal.code == "betting_closed"
        with pytest.raises(Refused, match="is void"):
            house.post_result(hand, BANKER_WINS)
        incident = hand.incidents.get()
        assert incident.kind == "late_hand" and incident.closing.ruling.kind == "void_hand"
    assert not house.settle()[0].tickets
    assert Incident.objects.filter(kind="late_hand").count() == 2


def test_the_blue_card_as_burn_card_lets_no_further_hand_begin(house: House) -> None:
    shoe = open_shoe(house, "KH", 10)
    by = {"actor": house.studio.person, "reason": REASON}
    assert shoes.draw_blue_card(shoe=shoe, at="burn", **by).phase == Shoe.Phase.SPENT
    assert late(house, shoe, 1).phase == "void"
    assert shoes.draw_blue_card(shoe=shoe, at="burn", **by).phase == Shoe.Phase.SPENT
    with pytest.raises(Refused, match="behind it"):
        shoes.draw_blue_card(shoe=shoe, at="in_hand", **by)


@pytest.mark.first_hand
def test_a_shoe_closes_when_no_hand_of_it_runs(house: House) -> None:
    round = house.hand()
    by = {"actor": house.studio.person, "reason": REASON}
    assert round.shoe is not None
    with pytest.raises(Refused, match="still running"):
        shoes.close_shoe(shoe=round.shoe, **by)
    house.result(round, BANKER_WINS)
    closed = shoes.close_shoe(shoe=round.shoe, **by)
    assert closed.phase == Shoe.Phase.CLOSED and closed.closed_at is not None
    assert shoes.close_shoe(shoe=round.shoe, **by).closed_at == closed.closed_at
    house.shoe(round.table, 2)


@pytest.mark.nothing_dealt
@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize(
    ("book", "game", "ground"),
    [
        ("club-a", "no_commission_baccarat", "blue_card"),
        ("euro", "baccarat", "late_hand"),
    ],
)
def test_the_blue_card_as_burn_card_voids_the_hand_that_is_open_and_returns_its_bets(
    house: House, book: str, game: str, ground: str, closed: bool
) -> None:
    """Block BAC, clause 2: the latter game does not begin."""
    round = house.hand(book=book, game=game)
    ticket = house.ticket(round, ("player", "100"))
    if closed:
        house.close(round)
    assert round.shoe is not None
    shoe = shoes.draw_blue_card(
        shoe=round.shoe, at="burn", actor=house.studio.person, reason=REASON
    )
    house.settle()
    round.refresh_from_db()
    assert (shoe.phase, round.phase, house.paid(ticket)) == ("spent", "void", 10_000)
    incident = round.incidents.get()
    assert (incident.kind, incident.closing.ruling.ruled_by) == (ground, house.studio.person)


@pytest.mark.first_hand
def test_a_hand_on_hold_was_dealt_before_the_burn_and_waits_on(house: House) -> None:
    round = house.hand()
    house.result(round, WRONG_THIRD_CARD)
    assert round.shoe is not None
    shoes.draw_blue_card(shoe=round.shoe, at="burn", actor=house.studio.person, reason=REASON)
    round.refresh_from_db()
    assert round.on_hold and round.phase == "closed"


def correct(house: House, shoe: Shoe, first_card: str, burned: int, **more: str) -> Ruling:
    return shoes.correct_commencement(
        shoe=shoe, first_card=first_card, burned=burned, note=more.get("note", "Counted anew."),
        actor=house.supervisor, reason=REASON,
    )  # fmt: skip


def test_a_commencement_is_put_right_before_the_first_hand(house: House) -> None:
    """Block BAC, clause 1: corrected on the spot if the cards of the first hand are not dealt."""
    shoe = open_shoe(house, "KH", 9)
    house.round(shoe.table)
    ruling = correct(house, shoe, "KH", 10)
    shoe.refresh_from_db()
    assert (shoe.first_card, shoe.burned) == ("KH", 10)
    assert Incident.objects.get().closing.ruling == ruling
    assert ruling.plan == {
        "before": {"first_card": "KH", "burned": 9}, "after": {"first_card": "KH", "burned": 10},
    }  # fmt: skip
    assert AuditEvent.objects.filter(action="shoe_corrected", subject=f"shoe:{shoe}").count() == 1
    assert shoe.history.first().history_user == house.supervisor


def test_a_misread_first_card_is_put_right_as_well(house: House) -> None:
    shoe = open_shoe(house, "9C", 9)
    correct(house, shoe, "9D", 9)
    with pytest.raises(Refused, match="recorded already"):
        correct(house, shoe, "9D", 9)


def test_a_shoe_that_was_put_right_is_answered_as_first_posted_too(house: House) -> None:
    """Whoever lost the answer posts again what the table said then, and knows of no correction."""
    shoe = open_shoe(house, "KH", 9)
    correct(house, shoe, "KH", 10)
    for burned in (9, 10):
        assert open_shoe(house, "KH", burned).burned == 10
    with pytest.raises(Refused, match="another first card"):
        open_shoe(house, "KH", 8)


def test_after_the_first_hand_a_commencement_is_not_corrected(house: House) -> None:
    shoe = open_shoe(house, "KH", 9)
    house.close(house.round(shoe.table))
    with pytest.raises(Refused, match="cannot be corrected, only voided"):
        correct(house, shoe, "KH", 10)


@pytest.mark.parametrize(
    ("first_card", "burned", "note", "why"),
    [
        ("KH", 9, "Again.", "skips 10 cards, 9 were burned"),
        ("", 10, "Again.", "Name the first card"),
        ("KX", 10, "Again.", "KX is not a card"),
        ("KH", 10, " ", "Say in a note why"),
    ],
)
def test_a_correction_must_be_one(
    house: House, first_card: str, burned: int, note: str, why: str
) -> None:
    shoe = open_shoe(house, "KH", 9)
    with pytest.raises(Refused, match=why):
        correct(house, shoe, first_card, burned, note=note)
    assert not Ruling.objects.exists()


def test_only_the_pit_corrects_a_commencement(house: House) -> None:
    shoe = open_shoe(house, "KH", 9)
    for person in (house.compliance, house.administrator, house.studio.person):
        with pytest.raises(Refused, match="may not do this"):
            shoes.check_correction(shoe, actor=person)


@pytest.mark.parametrize(
    ("book", "game", "printed"),
    [("club-b", "seven_up", True), ("asia", "baccarat", False), ("euro", "blackjack", False)],
)
def test_a_first_card_is_asked_for_where_the_document_prints_a_commencement(
    house: House, book: str, game: str, printed: bool
) -> None:
    where = {"table": house.table("x-1", book, game), "number": 1}
    by = {"actor": house.studio.person, "reason": REASON}
    if printed:
        with pytest.raises(Refused, match="Name the first card"):
            shoes.open_shoe(**where, **by)
    else:
        assert cards_out(shoes.open_shoe(**where, **by)) == 0


def test_the_cut_card_lies_where_the_document_prints_it_or_where_the_table_says(
    house: House,
) -> None:
    """004 Baccarat 1.3.1, 3.3.4: seven cards from the end."""
    by = {"actor": house.studio.person, "reason": REASON}
    euro = shoes.open_shoe(table=house.table("x-1", "euro", "baccarat"), number=1, **by)
    told = {"table": house.table(), "number": 1, "first_card": "KH", "burned": 10}
    club = shoes.open_shoe(**told, cut=52, **by)
    assert (euro.cards_to_cut, club.cards_to_cut) == (409, 364)
    for cut in (52, None):
        assert shoes.open_shoe(**told, cut=cut, **by) == club
    with pytest.raises(Refused, match="another first card, burn or cut"):
        shoes.open_shoe(**told, cut=14, **by)
    with pytest.raises(Refused, match="No card lies 416 cards from the end"):
        shoes.open_shoe(**told | {"number": 2}, cut=416, **by)


@pytest.mark.first_hand
def test_the_cards_that_are_out_are_counted_with_every_result_edit_and_void(house: House) -> None:
    first = house.hand()
    shoe = first.shoe
    assert shoe is not None and cards_out(shoe) == 11
    house.result(first, BANKER_WINS)
    assert cards_out(shoe) == 15
    house.edit(first, BANKER_SIX)
    house.result(house.hand(), BANKER_WINS | {"unnecessary": ["2H"]})
    house.void(first)
    assert cards_out(shoe) == 21 == cards_used(shoe).total() + shoe.burned


def test_every_version_of_a_shoe_says_who_when_and_why(house: House) -> None:
    shoe = open_shoe(house, "KH", 10)
    shoes.close_shoe(shoe=shoe, actor=house.studio.person, reason="Time to shuffle.")
    versions = list(shoe.history.order_by("history_id"))
    assert [version.phase for version in versions] == ["open", "closed"]
    assert versions[1].history_user == house.studio.person
    assert versions[1].history_change_reason == "Time to shuffle."
