"""The money: tickets and their lines, resolutions, settlements and postings. All append-only.

Nothing here is ever updated. What a ticket pays is read from its latest posting, and what a
round paid from its latest settlement.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from casino.models import ApiClient, LimitSet, Operator, Person, Round, Ruling
from casino.triggers import append_only, keep

NEWEST = 2**31 - 1
"""An outcome revision after all others."""


class Wager(models.Model):
    """A bet of a game as one number, so that lines stay narrow.

    The triple (bet, selection, play) in the words of the book; what it pays is not here but in
    the resolution of each round. `play` is empty outside blackjack. With a `void_ground` it is the
    bet as a ruling voided it on that ground: its stake comes back whatever the result.
    """

    id = models.AutoField(primary_key=True)
    book = models.CharField(max_length=32)
    game = models.CharField(max_length=32)
    bet = models.CharField(max_length=40)
    selection = models.CharField(max_length=40, blank=True)
    play = models.CharField(max_length=80, blank=True)
    void_ground = models.CharField(max_length=32, blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["book", "game", "bet", "selection", "play", "void_ground"],
                name="wager_words",
            ),
        ]
        triggers = [append_only()]

    def __str__(self) -> str:
        return f"{self.bet} {self.selection}".strip()


class Account(models.Model):
    """One account of the ledger: what an operator plays in one currency, real or test, as a number.

    Lines and postings carry it, so that a batch is totalled without reading its tickets.
    """

    id = models.SmallAutoField(primary_key=True)
    operator = models.ForeignKey(Operator, on_delete=models.PROTECT, related_name="+")
    currency = models.CharField(max_length=3)
    test = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["operator", "currency", "test"], name="account_of_operator"
            ),
        ]
        triggers = [append_only()]

    def __str__(self) -> str:
        return f"{self.operator} {self.currency}{' test' if self.test else ''}"


class Ticket(models.Model):
    """The bets of one player in one round, as an operator's platform sent them.

    `reference` is the operator's own and is unique for it; `body_digest` tells a repeat of the
    same request from another one under the same reference. The book version and the limits in
    force at acceptance are pinned.
    """

    operator = models.ForeignKey(Operator, on_delete=models.PROTECT, db_index=False)
    client = models.ForeignKey(ApiClient, on_delete=models.PROTECT, db_index=False)
    reference = models.CharField(max_length=64)
    round = models.ForeignKey(Round, on_delete=models.PROTECT, db_index=False)
    player = models.CharField(max_length=64)
    currency = models.CharField(max_length=3)
    stake = models.BigIntegerField(help_text="Minor units, over the lines as placed.")
    placed_at = models.DateTimeField()
    accepted_at = models.DateTimeField(db_default=Now())
    test = models.BooleanField(default=False)
    book_version = models.CharField(max_length=16)
    limit_set = models.ForeignKey(LimitSet, on_delete=models.PROTECT, db_index=False)
    body_digest = models.CharField(max_length=64)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["operator", "reference"], name="ticket_reference_of_operator"
            ),
            models.CheckConstraint(condition=Q(stake__gt=0), name="ticket_stake_positive"),
        ]
        indexes = [
            models.Index(fields=["round", "operator", "player"], name="ticket_of_round"),
            models.Index(fields=["operator", "player", "id"], name="ticket_of_player"),
        ]
        triggers = [append_only()]

    def __str__(self) -> str:
        return self.reference


class Line(models.Model):
    """One bet of a ticket. Keyed by round first, so that a round's lines lie in ticket order."""

    pk = models.CompositePrimaryKey("round_id", "ticket_id", "number")
    round = models.ForeignKey(
        Round,
        on_delete=models.PROTECT,
        db_index=False,
        db_constraint=False,
        related_name="+",
    )
    ticket = models.ForeignKey(
        Ticket, on_delete=models.PROTECT, db_index=False, related_name="lines"
    )
    number = models.PositiveSmallIntegerField()
    wager = models.ForeignKey(Wager, on_delete=models.PROTECT, db_index=False, related_name="+")
    stake = models.BigIntegerField(help_text="Minor units.")
    added = models.BooleanField(
        db_default=False, help_text="Added by a decision after the ticket was placed."
    )
    account = models.ForeignKey(
        Account,
        on_delete=models.PROTECT,
        db_index=False,
        db_constraint=False,
        related_name="+",
        help_text="The ticket's.",
    )

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(stake__gt=0), name="line_stake_positive"),
        ]
        triggers = [append_only()]

    def __str__(self) -> str:
        return f"{self.ticket_id}.{self.number}"


class LinePlay(models.Model):
    """What was decided about a line of a ticket: the wager that counts from then on.

    A blackjack ticket decides by its plays, pit management by a `ruling`. The line keeps the wager
    it was placed with; the newest decision stands for it under every outcome `revision` from its
    own on, so that what was settled before stays as it was settled.
    """

    pk = models.CompositePrimaryKey("round_id", "ticket_id", "number", "decision")
    round = models.ForeignKey(
        Round, on_delete=models.PROTECT, db_index=False, db_constraint=False, related_name="+"
    )
    ticket = models.ForeignKey(
        Ticket, on_delete=models.PROTECT, db_index=False, related_name="plays"
    )
    number = models.PositiveSmallIntegerField(help_text="The line.")
    decision = models.PositiveSmallIntegerField(help_text="1 for the first, and so on.")
    wager = models.ForeignKey(Wager, on_delete=models.PROTECT, db_index=False, related_name="+")
    revision = models.PositiveIntegerField(
        db_default=0, help_text="The first outcome revision that it counts under."
    )
    ruling = models.ForeignKey(
        Ruling, on_delete=models.PROTECT, null=True, db_index=False, related_name="+"
    )
    decided_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [
            models.Index(
                fields=["ticket"], condition=Q(ruling__isnull=False), name="lineplay_of_ruling"
            ),
        ]
        triggers = [append_only()]

    def __str__(self) -> str:
        return f"{self.ticket_id}.{self.number}: {self.decision}"


