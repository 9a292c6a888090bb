"""What the games of chance without cards share: equal outcomes, and draws that are not printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from games.game import Game
from games.theory import Edge
from games.values import Outcome, Result, Wager

NOT_PRINTED = "The document does not print how super payouts are drawn."


def is_drawn(game: Game, wager: Wager) -> bool:
    """Say whether a wager, or one of its chips, can be paid odds drawn for the round."""
    bet = game.bets[wager.bet]
    parts = [chip.wager for chip in bet.chips.get(wager.selection, ())] or [wager]
    return any(
        rung.returns is None for part in parts for rung in game.bets[part.bet].rungs[part.selection]
    )


def without_edge(game: Game, wager: Wager, outcomes: Iterable[Outcome]) -> Edge | None:
    """Tell how often a wager wins, but no house edge, where that hangs on a draw not printed.

    `outcomes` are equally likely. None where the edge is known, or the book is set to state it
    by its model.
    """
    if game.options["edge_by_model"] or not is_drawn(game, wager):
        return None
    counts = Counter(game.resolve(outcome, [wager])[0].result for outcome in outcomes)
    probabilities = {
        result: Fraction(counts[result], counts.total()) for result in Result if counts[result]
    }
    return Edge(wager, None, probabilities, NOT_PRINTED)
