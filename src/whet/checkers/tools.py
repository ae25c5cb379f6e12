"""Checks of the tools that an agent used."""

from collections.abc import Sequence
from typing import cast

from pydantic import JsonValue

from whet.checkers import fields
from whet.checkers.calls import Calls, calls_of
from whet.checkers.values import contains
from whet.checkers.verdict import failed, listed, passed, shown
from whet.core.check import CheckResult, CheckSpec
from whet.ports.checker import Subject

_RIGHT_TOOL = 0.5
"""The score of the right tool with wrong arguments."""


class ToolCalled:
    """The tool was called, however often and with whatever arguments."""

    name = "tool_called"
    version = "1"

    def validate(self, spec: CheckSpec) -> Sequence[str]:
        """See the port."""
        return fields.problems(spec, {"expected": fields.text}, {})

    def check(self, spec: CheckSpec, subject: Subject) -> CheckResult:
        """See the port."""
        tool = cast("str", spec.fields["expected"])
        calls = calls_of(subject)
        if made := calls.of(tool):
            return passed(spec, f"{shown(tool)} was called {len(made)} times")
        return failed(spec, _not_called(tool, calls))


class ToolArgs:
    """The tool was called with at least the expected arguments in one call."""

    name = "tool_args"
    version = "1"

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
        fitting = [arguments for arguments in made if contains(arguments, expected["args"])]
        if fitting:
            return passed(spec, f"{shown(tool)} was called with {shown(str(fitting[0]))}")
        wrong = f"{shown(tool)} was called with other arguments: {shown(str(made[0]))}"
        return failed(spec, wrong, score=_RIGHT_TOOL)


def _not_called(tool: str, calls: Calls) -> str:
    if calls.malformed:
        return f"format failure: a tool call is malformed: {calls.malformed[0]}"
    return f"{shown(tool)} was not called; called: {listed(calls.names) or 'nothing'}"


def _arguments(value: JsonValue) -> str | None:
    return None if isinstance(value, dict) else "must be an object"
