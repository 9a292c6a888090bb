"""People: who they are, what they may do, whether they may come in."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.safestring import SafeString
from unfold.decorators import action, display

from casino.access import PERMISSIONS, ROLES
from casino.admin.facts import FactAdmin
from casino.admin.service import ServiceForm, filled, service_page
from casino.models import Person, Role
from casino.services import people, setup
from casino.templatetags.pitbook_pictures import moment

ROLES_OF_PEOPLE = [
    (role.value, role.label) for role in Role if role not in (Role.MACHINE, Role.SYSTEM)
]
NEW_PASSWORD = "At least 12 characters, nothing common, without the name."  # noqa: S105


def password_field(label: str = "Password") -> forms.CharField:
    widget = forms.PasswordInput(attrs={"autocomplete": "new-password"})
    return forms.CharField(label=label, strip=False, widget=widget, help_text=NEW_PASSWORD)


class PersonForm(ServiceForm):
    name = forms.CharField(
        label="Sign-in name",
        max_length=32,
        help_text="Letters, digits, hyphens and underscores.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    full_name = forms.CharField(label="Full name", max_length=150, required=False)
    role = forms.ChoiceField(label="Role", choices=ROLES_OF_PEOPLE)
    password = password_field()


class RoleForm(ServiceForm):
    role = forms.ChoiceField(label="Role", choices=ROLES_OF_PEOPLE)


class PasswordForm(ServiceForm):
    password = password_field("New password")


@admin.register(Person)
class PersonAdmin(FactAdmin):
    list_display = ("name", "full_name", "shown_role", "may_come_in", "last_seen")
    list_filter = ("role", "is_active")
    search_fields = ("username", "first_name")
    ordering = ("username",)
    fields = ("name", "full_name", "shown_role", "may_do", "may_come_in", "joined", "last_seen")
    readonly_fields = fields
    actions_list = ("create",)
    actions_detail = ("sign_ins", "change_role", "change_access", "change_password")

    @display(description="Sign-in name", ordering="username")
    def name(self, person: Person) -> str:
        return person.username

    @display(description="Full name", ordering="first_name")
    def full_name(self, person: Person) -> str:
        return person.get_full_name()

    @display(
        description="Role",
        ordering="role",
        label={label: "info" for _, label in ROLES_OF_PEOPLE},
    )
    def shown_role(self, person: Person) -> str:
        return person.get_role_display()

    @display(description="May come in", boolean=True, ordering="is_active")
    def may_come_in(self, person: Person) -> bool:
        return person.is_active

    @display(description="There since", ordering="date_joined")
    def joined(self, person: Any) -> SafeString:
        return moment(person.date_joined, person.zone)

    @display(description="Last sign-in", ordering="last_login")
    def last_seen(self, person: Any) -> SafeString:
        return moment(person.last_login, person.zone)

    @display(description="May do")
    def may_do(self, person: Person) -> str:
        granted = ROLES.get(person.role, frozenset())
        return "; ".join(words for name, words in PERMISSIONS.items() if name in granted)

    @action(description="New person", url_path="new", permissions=["set_up"], icon="person_add")
    def create(self, request: HttpRequest) -> HttpResponse:
        def carry_out(typed: dict[str, Any]) -> str:
            person = setup.create_person(**typed, actor=request.user)  # type: ignore[arg-type]
            return f"{person} may sign in as {person.username}."

        return service_page(
            request,
            PersonForm(filled(request)),
            carry_out,
            title="New person",
            button="Create person",
            back=reverse("admin:casino_person_changelist"),
        )

    @action(
        description="Sign-ins", url_path="sign-ins", permissions=["view_sign_ins"], icon="login"
    )
    def sign_ins(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Lead to the sign-ins of the person."""
        name = self._person(request, object_id).username
        return redirect(f"{reverse('admin:sign_ins')}?{urlencode({'username': name})}")

    @action(description="Change role", url_path="role", permissions=["set_up"], icon="badge")
    def change_role(self, request: HttpRequest, object_id: str) -> HttpResponse:
        person = self._person(request, object_id)

        def carry_out(typed: dict[str, Any]) -> str:
            changed = people.change_role(person=person, **typed, actor=request.user)  # type: ignore[arg-type]
            return f"{changed} is now {changed.get_role_display()}."

        return service_page(
            request,
            RoleForm(filled(request), initial={"role": person.role}),
            carry_out,
            title=f"Role of {person}",
            button="Change role",
            back=_of(person),
            intro="The role alone decides what a person sees and does, from the next click on.",
        )

    @action(
        description="Deactivate or reactivate",
        url_path="access",
        permissions=["set_up"],
        icon="lock_person",
    )
    def change_access(self, request: HttpRequest, object_id: str) -> HttpResponse:
        person = self._person(request, object_id)
        out = person.is_active
        carry = people.deactivate if out else people.reactivate

        def carry_out(typed: dict[str, Any]) -> str:
            changed = carry(person=person, **typed, actor=request.user)  # type: ignore[arg-type]
            return f"{changed} may {'come in again' if changed.is_active else 'no longer come in'}."

        return service_page(
            request,
            ServiceForm(filled(request)),
            carry_out,
            title=f"{'Deactivate' if out else 'Reactivate'} {person}",
            button="Deactivate" if out else "Reactivate",
            back=_of(person),
            intro="Open sessions end at once. What the person did stays." if out else "",
            danger=out,
        )

    @action(
        description="Set password", url_path="password", permissions=["set_up"], icon="password"
    )
    def change_password(self, request: HttpRequest, object_id: str) -> HttpResponse:
        person = self._person(request, object_id)

        def carry_out(typed: dict[str, Any]) -> str:
            people.set_password(person=person, **typed, actor=request.user)  # type: ignore[arg-type]
            return f"{person} signs in with the new password from now on."

        return service_page(
            request,
            PasswordForm(filled(request)),
            carry_out,
            title=f"Password of {person}",
            button="Set password",
            back=_of(person),
            intro="Open sessions of the person end.",
        )

    def _person(self, request: HttpRequest, object_id: str) -> Person:
        person = self.get_object(request, object_id)
        if person is None:
            raise Http404
        return person


def _of(person: Person) -> str:
    return reverse("admin:casino_person_change", args=[person.pk])
