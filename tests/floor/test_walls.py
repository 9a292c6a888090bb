"""Law 7: what PostgreSQL refuses, whatever the code above it does."""

from __future__ import annotations

from typing import Any

import pgtrigger
import pytest
from django.apps import apps
from django.db import connection, models, transaction
from django.db.utils import DatabaseError, IntegrityError

from casino.models import AuditEvent, AuditSeal, Person, Round, Ruling
from tests.house import BANKER_WINS, House

APPEND_ONLY = {
    "casino": [
        "AuditEvent", "AuditSeal", "OutcomeRevision", "Ruling", "Proposal",
        "ProposalDecision", "Incident", "IncidentClosing",
        "LimitSet", "BetLimit", "LimitProfile", "ProfileVersion", "ProfileBet",
        "HistoricalPit", "HistoricalTable", "HistoricalShoe",
        "HistoricalRound", "HistoricalPerson", "HistoricalOperator", "HistoricalApiClient",
        "HistoricalApiKey", "HistoricalStop", "HistoricalApprovalRule",
    ],
    "tickets": [
        "Wager", "Account", "Ticket", "Line", "LinePlay", "Refusal", "Resolution", "Settlement",
        "SettlementTotal", "Posting",
    ],
}  # fmt: skip
FACTS = {
    "casino": [
        "Pit", "Table", "Shoe", "Round", "Stop", "ApprovalRule", "Person", "Operator",
        "ApiClient", "ApiKey",
    ],
}  # fmt: skip
HEADS = {"casino": ["AuditHead"], "tickets": ["SettlementHead"]}


def named(names: dict[str, list[str]]) -> list[type[models.Model]]:
    return [apps.get_model(app, name) for app, models_ in names.items() for name in models_]


def run(sql: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql)


def check_deferred() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def test_every_table_of_the_house_is_one_kind_of_row() -> None:
    """Law 1: a new model without a wall fails here."""
    ours = {
        model
        for app in ("casino", "tickets")
        for model in apps.get_app_config(app).get_models(include_auto_created=False)
    }
    assert ours == {*named(APPEND_ONLY), *named(FACTS), *named(HEADS)}


@pytest.mark.django_db
@pytest.mark.parametrize("model", named(APPEND_ONLY), ids=lambda model: model.__name__)
@pytest.mark.parametrize(
    "statement", ["UPDATE {0} SET {1} = {1}", "DELETE FROM {0}", "TRUNCATE {0} CASCADE"]
)
def test_what_is_append_only_is_not_changed_by_anybody(
    model: type[models.Model], statement: str
) -> None:
    table = model._meta.db_table
    column = next(field.column for field in model._meta.local_fields if field.column)
    with pytest.raises(DatabaseError, match="refused"):
        run(statement.format(table, column))


@pytest.mark.django_db
@pytest.mark.parametrize("model", named(FACTS) + named(HEADS), ids=lambda model: model.__name__)
@pytest.mark.parametrize("statement", ["DELETE FROM {0}", "TRUNCATE {0} CASCADE"])
def test_a_fact_never_vanishes(model: type[models.Model], statement: str) -> None:
    with pytest.raises(DatabaseError, match="refused"):
        run(statement.format(model._meta.db_table))


