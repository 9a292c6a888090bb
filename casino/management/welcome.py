"""Letting people in: each gets a password that is told once and kept nowhere."""

from __future__ import annotations

from typing import Final

from django.utils.crypto import get_random_string

from casino.management.telling import REASON
from casino.models import Person
from casino.selectors import system
from casino.services.setup import create_person

LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""What a password is made of: nothing that is mistaken for something else."""

LENGTH: Final = 16


def welcome(*, name: str, role: str) -> tuple[Person, str | None]:
    """Create a person and answer the password; None for somebody who is there already."""
    known = Person.objects.filter(username=name).exists()
    password = get_random_string(LENGTH, LETTERS)
    person = create_person(name=name, role=role, password=password, actor=system(), reason=REASON)
    return person, None if known else password
