"""Decisions about rounds and shoes: incidents and the rulings that answer them."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now

from casino.models.floor import Round, Shoe, Table
from casino.models.people import Person
from casino.triggers import append_only


class Ruling(models.Model):
    """A decision about a round, on a ground that the round's book knows.

    Pit management takes it; a replay or a release, which the book prescribes, the table itself.
    Append-only: a ruling is never taken back, only followed by another. `plan` keeps what was
    shown to the person who ruled, as canonical JSON.
    """

    class Kind(models.TextChoices):
        VOID_HAND = "void_hand", "Void hand"
        EDIT = "edit", "Edit result"
        SWAP = "swap", "Swap Player 1 and Player 3"
        REINSTATE = "reinstate", "Reinstate hand"
        REPLAY = "replay", "Replay"
        RELEASE = "release", "Release bets"

    kind = models.CharField(max_length=16, choices=Kind.choices)
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="rulings")
    ground = models.CharField(max_length=32)
    note = models.TextField()
    evidence = models.CharField(max_length=200, blank=True)
    plan = models.JSONField()
    ruled_by = models.ForeignKey(Person, on_delete=models.PROTECT)
    ruled_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["-id"]
        triggers = [append_only()]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.round.key}"


class Incident(models.Model):
    """Something irregular at a table, raised by a system, a person or the house itself.

    Append-only; it is open until an `IncidentClosing` names the ruling that answered it.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="incidents")
    shoe = models.ForeignKey(Shoe, on_delete=models.PROTECT, null=True, blank=True)
    round = models.ForeignKey(
        Round, on_delete=models.PROTECT, null=True, blank=True, related_name="incidents"
    )
    kind = models.CharField(max_length=32)
    note = models.TextField()
    video = models.CharField(max_length=200, blank=True)
    evidence = models.JSONField(null=True, help_text="What a system posted, as it came.")
    raised_by = models.ForeignKey(Person, on_delete=models.PROTECT)
    raised_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["-id"]
        triggers = [append_only()]

    def __str__(self) -> str:
        return f"{self.kind} at {self.table.code}"


class IncidentClosing(models.Model):
    """The ruling that answered an incident."""

    incident = models.OneToOneField(Incident, on_delete=models.PROTECT, related_name="closing")
    ruling = models.ForeignKey(Ruling, on_delete=models.PROTECT, related_name="closed_incidents")

    class Meta:
        triggers = [append_only()]

    def __str__(self) -> str:
        return f"{self.incident} closed by {self.ruling}"
