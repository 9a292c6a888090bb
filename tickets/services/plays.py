"""What a blackjack ticket decides before the result: its plays, and the stakes they add."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection, transaction

from casino.models import Round
from casino.selectors import game_of
from games import rulebook
from games.families.blackjack import check_decisions
from games.families.blackjack.plays import PLAYED, parse, place
from games.families.blackjack.slips import ADDED
from games.money import parse_amount
from games.refusals import Refused
from tickets.models import Line, LinePlay, Ticket
from tickets.selectors import lines_of
from tickets.services.acceptance import BetAsked
from tickets.services.wagers import number_wagers


@dataclass(frozen=True, slots=True)
class Decided:
    """A ticket after a decision. `repeated` says that it had been taken down before."""

    ticket: Ticket
    stakes: tuple[rulebook.Stake, ...]
    repeated: bool = False


@transaction.atomic
def decide(*, ticket: Ticket, box: int, play: str, added: Sequence[BetAsked]) -> Decided:
    """Take down what a ticket does with a box, with the stakes that this adds.

    `play` tells all decisions on the box so far; a later one continues it, since no decision is
    taken back. Refuses `betting_closed` once the round has its result, `invalid_play` with the
    rule that forbids the play, and the codes of `check_decisions` for the stakes. The ticket is
    the actor's own and carries its reason, as at acceptance.
    """
    round = _open_round(ticket)
    game = game_of(round)
    if game.family != "blackjack":
        raise Refused("invalid_play", f"{game.title} takes no decisions.", "play")
    Ticket.objects.select_for_update(no_key=True, of=("self",)).get(pk=ticket.pk)
    lines = lines_of(ticket)
    held = {line.number: _stake(line) for line in lines}
    mine = {
        number: stake
        for number, stake in held.items()
        if stake.wager.bet in PLAYED and place(stake.wager.selection)[0] == box
    }
    if not any(stake.wager.bet == "ante" for stake in mine.values()):
        raise Refused("prerequisite_missing", f"The ticket has no ante on box {box}.", "box")
    wanted = [_added(bet, game, ticket.currency, play) for bet in added]
    before = next((stake.wager.play for stake in mine.values() if stake.wager.play), None)
    if before == play and all(stake in held.values() for stake in wanted):
        return Decided(ticket, tuple(held.values()), repeated=True)
    if any(line.wager.void_ground for line in lines if line.number in mine):
        raise Refused("betting_closed", f"The bets on box {box} are void.", "box")
    _continues(before, play)
    played = {
        number: rulebook.Stake(
            game.wager(stake.wager.bet, stake.wager.selection, play), stake.stake
        )
        for number, stake in mine.items()
    }
    after = [*(held | played).values(), *wanted]
    refusal = next((one for one in check_decisions(game, after) if one is not None), None)
    if refusal is not None:
        raise refusal
    _write(ticket, round, played, wanted, first=max(held) + 1)
    return Decided(ticket, tuple(after))


def _open_round(ticket: Ticket) -> Round:
    """The ticket's round, shared so that no result arrives meanwhile."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM casino_round WHERE id = %s FOR SHARE", [ticket.round_id])
    round = Round.objects.select_related("table", "shoe").get(pk=ticket.round_id)
    if round.phase not in (Round.Phase.BETTING, Round.Phase.CLOSED) or round.on_hold:
        raise Refused(
            "betting_closed", f"Round {round.key} takes no more decisions: {round.status}."
        )
    return round


def _stake(line: Line) -> rulebook.Stake:
    words = line.wager
    return rulebook.Stake(
        rulebook.Wager(words.bet, words.selection, words.play or None), line.stake
    )


def _added(bet: BetAsked, game: rulebook.Game, currency: str, play: str) -> rulebook.Stake:
    if bet.bet not in ADDED:
        raise Refused("not_offered", "Only split, double and insurance are added later.", "bet")
    wager = game.wager(bet.bet, bet.selection, play if bet.bet in PLAYED else None)
    return rulebook.Stake(wager, parse_amount(bet.stake, currency))


def _continues(before: str | None, play: str) -> None:
    """Refuse a play that takes an earlier decision back."""
    if before is None:
        parse(play)
        return
    old, new = parse(before), parse(play)
    if len(old) != len(new) or not all(
        later.startswith(earlier) for earlier, later in zip(old, new, strict=True)
    ):
        raise Refused(
            "invalid_play", f"{play} takes back what was decided before: {before}.", "play"
        )


def _write(
    ticket: Ticket,
    round: Round,
    played: dict[int, rulebook.Stake],
    added: Sequence[rulebook.Stake],
    *,
    first: int,
) -> None:
    wagers = number_wagers((round, stake.wager) for stake in (*played.values(), *added))
    decision = LinePlay.objects.filter(round=round, ticket=ticket).order_by("-decision").first()
    account = Line.objects.filter(round=round, ticket=ticket).values_list("account", flat=True)[0]
    LinePlay.objects.bulk_create(
        LinePlay(
            round=round,
            ticket=ticket,
            number=number,
            decision=(decision.decision if decision else 0) + 1,
            wager_id=wagers[round.book, round.game, stake.wager],
        )
        for number, stake in played.items()
    )
    Line.objects.bulk_create(
        Line(
            round=round,
            ticket=ticket,
            number=number,
            wager_id=wagers[round.book, round.game, stake.wager],
            stake=stake.stake,
            added=True,
            account_id=account,
        )
        for number, stake in enumerate(added, start=first)
    )
