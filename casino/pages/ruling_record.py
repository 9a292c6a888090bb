"""One ruling, for good: what was decided, by whom and why, and what came of it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from casino.access import VIEW_FLOOR, VIEW_LOG, VIEW_MONEY, may
from casino.models import OutcomeRevision, Round, Ruling, Shoe, Table
from casino.pages.bets import bets_told
from casino.pages.dialogs import url_of
from casino.pages.outcomes import across, place_of, sides_of
from casino.pages.pictures import spoken
from casino.pages.preview import shown_context
from casino.pages.registry import page, show
from casino.pages.round import ground_words
from casino.selectors import game_of, rulings_about
from games.refusals import Refused
from tickets.models import Settlement
from tickets.selectors import totals_in_order


@page("rulings/<int:pk>/", name="ruling_record", permission=VIEW_FLOOR)
def ruling_record(request: HttpRequest, pk: int) -> HttpResponse:
    """A ruling at its permanent address."""
    person: Any = request.user
    ruling = _ruling(pk)
    place = ruling.place
    table = place.table
    game = game_of(_dealt(place))
    decision = getattr(ruling, "proposal_decision", None)
    outcomes = _outcomes(ruling)
    context = {
        "title": f"{ruling.called}: {_called(place)}",
        "ruling": ruling,
        "place": _called(place),
        "url": url_of(place),
        "zone": table.pit.time_zone,
        "table": table,
        "game": game,
        "ground": ground_words(game, ruling.ground),
        "decision": decision,
        "corrected": _corrected(ruling),
        "outcomes": outcomes,
        "due": any(outcome["due"] for outcome in outcomes),
        "closed": [
            {"incident": closing.incident, "title": spoken(closing.incident.kind)}
            for closing in ruling.closed_incidents.select_related("incident__raised_by").order_by(
                "pk"
            )
        ],
        "since": [
            {"ruling": later, "at": "" if later.place == place else _called(later.place)}
            for later in rulings_about(place)
            .filter(pk__gt=ruling.pk)
            .select_related("ruled_by", "approved_by", "round__table", "shoe__table")
            .order_by("pk")
        ],
        "log_url": f"{reverse('admin:log')}?subject={_subject(ruling)}"
        if may(person, VIEW_LOG)
        else "",
    }
    if may(person, VIEW_MONEY):
        context |= {
            "plan": shown_context(ruling.plan, place=place) if "money" in ruling.plan else None,
            "bets": bets_told(ruling.bets),
            "settlements": list(
                Settlement.objects.filter(ruling=ruling)
                .select_related("round")
                .prefetch_related(totals_in_order())
                .order_by("position")
            ),
        }
    return show(request, "pitbook/ruling_record.html", context)


def _ruling(pk: int) -> Ruling:
    related = (
        "round__table__pit", "round__shoe", "shoe__table__pit", "ruled_by", "approved_by",
        "proposal_decision__decided_by", "proposal_decision__proposal__proposed_by",
    )  # fmt: skip
    ruling = Ruling.objects.select_related(*related).filter(pk=pk).first()
    if ruling is None:
        raise Refused("not_found", f"There is no ruling {pk}.")
    return ruling


def _called(place: Round | Shoe) -> str:
    return f"{place.table.code} {place_of(place)}"


def _dealt(place: Round | Shoe) -> Round | Table:
    """Whose game a ruling was made by: of a shoe that of its hands, where it has any."""
    if isinstance(place, Round):
        return place
    return place.rounds.order_by("number").first() or place.table


def _outcomes(ruling: Ruling) -> list[dict[str, Any]]:
    """The outcomes that a ruling left, with what each took the place of and whether it holds."""
    left = OutcomeRevision.objects.filter(ruling=ruling).select_related("round__table")
    rows = list(left.order_by("round_id"))
    before = {
        (row.round_id, row.revision + 1): row
        for row in OutcomeRevision.objects.filter(
            round__in=[row.round_id for row in rows]
        ).select_related("round")
    }
    return [
        {
            "round": row.round,
            "called": _called(row.round),
            "number": row.revision,
            "kind": row.get_kind_display(),
            "after": _lay(row),
            "before": _lay(was) if (was := before.get((row.round_id, row.revision))) else None,
            "in_force": row.revision == row.round.outcome_revision,
            "due": row.round.settled_revision < row.revision == row.round.outcome_revision,
        }
        for row in rows
    ]


def _lay(row: OutcomeRevision) -> dict[str, Any]:
    """An outcome as it lay on the table; a void has none."""
    game = game_of(row.round)
    void = row.kind == OutcomeRevision.Kind.VOID
    return {
        "headline": row.headline,
        "sides": sides_of(game, None if void else row.outcome, size="small"),
        "across": across(game),
    }


def _corrected(ruling: Ruling) -> list[tuple[str, Any, Any]]:
    """What a correction of a shoe's commencement put in place of what was posted."""
    if ruling.kind != Ruling.Kind.CORRECT_SHOE:
        return []
    before, after = ruling.plan["before"], ruling.plan["after"]
    return [(spoken(name), before[name], after[name]) for name in ("first_card", "burned")]


def _subject(ruling: Ruling) -> str:
    kind = "round" if ruling.round_id else "shoe"
    place = ruling.place
    return f"{kind}:{place if isinstance(place, Shoe) else place.key}"
