"""The OpenAPI document: what the shapes and keys of this API look like in it."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import (
    OpenApiAuthenticationExtension,
    OpenApiSerializerExtension,
    OpenApiSerializerFieldExtension,
)
from drf_spectacular.renderers import OpenApiJsonRenderer2, OpenApiYamlRenderer
from drf_spectacular.views import SpectacularAPIView


class Schema(SpectacularAPIView):
    """The document itself, open to everybody; JSON unless YAML is asked for."""

    renderer_classes = [OpenApiJsonRenderer2, OpenApiYamlRenderer]
    authentication_classes = []


class KeyScheme(OpenApiAuthenticationExtension):
    target_class = "casino.api.authentication.KeyAuthentication"
    name = "key"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {"type": "http", "scheme": "bearer", "description": "A key of an API client."}


class ClosedShape(OpenApiSerializerExtension):
    """A shape has the fields that it names and no others."""

    target_class = "casino.api.fields.Shape"
    match_subclasses = True

    def get_name(self, auto_schema: Any, direction: Any) -> str:
        name: str = self.target.__class__.__name__
        return name.replace("Shape", "")

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        schema: dict[str, Any] = auto_schema._map_serializer(
            self.target, direction, bypass_extensions=True
        )
        return schema | {"additionalProperties": False}


class FreeField(OpenApiSerializerFieldExtension):
    target_class = "casino.api.fields.Free"

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": True}


class AmountField(OpenApiSerializerFieldExtension):
    target_class = "casino.api.fields.Amount"

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        return {"type": "string", "pattern": r"^-?\d+(\.\d+)?$", "example": "100.00"}


class StakeField(AmountField):
    target_class = "casino.api.fields.StakeText"
