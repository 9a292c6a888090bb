"""Stop switches: betting ended at once for a table, a game, an operator or the whole house."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from casino.models.floor import Table
from casino.models.history import history, wall_history
from casino.models.people import Operator, Person
from casino.triggers import decided, keep


class Stop(models.Model):
    """One switch that was thrown; in force until it is lifted.

    Betting stops at once wherever it reaches; a hand that runs finishes. A stop without table,
    game and operator reaches everything.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, null=True, blank=True)
    book = models.CharField(max_length=32, blank=True)
    game = models.CharField(max_length=32, blank=True)
    operator = models.ForeignKey(Operator, on_delete=models.PROTECT, null=True, blank=True)
    reason = models.TextField()
    stopped_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    stopped_at = models.DateTimeField()
    lifted_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+")
    lifted_at = models.DateTimeField(null=True)
    history = history()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(table__isnull=True, game="")
                | Q(operator__isnull=True, game="")
                | Q(table__isnull=True, operator__isnull=True),
                name="stop_one_scope",
            ),
            models.CheckConstraint(
                condition=Q(lifted_at__isnull=True, lifted_by__isnull=True)
                | Q(lifted_at__isnull=False, lifted_by__isnull=False),
                name="stop_lifted_by_somebody",
            ),
        ]
        indexes = [
            models.Index(fields=["id"], condition=Q(lifted_at__isnull=True), name="stop_in_force")
        ]
        triggers = [
            keep(),
            decided("table_id", "book", "game", "operator_id", "reason", "lifted_at"),
        ]

    def __str__(self) -> str:
        return self.scope

    @property
    def scope(self) -> str:
        """What it reaches, in words."""
        if self.table_id is not None and self.table is not None:
            return f"table {self.table.code}"
        if self.operator_id is not None and self.operator is not None:
            return f"operator {self.operator.code}"
        if self.game:
            return f"{self.game} of {self.book}" if self.book else self.game
        return "everything"


wall_history(Stop)
