"""The cards on a blackjack table: how an outcome is written, and which one cannot be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.cards import check_copies, read_cards
from games.families.blackjack.hands import (
    EIGHT,
    Cards,
    Rules,
    is_blackjack,
    pair_kind,
    spoken_total,
    total,
    value,
)
from games.families.blackjack.plays import Box
from games.reading import check_keys
from games.refusals import Refused
from games.values import Notice, Outcome, Setup

LOW, TEN, ACE = "low", "ten", "ace"
"""What the Dealer's first card can be."""

_LONGEST = 21
"""Cards in the longest hand that there is: aces."""

_PARTS = ("dealer", "boxes", "unnecessary")


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The cards of a round by their places. Compared by identity: it stands for one reading."""

    rules: Rules
    dealer: Cards
    boxes: Mapping[int, Box]
    finished: bool

    @property
    def up(self) -> str:
        """What the Dealer's first card is, as far as the rules ask; "" before it is dealt."""
        return up_card(self.dealer[0]) if self.dealer else ""

    @property
    def dealer_finished(self) -> bool:
        """Whether the Dealer drew to 17 (001 L632, 004 4.4.ii)."""
        return total(self.dealer) >= 17


def up_card(card: str) -> str:
    """Name what the Dealer's first card is, as far as the rules ask."""
    return {1: ACE, 10: TEN}.get(value(card), LOW)


def read(setup: Setup, raw: Mapping[str, Any]) -> Outcome:
    """Check the cards of a finished round and state its facts; Refused `invalid_outcome`.

    A card that was dealt against the rules, or not dealt, carries the ground that the book has
    for it. What depends on a ticket's play is not stated here but in `lines`.
    """
    check_keys(raw, _PARTS)
    rules = Rules.of(setup)
    for part in ("dealer", "boxes"):
        if part not in raw:
            raise Refused("invalid_outcome", f"{part} is missing.", field=part)
    dealer = read_cards(raw["dealer"], "dealer", 1, _LONGEST)
    boxes = _read_boxes(rules, raw["boxes"], least=1)
    spare = read_cards(raw.get("unnecessary", ()), "unnecessary", 0, _LONGEST)
    table = Table(rules, dealer, boxes, finished=True)
    cards = (*_in_order(table), *spare)
    check_copies(cards, _decks(setup))
    fault = next(_faults(table), None)
    if fault is not None:
        raise Refused("invalid_outcome", fault, ground=setup.options["misdeal"])
    notices = tuple(
        Notice("unnecessary_card", message) for message in _needless(table, spare) if message
    )
    return Outcome(
        canonical=_canonical(table, spare),
        facts=frozenset(_facts(table)) | ({"unnecessary_cards"} if notices else set()),
        headline=_headline(table),
        notices=notices,
        cards=cards,
        detail=table,
    )


def read_unfinished(setup: Setup, raw: Mapping[str, Any]) -> Outcome:
    """Take down the cards of a void hand as they lie, with the pairs already met (C-38)."""
    check_keys(raw, _PARTS)
    rules = Rules.of(setup)
    dealer = read_cards(raw.get("dealer", ()), "dealer", 0, _LONGEST)
    boxes = _read_boxes(rules, raw.get("boxes", {}), least=0)
    spare = read_cards(raw.get("unnecessary", ()), "unnecessary", 0, _LONGEST)
    table = Table(rules, dealer, boxes, finished=False)
    hands = (hand for box in boxes.values() for hand in box.hands)
    cards = tuple(card for hand in (*hands, dealer, spare) for card in hand)
    check_copies(cards, _decks(setup))
    return Outcome(
        canonical=_canonical(table, spare),
        facts=frozenset(_pair_facts(table)),
        headline="The hand was not finished",
        cards=cards,
        detail=table,
    )


