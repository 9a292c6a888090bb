"""`manage.py demo_floor`: tables that are dealt at, whatever was left of them before."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from random import Random

import pytest
from django.core.management import call_command
from django.db import OperationalError
from django.utils import timezone

from casino.models import ApiClient, LimitProfile, LimitSet, Pit, Round, Shoe, Table
from casino.selectors import due_rounds, game_of, open_incidents, system
from casino.services import rounds, shoes
from casino.services.limits import EVERY_BET, set_limits
from games import rulebook
from games.refusals import Refused
from tests.dealing import dealt
from tests.house import House
from tickets.management import croupier, decisions, demo_table
from tickets.management.commands import demo_floor
from tickets.management.commands.demo_floor import SETBACK, go_on, stoppable
from tickets.management.demo_house import DemoHouse, lay_out
from tickets.management.demo_table import Habits, live
from tickets.management.players import CURRENCIES, OPERATORS, PLAYERS, ask, crowd
from tickets.models import Line, LinePlay, Refusal, Settlement, Ticket
from tickets.services.acceptance import BetAsked, TicketAsked, accept_tickets
from tickets.services.ledger import verify_ledger
from tickets.services.settlement import settle_due

GAME = rulebook.book("club-a").game("no_commission_baccarat")
CLUB_B = rulebook.book("club-b")
FAULTLESS = Habits(pace=15, mishap=0)
FAULTY = Habits(pace=15, mishap=1)
BY = {"reason": "In a test."}


@dealt
def demo(house: House) -> DemoHouse:
    """A demonstration house with one table, before its first hand."""
    return lay_out([GAME])


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the players of a hand bet in one wave, not in three."""
    monkeypatch.setattr(demo_table, "WAVES", 1)


