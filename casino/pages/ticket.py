"""One ticket: its bets under every outcome that its round ever had, and what each paid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from casino.access import RULE, VIEW_MONEY, may
from casino.models import OutcomeRevision, Person, Round, Ruling, kind_at
from casino.pages.pictures import spoken
from casino.pages.registry import fragment, page, show
from casino.selectors import game_of
from casino.services.plans import ABOUT_BETS, check_kind
from games.refusals import Refused
from games.returns import payout
from games.rulebook import Game
from tickets.models import NEWEST, Line, LinePlay, Posting, Resolution, Settlement, Ticket
from tickets.selectors import lines_under, with_state

RESULT_TONES = {"win": "go", "push": "wait", "half_lose": "wait", "lose": "idle", "void": "void"}


@dataclass(frozen=True, slots=True)
class BetTold:
    """One bet of a ticket under one outcome. `stake` and `payout` are minor units."""

    title: str
    selection: str
    play: str
    stake: int
    added: bool
    void: str = ""
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
    `elsewhere` says that the outcome followed a ruling on another ticket.
    """

    outcome: OutcomeRevision
    settlement: Settlement | None
    bets: tuple[BetTold, ...]
    payout: int | None
    delta: int | None
    current: bool
    pending: bool
    elsewhere: bool

    @property
    def ground(self) -> str:
        """The ground of the ruling behind the outcome, in words."""
        return spoken(self.outcome.ruling.ground) if self.outcome.ruling else ""


@page("tickets/<int:number>/", name="ticket", permission=VIEW_MONEY)
def ticket_page(request: HttpRequest, number: int) -> HttpResponse:
    """A ticket at its permanent address."""
    ticket = _ticket(number)
    return show(request, "pitbook/money_ticket.html", _context(request, ticket))


@page("tickets/<int:number>/live/", name="ticket_live", permission=VIEW_MONEY, live=True)
def live(request: HttpRequest, number: int) -> HttpResponse:
    """The ticket as it is now, or nothing (204) where the caller has seen it so."""
    asked = Ticket.objects.select_related("round").filter(pk=number).first()
    if asked is not None and request.GET.get("seen") == _mark(asked):
        return HttpResponse(status=204)
    return fragment(request, "pitbook/money_ticket_live.html", _context(request, _ticket(number)))


def _ticket(number: int) -> Any:
    """The ticket with its state, or Refused `not_found`."""
    related = ("operator", "client", "limit_set", "round__table__pit")
    tickets: QuerySet[Any] = with_state(Ticket.objects.select_related(*related))
    ticket = tickets.filter(pk=number).first()
    if ticket is None:
        raise Refused("not_found", f"There is no ticket {number}.")
    return ticket


def _mark(ticket: Ticket) -> str:
    """Changes with everything that the page shows and that can still change."""
    decided = LinePlay.objects.filter(round=ticket.round_id, ticket=ticket).count()
    return f"{ticket.round.seen}.{decided}"


def _context(request: HttpRequest, ticket: Any) -> dict[str, Any]:
    """Everything that the page of a ticket shows to this person."""
    game = game_of(ticket.round)
    resolutions = {row.revision: row for row in Resolution.objects.filter(round=ticket.round)}
    counted = lines_under(ticket, [*resolutions, NEWEST])
    lines = counted[NEWEST]
    chapters = _chapters(ticket, game, resolutions, counted)
    buttons = _buttons(ticket, lines, request.user)  # type: ignore[arg-type]
    paid, staked = ticket.paid, ticket.staked
    return {
        "title": f"Ticket {ticket.reference}",
        "ticket": ticket,
        "seen": _mark(ticket),
        "game": game,
        "bets": [
            (
                _told(game, line),
                [chapter.bets[at] if chapter.bets else None for chapter in chapters],
                buttons.get(line.number),
            )
            for at, line in enumerate(lines)
        ],
        "chapters": chapters,
        "buttons": buttons.get(None, []),
        "paid": paid,
        "staked": staked,
        "net": None if paid is None else paid - staked,
        "changed": sum(chapter.delta is not None for chapter in chapters) > 1,
    }


