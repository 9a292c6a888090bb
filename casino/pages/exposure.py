"""What the house may have to pay on a running round: by the end that it may come to, drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.html import escape
from django.utils.safestring import SafeString

from casino.models import Round
from casino.pages.amounts import grouped
from casino.pages.pictures import picture, spoken
from casino.selectors import limits_in_force
from tickets.selectors import exposures_of

RUNNING = (Round.Phase.BETTING, Round.Phase.CLOSED)
"""The phases in which a round has no result yet."""

# The drawing's own grid: the room of a bar, of many and of few; its height; the line of names.
ROOM, WIDE_ROOM, FEW = 25, 90, 6
HEIGHT, NAMES = 130, 22


@dataclass(frozen=True, slots=True)
class End:
    """One way in which the round may end, and the money of it in minor units."""

    words: str
    pays: int
    keeps: int


def exposure_of(round: Round) -> list[dict[str, Any]]:
    """What lies on a round without a result, currency by currency; nothing on any other.

    Real tickets only. A payout includes the stake; what the house keeps may be below zero.
    """
    if round.phase not in RUNNING:
        return []
    laid = exposures_of([round])[round.pk]
    limits = limits_in_force(round.table) if laid else {}
    told = []
    for currency, exposure in sorted(laid.items()):
        paid = exposure.by_end()
        ends = [
            End(_words(name), pays, exposure.staked - pays) for name, pays in paid.items() if name
        ]
        maximum = limits[currency].exposure_max if currency in limits else None
        told.append(
            {
                "currency": currency,
                "staked": exposure.staked,
                "most": max(paid.values()) if ends else exposure.bound,
                "maximum": maximum,
                "ends": ends,
                "few": len(ends) <= FEW,
                "chart": chart(paid, staked=exposure.staked, currency=currency) if ends else "",
            }
        )
    return told


def chart(paid: Mapping[str, int], *, staked: int, currency: str) -> SafeString:
    """Draw a bar for each end; beyond the dashed line the house pays more than was staked."""
    room = WIDE_ROOM if len(paid) <= FEW else ROOM
    width, top = room * len(paid), max(staked, *paid.values(), 1)
    shapes = []
    for place, (name, pays) in enumerate(paid.items()):
        high = HEIGHT * pays // top
        tone = "pb-bar pb-bar-loss" if pays > staked else "pb-bar"
        shapes.append(
            f'<rect class="{tone}" x="{place * room + 3}" y="{HEIGHT - high}"'
            f' width="{room - 6}" height="{high}" rx="2"/>'
            f'<text class="pb-bar-name" x="{place * room + room // 2}" y="{HEIGHT + NAMES - 6}"'
            f' text-anchor="middle">{escape(spoken(name).removeprefix("Total "))}</text>'
        )
    line = HEIGHT - HEIGHT * staked // top
    shapes.append(
        f'<path class="pb-bar-ground" d="M0 {HEIGHT}H{width}"/>'
        f'<path class="pb-bar-line" d="M0 {line}H{width}"/>'
    )
    dearest = max(paid, key=lambda name: paid[name])
    label = (
        f"What the house pays in {currency}: most on {_words(dearest)}, "
        f"{grouped(paid[dearest], currency)}; staked {grouped(staked, currency)}"
    )
    size = (width, HEIGHT + NAMES)
    return picture("".join(shapes), label, view=size, pixels=size)


def _words(name: str) -> str:
    return f"Number {name}" if name.isdecimal() else spoken(name)
