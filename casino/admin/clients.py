"""Operators, and the systems that use the API with their keys."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Value
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from unfold.decorators import action, display

from casino.admin.facts import FactAdmin, ReadOnlyInline
from casino.admin.service import ServiceForm, filled, service_page
from casino.models import ApiClient, ApiKey, Operator
from casino.models.people import Scope
from casino.pages.listing import house_zone
from casino.pages.registry import show
from casino.services import setup
from casino.templatetags.pitbook_pictures import moment


class OperatorForm(ServiceForm):
    code = forms.CharField(max_length=32, help_text="Stands on every ticket; never changes.")
    name = forms.CharField(max_length=80, required=False)


class ClientForm(ServiceForm):
    name = forms.CharField(max_length=32)
    operator = forms.ModelChoiceField(
        Operator.objects.all(),
        to_field_name="code",
        required=False,
        empty_label="The studio (no operator)",
        help_text="A client that posts tickets belongs to an operator; one that deals does not.",
    )
    scopes = forms.MultipleChoiceField(
        choices=Scope.choices, widget=forms.CheckboxSelectMultiple, label="May"
    )
    addresses = forms.CharField(
        required=False,
        label="Addresses",
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="IP addresses that its keys may be used from, one a line; empty: any.",
    )

    def clean_operator(self) -> str | None:
        operator: Operator | None = self.cleaned_data["operator"]
        return operator.code if operator else None

    def clean_addresses(self) -> list[str]:
        check = forms.GenericIPAddressField().clean
        return [check(address) for address in self.cleaned_data["addresses"].split()]


class KeyForm(ServiceForm):
    key = forms.ModelChoiceField(ApiKey.objects.none(), empty_label=None, label="Key")


class KeyInline(ReadOnlyInline):
    model = ApiKey
    fields = ("shown", "created", "expires", "revoked")
    readonly_fields = fields
    verbose_name_plural = "keys"
    show_change_link = True

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).annotate(zone=Value(house_zone()))

    @display(description="Begins with")
    def shown(self, key: ApiKey) -> str:
        return f"{key.hint}…"

    @display(description="Created")
    def created(self, key: Any) -> SafeString:
        return moment(key.created_at, key.zone)

    @display(description="Expires")
    def expires(self, key: Any) -> SafeString:
        return moment(key.expires_at, key.zone)

    @display(description="Revoked")
    def revoked(self, key: Any) -> SafeString:
        return moment(key.revoked_at, key.zone)


@admin.register(Operator)
class OperatorAdmin(FactAdmin):
    list_display = ("code", "name")
    search_fields = ("code", "name")
    fields = ("code", "name")
    actions_list = ("create",)

    @action(description="New operator", url_path="new", permissions=["set_up"], icon="add")
    def create(self, request: HttpRequest) -> HttpResponse:
        def carry_out(typed: dict[str, Any]) -> str:
            known = Operator.objects.filter(code=typed["code"]).exists()
            operator = setup.create_operator(**typed, actor=request.user)  # type: ignore[arg-type]
            if known:
                return f"Operator {operator.code} was there already and stays as it is."
            return f"Operator {operator.code} is there."

        return service_page(
            request,
            OperatorForm(filled(request)),
            carry_out,
            title="New operator",
            button="Create operator",
            back=reverse("admin:casino_operator_changelist"),
        )


@admin.register(ApiClient)
class ApiClientAdmin(FactAdmin):
    list_display = ("name", "of", "may", "may_be_used", "live_keys")
    list_filter = ("operator", "is_active")
    list_select_related = ("operator",)
    search_fields = ("name",)
    fields = ("name", "of", "may", "shown_addresses", "may_be_used")
    readonly_fields = fields
    inlines = (KeyInline,)
    actions_list = ("create",)
    actions_detail = ("add_key", "revoke_key", "change_access")

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).prefetch_related("keys")

    @display(description="Operator", ordering="operator", empty_value="The studio")
    def of(self, client: ApiClient) -> str | None:
        return client.operator.code if client.operator else None

    @display(description="May")
    def may(self, client: ApiClient) -> str:
        return "; ".join(Scope(scope).label for scope in client.scopes)

    @display(description="Addresses")
    def shown_addresses(self, client: ApiClient) -> str:
        return ", ".join(client.addresses) or "Any"

    @display(description="May be used", boolean=True, ordering="is_active")
    def may_be_used(self, client: ApiClient) -> bool:
        return client.is_active

    @display(description="Keys in use")
    def live_keys(self, client: ApiClient) -> int:
        return len(_live(client))

    @action(description="New API client", url_path="new", permissions=["set_up"], icon="add")
    def create(self, request: HttpRequest) -> HttpResponse:
        def carry_out(typed: dict[str, Any]) -> str | HttpResponse:
            client, key = setup.create_api_client(**typed, actor=request.user)  # type: ignore[arg-type]
            if key is None:
                return f"API client {client.name} was there already; it keeps its keys."
            return _show_key(request, client, key)

        return service_page(
            request,
            ClientForm(filled(request)),
            carry_out,
            title="New API client",
            button="Create client and key",
            back=reverse("admin:casino_apiclient_changelist"),
            intro="Its first key is shown once, on the next page, and never again.",
        )

    @action(description="Add a key", url_path="key", permissions=["set_up"], icon="key")
    def add_key(self, request: HttpRequest, object_id: str) -> HttpResponse:
        client = self._client(request, object_id)

        def carry_out(typed: dict[str, Any]) -> HttpResponse:
            key = setup.add_api_key(client=client, **typed, actor=request.user)  # type: ignore[arg-type]
            return _show_key(request, client, key)

        return service_page(
            request,
            ServiceForm(filled(request)),
            carry_out,
            title=f"New key of {client.name}",
            button="Create key",
            back=_of(client),
            intro="The older keys stay valid until revoked, so that the client can change over.",
        )

    @action(description="Revoke a key", url_path="revoke", permissions=["set_up"], icon="key_off")
    def revoke_key(self, request: HttpRequest, object_id: str) -> HttpResponse:
        client = self._client(request, object_id)
        form = KeyForm(filled(request))
        form.fields["key"].queryset = client.keys.filter(  # type: ignore[attr-defined]
            pk__in=[key.pk for key in _live(client)]
        )

        def carry_out(typed: dict[str, Any]) -> str:
            setup.revoke_api_key(**typed, actor=request.user)  # type: ignore[arg-type]
            return f"The key {typed['key'].hint}… opens nothing any more."

        return service_page(
            request,
            form,
            carry_out,
            title=f"Revoke a key of {client.name}",
            button="Revoke key",
            back=_of(client),
            intro="The key stops working at once, for good.",
            danger=True,
        )

    @action(
        description="Switch off or on",
        url_path="access",
        permissions=["set_up"],
        icon="power_settings_new",
    )
    def change_access(self, request: HttpRequest, object_id: str) -> HttpResponse:
        client = self._client(request, object_id)
        off = client.is_active

        def carry_out(typed: dict[str, Any]) -> str:
            setup.switch_api_client(client=client, active=not off, **typed, actor=request.user)  # type: ignore[arg-type]
            return f"{client.name} is switched {'off' if off else 'on'}."

        return service_page(
            request,
            ServiceForm(filled(request)),
            carry_out,
            title=f"Switch {client.name} {'off' if off else 'on'}",
            button="Switch off" if off else "Switch on",
            back=_of(client),
            intro="None of its keys opens anything until it is switched on." if off else "",
            danger=off,
        )

    def _client(self, request: HttpRequest, object_id: str) -> ApiClient:
        client = self.get_object(request, object_id)
        if client is None:
            raise Http404
        return client


@admin.register(ApiKey)
class ApiKeyAdmin(FactAdmin):
    """Keys have no list of their own; each is reached from its client."""

    list_display = ("__str__", "client", "created_at", "expires_at", "revoked_at")
    list_select_related = ("client",)
    fields = ("client", "hint", "created_at", "expires_at", "revoked_at")
    readonly_fields = fields


def _live(client: ApiClient) -> list[ApiKey]:
    now = timezone.now()
    return [key for key in client.keys.all() if key.revoked_at is None and key.expires_at > now]


def _show_key(request: HttpRequest, client: ApiClient, key: str) -> HttpResponse:
    """The only page that ever has the key in it."""
    context = {"title": f"Key of {client.name}", "client": client, "key": key, "back": _of(client)}
    answer = show(request, "pitbook/house_key.html", context)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _of(client: ApiClient) -> str:
    return reverse("admin:casino_apiclient_change", args=[client.pk])
