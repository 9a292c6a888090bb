"""What waits for a second person: the queue, and each proposal with its plan as it is now."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from casino.access import APPROVE, RULE, may
from casino.models import Person, Proposal, ProposalDecision
from casino.pages.bets import bets_told
from casino.pages.dialogs import leave, show_dialog
from casino.pages.outcomes import hand_of
from casino.pages.preview import plan_context, shown_context
from casino.pages.registry import STATUSES, page, show
from casino.pages.round import ground_words
from casino.selectors import game_of, gaming_day
from casino.services.approvals import approve, draft_of, reject, waiting_for, withdraw
from casino.services.plans import Plan, plan_ruling
from casino.services.policy import check_approver
from games.refusals import Refused

DECIDE = {
    "approve": (approve, "is approved and carried out"),
    "reject": (reject, "is rejected"),
    "withdraw": (withdraw, "is withdrawn"),
}
"""What may become of a proposal, and what is said afterwards."""


@page("approvals/", name="approvals", permission=APPROVE)
def approvals(request: HttpRequest) -> HttpResponse:
    """What waits for this person, what this person proposed, and what was decided today."""
    person: Any = request.user
    proposals = Proposal.objects.select_related("round__table__pit", "proposed_by")
    mine = proposals.filter(proposed_by=person, decision__isnull=True)
    context = {
        "title": "Approvals",
        "waiting": _rows(waiting_for(person).select_related("round__table__pit", "proposed_by")),
        "mine": _rows(mine),
        "decided": _decided_today(),
    }
    return show(request, "pitbook/approvals.html", context)


@page("approvals/<int:pk>/", name="approval", permission=APPROVE, methods=("GET", "POST"))
def approval(request: HttpRequest, pk: int) -> HttpResponse:
    """One proposal: its plan and whether that still holds (GET), and the decision (POST)."""
    related = ("round__table__pit", "round__shoe", "proposed_by", "decision__decided_by")
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
    round = proposal.round
    ending = "withdraw" if proposal.proposed_by_id == person.pk else "reject"
    chosen = ending if verdict == "anew" else verdict
    if chosen not in DECIDE:
        raise Refused("invalid_value", "Approve, reject or withdraw.")
    service, done = DECIDE[chosen]
    service(proposal=proposal, actor=person, reason=note)
    url = reverse("admin:round", args=[round.key])
    if verdict == "anew":
        url = f"{reverse('admin:ruling', args=[proposal.kind, round.key])}?again={proposal.pk}"
    elif request.GET.get("from") == "queue":
        url = reverse("admin:approvals")
    what = f"“{proposal.get_kind_display()}”, {round.table.code} {hand_of(round).lower()},"
    return leave(request, url, f"{what} {done}.")


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
    zone = proposal.round.table.pit.time_zone
    context = {
        "title": f"{proposal.get_kind_display()}: {proposal.round.table.code} "
        f"{hand_of(proposal.round).lower()}",
        "proposal": proposal,
        "decision": decision,
        "zone": zone,
        "ground": ground_words(game_of(proposal.round), proposal.ground),
        "plan": plan_context(plan)
        if plan and not changed
        else shown_context(proposal.plan, zone=zone),
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
    return show_dialog(request, proposal.round, "pitbook/approval.html", context, status=status)


def _now(proposal: Proposal) -> tuple[Plan | None, list[str]]:
    """The plan drawn up anew, and in words where it is no longer what was proposed."""
    round = proposal.round
    try:
        plan = plan_ruling(round=round, draft=draft_of(proposal), actor=proposal.proposed_by)
    except Refused as refusal:
        return None, [str(refusal)]
    if plan.seen == proposal.seen:
        return plan, []
    return plan, list(_differences(proposal, plan))


def _differences(proposal: Proposal, plan: Plan) -> list[str]:
    was, now = proposal.plan, plan.shown
    told = [
        f"{words} “{was[name]}”; now it is “{now[name]}”."
        for name, words in (("before", "The result was"), ("after", "It was to become"))
        if was[name] != now[name]
    ]
    if was["tickets"] != now["tickets"]:
        told.append(f"{was['tickets']:,} tickets were to change; now {now['tickets']:,} do.")
    if was["money"] != now["money"]:
        told.append("Other amounts would move than were shown.")
    since = proposal.round.rulings.filter(ruled_at__gt=proposal.proposed_at)
    told += [
        f"{ruling.ruled_by} ruled “{ruling.get_kind_display()}” since: {ruling.note}"
        for ruling in since.select_related("ruled_by")
    ]
    return told or ["The round moved on since it was proposed."]


def _barred(person: Person, proposal: Proposal) -> str:
    """Why this person may not approve; empty for who may."""
    try:
        check_approver(person, role=proposal.role, proposer=proposal.proposed_by)
    except Refused as refusal:
        return str(refusal)
    return ""


def _rows(proposals: QuerySet[Proposal]) -> list[dict[str, Any]]:
    """Proposals that wait, the oldest first, each with the money it would move."""
    return [
        {"proposal": proposal, "money": _money(proposal.plan)}
        for proposal in proposals.order_by("id")
    ]


def _money(plan: Mapping[str, Any]) -> list[tuple[int, str]]:
    """What players gain or lose on the whole, by currency, in minor units; real money alone."""
    nets: dict[str, int] = {}
    for row in plan["money"]:
        if not row["test"]:
            nets[row["currency"]] = nets.get(row["currency"], 0) + row["up"] + row["down"]
    return [(nets[currency], currency) for currency in sorted(nets)]


def _decided_today() -> list[ProposalDecision]:
    """What was decided in the gaming day that each pit is in, newest first."""
    now = timezone.now()
    related = ("proposal__round__table__pit", "proposal__proposed_by", "decided_by")
    lately = ProposalDecision.objects.filter(decided_at__gt=now - timedelta(days=1))
    found = lately.select_related(*related).order_by("-id")
    return [
        decision
        for decision in found
        for pit in [decision.proposal.round.table.pit]
        if gaming_day(pit, decision.decided_at) == gaming_day(pit, now)
    ]
