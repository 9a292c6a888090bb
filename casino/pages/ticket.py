"""One ticket: its bets under every outcome that its round ever had, and what each paid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.http import HttpRequest, HttpResponse

from casino.access import VIEW_MONEY
from casino.models import OutcomeRevision
from casino.pages.pictures import spoken
from casino.pages.registry import page, show
from casino.selectors import game_of
from games.refusals import Refused
from games.returns import payout
from games.rulebook import Game
from tickets.models import Line, Posting, Resolution, Settlement, Ticket
from tickets.selectors import lines_of

RESULT_TONES = {"win": "go", "push": "wait", "half_lose": "wait", "lose": "idle", "void": "void"}


@dataclass(frozen=True, slots=True)
class BetTold:
    """One bet of a ticket under one outcome. `stake` and `payout` are minor units."""

    title: str
    selection: str
    play: str
    stake: int
    added: bool
    result: str = ""
    tone: str = "idle"
    odds: str = ""
    payout: int | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Chapter:
    """A ticket under one outcome revision of its round.

    `settlement` is None where the ledger has yet to follow the revision (`pending`) or passed it
    over. A batch without a posting for the ticket left it as it was: `delta` is then None.
    """

    outcome: OutcomeRevision
    settlement: Settlement | None
    bets: tuple[BetTold, ...]
    payout: int | None
    delta: int | None
    current: bool
    pending: bool

    @property
    def ground(self) -> str:
        """The ground of the ruling behind the outcome, in words."""
        return spoken(self.outcome.ruling.ground) if self.outcome.ruling else ""


@page("tickets/<int:number>/", name="ticket", permission=VIEW_MONEY)
def ticket_page(request: HttpRequest, number: int) -> HttpResponse:
    """A ticket at its permanent address."""
    related = ("operator", "client", "limit_set", "round__table__pit")
    ticket = Ticket.objects.select_related(*related).filter(pk=number).first()
    if ticket is None:
        raise Refused("not_found", f"There is no ticket {number}.")
    game = game_of(ticket.round)
    lines = lines_of(ticket)
    chapters = _chapters(ticket, game, lines)
    newest = next((chapter for chapter in chapters if chapter.current), None)
    batch = newest.settlement if newest else None
    paid = newest.payout if newest else None
    staked = sum(line.stake for line in lines)
    context = {
        "title": f"Ticket {ticket.reference}",
        "ticket": ticket,
        "game": game,
        "bets": [
            (
                _told(game, line),
                [chapter.bets[at] if chapter.bets else None for chapter in chapters],
            )
            for at, line in enumerate(lines)
        ],
        "chapters": chapters,
        "paid": paid,
        "staked": staked,
        "net": None if paid is None else paid - staked,
        "kind": batch and batch.kind,
        "changed": sum(chapter.delta is not None for chapter in chapters) > 1,
    }
    return show(request, "pitbook/money_ticket.html", context)


def _chapters(ticket: Ticket, game: Game, lines: Sequence[Line]) -> list[Chapter]:
    """Every outcome of the round, first to last, with what it meant for the ticket."""
    round = ticket.round
    batches = {
        batch.revision: batch
        for batch in round.settlements.select_related("settled_by", "ruling").order_by("revision")
    }
    postings = {
        posting.settlement_id: posting
        for posting in Posting.objects.filter(
            ticket=ticket, settlement__in=[batch.pk for batch in batches.values()]
        )
    }
    resolutions = {row.revision: row for row in Resolution.objects.filter(round=round)}
    outcomes = round.outcomes.select_related("recorded_by", "ruling").order_by("revision")
    newest = max(batches, default=0)
    chapters, paid = [], None
    for outcome in outcomes:
        batch = batches.get(outcome.revision)
        posting = postings.get(batch.pk) if batch else None
        paid = posting.payout if posting else paid
        chapters.append(
            Chapter(
                outcome=outcome,
                settlement=batch,
                bets=_resolved(game, lines, resolutions.get(outcome.revision)),
                payout=paid if batch else None,
                delta=posting.delta if posting else None,
                current=outcome.revision == newest,
                pending=outcome.revision > newest,
            )
        )
    return chapters


def _resolved(
    game: Game, lines: Sequence[Line], resolution: Resolution | None
) -> tuple[BetTold, ...]:
    if resolution is None:
        return ()
    rows = zip(resolution.wager_ids, resolution.numerators, resolution.verdicts, strict=True)
    returned = {wager: (top, verdict) for wager, top, verdict in rows}
    told = []
    for line in lines:
        top, (result, odds, _, why) = returned[line.wager_id]
        paid = payout(line.stake, Fraction(top, resolution.denominator))
        told.append(_told(game, line, result=result, odds=odds, payout=paid, why=why))
    return tuple(told)


def _told(
    game: Game,
    line: Line,
    *,
    result: str = "",
    odds: str = "",
    payout: int | None = None,
    why: str = "",
) -> BetTold:
    wager = line.wager
    bet = game.bets.get(wager.bet)
    return BetTold(
        title=bet.title if bet else spoken(wager.bet),
        selection=spoken(wager.selection),
        play=wager.play,
        stake=line.stake,
        added=line.added,
        result=spoken(result),
        tone=RESULT_TONES.get(result, "idle"),
        odds=odds,
        payout=payout,
        why=why,
    )
