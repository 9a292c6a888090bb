"""Cards, dice, roads and components: what is drawn, and what it is called in words."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from django.template import Context, Template
from django.template.loader import render_to_string

from casino.pages.pictures import bead_svg, card_svg, die_svg, hand_svg, number_svg
from casino.pages.scoreboards import mark_svg, road_svg, road_words
from games.cards import DECK, RED
from games.roads import BACCARAT, DRAGON_TIGER, Hand, Road, Scoreboard, big_road, scoreboard

COMPONENTS = Path(__file__).resolve().parents[2] / "templates" / "pitbook" / "components"
WINNERS = {"B": "banker", "P": "player", "T": "tie"}
AT = datetime(2025, 3, 14, 21, 4, 11, tzinfo=UTC)


def shoe(letters: str) -> list[Hand]:
    return [Hand(WINNERS[letter], number=at) for at, letter in enumerate(letters, start=1)]


def board(letters: str = "BBPTPBBBBBBBPPBTB") -> Scoreboard:
    return scoreboard(shoe(letters))


def drawn(svg: str) -> ElementTree.Element:
    """Parse a picture, which proves that it is well formed and has a name for everybody."""
    picture = ElementTree.fromstring(svg)
    assert picture.get("role") == "img"
    assert picture.get("aria-label") == picture.findtext("title") != ""
    return picture


def named(svg: str) -> str:
    return drawn(svg).get("aria-label") or ""


def of_class(picture: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [shape for shape in picture.iter() if name in (shape.get("class") or "").split()]


def show(source: str, **context: Any) -> str:
    return Template("{% load pitbook_pictures %}" + source).render(Context(context)).strip()


def component(name: str, **context: Any) -> str:
    return render_to_string(f"pitbook/components/{name}.html", context)


@pytest.mark.parametrize("card", DECK)
def test_a_card_shows_its_rank_in_the_colour_of_its_suit(card: str) -> None:
    picture = drawn(card_svg(card))
    tone = "pb-red" if card[1] in RED else "pb-black"
    glyphs = [shape.text for shape in of_class(picture, tone) if shape.text]
    assert glyphs == [card[0].replace("T", "10")]


def test_cards_are_named_in_words() -> None:
    assert named(card_svg("KS")) == "King of spades"
    assert named(card_svg("TD")) == "Ten of diamonds"
    assert named(card_svg("")) == "No card"


def test_a_wrong_card_is_shown_as_it_came_and_escaped() -> None:
    svg = card_svg('"><b')
    assert of_class(drawn(svg), "pb-card-wrong")
    assert "<b" not in svg.replace("&lt;b", "")


def test_a_hand_is_named_side_and_cards() -> None:
    assert named(hand_svg(["KS", "9H"], label="Player")) == "Player: king of spades, nine of hearts"
    assert named(hand_svg([], label="Banker")) == "Banker: no cards"


def test_the_third_card_lies_across_where_it_is_drawn_so() -> None:
    assert "rotate(90)" in hand_svg(["7D", "2C", "4H"], across=True)
    assert "rotate(90)" not in hand_svg(["7D", "2C"], across=True)
    assert "rotate(90)" not in hand_svg(["7D", "2C", "4H"])


@pytest.mark.parametrize("value", range(1, 7))
def test_a_die_has_as_many_pips_as_it_shows(value: int) -> None:
    picture = drawn(die_svg(value))
    assert len(of_class(picture, "pb-pip")) == value
    assert picture.get("aria-label") == f"Die showing {value}"


def test_a_twelve_sided_die_shows_its_number() -> None:
    picture = drawn(die_svg(5, sides=12))
    assert [shape.text for shape in of_class(picture, "pb-glyph")] == ["5"]
    assert not of_class(picture, "pb-pip")


def test_a_number_lies_on_its_colour() -> None:
    picture = drawn(number_svg(17, colour="black"))
    assert of_class(picture, "pb-pocket-black")
    assert picture.get("aria-label") == "17 black"
    assert of_class(drawn(number_svg(7)), "pb-pocket-plain")


def test_a_bead_names_winner_pairs_and_natural() -> None:
    svg = bead_svg("banker", pairs={"player", "banker"}, natural=True)
    assert named(svg) == "Banker, banker pair, player pair, natural"
    assert len(of_class(drawn(svg), "pb-pair")) == 2
    assert named(bead_svg("")) == "Void"


def test_a_tie_of_dragon_tiger_is_not_mistaken_for_a_tiger() -> None:
    letters = [
        of_class(drawn(bead_svg(winner, sides=DRAGON_TIGER)), "pb-glyph")[0].text
        for winner in ("dragon", "tiger", "tie")
    ]
    assert letters == ["D", "T", "="]


@pytest.mark.parametrize("size", ["large", "compact"])
@pytest.mark.parametrize("road", Road)
def test_a_road_draws_every_cell_once(road: Road, size: str) -> None:
    cells = board().roads[road]
    assert cells
    picture = drawn(road_svg(road, cells, size=size))
    shapes = ("pb-road-dot", "pb-road-ring", "pb-road-slash")
    tied = sum(1 for cell in cells if cell.ties) if size == "large" else 0
    marks = sum(
        (path.get("d") or "").count("M") for shape in shapes for path in of_class(picture, shape)
    )
    assert marks == len(cells) + tied
    assert len(of_class(picture, "pb-road-newest")) == 1


def test_a_road_is_named_by_its_counts() -> None:
    roads = scoreboard(shoe("TBPB")).roads
    assert (
        road_words(Road.BEAD_PLATE, roads[Road.BEAD_PLATE])
        == "Bead plate: 4 hands, Banker 2, Player 1, Tie 1; last Banker"
    )
    assert (
        road_words(Road.BIG_ROAD, roads[Road.BIG_ROAD])
        == "Big road: 3 hands, Banker 2, Player 1, Tie 1; last Banker"
    )
    assert (
        road_words(Road.BIG_EYE_BOY, roads[Road.BIG_EYE_BOY])
        == "Big eye boy: 1 mark, Red 1; last Red"
    )
    assert road_words(Road.SMALL_ROAD, roads[Road.SMALL_ROAD]) == "Small road: empty"


def test_a_narrow_road_keeps_its_newest_columns() -> None:
    cells = big_road(shoe("BPBPBPB"))
    picture = drawn(road_svg(Road.BIG_ROAD, cells, size="compact", columns=3))
    marks = [(path.get("class"), path.get("d")) for path in of_class(picture, "pb-road-ring")]
    assert [(name.split()[1], d.count("M")) for name, d in marks if name and d] == [
        ("pb-line-first", 2),
        ("pb-line-second", 1),
    ]
    assert picture.get("viewBox") == "0 0 72 144"


def test_a_large_road_names_the_hand_under_the_pointer() -> None:
    cells = big_road([Hand("player", frozenset({"banker"}), True, 7), Hand("tie", number=8)])
    assert "<title>Hand 7: Player, banker pair, natural, 1 tie</title>" in road_svg(
        Road.BIG_ROAD, cells
    )


def test_a_road_not_begun_asks_nothing() -> None:
    assert named(mark_svg(Road.SMALL_ROAD, None)) == "Small road: not begun"
    assert named(show('{% ask board "banker" "small_road" %}', board=board())).endswith("red")


def test_money_is_grouped_and_keeps_its_sign_and_places() -> None:
    assert ">1,234,567.89 <" in show("{% amount 123456789 'EUR' %}")
    assert ">-0.50 <" in show("{% amount minor 'EUR' %}", minor=-50)
    assert ">1,500 <" in show("{% amount 1500 'JPY' %}")
    assert "–" in show("{% amount minor 'EUR' %}", minor=None)


def test_a_change_of_money_says_which_way_it_goes() -> None:
    up, down, none = (show("{% change minor 'EUR' %}", minor=minor) for minor in (500, -500, 0))
    assert "pb-money-up" in up and ">+5.00 <" in up
    assert "pb-money-down" in down and ">-5.00 <" in down
    assert "pb-money-none" in none and ">0.00 <" in none


def test_a_moment_is_on_the_clock_of_the_pit() -> None:
    shown = show("{% moment at 'Asia/Manila' %}", at=AT)
    assert ">15 Mar 2025 05:04:11<" in shown
    assert 'datetime="2025-03-14T21:04:11+00:00"' in shown
    assert "21:04:11 UTC" in shown
    assert ">05:04:11<" in show("{% moment at 'Asia/Manila' 'time' %}", at=AT)


def test_a_clock_carries_the_instant_and_not_the_seconds() -> None:
    # The markup of an idle table must not change from one second to the next.
    assert f'data-pb-since="{int(AT.timestamp())}"' in show("{% since at %}", at=AT)
    assert show("{% since at %}", at=None) == ""


@pytest.mark.parametrize(
    ("status", "tone", "words"),
    [
        ("betting", "go", "Betting"),
        ("closed", "wait", "No more bets"),
        ("resulted", "done", "Result"),
        ("on_hold", "alarm", "On hold"),
        ("void", "void", "Void"),
        ("", "idle", "Idle"),
    ],
)
def test_a_phase_has_a_tone_and_a_word(status: str, tone: str, words: str) -> None:
    shown = show("{% phase status %}", status=status)
    assert f"pb-badge-{tone}" in shown
    assert f">{words}<" in shown


SIDES = [
    {"label": "Player", "cards": ["KS", "9H"], "tone": "second", "points": 9, "won": True},
    {"label": "Banker", "cards": ["7D", "2C", "4H"], "tone": "first", "points": 3, "won": False},
]
TABLE = {
    "code": "bac-01", "name": "Squeeze <b>", "url": "/table/bac-01", "status": "betting",
    "phase": "betting", "since": AT, "shoe": 12, "hand": 31, "dealt": 120, "cut": 400,
    "sides": SIDES, "across": True,
    "headline": "Player 9 beats Banker 3", "stakes": [(1234500, "EUR")], "money": True,
    "round_word": "Hand", "alert": {"kind": "Exposed card", "note": "Seen.", "url": "/r"},
    "incidents": 2, "results": shoe("BBPTPBBBBBBBPPBTB"), "road_sides": BACCARAT,
}  # fmt: skip
ROW = {
    "operator": "north", "currency": "EUR", "tickets": 1204,
    "up": 125000, "down": -300000, "net": -175000, "largest": 50000, "debited": 317,
}  # fmt: skip


def test_a_table_card_tells_the_state_of_its_table() -> None:
    shown = component("table_card", table=TABLE)
    for words in (
        'href="/table/bac-01"', ">Betting<", "Shoe 12", "Hand 31", "Player 9 beats Banker 3",
        "Player: king of spades, nine of hearts", "Bead plate: 17 hands", "12,345.00",
        "Exposed card", "2 open",
    ):  # fmt: skip
        assert words in shown
    assert "<b>" not in shown


def test_a_table_without_a_shoe_still_has_a_card() -> None:
    bare = {"code": "bac-02", "name": "Speed", "url": "/t", "status": "", "since": None}
    bare["money"] = True
    shown = component("table_card", table=bare)
    for words in (">Idle<", "Not dealing", "No result yet", "nothing staked"):
        assert words in shown


def test_sixty_tables_late_in_their_shoes_stay_light() -> None:
    late = TABLE | {"results": shoe("BPBBTPPBPB" * 8)}
    assert len(component("table_card", table=late)) < 9_000


def test_a_road_panel_has_five_roads_and_what_comes_next() -> None:
    shown = component("road_panel", board=board())
    for words in ("Bead plate: 17", "Big road: 15", "Big eye boy: ", "Small road: ", "Cockroach"):
        assert words in shown
    assert "If banker" in shown and "If player" in shown


def test_a_hand_marks_the_side_that_won() -> None:
    shown = component("hand", sides=SIDES, across=True)
    assert shown.count("pb-side-won") == 1
    assert shown.index("pb-side-won") < shown.index("Banker: seven of diamonds")
    assert "rotate(90)" in shown


def test_a_plan_shows_both_outcomes_and_the_money() -> None:
    plan = {
        "before": {"headline": "Banker 7 beats Player 5", "sides": []},
        "after": {"headline": "Player 9 beats Banker 3", "sides": SIDES, "across": True},
        "tickets": 1216,
        "players": 480,
        "rows": [ROW],
        "debited": 321,
        "warnings": ["Two rulings stand on this hand."],
        "earlier": [{"kind": "Void hand", "ground": "exposed card", "by": "Ann", "at": AT}],
        "zone": "UTC",
    }
    shown = component("plan", plan=plan)
    assert shown.index("Banker 7 beats Player 5") < shown.index("Player 9 beats Banker 3")
    for words in (
        "1,216", "480", "321", "+1,250.00", "-3,000.00", "317", "-1,750.00", "500.00",
        "Two rulings", "Void hand: exposed card",
    ):  # fmt: skip
        assert words in shown
    assert "give credit back" not in component("plan", plan=plan | {"debited": None})


def test_no_money_is_said_in_words() -> None:
    assert "No money moves." in component("money_rows", rows=[])
    assert "1,204" in component("money_row", row=ROW)


def test_a_revision_says_whether_it_is_in_force() -> None:
    revision = {
        "number": 2, "kind": "Edited result", "current": True, "headline": "Tie on 7",
        "sides": SIDES, "at": AT,
        "by": "Mara Lind", "ground": {"title": "Misread result"},
        "ruling": {"pk": 12, "note": "Misread card", "evidence": "cam 3"},
    }  # fmt: skip
    shown = component("revision", revision=revision, time_zone="Asia/Manila")
    for words in (
        "2. Edited result",
        "In force",
        "05:04:11",
        "Mara Lind",
        "Misread card",
        "Tie on 7",
    ):
        assert words in shown
    old = revision | {"current": False}
    assert "Superseded" in component("revision", revision=old, time_zone="UTC")


def test_a_dialog_is_named_and_can_be_cancelled() -> None:
    shown = Template(
        '{% extends "pitbook/components/dialog.html" %}'
        '{% block form_attributes %}method="post" action="/void"{% endblock %}'
        "{% block body %}<p>Sure?</p>{% endblock %}"
        "{% block actions %}<button>Void hand</button>{% endblock %}"
    ).render(
        Context({"dialog_id": "void", "title": "Void hand 31", "show": True, "csrf_token": "t"})
    )
    for words in (
        'aria-labelledby="void-title"', 'id="void-title">Void hand 31<', 'action="/void"',
        "csrfmiddlewaretoken", "data-pb-show", "data-pb-close", "<p>Sure?</p>",
        "Void hand</button>",
    ):  # fmt: skip
        assert words in shown


def test_a_card_picker_works_as_plain_text_fields() -> None:
    fields = [
        {"name": "player", "label": "Player", "value": "KS 9H", "most": 3},
        {"name": "banker", "label": "Banker", "value": "4X", "most": 3, "error": "4X is no card."},
    ]
    shown = component("card_picker", picker_id="edit", fields=fields)
    assert 'name="player" value="KS 9H"' in shown
    assert 'aria-invalid="true"' in shown and "4X is no card." in shown
    assert shown.count("data-pb-card=") == 52


def test_a_timeline_says_what_who_when_and_why() -> None:
    event = {"at": AT, "what": "Hand voided", "who": "Mara", "why": "Exposed card", "tone": "wait"}
    shown = component("timeline", events=[event], time_zone="Asia/Manila")
    for words in ("Hand voided", "Mara", "05:04:11", "Exposed card", "pb-timeline-wait"):
        assert words in shown


def test_only_a_danger_interrupts_a_screen_reader() -> None:
    assert 'role="alert"' in component("notice", tone="danger", message="Betting is stopped.")
    assert "role=" not in component("notice", tone="info", message="All is well.")


def test_a_field_shows_its_errors() -> None:
    from django import forms

    class Ground(forms.Form):
        note = forms.CharField(help_text="What happened.")
        evidence = forms.CharField(required=False)

    form = Ground({"note": ""})
    note = component("field", field=form["note"])
    assert "pb-field-wrong" in note and "This field is required." in note
    assert "What happened." in note
    assert "(optional)" in component("field", field=form["evidence"])


def test_small_pieces_show_what_they_are_given() -> None:
    assert ">Last hand<" in component("badge", tone="wait", label="Last hand")
    stat = component("stat", label="On hold", value=3, hint="oldest 4 minutes", alarm=True)
    assert "pb-stat-alarm" in stat and "oldest 4 minutes" in stat
    empty = component("empty", title="No incidents", url="/new", action="Raise one")
    assert "No incidents" in empty and 'href="/new"' in empty
    goto = component("goto", tables=[TABLE])
    assert 'href="/table/bac-01"' in goto and "bac-01" in goto
    assert "data-pb-key-list" in component("keys")


def test_every_component_is_in_the_guide() -> None:
    guide = (COMPONENTS / "README.md").read_text()
    for path in COMPONENTS.glob("*.html"):
        assert f"`{path.name}`" in guide
