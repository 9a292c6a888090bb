"""`manage.py create_api_client`: a system that may use the API, and its first key."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from casino.management.telling import REASON, as_json, refusals_told
from casino.models.people import Scope
from casino.selectors import system
from casino.services.setup import create_api_client


class Command(BaseCommand):
    help = "Create an API client and print its key, once; repeated, the key is null."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--operator", help="left out: the studio's own")
        parser.add_argument(
            "--scope",
            dest="scopes",
            required=True,
            action="extend",
            nargs="+",
            help=", ".join(Scope.values),
        )
        parser.add_argument(
            "--address",
            dest="addresses",
            default=[],
            action="extend",
            nargs="+",
            help="addresses that may use its keys; left out: any",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        names = ("name", "operator", "scopes", "addresses")
        with refusals_told():
            client, key = create_api_client(
                **{name: options[name] for name in names}, actor=system(), reason=REASON
            )
        self.stdout.write(
            as_json(
                {
                    "client": client.name,
                    "operator": client.operator and client.operator.code,
                    "scopes": client.scopes,
                    "addresses": client.addresses,
                    "key": key,
                }
            )
        )
