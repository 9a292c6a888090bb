"""The three-picture family: hands of three cards, each against the bank, ranked in 31 steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from games.cards import RANKS, check_copies, read_cards
from games.drawing import points
from games.families import Family, Roll
from games.reading import check_keys
from games.refusals import Refused
from games.values import Outcome, Setup

Hands = dict[str, tuple[str, ...]]
"""The cards of each hand by its name, in the order of dealing; the bank is the last."""

COMBINATIONS = {
    "straight_flush": "a straight flush",
    "three_of_a_kind": "three of a kind",
    "straight": "a straight",
    "flush": "a flush",
    "pair": "a pair",
}

_PICTURES = frozenset("JQK")
_SIXES = range(11, 14)
"""The ranks of a six, which win half (001 L541-542, 000 L743-744)."""

_RUNS = {frozenset((low, low + 1, low + 2)) for low in range(11)} | {frozenset((11, 12, 0))}
"""Three ranks in a row, an ace high or low (001 L551)."""

_KNIGHTS = ("Plain", "Single Knight", "Double Knights")
_POINTS = ("Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")


def rank(cards: Sequence[str]) -> int:
    """Rank a hand from 1, three pictures, down to 31, nothing (001 L562-594, B-11).

    >>> rank(["JS", "3H", "6D"]), rank(["QS", "TH", "9D"]), rank(["TS", "TH", "TD"])
    (3, 3, 31)
    """
    pictures = sum(card[0] in _PICTURES for card in cards)
    return 1 if pictures == 3 else 31 - 3 * points(cards) - pictures


def rank_name(rank: int) -> str:
    """Name a rank as the list does, its misprints put right (C-27).

    >>> rank_name(1), rank_name(9), rank_name(31)
    ('3 Knights', 'Single Knight Seven', 'Plain Zero')
    """
    if rank == 1:
        return "3 Knights"
    total, pictures = divmod(31 - rank, 3)
    return f"{_KNIGHTS[pictures]} {_POINTS[total]}"


def combination(cards: Sequence[str]) -> str:
    """Name the highest combination of Pair Plus in a hand, or "".

    >>> combination(["QS", "KH", "AD"]), combination(["KS", "AH", "2D"])
    ('straight', '')
    """
    ranks = frozenset(RANKS.index(card[0]) for card in cards)
    suited = len({card[1] for card in cards}) == 1
    if len(ranks) == 1:
        return "three_of_a_kind"
    if ranks in _RUNS:
        return "straight_flush" if suited else "straight"
    if suited:
        return "flush"
    return "pair" if len(ranks) == 2 else ""


def facts(hands: Hands) -> frozenset[str]:
    """State everything about finished hands that a bet can be on."""
    ranks = {name: rank(cards) for name, cards in hands.items()}
    bank = ranks[_bank(hands)]
    stated = set()
    for name, cards in hands.items():
        if ranks[name] == 1:
            stated.add(f"three_knights:{name}")
        if found := combination(cards):
            stated.add(f"{found}:{name}")
    for name in _players(hands):
        result = _result(ranks[name], bank)
        stated.add(f"{result}:{name}")
        if result != "ties" and min(ranks[name], bank) in _SIXES:
            stated.add(f"{result}_on_six:{name}")
    return frozenset(stated)


def glossary(setup: Setup) -> dict[str, str]:
    """Name every fact that a game with this setup can state."""
    names = setup.options["hands"]
    words = {}
    for player in _players(names):
        one, other = _title(player), _title(_bank(names))
        words[f"wins:{player}"] = f"{one} beats {other}"
        words[f"wins_on_six:{player}"] = f"{one} beats {other} on a six"
        words[f"loses:{player}"] = f"{other} beats {one}"
        words[f"loses_on_six:{player}"] = f"{other} beats {one} on a six"
        words[f"ties:{player}"] = f"{one} and {other} tie"
    for name in names:
        words[f"three_knights:{name}"] = f"{_title(name)} has three pictures"
        for found, spoken in COMBINATIONS.items():
            words[f"{found}:{name}"] = f"{_title(name)} has {spoken}"
    return words


def read(setup: Setup, raw: Mapping[str, Any]) -> Outcome:
    """Check the finished hands and state their facts; Refused `invalid_outcome`.

    `canonical` keeps the hands as the table took them. `detail` gives them as they count:
    after reverse dealing, Player 1 and Player 3 have changed places in it.
    """
    hands, reverse_dealt = _laid_out(setup, raw)
    cards = _in_order(hands)
    check_copies(cards, _decks(setup))
    counted = _exchanged(hands) if reverse_dealt else hands
    return Outcome(
        canonical=_canonical(hands, reverse_dealt),
        facts=facts(counted),
        headline=_headline(counted) + ("; Player 1 and 3 exchanged" if reverse_dealt else ""),
        winner=_winner(counted),
        cards=cards,
        detail=counted,
    )


def read_unfinished(setup: Setup, raw: Mapping[str, Any]) -> Outcome:
    """Take down the cards of a void hand as they lie, as many as were dealt."""
    check_keys(raw, _parts(setup))
    if "deal" in raw:
        dealt = read_cards(raw["deal"], "deal", 0, 3 * len(setup.options["hands"]))
        hands = _given_out(setup, dealt)
    else:
        hands = {name: read_cards(raw.get(name, ()), name, 0, 3) for name in setup.options["hands"]}
    lying = tuple(card for cards in hands.values() for card in cards)
    check_copies(lying, _decks(setup))
    canonical = {name: list(cards) for name, cards in hands.items() if cards}
    return Outcome(canonical, frozenset(), "The hand was not finished", cards=lying)


def deal(setup: Setup, shoe: Iterator[str], roll: Roll) -> dict[str, Any]:
    """Burn as many cards as the book says and deal one card at a time, three times round."""
    burn = setup.options["burn"]
    cards = tuple(islice(shoe, burn, burn + 3 * len(setup.options["hands"])))
    return {name: list(hand) for name, hand in _given_out(setup, cards).items()}


def swapped(canonical: Mapping[str, Any]) -> dict[str, Any]:
    """Say of recorded hands that they were dealt in reverse, or take that back.

    Player 1 and Player 3 thereby change places on every bet (001 L610, C-29). Twice is nothing.
    """
    hands = {name: cards for name, cards in canonical.items() if name != "reverse_dealt"}
    return hands if canonical.get("reverse_dealt") else hands | {"reverse_dealt": True}


def _parts(setup: Setup) -> tuple[str, ...]:
    """A scanned deal and its reverse exist where the order of dealing is printed (C-28)."""
    names = setup.options["hands"]
    return (*names, "deal", "reverse_dealt") if len(names) > 2 else tuple(names)


def _laid_out(setup: Setup, raw: Mapping[str, Any]) -> tuple[Hands, bool]:
    """Give the cards to the hands, and say whether the whole hand was dealt in reverse."""
    names = setup.options["hands"]
    scanned = isinstance(raw, Mapping) and "deal" in _parts(setup) and "deal" in raw
    check_keys(raw, ("deal", "reverse_dealt") if scanned else set(_parts(setup)) - {"deal"})
    reverse_dealt = raw.get("reverse_dealt", False)
    if not isinstance(reverse_dealt, bool):
        raise Refused(
            "invalid_outcome",
            f"reverse_dealt is {reverse_dealt!r}, not true or false.",
            field="reverse_dealt",
        )
    if scanned:
        due = 3 * len(names)
        return _given_out(setup, read_cards(raw["deal"], "deal", due, due)), reverse_dealt
    for name in names:
        if name not in raw:
            raise Refused(
                "invalid_outcome", f"The cards of {_title(name)} are missing.", field=name
            )
    return {name: read_cards(raw[name], name, 3, 3) for name in names}, reverse_dealt


def _given_out(setup: Setup, cards: tuple[str, ...]) -> Hands:
    """Give cards to the hands one at a time, the bank last (001 L538)."""
    names = setup.options["hands"]
    return {name: cards[place :: len(names)] for place, name in enumerate(names)}


def _in_order(hands: Hands) -> tuple[str, ...]:
    """Put the cards back into the order in which they were dealt."""
    return tuple(card for round in zip(*hands.values(), strict=True) for card in round)


def _exchanged(hands: Hands) -> Hands:
    players = list(_players(hands))
    return hands | {one: hands[other] for one, other in zip(players, players[::-1], strict=True)}


def _canonical(hands: Hands, reverse_dealt: bool) -> dict[str, Any]:
    canonical: dict[str, Any] = {name: list(cards) for name, cards in hands.items()}
    return canonical | ({"reverse_dealt": True} if reverse_dealt else {})


def _decks(setup: Setup) -> int:
    assert setup.decks is not None, "three pictures are played with cards"
    return setup.decks


def _players(names: Mapping[str, Any] | Sequence[str]) -> Sequence[str]:
    return list(names)[:-1]


def _bank(names: Mapping[str, Any] | Sequence[str]) -> str:
    return list(names)[-1]


def _title(name: str) -> str:
    """Name a hand to people: "player1" is "Player 1"."""
    word = name.rstrip("123")
    return f"{word.capitalize()} {name[len(word) :]}".rstrip()


def _result(player: int, bank: int) -> str:
    return "ties" if player == bank else "wins" if player < bank else "loses"


def _winner(hands: Hands) -> str:
    """Name the winner where only one hand plays against the bank."""
    if len(hands) > 2:
        return ""
    [player], bank = _players(hands), _bank(hands)
    result = _result(rank(hands[player]), rank(hands[bank]))
    return {"wins": player, "loses": bank, "ties": "tie"}[result]


def _headline(hands: Hands) -> str:
    ranks = {name: rank(cards) for name, cards in hands.items()}
    told = {name: f"{_title(name)} {rank_name(ranks[name])}" for name in hands}
    bank = _bank(hands)
    if len(hands) == 2:
        [player] = _players(hands)
        match _result(ranks[player], ranks[bank]):
            case "ties":
                return f"Tie on {rank_name(ranks[bank])}"
            case "wins":
                return f"{told[player]} beats {told[bank]}"
            case _:
                return f"{told[bank]} beats {told[player]}"
    results = [f"{told[name]} {_result(ranks[name], ranks[bank])}" for name in _players(hands)]
    return f"{', '.join(results)}; {told[bank]}"


FAMILY = Family(
    glossary=glossary,
    read=read,
    deal=deal,
    read_unfinished=read_unfinished,
    options={"hands": ["player", "banker"], "burn": 0},
    plain=frozenset({"wins:player", "loses:player", "ties:player"}),
)
