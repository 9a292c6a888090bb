"""What if: what bets would pay on an outcome under a book, by the very code that settles.

The address of the page is the question, so it can be sent to somebody; nothing is kept.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from secrets import SystemRandom
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from casino.access import VIEW_FLOOR
from casino.pages.entry import fields_of, pads_of
from casino.pages.outcomes import across, sides_of
from casino.pages.parts import parts_of
from casino.pages.pictures import spoken
from casino.pages.printed import choice_words
from casino.pages.question import (
    Asked,
    Line,
    address_of,
    question_of,
    read_asked,
    with_outcome,
)
from casino.pages.registry import fragment, page, show
from casino.pages.ticket import RESULT_TONES
from games import whatif as rules
from games.cards import DECK
from games.families import no_play
from games.money import parse_amount
from games.refusals import Refused
from games.rulebook import Game, books
from games.values import VOIDING

ROWS = 3
"""The fewest rows for bets; there is always one to spare."""

PLACES = {
    "invalid_outcome": "outcome",
    "unknown_currency": "currency",
    "not_permitted": "void",
    "malformed": "hand",
}
"""Where the refusal of a whole question belongs on the page."""


@page("whatif/", name="whatif", permission=VIEW_FLOOR)
def whatif(request: HttpRequest) -> HttpResponse:
    """Choose a game, an outcome and bets, and see what each bet pays and why."""
    asked = read_asked(request)
    asked = replace(asked, bets=tuple(line for line in asked.bets if line.bet))
    if "deal" in request.GET:
        return HttpResponseRedirect(address_of(with_outcome(asked, _dealt(asked.game))))
    context = _context(asked)
    spare = max(ROWS - len(asked.bets), 1)
    context |= {
        "title": "What if",
        "shelf": books().values(),
        "chosen": f"{asked.game.book}/{asked.game.code}",
        "cards": fields_of(asked.game, asked.typed, {}),
        "pads": pads_of(asked.game, asked.typed, {}),
        "has_fields": bool(parts_of(asked.game)),
        "grounds": _grounds(asked),
        "example": json.dumps(_dealt(asked.game)) if asked.data is not None else "",
        "rows": context["rows"] + [_row(asked, Line(), None)] * spare,
        "filled": len(asked.bets),
        "more": "more" in request.GET,
    }
    shown = show(request, "pitbook/whatif.html", context)
    if request.headers.get("HX-Request"):
        shown["HX-Push-Url"] = address_of(asked)
    return shown


@page("whatif/answer/", name="whatif_answer", permission=VIEW_FLOOR)
def whatif_answer(request: HttpRequest) -> HttpResponse:
    """The answer alone, while the question is being typed."""
    asked = read_asked(request)
    said = fragment(request, "pitbook/whatif_answer.html", _context(asked) | {"live": True})
    said["HX-Replace-Url"] = address_of(asked)
    return said


def _dealt(game: Game) -> dict[str, Any]:
    """Deal a round by the rules, from a fresh shoe shuffled by the system's randomness."""
    random = SystemRandom()
    shoe = list(DECK * (game.decks or 1))
    random.shuffle(shoe)
    return game.deal(iter(shoe), lambda faces: random.randint(1, faces))


def _grounds(asked: Asked) -> list[tuple[str, str]]:
    """The grounds on which a hand may be void, and the one that was asked for, if it is none."""
    voiding = {
        code: spoken(code)
        for code, ground in asked.game.grounds.items()
        if not VOIDING.isdisjoint(ground.actions)
    }
    if asked.void:
        voiding.setdefault(asked.void, spoken(asked.void))
    return list(voiding.items())


def _context(asked: Asked) -> dict[str, Any]:
    """The question with its answer, each part beside what it is about."""
    context: dict[str, Any] = {
        "asked": asked,
        "game": asked.game,
        "takes_plays": asked.game.rules.play is not no_play,
        "said": {},
    }
    waiting = asked.blank and not asked.void
    try:
        question = question_of(asked)
        told = {"bets": [], "facts": []} if waiting else rules.answer(question)
    except Refused as refusal:
        question, told = {}, {"error": {"code": refusal.code, "message": str(refusal)}}
    if "error" in told:
        context["said"] = {PLACES.get(told["error"]["code"], "outcome"): told["error"]["message"]}
    elif not waiting:
        context |= _outcome(asked, question.get("outcome"), told["facts"])
        context["question"] = json.dumps(question)
        context["answer"] = json.dumps(told)
    answers = iter(told.get("bets", ()))
    rows = [_row(asked, line, next(answers, None) if line.bet else None) for line in asked.bets]
    return context | {"rows": rows, "totals": _totals(rows)}


def _outcome(asked: Asked, raw: Any, facts: Sequence[str]) -> dict[str, Any]:
    """What the rules make of the outcome that the bets were answered on."""
    game = asked.game
    known = {"facts": [(fact, game.words.get(fact, "")) for fact in facts]}
    if raw is None:
        return known
    outcome = game.read(raw, unfinished=bool(asked.void))
    return known | {
        "headline": outcome.headline,
        "notices": outcome.notices,
        "sides": sides_of(game, outcome.canonical),
        "across": across(game),
    }


def _row(asked: Asked, line: Line, told: Mapping[str, Any] | None) -> dict[str, Any]:
    """A row with what may be chosen in it and what is said of it."""
    bet = asked.game.bets.get(line.bet)
    selections = bet.selections if bet else ("",)
    chosen = line.selection or (selections[0] if len(selections) == 1 else "")
    return {
        "line": line,
        "bet": bet,
        "choices": [(name, choice_words(name)) for name in selections if name],
        "chosen": chosen,
        "stray": chosen if chosen not in selections else "",
        "said": told and _said(line, told, asked.currency),
    }


def _said(line: Line, told: Mapping[str, Any], currency: str) -> dict[str, Any]:
    if "error" in told:
        return {"error": told["error"]["message"]}
    stake, payout = parse_amount(line.stake, currency), _minor(told["payout"])
    return {
        "result": spoken(told["result"]),
        "tone": RESULT_TONES[told["result"]],
        "odds": told["odds"],
        "stake": stake,
        "payout": payout,
        "net": payout - stake,
        "why": told["why"],
    }


def _minor(text: str) -> int:
    """An amount as it was printed, back in minor units."""
    return int(text.replace(".", ""))


def _totals(rows: Sequence[Mapping[str, Any]]) -> dict[str, int] | None:
    """The sums of the bets that were answered, where there are several."""
    answered = [row["said"] for row in rows if row["said"] and "payout" in row["said"]]
    if len(answered) < 2:
        return None
    return {name: sum(one[name] for one in answered) for name in ("stake", "payout", "net")}
