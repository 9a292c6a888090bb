"""The floor's facts: pits, tables, shoes, rounds and what was recorded as their outcome."""

from __future__ import annotations

import re
from datetime import time

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from casino.models.history import history, wall_history
from casino.models.people import Person
from casino.triggers import append_only, decided, keep, once
from games.cards import DECK

_HAND = re.compile(r"\b([Hh])and\b")


class Pit(models.Model):
    """A group of tables under one management, with the clock its gaming days follow."""

    code = models.SlugField(max_length=32, unique=True)
    name = models.CharField(max_length=80)
    time_zone = models.CharField(max_length=64)
    day_starts = models.TimeField(
        default=time(6, 0), help_text="Local time at which a gaming day begins."
    )
    history = history()

    class Meta:
        ordering = ["code"]
        triggers = [keep(), decided("code", "name", "time_zone", "day_starts")]

    def __str__(self) -> str:
        return self.name


class Table(models.Model):
    """A table, and the book and game that it deals."""

    code = models.SlugField(max_length=32, unique=True)
    name = models.CharField(max_length=80)
    pit = models.ForeignKey(Pit, on_delete=models.PROTECT, related_name="tables")
    book = models.CharField(max_length=32)
    game = models.CharField(max_length=32)
    rides_on = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="riders",
        help_text="The table whose cards its rounds are decided by, as Super Fan Tan's are.",
    )
    history = history()

    class Meta:
        ordering = ["code"]
        triggers = [keep(), decided("code", "name", "pit_id", "book", "game", "rides_on_id")]

    def __str__(self) -> str:
        return self.code


