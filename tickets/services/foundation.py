"""What the money stands on besides its tables; laid after every migration."""

from __future__ import annotations

from typing import Any

from django.db import connections

from casino.services.foundation import CHAIN_START
from tickets.models import SettlementHead

_SUM = """
    CREATE OR REPLACE AGGREGATE minor_sum(bigint) (SFUNC = int8pl, STYPE = bigint, PARALLEL = SAFE)
"""
"""The sum of minor units. The system's own sum of bigints goes through numeric, which costs a
large settlement a tenth of its time; this one stays in bigint, and what does not fit is an error.
"""


def lay_foundation(using: str = "default", **_: Any) -> None:
    """Define the sum of minor units; create the head of the settlement chain where missing."""
    with connections[using].cursor() as cursor:
        cursor.execute(_SUM)
    SettlementHead.objects.using(using).get_or_create(id=1, defaults={"digest": CHAIN_START})
