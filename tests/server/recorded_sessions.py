"""Sessions for the API to tell of."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pydantic import JsonValue

from whet.core.instant import iso

NOON = datetime(2026, 1, 25, 12, tzinfo=UTC)
EVIL = "<script>alert(1)</script>\x1b[31m\u202e"


def at(seconds: float) -> str:
    return iso(NOON + timedelta(seconds=seconds))


def call(number: int, tool: str = "Read", *, ok: bool = True) -> dict[str, JsonValue]:
    output: dict[str, JsonValue] = {"status": "success", "result": {"display": EVIL}}
    if not ok:
        output = {"status": "failed", "error": f"exit 2 {EVIL}"}
    return {
        "call_id": f"tool-{number:03}",
        "tool_name": tool,
        "tool_category": "perception" if tool == "Read" else "action",
        "started_at": at(number),
        "ended_at": at(number + 0.5),
        "duration_ms": 500,
        "input": {"params": {"file_path": f"src/f{number % 7}.py", "command": "make"}},
        "output": output,
    }


def session(name: str, calls: int = 12) -> dict[str, JsonValue]:
    """A session with reads, edits, and a command that fails."""
    tools = ("Read", "Read", "Edit", "Bash")
    made: list[JsonValue] = [
        call(n, tools[n % 4], ok=tools[n % 4] != "Bash" or n > 8) for n in range(calls)
    ]
    return {
        "session_id": name,
        "task_title": f"Markers {EVIL}",
        "user_prompt": "Add markers. The key is sk-ant-api03-" + "A1b2C3d4" * 6,
        "created_at": at(0),
        "completed_at": at(calls + 1),
        "status": "success",
        "agent": {"model_id": "m"},
        "tool_calls": made,
        "summary": {
            "total_duration_ms": (calls + 1) * 1000,
            "tool_calls_count": calls,
            "files_created": [],
            "files_modified": ["src/f2.py"],
        },
        "messages": ["I look.", "Done."],
        "messages_at": [at(0.2), at(calls)],
        "final_answer": "Done.",
    }


def shelve(workspace: Path, name: str = "2026-01-25-001-markers", calls: int = 12) -> str:
    """Put one among the sessions of a workspace."""
    folder = workspace / "sessions"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(session(name, calls)))
    return name
