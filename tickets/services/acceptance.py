"""Taking tickets: every rule of the book and every limit, before a stake is accepted.

A ticket is taken whole or refused whole; what is refused is kept with its codes. Tickets of one
call stand each for itself.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import IntegrityError, connection, transaction

from casino.models import ApiClient, LimitSet, Operator, Round, Stop
from casino.selectors import game_of, limits_of, stopped, stops_in_force
from casino.services.record import canonical
from games import rulebook
from games.money import exponent, parse_amount
from games.refusals import Refused
from tickets.models import Line, Refusal, Ticket
from tickets.selectors import exposures_of
from tickets.services.accounts import number_accounts
from tickets.services.limits import check_exposure, check_limits, lay
from tickets.services.wagers import number_wagers

MOST_TICKETS = 1000
"""Tickets that one call may bring."""

PLAYER_LOCKS = 256
"""Locks a round's players are spread over, so that a call holds a bounded number of them."""

CURRENCY_LOCKS = 1 << 24
"""More than the numbers that three letters make: a round has a lock for each currency."""

ATTEMPTS = 5
"""How often a call looks again when its references are taken under its eyes."""

_REFERENCE_TAKEN = "ticket_reference_of_operator"


@dataclass(frozen=True, slots=True)
class BetAsked:
    """A bet as a platform asks for it; the stake is still text."""

    bet: str
    selection: str
    stake: Any


@dataclass(frozen=True, slots=True)
class TicketAsked:
    """A ticket as a platform asks for it, in shape but otherwise unchecked."""

    reference: str
    round: str
    player: str
    currency: str
    placed_at: datetime
    test: bool
    bets: tuple[BetAsked, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a ticket. `repeated` marks the first answer given again."""

    asked: TicketAsked
    ticket: Ticket | None = None
    stakes: tuple[rulebook.Stake, ...] = ()
    refusals: tuple[Refused | None, ...] = ()
    repeated: bool = False


@dataclass(slots=True)
class _House:
    """What acceptance reads once for all tickets of a call."""

    operator: Operator
    rounds: dict[str, Round]
    limits: dict[int, dict[str, LimitSet]]
    held: dict[tuple[int, str], list[tuple[str, rulebook.Stake]]]
    references: dict[str, Ticket]
    stops: list[Stop]
    exposures: dict[tuple[int, str], rulebook.Exposure]
    taken: dict[str, tuple[TicketAsked, tuple[rulebook.Stake, ...], LimitSet]] = field(
        default_factory=dict
    )


def accept_tickets(*, asked: Sequence[TicketAsked], client: ApiClient) -> list[Answer]:
    """Accept or refuse each ticket, on behalf of the operator whose client this is.

    1. Lock the rounds against closing and the players against each other's haste: limits and
       restrictions hold across all of a player's tickets, also those arriving together. Where
       a table bounds its exposure, lock what lies on the round in the currency as well.
    2. Check each in turn, counting those taken before it.
    3. Write tickets and lines, and keep the refusals.

    The client is the actor; a ticket carries its own reason. Answers come in the order asked.
    """
    assert client.operator is not None and len(asked) <= MOST_TICKETS
    attempt = 1
    while True:
        try:
            return _accept(asked, client, client.operator)
        except IntegrityError as error:
            # Another call took one of these references between our look and our write; looking
            # again finds it.
            if _REFERENCE_TAKEN not in str(error) or attempt == ATTEMPTS:
                raise
            attempt += 1


@transaction.atomic
def _accept(asked: Sequence[TicketAsked], client: ApiClient, operator: Operator) -> list[Answer]:
    house = _read_house(asked, operator)
    verdicts = [_check(ticket, house) for ticket in asked]
    tickets = _write(house, client)
    repeated = _stakes_of([verdict for verdict in verdicts if isinstance(verdict, Ticket)])
    answers = []
    for ticket, verdict in zip(asked, verdicts, strict=True):
        if isinstance(verdict, Ticket):
            answers.append(Answer(ticket, verdict, stakes=repeated[verdict.pk], repeated=True))
        elif verdict is None:
            row, stakes = tickets[ticket.reference]
            first, _, _ = house.taken[ticket.reference]
            answers.append(Answer(ticket, row, stakes=stakes, repeated=first is not ticket))
        else:
            answers.append(Answer(ticket, refusals=tuple(verdict)))
    _keep_refusals(answers, client)
    return answers


def body_digest(ticket: TicketAsked) -> str:
    """Tells a repeated request from another one under the same reference."""
    body = [
        ticket.reference,
        ticket.round,
        ticket.player,
        ticket.currency,
        ticket.placed_at.isoformat(),
        ticket.test,
        [[bet.bet, bet.selection, _amount(bet.stake, ticket.currency)] for bet in ticket.bets],
    ]
    return hashlib.sha256(canonical(body).encode()).hexdigest()


def _amount(stake: Any, currency: str) -> Any:
    """A stake as minor units, so that "100" and "100.00" are the same; or what stands for one."""
    try:
        return parse_amount(stake, currency)
    except Refused:
        return stake


def _read_house(asked: Sequence[TicketAsked], operator: Operator) -> _House:
    rounds = _share_rounds({ticket.round for ticket in asked})
    players = {
        (rounds[ticket.round].pk, ticket.player) for ticket in asked if ticket.round in rounds
    }
    _lock_players(players, operator)
    tables = {round.table_id: round.table for round in rounds.values()}
    limits = limits_of(tables.values(), operator)
    references = [ticket.reference for ticket in asked]
    return _House(
        operator=operator,
        rounds=rounds,
        limits={number: limits.get(number, {}) for number in tables},
        held=_held(players, operator),
        references={
            row.reference: row
            for row in Ticket.objects.filter(
                operator=operator, reference__in=references
            ).select_related("limit_set")
        },
        stops=stops_in_force(),
        exposures=_watched(asked, rounds, limits),
    )


def _share_rounds(keys: set[str]) -> dict[str, Round]:
    """Lock the rounds so that none of them closes before these tickets are in."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id FROM casino_round WHERE key = ANY(%s) ORDER BY id FOR SHARE",
            [list(keys)],
        )
        ids = [row[0] for row in cursor.fetchall()]
    rounds = Round.objects.filter(pk__in=ids).select_related("table", "shoe")
    return {round.key: round for round in rounds}


