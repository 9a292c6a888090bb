"""Who acts in the house: people with a role, operators, and the machines that speak for them."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.contrib.postgres.fields import ArrayField
from django.db import models

from casino.models.history import history, wall_history
from casino.triggers import decided, keep


class Role(models.TextChoices):
    """What a person may do; `access.py` lists the permissions of each."""

    SUPERVISOR = "pit_supervisor", "Pit supervisor"
    MANAGER = "pit_manager", "Pit manager"
    COMPLIANCE = "compliance", "Compliance"
    ADMINISTRATOR = "administrator", "Administrator"
    MACHINE = "machine", "Machine"
    SYSTEM = "system", "The system"


class Person(AbstractUser):
    """Somebody, or something, that can be named as the actor of a decision.

    The system itself and every API client are rows here too, so no decision is anonymous.
    Permissions follow from the role alone; Django's groups and superuser flag are not used.
    """

    role = models.CharField(max_length=20, choices=Role.choices)
    history = history(excluded=["password", "last_login"])

    class Meta:
        verbose_name = "person"
        verbose_name_plural = "people"
        triggers = [
            keep(),
            decided("username", "role", "is_active", "is_staff", "is_superuser"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(is_superuser=False), name="person_no_superuser"
            ),
        ]

    def __str__(self) -> str:
        return self.get_full_name() or self.username


class Operator(models.Model):
    """A brand whose players bet at the tables."""

    code = models.SlugField(max_length=32, unique=True)
    name = models.CharField(max_length=80)
    history = history()

    class Meta:
        ordering = ["code"]
        triggers = [keep(), decided("code", "name")]

    def __str__(self) -> str:
        return self.code


class Scope(models.TextChoices):
    """What an API key may be used for."""

    FLOOR_WRITE = "floor:write", "Post shoes, rounds and results"
    TICKETS_WRITE = "tickets:write", "Post tickets"
    TICKETS_READ = "tickets:read", "Read tickets and settlements"
    AUDIT_READ = "audit:read", "Read the decision log"


class ApiClient(models.Model):
    """A system that uses the API, for one operator or (without one) for the studio."""

    name = models.SlugField(max_length=64, unique=True)
    person = models.OneToOneField(Person, on_delete=models.PROTECT, related_name="api_client")
    operator = models.ForeignKey(Operator, on_delete=models.PROTECT, null=True, blank=True)
    scopes = ArrayField(models.CharField(max_length=20, choices=Scope.choices))
    addresses = ArrayField(
        models.GenericIPAddressField(),
        default=list,
        blank=True,
        help_text="Addresses that may use its keys; empty: any.",
    )
    is_active = models.BooleanField(default=True)
    history = history()

    class Meta:
        ordering = ["name"]
        verbose_name = "API client"
        triggers = [
            keep(),
            decided("name", "operator_id", "scopes", "addresses", "is_active"),
        ]

    def __str__(self) -> str:
        return self.name


class ApiKey(models.Model):
    """A key of an API client; only its digest is kept. Two may be valid during a rotation."""

    client = models.ForeignKey(ApiClient, on_delete=models.PROTECT, related_name="keys")
    hint = models.CharField(max_length=8, help_text="First characters of the key, to tell it by.")
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    history = history(excluded=["digest"])

    class Meta:
        ordering = ["-created_at"]
        verbose_name = "API key"
        triggers = [keep(), decided("digest", "expires_at", "revoked_at", "client_id")]

    def __str__(self) -> str:
        return f"{self.client.name} {self.hint}…"


wall_history(Person, Operator, ApiClient, ApiKey)
