"""Checks as people write them into cases and evals."""

from typing import Literal

from pydantic import JsonValue

from whet.documents.base import Document, Items, Number


class Check(Document):
    """A deterministic check; which fields count depends on its type."""

    id: str | None = None
    type: str
    """One of the installed types: plug-ins bring their own, so the format does not list them."""

    description: str = ""
    pattern: str | None = None
    match: str | None = None
    match_any: Items[str] | None = None
    match_regex: str | None = None
    except_context: Items[str] | None = None
    count: int | None = None
    operator: Literal["==", ">=", "<=", ">", "<"] | None = None
    script: str | None = None
    critical: bool = False
    expected: JsonValue = None
    weight: Number | None = None
