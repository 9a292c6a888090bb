"""Bets that a ruling is about: as they are typed, and as a person reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.urls import reverse

from casino.pages.amounts import grouped
from casino.pages.pictures import spoken
from casino.selectors import game_of
from casino.services.outcomes import Bets
from games.refusals import Refused
from tickets.models import Ticket
from tickets.selectors import lines_of

BETS = ("ticket", "line")
"""The fields that name a ticket and, where a ruling is about one bet alone, its line."""

MOST_DIGITS = 18


def named_bets(typed: Mapping[str, str]) -> Bets:
    """The bets that a form names; refuses what is no number."""
    ticket, line = (_number(typed.get(name, ""), name) for name in BETS)
    if ticket is None:
        raise Refused("invalid_value", "Name the ticket.", "ticket")
    return Bets(ticket, () if line is None else (line,))


def typed_bets(data: Mapping[str, Any]) -> dict[str, str]:
    """The fields of a form for bets that were kept as data."""
    [line] = data["lines"] or [""]
    return {"ticket": str(data["ticket"]), "line": str(line)}


def bets_told(data: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The ticket and the bets of it that a ruling is about, in words; None for any other ruling."""
    if not data:
        return None
    related = ("round", "operator")
    ticket = Ticket.objects.select_related(*related).filter(pk=data["ticket"]).first()
    if ticket is None:
        raise Refused("not_found", f"There is no ticket {data['ticket']}.")
    game = game_of(ticket.round)
    words = []
    for line in lines_of(ticket):
        if line.number in data["lines"] or not data["lines"]:
            bet = game.bets.get(line.wager.bet)
            title = bet.title if bet else spoken(line.wager.bet)
            amount = grouped(line.stake, ticket.currency)
            selection = f" {spoken(line.wager.selection)}" if line.wager.selection else ""
            words.append(f"{title}{selection}, {amount} {ticket.currency}")
    return {
        "reference": ticket.reference,
        "operator": ticket.operator.code,
        "player": ticket.player,
        "url": reverse("admin:ticket", args=[ticket.pk]),
        "whole": not data["lines"],
        "words": words,
    }


def _number(text: str, field: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        raise Refused("invalid_value", f"{text!r} is no number.", field)
    return int(text)
