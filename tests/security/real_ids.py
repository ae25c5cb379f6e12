"""Hooks of Schemathesis: requests are about things that are there, three times in four, and what
fits the contract is taken, unless it is refused for a reason that no contract can state.

The program loads this file by ``SCHEMATHESIS_HOOKS``; ``REAL_IDS`` names a file with what is there:
``{"values": [[beginning of a path, name, values], …], "files": {path: [file name, its bytes in
hexadecimal]}}``. A name is that of a parameter, or of a field of the body; the value null takes it
away.
"""

import json
import os
import re
from http import HTTPStatus
from pathlib import Path
from typing import Any, cast
from zlib import crc32

import schemathesis
from schemathesis.core.parameters import ParameterLocation

THERE: dict[str, Any] = json.loads(Path(os.environ["REAL_IDS"]).read_text())
VALUES: list[tuple[str, str, list[Any]]] = THERE["values"]
FILES: dict[str, tuple[str, str]] = THERE["files"]
ENDLESS = re.compile(r"/v1/(?:runs|projects|experiments|evals|\w+/auto-tag)/\{\w+\}/events")
"""Streams that go on for as long as their subject may change: they are asked for unknown ones."""

_LIBRARY = r"(GET|POST|PUT|PATCH|DELETE) /v1/(skills|baselines)/\{reference\}.*"
_WRITTEN = r"(POST|PATCH|PUT) /v1/(skills|baselines)(/(import|generate|\{reference\}.*))?"
_ASKS_AN_AGENT = (
    r"POST /v1/((skills|baselines)/(auto-tag|generate|suggest-purpose)|projects|experiments"
    r"|evals|evals/plan|evaluation/(runs|plan)|jobs|job-batches)|PUT /v1/config"
    r"|POST /wunder/admin/evaluation/start"
)
_TAKES_A_FILE = (
    r"POST /v1/((skills|baselines|projects|sessions|workspace)/import|skills/lint"
    r"|skill-packages/install)|PUT /v1/skills/\{reference\}/package"
    r"|POST /v1/jobs/\{request_id\}/(upload|interaction/reply/files)"
)
_REPLIES = r"POST /v1/(jobs|management/runs)/\{request_id\}/(interaction/)?reply"

REFUSALS: dict[str, tuple[tuple[str, str], ...]] = {
    "a name of nothing that is there": (
        (_ASKS_AN_AGENT, "unknown (engine|judge)|is no engine|has no models?|no agent has a tool"),
        (r".* /v1/sessions/\{reference\}/annotations.*", "there is no call"),
        (r"GET /v1/evaluation/coverage", "has no cases in"),
        (r"PUT /v1/evals/\{identity\}/runs/\{run_id\}/review", "no dimension "),
    ),
    "the beginning of several names": ((_LIBRARY, "is several (skills|baselines)"),),
    "a file that is none": (
        (
            _TAKES_A_FILE,
            (
                "is no (zip|baseline|skill|form|project|package)|no session log|broken JSON"
                "|no UTF-8|cannot be read|is empty$|the form (has no file|is cut off)"
            ),
        ),
    ),
    "a thing that is there, and of which this cannot be said": (
        (r"DELETE /v1/sessions/\{reference\}", "was not imported"),
        (r"POST /v1/(skills|baselines)/\{reference\}/adopt", "nothing to adopt"),
        (r"POST /v1/(skills|baselines)/\{reference\}/tags", "is there already"),
        (r"GET /v1/projects/compare", "say which after a colon"),
        (r"GET /v1/skills/\{reference\}/pack", "has (a|[0-9]+) mistakes?:"),
    ),
    "a path that leads away": (
        (r"GET /v1/management/runs/\{request_id\}/file", "must stay inside the run"),
    ),
    "a letter that a pattern cannot name": (
        (
            _WRITTEN,
            (
                "cannot be printed|nobody sees|path separator|name of a device|ends with a dot"
                "|half a character"
            ),
        ),
        (r"POST /v1/(jobs|job-batches)", "characters that can be printed"),
    ),
    "two values that fit, and not together": (
        (
            r"POST /v1/jobs",
            "say different things|leave it out; the skill comes with the upload|name a skill, or",
        ),
        (r"GET /v1/evaluation/.*", "name two or more different"),
        (r"POST /v1/evaluation/(runs|plan)|POST /wunder/admin/evaluation/start", "given twice"),
        (r"POST /v1/evals(/plan)?", "need another side"),
        (_REPLIES, "name two questions"),
        (r"POST /v1/skills", "says no name"),
        (r".* /v1/sessions/\{reference\}/annotations.*", "who made it"),
        (r"GET /v1/leaderboard", "a page has at most"),
    ),
    "what the owner of the machine decides": (
        (r"POST /v1/(jobs|job-batches|sessions/\{reference\}/export/otlp)", "does not send to"),
        (r"POST /v1/sessions/\{reference\}/export/otlp", "an endpoint is like"),
        (r"PUT /v1/config", "names a program to start"),
    ),
    "a number that only JSON Schema calls whole": (
        (r"(POST|PUT|PATCH) .*", r"must be a whole number, found -?\d+\.0"),
        (
            r"PUT /v1/evals/\{identity\}/runs/\{run_id\}/review",
            r"^scores\..*: Input should be a valid integer",
        ),
    ),
    "a check or a rubric that has not what its kind needs": (
        (_WRITTEN, r"checks\[\d+\]|rubric(: |\.dimensions)"),
    ),
    "a day that its month does not have": ((r"GET /v1/.*|GET /wunder/.*", "is no time; write"),),
}
"""Why what fits the contract may be refused, by which operations, with what the answer says."""

