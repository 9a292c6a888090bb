"""How the lines of one ticket belong together: antes, what is added to them, and plays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from games.families.blackjack.hands import Rules
from games.families.blackjack.plays import PLAYED, invalid, parse, place, stakes, why_not
from games.refusals import Refused
from games.returns import payout
from games.values import Setup, Stake, Wager

Slip = Sequence[Stake]

ADDED = frozenset({"split", "double", "insurance"})
"""The bets that are added to an Ante once its cards lie on the table."""

INSURED = Fraction(1, 2)
"""The part of its Ante that an insurance stakes (001 L686, 004 2.5.1)."""


def insurance_stake(ante: int) -> int:
    """Give the one stake that insures an ante: half of it, rounded half up (R-11).

    >>> insurance_stake(2000), insurance_stake(5)
    (1000, 3)
    """
    return payout(ante, INSURED)


def may_add(wager: Wager) -> list[tuple[Wager, Fraction]]:
    """Give the most that can be added to an ante: a split, both hands doubled, and insurance.

    No ticket is paid on all of it: an insurance wins on cards on which a double does not. Where
    the hands of a split may not be doubled, the split stands for the double of the whole box.
    """
    if wager.bet != "ante":
        return []
    box, whole = wager.selection, Fraction(1)
    return [
        (Wager("split", box), whole),
        (Wager("double", f"{box}/1"), whole),
        (Wager("double", f"{box}/2"), whole),
        (Wager("insurance", box), INSURED),
    ]


def complete(slip: Slip) -> list[Stake]:
    """Give the lines of a ticket that name no play the play of their box.

    A play is said once: with the ante, or with a stake that was added by it.
    """
    plays = {place(line.wager.selection)[0]: line.wager.play for line in slip if line.wager.play}
    return [
        replace(line, wager=replace(line.wager, play=plays.get(place(line.wager.selection)[0])))
        if line.wager.bet in PLAYED and line.wager.play is None
        else line
        for line in slip
    ]


def check(setup: Setup, slip: Slip, held: Sequence[Wager]) -> list[Refused | None]:
    """Say of each bet why it may not be held beside the others of its ticket, or None.

    A split stakes the Ante again, a double its hand, an insurance half the Ante; each lies on
    the ticket of the Ante that it was added to, once.
    """
    rules = Rules.of(setup)
    return [_objection(rules, slip, number) for number in range(len(slip))]


def _objection(rules: Rules, slip: Slip, number: int) -> Refused | None:
    line = slip[number]
    bet, play = line.wager.bet, line.wager.play
    if bet not in (*PLAYED, "insurance"):
        return None
    if _is_there(bet, line.wager.selection, slip[:number]):
        return Refused(
            "prohibited_combination",
            f"A ticket has one {bet} on {line.wager.selection}.",
            field="bet",
        )
    box = [one for one in slip if _shares_box(one.wager, line.wager)]
    if len({one.wager.play for one in box if one.wager.play}) > 1:
        return invalid("The lines of a ticket on one box tell of different plays.")
    if play is not None and (fault := _not_in_book(rules, play)):
        return invalid(fault)
    if bet == "ante":
        return None
    ante = next((one.stake for one in box if one.wager.bet == "ante"), None)
    if ante is None:
        return Refused(
            "prerequisite_missing",
            f"{bet.capitalize()} is added to an ante on the same box of the same ticket.",
            field="bet",
        )
    if bet == "insurance":
        half = "half the ante, rounded up where it does not divide evenly"
        return _uneven(line, insurance_stake(ante), half)
    if play is None:
        return invalid(f"{bet.capitalize()} needs the play that it was added by.")
    if not stakes(play, bet, line.wager.selection):
        return invalid(f"{play} has no {bet} on {line.wager.selection}.")
    if len(parse(play)) == 2 and not _is_there(
        "split", f"box{place(line.wager.selection)[0]}", box
    ):
        return Refused(
            "prerequisite_missing",
            "The double of a split hand needs the stake of the split.",
            field="bet",
        )
    return _uneven(line, ante, "as much as the ante")


def _is_there(bet: str, selection: str, lines: Slip) -> bool:
    return any((line.wager.bet, line.wager.selection) == (bet, selection) for line in lines)


def _shares_box(one: Wager, other: Wager) -> bool:
    return (
        one.bet in (*PLAYED, "insurance") and place(one.selection)[0] == place(other.selection)[0]
    )


def _not_in_book(rules: Rules, play: str) -> str:
    """Say which action of a play exists on no cards of this book, or ""."""
    if play == "F" and not rules.forced_pairs:
        return why_not(rules, (), "F", split=False)
    hands = parse(play)
    if len(hands) == 2 and "D" in hands and not rules.double_after_split:
        return "A split hand may not be doubled."
    return ""


def _uneven(line: Stake, due: int, spoken: str) -> Refused | None:
    if line.stake == due:
        return None
    return Refused(
        "invalid_stake",
        f"{line.wager.bet.capitalize()} on {line.wager.selection} is {spoken}.",
        field="stake",
    )
