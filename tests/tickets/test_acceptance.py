"""Acceptance: a ticket is taken whole or refused whole, with a code for every bet."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from casino.models import LimitSet, Round
from casino.services.holds import let_stand
from games.money import parse_amount
from tests.dealing import dealt
from tests.house import BANKER_WINS, House
from tickets.models import Line, Refusal, Ticket
from tickets.services.acceptance import Answer, accept_tickets

pytestmark = pytest.mark.first_hand


def codes(answer: Answer) -> list[str | None]:
    return [refusal and refusal.code for refusal in answer.refusals]


@dealt
def spin(house: House) -> Round:
    """A round of roulette that takes 5.00 on a straight up."""
    round = house.round(house.table("rou-01", "club-b", "roulette"))
    house.limit(round.table, bets={"straight": (100, 500)})
    return round


def hand_number(house: House, number: int, **table: str) -> object:
    where = house.table(**table)
    house.shoe(where)
    return house.round(where, number)


def test_a_ticket_pins_the_book_and_the_limits_in_force(house: House) -> None:
    round = house.hand()
    ticket = house.ticket(round, ("banker", "100"), ("tie", "5"))
    assert ticket.stake == 10500
    assert ticket.book_version == round.book_version
    assert ticket.limit_set == LimitSet.objects.get(table=round.table)
    assert list(Line.objects.filter(ticket=ticket).values_list("number", "stake")) == [
        (1, 10000),
        (2, 500),
    ]


def test_an_unknown_bet_is_refused_and_its_neighbour_named_sound(house: House) -> None:
    answer = house.bet(house.hand(), ("banker", "10"), ("frog", "1"))
    assert codes(answer) == [None, "unknown_bet"]
    assert Ticket.objects.count() == 0


def test_a_refusal_is_kept_with_who_was_refused_what_and_why(house: House) -> None:
    round = house.hand()
    house.bet(round, ("frog", "1"), reference="r-1", player="p-7")
    kept = Refusal.objects.get()
    assert (kept.operator.code, kept.reference, kept.player) == ("north", "r-1", "p-7")
    assert kept.codes == ["unknown_bet"]
    assert kept.round_key == round.key
    assert kept.answer[0]["message"].endswith("has no bet 'frog'.")
    assert kept.body["bets"] == [{"bet": "frog", "selection": "", "stake": "1"}]


def test_a_refused_reference_may_be_used_again(house: House) -> None:
    round = house.hand()
    house.bet(round, ("frog", "1"), reference="r-1")
    assert house.bet(round, ("banker", "10"), reference="r-1").ticket is not None


@pytest.mark.parametrize(
    "stake", ["0", "-5", "0.001", "1e3", " 5", "NaN", "", "10000000000000", 5, 5.0, None, True]
)
def test_a_stake_that_is_no_amount_is_refused(house: House, stake: object) -> None:
    answer = house.bet(house.hand(), ("banker", stake))  # type: ignore[arg-type]
    assert codes(answer) == ["invalid_stake"]


@pytest.mark.nothing_dealt
@pytest.mark.parametrize(("hand", "taken"), [(30, True), (31, False)])
def test_big_and_small_are_offered_on_the_first_30_hands(
    house: House, hand: int, taken: bool
) -> None:
    """club-a, No Commission Baccarat, Big/Small."""
    round = hand_number(house, hand)
    answer = house.bet(round, ("big", "10"))  # type: ignore[arg-type]
    assert codes(answer) == ([] if taken else ["not_offered"])


def test_super_7s_needs_player_banker_or_tie(house: House) -> None:
    """club-b, 7 Up Baccarat: the prerequisite may lie on another ticket of the player."""
    round = house.hand("7up", book="club-b", game="seven_up")
    assert codes(house.bet(round, ("super_7s", "5"))) == ["prerequisite_missing"]
    house.ticket(round, ("tie", "5"))
    house.ticket(round, ("super_7s", "5"))
    assert codes(house.bet(round, ("super_7s", "5"), player="p-2")) == ["prerequisite_missing"]


def test_euro_refuses_player_with_banker_across_tickets(house: House) -> None:
    """R-8."""
    round = house.hand("euro-1", book="euro", game="baccarat")
    one_ticket = house.bet(round, ("player", "10"), ("banker", "10"))
    assert "prohibited_combination" in codes(one_ticket)
    house.ticket(round, ("player", "10"))
    assert codes(house.bet(round, ("banker", "10"))) == ["prohibited_combination"]
    house.ticket(round, ("banker", "10"), player="p-2")
    house.ticket(round, ("banker", "10"), client=house.south)


def test_euro_restrictions_hold_across_currencies(house: House) -> None:
    round = house.hand("euro-1", book="euro", game="baccarat")
    house.limit(round.table, "EUR")
    house.ticket(round, ("player", "10"))
    answer = house.bet(round, ("banker", "10"), currency="EUR")
    assert codes(answer) == ["prohibited_combination"]


def test_stakes_outside_the_limits_are_refused(house: House) -> None:
    round = house.hand()
    assert codes(house.bet(round, ("banker", "0.99"))) == ["below_minimum"]
    assert codes(house.bet(round, ("banker", "1000.01"))) == ["above_maximum"]


def test_the_maximum_counts_all_tickets_of_the_player_on_the_bet(house: House) -> None:
    round = house.hand()
    house.ticket(round, ("banker", "600"))
    assert codes(house.bet(round, ("banker", "400.01"))) == ["above_maximum"]
    house.ticket(round, ("banker", "400"))
    house.ticket(round, ("player", "1000"))
    house.ticket(round, ("banker", "1000"), player="p-2")


def test_the_maximum_counts_lines_of_one_ticket_together(house: House) -> None:
    answer = house.bet(house.hand(), ("banker", "600"), ("banker", "600"))
    assert codes(answer) == [None, "above_maximum"]


def test_a_bet_with_limits_of_its_own_follows_them(house: House) -> None:
    round = house.hand()
    house.limit(round.table, bets={"tie": (500, 2000)})
    assert codes(house.bet(round, ("tie", "4"), ("banker", "1000"))) == ["below_minimum", None]
    assert codes(house.bet(round, ("tie", "20.01"))) == ["above_maximum"]


def test_the_table_minimum_and_maximum_count_all_of_a_players_bets(house: House) -> None:
    round = house.hand()
    house.limit(round.table, table_min=2000, table_max=10000)
    assert codes(house.bet(round, ("banker", "10"), ("tie", "5"))) == ["table_minimum"] * 2
    house.ticket(round, ("banker", "20"))
    house.ticket(round, ("tie", "5"))
    assert codes(house.bet(round, ("banker", "75.01"))) == ["above_maximum"]


def test_a_selection_may_have_limits_of_its_own(house: House) -> None:
    round = house.round(house.table("rou-01", book="club-b", game="roulette"))
    house.limit(round.table, bets={"straight": (100, 5_000), "straight:17": (100, 1_000)})
    assert codes(house.bet(round, ("straight", "17", "10.01"))) == ["above_maximum"]
    house.ticket(round, ("straight", "18", "50"))


def test_an_operators_tickets_follow_its_own_limits(house: House) -> None:
    round = house.hand()
    house.limit(round.table, operator=house.north.operator, bets={"": (100, 5_000)})
    assert codes(house.bet(round, ("banker", "50.01"))) == ["above_maximum"]
    ticket = house.ticket(round, ("banker", "50.01"), client=house.south)
    assert ticket.limit_set.operator is None
    assert house.ticket(round, ("banker", "50")).limit_set.operator == house.north.operator


def test_limits_to_come_do_not_hold_yet(house: House) -> None:
    round = house.hand()
    later = timezone.now() + timedelta(days=1)
    house.limit(round.table, bets={"": (100, 500)}, effective_from=later)
    assert house.ticket(round, ("banker", "1000")).limit_set.version == 1


def test_what_a_players_bets_can_pay_is_bounded_over_all_tickets(house: House) -> None:
    """The dearest result counts: a tie pays 9 for one and gives the Banker's stake back."""
    round = house.hand()
    house.limit(round.table, payout_max=20_000)
    assert codes(house.bet(round, ("banker", "100.01"))) == ["above_maximum"]
    house.ticket(round, ("banker", "100"))
    house.ticket(round, ("player", "10"))
    assert codes(house.bet(round, ("tie", "10.01"))) == ["above_maximum"]
    house.ticket(round, ("tie", "10"))
    house.ticket(round, ("banker", "100"), player="p-2")


