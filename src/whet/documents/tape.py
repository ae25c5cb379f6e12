"""Tapes: the steps of one execution as JSON lines, exact enough to be played again.

The first line says what was tried, each further one is a step. Steps come back as they were,
times included; half a surrogate pair is written as an escape.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from datetime import datetime
from typing import NoReturn

from pydantic import JsonValue, ValidationError
from pydantic_core import to_json

from whet.core.errors import InvalidDocument
from whet.core.failure import Failure
from whet.core.step import Called, Ended, Returned, Said, Spent, Step, Triggered
from whet.core.trial import TrialSpec
from whet.core.usage import Usage
from whet.core.value import Value

FORMAT = "whet-tape"
VERSION = 1
MOST_BYTES = 32 * 1024 * 1024
"""A longer tape is not kept."""

_LARGEST_COUNT = 2**53
_KINDS: dict[type[Step], bytes] = {
    Said: b"said",
    Called: b"called",
    Returned: b"returned",
    Triggered: b"triggered",
    Spent: b"spent",
    Ended: b"ended",
}
_FIELDS = {kind: tuple(field.name for field in fields(kind)) for kind in _KINDS}


def header(spec: TrialSpec) -> bytes:
    """The first line; without neighbours it is as it was before there were any."""
    absent = () if spec.neighbours else ("neighbours",)
    written = _json(spec, *absent)
    return b'{"format":"%s","version":%d,"spec":%s}\n' % (FORMAT.encode(), VERSION, written)


def line(step: Step) -> bytes:
    """A step as one line; raises ``ValueError`` or ``TypeError`` for what is not JSON."""
    if isinstance(step, Spent | Ended):
        checked_usage(step.usage)
    return b'{"type":"%s",%s\n' % (_KINDS[type(step)], _json(step)[1:])


def read(data: bytes, source: str) -> tuple[TrialSpec, tuple[Step, ...]]:
    """What was tried and the steps it took; *source* is the tape's name in error messages."""
    if len(data) > MOST_BYTES:
        raise InvalidDocument(source, "", f"a tape of more than {MOST_BYTES} bytes")
    first, *rest = data.split(b"\n")
    if not rest or rest.pop():
        raise InvalidDocument(source, "", "the tape's end is missing")
    spec = spec_of(_decoded(first, source, 1), source)
    return spec, tuple(_steps(rest, source))


def _json(value: Step | TrialSpec, *absent: str) -> bytes:
    try:
        return to_json(value, exclude=set(absent) or None)
    except ValueError:
        # Half a surrogate pair, or a mapping of another kind: only the slower encoder can.
        names = TrialSpec.model_fields if isinstance(value, TrialSpec) else _FIELDS[type(value)]
        content = {name: getattr(value, name) for name in names if name not in absent}
        return json.dumps(content, default=_plain, allow_nan=False).encode()


def _plain(value: object) -> object:
    match value:
        case datetime():
            return value.isoformat()
        case Value():
            return value.model_dump()
        case Mapping():
            return dict(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        case _:
            raise ValueError(f"{type(value).__name__} is not JSON")


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _decoded(text: bytes, source: str, number: int) -> dict[str, JsonValue]:
    try:
        value: JsonValue = json.loads(text.decode(), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise InvalidDocument(source, f"line {number}", f"broken JSON: {error}") from None
    if not isinstance(value, dict):
        raise InvalidDocument(source, f"line {number}", "must be an object")
    return value


def spec_of(first: Mapping[str, JsonValue], source: str) -> TrialSpec:
    """What was tried, by the first line; raises ``InvalidDocument``."""
    version = first.get("version")
    if first.get("format") != FORMAT or type(version) is not int:
        raise InvalidDocument(source, "line 1", "this is no tape")
    if version > VERSION:
        raise InvalidDocument(
            source, "line 1", f"a newer whet made it (version {version}); update whet"
        )
    try:
        return TrialSpec.model_validate(first.get("spec"))
    except ValidationError as error:
        found = error.errors()[0]
        where = ".".join(["spec", *map(str, found["loc"])])
        raise InvalidDocument(source, f"line 1: {where}", found["msg"]) from None


def _steps(lines: list[bytes], source: str) -> Iterator[Step]:
    for number, text in enumerate(lines, start=2):
        data = _decoded(text, source, number)
        try:
            yield step_of(data)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            reason = f"is no step: {error}"
            raise InvalidDocument(source, f"line {number}", reason) from None


def step_of(data: Mapping[str, JsonValue]) -> Step:
    """The step of a line; raises ``KeyError``, ``TypeError``, ``ValueError``, ``OverflowError``."""
    at = datetime.fromisoformat(_text(data, "at"))
    match data.get("type"):
        case "said":
            return Said(at, _text(data, "text"))
        case "called":
            params = data["params"]
            if not isinstance(params, dict):
                raise TypeError("params must be an object")
            tool = _text(data, "tool")
            about = _maybe(data, "description"), _maybe(data, "parent")
            return Called(at, _text(data, "call_id"), tool, params, *about)
        case "returned":
            output = _text(data, "output"), _maybe(data, "display")
            return Returned(at, _text(data, "call_id"), _flag(data, "ok"), *output)
        case "triggered":
            return Triggered(at, _text(data, "skill"))
        case "spent":
            return Spent(at, _usage(data))
        case "ended":
            return _ended(at, data)
        case kind:
            raise ValueError(f"unknown type {str(kind)[:40]!r}")


def _ended(at: datetime, data: Mapping[str, JsonValue]) -> Ended:
    failure = _maybe(data, "failure")
    return Ended(
        at=at,
        answer=_text(data, "answer"),
        usage=_usage(data),
        failure=None if failure is None else Failure(failure),
        error=_maybe(data, "error"),
        conversation=_maybe(data, "conversation"),
        model=_maybe(data, "model"),
        cut=_flag(data, "cut"),
        simulated=_flag(data, "simulated"),
    )


def _text(data: Mapping[str, JsonValue], name: str) -> str:
    value = data[name]
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string")
    return value


def _maybe(data: Mapping[str, JsonValue], name: str) -> str | None:
    return None if data[name] is None else _text(data, name)


def _flag(data: Mapping[str, JsonValue], name: str) -> bool:
    value = data[name]
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be true or false")
    return value


def _usage(data: Mapping[str, JsonValue]) -> Usage:
    return checked_usage(Usage.model_validate(data["usage"]))


def checked_usage(usage: Usage) -> Usage:
    """*usage* if its numbers can be; what came from elsewhere may say anything."""
    counts = dict(usage)
    cost = counts.pop("cost_usd")
    if not all(0 <= count <= _LARGEST_COUNT for count in counts.values()):
        raise ValueError("a number of tokens is out of range")
    if cost is not None and not 0 <= cost <= _LARGEST_COUNT:
        raise ValueError("the cost is out of range")
    return usage