class Refusal(models.Model):
    """A ticket that was refused: what was asked, by whom, and why it was not taken."""

    operator = models.ForeignKey(Operator, on_delete=models.PROTECT)
    client = models.ForeignKey(ApiClient, on_delete=models.PROTECT, db_index=False)
    reference = models.CharField(max_length=64, blank=True)
    round_key = models.CharField(max_length=64, blank=True)
    player = models.CharField(max_length=64, blank=True)
    codes = ArrayField(models.CharField(max_length=32))
    answer = models.JSONField()
    body = models.JSONField()
    at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["round_key", "id"], name="refusal_of_round")]
        triggers = [append_only()]

    def __str__(self) -> str:
        return f"{self.reference}: {', '.join(self.codes)}"


class Resolution(models.Model):
    """What every distinct wager of a round returns under one outcome revision.

    A unit staked on `wager_ids[i]` comes back as `numerators[i] / denominator`. `verdicts[i]` is
    the same in words: result, odds, returns and why.
    """

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="+", db_index=False)
    revision = models.PositiveIntegerField()
    headline = models.CharField(max_length=200)
    wager_ids = ArrayField(models.IntegerField())
    numerators = ArrayField(models.BigIntegerField())
    denominator = models.BigIntegerField()
    verdicts = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "revision"], name="resolution_of_revision"),
            models.CheckConstraint(condition=Q(denominator__gt=0), name="resolution_denominator"),
        ]
        triggers = [append_only()]

    def __str__(self) -> str:
        return f"{self.round_id} revision {self.revision}"


class Settlement(models.Model):
    """The header of one batch of postings: a round brought to one outcome revision.

    `position` is handed out by the transaction's last statements, so positions are gapless and in
    commit order; `digest` covers the header, the postings and the digest of the position before.
    One batch a (round, revision) makes a retry harmless. Its totals are in `SettlementTotal`.
    """

    class Kind(models.TextChoices):
        SETTLE = "settle", "Settlement"
        RESETTLE = "resettle", "Re-settlement"
        VOID = "void", "Void"
        REINSTATE = "reinstate", "Reinstatement"

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="settlements")
    revision = models.PositiveIntegerField()
    kind = models.CharField(max_length=12, choices=Kind.choices)
    position = models.BigIntegerField(unique=True)
    tickets = models.IntegerField(help_text="Tickets with a posting in this batch.")
    ruling = models.ForeignKey(Ruling, on_delete=models.PROTECT, null=True, related_name="+")
    settled_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    settled_at = models.DateTimeField()
    digest = models.BinaryField()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["round", "revision"], name="settlement_of_revision"),
        ]
        triggers = [append_only()]

    def __str__(self) -> str:
        return f"{self.kind} {self.position}"


class SettlementTotal(models.Model):
    """A batch's totals for one operator, one currency and real or test tickets, in minor units.

    `stake` and `payout` are those of the tickets in the batch, `up` and `down` the sums of its
    positive and of its negative deltas.
    """

    settlement = models.ForeignKey(Settlement, on_delete=models.PROTECT, related_name="totals")
    operator = models.ForeignKey(Operator, on_delete=models.PROTECT, related_name="+")
    currency = models.CharField(max_length=3)
    test = models.BooleanField()
    tickets = models.IntegerField()
    stake = models.BigIntegerField()
    payout = models.BigIntegerField()
    up = models.BigIntegerField()
    down = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["settlement", "operator", "currency", "test"],
                name="settlementtotal_key",
            ),
        ]
        triggers = [append_only()]

    def __str__(self) -> str:
        return f"{self.settlement_id} {self.operator_id} {self.currency}"


class SettlementHead(models.Model):
    """The end of the settlement chain; a single row that each batch moves forward."""

    position = models.BigIntegerField(default=0)
    digest = models.BinaryField()

    class Meta:
        triggers = [keep()]
        constraints = [
            models.CheckConstraint(condition=Q(id=1), name="settlementhead_single_row"),
        ]

    def __str__(self) -> str:
        return str(self.position)


class Posting(models.Model):
    """What one ticket pays from one settlement on, and by how much that differs from before.

    Minor units of the ticket's currency. Written only where the payout changed (always at the
    first settlement), so the sum of a ticket's deltas is its payout. The header carries the
    constraints; the nightly verification recomputes the rows.
    """

    pk = models.CompositePrimaryKey("settlement_id", "ticket_id")
    settlement = models.ForeignKey(
        Settlement,
        on_delete=models.PROTECT,
        db_index=False,
        db_constraint=False,
        related_name="postings",
    )
    ticket = models.ForeignKey(
        Ticket,
        on_delete=models.PROTECT,
        db_index=False,
        db_constraint=False,
        related_name="+",
    )
    payout = models.BigIntegerField()
    delta = models.BigIntegerField()
    stake = models.BigIntegerField(help_text="Of the ticket, with what its decisions added.")
    account = models.ForeignKey(
        Account,
        on_delete=models.PROTECT,
        db_index=False,
        db_constraint=False,
        related_name="+",
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(payout__gte=0, delta__lte=F("payout")),
                name="posting_payout_sane",
            ),
        ]
        triggers = [append_only()]

    def __str__(self) -> str:
        return f"{self.settlement_id}.{self.ticket_id}"
