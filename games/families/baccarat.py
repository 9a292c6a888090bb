"""The baccarat family: how a hand is written, what makes it impossible and what it amounts to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

from games.cards import RANKS, RED, SUITS, check_copies, read_cards
from games.drawing import banker_draws, player_draws, points
from games.draws import read_die
from games.families import Draw, Family, Roll
from games.reading import check_keys
from games.refusals import Refused
from games.values import Notice, Outcome, Setup

FIXED_SEVEN = "7S"
"""How the 7 that 7 Up gives the Player is written when a shoe scanner does not see it (C-49)."""

SIDES = ("player", "banker")

_MOST_CARDS = 8
"""The longest deal worth reading: the six cards of a full hand and two drawn by mistake."""

_RANK_WORDS = dict(zip("ATJQK", ("aces", "tens", "jacks", "queens", "kings"), strict=True))
_SUIT_WORDS = dict(zip(SUITS, ("spades", "hearts", "diamonds", "clubs"), strict=True))


@dataclass(frozen=True, slots=True)
class Hand:
    """The cards of one hand as they lie on the table, and the die of a Super game."""

    player: tuple[str, ...]
    banker: tuple[str, ...]
    die: int | None = None


def facts(setup: Setup, hand: Hand) -> frozenset[str]:
    """State everything about a finished hand that a bet can be on."""
    player, banker = points(hand.player), points(hand.banker)
    if player == banker:
        winner, group = "tie", "tie_on"
    else:
        winner = "player_wins" if player > banker else "banker_wins"
        group = f"{winner}_on"
    total = max(player, banker)
    stated = {winner, f"{group}:{total}"}
    spans = setup.options["tie_spans" if winner == "tie" else "win_spans"]
    stated |= {f"{group}:{span}" for span in spans if _within(total, span)}

    four_cards = len(hand.player) + len(hand.banker) == 4
    stated.add("four_cards" if four_cards else "third_card")
    if total == 6:
        stated.add("decided_on_6")
    if winner == "banker_wins" and total == 6:
        stated.add(f"banker_wins_on_6_with:{len(hand.banker)}")
    if four_cards and total in (8, 9):
        stated |= {f"{winner}_on_natural", f"{winner}_on_natural:{total}"}
    for side in SIDES:
        stated |= _first_two(side, getattr(hand, side)[:2])
    if setup.options["fixed_seven"]:
        sevens = sum(card[0] == "7" for card in hand.player + hand.banker)
        stated.add(f"sevens:{sevens}")
    if hand.die in setup.options["super_faces"]:
        stated |= {f"super:{fact}" for fact in stated & _IMPROVED} | {"super_hand"}
    return frozenset(stated)


def glossary(setup: Setup) -> dict[str, str]:
    """Name every fact that a game with this setup can state."""
    words = {
        "player_wins": "Player wins",
        "banker_wins": "Banker wins",
        "tie": "Tie",
        "four_cards": "Decided on four cards",
        "third_card": "A third card was drawn",
        "decided_on_6": "Won or tied on 6",
        "banker_wins_on_6_with:2": "Banker wins on 6 with two cards",
        "banker_wins_on_6_with:3": "Banker wins on 6 with three cards",
        "unnecessary_cards": "A card was drawn that was not due",
    }
    totals = [str(total) for total in range(10)]
    for span in [*totals, *setup.options["tie_spans"]]:
        words[f"tie_on:{span}"] = f"Tie on {span}"
    for side, name in (("player", "Player"), ("banker", "Banker")):
        for span in [*totals[1:], *setup.options["win_spans"]]:
            words[f"{side}_wins_on:{span}"] = f"{name} wins on {span}"
        words |= _first_two_words(side, name)
    for winner in ("player_wins", "banker_wins", "tie"):
        words[f"{winner}_on_natural"] = f"{words[winner]} on a natural"
        for total in (8, 9):
            words[f"{winner}_on_natural:{total}"] = f"{words[winner]} on a natural {total}"
    if setup.options["fixed_seven"]:
        for count, number in enumerate(("one", "two", "three", "four", "five", "six"), 1):
            words[f"sevens:{count}"] = f"The hand holds {number} 7{'s' if count > 1 else ''}"
    if setup.options["super_faces"]:
        words["super_hand"] = "Super hand"
        for fact in _IMPROVED:
            words[f"super:{fact}"] = f"Super hand: {words[fact]}"
    return words


def first_two_facts(side: str) -> frozenset[str]:
    """List the facts that a side's first two cards alone decide."""
    return frozenset(_first_two_words(side, ""))


