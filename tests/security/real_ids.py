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
from schemathesis.specs.openapi import checks

THERE: dict[str, Any] = json.loads(Path(os.environ["REAL_IDS"]).read_text())
VALUES: list[tuple[str, str, list[Any]]] = THERE["values"]
FILES: dict[str, tuple[str, str]] = THERE["files"]
ENDLESS = re.compile(r"/v1/(?:runs|projects|experiments|evals|\w+/auto-tag)/\{\w+\}/events")
"""Streams that go on for as long as their subject may change: they are asked for unknown ones."""

REFUSALS: dict[str, tuple[str, ...]] = {
    "a name of nothing that is there": (
        "unknown (engine|judge|exporter)",
        "is no engine",
        "has no models?",
        "no agent has a tool",
        "there is no (call|file)",
    ),
    "a file that is none": (
        "is no (zip|baseline|skill|form|project)",
        "no session log",
        "broken JSON",
        "no UTF-8",
        "cannot be read",
        "is empty$",
        "the form (has no file|is cut off)",
    ),
    "a thing that is there, and of which this cannot be said": (
        "was not imported",
        "nothing to adopt",
        "is there already",
        "say which after a colon",
        "not enough calls",
    ),
    "a letter that a pattern cannot name": (
        "cannot be printed",
        "nobody sees",
        "path separator",
        "name of a device",
        "longer than 100 bytes",
        "ends with a dot",
        "half a character",
    ),
    "two values that fit, and not together": (
        "say different things",
        "leave it out; the skill comes with the upload",
        "name two or more different",
        "need another side",
        "name two questions",
        "says no name",
        "who made it",
    ),
    "what the owner of the machine decides": ("does not send to", "names a program to start"),
    "a number that only JSON Schema calls whole": (r"must be a whole number, found -?\d+\.0",),
    "a check that has not what its kind needs": (r"checks\[\d+\]",),
    "a day that its month does not have": ("is no time; write",),
}
"""Why what fits the contract may be refused, with what the answer says then."""

_REFUSED = re.compile("|".join(phrase for phrases in REFUSALS.values() for phrase in phrases))


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
def what_fits_is_taken(context: Any, response: Any, case: Any) -> None:
    """The check ``positive_data_acceptance`` but for those refusals."""
    if response.status_code == HTTPStatus.BAD_REQUEST:
        detail = str(json.loads(response.content).get("detail"))
        if _REFUSED.search(detail):
            return
    cast(Any, checks).positive_data_acceptance(context, response, case)
