"""Accounts as numbers: each operator, currency and kind of ticket (real or test) has one."""

from __future__ import annotations

from collections.abc import Iterable

from casino.models import Operator
from tickets.models import Account


def number_accounts(
    operator: Operator, used: Iterable[tuple[str, bool]]
) -> dict[tuple[str, bool], int]:
    """An operator's accounts by currency and test flag, opening each that has none yet."""
    wanted = set(used)

    def known() -> dict[tuple[str, bool], int]:
        rows = Account.objects.filter(operator=operator)
        return {(row.currency, row.test): row.id for row in rows}

    numbers = known()
    missing = wanted - numbers.keys()
    if missing:
        Account.objects.bulk_create(
            (
                Account(operator=operator, currency=currency, test=test)
                for currency, test in sorted(missing)
            ),
            ignore_conflicts=True,
        )
        numbers = known()
    return numbers
