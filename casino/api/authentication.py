"""Who is asking: keys of API clients."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from casino.models import ApiClient, ApiKey, Person
from casino.services.setup import key_digest

SCHEME = "Bearer"


class KeyAuthentication(BaseAuthentication):
    """A key in the header: `request.user` is the client's person, `request.auth` the client."""

    def authenticate(self, request: Request) -> tuple[Person, ApiClient] | None:
        scheme, _, key = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if not scheme:
            return None
        if scheme.lower() != SCHEME.lower() or not key.strip():
            raise AuthenticationFailed("A key comes as Authorization: Bearer <key>.")
        client = _client_of(key.strip())
        if client.addresses and not _is_listed(client, client_address(request)):
            raise PermissionDenied("This key may not be used from this address.")
        return client.person, client

    def authenticate_header(self, request: Request) -> str:
        return SCHEME


def client_address(request: HttpRequest | Request) -> IPv4Address | IPv6Address | None:
    """Where a request comes from, past the proxies in front of the house; None if unreadable."""
    try:
        address = ip_address(BaseThrottle().get_ident(request))  # type: ignore[arg-type]
    except ValueError:
        return None
    mapped = getattr(address, "ipv4_mapped", None)
    return mapped or address


def _client_of(key: str) -> ApiClient:
    row = (
        ApiKey.objects.filter(digest=key_digest(key))
        .select_related("client__person", "client__operator")
        .first()
    )
    if row is None or row.revoked_at is not None:
        raise AuthenticationFailed("This key is not known, or it was revoked.")
    if row.expires_at <= timezone.now():
        raise AuthenticationFailed("This key has expired.")
    if not (row.client.is_active and row.client.person.is_active):
        raise AuthenticationFailed("The client that this key belongs to is switched off.")
    return row.client


def _is_listed(client: ApiClient, address: Any) -> bool:
    return address in {ip_address(listed) for listed in client.addresses}