def read(setup: Setup, raw: Mapping[str, Any]) -> Outcome:
    """Check a finished hand and state its facts; Refused `invalid_outcome`.

    A third card that is missing, or was not due, carries the ground "wrong_card". A needless
    card at the end of a deal is set aside: the hand stands by the card rules (BAC clause 3).
    """
    hand, spare = _laid_out(setup, raw)
    cards = _dealt(setup, hand) + spare
    check_copies(cards, _decks(setup))
    _check_draws(hand)
    stated = facts(setup, hand)
    notices: tuple[Notice, ...] = ()
    if spare:
        stated |= {"unnecessary_cards"}
        notices = (Notice("unnecessary_card", _spare_words(spare)),)
    player, banker = points(hand.player), points(hand.banker)
    winner = "tie" if player == banker else "player" if player > banker else "banker"
    return Outcome(
        canonical=_canonical(hand, spare),
        facts=stated,
        headline=_headline(player, banker),
        winner=winner,
        notices=notices,
        cards=cards,
    )


def read_unfinished(setup: Setup, raw: Mapping[str, Any]) -> Outcome:
    """Take down the cards of a void hand as they lie, without asking what was due."""
    check_keys(raw, (*_HAND_PARTS, *draws(setup)))
    listed = {
        part: read_cards(raw[part], part, 0, _MOST_CARDS) for part in _HAND_PARTS if part in raw
    }
    canonical: dict[str, Any] = {part: list(cards) for part, cards in listed.items()}
    if "die" in raw:
        canonical["die"] = read_die(setup, raw)
    if setup.options["fixed_seven"] and "player" in listed:
        listed["player"] = listed["player"][1:]
    lying = tuple(card for cards in listed.values() for card in cards)
    check_copies(lying, _decks(setup))
    return Outcome(canonical, frozenset(), "The hand was not finished", cards=lying)


def deal(setup: Setup, shoe: Iterator[str], roll: Roll) -> dict[str, Any]:
    """Play one hand by the drawing rules with the next cards of a shoe."""
    player, banker = _play(setup, shoe)
    raw: dict[str, Any] = {"player": player, "banker": banker}
    if setup.options["super_faces"]:
        raw["die"] = roll(12)
    return raw


def draws(setup: Setup) -> dict[str, Draw]:
    """The die of a Super hand, where the game has one (000 L70, 001 L2)."""
    return {"die": read_die} if setup.options["super_faces"] else {}


def _play(setup: Setup, cards: Iterator[str]) -> tuple[list[str], list[str]]:
    """Give cards to the two hands in the order of dealing, as far as the cards reach.

    P1 B1 P2 B2 and thirds (004 3.4.3); in 7 Up the fixed 7, then B1 P2 B2 and thirds
    (000 L295-298, 001 L116-119).
    """
    if setup.options["fixed_seven"]:
        first = [FIXED_SEVEN, *islice(cards, 3)]
    else:
        first = list(islice(cards, 4))
    player, banker = first[0::2], first[1::2]
    had, bank = points(player), points(banker)
    third = None
    if player_draws(had, bank):
        player.extend(islice(cards, 1))
        third = points(player[2:])
    if banker_draws(had, bank, third):
        banker.extend(islice(cards, 1))
    return player, banker


_HAND_PARTS = ("player", "banker", "deal", "unnecessary")


def _decks(setup: Setup) -> int:
    assert setup.decks is not None, "baccarat is played with cards"
    return setup.decks


def _laid_out(setup: Setup, raw: Mapping[str, Any]) -> tuple[Hand, tuple[str, ...]]:
    """Lay an outcome out as hands, with the cards that were not due beside them."""
    scanned = isinstance(raw, Mapping) and "deal" in raw
    parts = ("deal",) if scanned else ("player", "banker", "unnecessary")
    drawn = draws(setup)
    check_keys(raw, (*parts, *drawn))
    die = read_die(setup, raw) if drawn else None
    if scanned:
        return _from_deal(setup, raw["deal"], die)
    for side in SIDES:
        if side not in raw:
            raise Refused("invalid_outcome", f"The {side}'s cards are missing.", field=side)
    player = read_cards(raw["player"], "player", 2, 3)
    banker = read_cards(raw["banker"], "banker", 2, 3)
    spare = read_cards(raw.get("unnecessary", ()), "unnecessary", 0, _MOST_CARDS - 6)
    if setup.options["fixed_seven"] and player[0][0] != "7":
        raise Refused(
            "invalid_outcome",
            f"The Player's first card is always a 7, not {player[0]}.",
            field="player",
        )
    return Hand(player, banker, die), spare


def _from_deal(setup: Setup, deal: Any, die: int | None) -> tuple[Hand, tuple[str, ...]]:
    """Give the cards of a shoe scanner to the two hands; what is left over was not due."""
    fixed = int(setup.options["fixed_seven"])
    cards = iter(read_cards(deal, "deal", 4 - fixed, _MOST_CARDS - fixed))
    player, banker = _play(setup, cards)
    return Hand(tuple(player), tuple(banker), die), tuple(cards)


