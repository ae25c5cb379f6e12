"""Checks of JSON in a file or in the answer."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from pydantic import JsonValue

from whet.checkers import bounded, fields
from whet.checkers.blocks import said
from whet.checkers.bounded import SECONDS, TookTooLong
from whet.checkers.search import as_text
from whet.checkers.values import NotJson, contains, read, read_answer
from whet.checkers.verdict import decided, failed, passed, shown
from whet.core.check import CheckResult, CheckSpec
from whet.core.sized_cache import sized_cache
from whet.ports.checker import Subject

_SCRIPT = (sys.executable, "-I", str(Path(__file__).with_name("schema.py")))
_MAY_TAKE_LONG = {"pattern", "patternProperties", "uniqueItems", "$ref", "$dynamicRef"}


class JsonSchema:
    """The JSON at the path, or the answer without one, fits the schema."""

    name = "json_schema"
    version = "1"

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds

    def validate(self, spec: CheckSpec) -> Sequence[str]:
        """See the port."""
        expected = fields.members({"schema": _schema}, {"path": fields.path})
        return fields.problems(spec, {"expected": expected}, {})

    def check(self, spec: CheckSpec, subject: Subject) -> CheckResult:
        """See the port."""
        expected = cast("dict[str, JsonValue]", spec.fields["expected"])
        schema = cast("dict[str, JsonValue]", expected["schema"])
        try:
            found = _complaints(schema, _value(expected, subject), self._seconds)
        except NotJson as error:
            return failed(spec, shown(str(error), 200))
        except TookTooLong:
            reason = "the schema took too long on this value; make it simpler"
            return failed(spec, reason, error=reason)
        if not found:
            return passed(spec, "It fits the schema")
        return failed(spec, "; ".join(shown(one, 200) for one in found))


class JsonContains:
    """The JSON at the path, or the answer without one, has what is required."""

    name = "json_contains"
    version = "1"

    def validate(self, spec: CheckSpec) -> Sequence[str]:
        """See the port."""
        expected = fields.members({"required": fields.anything}, {"path": fields.path})
        return fields.problems(spec, {"expected": expected}, {})

    def check(self, spec: CheckSpec, subject: Subject) -> CheckResult:
        """See the port."""
        expected = cast("dict[str, JsonValue]", spec.fields["expected"])
        try:
            value = _value(expected, subject)
        except NotJson as error:
            return failed(spec, shown(str(error), 200))
        good = contains(value, expected["required"])
        return decided(spec, f"It is {shown(str(value))}", good=good)


def _value(expected: dict[str, JsonValue], subject: Subject) -> JsonValue:
    """What is to be checked; raises ``NotJson``."""
    path = expected.get("path")
    if not isinstance(path, str):
        where, text = "the answer", said(subject.record.answer)
    elif path in subject.outputs:
        where, text = path, as_text(subject.outputs[path]).removeprefix("\ufeff")
    else:
        raise NotJson(f"No file is at {path}")
    try:
        return read_answer(text) if where == "the answer" else read(text)
    except NotJson as error:
        raise NotJson(f"{where} is no JSON: {error}") from None


def _complaints(schema: dict[str, JsonValue], value: JsonValue, seconds: float) -> list[str]:
    if _may_take_long(schema):
        question: dict[str, JsonValue] = {"schema": schema, "value": value}
        return cast("list[str]", bounded.answer(_SCRIPT, question, seconds))
    from whet.checkers.schema import complaints

    return complaints(schema, value)


def _may_take_long(schema: JsonValue) -> bool:
    """Whether some value could make the schema slow: all but plain keywords may."""
    waiting = [schema]
    while waiting:
        match waiting.pop():
            case dict() as node:
                if not _MAY_TAKE_LONG.isdisjoint(node):
                    return True
                waiting += node.values()
            case list() as items:
                waiting += items
            case _:
                pass
    return False


def _schema(value: JsonValue) -> str | None:
    try:
        return _mistake(json.dumps(value))
    except RecursionError:
        return "is nested too deeply"


@sized_cache(4 * 1024 * 1024)
def _mistake(text: str) -> str | None:
    """Many cases may have one schema, and checking it takes ten milliseconds."""
    from whet.checkers.schema import mistake

    return mistake(json.loads(text))
