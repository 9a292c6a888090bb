"""What a table takes: limits in one currency, in versions that never change."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from casino.models.floor import Table
from casino.models.people import Person
from casino.triggers import append_only


class LimitSet(models.Model):
    """One version of a table's limits in one currency; the newest is in force.

    `table_min` and `table_max` bound the sum of one player's bets in one round, in minor units;
    null means no bound. The version in force is pinned on every ticket.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="limit_sets")
    currency = models.CharField(max_length=3)
    version = models.PositiveIntegerField()
    table_min = models.BigIntegerField(null=True)
    table_max = models.BigIntegerField(null=True)
    set_by = models.ForeignKey(Person, on_delete=models.PROTECT)
    set_at = models.DateTimeField(db_default=Now())
    reason = models.TextField()

    class Meta:
        ordering = ["table", "currency", "-version"]
        verbose_name = "limits"
        verbose_name_plural = "limits"
        constraints = [
            models.UniqueConstraint(
                fields=["table", "currency", "version"], name="limitset_version"
            ),
            models.CheckConstraint(
                condition=Q(table_min__isnull=True)
                | Q(table_max__isnull=True)
                | Q(table_min__lte=F("table_max")),
                name="limitset_min_below_max",
            ),
        ]
        triggers = [append_only()]

    def __str__(self) -> str:
        return f"{self.table.code}/{self.currency}/{self.version}"


class BetLimit(models.Model):
    """The smallest and the largest stake on one bet, in minor units.

    `bet` is empty for the row that holds for every bet without a row of its own. The maximum
    bounds what one player has on one selection in one round, over all tickets.
    """

    limit_set = models.ForeignKey(LimitSet, on_delete=models.PROTECT, related_name="bets")
    bet = models.CharField(max_length=40, blank=True)
    minimum = models.BigIntegerField()
    maximum = models.BigIntegerField()

    class Meta:
        ordering = ["bet"]
        constraints = [
            models.UniqueConstraint(fields=["limit_set", "bet"], name="betlimit_of_set"),
            models.CheckConstraint(
                condition=Q(minimum__gt=0) & Q(minimum__lte=F("maximum")),
                name="betlimit_min_below_max",
            ),
        ]
        triggers = [append_only()]

    def __str__(self) -> str:
        return f"{self.limit_set} {self.bet or 'every bet'}"
