"""Hands recorded at real tables: reading a file of them, and holding them against a book."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NoReturn

from games.cards import read_cards
from games.refusals import Refused
from games.rulebook import Game, Result

MADE_UP_SHOE = 12
"""Hands put into one shoe where no shoe was recorded: too few for any card to run out."""

WINNERS = {"P": "player", "B": "banker", "T": "tie"}

SPOTS = (
    ("small", ("small",)),
    ("big", ("big",)),
    ("player_pair", ("player_pair",)),
    ("player_pair", ("player_lucky_pair",)),
    ("banker_pair", ("banker_pair",)),
    ("banker_pair", ("banker_lucky_pair",)),
    ("super_six", ("super_6",)),
    ("player_wins_with_natural", ("player_natural_8", "player_natural_9")),
    ("banker_wins_with_natural", ("banker_natural_8", "banker_natural_9")),
)
"""Recorded side bets, each with the bets of a book of which one wins exactly when it does."""


class Unreadable(Exception):
    """A line that is no recorded hand; its text names the line and the fault."""


@dataclass(frozen=True, slots=True)
class RecordedHand:
    """One hand as it was recorded, with the line of the file that it stands on.

    `shoe` and `number` are None where they were not seen. `won` are the spots that the house
    paid, None where they were not seen.
    """

    line: int
    round: str
    shoe: str | None
    number: int | None
    player: tuple[str, ...]
    banker: tuple[str, ...]
    winner: str
    won: frozenset[str] | None

    def cards(self) -> list[str]:
        """Every card in the order in which it left the shoe: P1 B1 P2 B2 and the thirds."""
        first = [self.player[0], self.banker[0], self.player[1], self.banker[1]]
        return [*first, *self.player[2:], *self.banker[2:]]

    def has_small_and_big(self) -> bool:
        """Whether the table had these two spots: where it had, one of them always wins."""
        return self.won is not None and not self.won.isdisjoint({"small", "big"})


def read_hands(lines: Iterable[bytes]) -> list[RecordedHand]:
    """Read JSON lines; raises Unreadable at the first that is no recorded hand."""
    hands = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            hands.append(_hand(number, json.loads(line, parse_constant=_no_constant)))
        except (ValueError, RecursionError, Refused) as fault:
            raise Unreadable(f"Line {number} is no recorded hand: {fault}") from fault
    return hands


def in_shoes(hands: Iterable[RecordedHand]) -> Iterator[list[RecordedHand]]:
    """Give the hands shoe by shoe, in order of appearance and within a shoe of their numbers.

    Hands without a shoe are put into short ones of their own.
    """
    shoes: dict[str, list[RecordedHand]] = {}
    strays: list[RecordedHand] = []
    for hand in hands:
        if hand.shoe is None:
            strays.append(hand)
        else:
            shoes.setdefault(hand.shoe, []).append(hand)
    for shoe in shoes.values():
        yield sorted(shoe, key=lambda hand: hand.number or 0)
    for _, group in groupby(enumerate(strays), key=lambda stray: stray[0] // MADE_UP_SHOE):
        yield [hand for _, hand in group]


def spots_of(game: Game) -> dict[str, tuple[str, ...]]:
    """Name the recorded side bets that a game offers, with the bets that stand for each."""
    return {spot: bets for spot, bets in SPOTS if game.bets.keys() >= set(bets)}


def differences(
    hand: RecordedHand,
    *,
    winner: str,
    results: Mapping[str, str],
    spots: Mapping[str, tuple[str, ...]],
) -> list[str]:
    """Say where the book's answer to a hand is not what was recorded.

    `results` is what became of each bet. Main bets are held against the winner, because some
    books push a winning total; side bets win exactly where the house paid them.
    """
    found = []
    recorded = WINNERS[hand.winner]
    if winner != recorded:
        found.append(f"recorded winner {recorded}, here {winner}")
    for bet in WINNERS.values():
        wrong = Result.LOSE if bet == recorded else Result.WIN
        if results.get(bet) == wrong:
            found.append(f"{recorded} won, and the bet on {bet} has the result {wrong}")
        if hand.won is not None and (bet in hand.won) != (bet == winner):
            found.append(_against(bet, paid=bet in hand.won))
    if hand.won is None:
        return found
    for spot, bets in spots.items():
        if spot in ("small", "big") and not hand.has_small_and_big():
            continue
        wins = any(results[bet] == Result.WIN for bet in bets)
        if wins != (spot in hand.won):
            found.append(_against(spot, paid=spot in hand.won))
    return found


def _against(spot: str, *, paid: bool) -> str:
    return f"{spot} was {'paid' if paid else 'not paid'}, here it {'loses' if paid else 'wins'}"


def _hand(line: int, raw: Any) -> RecordedHand:
    if not isinstance(raw, dict):
        raise ValueError("not an object")
    missing = [name for name in ("player", "banker", "winner") if name not in raw]
    if missing:
        raise ValueError(f"{missing[0]} is missing")
    if raw["winner"] not in tuple(WINNERS):
        raise ValueError(f"the winner is P, B or T, not {raw['winner']!r}")
    shoe, number, won = raw.get("shoe"), raw.get("hand"), raw.get("house_won")
    if not isinstance(shoe, str | None):
        raise ValueError("shoe is no text")
    if number is not None and (type(number) is not int or not 0 < number < 1000):
        raise ValueError("hand is no number of a hand")
    if won is not None and not (
        isinstance(won, list) and all(isinstance(spot, str) for spot in won)
    ):
        raise ValueError("house_won is no list of spots")
    return RecordedHand(
        line=line,
        round=str(raw.get("round", "")),
        shoe=shoe,
        number=number,
        player=read_cards(raw["player"], "player", 2, 3),
        banker=read_cards(raw["banker"], "banker", 2, 3),
        winner=raw["winner"],
        won=None if won is None else frozenset(won),
    )


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")
