"""A person's own account: who they are to the house, what they may do, their password."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from casino.access import PERMISSIONS, VIEW_FLOOR, may
from casino.pages.listing import house_zone
from casino.pages.registry import page, show
from casino.services.people import set_password
from games.refusals import Refused


class OwnPasswordForm(forms.Form):
    old = forms.CharField(
        label="Password now",
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    new = forms.CharField(
        label="New password",
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text="At least 12 characters, nothing common, without your name.",
    )
    again = forms.CharField(
        label="New password again",
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )


@page("account/", name="account", permission=VIEW_FLOOR)
def account(request: HttpRequest) -> HttpResponse:
    """What the house knows about the person who asks."""
    person: Any = request.user
    allowed = [words for name, words in PERMISSIONS.items() if may(person, name)]
    context = {"title": "Your account", "person": person, "allowed": allowed}
    return show(request, "pitbook/account.html", context | {"zone": house_zone()})


@page("account/password/", name="account_password", permission=VIEW_FLOOR, methods=("GET", "POST"))
def password(request: HttpRequest) -> HttpResponse:
    """Change one's own password; every other session of the person ends."""
    form = OwnPasswordForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            person = _change(request, form.cleaned_data)
        except Refused as refusal:
            form.add_error(refusal.field, str(refusal))
        else:
            update_session_auth_hash(request, person)
            messages.success(request, "Your new password holds from now on.")
            return redirect("admin:account")
    context = {
        "title": "Change your password",
        "form": form,
        "button": "Change password",
        "back": reverse("admin:account"),
        "intro": "Your other sessions end.",
    }
    status = 422 if form.is_bound and form.errors else 200
    return show(request, "pitbook/house_form.html", context, status=status)


def _change(request: HttpRequest, typed: dict[str, str]) -> Any:
    person: Any = request.user
    if not person.check_password(typed["old"]):
        raise Refused("invalid_value", "This is not your password.", "old")
    if typed["new"] != typed["again"]:
        raise Refused("invalid_value", "The two new passwords differ.", "again")
    try:
        return set_password(
            person=person, password=typed["new"], actor=person, reason="Changed by its owner."
        )
    except Refused as refusal:
        raise Refused(refusal.code, str(refusal), "new") from None
