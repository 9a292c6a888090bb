"""`manage.py create_operator`: a brand whose players bet at the tables."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from casino.management.telling import REASON, as_json, refusals_told
from casino.selectors import system
from casino.services.setup import create_operator


class Command(BaseCommand):
    help = "Create an operator; harmless when repeated. Prints it as JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code")

    def handle(self, *args: Any, **options: Any) -> None:
        with refusals_told():
            operator = create_operator(code=options["code"], actor=system(), reason=REASON)
        self.stdout.write(as_json({"operator": operator.code, "name": operator.name}))
