"""What tickets do with their box: how a play is written, and which cards it takes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from games.families.blackjack.hands import Cards, Rules, spoken_pair, total
from games.refusals import Refused
from games.values import Bet

_HAND = "H{0,19}S?|D"
_PLAY = re.compile(rf"({_HAND}|F)|P\[({_HAND})\]\[({_HAND})\]", re.ASCII)
"""The longest hand there is, 21 aces, takes nineteen cards."""

PLAYED = ("ante", "split", "double")
"""The bets that depend on what their ticket did."""


@dataclass(frozen=True, slots=True)
class Box:
    """The cards of a box: the longest line that was played, or the two hands of a split."""

    number: int
    hands: tuple[Cards, ...]

    @property
    def split(self) -> bool:
        """Whether the box was split."""
        return len(self.hands) == 2

    @property
    def pair(self) -> Cards:
        """The first two cards: those of Perfect Pairs, and of a player who takes no more."""
        if self.split:
            return self.hands[0][:1] + self.hands[1][:1]
        return self.hands[0][:2]


@dataclass(frozen=True, slots=True)
class Taken:
    """What one ticket took of a box: its hands, none where it folded."""

    hands: tuple[Cards, ...]
    split: bool = False


def write_play(bet: Bet, selection: str, text: str) -> str:
    """Check the play of a wager as it is written; Refused `invalid_play`.

    A split or doubled stake names a play in which its own hand was split or doubled.
    """
    if bet.code not in PLAYED:
        raise invalid(f"{bet.title} takes no play: it does not depend on the decisions.")
    parse(text)
    if not stakes(text, bet.code, selection):
        raise invalid(f"{bet.title} on {selection} is no stake of the play {text}.")
    return text


@lru_cache(maxsize=1024)
def parse(play: str) -> tuple[str, ...]:
    """Take a play apart into the actions of its one or two hands; Refused `invalid_play`.

    >>> parse("HHS"), parse("P[HS][D]")
    (('HHS',), ('HS', 'D'))
    """
    match = _PLAY.fullmatch(play)
    if match is None or not play:
        raise invalid(_misspelt(play))
    whole, first, second = match.groups()
    return (first, second) if whole is None else (whole,)


def place(selection: str) -> tuple[int, int]:
    """Take a selection apart into its box and its hand after a split, 0 for the whole box.

    >>> place("box3"), place("box1/2")
    ((3, 0), (1, 2))
    """
    box, _, hand = selection.removeprefix("box").partition("/")
    return int(box), int(hand or 0)


def stakes(play: str, bet: str, selection: str) -> bool:
    """Whether a play has this stake: its own hand is there, and was split or doubled.

    >>> stakes("P[HS][D]", "double", "box1/2"), stakes("P[HS][D]", "double", "box1")
    (True, False)
    """
    hands = parse(play)
    if bet == "split":
        return len(hands) == 2
    if bet == "double":
        _, hand = place(selection)
        return len(hands) == (2 if hand else 1) and hands[hand - 1 if hand else 0] == "D"
    return True


def decisions(rules: Rules, cards: Cards, *, split: bool) -> tuple[str, ...]:
    """List what a player may do next with a hand; nothing where it stops by rule.

    A pair that the book forces has no other way than these two (001 L651, L662-675).
    """
    first_two = len(cards) == 2
    if first_two and not split and rules.forced(cards):
        return ("P", "F")
    if rules.stops(cards, split=split):
        return ()
    allowed = ["S", "H"]
    if first_two and rules.doubles(cards, split=split):
        allowed.append("D")
    if first_two and not split and rules.splits(cards):
        allowed.append("P")
    return tuple(allowed)


def take(rules: Rules, box: Box, play: str | None) -> Taken:
    """Take the cards of a box that a ticket's own actions took; Refused `invalid_play`.

    No play is no decision in time: the ticket stands, and folds a pair that may only be split
    or folded (001 L647, L739; 004 3.5.iii). So does a hand that its play leaves unfinished
    stand.
    """
    forced = rules.forced(box.pair)
    if play is None:
        play = "F" if forced else "S"
    hands = parse(play)
    if len(hands) == 2:
        if not rules.splits(box.pair):
            raise invalid(why_not(rules, box.pair, "P", split=False))
        if not box.split:
            raise invalid(f"Box {box.number} was not split.")
        return Taken(
            tuple(
                _walk(rules, dealt, actions, split=True, name=f"Hand {number} of box {box.number}")
                for number, (dealt, actions) in enumerate(zip(box.hands, hands, strict=True), 1)
            ),
            split=True,
        )
    if play == "F" and forced:
        return Taken(())
    if play == "F" or forced:
        raise invalid(why_not(rules, box.pair, play[0], split=False))
    if not box.split:
        [dealt] = box.hands
        return Taken((_walk(rules, dealt, play, split=False, name=f"Box {box.number}"),))
    if play != "S":
        raise invalid(f"Box {box.number} was split: who did not split took no further card.")
    return Taken((box.pair,))


def _walk(rules: Rules, dealt: Cards, actions: str, *, split: bool, name: str) -> Cards:
    """Follow the actions of one hand along the cards that were dealt to it."""
    taken = 2
    for action in actions:
        hand = dealt[:taken]
        if action == "S":
            if total(hand) > 21:
                raise invalid(why_not(rules, hand, action, split=split))
            break
        if rules.stops(hand, split=split) or (
            action == "D" and not rules.doubles(hand, split=split)
        ):
            raise invalid(why_not(rules, hand, action, split=split))
        if taken == len(dealt):
            raise invalid(f"{name} was dealt {taken} cards; {actions} takes more.")
        taken += 1
    return dealt[:taken]


def why_not(rules: Rules, cards: Cards, action: str, *, split: bool) -> str:
    """Say which rule keeps a hand from an action that `decisions` does not list."""
    count = total(cards)
    forced = " or ".join(spoken_pair(rank) for rank in sorted(rules.forced_pairs, reverse=True))
    if action == "F":
        if not forced:
            return "No hand may be folded in this game."
        return f"Only {forced} may be folded."
    if action == "P":
        if split:
            return "Split hands cannot be split."
        return f"Only {forced or 'two cards of equal value'} may be split."
    if len(cards) == 2 and not split and rules.forced(cards):
        return f"{spoken_pair(cards[0][0]).capitalize()} may only be split or folded."
    if count > 21:
        return f"The hand is bust with {count}: it cannot {_VERBS[action]} any more."
    if count == 21:
        return f"A hand of 21 takes no more cards: it cannot {_VERBS[action]}."
    if rules.stops(cards, split=split):
        if split and cards[0][0] == "A":
            return f"A split ace takes one card only: it cannot {_VERBS[action]}."
        return "Eight cards without a bust have won: no ninth is dealt."
    if split and not rules.double_after_split:
        return "A split hand may not be doubled."
    totals = " or ".join(map(str, sorted(rules.double_on)))
    return f"Only a hand of two cards that counts {totals} may be doubled; this one counts {count}."


_VERBS = {"H": "hit", "S": "stand", "D": "double"}


def _misspelt(play: str) -> str:
    if "D" in play and re.fullmatch(r"[HSD]+", play):
        return f"{play!r}: a double is the only action of its hand, which gets one card."
    if re.search(r"\[[^]]*P", play):
        return f"{play!r}: split hands cannot be split."
    return (
        f"{play!r} is no play: H hits, S stands at the end, D doubles, F folds, "
        "P[..][..] splits with the actions of each hand."
    )


def invalid(message: str) -> Refused:
    """A play that this hand, or this book, does not allow."""
    return Refused("invalid_play", message, field="play")
