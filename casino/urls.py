"""Where everything answers."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path
from django.views.generic import RedirectView

from casino.pages.site import site

urlpatterns: list[URLPattern | URLResolver] = [
    path("", RedirectView.as_view(pattern_name="admin:floor")),
    path("admin/", site.urls),
]
