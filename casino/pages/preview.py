"""What a ruling would change, as the page shows it.

Between the preview and the confirmation it travels signed, so what is confirmed is what was seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.core import signing

from casino.models import Role, Round, Ruling, Shoe, kind_at
from casino.pages.outcomes import across, sides_of
from casino.pages.pictures import spoken
from casino.selectors import game_of, last_dealt
from casino.services.plans import Plan
from casino.services.policy import in_words, role_to_approve, rules_for
from casino.services.shoe_plans import ShoePlan
from games.refusals import Refused

SALT = "casino.pages.preview"


def seal(previewed: Mapping[str, Any]) -> str:
    """A preview as text that nobody can change unnoticed."""
    return signing.dumps(previewed, salt=SALT, compress=True)


def unseal(sealed: str, **place: Any) -> dict[str, Any]:
    """The preview, which has to be of this place; refuses any other, and any that was changed."""
    try:
        previewed: dict[str, Any] = signing.loads(sealed, salt=SALT)
    except signing.BadSignature:
        previewed = {}
    if any(previewed.get(name) != value for name, value in place.items()):
        raise Refused("conflict", "This is not a preview that you were shown; draw up a new one.")
    return previewed


def shown_context(shown: Mapping[str, Any], *, place: Round | Shoe) -> dict[str, Any]:
    """A plan for a place as it was kept, without its cards, as the plan component wants it.

    What is looked up with a default is missing from plans that were kept before it was told.
    """
    hands = shown.get("hands")
    return {
        "before": {"headline": shown["before"]},
        "after": {"headline": shown["after"]},
        "tickets": shown["tickets"],
        "players": shown["players"] if hands is None else None,
        "debited": shown.get("debited") if hands is None else None,
        "hands": [hand | {"nets": nets_of(hand)} for hand in hands or ()],
        "standing": shown.get("standing"),
        "rows": [
            row
            | {
                "net": row["up"] + row["down"],
                "debited": row.get("debited"),
                "operator": f"{row['operator']} (test)" if row["test"] else row["operator"],
            }
            for row in shown["money"]
        ],
        "warnings": [
            f"Round {key} rides on this one and follows it: {headline}."
            for key, headline in shown["riders"].items()
        ],
        "earlier": [
            {
                "kind": kind_at(ruling["kind"], place, ruling.get("bets")),
                "ground": spoken(ruling["ground"]).lower(),
                "by": ruling["by"],
                "at": datetime.fromisoformat(ruling["at"]),
            }
            for ruling in shown.get("earlier", [])
        ],
        "zone": place.table.pit.time_zone,
        "word": "shoe" if isinstance(place, Shoe) else place.word,
    }


def nets_of(shown: Mapping[str, Any]) -> list[tuple[int, str]]:
    """What players gain or lose on the whole, by currency, in minor units; real money alone."""
    nets: dict[str, int] = {}
    for row in shown["money"]:
        if not row["test"]:
            nets[row["currency"]] = nets.get(row["currency"], 0) + row["up"] + row["down"]
    return [(nets[currency], currency) for currency in sorted(nets)]


def plan_context(plan: Plan | ShoePlan) -> dict[str, Any]:
    """The preview as the plan component wants it."""
    shown = plan.shown
    told = shown_context(shown, place=plan.shoe if isinstance(plan, ShoePlan) else plan.round)
    told["warnings"] += _unmoved(plan) + _warnings(plan, shown)
    return told if isinstance(plan, ShoePlan) else told | _sides(plan)


def _unmoved(plan: Plan | ShoePlan) -> list[str]:
    """What rides on a round that is swapped and is none the worse for it (C-51)."""
    if isinstance(plan, ShoePlan) or plan.draft.kind != Ruling.Kind.SWAP:
        return []
    moved = {rider.pk for rider, _ in plan.riders}
    return [
        f"Round {rider.key} rides on this one and stays as it is: its total is of all the cards, "
        "whoever holds them."
        for rider in plan.round.riders.all()
        if rider.pk not in moved
    ]


def _sides(plan: Plan) -> dict[str, Any]:
    """The outcomes before and after, as they lie on the table."""
    game = game_of(plan.round)
    dealt = last_dealt(plan.round)
    posted = next((incident.evidence for incident in plan.closes if incident.evidence), None)
    after = None if plan.change.void_ground else plan.change.outcome
    return {
        "before": {
            "headline": plan.before,
            "sides": sides_of(game, dealt.outcome if dealt else posted, size="small"),
            "across": across(game),
        },
        "after": {
            "headline": plan.change.headline,
            "sides": sides_of(game, after.canonical if after else None, size="small"),
            "across": across(game),
        },
    }


def second_person(plan: Plan | ShoePlan) -> dict[str, Any] | None:
    """Who must approve a plan, and the rules that say so; None where one person is enough.

    `waiting` is a proposal at the same place that must be decided on before another.
    """
    rules = rules_for(plan)
    if not rules:
        return None
    role = role_to_approve(plan) or Role.MANAGER
    place = plan.shoe if isinstance(plan, ShoePlan) else plan.round
    return {
        "role": Role(role).label.lower(),
        "rules": [in_words(rule) for rule in rules],
        "waiting": place.proposals.filter(decision__isnull=True).first(),
    }


def _warnings(plan: Plan | ShoePlan, shown: Mapping[str, Any]) -> list[str]:
    told = []
    if any(round.phase == Round.Phase.BETTING for round in plan.rounds):
        told.append(
            "Betting is still open. A ticket that comes in meanwhile asks for a new preview."
        )
    if plan.closes:
        kinds = ", ".join(f"“{spoken(incident.kind)}”" for incident in plan.closes)
        place = "shoe" if isinstance(plan, ShoePlan) else plan.round.word
        told.append(f"This answers what is open on the {place}: {kinds}.")
    if shown["unsettled"]:
        told.append(f"Tickets that this settles for the first time: {shown['unsettled']:,}.")
    return told
