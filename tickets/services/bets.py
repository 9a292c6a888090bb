"""Rulings about bets of one ticket: void from an outcome revision on, or counting again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from casino.models import Round, Ruling
from casino.selectors import game_of
from casino.services.impact import MoneyChange
from casino.services.outcomes import Bets, Change
from games.families.blackjack.plays import place
from games.families.blackjack.slips import ADDED
from games.refusals import Refused
from games.returns import payout
from tickets.models import Line, LinePlay, Posting, Ticket, Wager
from tickets.selectors import lines_of
from tickets.services.resolving import verdict_of

OF_BOX = ADDED | {"ante"}
"""The bets of a blackjack box that are played together: the Ante and what was added to it."""


@dataclass(frozen=True, slots=True)
class _Chosen:
    """A ticket, its lines as they stand, and the numbers of those that a ruling changes."""

    ticket: Ticket
    lines: Sequence[Line]
    numbers: frozenset[int]


def plan_bets(*, round: Round, change: Change, bets: Bets) -> list[MoneyChange]:
    """What a ruling about these bets would change; nothing is written.

    Refuses a ticket or a line that is not there, and bets that are already as they are to become.
    """
    chosen = _choose(round, bets, void=bool(change.bets_ground))
    if change.outcome is None:
        return []
    game, objections = game_of(round), list[str]()
    pays = 0
    for line in chosen.lines:
        wager = line.wager
        if line.number in chosen.numbers:
            wager = _reworded(wager, change.bets_ground)
        returns = verdict_of(game, change.outcome, wager, None, objections).returns
        pays += payout(line.stake, returns)
    latest = Posting.objects.filter(ticket=chosen.ticket, settlement__round=round)
    posted = latest.order_by("-settlement__revision").first()
    paid = posted.payout if posted else None
    if pays == paid:
        return []
    delta = pays - (paid or 0)
    ticket = chosen.ticket
    return [
        MoneyChange(
            operator=ticket.operator.code,
            currency=ticket.currency,
            test=ticket.test,
            tickets=1,
            players=1,
            debited=int(delta < 0),
            debtors=int(delta < 0),
            unsettled=int(paid is None),
            up=max(delta, 0),
            down=min(delta, 0),
            largest=abs(delta),
        )
    ]


def rule_on_bets(*, ruling: Ruling, round: Round, change: Change, **_: Any) -> None:
    """Write down what a ruling decided about bets, from the round's outcome revision on."""
    assert change.bets is not None
    chosen = _choose(round, change.bets, void=bool(change.bets_ground))
    decisions = LinePlay.objects.filter(round=round, ticket=chosen.ticket)
    newest = decisions.order_by("-decision").first()
    LinePlay.objects.bulk_create(
        LinePlay(
            round=round,
            ticket=chosen.ticket,
            number=line.number,
            decision=(newest.decision if newest else 0) + 1,
            wager=_numbered(_reworded(line.wager, change.bets_ground)),
            revision=round.outcome_revision,
            ruling=ruling,
        )
        for line in chosen.lines
        if line.number in chosen.numbers
    )


def ruled_on_since(round: Round, revision: int) -> list[int]:
    """The tickets about which something was ruled after an outcome revision."""
    plays = LinePlay.objects.filter(round=round, revision__gt=revision)
    return list(plays.values_list("ticket", flat=True).distinct())


def _choose(round: Round, bets: Bets, *, void: bool) -> _Chosen:
    tickets = Ticket.objects.select_related("operator")
    ticket = tickets.filter(pk=bets.ticket, round=round).first()
    if ticket is None:
        raise Refused("not_found", f"Round {round.key} has no ticket {bets.ticket}.", "ticket")
    lines = lines_of(ticket)
    numbers = set(bets.lines) or {line.number for line in lines}
    if not numbers <= {line.number for line in lines}:
        raise Refused("not_found", f"Ticket {ticket.reference} has no such bet.", "line")
    if game_of(round).family == "blackjack":
        numbers |= _of_the_same_boxes(lines, numbers)
    changing = {
        line.number
        for line in lines
        if line.number in numbers and bool(line.wager.void_ground) != void
    }
    if not changing:
        what = "is void already" if void else "is not void"
        raise Refused("conflict", f"What was named of ticket {ticket.reference} {what}.", "ticket")
    return _Chosen(ticket, lines, frozenset(changing))


def _of_the_same_boxes(lines: Sequence[Line], numbers: set[int]) -> set[int]:
    """What is played on a box goes together: the Ante with the stakes that were added to it."""
    played = {
        line.number: place(line.wager.selection)[0] for line in lines if line.wager.bet in OF_BOX
    }
    boxes = {played[number] for number in numbers if number in played}
    return {number for number, box in played.items() if box in boxes}


def _reworded(wager: Wager, void_ground: str) -> Wager:
    """The same bet, void on a ground or (without one) counting; not numbered yet."""
    return Wager(
        book=wager.book,
        game=wager.game,
        bet=wager.bet,
        selection=wager.selection,
        play=wager.play,
        void_ground=void_ground,
    )


def _numbered(wager: Wager) -> Wager:
    words = ("book", "game", "bet", "selection", "play", "void_ground")
    found, _ = Wager.objects.get_or_create(**{word: getattr(wager, word) for word in words})
    return found
