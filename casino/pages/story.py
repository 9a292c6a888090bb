"""The story of a round: every decision about it and every version of the fact, newest first."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from casino.models import AuditEvent, Round, Ruling, of_bets
from casino.models.audit import Action
from casino.pages.outcomes import drawn_words
from casino.selectors import game_of
from games.rulebook import Game

TONES = {
    Action.ROUND_OPENED: "go",
    Action.ROUND_CLOSED: "wait",
    Action.ROUND_RESULTED: "done",
    Action.ROUND_HELD: "alarm",
    Action.INCIDENT_RAISED: "alarm",
    Action.HAND_VOIDED: "alarm",
    Action.RESULT_EDITED: "alarm",
    Action.HAND_REINSTATED: "alarm",
    Action.TICKET_VOIDED: "alarm",
    Action.TICKET_REINSTATED: "alarm",
}


def decisions(round: Round) -> list[dict[str, Any]]:
    """The lines of the decision log about this round."""
    events = AuditEvent.objects.filter(subject=f"round:{round.key}").order_by("-id")
    told = [(event, json.loads(event.body).get("ruling")) for event in events]
    rulings = Ruling.objects.select_related("approved_by").in_bulk(
        {number for _, number in told if number}
    )
    return [
        {
            "at": event.at,
            "what": _what(round, event, ruling),
            "who": _who(event, ruling),
            "why": event.reason,
            "tone": TONES.get(Action(event.action), ""),
        }
        for event, number in told
        for ruling in [rulings.get(number)]
    ]


def _what(round: Round, event: AuditEvent, ruling: Ruling | None) -> str:
    """What a line of the log tells, in the words that the round and the bets ruled on go by."""
    words = of_bets(event.get_action_display(), ruling.bets if ruling else None)
    return round.worded(words.replace("Round", "Hand"))


def _who(event: AuditEvent, ruling: Ruling | None) -> str:
    """Who a line of the log names and, where it tells what two decided, who approved."""
    if ruling is None or ruling.approved_by is None or event.actor_id == ruling.approved_by_id:
        return event.actor_name
    return f"{event.actor_name}, approved by {ruling.approved_by}"


def versions(round: Round, rulings: Mapping[int, Ruling | None]) -> list[dict[str, Any]]:
    """What changed in the round with each version of it, in words.

    `rulings` has for each outcome revision the ruling that it followed, if it followed one.
    """
    game = game_of(round)
    rows = list(round.history.select_related("history_user").order_by("history_id"))
    told = []
    for before, after in zip([None, *rows], rows, strict=False):
        recorded = before is not None and before.outcome_revision != after.outcome_revision
        ruling = rulings.get(after.outcome_revision) if recorded else None
        told.append(
            {
                "at": after.history_date,
                "what": _changes(game, before, after),
                "who": ruling.by if ruling else str(after.history_user or ""),
                "why": after.history_change_reason or "",
            }
        )
    return told[::-1]


def _changes(game: Game, before: Any, after: Any) -> str:
    if before is None:
        return "Opened"
    delta = after.diff_against(before)
    return "; ".join(
        f"{change.field.replace('_', ' ')}: {_shown(game, change.old)} → {_shown(game, change.new)}"
        for change in delta.changes
        if not change.field.endswith("_at")
    )


def _shown(game: Game, value: object) -> str:
    match value:
        case None:
            return "–"
        case dict():
            return "; ".join(f"{name}: {words}" for name, words in drawn_words(game, value))
        case True:
            return "yes"
        case False:
            return "no"
    return str(value)