class Shoe(models.Model):
    """The cards of one shoe, from the first card opened to its close.

    Where the table does not open a first card, `first_card` is empty. `cut` is where the cut
    card lies, counted in cards from the end; None where nobody told.
    """

    class Phase(models.TextChoices):
        OPEN = "open", "Open"
        LAST_HAND = "last_hand", "Last hand"
        SPENT = "spent", "No further hand"
        CLOSED = "closed", "Closed"
        VOID = "void", "Void"

    OVER = (Phase.CLOSED, Phase.VOID)
    """The phases of a shoe that is dealt from no more."""

    class BlueCard(models.TextChoices):
        NOT_DRAWN = "", "Not drawn"
        IN_HAND = "in_hand", "In a hand"
        BURN = "burn", "As the burn card"

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="shoes")
    number = models.PositiveIntegerField()
    decks = models.PositiveSmallIntegerField()
    first_card = models.CharField(max_length=2, blank=True)
    burned = models.PositiveSmallIntegerField()
    cut = models.PositiveSmallIntegerField(null=True, blank=True)
    phase = models.CharField(max_length=12, choices=Phase.choices, default=Phase.OPEN)
    blue_card = models.CharField(
        max_length=8, choices=BlueCard.choices, default=BlueCard.NOT_DRAWN, blank=True
    )
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    history = history()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="shoe_number_of_table"),
            models.UniqueConstraint(
                fields=["table"],
                condition=~Q(phase__in=["closed", "void"]),
                name="shoe_one_open_a_table",
            ),
        ]
        triggers = [
            keep(),
            decided(
                "table_id", "number", "decks", "first_card", "burned", "cut", "phase",
                "blue_card", "opened_at", "closed_at",
            ),
            pgtrigger.FSM(
                name="shoe_phases",
                field="phase",
                transitions=[
                    ("open", "last_hand"),
                    ("open", "spent"),
                    ("last_hand", "spent"),
                    ("open", "closed"),
                    ("last_hand", "closed"),
                    ("spent", "closed"),
                    ("open", "void"),
                    ("last_hand", "void"),
                    ("spent", "void"),
                    ("closed", "void"),
                ],
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.table.code}-{self.number}"

    @property
    def cards(self) -> int:
        """All cards of the shoe."""
        return self.decks * len(DECK)

    @property
    def skipped(self) -> int:
        """Cards that left the shoe before the first hand: the first card and those burned."""
        return bool(self.first_card) + self.burned

    @property
    def cards_to_cut(self) -> int | None:
        """Cards before the cut card; None where nobody told where it lies."""
        return None if self.cut is None else self.cards - self.cut


class Round(models.Model):
    """One hand, spin or roll at a table, with the book that it is played under.

    `outcome_revision` is the newest recorded outcome (0: none yet), `settled_revision` the one
    that the ledger follows; a round is due while the first is newer. `settled_revision` belongs
    to the settlement and is the only column that it writes here. `cards` is how many
    cards it took, by the newest outcome that says what was dealt.
    """

    class Phase(models.TextChoices):
        BETTING = "betting", "Betting"
        CLOSED = "closed", "No more bets"
        RESULTED = "resulted", "Result"
        VOID = "void", "Void"

    key = models.CharField(max_length=64, unique=True)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="rounds")
    shoe = models.ForeignKey(
        Shoe, on_delete=models.PROTECT, related_name="rounds", null=True, blank=True
    )
    rides_on = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="riders",
        help_text="The round whose cards decide it.",
    )
    number = models.PositiveIntegerField(help_text="Hand number in the shoe, or round of the table")
    book = models.CharField(max_length=32)
    game = models.CharField(max_length=32)
    book_version = models.CharField(max_length=16)
    book_digest = models.CharField(max_length=64)
    phase = models.CharField(max_length=12, choices=Phase.choices, default=Phase.BETTING)
    on_hold = models.BooleanField(default=False)
    draws = models.JSONField(
        null=True,
        blank=True,
        help_text="What was drawn after betting closed, once: the die, super odds, Super Numbers.",
    )
    outcome_revision = models.PositiveIntegerField(default=0)
    settled_revision = models.PositiveIntegerField(default=0)
    cards = models.PositiveSmallIntegerField(default=0)
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    resulted_at = models.DateTimeField(null=True, blank=True)
    history = history(excluded=["settled_revision", "cards"])

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["shoe", "number"],
                condition=Q(shoe__isnull=False),
                name="round_of_shoe",
            ),
            models.UniqueConstraint(
                fields=["table", "number"],
                condition=Q(shoe__isnull=True),
                name="round_of_table",
            ),
            models.UniqueConstraint(
                fields=["table"],
                condition=Q(phase__in=["betting", "closed"], on_hold=False),
                name="round_one_running_a_table",
            ),
            models.CheckConstraint(
                condition=Q(settled_revision__lte=F("outcome_revision")),
                name="round_settled_after_outcome",
            ),
            models.CheckConstraint(
                condition=Q(draws__isnull=True) | ~Q(phase="betting"),
                name="round_draws_after_betting",
            ),
        ]
        indexes = [
            models.Index(
                fields=["resulted_at"],
                condition=Q(outcome_revision__gt=F("settled_revision"), on_hold=False),
                name="round_due",
            ),
            models.Index(fields=["table", "-id"], name="round_of_table_recent"),
        ]
        triggers = [
            keep(),
            decided(
                "key", "table_id", "shoe_id", "rides_on_id", "number", "book", "game",
                "book_version", "book_digest", "phase", "on_hold", "draws", "outcome_revision",
                "opened_at", "closed_at", "resulted_at",
            ),
            once("draws"),
            pgtrigger.FSM(
                name="round_phases",
                field="phase",
                transitions=[
                    ("betting", "closed"),
                    ("betting", "void"),
                    ("closed", "resulted"),
                    ("closed", "void"),
                    ("resulted", "void"),
                    ("void", "resulted"),
                ],
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.key

    @property
    def word(self) -> str:
        """What it is called at its table: a hand of its shoe, or a round."""
        return "hand" if self.shoe_id else "round"

    def worded(self, sentence: str) -> str:
        """A sentence about a hand, with the word that this round goes by."""
        if self.shoe_id:
            return sentence
        return _HAND.sub(lambda hand: "Round" if hand[1] == "H" else "round", sentence)

    @property
    def status(self) -> str:
        """The phase, or `on_hold` while a decision about the round is awaited."""
        return "on_hold" if self.on_hold else str(self.phase)

    @property
    def seen(self) -> str:
        """A token of everything a ruling was previewed on; it changes when the round moves."""
        return f"{self.status}.{self.phase}.{self.outcome_revision}.{self.settled_revision}"


class OutcomeRevision(models.Model):
    """What was recorded as the outcome of a round, one row for each time that it changed.

    Revision 1 is the result as the table posted it; every later one follows a ruling. `outcome`
    is the canonical form that the family's reader accepts again; it is null only where a round
    was voided before it had a result.
    """

    class Kind(models.TextChoices):
        RESULT = "result", "Result"
        EDIT = "edit", "Edited result"
        SWAP = "swap", "Player 1 and Player 3 swapped"
        VOID = "void", "Void"
        REINSTATE = "reinstate", "Reinstated"
        TICKET = "ticket", "Same result, a ticket ruled on"

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="outcomes")
    revision = models.PositiveIntegerField()
    kind = models.CharField(max_length=12, choices=Kind.choices)
    outcome = models.JSONField(null=True)
    headline = models.CharField(max_length=200)
    void_ground = models.CharField(max_length=32, blank=True)
    ruling = models.ForeignKey(
        "casino.Ruling",
        on_delete=models.PROTECT,
        null=True,
        related_name="outcomes",
        help_text="Why it changed: a ruling on the round, or on the one that it rides on.",
    )
    manual = models.BooleanField(default=False)
    video = models.CharField(max_length=200, blank=True)
    dealer = models.CharField(max_length=80, blank=True)
    recorded_by = models.ForeignKey(Person, on_delete=models.PROTECT)
    recorded_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["round", "revision"]
        constraints = [
            models.UniqueConstraint(fields=["round", "revision"], name="outcome_revision_of_round"),
            models.CheckConstraint(
                condition=Q(kind="result") | Q(ruling__isnull=False),
                name="outcome_change_has_ruling",
            ),
        ]
        triggers = [append_only()]

    def __str__(self) -> str:
        return f"{self.round.key} revision {self.revision}"


wall_history(Pit, Table, Shoe, Round)
