"""Errors over HTTP: RFC 9457 problem documents with a stable ``code``."""

from collections.abc import Mapping
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
    (UsageError, HTTPStatus.BAD_REQUEST),
    (QueueFull, HTTPStatus.TOO_MANY_REQUESTS),
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
"""How the contract describes every error."""


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

    async def http(_request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        status = HTTPStatus(error.status_code)
        code = status.name.lower()
        return problem(status, code, str(error.detail), error.headers)

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
