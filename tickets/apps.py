"""The money: tickets, settlements and postings."""

from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class TicketsConfig(AppConfig):
    name = "tickets"
    verbose_name = "Money"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from casino.services.impact import bets_ruled, weigh
        from casino.signals import outcome_recorded
        from tickets.services.bets import rule_on_bets
        from tickets.services.foundation import lay_foundation
        from tickets.services.settlement import weigh_changes
        from tickets.tasks import settle_soon

        outcome_recorded.connect(settle_soon, dispatch_uid="tickets.settle_soon")
        weigh.connect(weigh_changes, dispatch_uid="tickets.weigh_changes")
        bets_ruled.connect(rule_on_bets, dispatch_uid="tickets.rule_on_bets")
        post_migrate.connect(lay_foundation, sender=self, dispatch_uid="tickets.foundation")