def _lock_players(players: Iterable[tuple[int, str]], operator: Operator) -> None:
    def lock_of(round_id: int, player: str) -> int:
        name = f"{operator.pk} {player}".encode()
        bucket = int.from_bytes(hashlib.sha256(name).digest()[:4], "big") % PLAYER_LOCKS
        return round_id * PLAYER_LOCKS + bucket

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(lock) FROM unnest(%s::bigint[]) lock",
            [sorted({lock_of(*player) for player in players})],
        )


def _watched(
    asked: Sequence[TicketAsked],
    rounds: dict[str, Round],
    limits: dict[int, dict[str, LimitSet]],
) -> dict[tuple[int, str], rulebook.Exposure]:
    """What lies on each round and currency whose exposure is bounded, locked until the commit.

    The locks are asked for after those of the players, by everybody, so that nobody who holds
    one waits for a player. Numbers below zero are theirs, the players have those above.
    """
    watched = {
        (rounds[ticket.round].pk, ticket.currency): rounds[ticket.round]
        for ticket in asked
        if ticket.round in rounds and not ticket.test
        for held in [limits.get(rounds[ticket.round].table_id, {}).get(ticket.currency)]
        if held is not None and held.watched  # type: ignore[attr-defined]
    }
    if not watched:
        return {}
    locks = (
        -(round_id * CURRENCY_LOCKS + int.from_bytes(currency.encode(), "big"))
        for round_id, currency in watched
    )
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(lock) FROM unnest(%s::bigint[]) lock", [sorted(locks)]
        )
    bounded = {round.pk: round for round in watched.values()}
    laid = exposures_of(list(bounded.values()), with_void=True)
    return {
        (round_id, currency): laid[round_id].get(currency) or rulebook.Exposure(game_of(round))
        for (round_id, currency), round in watched.items()
    }


