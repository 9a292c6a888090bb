"""`manage.py create_person`: somebody who signs in, with a password made for them."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from casino.management.telling import as_json, refusals_told
from casino.management.welcome import welcome


class Command(BaseCommand):
    help = "Create a person and print the password, once; repeated, the password is null."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        parser.add_argument(
            "--role", required=True, help="pit_supervisor, pit_manager, compliance, administrator"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with refusals_told():
            person, password = welcome(name=options["name"], role=options["role"])
        self.stdout.write(
            as_json({"person": person.username, "role": person.role, "password": password})
        )
