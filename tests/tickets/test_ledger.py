"""The ledger is recomputed through the rules; whatever was altered is found."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection

from tests.dealing import dealt
from tests.house import BANKER_WINS, House
from tickets.models import Settlement
from tickets.services.ledger import verify_ledger

pytestmark = pytest.mark.first_hand


@dealt
def ledger(house: House) -> None:
    """Two hands, settled."""
    house.play(BANKER_WINS, ("banker", "100"))
    house.play(BANKER_WINS, ("banker", "10"), ("tie", "1"))


@contextmanager
def walls_down() -> Iterator[None]:
    """What only the owner of the database can do, and what the verification is there to find."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        yield
        cursor.execute("SET LOCAL session_replication_role = DEFAULT")


@pytest.mark.parametrize(
    ("tampering", "found"),
    [
        ("UPDATE tickets_posting SET payout = payout + 1", {"chain", "ticket", "total"}),
        ("DELETE FROM tickets_posting WHERE delta = 2000", {"chain", "ticket", "total"}),
        ("UPDATE tickets_posting SET stake = stake + 1", {"ticket", "total"}),
        ("UPDATE tickets_posting SET account_id = 0 WHERE delta = 2000", {"ticket", "total"}),
        ("UPDATE tickets_line SET account_id = account_id + 1", {"ticket"}),
        ("UPDATE tickets_settlementtotal SET up = up + 1 WHERE tickets = 1", {"total"}),
        ("UPDATE tickets_line SET stake = stake + 100", {"ticket"}),
        ("UPDATE tickets_ticket SET stake = stake + 100", {"ticket"}),
        ("UPDATE tickets_settlement SET kind = 'void' WHERE position = 1", {"chain"}),
        ("UPDATE tickets_settlement SET settled_at = settled_at + interval '1 second'", {"chain"}),
        ("UPDATE tickets_resolution SET numerators[1] = 0", {"resolution"}),
        ("UPDATE tickets_settlementhead SET position = position - 1", {"chain"}),
    ],
)  # fmt: skip
def test_tampering_is_found(ledger: None, tampering: str, found: set[str]) -> None:
    assert verify_ledger().differences == ()
    with walls_down(), connection.cursor() as cursor:
        cursor.execute(tampering)
    assert {difference.what for difference in verify_ledger().differences} == found


def test_a_settlement_taken_out_whole_breaks_the_chain(house: House) -> None:
    ticket = house.play(BANKER_WINS, ("banker", "100"))
    house.void(ticket.round)
    house.play(BANKER_WINS, ("banker", "10"))
    with walls_down(), connection.cursor() as cursor:
        batch = Settlement.objects.get(kind="void").pk
        for table, column in (
            ("tickets_posting", "settlement_id"),
            ("tickets_settlementtotal", "settlement_id"),
            ("tickets_settlement", "id"),
        ):
            cursor.execute(f"DELETE FROM {table} WHERE {column} = %s", [batch])
    assert "chain" in {difference.what for difference in verify_ledger().differences}


def test_each_position_carries_the_digest_of_the_one_before(house: House) -> None:
    for _ in range(3):
        house.play(BANKER_WINS, ("banker", "100"))
    digests = [bytes(row.digest) for row in Settlement.objects.order_by("position")]
    assert len(set(digests)) == 3
    assert all(len(digest) == 32 for digest in digests)