def _held(
    players: set[tuple[int, str]], operator: Operator
) -> dict[tuple[int, str], list[tuple[str, rulebook.Stake]]]:
    """What each player already has in each round, with its currency."""
    held: dict[tuple[int, str], list[tuple[str, rulebook.Stake]]] = defaultdict(list)
    if not players:
        return held
    lines = Line.objects.filter(
        ticket__operator=operator,
        ticket__round__in={round for round, _ in players},
        ticket__player__in={player for _, player in players},
    ).values_list(
        "ticket__round_id",
        "ticket__player",
        "ticket__currency",
        "wager__bet",
        "wager__selection",
        "wager__play",
        "stake",
    )
    for round_id, player, currency, bet, selection, play, stake in lines:
        wager = rulebook.Wager(bet, selection, play or None)
        held[round_id, player].append((currency, rulebook.Stake(wager, stake)))
    return held


def _check(asked: TicketAsked, house: _House) -> Ticket | list[Refused | None] | None:
    """The ticket it repeats, a refusal for each bet, or None for one to take."""
    try:
        known = house.references.get(asked.reference)
        if known is not None:
            if known.body_digest == body_digest(asked):
                return known
            raise Refused(
                "duplicate_reference",
                f"Reference {asked.reference} was used for another ticket.",
                "reference",
            )
        if asked.reference in house.taken:
            earlier, _, _ = house.taken[asked.reference]
            if body_digest(earlier) == body_digest(asked):
                return None
            raise Refused(
                "duplicate_reference",
                f"Reference {asked.reference} is used twice in this request.",
                "reference",
            )
        round, limits = _open_place(asked, house)
    except Refused as refusal:
        return [refusal] * len(asked.bets)
    game = game_of(round)
    stakes, refusals = _read_bets(asked, game)
    if not any(refusals):
        held = house.held[round.pk, asked.player]
        refusals = game.check_slip(
            stakes,
            hand=round.number if round.shoe_id else None,
            held=[stake.wager for _, stake in held],
        )
        if not any(refusals):
            own = [stake for currency, stake in held if currency == asked.currency]
            refusals = check_limits(stakes, held=own, limits=limits, game=game)
    if any(refusals):
        return refusals
    place = (round.pk, asked.currency)
    if not asked.test and place in house.exposures:
        exposure = lay(house.exposures[place], stakes)
        too_much = check_exposure(exposure, limits=limits)
        if too_much is not None:
            return [too_much] * len(stakes)
        house.exposures[place] = exposure
    house.held[round.pk, asked.player] += [(asked.currency, stake) for stake in stakes]
    house.taken[asked.reference] = (asked, tuple(stakes), limits)
    return None


def _open_place(asked: TicketAsked, house: _House) -> tuple[Round, LimitSet]:
    round = house.rounds.get(asked.round)
    if round is None:
        raise Refused("unknown_round", f"There is no round {asked.round}.", "round")
    if round.phase != Round.Phase.BETTING or round.on_hold:
        raise Refused("betting_closed", f"Betting on round {round.key} is closed.", "round")
    stop = stopped(house.stops, round.table, house.operator)
    if stop is not None:
        raise Refused("betting_closed", f"Betting is stopped for {stop.scope}: {stop.reason}")
    exponent(asked.currency)
    limits = house.limits[round.table_id].get(asked.currency)
    if limits is None:
        raise Refused(
            "unknown_currency",
            f"Table {round.table.code} takes no tickets in {asked.currency}.",
            "currency",
        )
    return round, limits