def test_what_all_players_bets_can_pay_is_bounded_by_round_and_currency(house: House) -> None:
    round = house.round(house.table("rou-01", book="club-b", game="roulette"))
    house.limit(round.table, "EUR")
    house.limit(round.table, exposure_max=72_000)
    house.ticket(round, ("straight", "17", "10"))
    house.ticket(round, ("straight", "18", "20"), player="p-2", client=house.south)
    assert codes(house.bet(round, ("straight", "17", "10.01"), player="p-3")) == ["above_maximum"]
    answer = house.bet(round, ("straight", "18", "0.5"), ("straight", "17", "0.5"), player="p-3")
    assert codes(answer) == ["below_minimum"] * 2
    refusal = house.bet(round, ("straight", "18", "1"), player="p-3").refusals[0]
    assert "could have to pay more on this round" in str(refusal)
    house.ticket(round, ("straight", "17", "10"), player="p-3")
    house.ticket(round, ("straight", "17", "1000"), player="p-3", currency="EUR")
    house.ticket(round, ("straight", "17", "1000"), player="p-4", test=True)


def test_the_exposure_counts_the_tickets_of_one_call_together(house: House) -> None:
    round = house.hand()
    house.limit(round.table, exposure_max=40_000)
    asked = [house.asked(round, [("banker", "100")], player=f"p-{n}") for n in range(3)]
    answers = accept_tickets(asked=asked, client=house.north)
    assert [codes(answer) for answer in answers] == [[], [], ["above_maximum"]]


