"""One round, for good: its cards, every outcome it ever had, its money, and what may be ruled."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from casino.access import (
    APPROVE,
    HOLD_ROUND,
    RAISE_INCIDENT,
    RULE,
    VIEW_FLOOR,
    VIEW_LOG,
    VIEW_MONEY,
    may,
)
from casino.models import Incident, OutcomeRevision, Person, Round, Ruling, kind_at
from casino.pages.answers import answers_to
from casino.pages.exposure import exposure_of
from casino.pages.outcomes import Side, across, drawn_words, hand_of, sides_of
from casino.pages.pictures import spoken
from casino.pages.question import whatif_url
from casino.pages.registry import fragment, page, show
from casino.pages.round_money import money_of
from casino.pages.states import phase_of
from casino.pages.story import decisions, versions
from casino.pages.table import is_settling
from casino.pages.waiting import waiting_at
from casino.selectors import (
    game_of,
    gaming_day,
    latest_outcome,
    round_by_key,
    stopped,
    stops_in_force,
)
from casino.services.holds import check_hold, check_stand
from casino.services.plans import check_kind
from games import rulebook
from games.refusals import Refused
from tickets.models import Ticket

BUTTONS = (
    (Ruling.Kind.VOID_HAND, "v", "danger"),
    (Ruling.Kind.EDIT, "e", ""),
    (Ruling.Kind.SWAP, "s", ""),
    (Ruling.Kind.REINSTATE, "r", ""),
)

QUICK: tuple[tuple[str, str, str, str, Callable[..., None] | None], ...] = (
    ("Put on hold", "hold", "h", HOLD_ROUND, check_hold),
    ("Let stand", "stand", "l", RULE, check_stand),
    ("Raise incident", "raise_on_round", "i", RAISE_INCIDENT, None),
)
"""What one person decides at once: words, page, key, who may, and what checks that it is time."""

_CITED = re.compile(r"(\d+) L([-\d]+), (?:clause )?(.+)")


@page("rounds/<path:key>/", name="round", permission=VIEW_FLOOR)
def round_page(request: HttpRequest, key: str) -> HttpResponse:
    """A round at its permanent address."""
    return show(request, "pitbook/round.html", round_context(request, round_by_key(key)))


@page("rounds-live/<path:key>/", name="round_live", permission=VIEW_FLOOR, live=True)
def live(request: HttpRequest, key: str) -> HttpResponse:
    """The round as it is now, or nothing (204) where the caller has seen it so."""
    round = round_by_key(key)
    if request.GET.get("seen") == _mark(round):
        return HttpResponse(status=204)
    return fragment(request, "pitbook/round_live.html", round_context(request, round))


def round_context(request: HttpRequest, round: Round) -> dict[str, Any]:
    """Everything that the page of a round shows to this person."""
    person: Any = request.user
    game = game_of(round)
    incidents = _incidents(round, game)
    unanswered = [entry for entry in incidents if entry["closing"] is None]
    revisions = _revisions(round, game)
    buttons = _buttons(round, person)
    refusals = {button["refusal"] for button in buttons}
    context = {
        "title": f"{hand_of(round)} at {round.table.code}",
        "named": hand_of(round).lower(),
        "round": round,
        "game": game,
        "phase": _phase(round),
        "seen": _mark(round),
        "gaming_day": gaming_day(round.table.pit, round.opened_at),
        "settling": is_settling(round),
        "drawn": drawn_words(game, round.draws),
        "whatif": _whatif(round, game),
        "result": revisions[-1] if revisions else None,
        "revisions": revisions,
        "across": across(game),
        "riders": list(round.riders.order_by("pk")),
        "incidents": incidents,
        "waiting": waiting_at(round),
        "open": [
            entry | {"answers": answers_to(entry["incident"], person)} for entry in unanswered
        ],
        "buttons": buttons,
        "quick": _quick(round, person),
        "may_approve": may(person, APPROVE),
        "refused": refusals.pop() if len(refusals) == 1 else "",
        "before": _neighbour(round, "-id"),
        "after": _neighbour(round, "id"),
    }
    if may(person, VIEW_MONEY):
        context |= {"money": money_of(round), "exposure": exposure_of(round)}
    if may(person, VIEW_LOG):
        rulings = {revision["number"]: revision["ruling"] for revision in revisions}
        context |= {"decisions": decisions(round), "versions": versions(round, rulings)}
    return context


def _phase(round: Round) -> str:
    stops = stops_in_force() if round.status == Round.Phase.BETTING else []
    return phase_of(round, stopped(stops, round.table))


def _mark(round: Round) -> str:
    """Changes with everything that the page shows and that can still change."""
    incidents = round.incidents.aggregate(all=Count("pk"), closed=Count("closing"))
    proposals = round.proposals.aggregate(all=Count("pk"), decided=Count("decision"))
    tickets = 0 if round.settled_revision else Ticket.objects.filter(round=round).count()
    follower = _neighbour(round, "id")
    # Before there is a result, a ruling on a ticket leaves no trace in the round itself.
    rulings = 0 if round.settled_revision else round.rulings.count()
    parts = (
        _phase(round), round.seen, round.draws is not None, *incidents.values(),
        *proposals.values(), tickets, rulings, follower is not None,
    )  # fmt: skip
    return ".".join(map(str, parts))


def _whatif(round: Round, game: rulebook.Game) -> str:
    """Where to ask what other bets would have paid on the result; "" where that cannot be asked.

    "What if" answers by the newest edition of a book, so not for a round under an older one.
    """
    latest = latest_outcome(round)
    newest = rulebook.book(round.book).version == round.book_version
    if round.phase != Round.Phase.RESULTED or latest is None or not newest:
        return ""
    return whatif_url(game, latest.outcome)


def _revisions(round: Round, game: rulebook.Game) -> list[dict[str, Any]]:
    """Every outcome that was recorded, first to last, with the ruling that it followed."""
    related = (
        "recorded_by", "ruling__ruled_by", "ruling__approved_by", "ruling__proposal_decision",
    )  # fmt: skip
    rows = round.outcomes.select_related(*related).order_by("revision")
    return [
        {
            "number": row.revision,
            "kind": row.get_kind_display(),
            "current": row.revision == round.outcome_revision,
            "void": row.kind == OutcomeRevision.Kind.VOID,
            "headline": row.headline,
            "sides": sides_of(game, row.outcome),
            "across": across(game),
            "at": row.recorded_at,
            "by": row.recorded_by,
            "manual": row.manual,
            "video": row.video,
            "dealer": row.dealer,
            "ruling": row.ruling,
            "ground": row.ruling and ground_words(game, row.ruling.ground),
        }
        for row in rows
    ]


def ground_words(game: rulebook.Game, code: str) -> dict[str, str]:
    """A ground as its book has it."""
    ground = game.grounds.get(code)
    return {
        "title": spoken(code),
        "clause": ground.clause if ground else "",
        "source": cited(game, ground) if ground else "",
    }


def cited(game: rulebook.Game, ground: rulebook.Ground) -> str:
    """Where a clause stands, for a person: the book, the clause, and the lines of its document."""
    if not ground.in_document:
        return "a rule of the house, which the printed document leaves open"
    found = _CITED.fullmatch(ground.source)
    if found is None:
        return ground.source
    document, lines, clause = found.groups()
    title = rulebook.book(game.book).title
    return f"book {title}, clause {clause}; document {document}, lines {lines.replace('-', '–')}"


def _incidents(round: Round, game: rulebook.Game) -> list[dict[str, Any]]:
    related = ("raised_by", "closing__ruling__ruled_by", "closing__noted_by", "table")
    rows = round.incidents.select_related(*related)
    return [
        {
            "title": spoken(incident.kind),
            "incident": incident,
            "closing": getattr(incident, "closing", None),
            "ground": ground_words(game, incident.kind),
            "sides": posted_sides(game, incident),
        }
        for incident in rows
    ]


def posted_sides(game: rulebook.Game, incident: Incident) -> list[Side]:
    """What a system posted with an incident, as it would lie on the table."""
    return sides_of(game, incident.evidence)


def _buttons(round: Round, person: Person) -> list[dict[str, Any]]:
    """The rulings, each with why it may not be made, if it may not."""
    return [
        {
            "label": kind_at(kind, round),
            "key": key,
            "tone": tone,
            "url": reverse("admin:ruling", args=[kind, round.key]),
            "refusal": refusal_of(partial(check_kind, round, kind, actor=person)),
        }
        for kind, key, tone in BUTTONS
        if kind != Ruling.Kind.SWAP or _swaps(game_of(round))
    ]


def _swaps(game: rulebook.Game) -> bool:
    """Whether the game has two hands that can have been dealt in each other's place."""
    return any(rulebook.Action.SWAP in ground.actions for ground in game.grounds.values())


def _quick(round: Round, person: Person) -> list[dict[str, str]]:
    """What this person may decide at once, each with why not now, if not now."""
    return [
        {
            "label": label,
            "key": key,
            "url": reverse(f"admin:{name}", args=[round.key]),
            "refusal": refusal_of(partial(check, round, actor=person)) if check else "",
        }
        for label, name, key, permission, check in QUICK
        if may(person, permission)
    ]


def refusal_of(check: Callable[[], None]) -> str:
    """Why something may not be done now; empty where it may."""
    try:
        check()
    except Refused as refusal:
        return str(refusal)
    return ""


def _neighbour(round: Round, order: str) -> Round | None:
    """The hand dealt before (`-id`) or after (`id`) at the same table."""
    side = "lt" if order == "-id" else "gt"
    return (
        Round.objects.filter(table=round.table_id, **{f"pk__{side}": round.pk})
        .order_by(order)
        .first()
    )
