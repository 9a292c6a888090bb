"""What a table takes: limits in one currency, in versions that never change."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from casino.models.floor import Table
from casino.models.people import Operator, Person
from casino.triggers import append_only


class Limits(models.Model):
    """One version of limits in one currency: the bounds of bets together, from when, by whom.

    Sums are minor units, null means no bound, and a payout includes the stake. `table_min` and
    `table_max` bound one player's bets in one round, `payout_max` what they can return at most;
    `exposure_max` bounds what the bets of all players in one round can return at most.
    """

    version = models.PositiveIntegerField()
    effective_from = models.DateTimeField(db_default=Now())
    table_min = models.BigIntegerField(null=True)
    table_max = models.BigIntegerField(null=True)
    payout_max = models.BigIntegerField(null=True)
    exposure_max = models.BigIntegerField(null=True)
    set_by = models.ForeignKey(Person, on_delete=models.PROTECT)
    set_at = models.DateTimeField(db_default=Now())
    reason = models.TextField()

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(table_min__isnull=True)
                | Q(table_max__isnull=True)
                | Q(table_min__lte=F("table_max")),
                name="%(class)s_min_below_max",
            ),
            models.CheckConstraint(
                condition=(Q(payout_max__isnull=True) | Q(payout_max__gt=0))
                & (Q(exposure_max__isnull=True) | Q(exposure_max__gt=0)),
                name="%(class)s_maximum_above_zero",
            ),
        ]


class BetSpan(models.Model):
    """The smallest and the largest stake on one bet, or on one selection of it, in minor units.

    `bet` is empty for the row that holds for every bet without a row of its own, `selection` for
    the row that holds for every selection of the bet without one. The maximum bounds what one
    player has on one selection in one round, over all tickets.
    """

    bet = models.CharField(max_length=40, blank=True)
    selection = models.CharField(max_length=40, blank=True, db_default="")
    minimum = models.BigIntegerField()
    maximum = models.BigIntegerField()

    class Meta:
        abstract = True
        ordering = ["bet", "selection"]
        constraints = [
            models.CheckConstraint(
                condition=Q(minimum__gt=0) & Q(minimum__lte=F("maximum")),
                name="%(class)s_min_below_max",
            ),
            models.CheckConstraint(
                condition=Q(selection="") | ~Q(bet=""), name="%(class)s_selection_of_bet"
            ),
        ]

    @property
    def place(self) -> str:
        """What it holds for, as `bet` or `bet:selection`; empty for every other bet."""
        return f"{self.bet}:{self.selection}" if self.selection else self.bet


class LimitProfile(models.Model):
    """Limits in one currency under a name, for as many tables and operators as follow them."""

    name = models.CharField(max_length=60)
    currency = models.CharField(max_length=3)

    class Meta:
        ordering = ["name", "currency"]
        constraints = [
            models.UniqueConstraint(fields=["name", "currency"], name="limitprofile_name")
        ]
        triggers = [append_only()]

    def __str__(self) -> str:
        return f"{self.name}/{self.currency}"


class ProfileVersion(Limits):
    """One version of a profile. What it changes is written to every table that follows it."""

    profile = models.ForeignKey(LimitProfile, on_delete=models.PROTECT, related_name="versions")

    class Meta:
        ordering = ["profile", "-version"]
        constraints = [
            *Limits.Meta.constraints,
            models.UniqueConstraint(fields=["profile", "version"], name="profileversion_version"),
        ]
        triggers = [append_only()]

    def __str__(self) -> str:
        return f"{self.profile}/{self.version}"

    @property
    def currency(self) -> str:
        """The currency of its sums."""
        return self.profile.currency


class LimitSet(Limits):
    """One version of a table's limits in one currency, from `effective_from` on.

    Versions are numbered over the table and the currency. The one in force is the newest whose
    time has come: a later decision overtakes an earlier one that still waits for its time. With
    an `operator` they stand, for its tickets, in place of the table's general ones, unless they
    have no bets: then the general ones hold for it again. The version in force is pinned on
    every ticket.

    An operator's own exposure is measured on the same sum, the bets of everybody, and holds for
    its tickets. `profile_version` is what a version was written from, whole in itself though it
    is; the limits follow that profile for as long as their newest version came from it.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="limit_sets")
    operator = models.ForeignKey(
        Operator, on_delete=models.PROTECT, null=True, related_name="limit_sets"
    )
    currency = models.CharField(max_length=3)
    profile_version = models.ForeignKey(
        ProfileVersion, on_delete=models.PROTECT, null=True, related_name="limit_sets"
    )

    class Meta:
        ordering = ["table", "currency", "-version"]
        verbose_name = "limits"
        verbose_name_plural = "limits"
        constraints = [
            *Limits.Meta.constraints,
            models.UniqueConstraint(
                fields=["table", "currency", "version"], name="limitset_version"
            ),
        ]
        triggers = [append_only()]

    def __str__(self) -> str:
        return f"{self.table.code}/{self.currency}/{self.version}"


class BetLimit(BetSpan):
    """What a version of a table's limits says of one bet."""

    limit_set = models.ForeignKey(LimitSet, on_delete=models.PROTECT, related_name="bets")

    class Meta(BetSpan.Meta):
        constraints = [
            *BetSpan.Meta.constraints,
            models.UniqueConstraint(
                fields=["limit_set", "bet", "selection"], name="betlimit_of_selection"
            ),
        ]
        triggers = [append_only()]

    def __str__(self) -> str:
        return f"{self.limit_set} {self.place or 'every bet'}"


class ProfileBet(BetSpan):
    """What a version of a profile says of one bet."""

    version = models.ForeignKey(ProfileVersion, on_delete=models.PROTECT, related_name="bets")

    class Meta(BetSpan.Meta):
        constraints = [
            *BetSpan.Meta.constraints,
            models.UniqueConstraint(
                fields=["version", "bet", "selection"], name="profilebet_of_selection"
            ),
        ]
        triggers = [append_only()]

    def __str__(self) -> str:
        return f"{self.version} {self.place or 'every bet'}"