@pytest.fixture
def few(at_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no more players sit down than must, where it counts how hands follow each other."""
    fewest, _ = demo_table.SEATS
    monkeypatch.setattr(demo_table, "SEATS", (fewest, fewest))


@pytest.fixture
def table(demo: DemoHouse) -> Table:
    """Its table."""
    return demo.tables[0]


def deal(table: Table, demo: DemoHouse, hands: int, habits: Habits = FAULTLESS) -> None:
    for _ in live(table, demo, habits, hands):
        pass


@pytest.mark.slow
def test_every_game_of_every_book_is_dealt_and_settled(db, at_once):
    call_command("demo_floor", once=1, mishap=0, stdout=StringIO())

    games = {(book.code, game) for book in rulebook.books().values() for game in book.games}
    assert set(Table.objects.values_list("book", "game")) == games
    for table in Table.objects.all():
        assert [round.phase for round in table.rounds.all()] == [Round.Phase.RESULTED]
    assert not due_rounds().exists()
    assert verify_ledger().differences == ()
    assert Settlement.objects.count() == len(games)
    assert Ticket.objects.values("operator").distinct().count() == len(OPERATORS)
    assert set(Ticket.objects.values_list("currency", flat=True)) == set(CURRENCIES)
    assert len({pit.time_zone for pit in Pit.objects.all()}) == 2
    assert LimitProfile.objects.values("name").distinct().count() == 2


def test_a_second_start_creates_nothing_and_shows_no_key(db, monkeypatch):
    first, second = StringIO(), StringIO()
    monkeypatch.setattr(demo_floor, "every_game", lambda: [GAME])
    call_command("demo_floor", once=0, stdout=first)
    counted = [model.objects.count() for model in (Pit, Table, ApiClient, LimitSet)]
    call_command("demo_floor", once=0, stdout=second)

    assert first.getvalue().count("API key of") == 3
    assert second.getvalue() == ""
    assert [model.objects.count() for model in (Pit, Table, ApiClient, LimitSet)] == counted


def test_limits_that_somebody_set_since_stay(table):
    set_limits(table=table, currency="USD", bets={EVERY_BET: (500, 7000)}, actor=system(), **BY)
    lay_out([GAME])

    latest = LimitSet.objects.filter(table=table, currency="USD").order_by("-version").first()
    assert latest is not None
    assert latest.version == 2


@pytest.mark.parametrize("closed", [False, True])
def test_a_hand_left_running_is_finished_and_its_shoe_dealt_on(table, demo, closed):
    life = live(table, demo, FAULTLESS)
    for _ in range(4 if closed else 2):
        next(life)
    left = Round.objects.get(table=table)
    assert left.phase == (Round.Phase.CLOSED if closed else Round.Phase.BETTING)

    deal(table, demo, 1)

    left.refresh_from_db()
    assert left.phase == Round.Phase.RESULTED
    numbers = Round.objects.filter(table=table).order_by("id").values_list("shoe", "number")
    assert list(numbers) == [(left.shoe_id, 1), (left.shoe_id, 2)]


def test_a_shoe_left_behind_its_blue_card_gives_way_to_a_new_one(table, demo, few):
    deal(table, demo, 1)
    spent = Shoe.objects.get(table=table)
    shoes.draw_blue_card(shoe=spent, at="burn", actor=demo.studio, **BY)

    deal(table, demo, 1)

    spent.refresh_from_db()
    assert spent.phase == Shoe.Phase.CLOSED
    assert Round.objects.filter(table=table).latest("id").shoe.number == 2


def test_no_card_is_dealt_more_often_than_the_shoe_has_it(table, demo, few):
    for _ in range(2):
        deal(table, demo, 4)

    shoe = Shoe.objects.get(table=table)
    left = croupier.cards_left(shoe)
    dealt = [card for round in shoe.rounds.all() for card in cards_of(round)]
    assert len(left) == 8 * 52 - 1 - shoe.burned - len(dealt)
    assert not open_incidents().exists()


def cards_of(round: Round) -> tuple[str, ...]:
    outcome = round.outcomes.get().outcome
    return game_of(round).read(outcome).cards


def test_the_last_hand_of_a_shoe_has_the_blue_card_in_it(table, demo, few, monkeypatch):
    # After the first card and the 1 to 10 that are burned, 21 to 30 are left: 4 to 8 hands.
    behind = {1: 8 * 52 - 32, 2: 52}
    monkeypatch.setattr(demo_table, "_blue_card", lambda shoe: behind[shoe.number])
    deal(table, demo, 9)

    first, second = Shoe.objects.filter(table=table).order_by("number")
    assert (first.phase, first.blue_card) == (Shoe.Phase.CLOSED, Shoe.BlueCard.IN_HAND)
    assert second.phase == Shoe.Phase.OPEN
    assert 4 <= first.rounds.count() <= 8


def test_a_hand_on_hold_does_not_stop_its_table(table, demo, few, monkeypatch):
    monkeypatch.setattr(demo_table, "MOST_OPEN", 4)
    deal(table, demo, 6, FAULTY)

    hands = Round.objects.filter(table=table)
    assert hands.count() == 6
    assert not hands.filter(phase=Round.Phase.CLOSED, on_hold=False).exists()
    assert open_incidents().count() == 4
    assert set(open_incidents(kind="wrong_card").values_list("round__on_hold", flat=True)) <= {True}


@dealt
def pair(house: House) -> tuple[Table, Table, DemoHouse]:
    """A 3 Pictures table, the Super Fan Tan table that rides on it, and their house."""
    house = lay_out([CLUB_B.game("three_pictures"), CLUB_B.game("super_fan_tan")])
    pictures, fan = house.tables
    return pictures, fan, house


def test_super_fan_tan_rides_on_the_3_pictures_table_of_its_book(pair, few):
    pictures, fan, house = pair
    deal(pictures, house, 2)

    assert fan.rides_on == pictures
    assert [round.phase for round in fan.rounds.all()] == [Round.Phase.RESULTED] * 2
    for round in fan.rounds.all():
        assert round.rides_on is not None
        assert cards_of(round) == cards_of(round.rides_on)
        assert Ticket.objects.filter(round=round).exists()


def test_a_void_of_the_pictures_takes_the_riding_round_along(pair, house: House, few):
    pictures, fan, demo = pair
    life = live(pictures, demo, FAULTLESS)
    for _ in range(2):
        next(life)
    house.void(Round.objects.get(table=pictures))
    deal(pictures, demo, 1)

    phases = [[r.phase for r in table.rounds.order_by("id")] for table in (pictures, fan)]
    assert phases == [[Round.Phase.VOID, Round.Phase.RESULTED]] * 2


def test_a_riding_round_waits_while_the_pictures_are_on_hold(pair, house: House, few):
    pictures, fan, demo = pair
    life = live(pictures, demo, FAULTLESS)
    for _ in range(2):
        next(life)
    held = Round.objects.get(table=pictures)
    house.hold(held)
    deal(pictures, demo, 1)
    assert [round.phase for round in fan.rounds.all()] == [Round.Phase.CLOSED]

    outcome = game_of(held).deal(croupier.drawn(croupier.shuffled(1)), croupier.roll)
    house.edit(held, outcome, ground="wrong_sequence")
    deal(pictures, demo, 1)
    assert {round.phase for round in fan.rounds.all()} == {Round.Phase.RESULTED}
    assert fan.rounds.count() == 2


@pytest.mark.parametrize("code", ["club-b", "euro"])
def test_players_of_blackjack_decide_as_the_cards_allow(db, at_once, code):
    """Every decision fits: a play against the cards would stop the settlement of its round."""
    house = lay_out([rulebook.book(code).game("blackjack")])
    deal(house.tables[0], house, 4)
    settle_due(actor=system())

    assert not due_rounds().exists()
    assert not Refusal.objects.filter(codes__contains=["not_offered"]).exists()
    assert LinePlay.objects.exists()
    assert verify_ledger().differences == ()


def test_players_fold_split_double_and_insure(db, monkeypatch):
    monkeypatch.setattr(decisions, "chance", Random(1))
    house = lay_out([CLUB_B.game("blackjack")])
    [table] = house.tables
    game = game_of(table)
    dealt = {
        "dealer": ["AS", "7H"],
        "boxes": {
            "1": {"hands": [["8S", "3H", "9D"], ["8D", "TC"]]},
            "2": {"cards": ["6S", "5H", "9C"]},
            "3": {"cards": ["9S", "9H"]},
            "4": {"cards": ["KS", "9H"]},
        },
    }
    for hand in range(1, 3):
        round = rounds.open_round(table=table, number=hand, actor=house.studio, **BY)
        antes = tuple(BetAsked("ante", f"box{box}", "10.00") for box in range(1, 5))
        accept_tickets(
            asked=[
                TicketAsked(f"{hand}-{n}", round.key, f"p-{n}", "USD", timezone.now(), False, antes)
                for n in range(8)
            ],
            client=house.operators["lagoon"],
        )
        rounds.close_betting(round=round, actor=house.studio, **BY)
        decisions.decide_all(round, game.read(dealt))
        rounds.record_result(round=round, outcome=dealt, actor=house.studio, **BY)
    settle_due(actor=system())

    assert not due_rounds().exists()
    assert set(Line.objects.filter(added=True).values_list("wager__bet", flat=True)) == {
        "split", "double", "insurance",
    }  # fmt: skip
    assert LinePlay.objects.filter(wager__play="F").exists()


def test_a_misdealt_hand_is_one_that_the_rules_refuse(table, demo):
    game = game_of(table)
    cards = croupier.shuffled(8)
    outcome = game.deal(croupier.drawn(cards), croupier.roll)
    wrong = demo_table._misdealt(game, outcome, cards)

    assert wrong is not None
    with pytest.raises(Refused) as refusal:
        game.read(wrong)
    assert refusal.value.ground == "wrong_card"


def test_most_tickets_of_the_players_are_taken(table, demo):
    shoes.open_shoe(table=table, number=1, first_card="AS", burned=1, actor=demo.studio, **BY)
    round = rounds.open_round(table=table, number=1, actor=demo.studio, **BY)
    players = [player for player in crowd() if player.operator == "lagoon"]
    answers = accept_tickets(
        asked=[ask(player, round) for player in players], client=demo.operators["lagoon"]
    )

    assert len(crowd()) == PLAYERS
    taken = sum(answer.ticket is not None for answer in answers)
    assert taken > 0.8 * len(players)


@dataclass
class Clock:
    """A clock that a wait moves on; the process is told to stop when it shows the end."""

    end: float
    now: float = 0.0

    def __call__(self) -> float:
        return self.now

    def stopped_within(self, seconds: float) -> bool:
        self.now += max(seconds, 0)
        return self.now >= self.end


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock(end=60)
    monkeypatch.setattr(demo_floor, "monotonic", clock)
    return clock


@pytest.mark.parametrize(
    "fault", [OperationalError("gone\nfor good"), Refused("conflict", "Void."), KeyError("x")]
)
def test_a_table_that_fails_begins_anew_and_stops_no_other(fault, clock):
    begun: list[str] = []

    def failing() -> Iterator[float]:
        begun.append("failing")
        raise fault
        yield

    def steady() -> Iterator[float]:
        begun.append("steady")
        while True:
            begun.append("step")
            yield 10.0

    go_on([failing, steady], first=0, stopped_within=clock.stopped_within)

    assert begun.count("failing") == 60 / SETBACK
    assert begun.count("steady") == 1
    assert begun.count("step") >= 5


def test_each_step_is_led_when_it_is_due(clock):
    led: list[tuple[str, float]] = []

    def life(name: str, pause: float) -> Iterator[float]:
        for _ in range(3):
            led.append((name, clock.now))
            yield pause

    lives = [lambda: life("slow", 10.0), lambda: life("quick", 4.0)]
    go_on(lives, first=0, stopped_within=clock.stopped_within)

    assert led == [
        ("slow", 0), ("quick", 0), ("quick", 4), ("quick", 8), ("slow", 10), ("slow", 20),
    ]  # fmt: skip


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_wait_at_once_and_leaves_the_handlers_as_they_were(number):
    before = signal.getsignal(number)
    with stoppable() as stopped_within:
        assert not stopped_within(0)
        os.kill(os.getpid(), number)
        assert stopped_within(3600)
    assert signal.getsignal(number) == before
