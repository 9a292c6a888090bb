"""A small house for tests, built through the services: the four people and the two operators."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from typing import Any

from casino.models import (
    ApiClient,
    ApprovalRule,
    Incident,
    LimitProfile,
    OutcomeRevision,
    Person,
    Proposal,
    Round,
    Ruling,
    Shoe,
    Stop,
    Table,
)
from casino.selectors import system
from casino.services import (
    approvals,
    holds,
    incidents,
    plans,
    rounds,
    rulings,
    setup,
    shoe_plans,
    shoes,
)
from casino.services.limit_profiles import assign_profile, set_profile
from casino.services.limits import set_limits
from casino.services.outcomes import Bets
from casino.services.policy import set_approval_rule
from casino.services.stops import stop_betting
from games.money import parse_amount
from tickets.models import Posting, Settlement, Ticket
from tickets.services.acceptance import Answer, BetAsked, TicketAsked, accept_tickets
from tickets.services.settlement import settle_due

PASSWORD = "correct horse battery"
REASON = "In a test."

PLAYER_WINS = {"player": ["KS", "9H"], "banker": ["7D", "JC"]}
BANKER_WINS = {"player": ["KS", "6H"], "banker": ["7D", "JC"]}
BANKER_SIX = {"player": ["KS", "2H", "3C"], "banker": ["6D", "JC"]}
TIE = {"player": ["KS", "7H"], "banker": ["7D", "JC"]}
WRONG_THIRD_CARD = {"player": ["KS", "6H", "2C"], "banker": ["7D", "JC"]}


@dataclass
class House:
    """People, operators, machines, and short ways to do what they do all night."""

    system: Person
    supervisor: Person
    manager: Person
    compliance: Person
    administrator: Person
    studio: ApiClient
    north: ApiClient
    south: ApiClient
    keys: dict[str, str]
    references: count[int] = field(default_factory=lambda: count(1))
    dealt: Any = None
    """What was dealt already: see tests.dealing."""
    laid: Table | None = None
    """A table bac-01 that stands there already, for whoever asks for a table."""
    open: Round | None = None
    """A first hand at bac-01 that is open already, for whoever asks for a hand."""

    def table(
        self,
        code: str = "bac-01",
        book: str = "club-a",
        game: str = "no_commission_baccarat",
        rides_on: str | None = None,
    ) -> Table:
        """A table with limits in USD: 1.00 to 1,000.00 a bet."""
        first, asked = self.laid, (code, book, game, rides_on)
        if first and asked == (first.code, first.book, first.game, None):
            self.laid = None
            return first
        table = setup.create_table(
            code=code,
            pit="main",
            book=book,
            game=game,
            rides_on=rides_on,
            actor=self.system,
            reason=REASON,
        )
        self.limit(table)
        return table

    def limit(self, table: Table, currency: str = "USD", **changes: Any) -> None:
        bets = {"": (parse_amount("1", currency), parse_amount("1000", currency))}
        values: dict[str, Any] = {"bets": bets} | changes
        set_limits(
            table=table,
            currency=currency,
            actor=self.administrator,
            reason=REASON,
            **values,
        )

    def profile(self, name: str = "Main floor", **changes: Any) -> LimitProfile:
        """A profile in USD that takes 1.00 to 500.00 a bet, or what it is changed to."""
        values: dict[str, Any] = {"currency": "USD", "bets": {"": (100, 50_000)}} | changes
        version = set_profile(name=name, actor=self.administrator, reason=REASON, **values)
        return version.profile

    def assign(self, profile: LimitProfile, *tables: Table, **more: Any) -> None:
        """Let the limits of these tables follow a profile."""
        by = {"actor": self.administrator, "reason": REASON}
        assign_profile(profile=profile, tables=tables, **by, **more)

    def shoe(self, table: Table, number: int = 1) -> Shoe:
        return shoes.open_shoe(
            table=table,
            number=number,
            first_card="TH",
            burned=10,
            actor=self.studio.person,
            reason=REASON,
        )

    def round(self, table: Table, number: int = 1) -> Round:
        return rounds.open_round(
            table=table, number=number, actor=self.studio.person, reason=REASON
        )

    def hand(self, code: str = "bac-01", **table: str) -> Round:
        """A hand with betting open; the first one at a new table where none has that code."""
        if self.open and code == self.open.table.code and not table:
            first, self.open = self.open, None
            return first
        where = Table.objects.filter(code=code).first() or self.table(code, **table)
        shoe = Shoe.objects.filter(table=where).first() or self.shoe(where)
        last = shoe.rounds.order_by("-number").first()
        return self.round(where, last.number + 1 if last else 1)

    def asked(
        self,
        round: Round | str,
        bets: Sequence[tuple[str, ...]],
        *,
        player: str = "p-1",
        reference: str = "",
        currency: str = "USD",
        test: bool = False,
    ) -> TicketAsked:
        """A ticket as a platform asks for it; a bet is (bet, stake) or (bet, selection, stake)."""
        return TicketAsked(
            reference=reference or f"ref-{next(self.references)}",
            round=round if isinstance(round, str) else round.key,
            player=player,
            currency=currency,
            placed_at=datetime(2026, 11, 29, 18, tzinfo=UTC),
            test=test,
            bets=tuple(BetAsked(bet[0], bet[1] if len(bet) == 3 else "", bet[-1]) for bet in bets),
        )

    def bet(
        self,
        round: Round,
        *bets: tuple[str, ...],
        client: ApiClient | None = None,
        **more: Any,
    ) -> Answer:
        asked = self.asked(round, bets, **more)
        return accept_tickets(asked=[asked], client=client or self.north)[0]

    def ticket(self, round: Round, *bets: tuple[str, ...], **more: Any) -> Ticket:
        """A ticket that is accepted, or the test fails."""
        answer = self.bet(round, *bets, **more)
        assert answer.ticket is not None, [str(refusal) for refusal in answer.refusals]
        return answer.ticket

    def tickets(self, number: int, round: Round, *bets: tuple[str, ...]) -> list[Ticket]:
        """So many tickets alike, accepted in one call, or the test fails."""
        asked = [self.asked(round, bets) for _ in range(number)]
        accepted = [one.ticket for one in accept_tickets(asked=asked, client=self.north)]
        assert None not in accepted
        return [ticket for ticket in accepted if ticket]

    def close(self, round: Round) -> Round:
        return rounds.close_betting(round=round, actor=self.studio.person, reason=REASON)

    def result(self, round: Round, outcome: dict[str, Any], **more: Any) -> rounds.Recorded:
        self.close(round)
        return self.post_result(round, outcome, **more)

    def post_result(self, round: Round, outcome: dict[str, Any], **more: Any) -> rounds.Recorded:
        return rounds.record_result(
            round=round,
            outcome=outcome,
            actor=self.studio.person,
            reason=REASON,
            **more,
        )

    def settle(self) -> list[Settlement]:
        return settle_due(actor=self.system)

    def play(self, outcome: dict[str, Any], *bets: tuple[str, ...], **more: Any) -> Ticket:
        """One hand from first bet to settlement; the ticket that it paid."""
        round = self.hand(**{k: more.pop(k) for k in ("code", "book", "game") if k in more})
        ticket = self.ticket(round, *bets, **more)
        self.result(round, outcome)
        self.settle()
        return ticket

    def rule(
        self,
        round: Round,
        kind: str,
        ground: str = "exposed_card",
        *,
        outcome: dict[str, Any] | None = None,
        bets: Bets | None = None,
        actor: Person | None = None,
        approved_by: Person | None = None,
        settle: bool = True,
    ) -> Ruling:
        """A ruling by the pit manager on the round as it is now, settled at once."""
        round.refresh_from_db()
        draft = plans.Draft(
            kind=kind, ground=ground, note="Seen on video.", evidence="cam 3 03:00:12",
            outcome=outcome, bets=bets,
        )  # fmt: skip
        ruling = rulings.rule(
            round=round,
            draft=draft,
            seen=plans.plan_ruling(round=round, draft=draft, actor=actor or self.manager).seen,
            approved_by=approved_by,
            actor=actor or self.manager,
            reason=draft.note,
        )
        if settle:
            self.settle()
        return ruling

    def void_shoe(
        self,
        shoe: Shoe,
        *named: Round,
        ground: str = "commencement_error",
        approved_by: Person | None = None,
    ) -> Ruling:
        """The void of a shoe by the pit manager, with its running hand and the hands named."""
        shoe.refresh_from_db()
        draft = self.shoe_draft(*named, ground=ground)
        return rulings.void_shoe(
            shoe=shoe,
            draft=draft,
            seen=shoe_plans.plan_void_shoe(shoe=shoe, draft=draft, actor=self.manager).seen,
            approved_by=approved_by,
            actor=self.manager,
            reason=draft.note,
        )

    def shoe_draft(self, *named: Round, ground: str = "commencement_error") -> plans.Draft:
        keys = tuple(round.key for round in named)
        return plans.Draft("void_shoe", ground, "Nine were burned.", "cam 3", hands=keys)

    def edit(self, round: Round, outcome: dict[str, Any], **more: Any) -> Ruling:
        return self.rule(round, "edit", more.pop("ground", "wrong_card"), outcome=outcome, **more)

    def void(self, round: Round, **more: Any) -> Ruling:
        return self.rule(round, "void_hand", **more)

    def reinstate(self, round: Round, **more: Any) -> Ruling:
        return self.rule(round, "reinstate", **more)

    def void_ticket(self, ticket: Ticket, *lines: int, **more: Any) -> Ruling:
        bets = Bets(ticket.pk, lines)
        return self.rule(
            ticket.round, "void_ticket", more.pop("ground", "late_bet"), bets=bets, **more
        )

    def reinstate_ticket(self, ticket: Ticket, *lines: int, **more: Any) -> Ruling:
        bets = Bets(ticket.pk, lines)
        return self.rule(ticket.round, "reinstate_ticket", "late_bet", bets=bets, **more)

    def hold(self, round: Round, ground: str = "exposed_card") -> Ruling:
        """A hold by the pit supervisor."""
        return holds.hold_round(
            round=round, ground=ground, note="Looked odd.", actor=self.supervisor, reason="Odd."
        )

    def incident(self, place: Table | Round, kind: str = "exposed_card", **more: Any) -> Incident:
        """An incident at a table or in a round, raised by the pit supervisor."""
        table, round = (place.table, place) if isinstance(place, Round) else (place, None)
        words = {"note": "Looked odd.", "video": "cam 3 03:00:12"} | more
        return incidents.raise_incident(
            table=table, round=round, kind=kind, actor=self.supervisor, reason="Odd.", **words
        )

    def stop(self, **scope: Any) -> Stop:
        """A stop switch thrown by the pit manager; without a scope it stops everything."""
        return stop_betting(actor=self.manager, reason="Camera 3 is dark.", **scope)

    def policy(self, **values: Any) -> ApprovalRule:
        """A rule of compliance on what needs a second person."""
        return set_approval_rule(actor=self.compliance, reason=REASON, **values)

    def proposal(self, round: Round, *, actor: Person | None = None) -> Proposal:
        """A void of the round, proposed by the pit manager under a policy that asks for two."""
        self.policy()
        round.refresh_from_db()
        draft = plans.Draft("void_hand", "exposed_card", "Seen on video.", "cam 3 03:00:12")
        actor = actor or self.manager
        seen = plans.plan_ruling(round=round, draft=draft, actor=actor).seen
        proposal = approvals.propose(
            round=round, draft=draft, seen=seen, actor=actor, reason=draft.note
        )
        assert isinstance(proposal, Proposal)
        return proposal

    def paid(self, ticket: Ticket) -> int:
        """What the ledger says the ticket pays, in minor units."""
        latest = Posting.objects.filter(ticket=ticket).order_by("-settlement_id").first()
        assert latest is not None, "not settled"
        return latest.payout

    def deltas(self, ticket: Ticket) -> list[int]:
        rows = Posting.objects.filter(ticket=ticket).order_by("settlement_id")
        return list(rows.values_list("delta", flat=True))

    def outcomes(self, round: Round) -> list[OutcomeRevision]:
        return list(round.outcomes.order_by("revision"))


_laid: list[House] = []
"""The house as it was laid last, for the tests that find it standing."""


def build_house() -> House:
    """Lay the house out, or find it as it was laid."""
    if not _laid or not Person.objects.filter(pk=_laid[-1].manager.pk).exists():
        _laid.append(_lay_house())
    return deepcopy(_laid[-1])


def _lay_house() -> House:
    actor = system()
    by = {"actor": actor, "reason": REASON}
    setup.create_pit(code="main", time_zone="Asia/Manila", **by)
    people = {
        name: setup.create_person(name=name, role=role, password=PASSWORD, **by)
        for name, role in {
            "supervisor": "pit_supervisor",
            "manager": "pit_manager",
            "compliance": "compliance",
            "administrator": "administrator",
        }.items()
    }
    clients, keys = {}, {}
    for name in ("north", "south"):
        setup.create_operator(code=name, **by)
        clients[name], keys[name] = setup.create_api_client(
            name=name, operator=name, scopes=["tickets:read", "tickets:write"], **by
        )
    studio, keys["studio"] = setup.create_api_client(
        name="studio",
        operator=None,
        scopes=["audit:read", "floor:write", "tickets:read"],
        **by,
    )
    return House(system=actor, studio=studio, keys=keys, **people, **clients)
