"""Checks of the tools that an agent used."""

import json
from collections.abc import Sequence
from typing import cast

from pydantic import JsonValue

from whet.checkers import fields
from whet.checkers.calls import Calls, calls_of
from whet.checkers.values import contains
from whet.checkers.verdict import failed, listed, passed, shown
from whet.core.check import CheckResult, CheckSpec
from whet.core.counts import counted
from whet.core.tools import PATHS, canonical, canonical_arguments
from whet.ports.checker import Subject

_RIGHT_TOOL = 0.5
"""The score of the right tool with wrong arguments."""


class ToolCalled:
    """The tool was called, however often and with whatever arguments."""

    name = "tool_called"
    version = "2"

    def validate(self, spec: CheckSpec) -> Sequence[str]:
        """See the port."""
        return fields.problems(spec, {"expected": fields.text}, {})

    def check(self, spec: CheckSpec, subject: Subject) -> CheckResult:
        """See the port."""
        tool = cast("str", spec.fields["expected"])
        calls = calls_of(subject)
        if made := calls.of(tool):
            return passed(spec, f"{shown(tool)} was called {counted(len(made), 'time', 'times')}")
        return failed(spec, _not_called(tool, calls))


class ToolArgs:
    """The tool was called with at least the expected arguments in one call."""

    name = "tool_args"
    version = "2"

    def validate(self, spec: CheckSpec) -> Sequence[str]:
        """See the port."""
        expected = fields.members({"tool": fields.text, "args": _arguments})
        return fields.problems(spec, {"expected": expected}, {})

    def check(self, spec: CheckSpec, subject: Subject) -> CheckResult:
        """See the port."""
        expected = cast("dict[str, JsonValue]", spec.fields["expected"])
        tool = cast("str", expected["tool"])
        calls = calls_of(subject)
        made = [dict(arguments) for arguments in calls.of(tool)]
        if not made:
            return failed(spec, _not_called(tool, calls))
        given = cast("dict[str, JsonValue]", expected["args"])
        wanted = canonical_arguments(canonical(tool), given)
        fitting = [arguments for arguments in made if _fits(arguments, wanted)]
        if fitting:
            return passed(spec, f"{shown(tool)} was called with {_told(fitting[0])}")
        wrong = f"{shown(tool)} was called with other arguments: {_told(made[0])}"
        return failed(spec, f"{wrong}; expected {_told(wanted)}", score=_RIGHT_TOOL)


def _fits(made: dict[str, JsonValue], wanted: dict[str, JsonValue]) -> bool:
    """Whether a call has all the arguments; agents may name files from the root on."""
    paths = {name for name in PATHS if isinstance(wanted.get(name), str)}
    rest = {name: value for name, value in wanted.items() if name not in paths}
    return contains(made, rest) and all(_is_path(made.get(one), wanted[one]) for one in paths)


def _is_path(made: JsonValue, wanted: JsonValue) -> bool:
    one, other = (_clean(path) if isinstance(path, str) else None for path in (made, wanted))
    return one is not None and (one == other or (one[:1] == "/" and one.endswith(f"/{other}")))


def _clean(path: str) -> str:
    """A path without what means nothing in it; the folder itself is empty."""
    plain = path.replace("\\", "/").rstrip("/") or path
    while plain.startswith("./"):
        plain = plain[2:].lstrip("/")
    return "" if plain == "." else plain


def _told(arguments: dict[str, JsonValue]) -> str:
    return shown(json.dumps(arguments, ensure_ascii=False))


def _not_called(tool: str, calls: Calls) -> str:
    if calls.malformed:
        return f"format failure: a tool call is malformed: {calls.malformed[0]}"
    return f"{shown(tool)} was not called; called: {listed(calls.names) or 'nothing'}"


def _arguments(value: JsonValue) -> str | None:
    return None if isinstance(value, dict) else "must be an object"
