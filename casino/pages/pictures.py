"""Draw cards, dice, numbers and beads as SVG, each with a name in words for who cannot see it.

Geometry is in whole units of the picture's own grid; colours come from the style sheet, so that
light and dark are one picture. Text from outside is escaped.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from games.cards import DECK, RED
from games.roads import BACCARAT, Sides

RANK_WORDS = {
    "A": "ace",
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "T": "ten",
    "J": "jack",
    "Q": "queen",
    "K": "king",
}
SUIT_WORDS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}

# Outlines on a field of 24 by 24.
SUIT_PATHS = {
    "S": "M12 1C15 6 22 10 22 15C22 18 20 20 17 20C15 20 14 19 13 18C13 20 14 22 16 23H8"
    "C10 22 11 20 11 18C10 19 9 20 7 20C4 20 2 18 2 15C2 10 9 6 12 1Z",
    "H": "M12 22C6 17 2 13 2 8C2 5 4 3 7 3C9 3 11 4 12 7C13 4 15 3 17 3C20 3 22 5 22 8"
    "C22 13 18 17 12 22Z",
    "D": "M12 1C14 5 17 9 21 12C17 15 14 19 12 23C10 19 7 15 3 12C7 9 10 5 12 1Z",
    "C": "M12 1A5 5 0 0 1 16 9A5 5 0 1 1 13 17C13 20 14 22 16 23H8C10 22 11 20 11 17"
    "A5 5 0 1 1 8 9A5 5 0 0 1 12 1Z",
}

CARD_WIDTH, CARD_HEIGHT, CARD_GAP = 60, 84, 6
CARD_PIXELS = {"small": 32, "medium": 52, "large": 84}

# The pips of a six-sided die, as columns and rows of a three by three field.
PIPS = {
    1: [(1, 1)],
    2: [(2, 0), (0, 2)],
    3: [(2, 0), (1, 1), (0, 2)],
    4: [(0, 0), (2, 0), (0, 2), (2, 2)],
    5: [(0, 0), (2, 0), (1, 1), (0, 2), (2, 2)],
    6: [(0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2)],
}
DODECAHEDRON = (
    "M24 1L38 5L46 17L46 31L38 43L24 47L10 43L2 31L2 17L10 5Z",
    "M24 9L38 19L33 36H15L10 19ZM24 9V1M38 19L46 17M33 36L38 43M15 36L10 43M10 19L2 17",
)
PIECE_PIXELS = {"small": 20, "medium": 28, "large": 44}

COLOURS = ("red", "black", "green", "blue")


def picture(body: str, label: str, *, view: tuple[int, int], pixels: tuple[int, int]) -> SafeString:
    """Wrap drawn shapes into an SVG of `view` units shown at `pixels`, named by `label`.

    `body` is markup made here and goes in as it is; `label` is text and is escaped.
    """
    name = escape(label)
    drawn = (
        f'<svg class="pb-picture" role="img" aria-label="{name}" viewBox="0 0 {view[0]} {view[1]}"'
        f' width="{pixels[0]}" height="{pixels[1]}"><title>{name}</title>{body}</svg>'
    )
    return mark_safe(drawn)  # noqa: S308 (the only text from outside was escaped)


def spoken(word: str) -> str:
    """Turn a code word into the words of a label: "player_pair" becomes "Player pair"."""
    return word.replace("_", " ").capitalize()


def card_words(card: str) -> str:
    """Name a card: "KS" is "king of spades", "" a card not dealt.

    A code that is no card is answered as it came: a wrong entry has to be shown too.
    """
    if not card:
        return "no card"
    return f"{RANK_WORDS[card[0]]} of {SUIT_WORDS[card[1]]}" if card in DECK else card


def card_svg(card: str, *, size: str = "medium") -> SafeString:
    """Draw one card face up; "" draws the place of a card not dealt."""
    height = CARD_PIXELS[size]
    return picture(
        _card(card),
        card_words(card).capitalize(),
        view=(CARD_WIDTH, CARD_HEIGHT),
        pixels=(CARD_WIDTH * height // CARD_HEIGHT, height),
    )


def hand_svg(
    cards: Sequence[str], *, label: str = "", across: bool = False, size: str = "medium"
) -> SafeString:
    """Draw a hand as it lies on the table, named "Player: king of spades, nine of hearts".

    With `across` the third card lies across, as a drawn card does in baccarat.
    """
    shapes, x = [], 0
    for index, card in enumerate(cards):
        lies = across and index == 2
        turn = f"translate({x + CARD_HEIGHT} {CARD_HEIGHT - CARD_WIDTH}) rotate(90)"
        shapes.append(f'<g transform="{turn if lies else f"translate({x} 0)"}">{_card(card)}</g>')
        x += (CARD_HEIGHT if lies else CARD_WIDTH) + CARD_GAP
    width = max(x - CARD_GAP, CARD_WIDTH)
    words = ", ".join(card_words(card) for card in cards) or "no cards"
    height = CARD_PIXELS[size]
    return picture(
        "".join(shapes),
        f"{label}: {words}" if label else words.capitalize(),
        view=(width, CARD_HEIGHT),
        pixels=(width * height // CARD_HEIGHT, height),
    )


def die_svg(value: int, *, sides: int = 6, size: str = "medium") -> SafeString:
    """Draw the upper face of a six-sided die, or of a twelve-sided one."""
    if sides == 6 and value in PIPS:
        pips = "".join(
            f'<circle class="pb-pip" cx="{12 + 12 * column}" cy="{12 + 12 * row}" r="5"/>'
            for column, row in PIPS[value]
        )
        body = f'<rect class="pb-face" x="1" y="1" width="46" height="46" rx="10"/>{pips}'
    else:
        outline, edges = DODECAHEDRON
        body = (
            f'<path class="pb-face" d="{outline}"/><path class="pb-edge" d="{edges}"/>'
            f"{_text(int(value), 24, 31, 20, 'pb-ink')}"
        )
    pixels = PIECE_PIXELS[size]
    return picture(body, f"Die showing {int(value)}", view=(48, 48), pixels=(pixels, pixels))


def number_svg(number: int, *, colour: str = "", size: str = "medium") -> SafeString:
    """Draw a drawn number on its colour: a roulette pocket, a numbered ball."""
    tone = colour if colour in COLOURS else "plain"
    body = (
        f'<rect class="pb-pocket pb-pocket-{tone}" x="1" y="1" width="46" height="46" rx="12"/>'
        f"{_text(int(number), 24, 33, 26, f'pb-on-{tone}')}"
    )
    pixels = PIECE_PIXELS[size]
    return picture(body, f"{int(number)} {colour}".strip(), view=(48, 48), pixels=(pixels, pixels))


def bead_svg(
    winner: str,
    *,
    sides: Sides = BACCARAT,
    pairs: Collection[str] = (),
    natural: bool = False,
    size: str = "medium",
) -> SafeString:
    """Draw the bead of one result; "" is the bead of a void hand."""
    words = [spoken(winner) if winner else "Void"]
    words += [f"{side} pair" for side in (sides.first, sides.second) if side in pairs]
    words += ["natural"] if natural else []
    tone = side_tone(winner, sides)
    ring = '<circle class="pb-bead-natural" cx="12" cy="12" r="8"/>' if natural else ""
    body = (
        f'<circle class="pb-bead pb-bead-{tone}" cx="12" cy="12" r="10"/>{ring}'
        f"{_text(bead_letter(winner, sides), 12, 16, 12, 'pb-on-bead')}{pair_dots(pairs, sides)}"
    )
    pixels = PIECE_PIXELS[size]
    return picture(body, ", ".join(words), view=(24, 24), pixels=(pixels, pixels))


def side_tone(winner: str, sides: Sides) -> str:
    """Return the colour word of a result: first, second, tie or void."""
    tones = {sides.first: "first", sides.second: "second", sides.tie: "tie"}
    return tones.get(winner, "void")


def bead_letter(winner: str, sides: Sides) -> str:
    """Return the letter on a bead; a tie is "=" where a side already has its letter."""
    if winner == sides.tie and sides.tie[0] in (sides.first[0], sides.second[0]):
        return "="
    return winner[:1].upper() or "×"


def pair_dots(pairs: Collection[str], sides: Sides, *, x: int = 0, y: int = 0) -> str:
    """Mark pairs on a mark of 24 units: the first side's at the top left, the other's opposite."""
    dots = ""
    if sides.first in pairs:
        dots += f'<circle class="pb-pair pb-bead-first" cx="{x + 4}" cy="{y + 4}" r="3"/>'
    if sides.second in pairs:
        dots += f'<circle class="pb-pair pb-bead-second" cx="{x + 20}" cy="{y + 20}" r="3"/>'
    return dots


def _card(card: str) -> str:
    frame = f'x="1" y="1" width="{CARD_WIDTH - 2}" height="{CARD_HEIGHT - 2}" rx="7"'
    if not card:
        return f'<rect class="pb-card-none" {frame}/>'
    if card not in DECK:
        return f'<rect class="pb-card-wrong" {frame}/>{_text(card[:4], 30, 51, 22, "pb-ink")}'
    rank, suit = card[0], card[1]
    tone = "pb-red" if suit in RED else "pb-black"
    x, spacing, printed = (5, -3, "10") if rank == "T" else (8, 0, rank)
    return (
        f'<rect class="pb-card" {frame}/>'
        f'<text class="pb-glyph {tone}" x="{x}" y="36" font-size="36"'
        f' letter-spacing="{spacing}">{printed}</text>'
        f'<svg x="20" y="41" width="36" height="36" viewBox="0 0 24 24">'
        f'<path class="{tone}" d="{SUIT_PATHS[suit]}"/></svg>'
    )


def _text(content: object, x: int, y: int, size: int, tone: str) -> str:
    return (
        f'<text class="pb-glyph {tone}" x="{x}" y="{y}" font-size="{size}"'
        f' text-anchor="middle">{escape(content)}</text>'
    )
