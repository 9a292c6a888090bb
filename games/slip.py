"""The conditions under which bets may be placed together: one answer per bet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from games.refusals import Refused
from games.values import Bet, Stake, Wager

if TYPE_CHECKING:
    from games.game import Game


def check(
    game: Game, slip: Sequence[Stake], *, hand: int | None, held: Sequence[Wager]
) -> list[Refused | None]:
    """Say of each bet why it may not be placed, or None.

    Bets that are prohibited together are all refused, whichever came first on the ticket
    (C-44); what the player holds already stays.
    """
    together = [stake.wager for stake in slip] + list(held)
    crowded = _covers_too_much(game, together)
    objections = game.rules.check(game.setup, slip, held)
    return [
        _past_window(game.bets[stake.wager.bet], hand)
        or _lacks_prerequisite(game, stake.wager, together)
        or _is_excluded(game, stake.wager, together)
        or (crowded if game.rules.covers(stake.wager.bet, stake.wager.selection) else None)
        or _uneven_chips(game.bets[stake.wager.bet], stake)
        or objection
        for stake, objection in zip(slip, objections, strict=True)
    ]


def _past_window(bet: Bet, hand: int | None) -> Refused | None:
    if hand is None or bet.window is None or hand <= bet.window:
        return None
    return Refused(
        "not_offered",
        f"{bet.title} is offered on the first {bet.window} hands of a shoe; this is hand {hand}.",
        field="bet",
    )


def _lacks_prerequisite(game: Game, wager: Wager, together: Sequence[Wager]) -> Refused | None:
    bet = game.bets[wager.bet]
    if not bet.needs:
        return None
    for need in bet.needs:
        code, same, _ = need.partition(":{selection}")
        if any(
            other.bet == code and (not same or other.selection == wager.selection)
            for other in together
        ):
            return None
    titles = [game.bets[need.partition(":")[0]].title for need in bet.needs]
    return Refused(
        "prerequisite_missing",
        f"{bet.title} is offered only together with {_either(titles)}.",
        field="bet",
    )


def _is_excluded(game: Game, wager: Wager, together: Sequence[Wager]) -> Refused | None:
    bet = game.bets[wager.bet]
    for other in together:
        if other.bet in bet.excludes:
            return Refused(
                "prohibited_combination",
                f"{bet.title} and {game.bets[other.bet].title} may not be held "
                "in one round by one player.",
                field="bet",
            )
    return None


def _covers_too_much(game: Game, together: Sequence[Wager]) -> Refused | None:
    if game.coverage is None:
        return None
    covered = frozenset[str]().union(
        *(game.rules.covers(wager.bet, wager.selection) for wager in together)
    )
    if len(covered) <= game.coverage:
        return None
    return Refused(
        "coverage_exceeded",
        f"These bets cover {len(covered)} numbers; one player may cover {game.coverage} "
        "in a round.",
        field="bet",
    )


def _uneven_chips(bet: Bet, stake: Stake) -> Refused | None:
    units = bet.units(stake.wager.selection)
    if stake.stake % units == 0:
        return None
    return Refused(
        "invalid_stake",
        f"{bet.title} is {units} chips of one value; the stake does not divide by {units}.",
        field="stake",
    )


def _either(titles: Sequence[str]) -> str:
    if len(titles) == 1:
        return titles[0]
    return ", ".join(titles[:-1]) + f" or {titles[-1]}"
