"""Forced interleavings on real connections: nothing is lost, doubled or passed by."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.db import connection, transaction

from casino.audit import verify_log
from casino.models import AuditHead
from casino.selectors import limits_in_force
from casino.services import reviews, rounds, rulings
from casino.services.plans import Draft, plan_ruling
from casino.services.rulings import rule
from casino.services.shoe_plans import plan_void_shoe
from games.refusals import Refused
from tests.house import BANKER_WINS, PLAYER_WINS, House, build_house
from tickets.feed import read_feed
from tickets.models import Posting, Settlement, Ticket
from tickets.services import settlement, verification
from tickets.services.acceptance import accept_tickets
from tickets.services.ledger import verify_ledger
from tickets.services.settlement import settle_due
from tickets.services.verification import HouseVerification, verify_house

pytestmark = pytest.mark.django_db(transaction=True)

LONG = 20
"""Seconds after which a step that never comes fails the test; none waits that long."""


@pytest.fixture
def house(transactional_db: None) -> House:
    return build_house()


class Meanwhile(threading.Thread):
    """Something done on a connection of its own; its result or its error is kept."""

    def __init__(self, do: Callable[[], object]) -> None:
        super().__init__(daemon=True)
        self.do, self.answer, self.error = do, None, None  # type: ignore[var-annotated]
        self.start()

    def run(self) -> None:
        try:
            self.answer = self.do()
        except Exception as error:  # noqa: BLE001 - handed to whoever asks for the result
            self.error = error
        finally:
            connection.close()

    def done(self) -> object:
        self.join(LONG)
        assert not self.is_alive(), "still waiting"
        if self.error:
            raise self.error
        return self.answer

    def waits_for_a_lock(self) -> None:
        """Return once the database says that another connection waits for a lock."""
        for _ in range(LONG * 100):
            with connection.cursor() as cursor:
                cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
                if cursor.fetchone()[0]:
                    return
            assert self.is_alive(), "finished without waiting"
            threading.Event().wait(0.01)
        raise AssertionError("never waited for a lock")


@contextmanager
def paused(monkeypatch: pytest.MonkeyPatch, module: object, name: str) -> Iterator[Pause]:
    """Stop the first call of a function before it begins, until told to go on."""
    pause = Pause(getattr(module, name))
    monkeypatch.setattr(module, name, pause)
    yield pause
    pause.go.set()


class Pause:
    def __init__(self, real: Callable[..., object]) -> None:
        self.real, self.reached, self.go = real, threading.Event(), threading.Event()

    def __call__(self, *args: object, **kwargs: object) -> object:
        if not self.reached.is_set():
            self.reached.set()
            assert self.go.wait(LONG)
        return self.real(*args, **kwargs)


def test_a_batch_that_commits_late_is_still_read(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first writer has its postings but commits last; a reader looks in between."""
    for code in ("bac-01", "bac-02"):
        round = house.hand(code)
        house.ticket(round, ("banker", "10"), reference=code)
        house.result(round, BANKER_WINS)
    first, second = Ticket.objects.order_by("id").values_list("round_id", flat=True)
    with paused(monkeypatch, settlement, "_seal") as seal:
        slow = Meanwhile(lambda: settle_due(actor=house.system, round_ids=[first]))
        assert seal.reached.wait(LONG)
        settle_due(actor=house.system, round_ids=[second])
        page = read_feed(operator=None, after="")
        assert [row["reference"] for row in page.rows] == ["bac-02"]
    slow.done()
    rest = read_feed(operator=None, after=page.next)
    assert [row["reference"] for row in rest.rows] == ["bac-01"]


