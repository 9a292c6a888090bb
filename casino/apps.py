"""The floor: facts of the tables and the decisions taken about them."""

from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class CasinoConfig(AppConfig):
    name = "casino"
    verbose_name = "Floor"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from casino.services.foundation import lay_foundation

        post_migrate.connect(
            lay_foundation, sender=self, dispatch_uid="casino.foundation"
        )
