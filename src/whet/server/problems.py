"""Errors over HTTP: RFC 9457 problem documents with a stable ``code``."""

import asyncio
import re
from collections.abc import Mapping
from functools import cache
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import JsonValue
from pydantic_core import ErrorDetails
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from whet.core.errors import (
    ConfirmationNeeded,
    Conflict,
    ConsentNeeded,
    Draining,
    EnvironmentProblem,
    InvalidSuite,
    NotFound,
    NotHigher,
    QueueFull,
    UsageError,
    WhetError,
)
from whet.core.value import Value
from whet.server.encoding import Json
from whet.server.sent import shape

STATUS: tuple[tuple[type[WhetError], HTTPStatus], ...] = (
    (NotFound, HTTPStatus.NOT_FOUND),
    (Conflict, HTTPStatus.CONFLICT),
    (ConfirmationNeeded, HTTPStatus.CONFLICT),
    (NotHigher, HTTPStatus.CONFLICT),
    (ConsentNeeded, HTTPStatus.FORBIDDEN),
    (UsageError, HTTPStatus.BAD_REQUEST),
    (QueueFull, HTTPStatus.TOO_MANY_REQUESTS),
    (Draining, HTTPStatus.SERVICE_UNAVAILABLE),
    (EnvironmentProblem, HTTPStatus.SERVICE_UNAVAILABLE),
)


MEDIA_TYPE = "application/problem+json"


class Problem(Value):
    """What went wrong, for people and, by its ``code``, for programs."""

    type: str = "about:blank"
    title: str
    status: int
    code: str
    detail: str
    problems: tuple[str, ...] | None = None
    """Every mistake, where there may be several."""

    expected: str | None = None
    actual: str | None = None
    """Of a conflict: what the request was meant for, and what is there."""


RESPONSES: dict[int | str, dict[str, JsonValue]] = {
    "default": {
        "description": "A problem document.",
        "content": {MEDIA_TYPE: {"schema": shape(Problem)}},
    }
}
"""How an error is described, until the contract names each status."""


def problem(
    status: HTTPStatus,
    code: str,
    detail: str,
    headers: Mapping[str, str] | None = None,
    more: Mapping[str, object] | None = None,
) -> JSONResponse:
    """One problem document; what it has *more* than others stands beside the rest."""
    fields = {"title": status.phrase, "status": status.value, "code": code, "detail": detail}
    content = Problem.model_validate({**fields, **(more or {})}).model_dump(exclude_none=True)
    return Json(content, status.value, dict(headers or {}), media_type=MEDIA_TYPE)


def install(api: FastAPI) -> None:
    """Answer every error with a problem document."""

    async def ours(_request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, WhetError)
        found = (status for kind, status in STATUS if isinstance(error, kind))
        status = next(found, HTTPStatus.INTERNAL_SERVER_ERROR)
        return problem(status, error.code, str(error), more=_more(error))

    async def invalid(_request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        detail = "; ".join(_complaint(each) for each in error.errors())
        return problem(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid_request", detail)

    async def http(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        status = HTTPStatus(error.status_code)
        headers = error.headers
        if status == HTTPStatus.METHOD_NOT_ALLOWED:
            headers = await asyncio.to_thread(_allowed, api, request.url.path) or headers
        return problem(status, status.name.lower(), str(error.detail), headers)

    async def gone(_request: Request, _error: Exception) -> JSONResponse:
        # Nobody hears this. Without it the server's log would tell of a fault.
        return problem(HTTPStatus.BAD_REQUEST, "hung_up", "the client hung up")

    async def unexpected(_request: Request, _error: Exception) -> JSONResponse:
        detail = "this is a fault of the server; its log says more"
        return problem(HTTPStatus.INTERNAL_SERVER_ERROR, "internal", detail)

    api.add_exception_handler(Exception, unexpected)
    api.add_exception_handler(WhetError, ours)
    api.add_exception_handler(ClientDisconnect, gone)
    api.add_exception_handler(RequestValidationError, invalid)
    api.add_exception_handler(HTTPException, http)


def _allowed(api: FastAPI, path: str) -> dict[str, str]:
    """All methods of a path; the framework names only those of the first route that fits. Of the
    paths that fit, the one with the fewest parameters counts."""
    paths: dict[str, dict[str, object]] = api.openapi()["paths"]
    fitting = [each for each in paths if path_pattern(each).fullmatch(path)]
    if not fitting:
        return {}
    chosen = min(fitting, key=lambda each: each.count("{"))
    return {"allow": ", ".join(sorted(method.upper() for method in paths[chosen]))}


@cache
def path_pattern(path: str) -> re.Pattern[str]:
    """What a path of the contract looks like in a request."""
    parts = re.split(r"(\{\w+\})", path)
    made = (
        ("(?s:.+)" if part == "{artifact_path}" else "[^/]+")
        if part[:1] == "{"
        else re.escape(part)
        for part in parts
    )
    return re.compile("".join(made))


def _more(error: WhetError) -> dict[str, object]:
    if isinstance(error, InvalidSuite):
        return {"problems": error.problems}
    if isinstance(error, NotHigher):
        return {"expected": f"higher than {error.installed}", "actual": error.uploaded}
    if isinstance(error, Conflict):
        return {"expected": str(error.expected), "actual": str(error.actual)}
    return {}


def _complaint(error: ErrorDetails) -> str:
    where, *place = error["loc"]
    if error["type"] == "json_invalid":
        return f"{where}: broken JSON: {error.get('ctx', {}).get('error')}"
    return f"{'.'.join(map(str, place)) or where}: {error['msg']}"
