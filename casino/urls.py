"""Where everything answers."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView

from casino.api.health import healthz, metrics
from casino.pages.site import icon, site

urlpatterns: list[URLPattern | URLResolver] = [
    path("", RedirectView.as_view(pattern_name="admin:floor")),
    path("admin/", site.urls),
    path("api/v1/", include("casino.api.urls")),
    path("favicon.ico", icon),
    path("healthz", healthz),
    path("metrics", metrics),
]

handler400 = "casino.pages.faults.bad_request"
handler403 = "casino.pages.faults.permission_denied"
handler404 = "casino.pages.faults.page_not_found"
handler500 = "casino.pages.faults.server_error"
