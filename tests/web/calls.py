"""Calling the API as a client does; every answer is held against the OpenAPI document."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator
from rest_framework.test import APIClient

PREFIX = "/api/v1/"


@dataclass
class Caller:
    """A client with a key. `seen` collects the operations and statuses that were answered."""

    key: str
    seen: set[tuple[str, int]] = field(default_factory=set)

    def get(self, path: str, **query: Any) -> Any:
        return self._call("get", path, query)

    def post(self, path: str, body: Any = None) -> Any:
        return self._call("post", path, body)

    def raw(self, path: str, body: bytes | str, content_type: str = "application/json") -> Any:
        """Post bytes as they are."""
        answer = self._client().post(PREFIX + path, body, content_type=content_type)
        self._check("post", path, answer, None)
        return answer

    def _call(self, method: str, path: str, sent: Any) -> Any:
        call = getattr(self._client(), method)
        answer = call(PREFIX + path, sent, **({"format": "json"} if method == "post" else {}))
        self._check(method, path, answer, sent if method == "post" else None)
        return answer

    def _client(self) -> APIClient:
        client = APIClient()
        if self.key:
            client.credentials(HTTP_AUTHORIZATION=f"Bearer {self.key}")
        return client

    def _check(self, method: str, path: str, answer: Any, sent: Any) -> None:
        operation = operation_at(path, method)
        if operation is None:
            assert answer.status_code in (404, 405)
            return
        self.seen.add((operation["operationId"], answer.status_code))
        responses = operation["responses"]
        assert str(answer.status_code) in responses, (method, path, answer.content)
        content = responses[str(answer.status_code)]["content"]["application/json"]
        check(content["schema"], answer.json())
        if isinstance(sent, dict) and answer.status_code < 300:
            check(operation["requestBody"]["content"]["application/json"]["schema"], sent)


@cache
def document() -> dict[str, Any]:
    """The OpenAPI document, as JSON Schema has it where the two differ."""
    schema: dict[str, Any] = _plain(SchemaGenerator().get_schema(request=None, public=True))
    return schema


def operation_at(path: str, method: str) -> dict[str, Any] | None:
    """The operation that the document has at a path."""
    for template, operations in document()["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), PREFIX + path):
            return operations.get(method)
    return None


def operations() -> dict[str, tuple[str, str]]:
    """Method and path of every operation in the document."""
    return {
        operation["operationId"]: (method, path)
        for path, methods in document()["paths"].items()
        for method, operation in methods.items()
    }


def check(schema: dict[str, Any], value: Any) -> None:
    """Fail unless the value is as the schema says."""
    whole = schema | {"components": document()["components"]}
    faults = [
        f"{'/'.join(map(str, fault.absolute_path))}: {fault.message}"
        for fault in Draft202012Validator(whole).iter_errors(value)
    ]
    assert not faults, faults


def _plain(node: Any) -> Any:
    """OpenAPI 3.0's `nullable` in the words of JSON Schema."""
    if isinstance(node, list):
        return [_plain(inner) for inner in node]
    if not isinstance(node, dict):
        return node
    plain = {name: _plain(inner) for name, inner in node.items() if name != "nullable"}
    return {"anyOf": [plain, {"type": "null"}]} if node.get("nullable") is True else plain
