"""Money limits at acceptance: per bet, and per player and round over all tickets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from casino.models import LimitSet
from casino.services.limits import EVERY_BET
from games import rulebook
from games.money import format_amount
from games.refusals import Refused

STRAIGHT = "straight"
"""The bet whose maximum the multiples of a roulette layout are printed of."""


def check_limits(
    stakes: Sequence[rulebook.Stake],
    *,
    held: Sequence[rulebook.Stake],
    limits: LimitSet,
    game: rulebook.Game,
) -> list[Refused | None]:
    """One answer for each stake; `held` is what the player has in the round in this currency.

    A stake below its minimum is refused `below_minimum`; one that takes the player past the
    maximum on its selection, or past the table's maximum, `above_maximum`; where the player's
    bets together stay below the table's minimum, each is refused `table_minimum`.
    """
    rows = {row.bet: (row.minimum, row.maximum) for row in limits.bets.all()}
    had = Counter[rulebook.Wager]()
    for stake in held:
        had[stake.wager] += stake.stake
    total = sum(stake.stake for stake in (*held, *stakes))
    refusals: list[Refused | None] = []
    for stake in stakes:
        had[stake.wager] += stake.stake
        refusals.append(_check_bet(stake, had[stake.wager], rows, limits, game))
    if any(refusals):
        return refusals

    def shown(minor: int) -> str:
        return f"{format_amount(minor, limits.currency)} {limits.currency}"

    if limits.table_min is not None and total < limits.table_min:
        refusal = Refused(
            "table_minimum",
            f"Bets of one player in a round start at {shown(limits.table_min)}; "
            f"these come to {shown(total)}.",
        )
        return [refusal] * len(stakes)
    if limits.table_max is not None and total > limits.table_max:
        refusal = Refused(
            "above_maximum",
            f"Bets of one player in a round end at {shown(limits.table_max)}; "
            f"these come to {shown(total)}.",
        )
        return [refusal] * len(stakes)
    return refusals


def _check_bet(
    stake: rulebook.Stake,
    on_selection: int,
    rows: dict[str, tuple[int, int]],
    limits: LimitSet,
    game: rulebook.Game,
) -> Refused | None:
    bet = game.bets[stake.wager.bet]

    def shown(minor: int) -> str:
        return f"{format_amount(minor, limits.currency)} {limits.currency}"

    found = rows.get(bet.code) or _multiplied(bet, rows)
    if found is None:
        return Refused("above_maximum", f"The table takes no {bet.title} in {limits.currency}.")
    low, high = found
    if stake.stake < low:
        return Refused("below_minimum", f"{bet.title} starts at {shown(low)}.", "stake")
    if on_selection > high:
        return Refused("above_maximum", f"{bet.title} ends at {shown(high)}.", "stake")
    return None


def _multiplied(bet: rulebook.Bet, rows: dict[str, tuple[int, int]]) -> tuple[int, int] | None:
    """The limits of a bet without any of its own: a printed multiple is of the straight-up's."""
    straight = rows.get(STRAIGHT) if bet.limit is not None else None
    base = straight or rows.get(EVERY_BET)
    if base is None:
        return None
    low, high = base
    return low, high * (bet.limit or 1)
