"""Draw the five scoreboards as SVG: one path a colour, so that sixty tables stay light."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import escape
from django.utils.safestring import SafeString

from casino.pages.pictures import bead_letter, pair_dots, picture, side_tone, spoken
from games.roads import BACCARAT, DERIVED, ROWS, Cell, Road, Sides, Trend

UNIT = 24  # one cell of the grid, in units of the picture


@dataclass(frozen=True, slots=True)
class Look:
    """How one road is shown: shape of its marks, and per size the pixels of a cell and the columns.

    `columns` is how many the picture shows at least; a compact picture shows exactly as many,
    the newest ones.
    """

    shape: str
    pixels: dict[str, int]
    columns: dict[str, int]


LOOKS = {
    Road.BEAD_PLATE: Look("dot", {"large": 26, "compact": 12}, {"large": 14, "compact": 14}),
    Road.BIG_ROAD: Look("ring", {"large": 18, "compact": 11}, {"large": 30, "compact": 24}),
    Road.BIG_EYE_BOY: Look("ring", {"large": 11, "compact": 8}, {"large": 26, "compact": 24}),
    Road.SMALL_ROAD: Look("dot", {"large": 11, "compact": 8}, {"large": 26, "compact": 24}),
    Road.COCKROACH_PIG: Look("slash", {"large": 11, "compact": 8}, {"large": 26, "compact": 24}),
}


def road_svg(
    road: Road,
    cells: Sequence[Cell],
    *,
    sides: Sides = BACCARAT,
    size: str = "large",
    columns: int | None = None,
) -> SafeString:
    """Draw a road; `columns` fixes the width to the newest so many columns.

    A large picture shows the whole road, writes on the beads, marks ties and pairs, and names the
    hand under the pointer. A compact one keeps colours and places only.
    """
    look = LOOKS[road]
    large = size == "large"
    used = 1 + max((cell.column for cell in cells), default=-1)
    shown = columns or (max(used, look.columns[size]) if large else look.columns[size])
    first = max(used - shown, 0)
    seen = [cell for cell in cells if cell.column >= first]
    body = _grid(shown)
    if seen:
        body += _newest(seen[-1], first)
    tones: dict[str, list[tuple[int, int]]] = {}
    for cell in seen:
        place = ((cell.column - first) * UNIT, cell.row * UNIT)
        tones.setdefault(_tone(cell.mark, sides), []).append(place)
    body += "".join(_marks(look.shape, tone, places) for tone, places in tones.items())
    if large:
        body += "".join(_writing(road, cell, first, sides) for cell in seen)
    pixels = look.pixels[size]
    return picture(
        body,
        road_words(road, cells, sides=sides),
        view=(shown * UNIT, ROWS * UNIT),
        pixels=(shown * pixels, ROWS * pixels),
    )


def mark_svg(road: Road, cell: Cell | None, *, pixels: int = 16) -> SafeString:
    """Draw the mark that a derived road would receive; None is the mark of a road not begun."""
    if cell is None:
        body = '<path class="pb-road-grid" d="M7 12H17"/>'
        return picture(
            body, f"{spoken(road)}: not begun", view=(UNIT, UNIT), pixels=(pixels, pixels)
        )
    body = _marks(LOOKS[road].shape, _tone(cell.mark, BACCARAT), [(0, 0)])
    return picture(body, f"{spoken(road)}: {cell.mark}", view=(UNIT, UNIT), pixels=(pixels, pixels))


def road_words(road: Road, cells: Sequence[Cell], *, sides: Sides = BACCARAT) -> str:
    """Say what a road shows: "Bead plate: 5 hands, Banker 3, Player 1, Tie 1; last Banker"."""
    if not cells:
        return f"{spoken(road)}: empty"
    counts = Counter(cell.mark for cell in cells)
    words = tuple(Trend) if road in DERIVED else (sides.first, sides.second, sides.tie)
    total = f"{len(cells)} {'mark' if road in DERIVED else 'hand'}{'s' if len(cells) > 1 else ''}"
    parts = [total, *(f"{spoken(word)} {counts[word]}" for word in words if counts[word])]
    ties = sum(cell.ties for cell in cells)
    if ties:
        parts.append(f"{spoken(sides.tie)} {ties}")
    return f"{spoken(road)}: {', '.join(parts)}; last {spoken(cells[-1].mark)}"


def _tone(mark: str, sides: Sides) -> str:
    """Return the colour word of a mark; a derived road's red and blue are those of the sides."""
    match mark:
        case Trend.RED:
            return "first"
        case Trend.BLUE:
            return "second"
    return side_tone(mark, sides)


