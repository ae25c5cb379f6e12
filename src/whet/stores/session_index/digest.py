"""What the index takes out of a session log: what lists show, and the words that can be found.

A log may be anybody's, so every value is looked at before it is believed. What is taken is bounded,
however large the log is. Outputs of tools are left out: they are most of a log, and hide what the
agent did. What they are shown as, and what went wrong, is in.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, cast

from pydantic import JsonValue

from whet.core.errors import InvalidDocument
from whet.core.text import storable
from whet.core.tools import PATHS, canonical, canonical_arguments

MOST_CALLS = 10_000
"""Calls that can be found, of one session."""

MOST_TEXT = 200_000
"""Characters of all of them together."""

MOST_SAID = 50_000
"""Characters of what the agent said."""

MOST_PROMPT = 20_000
PREVIEW = 200
_EACH, _ERROR, _SHOWN = 400, 300, 120
_DEEPEST = 4
_STATUSES = ("success", "failed", "in_progress")

Data = Mapping[str, JsonValue]


class CallText(NamedTuple):
    """A call, and the words that it can be found by."""

    place: int
    call_id: str
    tool: str
    failed: bool
    file: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Digest:
    """A session, as much of it as the index has."""

    entry: dict[str, JsonValue]
    """The fields of an entry that the log itself tells."""

    run: str | None
    """The run of the job that it belongs to."""

    scope: str | None
    prompt: str
    said: str
    calls: tuple[CallText, ...]


def digest(data: JsonValue, source: str) -> Digest:
    """Look at a session log; raises ``InvalidDocument``."""
    if not isinstance(data, dict):
        raise InvalidDocument(source, "", "must be an object")
    calls = data.get("tool_calls")
    if not isinstance(calls, list):
        raise InvalidDocument(source, "tool_calls", "is missing; import the log to have it mended")
    given = [cast(Data, call) for call in calls if isinstance(call, dict)]
    run = _text(data.get("run_id"))
    scope = _text(data.get("trial_scope"))
    if scope is not None and scope.startswith("job/"):
        run = scope.removeprefix("job/")
    return Digest(
        entry=_entry(data, given, source),
        run=run,
        scope=scope,
        prompt=(_text(data.get("user_prompt")) or "")[:MOST_PROMPT],
        said=_said(data),
        calls=tuple(_calls(given)),
    )


def _entry(data: Data, calls: list[Data], source: str) -> dict[str, JsonValue]:
    session_id = _text(data.get("session_id"))
    if not session_id:
        raise InvalidDocument(source, "session_id", "is missing")
    summary = _object(data.get("summary"))
    as_read = _object(data.get("as_read"))
    status = data.get("status")
    skills = data.get("skills_used")
    return {
        "session_id": session_id[:PREVIEW],
        "title": (_text(data.get("task_title")) or "")[:PREVIEW],
        "prompt": " ".join((_text(data.get("user_prompt")) or "")[: 2 * PREVIEW].split())[:PREVIEW],
        "status": status if status in _STATUSES else "in_progress",
        "engine": _short(data.get("engine")),
        "model": _short(_object(data.get("agent")).get("model_id")),
        "created_at": _short(data.get("created_at")) or "",
        "completed_at": _short(data.get("completed_at")) or "",
        "duration_ms": _number(summary.get("total_duration_ms")) or 0,
        "calls": len(calls),
        "failed": sum(_failed(call) for call in calls),
        "input_tokens": _count(data.get("input_tokens")),
        "output_tokens": _count(data.get("output_tokens")),
        "cost_usd": _number(data.get("cost_usd")),
        "simulated": flag if isinstance(flag := data.get("simulated"), bool) else None,
        "skills": [*(one[:PREVIEW] for one in _texts(skills)[:20])],
        "trial_address": _short(data.get("trial_address")),
        "request_id": _short(data.get("request_id")),
        "source_file": _short(data.get("source_file")),
        "source_format": _short(data.get("source_format")),
        "source_digest": _short(data.get("source_digest")),
        "original_id": _short(as_read.get("session_id")),
    }


def _calls(calls: list[Data]) -> Iterator[CallText]:
    left = MOST_TEXT
    for index, call in enumerate(calls[:MOST_CALLS]):
        tool = canonical(_text(call.get("tool_name")) or "")[:PREVIEW]
        params = _object(_object(call.get("input")).get("params"))
        text = _call_text(call, params)[:left] if left > 0 else ""
        left -= len(text)
        name = (_text(call.get("call_id")) or "")[:PREVIEW]
        yield CallText(index, name, tool, _failed(call), _file(tool, params), text)


def _call_text(call: Data, params: Data) -> str:
    given, output = _object(call.get("input")), _object(call.get("output"))
    parts = [
        " ".join(_strings(params, _EACH))[:_EACH],
        (_text(given.get("description")) or "")[:_SHOWN],
        (_text(output.get("error")) or "")[:_ERROR],
        (_text(_object(output.get("result")).get("display")) or "")[:_SHOWN],
    ]
    return " · ".join(filter(None, (" ".join(part.split()) for part in parts)))


def _strings(value: JsonValue | Data, most: int, depth: int = 0) -> Iterator[str]:
    """The texts in the parameters of a call, until there are enough."""
    if isinstance(value, str):
        yield value[:most]
    elif depth < _DEEPEST and isinstance(value, dict | list):
        inside = value.values() if isinstance(value, dict) else value
        for one in inside:
            for text in _strings(one, most, depth + 1):
                yield text
                most -= len(text) + 1
                if most <= 0:
                    return


def _file(tool: str, params: Data) -> str | None:
    given = canonical_arguments(tool, params)
    for name in (*PATHS, "notebook_path"):
        if (path := _text(given.get(name))) and len(path) < 1000:
            return path.replace("\\", "/")
    return None


def _said(data: Data) -> str:
    left, found = MOST_SAID, list[str]()
    for text in (*_texts(data.get("messages")), *filter(None, [_text(data.get("final_answer"))])):
        if left <= 0:
            break
        found.append(text[:left])
        left -= len(text)
    return "\n".join(found)


def _failed(call: Data) -> bool:
    return _object(call.get("output")).get("status") == "failed"


def _object(value: JsonValue) -> Data:
    return value if isinstance(value, dict) else {}


def _text(value: JsonValue) -> str | None:
    return storable(value).replace("\0", " ") if isinstance(value, str) else None


def _short(value: JsonValue) -> str | None:
    return text[:PREVIEW] if (text := _text(value)) else None


def _texts(value: JsonValue) -> list[str]:
    return [text for one in value if (text := _text(one))] if isinstance(value, list) else []


def _number(value: JsonValue) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _count(value: JsonValue) -> int | None:
    return value if type(value) is int and abs(value) < 2**62 else None
