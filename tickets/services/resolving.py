"""Running the rules once for every distinct wager of a round."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from django.db import connection
from django.db.models import QuerySet

from casino.models import OutcomeRevision, Round
from casino.selectors import game_of
from games import rulebook
from games.refusals import Refused
from tickets.models import NEWEST, Resolution, Wager

LARGE = 10_000
"""Lines from which on a round takes its wagers from its game."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """What each distinct wager of a round returns: `numerators[i] / denominator` a unit staked.

    `objections` say which wagers came back because the cards forbid them.
    """

    headline: str
    wager_ids: tuple[int, ...]
    numerators: tuple[int, ...]
    denominator: int
    verdicts: tuple[tuple[str, str, str, str], ...]
    objections: tuple[str, ...] = ()

    def factors(self) -> str:
        """The numerators as a PostgreSQL array that is subscripted by wager id itself.

        Ids between those of the round hold NULL, so a line that was not resolved cannot pass
        for a losing one.
        """
        if not self.wager_ids:
            return "{}"
        low, high = self.wager_ids[0], self.wager_ids[-1]
        known = dict(zip(self.wager_ids, self.numerators, strict=True))
        body = ",".join(str(known.get(number, "NULL")) for number in range(low, high + 1))
        return f"[{low}:{high}]={{{body}}}"

    def fractions(self) -> list[Fraction]:
        """What a unit staked on each wager comes back as, in the order of `wager_ids`."""
        return [Fraction(top, self.denominator) for top in self.numerators]

    def changed_from(self, before: Resolution) -> list[int]:
        """The wagers whose return differs from an earlier resolution of the same round."""
        old = {
            wager: (top * self.denominator)
            for wager, top in zip(before.wager_ids, before.numerators, strict=True)
        }
        return [
            wager
            for wager, top in zip(self.wager_ids, self.numerators, strict=True)
            if old.get(wager) != top * before.denominator
        ]


def resolve_round(
    round: Round,
    *,
    outcome: rulebook.Outcome | None,
    void_ground: str,
    headline: str,
    revision: int = NEWEST,
) -> Resolved:
    """Resolve every distinct wager that the round's tickets hold under an outcome revision.

    `outcome` may be missing only where `void_ground` is given. Refuses with `conflict` if the
    book that the round was opened under is not the one at hand.
    """
    game = game_of(round)
    if game.digest != round.book_digest:
        raise Refused(
            "conflict",
            f"Round {round.key} was opened under another text of {round.book}/{round.game}.",
        )
    wagers = list(_wagers(round, game, revision).order_by("id"))
    void = rulebook.Void(void_ground) if void_ground else None
    objections: list[str] = []
    verdicts = [verdict_of(game, outcome, row, void, objections) for row in wagers]
    denominator = lcm(*(verdict.returns.denominator for verdict in verdicts))
    return Resolved(
        headline=headline,
        wager_ids=tuple(row.id for row in wagers),
        numerators=tuple(int(verdict.returns * denominator) for verdict in verdicts),
        denominator=denominator,
        verdicts=tuple((v.result, v.odds, str(v.returns), v.why) for v in verdicts),
        objections=tuple(objections),
    )


def resolve_revision(revision: OutcomeRevision) -> Resolved:
    """Resolve a round under one of its recorded outcomes."""
    game = game_of(revision.round)
    return resolve_round(
        revision.round,
        outcome=game.read(revision.outcome, unfinished=bool(revision.void_ground))
        if revision.outcome is not None
        else None,
        void_ground=revision.void_ground,
        headline=revision.headline,
        revision=revision.revision,
    )


def keep_resolution(round: Round, revision: int, resolved: Resolved) -> Resolution:
    """Store a resolution beside the outcome revision that it belongs to."""
    return Resolution.objects.create(
        round=round,
        revision=revision,
        headline=resolved.headline,
        wager_ids=list(resolved.wager_ids),
        numerators=list(resolved.numerators),
        denominator=resolved.denominator,
        verdicts=[list(verdict) for verdict in resolved.verdicts],
    )


PLACED = "tickets_line line"

PLAYED = """(
    SELECT placed.round_id, placed.ticket_id, placed.number, placed.stake, placed.account_id,
      coalesce(
        (SELECT play.wager_id FROM tickets_lineplay play
         WHERE play.round_id = placed.round_id AND play.ticket_id = placed.ticket_id
           AND play.number = placed.number AND play.revision <= {revision}
         ORDER BY play.decision DESC LIMIT 1),
        placed.wager_id) AS wager_id
    FROM tickets_line placed
) line"""


def lines_of_round(round: Round, revision: int = NEWEST) -> str:
    """The lines of a round as SQL, each with the wager that counts under an outcome revision.

    That is the newest decision's of those that count under it.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT FROM tickets_lineplay WHERE round_id = %s LIMIT 1", [round.pk])
        if cursor.fetchone() is None:
            return PLACED
    return PLAYED.format(revision=int(revision))


def verdict_of(
    game: rulebook.Game,
    outcome: rulebook.Outcome | None,
    row: Wager,
    void: rulebook.Void | None,
    objections: list[str],
) -> rulebook.Verdict:
    """The verdict of one wager; one that a ruling voided comes back.

    So does one that the cards forbid, for it never was a bet. A box that holds no cards, an
    insurance against no ace, a play that its cards do not allow: the platform took it and the
    house cannot tell until the cards lie there.
    """
    if row.void_ground:
        why = f"Bet void ({row.void_ground.replace('_', ' ')}): stake returned"
        return rulebook.Verdict(rulebook.Result.VOID, "", Fraction(1), why)
    try:
        [verdict] = game.resolve(
            outcome, [rulebook.Wager(row.bet, row.selection, row.play or None)], void=void
        )
    except Refused as refusal:
        if void is not None:
            raise
        objections.append(f"{row}: {refusal}")
        why = f"{refusal} Stake returned."
        return rulebook.Verdict(rulebook.Result.VOID, "", Fraction(1), why)
    return verdict


def _wagers(round: Round, game: rulebook.Game, revision: int) -> QuerySet[Wager]:
    """The wagers of a round, and in a large one those of its game that nobody holds as well.

    Resolving every wager that a game has costs less than reading a hundred thousand lines to see
    which of them are there. Blackjack is read all the same: its plays have no end.
    """
    of_game = Wager.objects.filter(book=round.book, game=round.game)
    with connection.cursor() as cursor:
        if not game.added:
            cursor.execute(
                "SELECT FROM tickets_line WHERE round_id = %s OFFSET %s LIMIT 1", [round.pk, LARGE]
            )
            if cursor.fetchone() is not None:
                return of_game
        cursor.execute(
            f"SELECT DISTINCT wager_id FROM {lines_of_round(round, revision)} WHERE round_id = %s",
            [round.pk],
        )
        return of_game.filter(id__in=[row[0] for row in cursor.fetchall()])
