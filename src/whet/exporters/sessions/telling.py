"""A session told in plain words; whoever shows them escapes them."""

import json
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pydantic import JsonValue

from whet.documents.session import ToolCall
from whet.documents.session_report import SessionReport
from whet.exporters.amounts import amount
from whet.exporters.plain import line
from whet.exporters.sessions.texts import length, shown, written

_MOST_GIVEN = 400
"""Characters that the line of a call is made of."""

_SUBJECTS = (
    "file_path",
    "notebook_path",
    "path",
    "command",
    "pattern",
    "query",
    "url",
    "description",
    "skill",
    "prompt",
)


class Part(NamedTuple):
    """A text of a call."""

    kind: str
    """The key of its heading."""

    name: str
    text: str


class Fact(NamedTuple):
    """Something about the session, by the key of its name."""

    key: str
    text: str
    more: str = ""


def facts(report: SessionReport, words: Mapping[str, str]) -> Iterator[Fact]:
    """What stands at the head, as far as it is known."""
    session, summary = report.session, report.session.summary
    yield Fact("model", line(session.agent.model_id, 80))
    if session.engine:
        yield Fact("engine", line(session.engine, 60), line(session.engine_version or "", 40))
    yield Fact("duration", length(report.layout.duration_ms or summary.total_duration_ms))
    failed = failures(report)
    told = words["calls_failed"].format(n=f"{failed:,}") if failed else ""
    yield Fact("calls", f"{len(session.tool_calls):,}", told)
    if (tokens := _tokens(report, words)) is not None:
        yield tokens
    if session.cost_usd is not None:
        yield Fact("cost", amount(session.cost_usd, "usd"))
    created, modified = len(summary.files_created), len(summary.files_modified)
    if created or modified:
        told = words["files_changed"].format(created=created, modified=modified)
        yield Fact("files", f"{created + modified:,}", told)
    yield Fact("started", line(session.created_at, 40).replace("T", " ")[:16])


def failures(report: SessionReport) -> int:
    """How many calls failed."""
    return sum(call.output.status == "failed" for call in report.session.tool_calls)


def redactions(report: SessionReport, words: Mapping[str, str]) -> str:
    """What was replaced before anybody saw it."""
    if report.redactions is None:
        return words["not_redacted"]
    if not report.redactions:
        return words["redacted_nothing"]
    parts = (words[kind].format(n=f"{n:,}") for kind, n in report.redactions.items())
    return words["redactions"].format(parts=", ".join(parts))


def call_line(call: ToolCall, most: int = 160) -> str:
    """What a call was for, on one line."""
    told = call.input.description or _command(call) or _subject(call.input.params)
    return line(shown(told, _MOST_GIVEN).text, most)


def outcome(call: ToolCall, most: int = 80) -> str:
    """What came of a call, on one line."""
    told = call.output.error if call.output.status == "failed" else None
    told = told or (call.output.result and call.output.result.display) or ""
    return line(shown(told, _MOST_GIVEN).text, most)


def parts(call: ToolCall) -> Iterator[Part]:
    """Every text of a call in the order in which it is shown."""
    command = _command(call)
    if call.input.description:
        yield Part("description", "", call.input.description)
    if command:
        yield Part("command", "", command)
    for name, value in call.input.params.items():
        text = written(value)
        if not (command and text in (command, command.removeprefix("$ "))):
            yield Part("params", name, text)
    if call.output.error:
        yield Part("error", "", call.output.error)
    yield from _results(call)
    if (learnt := call.context_contribution) is not None:
        yield Part("context", learnt.type, learnt.summary)
        if learnt.full_content:
            yield Part("content", "", learnt.full_content)


def _command(call: ToolCall) -> str:
    """What was typed; ``Read(a.py)`` was not, it only repeats the name and a parameter."""
    command = call.input.raw_command or ""
    return "" if command.startswith(f"{call.tool_name}(") else command


def _subject(params: Mapping[str, JsonValue]) -> str:
    """What a call was about, where nobody said so."""
    known = next((params[name] for name in _SUBJECTS if isinstance(params.get(name), str)), None)
    if isinstance(known, str):
        return known
    given = (
        f"{name}: {value if isinstance(value, str) else _brief(value)}"
        for name, value in params.items()
    )
    return ", ".join(given)


def _brief(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False)


def _results(call: ToolCall) -> Iterator[Part]:
    result = call.output.result
    if result is None:
        return
    if result.display:
        yield Part("result", "", result.display)
    extra: Mapping[str, JsonValue] = result.__pydantic_extra__ or {}
    for name, value in extra.items():
        if value is not None and (text := written(value)):
            yield Part("output", "" if name == "content" else name, text)


def _tokens(report: SessionReport, words: Mapping[str, str]) -> Fact | None:
    session = report.session
    given, made = session.input_tokens, session.output_tokens
    if given is None and made is None:
        if session.estimated_tokens is None:
            return None
        return Fact("tokens", words["tokens_about"].format(n=f"{session.estimated_tokens:,}"))
    cached = (session.cache_read_tokens or 0) + (session.cache_write_tokens or 0)
    told = [words["tokens_io"].format(input=f"{given or 0:,}", output=f"{made or 0:,}")]
    told += [words["tokens_cached"].format(n=f"{cached:,}")] if cached else []
    return Fact("tokens", f"{(given or 0) + (made or 0) + cached:,}", ", ".join(told))
