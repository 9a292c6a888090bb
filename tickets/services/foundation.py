"""The one row that the settlement chain starts from; laid after every migration."""

from __future__ import annotations

from typing import Any

from casino.services.foundation import CHAIN_START
from tickets.models import SettlementHead


def lay_foundation(using: str = "default", **_: Any) -> None:
    """Create the head of the settlement chain where it is missing."""
    SettlementHead.objects.using(using).get_or_create(id=1, defaults={"digest": CHAIN_START})