def test_a_test_ticket_takes_no_room_from_the_tickets_of_its_call(house: House) -> None:
    round = house.hand()
    house.limit(round.table, exposure_max=40_000)
    asked = [
        house.asked(round, [("banker", "200")], player="p-1", test=True),
        house.asked(round, [("banker", "200")], player="p-2"),
        house.asked(round, [("banker", "200")], player="p-3", test=True),
    ]
    answers = accept_tickets(asked=asked, client=house.north)
    assert [codes(answer) for answer in answers] == [[], [], []]


def test_a_blackjack_ante_is_bounded_with_what_it_may_come_to(house: House) -> None:
    """004 doubles no split hand: for one ante 2.5, a split 2 and half an insurance at 3."""
    round = house.hand("bj-01", book="euro", game="blackjack")
    house.limit(round.table, payout_max=60_000)
    house.ticket(round, ("ante", "box1", "100"))
    assert codes(house.bet(round, ("ante", "box2", "1"))) == ["above_maximum"]


def test_a_table_without_limits_in_a_currency_takes_no_tickets_in_it(house: House) -> None:
    round = house.hand()
    assert codes(house.bet(round, ("banker", "10"), currency="EUR")) == ["unknown_currency"]
    assert codes(house.bet(round, ("banker", "10"), currency="XXX")) == ["unknown_currency"]


def test_a_ticket_after_no_more_bets_is_refused(house: House) -> None:
    round = house.hand()
    house.close(round)
    assert codes(house.bet(round, ("banker", "10"))) == ["betting_closed"]
    house.post_result(round, BANKER_WINS)
    assert codes(house.bet(round, ("banker", "10"))) == ["betting_closed"]


def test_a_round_on_hold_takes_no_ticket_until_it_is_let_stand(house: House) -> None:
    round = house.hand()
    house.hold(round)
    assert codes(house.bet(round, ("banker", "10"))) == ["betting_closed"]
    words = {"ground": "management_discretion", "note": "The card was not in play."}
    let_stand(round=round, **words, actor=house.manager, reason="Looked.")
    house.ticket(round, ("banker", "10"))


def test_a_ticket_on_a_void_round_is_refused(house: House) -> None:
    round = house.hand()
    house.void(round)
    assert codes(house.bet(round, ("banker", "10"))) == ["betting_closed"]


def test_an_unknown_round_is_refused_for_every_bet(house: House) -> None:
    answer = accept_tickets(
        asked=[house.asked("nowhere", [("banker", "10"), ("tie", "1")])], client=house.north
    )[0]
    assert codes(answer) == ["unknown_round", "unknown_round"]


def test_the_same_ticket_again_is_answered_as_the_first_time(house: House) -> None:
    round = house.hand()
    first = house.bet(round, ("banker", "10"), reference="r-1")
    again = house.bet(round, ("banker", "10"), reference="r-1")
    assert first.ticket is not None and again.ticket == first.ticket
    assert (first.repeated, again.repeated) == (False, True)
    assert again.stakes == first.stakes
    assert Ticket.objects.count() == 1


