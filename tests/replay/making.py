"""Sessions in a few words: ``made("Grep parse", "Read a.py", "Edit a.py!")``.

A call is a tool and what it is about. ``!`` at the end means that it failed, ``. `` before it that
it belongs to the subagent of the last ``Task``, and what stands after ``=>`` is what it gave back.
Each starts a second after the one before and takes half of one, unless ``@start+length`` says so.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import get_args

from pydantic import JsonValue

from whet.core.acts import category
from whet.core.instant import iso
from whet.documents.session import Session, ToolCategory
from whet.replay.acts import Acts, acts_of

NOON = datetime(2026, 1, 25, 12, tzinfo=UTC)
AT = "2026-01-25T13:00:00Z"
TIMED = re.compile(r" @(\d+)\+(\d+)$")
ARGUMENT = {
    "Read": "file_path",
    "Write": "file_path",
    "Edit": "file_path",
    "Bash": "command",
    "Grep": "pattern",
    "Glob": "pattern",
    "LS": "path",
    "WebFetch": "url",
    "WebSearch": "query",
    "Skill": "skill",
    "Task": "description",
    "AskUserQuestion": "question",
    "TaskCreate": "subject",
    "TaskUpdate": "taskId",
}

Call = dict[str, JsonValue]


def moment(milliseconds: float) -> str:
    return iso(NOON + timedelta(milliseconds=milliseconds))


def call(place: int, words: str, parent: str | None = None) -> Call:
    words, _, output = words.partition(" => ")
    timed = TIMED.search(words)
    start, length = map(int, timed.groups()) if timed else (1000 * place + 1000, 500)
    words = TIMED.sub("", words)
    failed = words.endswith("!")
    tool, _, about = words.removesuffix("!").partition(" ")
    params: dict[str, JsonValue] = {ARGUMENT[tool]: about} if tool in ARGUMENT and about else {}
    if tool == "TodoWrite":
        params = {"todos": [_todo(item) for item in about.split(",")]}
    kind = category(tool, params)
    made: Call = {
        "call_id": f"tool-{place + 1:03}",
        "tool_name": tool,
        "tool_category": kind if kind in get_args(ToolCategory) else "action",
        "started_at": moment(start),
        "ended_at": moment(start + length),
        "duration_ms": length,
        "input": {"params": params},
        "output": {"status": "failed", "error": output or "it went wrong"}
        if failed
        else {"status": "success", "result": {"content": output}},
    }
    return made if parent is None else {**made, "parent_call_id": parent}


def _todo(item: str) -> JsonValue:
    text, _, status = item.strip().partition(":")
    return {"content": text, "status": status or "pending"}


def calls(lines: Iterable[str]) -> list[Call]:
    found: list[Call] = []
    task: str | None = None
    for place, line in enumerate(lines):
        inner = line.startswith(". ")
        made = call(place, line.removeprefix(". "), task if inner else None)
        if made["tool_name"] == "Task" and not inner:
            task = str(made["call_id"])
        found.append(made)
    return found


def session(made: Iterable[Mapping[str, JsonValue]], **more: JsonValue) -> Session:
    """A session of these calls, and of whatever else it is to have."""
    every = [dict(one) for one in made]
    end = max((str(one["ended_at"]) for one in every), default=moment(0))
    data: dict[str, JsonValue] = {
        "session_id": "2026-01-25-001-made",
        "task_title": "Made",
        "user_prompt": "Mend the parser.",
        "created_at": moment(0),
        "completed_at": end,
        "status": "success",
        "agent": {"model_id": "m"},
        "tool_calls": [*every],
        "summary": {
            "total_duration_ms": 0,
            "tool_calls_count": len(every),
            "files_created": [],
            "files_modified": [],
        },
    }
    return Session.parse(data | more, "made")


def made(*lines: str, **more: JsonValue) -> Session:
    return session(calls(lines), **more)


def acts(*lines: str, **more: JsonValue) -> Acts:
    return acts_of(made(*lines, **more))
