"""`manage.py replay_hands`: recorded hands played through the whole house."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from casino.models import Round, Shoe, Table
from casino.selectors import due_rounds, game_of
from casino.services import rounds, shoes
from tickets.management.commands.replay_hands import BAR, _progress
from tickets.management.recorded import in_shoes, read_hands
from tickets.management.replay import REASON, prepare
from tickets.management.slips import all_wagers
from tickets.models import Line, Refusal, Settlement, Ticket

REAL = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "baccarat_hands.jsonl"

NATURAL_NINE = {
    "player": ["KS", "9H"],
    "banker": ["7D", "JC"],
    "winner": "P",
    "house_won": ["player", "small", "player_wins_with_natural", "any_natural"],
}
BANKER_ON_SIX = {
    "player": ["KS", "2H", "3C"],
    "banker": ["6D", "JC"],
    "winner": "B",
    "house_won": ["banker", "big", "super_six"],
}
TIE = {
    "player": ["KS", "7H"],
    "banker": ["7D", "JC"],
    "winner": "T",
    "house_won": ["tie", "small"],
}
TWO_PAIRS = {
    "player": ["8S", "8D"],
    "banker": ["9C", "9H"],
    "winner": "B",
    "house_won": ["banker", "small", "player_pair", "banker_pair", "banker_wins_with_natural"],
}
WINNER_ONLY = {
    "player": ["2S", "3D", "KD"],
    "banker": ["4C", "AH"],
    "winner": "T",
    "house_won": None,
}
HANDS = [NATURAL_NINE, BANKER_ON_SIX, TIE, TWO_PAIRS, WINNER_ONLY]

GAMES = [
    ("club-a", "no_commission_baccarat"),
    ("club-a", "super_98"),
    ("club-a", "fabulous_4"),
    ("club-a", "lucky_baccarat"),
    ("club-b", "super_98"),
    ("asia", "baccarat"),
    ("euro", "baccarat"),
]

pytestmark = pytest.mark.django_db


def play(file: Path, **options: Any) -> tuple[int, str]:
    """Replay a file: the exit status, and everything that was said."""
    said = StringIO()
    try:
        call_command("replay_hands", str(file), stdout=said, **options)
    except CommandError as failure:
        return failure.returncode, f"{said.getvalue()}{failure}"
    return 0, said.getvalue()


@pytest.fixture
def replay(tmp_path: Path) -> Callable[..., tuple[int, str]]:
    """Replay hands out of a file of their own."""

    def replay(hands: Iterable[dict[str, Any]], **options: Any) -> tuple[int, str]:
        file = tmp_path / "hands.jsonl"
        file.write_text("".join(json.dumps(hand) + "\n" for hand in hands))
        return play(file, **options)

    return replay


def under(title: str, report: str) -> str:
    """What a report says under a title."""
    return next(
        line.removeprefix(title).strip() for line in report.splitlines() if line.startswith(title)
    )


@pytest.mark.parametrize(("book", "game"), GAMES)
def test_every_bet_of_the_book_is_placed_on_every_hand_and_settled(replay, book, game):
    status, report = replay(HANDS, book=book, game=game)

    assert status == 0, report
    table = Table.objects.get(book=book, game=game)
    offered = {(wager.bet, wager.selection) for wager in all_wagers(game_of(table))}
    for round in Round.objects.filter(table=table):
        lines = Line.objects.filter(round=round).values_list("wager__bet", "wager__selection")
        assert set(lines) == offered
        assert Settlement.objects.filter(round=round, revision=1).exists()
    assert under("hands", report) == "5"
    assert under("differences", report) == "0"
    assert under("tickets", report) == str(Ticket.objects.count())
    assert under("bet lines", report) == str(Line.objects.count())
    assert "5 rounds and" in under("ledger", report)


def test_the_money_of_the_report_is_that_of_the_book(replay):
    _, report = replay([TIE], book="euro", game="baccarat")

    # Player and Tie on one slip at 10.00 and 7.35, Banker alone at 10.00; a tie pays 8:1.
    assert under("stakes", report) == "27.35 USD"
    assert under("payouts", report) == "86.15 USD"


def test_bets_that_exclude_each_other_lie_with_different_players(replay):
    replay([TIE], book="euro", game="baccarat")

    held = {ticket.player: set(bets(ticket)) for ticket in Ticket.objects.all()}
    assert len(held) == Ticket.objects.count()
    assert not any({"player", "banker"} <= bets for bets in held.values())


def bets(ticket: Ticket) -> Iterable[str]:
    return Line.objects.filter(ticket=ticket).values_list("wager__bet", flat=True)


def test_recorded_spots_that_the_book_has_not_are_named(replay):
    _, report = replay([NATURAL_NINE], book="euro", game="baccarat")

    named = under("not offered", report).split()
    assert named == ["any_natural", "player_wins_with_natural", "small"]


@pytest.mark.parametrize(
    ("hand", "changed", "told"),
    [
        (NATURAL_NINE, {"winner": "B"}, "recorded winner banker, here player"),
        (NATURAL_NINE, {"house_won": ["player", "small"]}, "natural was not paid, here it wins"),
        (TIE, {"house_won": ["tie", "big"]}, "big was paid, here it loses"),
        (TIE, {"house_won": ["tie", "small", "player_pair"]}, "player_pair was paid"),
        (BANKER_ON_SIX, {"house_won": ["banker", "big"]}, "super_six was not paid"),
        (TIE, {"house_won": ["small"]}, "tie was not paid, here it wins"),
    ],
)
def test_a_difference_is_told_with_its_line_and_the_exit_status_is_1(replay, hand, changed, told):
    status, report = replay([TWO_PAIRS, hand | changed])

    assert status == 1
    assert told in report
    assert "line 2 (round ?): " in report
    assert "line 1 " not in report


def test_a_hand_against_the_drawing_rules_is_held_and_differs(replay):
    drew_on_seven = TIE | {"player": ["KS", "7H", "2C"], "round": 4711}
    status, report = replay([drew_on_seven, NATURAL_NINE])

    assert status == 1
    assert "line 1 (round 4711): held: Player drew a third card on 7." in report
    assert under("incidents", report) == "1 wrong_card"
    assert Round.objects.get(number=1).on_hold
    assert Round.objects.get(number=2).settled_revision == 1


def test_a_hand_of_a_table_without_small_and_big_is_not_held_against_them(replay):
    status, report = replay([TIE | {"house_won": ["tie"]}])

    assert status == 0
    assert "1 of them without small and big" in report


def test_hands_keep_their_shoes_and_numbers(replay):
    replay(
        [
            NATURAL_NINE | {"shoe": "a", "hand": 3},
            NATURAL_NINE,
            TIE | {"shoe": "b", "hand": 7},
            TWO_PAIRS | {"shoe": "a", "hand": 9},
            TIE,
        ]
    )

    played = Round.objects.order_by("id").values_list("shoe__number", "number")
    assert list(played) == [(1, 3), (1, 9), (2, 7), (3, 1), (3, 2)]
    assert set(Shoe.objects.values_list("phase", flat=True)) == {Shoe.Phase.CLOSED}


def test_shoes_made_up_for_hands_without_one_are_short():
    hands = read_hands([json.dumps(TIE).encode()] * 30)

    assert [len(shoe) for shoe in in_shoes(hands)] == [12, 12, 6]


def test_past_its_window_a_bet_is_refused_and_its_condition_asked_of_the_rules(replay):
    late = TIE | {"shoe": "a", "hand": 31}
    status, report = replay([late])

    assert status == 0, report
    assert under("refusals", report) == "2 not_offered"
    assert Refusal.objects.get().codes == ["not_offered"]
    assert not Line.objects.filter(wager__bet__in=["small", "big"]).exists()
    assert replay([late | {"house_won": ["tie", "big"]}])[0] == 1


def test_a_second_replay_of_a_file_gives_a_fresh_report(replay):
    first, second = replay(HANDS[:2]), replay(HANDS[:2])

    assert second[0] == 0
    for title in ("hands", "shoes", "tickets", "bet lines", "stakes", "payouts"):
        assert under(title, first[1]) == under(title, second[1])
    assert Round.objects.count() == 2 * 2


@pytest.mark.parametrize("closed", [False, True])
def test_a_replay_that_was_cut_short_does_not_stand_in_the_way(replay, closed):
    venue = prepare(book="club-a", game="no_commission_baccarat")
    by = {"actor": venue.studio, "reason": REASON}
    shoes.open_shoe(table=venue.table, number=1, first_card="AS", burned=1, **by)
    running = rounds.open_round(table=venue.table, number=1, **by)
    if closed:
        rounds.close_betting(round=running, **by)

    status, report = replay([TIE])

    assert status == 0, report
    assert under("hands", report) == "1"
    running.refresh_from_db()
    assert running.phase == Round.Phase.RESULTED
    assert not due_rounds().exists()


def test_only_so_many_hands_are_played_at_the_table_named(replay):
    _, report = replay(HANDS, limit=2, table="north-7")

    assert under("hands", report) == "2"
    assert Round.objects.filter(table__code="north-7").count() == 2


def test_a_game_that_deals_otherwise_is_refused(replay):
    status, report = replay(HANDS, game="seven_up")

    assert status == 1
    assert "7 Up Baccarat is not" in report
    assert not Table.objects.exists()


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "null",
        "\udcff",
        "NaN",
        json.dumps({"player": ["KS", "9H"], "winner": "P"}),
        json.dumps(TIE | {"winner": "X"}),
        json.dumps(TIE | {"winner": ["P"]}),
        json.dumps(TIE | {"player": ["1S", "7H"]}),
        json.dumps(TIE | {"player": ["KS"]}),
        json.dumps(TIE | {"player": "KS7H"}),
        json.dumps(TIE | {"hand": "3"}),
        json.dumps(TIE | {"hand": 0}),
        json.dumps(TIE | {"shoe": 3}),
        json.dumps(TIE | {"house_won": "tie"}),
    ],
)
def test_an_unreadable_line_is_named_and_nothing_is_played(tmp_path, line):
    file = tmp_path / "hands.jsonl"
    file.write_bytes(f"{json.dumps(TIE)}\n\n{line}\n".encode(errors="surrogateescape"))

    status, said = play(file)

    assert status == 2
    assert "Line 3 is no recorded hand: " in said
    assert not Table.objects.exists()


def test_a_file_that_is_missing_or_empty_is_unreadable(tmp_path):
    (tmp_path / "empty").touch()

    assert play(tmp_path / "empty") == (2, f"{tmp_path / 'empty'} holds no hand.")
    assert play(tmp_path / "none")[0] == 2


def test_the_progress_bar_is_shown_on_a_terminal_only():
    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    terminal, file = Terminal(), StringIO()
    for stream in (terminal, file):
        show = _progress(4, stream)
        show(1)
        show(4)

    assert file.getvalue() == ""
    first, second = terminal.getvalue().strip().split("\r")
    assert first.count("█") == BAR // 4
    assert "1 of 4 hands" in first
    assert second.count("█") == BAR


@pytest.mark.skipif(not REAL.exists(), reason="the recorded hands are not beside the project")
def test_real_hands_differ_in_nothing(tmp_path):
    sample = tmp_path / "sample.jsonl"
    sample.write_text("\n".join(REAL.read_text().splitlines()[::68]))

    status, report = play(sample)

    assert status == 0, report
    assert under("hands", report) == "25"
    assert under("incidents", report) == "none"
