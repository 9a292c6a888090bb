"""Tags that put cards, roads, money and moments on a page.

{% load pitbook_pictures %}
{% card "KS" %}                         {% hand cards label="Player" across=True size="small" %}
{% chips cards %}
{% die 4 %}  {% die 11 sides=12 %}      {% number 17 colour="black" %}
{% bead "banker" pairs=pairs %}         {% road board "big_road" size="compact" %}
{% beads hands sides %}                 {% ask board "banker" "small_road" %}
{% phase round.status %}
{% amount minor "EUR" %}  {{ 1204|count }}   {% change minor "EUR" %}
{% moment round.opened_at pit.time_zone %}  {% since round.opened_at %}
{{ stop.reason|sentence }}
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from casino.pages import pictures, scoreboards
from casino.pages.amounts import grouped
from games.cards import DECK, RED
from games.roads import BACCARAT, Hand, Road, Scoreboard, Sides, bead_plate

register = template.Library()

DASH = format_html('<span class="pb-quiet">{}</span>', "–")

# A round's status: the tone of its badge and what a person calls it.
PHASES = {
    "betting": ("go", "Betting"),
    "closed": ("wait", "No more bets"),
    "resulted": ("done", "Result"),
    "on_hold": ("alarm", "On hold"),
    "void": ("void", "Void"),
    "stopped": ("alarm", "Betting stopped"),
}

SUIT_GLYPHS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


@register.simple_tag
def card(code: str, size: str = "medium") -> SafeString:
    """Draw one card; "" is the place of a card not dealt."""
    return pictures.card_svg(code, size=size)


@register.simple_tag
def hand(
    cards: Sequence[str], label: str = "", across: bool = False, size: str = "medium"
) -> SafeString:
    """Draw a hand; with `across` its third card lies across."""
    return pictures.hand_svg(cards, label=label, across=across, size=size)


@register.simple_tag
def chips(codes: Sequence[str]) -> SafeString:
    """Write cards in a line of text: rank and suit, each on its chip."""
    return format_html_join(
        " ",
        '<span class="pb-chip pb-chip-{}"><span aria-hidden="true">{}</span>'
        '<span class="pb-hidden-words">{}</span></span>',
        (
            (
                "wrong" if code not in DECK else "red" if code[1] in RED else "black",
                code[0].replace("T", "10") + SUIT_GLYPHS[code[1]] if code in DECK else code,
                pictures.card_words(code),
            )
            for code in codes
        ),
    )


@register.simple_tag
def die(value: int, sides: int = 6, size: str = "medium") -> SafeString:
    """Draw a die's upper face."""
    return pictures.die_svg(value, sides=sides, size=size)


@register.simple_tag
def number(value: int, colour: str = "", size: str = "medium") -> SafeString:
    """Draw a drawn number on its colour."""
    return pictures.number_svg(value, colour=colour, size=size)


@register.simple_tag
def bead(
    winner: str,
    pairs: Collection[str] = (),
    natural: bool = False,
    sides: Sides = BACCARAT,
    size: str = "medium",
) -> SafeString:
    """Draw the bead of one result."""
    return pictures.bead_svg(winner, sides=sides, pairs=pairs, natural=natural, size=size)


@register.simple_tag
def road(
    board: Scoreboard, name: str, size: str = "large", columns: int | None = None
) -> SafeString:
    """Draw one road of a scoreboard."""
    drawn = Road(name)
    return scoreboards.road_svg(
        drawn, board.roads[drawn], sides=board.sides, size=size, columns=columns
    )


@register.simple_tag
def beads(
    hands: Sequence[Hand], sides: Sides, size: str = "compact", columns: int | None = None
) -> SafeString:
    """Draw the bead plate alone, for a page of many tables."""
    cells = bead_plate(hands, sides=sides)
    return scoreboards.road_svg(Road.BEAD_PLATE, cells, sides=sides, size=size, columns=columns)


@register.simple_tag
def ask(board: Scoreboard, side: str, name: str) -> SafeString:
    """Draw the mark that a derived road receives if `side` wins the next hand."""
    drawn = Road(name)
    return scoreboards.mark_svg(drawn, board.asks[side][drawn])


@register.inclusion_tag("pitbook/components/badge.html")
def phase(status: str) -> dict[str, str]:
    """Show a round's status as a badge."""
    tone, label = PHASES.get(status, ("idle", pictures.spoken(status) or "Idle"))
    return {"tone": tone, "label": label}


@register.simple_tag
def amount(minor: int | None, currency: str) -> SafeString:
    """Show minor units as money, thousands apart; None is a dash."""
    if minor is None:
        return DASH
    return format_html(
        '<span class="pb-amount">{} <span class="pb-currency">{}</span></span>',
        grouped(minor, currency),
        currency,
    )


@register.filter
def sentence(words: str) -> str:
    """End what somebody wrote with a full stop, so that more may follow."""
    told = words.rstrip()
    return told if told.endswith((".", "!", "?", "…")) else f"{told}."


@register.filter
def count(number: int | None) -> str:
    """Show a whole number, thousands apart; None is a dash."""
    return "–" if number is None else f"{number:,}"


@register.simple_tag
def change(minor: int, currency: str) -> SafeString:
    """Show a difference of money with its sign: what a player gains is up, what goes back down."""
    direction = "up" if minor > 0 else "down" if minor < 0 else "none"
    return format_html(
        '<span class="pb-amount pb-money-{}">{}{} <span class="pb-currency">{}</span></span>',
        direction,
        "+" if minor > 0 else "",
        grouped(minor, currency),
        currency,
    )


@register.simple_tag
def moment(
    at: datetime | None, time_zone: str = "UTC", form: str = "full", zoned: bool = False
) -> SafeString:
    """Show an instant on the clock of a pit; the title has it in UTC.

    Lists of a house with several clocks show how far each is from UTC; with `zoned` an instant
    that stands by itself says it.

    `form` is "full" (date, time to the second), "time" or "date".
    """
    if at is None:
        return DASH
    local = at.astimezone(ZoneInfo(time_zone))
    forms = {"full": "%d %b %Y %H:%M:%S", "time": "%H:%M:%S", "date": "%d %b %Y"}
    universal = at.astimezone(UTC)
    offset = f"UTC{local.isoformat(timespec='seconds')[19:].removesuffix(':00')}"
    offset = offset.removesuffix("+00")
    return format_html(
        '<time class="pb-moment" datetime="{}" data-pb-offset="{}" title="{}">{}</time>',
        universal.isoformat(),
        "" if zoned else offset,
        f"{local:%d %b %Y %H:%M:%S} {time_zone}, {universal:%H:%M:%S} UTC",
        f"{local.strftime(forms[form])} {offset}" if zoned else local.strftime(forms[form]),
    )


@register.simple_tag
def since(at: datetime | None) -> SafeString | str:
    """Show the time that has passed since an instant, counted on by the page's script."""
    if at is None:
        return ""
    return format_html(
        '<time class="pb-clock" data-pb-since="{}" datetime="{}"></time>',
        int(at.timestamp()),
        at.astimezone(UTC).isoformat(),
    )


@register.simple_tag
def card_keys() -> list[dict[str, str]]:
    """Return the 52 keys of the card picker, suit by suit."""
    return [
        {
            "code": code,
            "rank": code[0].replace("T", "10"),
            "suit": SUIT_GLYPHS[code[1]],
            "tone": "red" if code[1] in RED else "black",
            "words": pictures.card_words(code),
        }
        for code in DECK
    ]
