"""Super Fan Tan: the sum of the twelve cards of a 3 Pictures table, counted off in fours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice, permutations
from typing import Any

from games.cards import RANKS, check_copies, read_cards
from games.draws import read_die
from games.families import Draw, Family, Roll
from games.reading import check_keys
from games.values import Outcome, Setup

CARDS = 12
"""Three cards for each of the four hands of a 3 Pictures table."""

NUMBERS = ("1", "2", "3", "4")

_NIMS = tuple(permutations(NUMBERS, 2))
_KWOKS = tuple(combinations(NUMBERS, 2))


def from_pictures(pictures: Outcome, die: int) -> dict[str, Any]:
    """Take the outcome of a Fan Tan round from the 3 Pictures round that it rides on.

    The cards stand as they were dealt, so an exchange of Player 1 and Player 3 leaves the
    outcome as it was (C-51).
    """
    return {"cards": list(pictures.cards), "die": die}


def total(cards: Sequence[str]) -> int:
    """Add cards up, ace 1 to king 13 (001 L817-831).

    >>> total(["AS", "TH", "JD", "QC", "KS"])
    47
    """
    return sum(RANKS.index(card[0]) + 1 for card in cards)


def fan(total: int) -> int:
    """Count a sum off in fours: what is left over, 4 if nothing is (001 L813-815).

    >>> fan(78), fan(84)
    (2, 4)
    """
    return total % 4 or 4


def facts(setup: Setup, total: int, die: int) -> frozenset[str]:
    """State everything about a sum and a die that a bet can be on."""
    won = str(fan(total))
    low, high = min(setup.options["tie_totals"]), max(setup.options["tie_totals"])
    stated = {
        f"fan:{won}",
        "even" if won in ("2", "4") else "odd",
        "small" if total < low else "big" if total > high else "tie",
    }
    stated |= {f"nim:{win}-{push}" for win, push in _NIMS if win == won}
    stated |= {f"nim_push:{win}-{push}" for win, push in _NIMS if push == won}
    stated |= {f"kwok:{one}-{other}" for one, other in _KWOKS if won in (one, other)}
    if die in setup.options["super_faces"]:
        stated |= {"super_hand", f"super:fan:{won}"}
    return frozenset(stated)


def glossary(setup: Setup) -> dict[str, str]:
    """Name every fact that a game with this setup can state."""
    low, high = min(setup.options["tie_totals"]), max(setup.options["tie_totals"])
    words = {
        "odd": "The number is odd",
        "even": "The number is even",
        "small": f"The cards add up to less than {low}",
        "tie": f"The cards add up to {low} to {high}",
        "big": f"The cards add up to more than {high}",
        "super_hand": "Super hand",
    }
    for number in NUMBERS:
        words[f"fan:{number}"] = f"The number is {number}"
        words[f"super:fan:{number}"] = f"Super hand: the number is {number}"
    for win, push in _NIMS:
        words[f"nim:{win}-{push}"] = f"The number is {win}"
        words[f"nim_push:{win}-{push}"] = f"The number is {push}"
    for one, other in _KWOKS:
        words[f"kwok:{one}-{other}"] = f"The number is {one} or {other}"
    return words


def read(setup: Setup, raw: Mapping[str, Any]) -> Outcome:
    """Check the twelve cards and the die and state their facts; Refused `invalid_outcome`."""
    check_keys(raw, ("cards", "die"))
    cards = read_cards(raw.get("cards"), "cards", CARDS, CARDS)
    check_copies(cards, _decks(setup))
    die = read_die(setup, raw)
    added = total(cards)
    return Outcome(
        canonical={"cards": list(cards), "die": die},
        facts=facts(setup, added, die),
        headline=f"The cards add up to {added}: the number is {fan(added)}",
        cards=cards,
    )


def read_unfinished(setup: Setup, raw: Mapping[str, Any]) -> Outcome:
    """Take down what was dealt and rolled of a void round."""
    check_keys(raw, ("cards", "die"))
    cards = read_cards(raw.get("cards", ()), "cards", 0, CARDS)
    check_copies(cards, _decks(setup))
    canonical: dict[str, Any] = {"cards": list(cards)}
    if "die" in raw:
        canonical["die"] = read_die(setup, raw)
    return Outcome(canonical, frozenset(), "The hand was not finished", cards=cards)


def deal(setup: Setup, shoe: Iterator[str], roll: Roll) -> dict[str, Any]:
    """Burn as many cards as the book says, deal twelve and roll the die."""
    burn = setup.options["burn"]
    return {"cards": list(islice(shoe, burn, burn + CARDS)), "die": roll(12)}


def draws(setup: Setup) -> dict[str, Draw]:
    """The die of a Super hand (001 L834)."""
    return {"die": read_die}


def _decks(setup: Setup) -> int:
    assert setup.decks is not None, "Super Fan Tan is played with cards"
    return setup.decks


FAMILY = Family(
    glossary=glossary,
    read=read,
    deal=deal,
    read_unfinished=read_unfinished,
    draws=draws,
    options={"super_faces": [], "tie_totals": [], "burn": 0},
    plain=frozenset(
        {"odd", "even", "small", "tie", "big"}
        | {f"fan:{number}" for number in NUMBERS}
        | {f"nim:{win}-{push}" for win, push in _NIMS}
        | {f"nim_push:{win}-{push}" for win, push in _NIMS}
        | {f"kwok:{one}-{other}" for one, other in _KWOKS}
    ),
)
