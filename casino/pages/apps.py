"""Makes the back office's own site the one that every admin module registers with."""

from __future__ import annotations

from django.contrib.admin.apps import AdminConfig


class BackOfficeConfig(AdminConfig):
    default_site = "casino.pages.site.PitbookSite"
