"""Blackjack: what the cards of a table and the decisions of its tickets amount to.

`hands` counts cards, `plays` follows a ticket's decisions along them, `table` reads outcomes,
`lines` settles every stake, `slips` says how the stakes of a ticket belong together,
`decisions` answers the floor before there is a result and `dealing` plays rounds.
"""

from __future__ import annotations

from games.families import Family
from games.families.blackjack import lines, slips, table
from games.families.blackjack.dealing import deal
from games.families.blackjack.decisions import check_decisions, plays_allowed
from games.families.blackjack.plays import write_play
from games.families.blackjack.slips import insurance_stake
from games.values import Setup

__all__ = ["FAMILY", "check_decisions", "insurance_stake", "plays_allowed"]


def glossary(setup: Setup) -> dict[str, str]:
    """Name every fact that a game with this setup can state."""
    return table.glossary(setup) | lines.FACTS


FAMILY = Family(
    glossary=glossary,
    read=table.read,
    deal=deal,
    read_unfinished=table.read_unfinished,
    options={
        "boxes": 4,
        "forced_pairs": [],
        "double_on": [],
        "double_after_split": False,
        "eight_cards_win": False,
        "hole_card": False,
        "burn": 0,
        "misdeal": "wrong_sequence",
    },
    plain=frozenset(lines.FACTS),
    facts_for=lines.facts_for,
    reason=lines.reason,
    fitting=lines.fitting,
    play=write_play,
    added=slips.ADDED,
    may_add=slips.may_add,
    complete=slips.complete,
    check=slips.check,
)
