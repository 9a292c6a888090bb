"""Money limits at acceptance: per bet, per player and round, and per round over all players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from casino.models import LimitSet
from casino.services.limits import EVERY_BET, rows_of
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
    maximum on its selection, or past the table's maximum on all stakes or on what they can
    return, `above_maximum`; where the player's bets together stay below the table's minimum,
    each is refused `table_minimum`.
    """
    rows = rows_of(limits)
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

    if limits.table_min is not None and total < limits.table_min:
        refusal = Refused(
            "table_minimum",
            f"Bets of one player in a round start at {_money(limits.table_min, limits)}; "
            f"these come to {_money(total, limits)}.",
        )
        return [refusal] * len(stakes)
    if limits.table_max is not None and total > limits.table_max:
        refusal = Refused(
            "above_maximum",
            f"Bets of one player in a round end at {_money(limits.table_max, limits)}; "
            f"these come to {_money(total, limits)}.",
        )
        return [refusal] * len(stakes)
    if limits.payout_max is not None:
        payout = lay(rulebook.Exposure(game), (*held, *stakes)).bound
        if payout > limits.payout_max:
            refusal = Refused(
                "above_maximum",
                f"Bets of one player in a round pay at most {_money(limits.payout_max, limits)}; "
                f"these could pay {_money(payout, limits)}.",
            )
            return [refusal] * len(stakes)
    return refusals


def check_exposure(exposure: rulebook.Exposure, *, limits: LimitSet) -> Refused | None:
    """Refuse with `above_maximum` where a round could pay more than the table's maximum.

    `exposure` is what all players have on the round in this currency, the new bets included.
    How much that is and may be is the house's own affair, so the sentence names no sum.
    """
    if limits.exposure_max is None or exposure.bound <= limits.exposure_max:
        return None
    return Refused(
        "above_maximum",
        "With these bets the table could have to pay more on this round than it may.",
    )


def lay(exposure: rulebook.Exposure, stakes: Iterable[rulebook.Stake]) -> rulebook.Exposure:
    """The exposure with these stakes on top; those that a decision added count already."""
    laid = replace(exposure)
    for stake in stakes:
        if stake.wager.bet not in exposure.game.added:
            laid.add(stake.wager, stake.stake)
    return laid


def _check_bet(
    stake: rulebook.Stake,
    on_selection: int,
    rows: dict[str, tuple[int, int]],
    limits: LimitSet,
    game: rulebook.Game,
) -> Refused | None:
    bet = game.bets[stake.wager.bet]
    own = rows.get(f"{bet.code}:{stake.wager.selection}") or rows.get(bet.code)
    found = own or multiplied(bet, rows)
    if found is None:
        return Refused("above_maximum", f"The table takes no {bet.title} in {limits.currency}.")
    low, high = found
    if stake.stake < low:
        return Refused("below_minimum", f"{bet.title} starts at {_money(low, limits)}.", "stake")
    if on_selection > high:
        return Refused("above_maximum", f"{bet.title} ends at {_money(high, limits)}.", "stake")
    return None


def multiplied(bet: rulebook.Bet, rows: Mapping[str, tuple[int, int]]) -> tuple[int, int] | None:
    """The limits of a bet without any of its own: a printed multiple is of the straight-up's."""
    straight = rows.get(STRAIGHT) if bet.limit is not None else None
    base = straight or rows.get(EVERY_BET)
    if base is None:
        return None
    low, high = base
    return low, high * (bet.limit or 1)


def _money(minor: int, limits: LimitSet) -> str:
    return f"{format_amount(minor, limits.currency)} {limits.currency}"
