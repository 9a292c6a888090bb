"""What the floor asks before the result: may a hand be played so, and is its money there?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from games.cards import read_cards
from games.families.blackjack.hands import Rules
from games.families.blackjack.lines import no_insurance
from games.families.blackjack.plays import decisions, invalid, parse, place, why_not
from games.families.blackjack.slips import Slip, check
from games.families.blackjack.table import ACE, up_card
from games.refusals import Refused
from games.values import Stake, Wager

if TYPE_CHECKING:
    from games.game import Game


def plays_allowed(game: Game, cards: Sequence[str], up: str, *, split: bool = False) -> list[str]:
    """List what a player may do with these cards against the Dealer's first card.

    H, S, D, P and F as in a play, and "insurance" where the Dealer shows an ace and the box has
    its first two cards. `split` says that the hand is one of a split. Nothing may be done with
    a hand that stops by rule.
    """
    hand = read_cards(cards, "cards", 2, 21)
    offered = list(decisions(Rules.of(game.setup), hand, split=split))
    if len(hand) == 2 and not split and _shows_ace(up):
        offered.append("insurance")
    return offered


def check_decisions(
    game: Game,
    ticket: Slip,
    *,
    cards: Mapping[int, Sequence[str]] | None = None,
    up: str | None = None,
) -> list[Refused | None]:
    """Say of each line of a ticket with its plays why it may not stand so, or None.

    `ticket` is the whole ticket, `complete`d: what was placed before the cards and what was
    added since. A play needs the stakes of its split and its doubles, and those need the play.
    Where the floor knows them, `cards` are the first two of each box and `up` is the Dealer's
    first: the first decision is then held against them. The rest shows when the round resolves.
    """
    rules = Rules.of(game.setup)
    return [
        objection
        or _lacks_stake(line, ticket)
        or _against_cards(rules, line.wager, cards or {}, up)
        for line, objection in zip(ticket, check(game.setup, ticket, ()), strict=True)
    ]


def _lacks_stake(line: Stake, ticket: Slip) -> Refused | None:
    """Refuse an ante whose play split or doubled without the stake for it."""
    wager = line.wager
    if wager.bet != "ante" or wager.play is None:
        return None
    hands = parse(wager.play)
    needed = [("split", wager.selection)] if len(hands) == 2 else []
    for number, actions in enumerate(hands, 1):
        if actions == "D":
            hand = f"/{number}" if len(hands) == 2 else ""
            needed.append(("double", wager.selection + hand))
    there = {(one.wager.bet, one.wager.selection) for one in ticket}
    for bet, selection in needed:
        if (bet, selection) not in there:
            return Refused(
                "prerequisite_missing",
                f"{wager.play} needs the stake of its {bet} on {selection}.",
                field="play",
            )
    return None


def _against_cards(
    rules: Rules, wager: Wager, cards: Mapping[int, Sequence[str]], up: str | None
) -> Refused | None:
    """Hold the first decision of a wager against the first cards of its box."""
    if wager.bet == "insurance":
        return no_insurance() if up is not None and not _shows_ace(up) else None
    if wager.bet != "ante" or wager.play is None:
        return None
    box, _ = place(wager.selection)
    if box not in cards:
        return None
    first_two = read_cards(cards[box], f"box {box}", 2, 2)
    allowed = decisions(rules, first_two, split=False)
    first = wager.play[0]
    if first in allowed or (first == "S" and not rules.forced(first_two)):
        return None
    return invalid(why_not(rules, first_two, first, split=False))


def _shows_ace(up: str) -> bool:
    [card] = read_cards([up], "up", 1, 1)
    return up_card(card) == ACE