def test_a_verification_reads_the_house_as_it_was_at_one_moment(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is dealt and settled after it read the ledger is not in the log that it reads next."""
    house.play(BANKER_WINS, ("banker", "10"))
    end = AuditHead.objects.get().position
    with paused(monkeypatch, verification, "verify_log") as log:
        slow = Meanwhile(lambda: verify_house(actor=house.system, reason="Nightly."))
        assert log.reached.wait(LONG)
        house.play(BANKER_WINS, ("banker", "10"))
        assert AuditHead.objects.get().position > end
    found = slow.done()
    assert isinstance(found, HouseVerification)
    assert (found.ledger.rounds, found.log.head.position, found.differences) == (1, end, ())


def test_a_batch_that_rolls_back_leaves_no_gap(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    round = house.hand()
    house.ticket(round, ("banker", "10"))
    house.result(round, BANKER_WINS)
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        house.settle()
        raise ZeroDivisionError
    assert not Settlement.objects.exists() and not Posting.objects.exists()
    house.settle()
    assert [row.position for row in Settlement.objects.all()] == [1]
    assert verify_ledger().differences == ()


def test_a_reader_mid_way_misses_nothing_when_its_next_page_is_resettled(house: House) -> None:
    round = house.hand()
    for number in range(6):
        house.ticket(round, ("banker", "10"), player=f"p-{number}", reference=f"r-{number}")
    house.result(round, BANKER_WINS)
    house.settle()
    page = read_feed(operator=None, after="", limit=3)
    house.edit(round, PLAYER_WINS)
    seen = [(row["reference"], row["delta"]) for row in page.rows]
    while page.has_more:
        page = read_feed(operator=None, after=page.next, limit=3)
        seen += [(row["reference"], row["delta"]) for row in page.rows]
    assert seen == [(f"r-{n}", "20.00") for n in range(6)] + [
        (f"r-{n}", "-20.00") for n in range(6)
    ]


def test_two_workers_on_one_round_settle_it_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    round = house.hand()
    ticket = house.ticket(round, ("banker", "10"))
    house.result(round, BANKER_WINS)
    with paused(monkeypatch, settlement, "_post") as post:
        worker = Meanwhile(lambda: settle_due(actor=house.system))
        assert post.reached.wait(LONG)
        assert settle_due(actor=house.system) == []
    assert len(worker.done()) == 1  # type: ignore[arg-type]
    assert house.deltas(ticket) == [2000]


def test_a_worker_that_dies_half_way_leaves_nothing_half_settled(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    round = house.hand()
    ticket = house.ticket(round, ("banker", "10"))
    house.result(round, BANKER_WINS)
    with paused(monkeypatch, settlement, "_seal") as seal:
        worker = Meanwhile(lambda: settle_due(actor=house.system))
        assert seal.reached.wait(LONG)
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE pid <> pg_backend_pid() AND state = 'idle in transaction' "
                "AND datname = current_database()"
            )
    with pytest.raises(Exception, match=r"terminat|closed"):
        worker.done()
    assert not Posting.objects.exists()
    house.settle()
    assert house.deltas(ticket) == [2000]
    assert verify_ledger().differences == ()


def test_a_ruling_waits_for_the_settlement_and_is_then_refused_as_moved(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    round = house.hand()
    house.ticket(round, ("banker", "10"))
    house.result(round, BANKER_WINS)
    with paused(monkeypatch, settlement, "_seal") as seal:
        worker = Meanwhile(lambda: settle_due(actor=house.system))
        assert seal.reached.wait(LONG)
        ruling = Meanwhile(lambda: house.void(round, settle=False))
        ruling.waits_for_a_lock()
    worker.done()
    with pytest.raises(Refused, match="changed since the preview"):
        ruling.done()


def test_two_managers_on_one_round_the_second_is_told_what_the_first_did(house: House) -> None:
    round = house.hand()
    house.ticket(round, ("banker", "10"))
    house.result(round, BANKER_WINS)
    house.settle()
    round.refresh_from_db()
    draft = Draft("void_hand", "exposed_card", "Seen.", "cam 3")
    seen = plan_ruling(round=round, draft=draft, actor=house.manager).seen

    def void() -> object:
        return rule(round=round, draft=draft, seen=seen, actor=house.manager, reason="Seen.")

    both = [Meanwhile(void), Meanwhile(void)]
    for thread in both:
        thread.join(LONG)
    [refused] = [thread.error for thread in both if thread.error]
    assert isinstance(refused, Refused) and refused.code == "conflict"
    assert "Void hand" in str(refused)
    assert round.rulings.count() == 1


def test_two_managers_void_one_shoe_and_the_second_is_told(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    settled = house.play(PLAYER_WINS, ("player", "10"))
    running = house.ticket(house.hand(), ("player", "10"))
    shoe, draft = running.round.shoe, house.shoe_draft(settled.round)
    assert shoe is not None
    seen = plan_void_shoe(shoe=shoe, draft=draft, actor=house.manager).seen

    def void() -> object:
        return rulings.void_shoe(
            shoe=shoe, draft=draft, seen=seen, actor=house.manager, reason="Nine."
        )

    with paused(monkeypatch, rulings, "plan_void_shoe") as planning:
        first = Meanwhile(void)
        assert planning.reached.wait(LONG)
        second = Meanwhile(void)
        second.waits_for_a_lock()
    first.done()
    with pytest.raises(Refused, match="Shoe 1 is already void") as refused:
        second.done()
    assert refused.value.code == "conflict"
    house.settle()
    assert (house.deltas(settled), house.deltas(running)) == ([2000, -1000], [1000])
    assert shoe.rulings.count() == 1
    assert verify_ledger().differences == ()


@pytest.mark.parametrize("first", ["void shoe", "result"])
def test_a_void_shoe_and_the_result_of_its_hand_one_wins_the_other_is_told(
    house: House, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    ticket = house.ticket(house.hand(), ("player", "10"))
    round, shoe = house.close(ticket.round), ticket.round.shoe
    assert shoe is not None
    draft = house.shoe_draft()
    seen = plan_void_shoe(shoe=shoe, draft=draft, actor=house.manager).seen

    def void() -> object:
        return rulings.void_shoe(
            shoe=shoe, draft=draft, seen=seen, actor=house.manager, reason="Nine."
        )

    def result() -> object:
        return house.post_result(round, PLAYER_WINS)

    if first == "void shoe":
        place, acts, told, pays = (rulings, "plan_void_shoe"), (void, result), "takes no result", 1
    else:
        place, acts, told, pays = (rounds, "with_draws"), (result, void), "since the preview", 2
    with paused(monkeypatch, *place) as inside:
        winner = Meanwhile(acts[0])
        assert inside.reached.wait(LONG)
        loser = Meanwhile(acts[1])
        loser.waits_for_a_lock()
    winner.done()
    with pytest.raises(Refused, match=told) as refused:
        loser.done()
    assert refused.value.code == "conflict"
    house.settle()
    assert house.deltas(ticket) == [pays * 1000]
    assert verify_ledger().differences == ()


def test_a_ticket_in_the_middle_of_acceptance_is_in_before_betting_closes(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tickets.services import acceptance

    round = house.hand()
    with paused(monkeypatch, acceptance, "_write") as write:
        placing = Meanwhile(lambda: house.ticket(round, ("banker", "10")))
        assert write.reached.wait(LONG)
        closing = Meanwhile(lambda: house.close(round))
        closing.waits_for_a_lock()
    ticket = placing.done()
    closing.done()
    assert house.bet(round, ("banker", "10")).refusals[0].code == "betting_closed"  # type: ignore[union-attr]
    house.post_result(round, BANKER_WINS)
    house.settle()
    assert house.deltas(ticket) == [2000]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("book", "game", "bets", "code"),
    [
        ("euro", "baccarat", [("player", "10"), ("banker", "10")], "prohibited_combination"),
        ("asia", "baccarat", [("banker", "600"), ("banker", "600")], "above_maximum"),
    ],
)
def test_two_tickets_of_a_player_at_once_never_pass_a_rule_together(
    house: House,
    monkeypatch: pytest.MonkeyPatch,
    book: str,
    game: str,
    bets: list[tuple[str, str]],
    code: str,
) -> None:
    from tickets.services import acceptance

    round = house.hand("t-1", book=book, game=game)
    with paused(monkeypatch, acceptance, "_write") as write:
        first = Meanwhile(lambda: house.bet(round, bets[0]))
        assert write.reached.wait(LONG)
        second = Meanwhile(lambda: house.bet(round, bets[1]))
        second.waits_for_a_lock()
    assert first.done().ticket is not None  # type: ignore[attr-defined]
    assert second.done().refusals[0].code == code  # type: ignore[attr-defined]


@pytest.mark.parametrize("bounded", ["table", "other operator"])
def test_two_players_at_once_never_pass_the_exposure_of_a_round_together(
    house: House, monkeypatch: pytest.MonkeyPatch, bounded: str
) -> None:
    """Also where the first ticket's own limits do not bound it: the second must see it."""
    from tickets.services import acceptance

    round = house.hand()
    if bounded == "table":
        house.limit(round.table, exposure_max=30_000)
    else:
        house.limit(round.table, operator=house.south.operator, bets={}, exposure_max=30_000)
    # Locks of players are shared by chance, and these two must not wait for each other's.
    monkeypatch.setattr(acceptance, "_lock_players", lambda *_: None)
    with paused(monkeypatch, acceptance, "_write") as write:
        first = Meanwhile(lambda: house.bet(round, ("banker", "100"), player="p-1"))
        assert write.reached.wait(LONG)
        second = Meanwhile(
            lambda: house.bet(round, ("banker", "100"), player="p-2", client=house.south)
        )
        second.waits_for_a_lock()
    assert first.done().ticket is not None  # type: ignore[attr-defined]
    assert second.done().refusals[0].code == "above_maximum"  # type: ignore[attr-defined]


def test_a_first_maximum_exposure_waits_for_the_tickets_on_their_way_in(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They were not locked against each other; the next ticket has to see them all the same."""
    from tickets.services import acceptance

    round = house.hand()
    monkeypatch.setattr(acceptance, "_lock_players", lambda *_: None)
    with paused(monkeypatch, acceptance, "_write") as write:
        first = Meanwhile(lambda: house.bet(round, ("banker", "100"), player="p-1"))
        assert write.reached.wait(LONG)
        setting = Meanwhile(lambda: house.limit(round.table, exposure_max=30_000))
        setting.waits_for_a_lock()
    assert first.done().ticket is not None  # type: ignore[attr-defined]
    setting.done()
    assert house.bet(round, ("banker", "100"), player="p-2").refusals[0].code == "above_maximum"  # type: ignore[union-attr]


def test_a_table_assigned_while_its_profile_changes_takes_on_the_change(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    from casino.services import limit_plans

    profile, table = house.profile(), house.table()
    with paused(monkeypatch, limit_plans, "write_profile") as write:
        changing = Meanwhile(lambda: house.profile(bets={"": (100, 20_000)}))
        assert write.reached.wait(LONG)
        assigning = Meanwhile(lambda: house.assign(profile, table))
        assigning.waits_for_a_lock()
    changing.done()
    assigning.done()
    assert str(limits_in_force(table)["USD"].profile_version) == "Main floor/USD/2"


def test_players_at_a_table_without_a_maximum_exposure_do_not_wait_for_each_other(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tickets.services import acceptance

    round = house.hand()
    monkeypatch.setattr(acceptance, "_lock_players", lambda *_: None)
    with paused(monkeypatch, acceptance, "_write") as write:
        first = Meanwhile(lambda: house.bet(round, ("banker", "100"), player="p-1"))
        assert write.reached.wait(LONG)
        assert house.bet(round, ("banker", "100"), player="p-2").ticket is not None
    assert first.done().ticket is not None  # type: ignore[attr-defined]


def test_one_reference_twice_at_once_is_one_ticket(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tickets.services import acceptance

    round = house.hand()
    asked = house.asked(round, [("banker", "10")], reference="r-1")

    def place() -> object:
        return accept_tickets(asked=[asked], client=house.north)[0]

    with paused(monkeypatch, acceptance, "_write") as write:
        first = Meanwhile(place)
        assert write.reached.wait(LONG)
        second = Meanwhile(place)
        second.waits_for_a_lock()
    answers = [first.done(), second.done()]
    assert [answer.repeated for answer in answers] == [False, True]  # type: ignore[attr-defined]
    assert Ticket.objects.count() == 1


def test_one_reference_for_two_players_at_once_is_one_ticket_and_one_conflict(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tickets.services import acceptance

    round = house.hand()
    # Locks are shared by chance, and these two must not wait for each other.
    monkeypatch.setattr(acceptance, "_lock_players", lambda *_: None)
    with paused(monkeypatch, acceptance, "_write") as write:
        first = Meanwhile(lambda: house.bet(round, ("banker", "10"), reference="r-1", player="p-1"))
        assert write.reached.wait(LONG)
        second = house.bet(round, ("banker", "10"), reference="r-1", player="p-2")
    answers = [first.done(), second]
    assert sorted(answer.ticket is None for answer in answers) == [False, True]  # type: ignore[attr-defined]
    [refused] = [a.refusals[0].code for a in answers if a.ticket is None]  # type: ignore[attr-defined]
    assert refused == "duplicate_reference"


def test_many_writers_and_a_reader_every_row_once_and_the_chain_whole(house: House) -> None:
    rounds = []
    for number in range(24):
        round = house.hand(f"bac-{number:02}")
        house.ticket(round, ("banker", "10"), reference=f"r-{number}")
        house.result(round, BANKER_WINS)
        rounds.append(round.pk)

    def settle(mine: list[int]) -> None:
        for round_id in mine:
            settle_due(actor=house.system, round_ids=[round_id])

    writers = [Meanwhile(lambda part=part: settle(rounds[part::4])) for part in range(4)]
    seen: list[str] = []
    cursor = ""
    while any(writer.is_alive() for writer in writers) or len(seen) < len(rounds):
        page = read_feed(operator=None, after=cursor)
        seen += [row["reference"] for row in page.rows]
        cursor = page.next
        assert len(seen) <= len(rounds)
        for writer in writers:
            assert writer.error is None
    assert sorted(seen) == sorted(f"r-{number}" for number in range(24))
    assert verify_ledger().differences == ()


def test_a_review_waits_for_another_and_ends_no_earlier(house: House) -> None:
    by = {"actor": house.compliance, "reason": "Nothing stood out."}
    with transaction.atomic():
        reviews.review_log(upto=5, **by)
        second = Meanwhile(lambda: reviews.review_log(upto=3, **by))
        second.waits_for_a_lock()
    with pytest.raises(Refused, match=r"reviewed up to No\. 5 already"):
        second.done()
    last = reviews.last_review()
    assert last is not None and last.upto == 5


def test_a_decision_while_the_log_is_verified_is_no_fault_of_its_chain(house: House) -> None:
    """The end of the chain moves on between the walk along it and the look at its end."""
    moved: list[Meanwhile] = []

    def then_decide(execute: Callable[..., object], sql: str, *rest: object) -> object:
        if "casino_audithead" in sql and not moved:
            moved.append(Meanwhile(lambda: house.table("bac-02")))
            moved[0].done()
        return execute(sql, *rest)

    with connection.execute_wrapper(then_decide):
        found = verify_log()
    assert moved and found.faults == ()
    assert verify_log().head.position > found.head.position