_ALLOWED = [
    (re.compile(operations), re.compile(phrases))
    for pairs in REFUSALS.values()
    for operations, phrases in pairs
]
_MISUNDERSTOOD = (HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY)
_OF_ITS_SUBJECT = (HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT, HTTPStatus.TOO_MANY_REQUESTS)
"""Of things that are not there, or not so far; where the contract names them."""


def _may_be_refused(operation: str, detail: str) -> bool:
    return any(who.fullmatch(operation) and why.search(detail) for who, why in _ALLOWED)


def _real(path: str, name: str) -> list[Any]:
    fitting = [
        (len(start), values)
        for start, of, values in VALUES
        if of == name and path.startswith(start)
    ]
    return max(fitting, key=lambda one: one[0])[1] if fitting else []


def _is_broken(case: Any, where: ParameterLocation) -> bool:
    """Whether that part was made wrong on purpose."""
    about = case.meta and case.meta.components.get(where)
    return bool(about and about.mode.is_negative)


def _put(path: str, found: dict[str, Any], chosen: int) -> None:
    """Put what is there in place of what was made up."""
    for name in list(found):
        values = _real(path, name)
        if values and chosen % 4:
            found[name] = values[chosen // 4 % len(values)]
            if found[name] is None:
                del found[name]


@cast(Any, schemathesis).hook
def before_call(_context: schemathesis.HookContext, case: Any, kwargs: Any) -> None:
    """Ask for what is there."""
    del kwargs
    path: str = case.operation.path
    made = repr((case.path_parameters, case.body, case.query))
    chosen = crc32(made.encode(errors="replace"))
    parts = (
        (ParameterLocation.PATH, case.path_parameters),
        (ParameterLocation.QUERY, case.query),
        (ParameterLocation.BODY, case.body),
    )
    for where, found in parts:
        is_endless = where == ParameterLocation.PATH and ENDLESS.fullmatch(path)
        if isinstance(found, dict) and not is_endless and not _is_broken(case, where):
            _put(path, cast("dict[str, Any]", found), chosen)
    is_file = isinstance(case.body, bytes | str) and not _is_broken(case, ParameterLocation.BODY)
    if path in FILES and is_file and chosen % 4:
        name, data = FILES[path]
        case.body = bytes.fromhex(data)
        if case.query and "filename" in case.query:
            case.query["filename"] = name


@cast(Any, schemathesis).check
def what_fits_is_taken(_context: Any, response: Any, case: Any) -> None:
    """In place of ``positive_data_acceptance``, which takes 401, 403 and 5xx for an answer, and 404
    and 409 from every operation."""
    status: int = response.status_code
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        return
    named = case.operation.definition.raw["responses"]
    if status in _OF_ITS_SUBJECT and str(status) in named:
        return
    operation = f"{case.operation.method.upper()} {case.operation.path}"
    detail = response.content.decode(errors="replace")[:2000]
    if status in _MISUNDERSTOOD and _may_be_refused(operation, _detail(detail)):
        return
    raise AssertionError(f"{operation} refused with {status} what fits the contract: {detail}")


def _detail(text: str) -> str:
    try:
        return str(json.loads(text)["detail"])
    except (ValueError, KeyError, TypeError):
        return text
