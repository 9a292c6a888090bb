"""`manage.py demo_people`: one person of each role, to look around with."""

from __future__ import annotations

from typing import Any, Final

from django.core.management.base import BaseCommand

from casino.management.telling import refusals_told
from casino.management.welcome import welcome
from casino.models import Role

PEOPLE: Final = {
    "supervisor": Role.SUPERVISOR,
    "manager": Role.MANAGER,
    "compliance": Role.COMPLIANCE,
    "administrator": Role.ADMINISTRATOR,
}


class Command(BaseCommand):
    help = "Create one person of each role and print their passwords, once."

    def handle(self, *args: Any, **options: Any) -> None:
        rows = [("name", "role", "password")]
        for name, role in PEOPLE.items():
            with refusals_told():
                _, password = welcome(name=name, role=role)
            rows.append((name, role.label, password or "(exists already; told when created)"))
        widths = [max(len(row[column]) for row in rows) for column in range(2)]
        for name, role_name, password in rows:
            self.stdout.write(f"{name:<{widths[0]}}  {role_name:<{widths[1]}}  {password}")