def _buttons(
    ticket: Ticket, lines: Sequence[Line], person: Person
) -> dict[int | None, list[dict[str, str]]]:
    """What may be ruled on the ticket (None) and, where it has several, on each of its bets.

    Each with why it may not be ruled, if it may not; nothing for who never may.
    """
    if not may(person, RULE):
        return {}
    round = ticket.round
    refusals = {kind: _refusal(round, kind, person) for kind in ABOUT_BETS}
    void = {line.number: bool(line.wager.void_ground) for line in lines}

    def button(kind: Ruling.Kind, number: int | None = None) -> dict[str, str]:
        named = {"ticket": ticket.pk} | ({} if number is None else {"line": number})
        url = reverse("admin:ruling", args=[kind, round.key])
        return {
            "label": kind_at(kind, round, {"lines": [] if number is None else [number]}),
            "url": f"{url}?{urlencode(named)}",
            "tone": "danger" if kind == Ruling.Kind.VOID_TICKET and number is None else "",
            "refusal": refusals[kind],
        }

    kinds = {False: Ruling.Kind.VOID_TICKET, True: Ruling.Kind.REINSTATE_TICKET}
    found: dict[int | None, list[dict[str, str]]] = {
        None: [button(kinds[state]) for state in sorted(set(void.values()))]
    }
    if len(lines) > 1:
        found |= {number: [button(kinds[state], number)] for number, state in void.items()}
    return found


def _refusal(round: Round, kind: str, person: Person) -> str:
    try:
        check_kind(round, kind, actor=person)
    except Refused as refusal:
        return str(refusal)
    return ""


def _chapters(
    ticket: Ticket,
    game: Game,
    resolutions: Mapping[int, Resolution],
    counted: Mapping[int, Sequence[Line]],
) -> list[Chapter]:
    """Every outcome of the round, first to last, with what it meant for the ticket.

    One that followed a ruling on another ticket meant nothing for this one and is left out, unless
    the ledger came to it straight from an outcome that it passed over.
    """
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
    related = ("round", "shoe", "ruled_by", "approved_by", "proposal_decision")
    outcomes = round.outcomes.select_related(*(f"ruling__{name}" for name in related))
    newest = max(batches, default=0)
    chapters: list[Chapter] = []
    paid = None
    for outcome in outcomes.order_by("revision"):
        batch = batches.get(outcome.revision)
        elsewhere = _is_elsewhere(outcome.ruling, ticket)
        if elsewhere and (batch is None or chapters[-1].settlement):
            continue
        posting = postings.get(batch.pk) if batch else None
        paid = posting.payout if posting else paid
        chapters.append(
            Chapter(
                outcome=outcome,
                settlement=batch,
                bets=_resolved(
                    game, counted.get(outcome.revision, ()), resolutions.get(outcome.revision)
                ),
                payout=paid if batch else None,
                delta=posting.delta if posting else None,
                current=False,
                pending=outcome.revision > newest,
                elsewhere=elsewhere,
            )
        )
    settled = [at for at, chapter in enumerate(chapters) if chapter.settlement]
    if settled:
        chapters[settled[-1]] = replace(chapters[settled[-1]], current=True)
    return chapters


def _is_elsewhere(ruling: Ruling | None, ticket: Ticket) -> bool:
    return bool(ruling and ruling.bets and ruling.bets["ticket"] != ticket.pk)


def _resolved(
    game: Game, lines: Sequence[Line], resolution: Resolution | None
) -> tuple[BetTold, ...]:
    """The bets as they counted under the outcome of a resolution."""
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
        void=spoken(wager.void_ground).lower(),
        result=spoken(result),
        tone=RESULT_TONES.get(result, "idle"),
        odds=odds,
        payout=payout,
        why=why,
    )
