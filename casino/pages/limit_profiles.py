"""Profiles of limits: what each says, how it came to, who follows it; writing one, assigning it."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise
from typing import Any, Final

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from casino.access import SET_LIMITS, VIEW_SETUP, may
from casino.admin.service import ClockField, filled
from casino.models import LimitProfile, Operator, ProfileVersion
from casino.pages.limit_forms import NewProfileForm, ProfileForm, TablesField, following_in
from casino.pages.limits import (
    profile_differences,
    profile_told,
    spread,
    stated,
    with_every_bet_first,
)
from casino.pages.limits_file import preview_of
from casino.pages.listing import house_zone
from casino.pages.registry import page, show
from casino.selectors import followers_of, house_clock, profile_lines
from casino.services.limits_file import follow_row
from games.refusals import Refused

VERSIONS: Final = 50
"""Versions of a profile that its page lists; the decision log has all."""


class AssignForm(forms.Form):
    """Which tables are to follow a profile, and for whom."""

    tables = TablesField()
    operator = forms.ModelChoiceField(
        Operator.objects.all(),
        to_field_name="code",
        required=False,
        empty_label="Every operator",
        help_text="Limits for one operator stand, for its tickets, before the general ones.",
    )

    def __init__(self, *args: Any, currency: str, **more: Any) -> None:
        super().__init__(*args, **more)
        tables: Any = self.fields["tables"]
        tables.following = following_in(currency)
        self.fields["effective_from"] = ClockField(house_zone(), label="Hold from")


@page("limits/profiles/", name="limit_profiles", permission=VIEW_SETUP)
def profiles(request: HttpRequest) -> HttpResponse:
    """Every profile: what a bet takes under it, and how many follow it."""
    now = house_clock()
    every = list(LimitProfile.objects.all())
    lines, followers = profile_lines(now), followers_of(every)
    rows = [
        {
            "profile": profile,
            "version": _in_force(lines[profile.pk], now),
            "takes": spread(_in_force(lines[profile.pk], now), profile.currency),
            "coming": len([one for one in lines[profile.pk] if one.effective_from > now]),
            "tables": len({one.table_id for one in followers[profile.pk]}),
            "operators": len({one.operator_id for one in followers[profile.pk]} - {None}),
        }
        for profile in every
    ]
    context = {"title": "Limit profiles", "rows": rows, "may_set": _may_set(request)}
    return show(request, "pitbook/limit_profiles.html", context)


@page(
    "limits/profiles/new/", name="limit_profile_new", permission=SET_LIMITS, methods=("GET", "POST")
)
def new(request: HttpRequest) -> HttpResponse:
    """Name a profile, then say what it limits; it is there once its preview is confirmed."""
    named = NewProfileForm(request.GET or None)
    if not named.is_valid():
        context = {
            "title": "New limit profile", "form": named, "button": "Go on",
            "question": "Which profile, in which currency?",
            "back": reverse("admin:limit_profiles"),
        }  # fmt: skip
        return show(request, "pitbook/house_limits_place.html", context)
    profile = LimitProfile(**named.cleaned_data)
    return _write(request, ProfileForm(filled(request), profile=profile))


@page("limits/profiles/<int:pk>/", name="limit_profile", permission=VIEW_SETUP)
def profile(request: HttpRequest, pk: int) -> HttpResponse:
    """What a profile says, who follows it, and its versions with who, when and why."""
    found = _profile(pk)
    now = house_clock()
    line = profile_lines(now)[pk]
    in_force = _in_force(line, now)
    followers = followers_of([found])[pk]
    context = {
        "title": f"{found.name} in {found.currency}",
        "profile": found,
        "in_force": in_force,
        "rows": [
            {"title": title, "minimum": low, "maximum": high}
            for title, (low, high) in with_every_bet_first(profile_told(in_force)).items()
            if (low, high) != (None, None)
        ],
        "coming": [one for one in line if one is not in_force],
        "followers": followers,
        "versions": _versions(found),
        "zone": house_zone(),
        "may_set": _may_set(request),
    }
    return show(request, "pitbook/limit_profile.html", context)


@page(
    "limits/profiles/<int:pk>/change/",
    name="limit_profile_change",
    permission=SET_LIMITS,
    methods=("GET", "POST"),
)
def change(request: HttpRequest, pk: int) -> HttpResponse:
    """The limits of a profile, to be written over for everybody who follows it."""
    found = _profile(pk)
    now = house_clock()
    line = profile_lines(now)[pk]
    form = ProfileForm(filled(request), profile=found, old=_in_force(line, now), newest=line[-1])
    return _write(request, form)


@page(
    "limits/profiles/<int:pk>/assign/",
    name="limit_profile_assign",
    permission=SET_LIMITS,
    methods=("GET", "POST"),
)
def assign(request: HttpRequest, pk: int) -> HttpResponse:
    """Let tables follow a profile, in general or for an operator."""
    found = _profile(pk)
    form = AssignForm(filled(request), currency=found.currency)
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        shown = preview_of(
            request,
            form,
            [
                follow_row(table, typed["operator"], found.currency, found.name)
                for table in typed["tables"]
            ],
            effective_from=typed["effective_from"],
            back=request.path,
        )
        if shown is not None:
            return shown
    context = {
        "title": f"Assign {found.name} in {found.currency}",
        "form": form,
        "button": "Preview",
        "back": reverse("admin:limit_profile", args=[pk]),
        "intro": "The limits of these tables are written from the profile, and again with each of "
        "its versions. Bets that a table’s game does not have are left out.",
    }
    return show(request, "pitbook/house_form.html", context, status=422 if form.errors else 200)


def _write(request: HttpRequest, form: ProfileForm) -> HttpResponse:
    """The form of a profile; what was typed is shown before it is written."""
    profile = form.profile
    if request.method == "POST" and form.is_valid():
        shown = preview_of(
            request,
            form,
            form.as_rows(),
            effective_from=form.cleaned_data["effective_from"],
            back=request.get_full_path(),
        )
        if shown is not None:
            return shown
    back = ["limit_profile", profile.pk] if profile.pk else ["limit_profiles"]
    context = {
        "title": f"Limits of {form.whose}",
        "form": form,
        "button": "Preview",
        "back": reverse(f"admin:{back[0]}", args=back[1:]),
        "intro": "Every table and operator that follows the profile takes on what is written here. "
        "Clear both amounts of a bet to take its limits away.",
    }
    return show(request, "pitbook/house_limits.html", context, status=422 if form.errors else 200)


def _versions(profile: LimitProfile) -> list[dict[str, Any]]:
    """The latest versions of a profile, newest first, and what each changed from its previous."""
    versions = profile.versions.select_related("profile", "set_by").prefetch_related("bets")
    latest: list[ProfileVersion | None] = [*versions.order_by("-version")[: VERSIONS + 1]]
    if len(latest) <= VERSIONS:
        latest.append(None)
    return [
        {
            "version": version,
            "changed": profile_differences(stated(previous), stated(version), profile.currency),
        }
        for version, previous in pairwise(latest)
    ]


def _in_force(line: list[ProfileVersion], now: datetime) -> ProfileVersion | None:
    """The version of a profile that holds now, of those that hold from now on."""
    return line[0] if line[0].effective_from <= now else None


def _profile(pk: int) -> LimitProfile:
    found = LimitProfile.objects.filter(pk=pk).first()
    if found is None:
        raise Refused("not_found", f"There is no profile {pk}.")
    return found


def _may_set(request: HttpRequest) -> bool:
    return may(request.user, SET_LIMITS)  # type: ignore[arg-type]
