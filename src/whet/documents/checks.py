"""Checks as people write them into cases and evals."""

from typing import Literal

from pydantic import JsonValue

from whet.documents.base import Document, Items, Number

CheckType = Literal[
    "file_exists",
    "file_contains",
    "file_not_contains",
    "file_count",
    "no_errors",
    "custom_script",
    "choice",
    "exact",
    "regex",
    "contains",
    "tool_called",
    "tool_args",
    "json_schema",
    "json_contains",
    "skill_triggered",
    "max_cost",
    "max_duration",
]


class Check(Document):
    """A deterministic check; which fields count depends on its type."""

    id: str | None = None
    type: CheckType
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