def _read_bets(
    asked: TicketAsked, game: rulebook.Game
) -> tuple[list[rulebook.Stake], list[Refused | None]]:
    stakes: list[rulebook.Stake] = []
    refusals: list[Refused | None] = []
    for bet in asked.bets:
        try:
            wager = game.wager(bet.bet, bet.selection)
            if bet.bet in game.added:
                raise Refused(
                    "not_offered",
                    f"{game.bets[bet.bet].title} is added while the hand is played.",
                    "bet",
                )
            stakes.append(rulebook.Stake(wager, parse_amount(bet.stake, asked.currency)))
            refusals.append(None)
        except Refused as refusal:
            refusals.append(refusal)
    return stakes, refusals


def _write(
    house: _House, client: ApiClient
) -> dict[str, tuple[Ticket, tuple[rulebook.Stake, ...]]]:
    """Write what was taken: tickets, then lines keyed by round and ticket.

    In the order of the references, so that two calls with the same ones wait for each other
    instead of locking each other out.
    """
    if not house.taken:
        return {}
    taken = [house.taken[reference] for reference in sorted(house.taken)]
    rows = Ticket.objects.bulk_create(
        Ticket(
            operator=house.operator,
            client=client,
            reference=asked.reference,
            round=house.rounds[asked.round],
            player=asked.player,
            currency=asked.currency,
            stake=sum(stake.stake for stake in stakes),
            placed_at=asked.placed_at,
            test=asked.test,
            book_version=house.rounds[asked.round].book_version,
            limit_set=limits,
            body_digest=body_digest(asked),
        )
        for asked, stakes, limits in taken
    )
    wagers = number_wagers(
        (house.rounds[asked.round], stake.wager) for asked, stakes, _ in taken for stake in stakes
    )
    accounts = number_accounts(
        house.operator, ((asked.currency, asked.test) for asked, _, _ in taken)
    )
    Line.objects.bulk_create(
        Line(
            round_id=row.round_id,
            ticket=row,
            number=number,
            wager_id=wagers[row.round.book, row.round.game, stake.wager],
            stake=stake.stake,
            account_id=accounts[row.currency, row.test],
        )
        for row, (_, stakes, _) in zip(rows, taken, strict=True)
        for number, stake in enumerate(stakes, start=1)
    )
    return {row.reference: (row, stakes) for row, (_, stakes, _) in zip(rows, taken, strict=True)}


def _stakes_of(tickets: Sequence[Ticket]) -> dict[int, tuple[rulebook.Stake, ...]]:
    """What each of these tickets holds, in the order asked, by ticket."""
    stakes: dict[int, list[rulebook.Stake]] = {ticket.pk: [] for ticket in tickets}
    lines = Line.objects.filter(
        round__in={ticket.round_id for ticket in tickets}, ticket__in=stakes, added=False
    )
    for line in lines.select_related("wager").order_by("ticket_id", "number"):
        wager = rulebook.Wager(line.wager.bet, line.wager.selection, line.wager.play or None)
        stakes[line.ticket_id].append(rulebook.Stake(wager, line.stake))
    return {ticket: tuple(held) for ticket, held in stakes.items()}


def _keep_refusals(answers: Sequence[Answer], client: ApiClient) -> None:
    Refusal.objects.bulk_create(
        Refusal(
            operator=client.operator,
            client=client,
            reference=answer.asked.reference,
            round_key=answer.asked.round,
            player=answer.asked.player,
            codes=sorted({refusal.code for refusal in answer.refusals if refusal}),
            answer=[
                {"code": refusal.code, "message": str(refusal)} if refusal else None
                for refusal in answer.refusals
            ],
            body=_as_asked(answer.asked),
        )
        for answer in answers
        if answer.ticket is None
    )


def _as_asked(ticket: TicketAsked) -> dict[str, Any]:
    return {
        "reference": ticket.reference,
        "round": ticket.round,
        "player": ticket.player,
        "currency": ticket.currency,
        "placed_at": ticket.placed_at.isoformat(),
        "test": ticket.test,
        "bets": [
            {"bet": bet.bet, "selection": bet.selection, "stake": bet.stake} for bet in ticket.bets
        ],
    }
