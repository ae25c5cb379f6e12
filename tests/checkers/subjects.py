"""Subjects for checks, made by hand."""

from pathlib import Path
from typing import Any

from pydantic import JsonValue

from whet.app.parts import InstalledParts
from whet.core.check import CheckResult, CheckSpec
from whet.core.failure import Failure
from whet.core.trial import TrialRecord
from whet.core.usage import Usage
from whet.documents.session import Session
from whet.ports.checker import Checker, Subject
from whet.ports.machine import Machine

NOW = "2026-01-01T00:00:00Z"


def checkers() -> dict[str, Checker]:
    """All of them, as they are installed."""
    parts = InstalledParts(Machine({}, home=Path("/nowhere")))
    return {name: parts.checker(name) for name in parts.checkers()}


def spec(type_: str, **fields: JsonValue) -> CheckSpec:
    return CheckSpec(id="S1", type=type_, fields=fields)


def check(subject: Subject, type_: str, **fields: JsonValue) -> CheckResult:
    """Check that the spec has no mistake, and decide."""
    wanted = spec(type_, **fields)
    checker = checkers()[type_]
    assert checker.name == type_
    assert list(checker.validate(wanted)) == []
    return checker.check(wanted, subject)


def mistakes(type_: str, **fields: JsonValue) -> list[str]:
    return list(checkers()[type_].validate(spec(type_, **fields)))


def record(answer: str = "Done.", **changes: Any) -> TrialRecord:
    return TrialRecord(
        address="a" * 64,
        execution="e",
        status="completed",
        answer=answer,
        started_at=NOW,
        ended_at=NOW,
        duration_ms=1500,
        engine="hand",
        engine_version="1",
        model="m",
        sandbox="none",
        simulated=True,
        session="s",
    ).model_copy(update=changes)


def failure(kind: Failure, error: str, **changes: Any) -> TrialRecord:
    return record(status="failed", failure=kind, error=error, **changes)


def costing(dollars: float | None) -> TrialRecord:
    return record(usage=Usage(cost_usd=dollars))


def call(
    tool: str, output: str = "", *, ok: bool = True, category: str = "action", **params: JsonValue
) -> JsonValue:
    """A call as the session log has it."""
    result: dict[str, JsonValue] = {"status": "success" if ok else "failed"}
    result |= {"result": {"content": output}} if ok else {"error": output}
    return {
        "call_id": "c",
        "tool_name": tool,
        "tool_category": category,
        "started_at": NOW,
        "ended_at": NOW,
        "duration_ms": 0,
        "input": {"params": params},
        "output": result,
    }


def session(*calls: JsonValue, messages: tuple[str, ...] = (), prompt: str = "Do it.") -> Session:
    data: JsonValue = {
        "session_id": "s",
        "task_title": "t",
        "user_prompt": prompt,
        "created_at": NOW,
        "completed_at": NOW,
        "status": "success",
        "agent": {"model_id": "m"},
        "tool_calls": list(calls),
        "summary": {
            "total_duration_ms": 0,
            "tool_calls_count": len(calls),
            "files_created": [],
            "files_modified": [],
        },
        "messages": list(messages),
    }
    return Session.parse(data, "session")


def left(files: dict[str, str | bytes], **changes: Any) -> Subject:
    """A subject with these files."""
    data = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
    return Subject(record(**changes), session(), data)


def said(answer: str, *calls: JsonValue, messages: tuple[str, ...] = ()) -> Subject:
    """A subject with this answer."""
    return Subject(record(answer), session(*calls, messages=messages), {})
