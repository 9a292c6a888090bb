"""The floor: facts of the tables and the decisions taken about them."""

from __future__ import annotations

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.db.models.signals import post_migrate


class CasinoConfig(AppConfig):
    name = "casino"
    verbose_name = "House"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from casino.access import note_sign_in
        from casino.services.foundation import lay_foundation

        # Django would save the whole person, and with that a version that nobody decided on.
        user_logged_in.disconnect(dispatch_uid="update_last_login")
        user_logged_in.connect(note_sign_in, dispatch_uid="casino.sign_in")
        post_migrate.connect(lay_foundation, sender=self, dispatch_uid="casino.foundation")