def glossary(setup: Setup) -> dict[str, str]:
    """Name every fact that holds for a whole table."""
    words = {
        "unnecessary_cards": "A card was drawn that was not due",
        "dealer_blackjack:ten": "The Dealer has blackjack with a ten face up",
        "dealer_blackjack:ace": "The Dealer has blackjack with an ace face up",
        "dealer_bust": "The Dealer is bust",
        "dealer_stopped": "The Dealer stopped below 17: no hand waited for a total",
    }
    for count in range(17, 22):
        words[f"dealer_total:{count}"] = f"The Dealer has {count}"
    places = {f"box{number}": f"Box {number}" for number in range(1, Rules.of(setup).boxes + 1)}
    for name, spoken in (places | {"dealer": "The Dealer"}).items():
        for kind in ("perfect", "colored", "mixed"):
            words[f"{kind}_pair:{name}"] = f"{spoken}'s first two cards are a {kind} pair"
    for name, spoken in places.items():
        words[f"blackjack:{name}"] = f"{spoken} has blackjack"
    return words


def surely_live(table: Table, box: Box) -> bool:
    """Whether the longest line of a box, which somebody played, waits for the Dealer's total."""
    if not box.split and (is_blackjack(box.pair) or table.rules.forced(box.pair)):
        return False
    return any(
        total(hand) <= 21 and not (table.rules.eight_cards_win and len(hand) == EIGHT)
        for hand in box.hands
    )


def possibly_live(table: Table, box: Box) -> bool:
    """Whether some ticket on a box can wait for the Dealer's total: one that took fewer cards."""
    return box.split or not (is_blackjack(box.pair) or table.rules.forced(box.pair))


def as_written(hands: Sequence[Cards]) -> dict[str, Any]:
    """Write the cards of a box as an outcome lists them."""
    if len(hands) == 2:
        return {"hands": [list(hand) for hand in hands]}
    return {"cards": list(hands[0])}


def _decks(setup: Setup) -> int:
    assert setup.decks is not None, "blackjack is played with cards"
    return setup.decks


def _read_boxes(rules: Rules, raw: Any, *, least: int) -> dict[int, Box]:
    if not isinstance(raw, Mapping):
        raise Refused(
            "invalid_outcome", "boxes is not an object with numbered boxes.", field="boxes"
        )
    known = {str(number): number for number in range(1, rules.boxes + 1)}
    for name in raw:
        if name not in known:
            raise Refused(
                "invalid_outcome", f"There is no box {name!r} at this table.", field="boxes"
            )
    if len(raw) < least:
        raise Refused("invalid_outcome", "No box holds cards.", field="boxes")
    return {
        number: Box(number, _read_hands(raw[name], f"box {name}", least))
        for name, number in known.items()
        if name in raw
    }


def _read_hands(raw: Any, name: str, least: int) -> tuple[Cards, ...]:
    """Read the cards of a box, or its two hands; at least one card each, two if not split."""
    if not isinstance(raw, Mapping) or set(raw) not in ({"cards"}, {"hands"}):
        raise Refused(
            "invalid_outcome", f"{name} lists either its cards or its two hands.", field="boxes"
        )
    if "cards" in raw:
        return (read_cards(raw["cards"], name, 2 * least, _LONGEST),)
    hands = raw["hands"]
    if not isinstance(hands, list | tuple) or len(hands) != 2:
        raise Refused("invalid_outcome", f"{name} does not list two hands.", field="boxes")
    return tuple(read_cards(hand, f"a hand of {name}", least, _LONGEST) for hand in hands)


def _faults(table: Table) -> Iterator[str]:
    """Say what was dealt against the rules, or not dealt."""
    for box in table.boxes.values():
        yield from _box_faults(table.rules, box)
    if len(table.dealer) == 1:
        yield "The Dealer's second card was not shown."
        return
    if table.rules.hole_card and table.up == ACE and is_blackjack(table.dealer):
        for box in table.boxes.values():
            if box.split or len(box.hands[0]) > 2:
                yield f"Box {box.number} was played on against an ace with blackjack."
    yield from _dealer_faults(table)


def _box_faults(rules: Rules, box: Box) -> Iterator[str]:
    if box.split and not rules.splits(box.pair):
        first, second = box.pair
        yield f"Box {box.number} was split, but {first} and {second} may not be."
    if not box.split and rules.forced(box.pair) and len(box.hands[0]) > 2:
        yield f"Box {box.number} took a card on a pair that is only split or folded."
    for number, cards in enumerate(box.hands, 1):
        name = f"Hand {number} of box {box.number}" if box.split else f"Box {box.number}"
        if len(cards) < 2:
            yield f"{name} was dealt no second card."
        for count in range(2, len(cards)):
            if rules.stops(cards[:count], split=box.split):
                yield f"{name} {_went_on(cards[:count])}."


