"""Which statuses of errors each operation may answer, for the contract.

Most follow from what an operation is asked with. The tables name those that differ.
"""

from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Any

from whet.server.sent import is_read_as_document

_TOKEN = {"type": "http", "scheme": "bearer"}
_READING = ("get", "head")
_CHECKED_LATER = frozenset(
    {"type", "title", "description", "default", "pattern", "format", "anyOf"}
)
"""Of the schema of a parameter that every text fits; what its pattern says is checked later."""

_OF_ALL = (HTTPStatus.FORBIDDEN, HTTPStatus.INTERNAL_SERVER_ERROR, HTTPStatus.SERVICE_UNAVAILABLE)

READS_NO_FILE = frozenset(
    {
        "get /v1/health",
        "get /v1/events",
        "get /v1/index",
        "get /v1/engines",
        "get /v1/jobs",
        "get /v1/jobs/{request_id}",
        "get /v1/jobs/{request_id}/artifacts",
        "get /v1/jobs/{request_id}/events",
        "get /v1/jobs/{request_id}/events/history",
        "get /v1/jobs/{request_id}/interaction/pending",
        "get /v1/jobs/{request_id}/logs",
        "get /v1/jobs/{request_id}/result",
        "get /v1/jobs/{request_id}/wait",
        "get /v1/management/engines",
        "get /v1/management/runs",
        "get /v1/management/runs/{request_id}",
        "get /v1/management/runs/{request_id}/events",
        "get /v1/management/runs/{request_id}/files",
        "get /v1/management/runs/{request_id}/pending",
    }
)
"""Operations that never answer 400: they look into no file of the workspace, which may be broken,
and take nothing that has to be understood."""

LOOKS_UP = frozenset(
    {
        "post /v1/jobs",
        "post /v1/job-batches",
        "post /v1/projects",
        "get /v1/projects/compare",
        "post /v1/runs",
        "post /v1/evals",
        "post /v1/evals/plan",
        "post /v1/evaluation/runs",
        "post /v1/evaluation/plan",
        "get /v1/evaluation/compare",
        "get /v1/evaluation/coverage",
        "get /v1/evaluation/stability",
        "post /wunder/admin/evaluation/start",
        "post /v1/skills/auto-tag",
        "post /v1/baselines/auto-tag",
        "get /v1/leaderboard",
        "get /v1/leaderboard/export",
        "get /v1/sessions/compare",
    }
)
"""Operations that answer 404 for a name which is not in their path."""

CONFLICTS_READING = frozenset(
    {
        "get /v1/jobs/{request_id}/artifacts/{artifact_path}",
        "get /v1/jobs/{request_id}/bundle",
        "get /v1/jobs/{request_id}/bundle/debug",
        "get /v1/jobs/{request_id}/result",
        "get /v1/jobs/{request_id}/session",
    }
)
"""Operations that change nothing and answer 409: they show what is only there at the end."""

NEVER_CONFLICTS = frozenset(
    {
        "post /v1/baselines",
        "post /v1/baselines/generate",
        "post /v1/baselines/import",
        "post /v1/baselines/suggest-purpose",
        "put /v1/config",
        "post /v1/demo",
        "post /v1/evals/plan",
        "post /v1/evaluation/plan",
        "post /v1/index",
        "post /v1/jobs/cleanup",
        "post /v1/sessions/import",
        "post /v1/sessions/{reference}/export/otlp",
        "post /v1/skills",
        "post /v1/skills/import",
        "post /v1/skills/import-installed",
        "post /v1/skills/lint",
        "post /v1/skills/suggest-purpose",
        "post /v1/workspace/import",
    }
)
"""Operations that are no GET and never answer 409: they only add, replace or work something out."""

TAKES_TURNS = frozenset(
    {"post /v1/jobs", "post /v1/job-batches", "post /v1/jobs/{request_id}/upload"}
)
"""Operations that answer 429 where too much waits already."""


def with_statuses(
    plain: Callable[[], dict[str, Any]], *, has_token: bool
) -> Callable[[], dict[str, Any]]:
    """The contract with every status of an error that an operation may answer, and with the token
    where one is needed."""

    def openapi() -> dict[str, Any]:
        contract = plain()
        if has_token:
            contract["components"]["securitySchemes"] = {"token": _TOKEN}
            contract["security"] = [{"token": []}]
        named = contract["components"].setdefault("responses", {})
        for path, operations in contract["paths"].items():
            for method, operation in operations.items():
                described = operation["responses"].pop("default", None)
                if described is None:  # done before
                    continue
                found = [*_statuses(f"{method} {path}", operation)]
                if has_token:
                    found.append(HTTPStatus.UNAUTHORIZED)
                for status in sorted(found):
                    name = status.phrase.replace(" ", "")
                    named[name] = {**described, "description": status.phrase}
                    reference = {"$ref": f"#/components/responses/{name}"}
                    operation["responses"].setdefault(str(status.value), reference)
        return contract

    return openapi


def _statuses(name: str, operation: dict[str, Any]) -> Iterator[HTTPStatus]:
    """The statuses of errors of one operation, without that of a missing token."""
    yield from _OF_ALL
    body = operation.get("requestBody")
    if name not in READS_NO_FILE:
        yield HTTPStatus.BAD_REQUEST
    if "{" in name or name in LOOKS_UP:
        yield HTTPStatus.NOT_FOUND
    if _can_conflict(name):
        yield HTTPStatus.CONFLICT
    if body is not None:
        yield HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    if _is_checked_first(body) or any(map(_can_be_wrong, operation.get("parameters", ()))):
        yield HTTPStatus.UNPROCESSABLE_ENTITY
    kinds = {kind for each in operation["responses"].values() for kind in each.get("content", ())}
    if "text/event-stream" in kinds or name in TAKES_TURNS:
        yield HTTPStatus.TOO_MANY_REQUESTS


def _can_conflict(name: str) -> bool:
    if name.startswith(_READING):
        return name in CONFLICTS_READING
    return name not in NEVER_CONFLICTS


def _is_checked_first(body: dict[str, Any] | None) -> bool:
    """Whether a body is held against its schema before anybody reads it."""
    content = (body or {}).get("content", {}).get("application/json")
    return content is not None and not is_read_as_document(content["schema"])


def _can_be_wrong(parameter: dict[str, Any]) -> bool:
    """Whether a parameter can be missing, or have a value of the wrong kind."""
    is_text = _is_any_text(parameter["schema"])
    return not is_text or (parameter["in"] != "path" and parameter.get("required", False))


def _is_any_text(schema: dict[str, Any]) -> bool:
    if not _CHECKED_LATER.issuperset(schema):
        return False
    either = schema.get("anyOf", [])
    return schema.get("type", "string") in ("string", "null") and all(map(_is_any_text, either))
