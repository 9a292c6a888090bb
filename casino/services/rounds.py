"""Rounds: opened for betting, closed, resulted; or held, where the deal is doubtful."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from casino.access import DEAL, require
from casino.models import Incident, OutcomeRevision, Person, Round, Shoe, Table
from casino.models.audit import Action
from casino.selectors import (
    cards_used,
    game_of,
    latest_outcome,
    open_shoe_of,
    stopped,
    stops_in_force,
)
from casino.services.draws import record_draws, with_draws
from casino.services.incidents import raise_incident
from casino.services.outcomes import announce_outcome, lock_round
from casino.services.prescribed import void_at_once
from casino.services.record import log, write_fact
from casino.services.riding import carried
from games import rulebook
from games.refusals import Refused

MISREAD = ("misread_result", "wrong_entry", "management_discretion")
"""The incident that a second reading which differs is: the first of these that the book knows."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What posting a result led to.

    `refusal` is set, with the incident, where the round did not get the outcome: it went on hold
    instead, or it has another result, of which this is a second reading. `repeated` says that the
    same result was recorded before and nothing was written.
    """

    round: Round
    outcome: OutcomeRevision | None = None
    repeated: bool = False
    refusal: Refused | None = None
    incident: Incident | None = None


@transaction.atomic
def open_round(
    *, table: Table, number: int, round_id: str = "", actor: Person, reason: str
) -> Round:
    """Open betting on the next round of a table, under the book as it is published now.

    `round_id` is the table system's own id for it, where it has one. The same round posted again
    is answered as it is. A hand after the last one of its shoe is invalid: it is on record as
    void from the beginning, with an incident, and never takes a bet (block BAC, clause 2).
    """
    require(actor, DEAL)
    table = (
        Table.objects.select_for_update(no_key=True, of=("self",))
        .select_related("rides_on")
        .get(pk=table.pk)
    )
    game = game_of(table)
    shoe = _shoe_in_play(table) if game.has_shoe else None
    place = f"{table.code}-{shoe.number}" if shoe else table.code
    key = round_id or f"{place}-{number}"
    found = Round.objects.filter(key=key).first()
    if found:
        if (found.table_id, found.shoe_id, found.number) == (
            table.pk,
            shoe and shoe.pk,
            number,
        ):
            return found
        raise Refused("conflict", f"Round {key} exists already at another place.", "round_id")
    stop = stopped(stops_in_force(), table)
    if stop:
        raise Refused("betting_closed", f"Betting is stopped for {stop.scope}: {stop.reason}")
    siblings = Round.objects.filter(shoe=shoe) if shoe else Round.objects.filter(table=table)
    last = siblings.aggregate(Max("number"))["number__max"] or 0
    if number <= last:
        raise Refused("conflict", f"Round {number} cannot follow round {last}.", "number")
    running = Round.objects.filter(
        table=table, on_hold=False, phase__in=[Round.Phase.BETTING, Round.Phase.CLOSED]
    ).first()
    if running:
        raise Refused("conflict", f"Round {running.key} is still running.")
    book = rulebook.book(table.book)
    round = Round(
        key=key,
        table=table,
        shoe=shoe,
        rides_on=_round_to_ride(table),
        number=number,
        book=table.book,
        game=table.game,
        book_version=book.version,
        book_digest=game.digest,
        opened_at=timezone.now(),
    )
    write_fact(round, actor=actor, reason=reason)
    body = {
        "number": number,
        "book": book.code,
        "game": game.code,
        "digest": game.digest,
    }
    log(
        Action.ROUND_OPENED,
        subject=f"round:{key}",
        actor=actor,
        reason=reason,
        body=body,
    )
    if shoe and shoe.phase != Shoe.Phase.OPEN:
        return void_at_once(
            round,
            ground="late_hand",
            note=f"Hand {number} was opened after the last hand of shoe {shoe.number}.",
            actor=actor,
            reason=reason,
        )
    return round


@transaction.atomic
def close_betting(
    *, round: Round, draws: dict[str, Any] | None = None, actor: Person, reason: str
) -> Round:
    """No more bets. A round that is closed already is answered as it is.

    `draws` is what was drawn then, in a game that draws; where it comes later, the round is
    closed once more with it. Refuses as `record_draws` does, and then closes nothing.
    """
    require(actor, DEAL)
    round = lock_round(round)
    if round.phase == Round.Phase.VOID:
        raise Refused("conflict", f"Round {round.key} is void.")
    if round.phase == Round.Phase.BETTING:
        round.phase = Round.Phase.CLOSED
        round.closed_at = timezone.now()
        write_fact(round, actor=actor, reason=reason, fields=["phase", "closed_at"])
        log(Action.ROUND_CLOSED, subject=f"round:{round.key}", actor=actor, reason=reason)
    if draws is not None:
        record_draws(round=round, draws=draws, actor=actor, reason=reason)
    return round


@transaction.atomic
def record_result(
    *,
    round: Round,
    outcome: dict[str, Any],
    manual: bool = False,
    video: str = "",
    dealer: str = "",
    actor: Person,
    reason: str,
) -> Recorded:
    """Record what was dealt and let the round settle.

    1. An outcome that cannot exist is refused, or one against what was drawn after betting
       closed; nothing is written. Draws that it leaves out are filled in.
    2. Real cards that break the drawing rules put the round on hold with an incident.
    3. The same result again changes nothing. Another one is an edit and needs a ruling; a reading
       that differs from all that was recorded raises an incident, once.
    4. Otherwise outcome revision 1 is written, with an incident for everything that stands but
       must be looked at (a needless card, a card seen too often in the shoe).
    """
    require(actor, DEAL)
    round = lock_round(round)
    game = game_of(round)
    _check_takes_result(round)
    outcome = carried(round, with_draws(round, outcome))
    try:
        read = game.read(outcome)
    except Refused as fault:
        if fault.ground is None or round.phase != Round.Phase.CLOSED:
            raise
        return _hold(round, fault, outcome, video=video, actor=actor, reason=reason)
    if round.phase == Round.Phase.RESULTED:
        latest = latest_outcome(round)
        if latest is not None and latest.outcome == read.canonical:
            return Recorded(round=round, outcome=latest, repeated=True)
        return _read_anew(round, read, video=video, actor=actor, reason=reason)
    notices = [(notice.ground, notice.message) for notice in read.notices]
    notices += _too_many_copies(round, read)
    revision = OutcomeRevision.objects.create(
        round=round,
        revision=1,
        kind=OutcomeRevision.Kind.RESULT,
        outcome=read.canonical,
        headline=read.headline,
        manual=manual,
        video=video,
        dealer=dealer,
        recorded_by=actor,
    )
    round.phase = Round.Phase.RESULTED
    round.outcome_revision = 1
    round.cards = len(read.cards)
    round.resulted_at = timezone.now()
    write_fact(
        round,
        actor=actor,
        reason=reason,
        fields=["phase", "outcome_revision", "cards", "resulted_at"],
    )
    body = {"outcome": read.canonical, "headline": read.headline, "manual": manual}
    log(
        Action.ROUND_RESULTED,
        subject=f"round:{round.key}",
        actor=actor,
        reason=reason,
        body=body | {"video": video, "dealer": dealer},
    )
    for ground, message in notices:
        raise_incident(
            table=round.table,
            shoe=round.shoe,
            round=round,
            kind=ground,
            note=message,
            video=video,
            actor=actor,
            reason=reason,
        )
    announce_outcome(round)
    return Recorded(round=round, outcome=revision)


def _check_takes_result(round: Round) -> None:
    if round.on_hold:
        raise Refused("conflict", f"Round {round.key} is on hold until management rules on it.")
    if round.phase == Round.Phase.BETTING:
        raise Refused("conflict", f"Betting on round {round.key} is still open; close it first.")
    if round.phase == Round.Phase.VOID:
        raise Refused("conflict", f"Round {round.key} is void and takes no result.")


def _hold(
    round: Round,
    fault: Refused,
    outcome: dict[str, Any],
    *,
    video: str,
    actor: Person,
    reason: str,
) -> Recorded:
    round.on_hold = True
    write_fact(round, actor=actor, reason=reason, fields=["on_hold"])
    log(
        Action.ROUND_HELD,
        subject=f"round:{round.key}",
        actor=actor,
        reason=reason,
        body={"fault": str(fault), "outcome": outcome},
    )
    incident = raise_incident(
        table=round.table,
        shoe=round.shoe,
        round=round,
        kind=str(fault.ground),
        note=str(fault),
        video=video,
        evidence=outcome,
        actor=actor,
        reason=reason,
    )
    return Recorded(round=round, refusal=fault, incident=incident)


def _read_anew(
    round: Round, read: rulebook.Outcome, *, video: str, actor: Person, reason: str
) -> Recorded:
    """Refuse a result that differs from the one recorded, and let the pit see that it differs.

    What was recorded before and changed by a ruling is no new reading, only a late repeat.
    """
    refusal = Refused(
        "conflict",
        f"Round {round.key} has another result already; changing it takes a ruling.",
    )
    reading = dict(read.canonical)
    if round.outcomes.filter(outcome=reading).exists():
        raise refusal
    grounds = game_of(round).grounds
    kind = next(ground for ground in MISREAD if ground in grounds)
    incident = round.incidents.filter(kind=kind, evidence=reading).first()
    if incident is None:
        says, recorded = _readings(read, latest_outcome(round))
        incident = raise_incident(
            table=round.table,
            shoe=round.shoe,
            round=round,
            kind=kind,
            note=f"A second reading says “{says}”; recorded is “{recorded}”.",
            video=video,
            evidence=reading,
            actor=actor,
            reason=reason,
        )
    return Recorded(round=round, refusal=refusal, incident=incident)


def _readings(read: rulebook.Outcome, latest: OutcomeRevision | None) -> tuple[str, str]:
    """A second reading and what is recorded, in words: where these agree, the cards that differ."""
    if latest is None:
        return read.headline, "nothing"
    if latest.headline != read.headline or latest.outcome is None:
        return read.headline, latest.headline
    second, first = dict(read.canonical), latest.outcome
    parts = [part for part in first | second if first.get(part) != second.get(part)]
    says, recorded = (
        "; ".join(_part_words(part, reading.get(part)) for part in parts)
        for reading in (second, first)
    )
    return says, recorded


def _part_words(part: str, value: Any) -> str:
    """A part of an outcome as it is typed: "Player KS 9H"."""
    match value:
        case None:
            words = "none"
        case dict():
            words = ", ".join(_part_words(name, held) for name, held in value.items())
        case list() | tuple():
            words = " ".join(map(str, value))
        case _:
            words = str(value)
    return f"{part.replace('_', ' ').capitalize()} {words}"


def _too_many_copies(round: Round, read: rulebook.Outcome) -> list[tuple[str, str]]:
    """A card seen more often than the shoe has decks: one of its hands was misread."""
    if round.shoe is None:
        return []
    used = cards_used(round.shoe)
    used.update(read.cards)
    return [
        (
            "shoe_composition",
            f"{card} was seen {used[card]} times in {round.shoe.decks} decks.",
        )
        for card in sorted(set(read.cards))
        if used[card] > round.shoe.decks
    ]


def _round_to_ride(table: Table) -> Round | None:
    """The round with open bets at the table that this one's rounds ride on, if it rides."""
    if table.rides_on is None:
        return None
    running = Round.objects.filter(table=table.rides_on, phase=Round.Phase.BETTING).first()
    if running is None:
        raise Refused(
            "conflict", f"Table {table.rides_on.code} has no round with open bets to ride on."
        )
    return running


def _shoe_in_play(table: Table) -> Shoe:
    shoe = open_shoe_of(table)
    if shoe is None:
        raise Refused("conflict", f"Table {table.code} has no open shoe.")
    return shoe
