"""What the house pays if …: drawn and in figures while a round has no result."""

from __future__ import annotations

import re

import pytest

from casino.models import Round
from casino.selectors import game_of
from games.money import format_amount
from games.returns import payout
from tests.house import PLAYER_WINS, House
from tests.web.browsing import Visitor, text
from tests.web.counting import queries

pytestmark = pytest.mark.first_hand


def roulette(house: House) -> Round:
    return house.round(house.table("rou-01", book="club-b", game="roulette"))


def test_every_number_says_what_the_rules_pay_on_it(house: House) -> None:
    round = roulette(house)
    house.ticket(round, ("straight", "17", "10"), ("red", "50"))
    house.ticket(round, ("split", "17-20", "5"), client=house.south)
    game = game_of(round)
    wagers = [game.wager("straight", "17"), game.wager("red"), game.wager("split", "17-20")]
    said = text(Visitor(house.supervisor).get("round", round.key))
    for number in range(37):
        verdicts = game.resolve(game.read({"number": number}), wagers)
        pays = sum(
            payout(stake, verdict.returns)
            for stake, verdict in zip((1_000, 5_000, 500), verdicts, strict=True)
        )
        assert f"Number {number} {format_amount(pays, 'USD')} USD" in said, number
    assert "at most 450.00 USD , stakes included · staked 65.00 USD , the dashed line" in said
    assert "Number 17 450.00 USD -385.00 USD" in said


def test_the_chart_tells_its_point_to_who_cannot_see_it(house: House) -> None:
    round = house.hand()
    house.ticket(round, ("banker", "10"), ("tie", "5"))
    page = Visitor(house.manager).get("table", "bac-01").content.decode()
    label = "What the house pays in USD: most on Tie, 55.00; staked 15.00"
    assert f'aria-label="{label}"' in page
    assert len(re.findall(r'<rect class="pb-bar', page)) == 3


def test_currencies_stand_apart_and_test_tickets_are_left_out(house: House) -> None:
    round = house.hand()
    house.limit(round.table, "EUR", exposure_max=500_000)
    house.ticket(round, ("banker", "10"))
    house.ticket(round, ("banker", "20"), currency="EUR")
    house.ticket(round, ("banker", "500"), test=True)
    said = text(Visitor(house.compliance).get("round", round.key))
    assert "What the house pays in EUR if … at most 40.00 EUR of 5,000.00 EUR allowed" in said
    assert "What the house pays in USD if … at most 20.00 USD , stakes included" in said


def test_a_game_with_too_many_ends_says_only_the_most(house: House) -> None:
    table = house.table("bj-01", book="euro", game="blackjack")
    house.shoe(table)
    round = house.round(table)
    house.ticket(round, ("ante", "box1", "10"))
    page = Visitor(house.manager).get("round", round.key)
    assert "at most 60.00 USD" in text(page)
    assert "pb-bar" not in page.content.decode()


def test_it_is_gone_with_the_result_and_hidden_from_who_may_see_no_money(house: House) -> None:
    round = house.hand()
    house.ticket(round, ("banker", "10"))
    assert "What the house pays" not in text(Visitor(house.administrator).get("table", "bac-01"))
    assert "What the house pays" in text(Visitor(house.manager).get("table_live", "bac-01"))
    house.result(round, PLAYER_WINS)
    assert "What the house pays" not in text(Visitor(house.manager).get("table", "bac-01"))


def test_more_tickets_take_no_more_queries(house: House) -> None:
    round = roulette(house)
    house.ticket(round, ("straight", "17", "10"))
    visitor = Visitor(house.manager)
    one = queries(lambda: visitor.get("round_live", round.key))
    house.ticket(round, ("straight", "18", "10"), ("red", "50"), client=house.south)
    assert queries(lambda: visitor.get("round_live", round.key)) == one