def _went_on(cards: Cards) -> str:
    """Say that a hand which had ended took a card, and what had ended it."""
    if total(cards) >= 21:
        return f"took a card {_when_at(cards)}"
    if len(cards) == EIGHT:
        return "took a ninth card, although eight without a bust have won"
    return "took a third card, although a split ace gets one more card only"


def _when_at(cards: Cards) -> str:
    count = total(cards)
    return f"although it was bust with {count}" if count > 21 else f"on {count}"


def _dealer_faults(table: Table) -> Iterator[str]:
    """Check the Dealer's draws: to 17 where a hand waits for the total, none where none can."""
    live = [box for box in table.boxes.values() if surely_live(table, box)]
    if not any(possibly_live(table, box) for box in table.boxes.values()):
        return
    for count in range(2, len(table.dealer)):
        if total(table.dealer[:count]) >= 17:
            yield f"The Dealer drew a card {_when_at(table.dealer[:count])}."
    if not table.dealer_finished and (live or len(table.dealer) > 2):
        waiting = f" although box {live[0].number} waits for it" if live else ""
        yield f"The Dealer did not draw on {total(table.dealer)}{waiting}."


def _needless(table: Table, spare: Cards) -> Iterator[str]:
    """Say which cards change nothing (001 L727, 004 4.4.iii)."""
    if spare:
        yield f"{' and '.join(spare)} drawn but not due; the result stands."
    decided = not any(possibly_live(table, box) for box in table.boxes.values())
    if decided and len(table.dealer) > 2:
        yield "The Dealer drew although every hand was decided; the result stands."


def _facts(table: Table) -> Iterator[str]:
    if is_blackjack(table.dealer):
        yield f"dealer_blackjack:{table.up}"
    elif total(table.dealer) > 21:
        yield "dealer_bust"
    elif table.dealer_finished:
        yield f"dealer_total:{total(table.dealer)}"
    else:
        yield "dealer_stopped"
    for box in table.boxes.values():
        if not box.split and is_blackjack(box.pair):
            yield f"blackjack:box{box.number}"
    yield from _pair_facts(table)


def _pair_facts(table: Table) -> Iterator[str]:
    places = [(f"box{box.number}", box.pair) for box in table.boxes.values()]
    for name, cards in (*places, ("dealer", table.dealer[:2])):
        kind = pair_kind(*cards) if len(cards) == 2 else ""
        if kind:
            yield f"{kind}_pair:{name}"


def _in_order(table: Table) -> Iterator[str]:
    """Put the cards into the order of dealing: twice round, then box by box, then the Dealer.

    With a hole card the Dealer has two cards before anybody decides (004 3.4). A split deals
    each hand its second card first (001 L651).
    """
    pairs = [box.pair for box in table.boxes.values()]
    at_start = 2 if table.rules.hole_card else 1
    yield from (pair[0] for pair in pairs)
    yield from table.dealer[:1]
    yield from (pair[1] for pair in pairs)
    yield from table.dealer[1:at_start]
    for box in table.boxes.values():
        begun = 1 if box.split else 2
        yield from (card for hand in box.hands for card in hand[begun:2])
        yield from (card for hand in box.hands for card in hand[2:])
    yield from table.dealer[at_start:]


def _canonical(table: Table, spare: Sequence[str]) -> dict[str, Any]:
    boxes = {str(number): as_written(box.hands) for number, box in table.boxes.items()}
    canonical: dict[str, Any] = {"dealer": list(table.dealer), "boxes": boxes}
    return canonical | ({"unnecessary": list(spare)} if spare else {})


def _headline(table: Table) -> str:
    boxes = (f"box {box.number} {_told(box.hands)}" for box in table.boxes.values())
    return f"Dealer {_told([table.dealer])}; {', '.join(boxes)}"


def _told(hands: Sequence[Cards]) -> str:
    if len(hands) == 1 and is_blackjack(hands[0]):
        return "blackjack"
    return " and ".join(map(spoken_total, hands))
