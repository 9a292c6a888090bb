"""Wagers as numbers: each triple of bet, selection and play of a game has one."""

from __future__ import annotations

from collections.abc import Iterable

from casino.models import Round
from games import rulebook
from tickets.models import Wager


def number_wagers(
    used: Iterable[tuple[Round, rulebook.Wager]],
) -> dict[tuple[str, str, rulebook.Wager], int]:
    """The numbers of these wagers, giving one to each that has none yet."""
    wanted = {(round.book, round.game, wager) for round, wager in used}

    def known() -> dict[tuple[str, str, rulebook.Wager], int]:
        rows = Wager.objects.filter(
            book__in={book for book, _, _ in wanted},
            game__in={game for _, game, _ in wanted},
            void_ground="",
        )
        return {
            (
                row.book,
                row.game,
                rulebook.Wager(row.bet, row.selection, row.play or None),
            ): row.id
            for row in rows
        }

    numbers = known()
    missing = wanted - numbers.keys()
    if missing:
        Wager.objects.bulk_create(
            (
                Wager(
                    book=book,
                    game=game,
                    bet=wager.bet,
                    selection=wager.selection,
                    play=wager.play or "",
                )
                for book, game, wager in sorted(missing, key=str)
            ),
            ignore_conflicts=True,
        )
        numbers = known()
    return numbers
