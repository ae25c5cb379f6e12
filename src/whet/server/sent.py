"""Bodies that are documents of a format: read as such, so that what is wrong is named by its place.

FastAPI would read them too, but knows nothing of older shapes and unknown keys, and its messages
speak of types of Python.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from fastapi import Depends, FastAPI, Request
from pydantic import BaseModel, JsonValue

from whet.core.errors import UsageError
from whet.documents.base import Document
from whet.documents.text import parse_untrusted

D = TypeVar("D", bound=Document)

REFERENCE = "#/components/schemas/{model}"
"""How the contract refers to a shape."""

_kinds: dict[str, type[BaseModel]] = {}


def sent(kind: type[D]) -> Any:
    """A parameter that is the body of the request."""

    async def read(request: Request) -> D:
        media = request.headers.get("content-type", "application/json").partition(";")[0]
        if media.strip().lower() not in ("application/json", "text/json"):
            raise UsageError(f"send JSON, with content-type: application/json, not {media[:80]!r}")
        data: JsonValue = parse_untrusted(await request.body(), "body")
        return kind.parse(data, "body")

    return Depends(read)


def describes(kind: type[Document]) -> dict[str, Any]:
    """How the contract describes such a body."""
    content = {"application/json": {"schema": shape(kind)}}
    return {"requestBody": {"required": True, "content": content}}


def is_read_as_document(schema: Mapping[str, JsonValue]) -> bool:
    """Whether a schema of the contract is that of such a body."""
    return schema.get("$ref") in {REFERENCE.format(model=name) for name in _kinds}


def shape(kind: type[BaseModel]) -> dict[str, JsonValue]:
    """How the contract refers to a shape, which it then describes once."""
    _kinds[kind.__name__] = kind
    return {"$ref": REFERENCE.format(model=kind.__name__)}


def with_bodies(api: FastAPI) -> Callable[[], dict[str, Any]]:
    """The contract of *api* with the shapes of these bodies."""
    plain = api.openapi

    def openapi() -> dict[str, Any]:
        contract = plain()
        shapes = contract.setdefault("components", {}).setdefault("schemas", {})
        for name, kind in _kinds.items():
            outer = kind.model_json_schema(ref_template=REFERENCE)
            for inner, described in {**outer.pop("$defs", {}), name: outer}.items():
                shapes.setdefault(inner, described)
        return contract

    return openapi