def _grid(columns: int) -> str:
    width, height = columns * UNIT, ROWS * UNIT
    lines = "".join(f"M0 {y}H{width}" for y in range(UNIT, height, UNIT))
    lines += "".join(f"M{x} 0V{height}" for x in range(UNIT, width, UNIT))
    return f'<path class="pb-road-grid" d="{lines}"/>'


def _newest(cell: Cell, first: int) -> str:
    x, y, side = (cell.column - first) * UNIT + 1, cell.row * UNIT + 1, UNIT - 2
    return f'<rect class="pb-road-newest" x="{x}" y="{y}" width="{side}" height="{side}"/>'


def _marks(shape: str, tone: str, places: Sequence[tuple[int, int]]) -> str:
    match shape:
        case "dot":
            # A line of no length with round ends is a dot, in the fewest letters.
            drawn = "".join(f"M{x + 12} {y + 12}h0" for x, y in places)
        case "ring":
            drawn = "".join(f"M{x + 4} {y + 12}a8 8 0 1 1 16 0a8 8 0 1 1-16 0" for x, y in places)
        case _:
            drawn = "".join(f"M{x + 4} {y + 20}l16-16" for x, y in places)
    return f'<path class="pb-road-{shape} pb-line-{tone}" d="{drawn}"/>'


def _writing(road: Road, cell: Cell, first: int, sides: Sides) -> str:
    """Write on one cell: the letter of a bead, ties and pairs, and its hand for the pointer."""
    x, y = (cell.column - first) * UNIT, cell.row * UNIT
    written = ""
    if road is Road.BEAD_PLATE:
        written += (
            f'<text class="pb-glyph pb-on-bead" x="{x + 12}" y="{y + 16}" font-size="12"'
            f' text-anchor="middle">{escape(bead_letter(cell.mark, sides))}</text>'
        )
    if cell.ties:
        written += f'<path class="pb-road-slash pb-line-tie" d="M{x + 4} {y + 20}l16-16"/>'
    if cell.ties > 1:
        written += (
            f'<text class="pb-glyph pb-road-ties" x="{x + 12}" y="{y + 16}" font-size="12"'
            f' text-anchor="middle">{cell.ties}</text>'
        )
    if road not in DERIVED:
        written += pair_dots(cell.hand.pairs, sides, x=x, y=y)
    named = escape(_cell_words(road, cell, sides))
    return (
        f'{written}<rect class="pb-road-cell" x="{x}" y="{y}" width="{UNIT}" height="{UNIT}">'
        f"<title>{named}</title></rect>"
    )


def _cell_words(road: Road, cell: Cell, sides: Sides) -> str:
    hand = cell.hand
    words = [spoken(hand.winner)]
    if road in DERIVED:
        words.append(f"{cell.mark} on the {spoken(road).lower()}")
    else:
        words += [f"{side} pair" for side in (sides.first, sides.second) if side in hand.pairs]
        words += ["natural"] if hand.natural else []
        if cell.ties:
            words.append(f"{cell.ties} {sides.tie}{'s' if cell.ties > 1 else ''}")
    named = ", ".join(words)
    return named if hand.number is None else f"Hand {hand.number}: {named}"
