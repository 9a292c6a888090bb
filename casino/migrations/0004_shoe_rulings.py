"""Rulings on shoes, cut cards, and how many cards each round took."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models

from games import rulebook


def count_cards(apps, schema_editor):
    """Count the cards of the rounds that were dealt before they were counted."""
    Round = apps.get_model("casino", "Round")
    newest = (
        apps.get_model("casino", "OutcomeRevision")
        .objects.filter(outcome__isnull=False, round__shoe__isnull=False)
        .order_by("round_id", "-revision")
        .distinct("round_id")
        .values_list("round_id", "round__book", "round__book_version", "round__game", "outcome")
    )
    for pk, book, version, game, outcome in newest.iterator():
        read = rulebook.book(book, version).game(game).read(outcome, unfinished=True)
        Round.objects.filter(pk=pk).update(cards=len(read.cards))


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0003_round_draws"),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name="shoe",
            name="decided",
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="shoe",
            name="shoe_phases",
        ),
        migrations.RemoveConstraint(
            model_name="shoe",
            name="shoe_one_open_a_table",
        ),
        migrations.AddField(
            model_name="historicalshoe",
            name="cut",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="proposal",
            name="hands",
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name="proposal",
            name="shoe",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="proposals",
                to="casino.shoe",
            ),
        ),
        migrations.AddField(
            model_name="round",
            name="cards",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="ruling",
            name="shoe",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="rulings",
                to="casino.shoe",
            ),
        ),
        migrations.AddField(
            model_name="shoe",
            name="cut",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name="approvalrule",
            name="kind",
            field=models.CharField(
                blank=True,
                choices=[
                    ("void_hand", "Void hand"),
                    ("edit", "Edit result"),
                    ("swap", "Swap Player 1 and Player 3"),
                    ("reinstate", "Reinstate hand"),
                    ("replay", "Replay"),
                    ("release", "Release bets"),
                    ("hold", "Put on hold"),
                    ("stand", "Let stand"),
                    ("void_shoe", "Void shoe"),
                    ("correct_shoe", "Correct commencement"),
                ],
                max_length=16,
            ),
        ),
        migrations.AlterField(
            model_name="auditevent",
            name="action",
            field=models.CharField(
                choices=[
                    ("pit_created", "Pit created"),
                    ("table_created", "Table created"),
                    ("operator_created", "Operator created"),
                    ("person_created", "Person created"),
                    ("person_changed", "Person changed"),
                    ("client_created", "API client created"),
                    ("client_changed", "API client changed"),
                    ("key_created", "API key created"),
                    ("key_revoked", "API key revoked"),
                    ("limits_set", "Limits set"),
                    ("shoe_opened", "Shoe opened"),
                    ("shoe_blue_card", "Blue card drawn"),
                    ("shoe_closed", "Shoe closed"),
                    ("shoe_corrected", "Commencement corrected"),
                    ("shoe_stands", "Shoe let stand"),
                    ("shoe_voided", "Shoe voided"),
                    ("round_opened", "Round opened"),
                    ("round_closed", "No more bets"),
                    ("round_resulted", "Result recorded"),
                    ("round_held", "Round put on hold"),
                    ("round_stands", "Round let stand"),
                    ("incident_raised", "Incident raised"),
                    ("hand_voided", "Hand voided"),
                    ("result_edited", "Result edited"),
                    ("hand_swapped", "Player 1 and Player 3 swapped"),
                    ("hand_reinstated", "Hand reinstated"),
                    ("round_followed", "Round followed the one it rides on"),
                    ("round_replayed", "Round replayed, bets locked"),
                    ("bets_released", "Bets handed back"),
                    ("ruling_proposed", "Ruling proposed"),
                    ("ruling_rejected", "Ruling rejected"),
                    ("ruling_withdrawn", "Ruling withdrawn"),
                    ("approval_rule_set", "Approval rule set"),
                    ("betting_stopped", "Betting stopped"),
                    ("betting_resumed", "Betting resumed"),
                    ("ledger_verified", "Ledger verified"),
                ],
                max_length=32,
            ),
        ),
        migrations.AlterField(
            model_name="historicalapprovalrule",
            name="kind",
            field=models.CharField(
                blank=True,
                choices=[
                    ("void_hand", "Void hand"),
                    ("edit", "Edit result"),
                    ("swap", "Swap Player 1 and Player 3"),
                    ("reinstate", "Reinstate hand"),
                    ("replay", "Replay"),
                    ("release", "Release bets"),
                    ("hold", "Put on hold"),
                    ("stand", "Let stand"),
                    ("void_shoe", "Void shoe"),
                    ("correct_shoe", "Correct commencement"),
                ],
                max_length=16,
            ),
        ),
        migrations.AlterField(
            model_name="historicalshoe",
            name="first_card",
            field=models.CharField(blank=True, max_length=2),
        ),
        migrations.AlterField(
            model_name="historicalshoe",
            name="phase",
            field=models.CharField(
                choices=[
                    ("open", "Open"),
                    ("last_hand", "Last hand"),
                    ("spent", "No further hand"),
                    ("closed", "Closed"),
                    ("void", "Void"),
                ],
                default="open",
                max_length=12,
            ),
        ),
        migrations.AlterField(
            model_name="proposal",
            name="kind",
            field=models.CharField(
                choices=[
                    ("void_hand", "Void hand"),
                    ("edit", "Edit result"),
                    ("swap", "Swap Player 1 and Player 3"),
                    ("reinstate", "Reinstate hand"),
                    ("replay", "Replay"),
                    ("release", "Release bets"),
                    ("hold", "Put on hold"),
                    ("stand", "Let stand"),
                    ("void_shoe", "Void shoe"),
                    ("correct_shoe", "Correct commencement"),
                ],
                max_length=16,
            ),
        ),
        migrations.AlterField(
            model_name="proposal",
            name="round",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="proposals",
                to="casino.round",
            ),
        ),
        migrations.AlterField(
            model_name="ruling",
            name="kind",
            field=models.CharField(
                choices=[
                    ("void_hand", "Void hand"),
                    ("edit", "Edit result"),
                    ("swap", "Swap Player 1 and Player 3"),
                    ("reinstate", "Reinstate hand"),
                    ("replay", "Replay"),
                    ("release", "Release bets"),
                    ("hold", "Put on hold"),
                    ("stand", "Let stand"),
                    ("void_shoe", "Void shoe"),
                    ("correct_shoe", "Correct commencement"),
                ],
                max_length=16,
            ),
        ),
        migrations.AlterField(
            model_name="ruling",
            name="round",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="rulings",
                to="casino.round",
            ),
        ),
        migrations.AlterField(
            model_name="shoe",
            name="first_card",
            field=models.CharField(blank=True, max_length=2),
        ),
        migrations.AlterField(
            model_name="shoe",
            name="phase",
            field=models.CharField(
                choices=[
                    ("open", "Open"),
                    ("last_hand", "Last hand"),
                    ("spent", "No further hand"),
                    ("closed", "Closed"),
                    ("void", "Void"),
                ],
                default="open",
                max_length=12,
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="shoe",
            trigger=pgtrigger.compiler.Trigger(
                name="decided",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    constraint="CONSTRAINT",
                    func="\n            IF NOT EXISTS (\n                SELECT 1 FROM casino_auditevent\n                WHERE transaction = pg_current_xact_id()::text::bigint\n            ) THEN\n                RAISE EXCEPTION '% changed without a decision in the audit log', TG_TABLE_NAME;\n            END IF;\n            RETURN NULL;\n        ",
                    hash="b418fb508c7d2d3fbb0655fc1ccafde0a779c8f1",
                    operation='INSERT OR UPDATE OF "table_id", "number", "decks", "first_card", "burned", "cut", "phase", "blue_card", "opened_at", "closed_at"',
                    pgid="pgtrigger_decided_c58b3",
                    table="casino_shoe",
                    timing="DEFERRABLE INITIALLY DEFERRED",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="shoe",
            trigger=pgtrigger.compiler.Trigger(
                name="shoe_phases",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE _is_valid_transition BOOLEAN;",
                    func='SELECT CONCAT(OLD."phase", \':\', NEW."phase") = ANY(\'{open:last_hand,open:spent,last_hand:spent,open:closed,last_hand:closed,spent:closed,open:void,last_hand:void,spent:void,closed:void}\'::text[]) INTO _is_valid_transition; IF (_is_valid_transition IS FALSE AND OLD."phase" IS DISTINCT FROM NEW."phase") THEN RAISE EXCEPTION \'pgtrigger: Invalid transition of field "phase" from "%" to "%" on table %\', OLD."phase", NEW."phase", TG_TABLE_NAME; ELSE RETURN NEW; END IF;',
                    hash="8ca2f2801f078ab70d495af9356d73a73f4cc333",
                    operation="UPDATE",
                    pgid="pgtrigger_shoe_phases_c8568",
                    table="casino_shoe",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="proposal",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("round__isnull", False), ("shoe__isnull", True)),
                    models.Q(("round__isnull", True), ("shoe__isnull", False)),
                    _connector="OR",
                ),
                name="proposal_round_or_shoe",
            ),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("round__isnull", False), ("shoe__isnull", True)),
                    models.Q(("round__isnull", True), ("shoe__isnull", False)),
                    _connector="OR",
                ),
                name="ruling_round_or_shoe",
            ),
        ),
        migrations.AddConstraint(
            model_name="shoe",
            constraint=models.UniqueConstraint(
                condition=models.Q(("phase__in", ["closed", "void"]), _negated=True),
                fields=("table",),
                name="shoe_one_open_a_table",
            ),
        ),
        migrations.RunPython(count_cards, migrations.RunPython.noop),
    ]
