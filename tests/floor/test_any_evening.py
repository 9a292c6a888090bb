"""Whatever the floor deals and management rules, in whatever order: the ledger follows.

A machine plays legal and refused steps at two tables, one of which rides on a third, and holds
the ledger against a second account of what every ticket is due, kept in Python from the outcomes
that were accepted. The feed, read from zero in small pages, rebuilds the same balances.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from django.db import connection, transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    rule,
    run_state_machine_as_test,
)

from casino.models import ApiClient, OutcomeRevision, Round, Table
from casino.selectors import game_of
from casino.services import holds
from games import rulebook
from games.refusals import Refused
from games.returns import payout
from games.rulebook import Action
from tests.floor.test_riding import DEALT, MISREAD
from tests.house import (
    BANKER_SIX,
    BANKER_WINS,
    PLAYER_WINS,
    REASON,
    TIE,
    WRONG_THIRD_CARD,
    House,
)
from tickets.feed import read_feed
from tickets.models import Line, Posting, Ticket
from tickets.services.ledger import verify_ledger

HANDS: dict[str, list[dict[str, Any]]] = {
    "no_commission_baccarat": [BANKER_SIX, BANKER_WINS, PLAYER_WINS, TIE, WRONG_THIRD_CARD],
    "three_pictures": [DEALT, MISREAD],
    "super_fan_tan": [{"die": 1}, {"die": 8}],
}
BETS: dict[str, list[tuple[str, ...]]] = {
    "no_commission_baccarat": [
        ("banker", "10"), ("player", "33.33"), ("tie", "5"), ("super_6", "7.77"),
    ],
    "three_pictures": [("win", "player1", "10"), ("lose", "player3", "12.50")],
    "super_fan_tan": [("fan", "3", "20"), ("fan", "4", "9.99"), ("odd", "10")],
}  # fmt: skip
ALLOWING = {
    "void_hand": {Action.VOID_HAND},
    "edit": {Action.EDIT, Action.DISCRETION},
    "swap": {Action.SWAP},
    "reinstate": set(Action),
}
"""By what a ruling does: the actions of a ground that let it."""

some = st.integers(min_value=0, max_value=999)


def one(rows: list[Any], number: int) -> Any:
    return rows[number % len(rows)]


class Evening(RuleBasedStateMachine):
    """An evening at three tables, which goes on from where another one stands."""

    def __init__(
        self, house: House, tables: Sequence[Table] = (), tickets: Sequence[Ticket] = ()
    ) -> None:
        super().__init__()
        self.outer = transaction.atomic()
        self.outer.__enter__()
        self.house, self.tables, self.tickets = deepcopy((house, list(tables), list(tickets)))
        self.ruled_out: dict[int, list[tuple[int, bool]]] = defaultdict(list)

    def teardown(self) -> None:
        try:
            self.house.settle()
            self.ledger_and_feed_agree_with_the_outcomes()
            assert verify_ledger().differences == ()
            connection.check_constraints()
        finally:
            transaction.set_rollback(True)
            self.outer.__exit__(None, None, None)

    def tables_open(self) -> None:
        baccarat = self.house.table("bac-01")
        self.house.shoe(baccarat)
        self.tables = [
            baccarat,
            self.house.table("pic-01", "club-b", "three_pictures"),
            self.house.table("fan-01", "club-b", "super_fan_tan", rides_on="pic-01"),
        ]
        for number, table in enumerate([0, 1, 2, 0, 1, 2, 0]):
            self.a_table_deals(table, number)
        self.house.settle()

    @property
    def rounds(self) -> list[Round]:
        return list(Round.objects.order_by("pk"))

    def try_to(self, do: Any) -> None:
        """Do it, or be refused with nothing written."""
        counts = [OutcomeRevision.objects.count, Posting.objects.count, Line.objects.count]
        before = [count() for count in counts]
        try:
            with transaction.atomic():
                do()
        except Refused:
            assert [count() for count in counts] == before

    @rule(table=some, hand=some)
    def a_table_deals(self, table: int, hand: int) -> None:
        """Its next round with two tickets on it; or the result, if one is running."""
        where = one(self.tables, table)
        last = where.rounds.order_by("-pk").first()
        if last is not None and last.phase in (Round.Phase.BETTING, Round.Phase.CLOSED):
            self.try_to(lambda: self.house.result(last, one(HANDS[last.game], hand)))
            return
        self.try_to(lambda: self.house.round(where, last.number + 1 if last else 1))
        for client in (self.house.north, self.house.south):
            self.bet(self.rounds[-1], hand, hand, client)

    @rule(number=some, bet=some, player=some)
    def a_ticket_is_placed(self, number: int, bet: int, player: int) -> None:
        self.bet(one(self.rounds[-3:], number), bet, player, self.house.north)

    def bet(self, round: Round, bet: int, player: int, client: ApiClient) -> None:
        asked = one(BETS[round.game], bet)
        answer = self.house.bet(round, asked, player=f"p-{player % 3}", client=client)
        open_now = round.phase == Round.Phase.BETTING and not round.on_hold
        assert open_now or answer.ticket is None
        if answer.ticket is not None:
            self.tickets.append(answer.ticket)

    @rule(number=some, hand=some)
    def a_result_is_posted(self, number: int, hand: int) -> None:
        """Perhaps of a round that has one already, or is open, void or on hold."""
        round = one(self.rounds, number)
        self.try_to(lambda: self.house.post_result(round, one(HANDS[round.game], hand)))

    @rule(number=some, choice=some, hand=some, settle=st.booleans())
    def management_rules(self, number: int, choice: int, hand: int, settle: bool) -> None:
        """Something that the round and the book allow, however often and after whatever."""
        round = one(self.rounds, number)
        kinds = {Round.Phase.VOID: ["reinstate"], Round.Phase.RESULTED: list(ALLOWING)}
        kind = one(kinds.get(round.phase, ["void_hand"]), choice)
        grounds = [
            name
            for name, ground in sorted(game_of(round).grounds.items())
            if not ALLOWING[kind].isdisjoint(ground.actions)
        ]
        if grounds:
            self.ruled(round, kind, one(grounds, hand), hand, settle)

    @rule(number=some, kind=st.sampled_from(["void_hand", "edit", "reinstate", "swap"]), hand=some)
    def management_tries(self, number: int, kind: str, hand: int) -> None:
        """Anything, possible or not."""
        round = one(self.rounds, number)
        self.ruled(round, kind, one(sorted(game_of(round).grounds), hand), hand, False)

    def ruled(self, round: Round, kind: str, ground: str, hand: int, settle: bool) -> None:
        outcome = one(HANDS[round.game], hand) if kind == "edit" else None
        self.try_to(lambda: self.house.rule(round, kind, ground, outcome=outcome, settle=settle))
        if settle:
            self.ledger_and_feed_agree_with_the_outcomes()

    @rule(number=some, void=st.booleans(), settle=st.booleans())
    def a_ticket_is_ruled_on(self, number: int, void: bool, settle: bool) -> None:
        ticket = one(self.tickets, number)
        do = self.house.void_ticket if void else self.house.reinstate_ticket

        def ruled() -> None:
            do(ticket, settle=settle)
            revision = Round.objects.get(pk=ticket.round_id).outcome_revision
            self.ruled_out[ticket.pk].append((max(revision, 1), void))

        self.try_to(ruled)

    @rule(number=some, named=st.integers(min_value=0, max_value=3))
    def a_shoe_is_voided_and_replaced(self, number: int, named: int) -> None:
        shoe = self.tables[0].shoes.order_by("-number").first()
        hands = list(shoe.rounds.filter(phase=Round.Phase.RESULTED, on_hold=False))

        def replaced() -> None:
            self.house.void_shoe(shoe, *hands[:named])
            self.house.shoe(self.tables[0], shoe.number + 1)

        if number % 4 == 0:
            self.try_to(replaced)

    @rule(number=some, stand=st.booleans())
    def a_round_is_held_or_stands(self, number: int, stand: bool) -> None:
        round = one(self.rounds, number)
        ground = one(sorted(game_of(round).grounds), number // 3)
        words = {"round": round, "ground": ground, "note": "Seen.", "reason": REASON}
        do = holds.let_stand if stand else holds.hold_round
        self.try_to(lambda: do(actor=self.house.manager, **words))

    @rule()
    def what_is_due_is_settled(self) -> None:
        self.house.settle()
        assert self.house.settle() == []
        self.ledger_and_feed_agree_with_the_outcomes()

    def ledger_and_feed_agree_with_the_outcomes(self) -> None:
        settled = {round.pk for round in Round.objects.filter(settled_revision__gt=0)}
        for ticket in self.tickets:
            if ticket.round_id in settled:
                assert self.house.paid(ticket) == self.due(ticket), ticket.reference
                assert sum(self.house.deltas(ticket)) == self.due(ticket), ticket.reference
            else:
                assert self.house.deltas(ticket) == []
        assert self.balances() == Counter(
            {t.reference: self.due(t) for t in self.tickets if t.round_id in settled}
        )

    def due(self, ticket: Ticket) -> int:
        """What the last outcome that was settled says, line by line."""
        round = Round.objects.get(pk=ticket.round_id)
        outcome = round.outcomes.get(revision=round.settled_revision)
        lines = [
            (rulebook.Wager(line.wager.bet, line.wager.selection, None), line.stake)
            for line in Line.objects.filter(ticket=ticket).select_related("wager")
        ]
        told = [void for since, void in self.ruled_out[ticket.pk] if since <= outcome.revision]
        if outcome.void_ground or (told and told[-1]):
            return sum(stake for _, stake in lines)
        game = game_of(round)
        verdicts = game.resolve(game.read(outcome.outcome or {}), [wager for wager, _ in lines])
        return sum(
            payout(stake, verdict.returns)
            for (_, stake), verdict in zip(lines, verdicts, strict=True)
        )

    def balances(self) -> Counter[str]:
        """What a client makes of the feed from zero."""
        found: Counter[str] = Counter()
        seen: list[str] = []
        after, more = "", True
        while more:
            page = read_feed(operator=None, after=after, limit=7)
            for row in page.rows:
                found[row["reference"]] += int(row["delta"].replace(".", ""))
            seen += [row["position"] for row in page.rows]
            after, more = page.next, page.has_more
        assert len(seen) == len(set(seen))
        return found


def test_any_sequence_leaves_every_ticket_at_what_the_last_outcome_says(house: House) -> None:
    opening = Evening(house)
    opening.tables_open()
    try:
        run_state_machine_as_test(
            lambda: Evening(opening.house, opening.tables, opening.tickets),
            settings=settings(
                max_examples=6,
                stateful_step_count=16,
                deadline=None,
                suppress_health_check=list(HealthCheck),
            ),
        )
    finally:
        opening.teardown()
