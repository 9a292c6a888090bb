"""Playing recorded hands through the house: shoes, rounds, tickets, results and settlement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from time import monotonic, sleep
from typing import Any

from django.db.models import Count, Sum
from django.utils import timezone

from casino.models import ApiClient, Incident, OutcomeRevision, Person, Round, Shoe, Table
from casino.models.people import Scope
from casino.selectors import due_rounds, game_of, open_shoe_of, system
from casino.services import rounds, setup, shoes
from casino.services.limits import EVERY_BET, set_limits
from casino.signals import outcome_recorded
from games import rulebook
from games.money import format_amount
from games.refusals import Refused
from tickets.management import croupier
from tickets.management.recorded import RecordedHand, differences, in_shoes, spots_of
from tickets.management.slips import cover, past_window
from tickets.models import Line, Posting, Resolution, Ticket, Wager
from tickets.services.acceptance import Answer, BetAsked, TicketAsked, accept_tickets
from tickets.services.ledger import Verification, verify_ledger
from tickets.services.settlement import BATCH, settle_due
from tickets.tasks import settle_soon

REASON = "Replay of recorded hands."
CURRENCY = "USD"
STAKES = (1000, 735, 2500, 101, 5000, 1205, 333)
"""Minor units, some of them odd, so that half cents have to be rounded."""

LIMITS = (100, 1_000_000)
FIRST_CARD = "TS"
"""What every shoe opens with: no record tells."""

PATIENCE = 100
"""Times that another worker's settlement is waited for, a tenth of a second each."""


@dataclass(frozen=True, slots=True)
class Venue:
    """Where a replay plays, and in whose name."""

    table: Table
    studio: Person
    operator: ApiClient


@dataclass(slots=True)
class Report:
    """What a replay did and found. Money is minor units of CURRENCY, times are seconds."""

    shoes: int = 0
    made_up_shoes: int = 0
    played: list[int] = field(default_factory=list)
    tickets: int = 0
    lines: int = 0
    stake: int = 0
    payout: int = 0
    refusals: Counter[str] = field(default_factory=Counter)
    incidents: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)
    ledger: Verification | None = None
    playing: float = 0
    verifying: float = 0


@dataclass(slots=True)
class _Replay:
    venue: Venue
    game: rulebook.Game
    spots: dict[str, tuple[str, ...]]
    report: Report
    unsettled: list[tuple[RecordedHand, Round]] = field(default_factory=list)
    faces: Iterator[int] = field(default_factory=lambda: cycle(range(60)))

    def by(self) -> dict[str, Any]:
        return {"actor": self.venue.studio, "reason": REASON}

    def roll(self, faces: int) -> int:
        """Show each face in turn, so that a replay can be repeated: no die was recorded."""
        return next(self.faces) % faces + 1


def prepare(*, book: str, game: str, table: str = "") -> Venue:
    """Create what a replay needs and find what is there already.

    The table is named after the book and the game unless told otherwise. Refuses a game that is
    not dealt P1 B1 P2 B2 from the shoe.
    """
    by: dict[str, Any] = {"actor": system(), "reason": REASON}
    played = rulebook.book(book).game(game)
    if played.family != "baccarat" or played.options["fixed_seven"]:
        raise Refused(
            "invalid_value",
            f"Recorded hands are dealt from the shoe as P1 B1 P2 B2; {played.title} is not.",
            "game",
        )
    setup.create_pit(code="replay", name="Replay", time_zone="UTC", **by)
    where = setup.create_table(
        code=table or f"replay-{book}-{game}"[:32],
        name=f"Replay of {played.title}",
        pit="replay",
        book=book,
        game=game,
        **by,
    )
    set_limits(table=where, currency=CURRENCY, bets={EVERY_BET: LIMITS}, **by)
    setup.create_operator(code="replay", name="Replay", **by)
    operator, _ = setup.create_api_client(
        name="replay", operator="replay", scopes=[Scope.TICKETS_WRITE], **by
    )
    studio, _ = setup.create_api_client(
        name="replay-studio", operator=None, scopes=[Scope.FLOOR_WRITE], **by
    )
    return Venue(where, studio.person, operator)


def replay(
    hands: Sequence[RecordedHand], *, venue: Venue, progress: Callable[[int], None]
) -> Report:
    """Play the hands and hold what the house made of them against the record.

    1. Bring the table to rest, should an earlier replay have been cut short.
    2. Play each shoe; settle in batches and compare what was settled with what was recorded.
    3. Count money and incidents, and verify the ledger of these rounds by recomputation.

    `progress` is told the number of hands played so far.
    """
    started = monotonic()
    game = game_of(venue.table)
    run = _Replay(venue, game, spots_of(game), Report())
    with _unannounced():
        _come_to_rest(run)
        for shoe in in_shoes(hands):
            for _ in _play_shoe(run, shoe):
                progress(len(run.report.played))
        _settle(run)
    _count(run.report)
    run.report.playing = monotonic() - started
    run.report.ledger = verify_ledger(rounds=Round.objects.filter(pk__in=run.report.played))
    run.report.verifying = monotonic() - started - run.report.playing
    return run.report


@contextmanager
def _unannounced() -> Iterator[None]:
    """Keep results from being announced to workers: a replay settles its own, in batches."""
    uid = "tickets.settle_soon"
    outcome_recorded.disconnect(dispatch_uid=uid)
    try:
        yield
    finally:
        outcome_recorded.connect(settle_soon, dispatch_uid=uid)


def _come_to_rest(run: _Replay) -> None:
    left = croupier.finish_hand(run.venue.table, **run.by())
    if left is not None:
        settle_due(actor=system(), round_ids=[left.pk])
    shoe = open_shoe_of(run.venue.table)
    if shoe is not None:
        shoes.close_shoe(shoe=shoe, **run.by())


