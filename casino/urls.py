"""Where everything answers."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView

from casino.api.health import healthz, metrics
from casino.pages.site import site

urlpatterns: list[URLPattern | URLResolver] = [
    path("", RedirectView.as_view(pattern_name="admin:floor")),
    path("admin/", site.urls),
    path("api/v1/", include("casino.api.urls")),
    path("healthz", healthz),
    path("metrics", metrics),
]

handler500 = "casino.api.errors.server_error"
