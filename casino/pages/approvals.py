"""What waits for a second person: the queue, and each proposal with its plan as it is now."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from casino.access import APPROVE, RULE, may
from casino.models import Person, Proposal, ProposalDecision, Shoe
from casino.pages.bets import bets_told
from casino.pages.dialogs import leave, show_dialog, url_of
from casino.pages.outcomes import place_of
from casino.pages.preview import nets_of, plan_context, shown_context
from casino.pages.registry import STATUSES, page, show
from casino.pages.round import ground_words
from casino.selectors import game_of, gaming_day, rulings_about
from casino.services.approvals import (
    approve,
    moved_on,
    plan_anew,
    reject,
    waiting_for,
    withdraw,
)
from casino.services.plans import Plan
from casino.services.policy import check_approver
from casino.services.shoe_plans import ShoePlan
from games.refusals import Refused

DECIDE = {
    "approve": (approve, "is approved and carried out"),
    "reject": (reject, "is rejected"),
    "withdraw": (withdraw, "is withdrawn"),
}
"""What may become of a proposal, and what is said afterwards."""

PLACES = ("round__table__pit", "shoe__table__pit")
"""What leads from a proposal to its table, be it about a round or about a shoe."""


@page("approvals/", name="approvals", permission=APPROVE)
def approvals(request: HttpRequest) -> HttpResponse:
    """What waits for this person, what this person proposed, and what was decided today."""
    person: Any = request.user
    proposals = Proposal.objects.select_related(*PLACES, "proposed_by")
    mine = proposals.filter(proposed_by=person, decision__isnull=True)
    context = {
        "title": "Approvals",
        "waiting": _rows(waiting_for(person).select_related(*PLACES, "proposed_by")),
        "mine": _rows(mine),
        "decided": _decided_today(),
    }
    return show(request, "pitbook/approvals.html", context)


@page("approvals/<int:pk>/", name="approval", permission=APPROVE, methods=("GET", "POST"))
def approval(request: HttpRequest, pk: int) -> HttpResponse:
    """One proposal: its plan and whether that still holds (GET), and the decision (POST)."""
    related = (*PLACES, "round__shoe", "proposed_by", "decision__decided_by")
    proposal = Proposal.objects.select_related(*related).filter(pk=pk).first()
    if proposal is None:
        raise Refused("not_found", f"There is no proposal {pk}.")
    if request.method == "GET":
        return _show(request, proposal)
    verdict, note = request.POST.get("verdict", ""), request.POST.get("note", "")
    try:
        return _decide(request, proposal, verdict, note)
    except Refused as refusal:
        found = Proposal.objects.select_related(*related).get(pk=pk)
        return _show(request, found, note=note, refusal=refusal)


def _decide(request: HttpRequest, proposal: Proposal, verdict: str, note: str) -> HttpResponse:
    """Take the decision; `anew` ends a proposal whose plan no longer holds and begins the next."""
    person: Any = request.user
    place = proposal.place
    ending = "withdraw" if proposal.proposed_by_id == person.pk else "reject"
    chosen = ending if verdict == "anew" else verdict
    if chosen not in DECIDE:
        raise Refused("invalid_value", "Approve, reject or withdraw.")
    service, done = DECIDE[chosen]
    service(proposal=proposal, actor=person, reason=note)
    url = url_of(place)
    if verdict == "anew":
        url = f"{_begun_at(proposal)}?again={proposal.pk}"
    elif request.GET.get("from") == "queue":
        url = reverse("admin:approvals")
    what = f"“{proposal.called}”, {place.table.code} {place_of(place)},"
    return leave(request, url, f"{what} {done}.")


def _begun_at(proposal: Proposal) -> str:
    """Where such a ruling is proposed."""
    match proposal.place:
        case Shoe() as shoe:
            return reverse("admin:void_shoe", args=[shoe.table.code, shoe.number])
        case round:
            return reverse("admin:ruling", args=[proposal.kind, round.key])


def _show(
    request: HttpRequest,
    proposal: Proposal,
    *,
    note: str = "",
    refusal: Refused | None = None,
) -> HttpResponse:
    """The proposal as a dialog, with what this person may decide about it."""
    person: Any = request.user
    decision = getattr(proposal, "decision", None)
    plan, changed = _now(proposal) if decision is None else (None, [])
    mine = proposal.proposed_by_id == person.pk
    place = proposal.place
    zone = place.table.pit.time_zone
    game = game_of(place.table if isinstance(place, Shoe) else place)
    context = {
        "title": f"{proposal.called}: {place.table.code} {place_of(place)}",
        "proposal": proposal,
        "decision": decision,
        "zone": zone,
        "ground": ground_words(game, proposal.ground),
        "plan": plan_context(plan)
        if plan and not changed
        else shown_context(proposal.plan, place=place),
        "bets": bets_told(proposal.bets),
        "changed": changed,
        "mine": mine,
        "barred": "" if mine else _barred(person, proposal),
        "may_rule": may(person, RULE),
        "note": note,
        "refusal": refusal,
        "beside_note": bool(refusal and refusal.field == "reason"),
        "url": request.get_full_path(),
    }
    status = 200
    if refusal:
        status = 422 if refusal.field == "reason" else STATUSES.get(refusal.code, 422)
    return show_dialog(request, place, "pitbook/approval.html", context, status=status)


def _now(proposal: Proposal) -> tuple[Plan | ShoePlan | None, list[str]]:
    """The plan drawn up anew, and in words where it is no longer what was proposed."""
    try:
        plan = plan_anew(proposal)
    except Refused as refusal:
        return None, [str(refusal)]
    if plan.seen == proposal.seen:
        return plan, []
    return plan, list(_differences(proposal, plan))


def _differences(proposal: Proposal, plan: Plan | ShoePlan) -> list[str]:
    was, now = proposal.plan, plan.shown
    told = [
        f"{words} “{was[name]}”; now it is “{now[name]}”."
        for name, words in (("before", "The result was"), ("after", "It was to become"))
        if was[name] != now[name]
    ]
    if was.get("hands") != now.get("hands"):
        told.append("Other hands would be void than were shown, or their results have changed.")
    if was["tickets"] != now["tickets"]:
        told.append(f"{was['tickets']:,} tickets were to change; now {now['tickets']:,} do.")
    if was["money"] != now["money"]:
        told.append("Other amounts would move than were shown.")
    since = rulings_about(proposal.place).filter(ruled_at__gt=proposal.proposed_at)
    told += [
        f"{ruling.ruled_by} ruled “{ruling.called}” since: {ruling.note}"
        for ruling in since.select_related("ruled_by", "round")
    ]
    return told or [f"The {place_of(proposal.place)} moved on since it was proposed."]


def _barred(person: Person, proposal: Proposal) -> str:
    """Why this person may not approve; empty for who may."""
    try:
        check_approver(person, role=proposal.role, proposer=proposal.proposed_by)
    except Refused as refusal:
        return str(refusal)
    return ""


def _rows(proposals: QuerySet[Proposal]) -> list[dict[str, Any]]:
    """Proposals that wait, the oldest first, each with its money and whether it can still hold."""
    listed = list(proposals.order_by("id"))
    moved = moved_on(listed)
    return [
        {
            "proposal": proposal,
            **_where(proposal),
            "money": nets_of(proposal.plan),
            "moved": proposal.pk in moved,
        }
        for proposal in listed
    ]


def _where(proposal: Proposal) -> dict[str, str]:
    """What a proposal is about: its name, its page and the clock that it goes by."""
    place = proposal.place
    return {"place": str(place), "url": url_of(place), "zone": place.table.pit.time_zone}


def _decided_today() -> list[dict[str, Any]]:
    """What was decided in the gaming day that each pit is in, newest first."""
    now = timezone.now()
    places = [f"proposal__{place}" for place in PLACES]
    related = (*places, "proposal__proposed_by", "decided_by")
    lately = ProposalDecision.objects.filter(decided_at__gt=now - timedelta(days=1))
    found = lately.select_related(*related).order_by("-id")
    return [
        {"decision": decision, "proposal": decision.proposal, **_where(decision.proposal)}
        for decision in found
        for pit in [decision.proposal.place.table.pit]
        if gaming_day(pit, decision.decided_at) == gaming_day(pit, now)
    ]