@pytest.mark.django_db
def test_the_switch_that_the_trigger_library_leaves_in_a_wall_is_dead() -> None:
    """A session variable would open every wall to whoever may run a statement."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tgname FROM pg_trigger WHERE tgname LIKE 'pgtrigger_append_only%'")
        names = ",".join(row[0] for row in cursor.fetchall())
        cursor.execute("SELECT set_config('pgtrigger.ignore', %s, true)", [f"{{{names}}}"])
    with pytest.raises(DatabaseError, match="append-only"):
        run("DELETE FROM tickets_posting")
    with pytest.raises(DatabaseError, match="append-only"), pgtrigger.ignore():
        run("DELETE FROM tickets_posting")


@pytest.mark.first_hand
def test_a_fact_changed_without_a_decision_does_not_commit(house: House) -> None:
    round = house.hand()
    in_an_earlier_transaction()
    for change in (
        "UPDATE casino_round SET phase = 'closed'",
        "UPDATE casino_shoe SET burned = 9",
        "UPDATE casino_table SET game = 'super_98'",
        "UPDATE casino_pit SET time_zone = 'UTC'",
        "UPDATE casino_person SET role = 'administrator'",
        "UPDATE casino_apiclient SET operator_id = NULL",
        "UPDATE casino_apikey SET expires_at = expires_at + interval '1 year'",
    ):
        with pytest.raises(DatabaseError, match="without a decision"), transaction.atomic():
            run(change)
            check_deferred()
    round.refresh_from_db()
    assert round.phase == "betting"


def in_an_earlier_transaction() -> None:
    """Make what was done so far count as committed before, as in the life of the house it is."""
    check_deferred()
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("UPDATE casino_auditevent SET transaction = 0")
        cursor.execute("SET LOCAL session_replication_role = DEFAULT")


@pytest.mark.first_hand
def test_a_round_goes_only_the_ways_that_rounds_go(house: House) -> None:
    round = house.hand()
    with pytest.raises(DatabaseError, match="transition"):
        run(f"UPDATE casino_round SET phase = 'resulted' WHERE id = {round.pk}")
    house.result(round, BANKER_WINS)
    with pytest.raises(DatabaseError, match="transition"):
        run(f"UPDATE casino_round SET phase = 'betting' WHERE id = {round.pk}")


@pytest.mark.first_hand
def test_a_settled_revision_never_runs_ahead_of_the_outcome(house: House) -> None:
    round = house.hand()
    with pytest.raises(IntegrityError, match="round_settled_after_outcome"):
        run(f"UPDATE casino_round SET settled_revision = 1 WHERE id = {round.pk}")


@pytest.mark.first_hand
def test_an_outcome_changes_only_with_a_ruling(house: House) -> None:
    round = house.hand()
    house.result(round, BANKER_WINS)
    with pytest.raises(IntegrityError, match="outcome_change_has_ruling"), transaction.atomic():
        round.outcomes.create(
            revision=2, kind="edit", outcome=BANKER_WINS, headline="-", recorded_by=house.manager
        )


@pytest.mark.first_hand
@pytest.mark.parametrize("places", [{}, {"round": True, "shoe": True}])
def test_a_ruling_is_about_a_round_or_a_shoe(house: House, places: dict[str, bool]) -> None:
    round = house.hand()
    where = {name: round if name == "round" else round.shoe for name in places}
    with pytest.raises(IntegrityError, match="ruling_round_or_shoe"), transaction.atomic():
        Ruling.objects.create(
            kind="stand", ground="-", note="-", plan={}, ruled_by=house.manager, **where
        )


def test_nobody_is_a_superuser(house: House) -> None:
    with pytest.raises(IntegrityError, match="person_no_superuser"):
        run(f"UPDATE casino_person SET is_superuser = true WHERE id = {house.manager.pk}")


def test_an_event_written_past_the_services_is_sealed_all_the_same(house: House) -> None:
    AuditEvent.objects.create(
        actor=house.manager, actor_name="-", action="limits_set", subject="-", reason="-", body="{}"
    )
    check_deferred()
    assert AuditSeal.objects.filter(event__subject="-").count() == 1
    assert not AuditEvent.objects.filter(seal__isnull=True).exists()


@pytest.mark.first_hand
def test_a_house_keeps_its_rounds_when_the_settlement_moves_them(house: House) -> None:
    """The settlement writes only its own column, so it needs no decision and leaves no version."""
    round = house.hand()
    house.result(round, BANKER_WINS)
    versions = round.history.count()
    in_an_earlier_transaction()
    house.settle()
    check_deferred()
    assert Round.objects.get(pk=round.pk).settled_revision == 1
    assert round.history.count() == versions


def test_a_sign_in_is_no_change_of_the_person(house: House, client: Any) -> None:
    in_an_earlier_transaction()
    Person.objects.filter(pk=house.manager.pk).update(last_login="2026-11-29T00:00:00Z")
    check_deferred()
