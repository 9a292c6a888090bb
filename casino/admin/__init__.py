"""The facts of the house as lists with a history; what may be changed goes through a service."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.models import Group

from casino.admin import clients, floor, limits, people

admin.site.unregister(Group)  # permissions follow from the role alone

__all__ = ["clients", "floor", "limits", "people"]