def _play_shoe(run: _Replay, hands: Sequence[RecordedHand]) -> Iterator[RecordedHand]:
    """Play the hands of one shoe, giving each when it is done.

    A hand keeps its recorded number wherever that can follow the hand before it.
    """
    table = run.venue.table
    last = Shoe.objects.filter(table=table).order_by("-number").first()
    shoe = shoes.open_shoe(
        table=table,
        number=last.number + 1 if last else 1,
        first_card=FIRST_CARD,
        burned=shoes.BURN[FIRST_CARD[0]],
        **run.by(),
    )
    run.report.shoes += 1
    run.report.made_up_shoes += hands[0].shoe is None
    number = 0
    for hand in hands:
        number = max(number + 1, hand.number or 0) if hand.shoe else number + 1
        _play_hand(run, hand, number)
        if len(run.unsettled) >= BATCH:
            _settle(run)
        yield hand
    shoes.close_shoe(shoe=shoe, **run.by())


def _play_hand(run: _Replay, hand: RecordedHand, number: int) -> None:
    round = rounds.open_round(table=run.venue.table, number=number, **run.by())
    run.report.played.append(round.pk)
    slips = cover(run.game, number)
    gone = past_window(run.game, number)
    asked = [_ticket(round, slip, player) for player, slip in enumerate(slips, 1)]
    if gone:
        asked.append(_ticket(round, gone, len(asked) + 1))
    answers = accept_tickets(asked=asked, client=run.venue.operator)
    for answer in answers[: len(slips)]:
        _expect(run, hand, answer, None)
    for answer in answers[len(slips) :]:
        _expect(run, hand, answer, "not_offered")
    rounds.close_betting(round=round, **run.by())
    recorded = rounds.record_result(round=round, outcome=_outcome(run, hand), **run.by())
    if recorded.refusal is not None:
        _differ(run, hand, f"held: {recorded.refusal}")
    else:
        run.unsettled.append((hand, round))


def _ticket(round: Round, wagers: Sequence[rulebook.Wager], player: int) -> TicketAsked:
    return TicketAsked(
        reference=f"{round.key}-{player}",
        round=round.key,
        player=f"player-{player}",
        currency=CURRENCY,
        placed_at=timezone.now(),
        test=False,
        bets=tuple(
            BetAsked(wager.bet, wager.selection, format_amount(stake, CURRENCY))
            for wager, stake in zip(wagers, cycle(STAKES), strict=False)
        ),
    )


def _outcome(run: _Replay, hand: RecordedHand) -> dict[str, Any]:
    """The recorded cards, beside whatever else an outcome of this game has."""
    dealt = run.game.deal(iter(hand.cards()), run.roll)
    return dealt | {"player": list(hand.player), "banker": list(hand.banker)}


def _expect(run: _Replay, hand: RecordedHand, answer: Answer, code: str | None) -> None:
    """Count a refusal; it differs from what is due unless every bet is refused with this code."""
    codes = {refusal.code if refusal else None for refusal in answer.refusals} or {None}
    if answer.ticket is None:
        run.report.refusals.update(refusal.code for refusal in answer.refusals if refusal)
    if codes != {code}:
        got = ", ".join(sorted(str(code or "accepted") for code in codes))
        _differ(run, hand, f"a ticket was {got}, due was {code or 'accepted'}")


def _settle(run: _Replay) -> None:
    """Settle the hands played since the last time, and compare them with the record."""
    ids = [round.pk for _, round in run.unsettled]
    settle_due(actor=system(), round_ids=ids, limit=len(ids))
    for _ in range(PATIENCE):
        if not due_rounds().filter(pk__in=ids).exists():
            break
        sleep(0.1)
        settle_due(actor=system(), round_ids=ids, limit=len(ids))
    outcomes = _by_round(OutcomeRevision.objects.filter(round__in=ids, revision=1))
    resolutions = _by_round(Resolution.objects.filter(round__in=ids, revision=1))
    words = dict(
        Wager.objects.filter(book=run.game.book, game=run.game.code).values_list("id", "bet")
    )
    for hand, round in run.unsettled:
        if round.pk not in resolutions:
            _differ(run, hand, "was not settled")
            continue
        outcome = run.game.read(outcomes[round.pk].outcome)
        kept = resolutions[round.pk]
        # Nobody holds a bet that is past its window; its condition is asked of the rules.
        gone = past_window(run.game, round.number)
        results = {
            wager.bet: str(verdict.result)
            for wager, verdict in zip(gone, run.game.resolve(outcome, gone), strict=True)
        }
        results |= {
            words[wager]: verdict[0]
            for wager, verdict in zip(kept.wager_ids, kept.verdicts, strict=True)
        }
        for difference in differences(
            hand, winner=outcome.winner, results=results, spots=run.spots
        ):
            _differ(run, hand, difference)
    run.unsettled.clear()


def _by_round(rows: Any) -> dict[int, Any]:
    return {row.round_id: row for row in rows}


def _differ(run: _Replay, hand: RecordedHand, what: str) -> None:
    run.report.differences.append(f"line {hand.line} (round {hand.round or '?'}): {what}")


def _count(report: Report) -> None:
    tickets = Ticket.objects.filter(round__in=report.played).aggregate(Count("id"), Sum("stake"))
    paid = Posting.objects.filter(settlement__round__in=report.played).aggregate(Sum("delta"))
    report.tickets = tickets["id__count"]
    report.stake = int(tickets["stake__sum"] or 0)
    report.lines = Line.objects.filter(round__in=report.played).count()
    report.payout = int(paid["delta__sum"] or 0)
    report.incidents.update(
        Incident.objects.filter(round__in=report.played).values_list("kind", flat=True)
    )
