"""What a ruling would change, as the page shows it.

Between the preview and the confirmation it travels signed, so what is confirmed is what was seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.core import signing

from casino.models import Role, Round, Ruling
from casino.pages.outcomes import across, sides_of
from casino.pages.pictures import spoken
from casino.selectors import game_of, last_dealt
from casino.services.plans import Plan
from casino.services.policy import in_words, role_to_approve, rules_for
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


def shown_context(shown: Mapping[str, Any], *, zone: str) -> dict[str, Any]:
    """A plan as it was kept, without its cards, as the plan component wants it.

    What is looked up with a default is missing from plans that were kept before it was told.
    """
    return {
        "before": {"headline": shown["before"]},
        "after": {"headline": shown["after"]},
        "tickets": shown["tickets"],
        "players": shown["players"],
        "debited": shown.get("debited"),
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
                "kind": Ruling.Kind(ruling["kind"]).label,
                "ground": spoken(ruling["ground"]).lower(),
                "by": ruling["by"],
                "at": datetime.fromisoformat(ruling["at"]),
            }
            for ruling in shown.get("earlier", [])
        ],
        "zone": zone,
    }


def plan_context(plan: Plan) -> dict[str, Any]:
    """The preview as the plan component wants it."""
    game, shown = game_of(plan.round), plan.shown
    dealt = last_dealt(plan.round)
    posted = next((incident.evidence for incident in plan.closes if incident.evidence), None)
    after = None if plan.change.void_ground else plan.change.outcome
    context = shown_context(shown, zone=plan.round.table.pit.time_zone)
    return context | {
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
        "warnings": [*context["warnings"], *_warnings(plan, shown)],
    }


def second_person(plan: Plan) -> dict[str, Any] | None:
    """Who must approve a plan, and the rules that say so; None where one person is enough."""
    rules = rules_for(plan)
    if not rules:
        return None
    role = role_to_approve(plan) or Role.MANAGER
    return {"role": Role(role).label.lower(), "rules": [in_words(rule) for rule in rules]}


def _warnings(plan: Plan, shown: Mapping[str, Any]) -> list[str]:
    told = []
    if plan.round.phase == Round.Phase.BETTING:
        told.append(
            "Betting is still open. A ticket that comes in meanwhile asks for a new preview."
        )
    if plan.closes:
        kinds = ", ".join(f"“{spoken(incident.kind)}”" for incident in plan.closes)
        told.append(f"This answers what is open on the hand: {kinds}.")
    if shown["unsettled"]:
        told.append(f"Tickets that this settles for the first time: {shown['unsettled']:,}.")
    return told
