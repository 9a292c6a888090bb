"""Law 9: SQL and Python round a payout to the same minor unit."""

from __future__ import annotations

from fractions import Fraction

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.money import MAX_STAKE
from games.returns import payout
from tickets.services.settlement import PAYOUT

returns = st.fractions(min_value=0, max_value=1000, max_denominator=400)


@pytest.mark.django_db
@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(returns, st.lists(st.integers(1, MAX_STAKE), min_size=1, max_size=20))
def test_sql_pays_what_python_pays(unit: Fraction, stakes: list[int]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {PAYOUT} FROM (SELECT stake, 7, place FROM unnest(%(stakes)s::bigint[])"
            " WITH ORDINALITY staked (stake, place)) line (stake, wager_id, place)"
            " GROUP BY place ORDER BY place",
            {
                "stakes": stakes,
                "factors": f"[7:7]={{{unit.numerator}}}",
                "den": unit.denominator,
            },
        )
        paid = [minor for (minor,) in cursor]
    assert paid == [payout(stake, unit) for stake in stakes]


@pytest.mark.django_db
def test_a_line_whose_wager_was_not_resolved_never_passes_for_a_losing_one() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {PAYOUT} FROM (VALUES (100::bigint, 8)) line (stake, wager_id)",
            {"factors": "[7:7]={2}", "den": 1},
        )
        assert cursor.fetchone()[0] is None


@pytest.mark.parametrize(
    ("stake", "unit", "paid"),
    [
        (1, Fraction(1, 2), 1),
        (1, Fraction(49, 100), 0),
        (3, Fraction(1, 2), 2),
        (5, Fraction(0), 0),
    ],
)
def test_half_a_minor_unit_goes_to_the_player(stake: int, unit: Fraction, paid: int) -> None:
    assert payout(stake, unit) == paid
