"""Slips: bets that the book lets one player hold together."""

from __future__ import annotations

from collections.abc import Sequence

from games.rulebook import Game, Stake, Wager

MOST_BETS = 5
"""Bets put on one slip, so that covering a hand takes several."""


def all_wagers(game: Game) -> list[Wager]:
    """Give every bet and selection of a game in the printed order."""
    return [
        game.wager(bet.code, selection)
        for bet in game.bets.values()
        for selection in bet.selections
    ]


def past_window(game: Game, hand: int) -> list[Wager]:
    """Give the wagers that are offered no more on this hand of a shoe."""
    return [
        wager
        for wager in all_wagers(game)
        if (window := game.bets[wager.bet].window) is not None and hand > window
    ]


def cover(game: Game, hand: int) -> list[list[Wager]]:
    """Give slips for different players that hold every wager offered on this hand of a shoe.

    Bets that may not be held together lie on different slips; a bet that needs another lies
    with it, which may then lie on several.
    """
    gone = past_window(game, hand)
    slips: list[list[Wager]] = []
    for wager in all_wagers(game):
        if wager in gone:
            continue
        for slip in slips:
            if len(slip) < MOST_BETS and may_hold(game, [*slip, wager], hand):
                slip.append(wager)
                break
        else:
            slips.append(with_needs(game, wager))
    return slips


def may_hold(game: Game, wagers: Sequence[Wager], hand: int | None) -> bool:
    """Whether the book lets one player hold these wagers together."""
    stakes = [Stake(wager, game.bets[wager.bet].units(wager.selection)) for wager in wagers]
    return not any(game.check_slip(stakes, hand=hand))


def with_needs(game: Game, wager: Wager) -> list[Wager]:
    """Put a wager on a slip behind the bet that it needs, if there is one."""
    needs = game.bets[wager.bet].needs
    if not needs:
        return [wager]
    code, same, _ = needs[0].partition(":{selection}")
    selection = wager.selection if same else game.bets[code].selections[0]
    return [*with_needs(game, game.wager(code, selection)), wager]
