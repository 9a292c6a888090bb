"""One settlement: its header, its totals, its postings, and the proof that it is as it was."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from casino.access import VIEW_MONEY
from casino.pages.keyset import read_slice
from casino.pages.registry import fragment, page, show
from games.refusals import Refused
from tickets.models import Posting, Settlement
from tickets.selectors import totals_in_order
from tickets.services.ledger import verify_settlement


@page("settlements/<int:position>/", name="settlement", permission=VIEW_MONEY)
def settlement_page(request: HttpRequest, position: int) -> HttpResponse:
    """A batch at its permanent address, its postings a page at a time."""
    batch = _batch(position)
    postings = Posting.objects.filter(settlement=batch)
    postings = postings.select_related("ticket__operator")
    shown = read_slice(postings, key="ticket_id", before=request.GET.get("before", ""))
    context = {
        "title": f"Settlement {position}",
        "batch": batch,
        "outcome": batch.round.outcomes.get(revision=batch.revision),
        "totals": batch.totals.all(),
        "follower": Settlement.objects.filter(position=position + 1)
        .values_list("position", flat=True)
        .first(),
        "digest": bytes(batch.digest).hex(),
        "page": shown,
        "rows": shown.rows,
        "first": "before" not in request.GET,
    }
    return show(request, "pitbook/money_settlement.html", context)


@page("settlements/<int:position>/verify/", name="settlement_verify", permission=VIEW_MONEY)
def verify(request: HttpRequest, position: int) -> HttpResponse:
    """Recompute the batch from its outcome through the rules; nothing is written."""
    verification = verify_settlement(settlement=_batch(position))
    return fragment(request, "pitbook/money_verified.html", {"verification": verification})


def _batch(position: int) -> Settlement:
    related = ("round__table__pit", "settled_by", "ruling__ruled_by")
    batches = Settlement.objects.select_related(*related).prefetch_related(totals_in_order())
    batch = batches.filter(position=position).first()
    if batch is None:
        raise Refused("not_found", f"There is no settlement {position}.")
    return batch
