import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models

# The walls are opened for the columns alone; the facts that they hold are those of the tickets.
FILL = """
    INSERT INTO tickets_account (operator_id, currency, test)
    SELECT DISTINCT operator_id, currency, test FROM tickets_ticket ORDER BY 1, 2, 3;

    ALTER TABLE tickets_line DISABLE TRIGGER USER;
    UPDATE tickets_line line SET account_id = account.id
    FROM tickets_ticket ticket JOIN tickets_account account USING (operator_id, currency, test)
    WHERE ticket.id = line.ticket_id;
    ALTER TABLE tickets_line ENABLE TRIGGER USER;

    ALTER TABLE tickets_posting DISABLE TRIGGER USER;
    UPDATE tickets_posting posting SET account_id = line.account_id, stake = line.stake
    FROM (
        SELECT ticket_id, min(account_id) AS account_id, sum(stake) AS stake
        FROM tickets_line GROUP BY ticket_id
    ) line
    WHERE line.ticket_id = posting.ticket_id;
    ALTER TABLE tickets_posting ENABLE TRIGGER USER;
"""


def account(*, null, **words):
    return models.ForeignKey(
        "tickets.account",
        on_delete=django.db.models.deletion.PROTECT,
        db_constraint=False,
        db_index=False,
        related_name="+",
        null=null,
        **words,
    )


def stake(*, null):
    return models.BigIntegerField(
        null=null, help_text="Of the ticket, with what its decisions added."
    )


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0001_initial"),
        ("tickets", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Account",
            fields=[
                ("id", models.SmallAutoField(primary_key=True, serialize=False)),
                ("currency", models.CharField(max_length=3)),
                ("test", models.BooleanField()),
                (
                    "operator",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="casino.operator",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="account",
            constraint=models.UniqueConstraint(
                fields=("operator", "currency", "test"), name="account_of_operator"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="account",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP;",
                    hash="5cadaaf1e03a0a6190dfee03ebfe62be7ce7164b",
                    level="STATEMENT",
                    operation="UPDATE OR DELETE OR TRUNCATE",
                    pgid="pgtrigger_append_only_e9b7e",
                    table="tickets_account",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddField("line", "account", account(null=True, help_text="The ticket's.")),
        migrations.AddField("posting", "stake", stake(null=True)),
        migrations.AddField("posting", "account", account(null=True)),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.AlterField("line", "account", account(null=False, help_text="The ticket's.")),
        migrations.AlterField("posting", "stake", stake(null=False)),
        migrations.AlterField("posting", "account", account(null=False)),
    ]
