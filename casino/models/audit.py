"""The decision log: who did what, when and why, sealed into one chain."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Cast, Now

from casino.models.people import Person
from casino.triggers import append_only, keep, seal


class Action(models.TextChoices):
    """The closed vocabulary of the decision log. A word that is not here cannot be recorded."""

    PIT_CREATED = "pit_created", "Pit created"
    TABLE_CREATED = "table_created", "Table created"
    OPERATOR_CREATED = "operator_created", "Operator created"
    PERSON_CREATED = "person_created", "Person created"
    PERSON_CHANGED = "person_changed", "Person changed"
    CLIENT_CREATED = "client_created", "API client created"
    CLIENT_CHANGED = "client_changed", "API client changed"
    KEY_CREATED = "key_created", "API key created"
    KEY_REVOKED = "key_revoked", "API key revoked"
    LIMITS_SET = "limits_set", "Limits set"
    PROFILE_SET = "profile_set", "Limit profile set"
    LIMITS_EXPORTED = "limits_exported", "Limits exported"
    SHOE_OPENED = "shoe_opened", "Shoe opened"
    SHOE_BLUE_CARD = "shoe_blue_card", "Blue card drawn"
    SHOE_CLOSED = "shoe_closed", "Shoe closed"
    SHOE_CORRECTED = "shoe_corrected", "Commencement corrected"
    SHOE_STANDS = "shoe_stands", "Shoe let stand"
    SHOE_VOIDED = "shoe_voided", "Shoe voided"
    ROUND_OPENED = "round_opened", "Round opened"
    ROUND_CLOSED = "round_closed", "No more bets"
    ROUND_DRAWN = "round_drawn", "Drawn after betting closed"
    ROUND_RESULTED = "round_resulted", "Result recorded"
    ROUND_HELD = "round_held", "Round put on hold"
    ROUND_STANDS = "round_stands", "Round let stand"
    INCIDENT_RAISED = "incident_raised", "Incident raised"
    INCIDENT_NOTED = "incident_noted", "Incident noted, nothing to rule on"
    HAND_VOIDED = "hand_voided", "Hand voided"
    RESULT_EDITED = "result_edited", "Result edited"
    HAND_SWAPPED = "hand_swapped", "Player 1 and Player 3 swapped"
    HAND_REINSTATED = "hand_reinstated", "Hand reinstated"
    TICKET_VOIDED = "ticket_voided", "Ticket voided"
    TICKET_REINSTATED = "ticket_reinstated", "Ticket reinstated"
    ROUND_FOLLOWED = "round_followed", "Round followed the one it rides on"
    ROUND_REPLAYED = "round_replayed", "Round replayed, bets locked"
    BETS_RELEASED = "bets_released", "Bets handed back"
    RULING_PROPOSED = "ruling_proposed", "Ruling proposed"
    RULING_APPROVED = "ruling_approved", "Ruling approved"
    RULING_REJECTED = "ruling_rejected", "Ruling rejected"
    RULING_WITHDRAWN = "ruling_withdrawn", "Ruling withdrawn"
    APPROVAL_RULE_SET = "approval_rule_set", "Approval rule set"
    BETTING_STOPPED = "betting_stopped", "Betting stopped"
    BETTING_RESUMED = "betting_resumed", "Betting resumed"
    LOG_REVIEWED = "log_reviewed", "Decision log reviewed"
    LEDGER_VERIFIED = "ledger_verified", "Ledger verified"
    LIST_EXPORTED = "list_exported", "List exported"


class AuditEvent(models.Model):
    """One decision or event on the floor, written in the transaction that it explains.

    The actor's name is frozen as text, so the line stays readable when the person is renamed.
    `body` is canonical JSON text and is hashed exactly as stored. `transaction` ties the row to
    the facts that changed with it; a fact cannot change in a transaction without such a row.
    """

    at = models.DateTimeField(db_default=Now())
    transaction = models.BigIntegerField(
        db_default=Cast(
            Cast(models.Func(function="pg_current_xact_id"), models.TextField()),
            models.BigIntegerField(),
        ),
        db_index=True,
    )
    actor = models.ForeignKey(Person, on_delete=models.PROTECT)
    actor_name = models.CharField(max_length=150)
    action = models.CharField(max_length=32, choices=Action.choices)
    subject = models.CharField(
        max_length=120,
        help_text="What it is about, as kind:key, for instance round:bac-01-12-31.",
    )
    reason = models.TextField()
    body = models.TextField()

    class Meta:
        verbose_name = "decision"
        verbose_name_plural = "decision log"
        indexes = [
            models.Index(fields=["subject", "id"], name="auditevent_subject"),
            models.Index(fields=["actor", "id"], name="auditevent_actor"),
        ]
        triggers = [append_only(), seal()]

    def __str__(self) -> str:
        return f"{self.get_action_display()}: {self.subject}"


class AuditSeal(models.Model):
    """An event's place in the chain: gapless, in commit order, written by the database."""

    position = models.BigIntegerField(primary_key=True)
    event = models.OneToOneField(AuditEvent, on_delete=models.PROTECT, related_name="seal")
    digest = models.BinaryField()

    class Meta:
        triggers = [append_only()]

    def __str__(self) -> str:
        return str(self.position)


class AuditHead(models.Model):
    """The end of the chain; a single row that the seal moves forward."""

    position = models.BigIntegerField(default=0)
    digest = models.BinaryField()

    class Meta:
        triggers = [keep()]
        constraints = [
            models.CheckConstraint(condition=models.Q(id=1), name="audithead_single_row"),
        ]

    def __str__(self) -> str:
        return str(self.position)
