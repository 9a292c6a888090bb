"""Taking tickets from a request to the house, and its answers back."""

from __future__ import annotations

from typing import Any

from rest_framework.exceptions import ValidationError

from casino.api.errors import RULES, error, http_status, malformed
from casino.models import ApiClient
from games.money import format_amount
from games.refusals import Refused
from tickets.api.shapes import MOST_REFERENCE, TicketBody
from tickets.services.acceptance import Answer, BetAsked, TicketAsked, accept_tickets


def answer_one(data: Any, client: ApiClient) -> tuple[int, dict[str, Any]]:
    """The status and the body that answer one ticket; ValidationError if it is none."""
    [answer] = accept_tickets(asked=[_read(TicketBody(), data)], client=client)
    return _answered(answer)


def answer_all(data: list[Any], client: ApiClient) -> list[dict[str, Any]]:
    """An answer for each item of a list, with the status that it would have had alone."""
    shape = TicketBody()
    read: list[TicketAsked | Refused] = []
    for item in data:
        try:
            read.append(_read(shape, item))
        except ValidationError as fault:
            read.append(malformed(fault))
    asked = [ticket for ticket in read if isinstance(ticket, TicketAsked)]
    answers = iter(accept_tickets(asked=asked, client=client))
    results = []
    for item, ticket in zip(data, read, strict=True):
        if isinstance(ticket, Refused):
            body: dict[str, Any] = {"reference": _reference(item), "error": error(ticket)}
            status = http_status(ticket)
        else:
            status, body = _answered(next(answers))
        results.append({"status_code": status} | body)
    return results


def _read(shape: TicketBody, data: Any) -> TicketAsked:
    """A ticket that has the shape of one; ValidationError otherwise."""
    values = shape.run_validation(data)
    bets = tuple(BetAsked(bet["bet"], bet["selection"], bet["stake"]) for bet in values.pop("bets"))
    return TicketAsked(bets=bets, **values)


def _reference(item: Any) -> str | None:
    """The reference of a malformed ticket, as far as it can be told."""
    reference = item.get("reference") if isinstance(item, dict) else None
    return reference if isinstance(reference, str) and len(reference) <= MOST_REFERENCE else None


def _answered(answer: Answer) -> tuple[int, dict[str, Any]]:
    asked, ticket = answer.asked, answer.ticket
    if ticket is None:
        return _refused(answer)
    bets = [
        {
            "bet": stake.wager.bet,
            "selection": stake.wager.selection,
            "stake": format_amount(stake.stake, asked.currency),
            "error": None,
        }
        for stake in answer.stakes
    ]
    body = {
        "reference": asked.reference,
        "ticket": str(ticket.pk),
        "status": "accepted",
        "round": asked.round,
        "bets": bets,
        "book_version": ticket.book_version,
        "limit_version": str(ticket.limit_set.version),
    }
    return (200 if answer.repeated else 201), body


def _refused(answer: Answer) -> tuple[int, dict[str, Any]]:
    asked = answer.asked
    first = next(refusal for refusal in answer.refusals if refusal)
    status = http_status(first) if first.code == "duplicate_reference" else RULES
    body = {
        "reference": asked.reference,
        "ticket": None,
        "status": "refused",
        "round": asked.round,
        "bets": [
            {
                "bet": bet.bet,
                "selection": bet.selection,
                "stake": bet.stake,
                "error": refusal and {"code": refusal.code, "message": refusal.message},
            }
            for bet, refusal in zip(asked.bets, answer.refusals, strict=True)
        ],
        "error": error(first),
    }
    return status, body