def test_the_same_ticket_again_after_the_round_is_settled_still_answers(house: House) -> None:
    round = house.hand()
    house.bet(round, ("banker", "10"), reference="r-1")
    house.result(round, BANKER_WINS)
    house.settle()
    assert house.bet(round, ("banker", "10"), reference="r-1").repeated


def test_the_same_amount_written_otherwise_is_the_same_ticket(house: House) -> None:
    round = house.hand()
    house.ticket(round, ("banker", "10"), reference="r-1")
    assert house.bet(round, ("banker", "10.00"), reference="r-1").repeated


def test_another_ticket_under_the_same_reference_is_a_conflict(house: House) -> None:
    round = house.hand()
    house.ticket(round, ("banker", "10"), reference="r-1")
    assert codes(house.bet(round, ("banker", "11"), reference="r-1")) == ["duplicate_reference"]
    other = house.bet(round, ("banker", "10"), reference="r-1", player="p-2")
    assert codes(other) == ["duplicate_reference"]


def test_a_reference_belongs_to_its_operator(house: House) -> None:
    round = house.hand()
    house.ticket(round, ("banker", "10"), reference="r-1")
    answer = house.bet(round, ("player", "5"), reference="r-1", client=house.south)
    assert answer.ticket is not None and not answer.repeated


def test_one_call_answers_each_ticket_for_itself(house: House) -> None:
    round = house.hand()
    asked = [
        house.asked(round, [("banker", "10")], reference="a"),
        house.asked(round, [("frog", "10")], reference="b"),
        house.asked(round, [("tie", "10")], reference="c"),
        house.asked(round, [("banker", "10")], reference="a"),
        house.asked(round, [("banker", "12")], reference="a"),
    ]
    answers = accept_tickets(asked=asked, client=house.north)
    assert [answer.ticket is not None for answer in answers] == [True, False, True, True, False]
    assert [answer.repeated for answer in answers] == [False, False, False, True, False]
    assert codes(answers[4]) == ["duplicate_reference"]
    assert Ticket.objects.count() == 2


def test_tickets_of_one_call_count_against_each_other(house: House) -> None:
    round = house.hand()
    asked = [house.asked(round, [("banker", "600")]) for _ in range(2)]
    answers = accept_tickets(asked=asked, client=house.north)
    assert answers[0].ticket is not None
    assert codes(answers[1]) == ["above_maximum"]


def test_a_thousand_tickets_take_as_many_statements_as_ten(house: House) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    round = house.hand()
    house.ticket(round, ("banker", "10"))

    def statements(tickets: int) -> int:
        asked = [
            house.asked(round, [("banker", "1")], player=f"p{tickets}-{n}") for n in range(tickets)
        ]
        with CaptureQueriesContext(connection) as queries:
            answers = accept_tickets(asked=asked, client=house.north)
        assert all(answer.ticket for answer in answers)
        return len(queries)

    assert statements(1000) == statements(10)


def test_limits_for_a_currency_without_minor_units(house: House) -> None:
    round = house.hand()
    house.limit(round.table, "JPY", bets={"": (100, parse_amount("50000", "JPY"))})
    assert house.ticket(round, ("banker", "50000"), currency="JPY").stake == 50000
    answer = house.bet(round, ("banker", "100.5"), currency="JPY", player="p-2")
    assert codes(answer) == ["invalid_stake"]


@pytest.mark.parametrize(
    ("bet", "selection", "multiple"),
    [
        ("straight", "17", 1), ("split", "17-20", 2), ("street", "1-2-3", 3),
        ("corner", "1-2-4-5", 4), ("four", "0-1-2-3", 4), ("line", "1-2-3-4-5-6", 6),
        ("column", "1", 10), ("dozen", "1", 10), ("red", "", 20),
    ],
)  # fmt: skip
def test_roulette_maxima_are_multiples_of_the_straight_ups(
    house: House, spin: Round, bet: str, selection: str, multiple: int
) -> None:
    """001, Roulette, limits: x1 x2 x3 x4 x4 x6 x10 x10 x20."""
    assert codes(house.bet(spin, (bet, selection, f"{5 * multiple}.01"))) == ["above_maximum"]
    house.ticket(spin, (bet, selection, str(5 * multiple)))