def _check_draws(hand: Hand) -> None:
    """Refuse a hand in which a third card is missing or was not due."""
    player, banker = points(hand.player[:2]), points(hand.banker[:2])
    third = points(hand.player[2:]) if len(hand.player) == 3 else None
    if player_draws(player, banker) != (third is not None):
        raise _wrong_card("Player", player, third is not None, _natural(player, banker))
    if banker_draws(player, banker, third) != (len(hand.banker) == 3):
        beside = _natural(player, banker) or (
            "" if third is None else f" against a third card that counts {third}"
        )
        raise _wrong_card("Banker", banker, len(hand.banker) == 3, beside)


def _wrong_card(side: str, total: int, drew: bool, beside: str) -> Refused:
    fault = "drew a third card on" if drew else "did not draw a third card on"
    return Refused("invalid_outcome", f"{side} {fault} {total}{beside}.", ground="wrong_card")


def _natural(player: int, banker: int) -> str:
    return " although the hand ended on a natural" if max(player, banker) >= 8 else ""


def _dealt(setup: Setup, hand: Hand) -> tuple[str, ...]:
    """Put the cards back into the order in which they left the shoe."""
    thirds = hand.player[2:] + hand.banker[2:]
    if setup.options["fixed_seven"]:
        return (hand.banker[0], hand.player[1], hand.banker[1], *thirds)
    return (hand.player[0], hand.banker[0], hand.player[1], hand.banker[1], *thirds)


def _canonical(hand: Hand, spare: tuple[str, ...]) -> dict[str, Any]:
    canonical: dict[str, Any] = {
        "player": list(hand.player),
        "banker": list(hand.banker),
    }
    if spare:
        canonical["unnecessary"] = list(spare)
    if hand.die is not None:
        canonical["die"] = hand.die
    return canonical


def _headline(player: int, banker: int) -> str:
    if player == banker:
        return f"Tie on {player}"
    if player > banker:
        return f"Player {player} beats Banker {banker}"
    return f"Banker {banker} beats Player {player}"


def _spare_words(spare: tuple[str, ...]) -> str:
    cards = " and ".join(spare)
    return f"{cards} {'were' if len(spare) > 1 else 'was'} drawn but not due; the result stands."


def _within(total: int, span: str) -> bool:
    least, _, most = span.partition("-")
    return int(least) <= total <= int(most or least)


@cache
def _first_two(side: str, cards: tuple[str, ...]) -> frozenset[str]:
    """State what a side's first two cards are: pair, suit and colour (C-9, C-10)."""
    (rank, suit), (other_rank, other_suit) = map(tuple, cards)
    stated: set[str] = set()
    if suit == other_suit:
        stated.add(f"{side}_suited")
    if (suit in RED) == (other_suit in RED):
        stated.add(f"{side}_red" if suit in RED else f"{side}_black")
    if rank == other_rank:
        stated |= {f"{side}_pair", f"{side}_pair:{rank}"}
        if suit == other_suit:
            stated |= {
                f"{side}_suited_pair",
                f"{side}_pair:{suit}",
                f"{side}_pair:{rank}{suit}",
            }
    return frozenset(stated)


def _first_two_words(side: str, name: str) -> dict[str, str]:
    first = f"{name}'s first two cards are"
    words = {
        f"{side}_suited": f"{first} of one suit",
        f"{side}_red": f"{first} red",
        f"{side}_black": f"{first} black",
        f"{side}_pair": f"{first} a pair",
        f"{side}_suited_pair": f"{first} a pair of one suit",
    }
    for suit in SUITS:
        words[f"{side}_pair:{suit}"] = f"{first} a pair of {_SUIT_WORDS[suit]}"
    for rank in RANKS:
        ranks = _RANK_WORDS.get(rank, f"{rank}s")
        words[f"{side}_pair:{rank}"] = f"{first} a pair of {ranks}"
        for suit in SUITS:
            words[f"{side}_pair:{rank}{suit}"] = f"{first} both the {rank} of {_SUIT_WORDS[suit]}"
    return words


_IMPROVED = {
    "player_wins_on_natural",
    "banker_wins_on_natural",
    "tie_on_natural",
    *(f"{side}_wins_on_natural:{total}" for side in SIDES for total in (8, 9)),
    *(f"{side}_pair" for side in SIDES),
}
"""The facts that a Super hand can improve, stated again as "super:…" (001 L54-65, C-7, C-8)."""

FAMILY = Family(
    glossary=glossary,
    read=read,
    deal=deal,
    read_unfinished=read_unfinished,
    draws=draws,
    options={"super_faces": [], "fixed_seven": False, "win_spans": [], "tie_spans": []},
    plain=frozenset({"player_wins", "banker_wins", "tie"}),
)
