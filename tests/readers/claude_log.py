"""Transcripts of Claude Code, written row by row."""

import uuid
from datetime import UTC, datetime, timedelta

from pydantic import JsonValue

from whet.core.instant import iso

SESSION = "0a1b2c3d-0000-4000-8000-000000000001"
NOON = datetime(2026, 1, 25, 12, tzinfo=UTC)
Row = dict[str, JsonValue]


def at(seconds: float) -> str:
    return iso(NOON + timedelta(seconds=seconds))


def row(kind: str, seconds: float, message: Row, **more: JsonValue) -> Row:
    return {
        "parentUuid": None,
        "isSidechain": False,
        "type": kind,
        "message": message,
        "uuid": str(uuid.uuid5(uuid.NAMESPACE_OID, f"{kind}{seconds}{message}")),
        "timestamp": at(seconds),
        "sessionId": SESSION,
        "version": "2.1.325",
        "cwd": "/work",
        **more,
    }


def asked(seconds: float, text: str, **more: JsonValue) -> Row:
    return row("user", seconds, {"role": "user", "content": text}, **more)


def answer(seconds: float, *blocks: Row, stop: str | None = "tool_use", **more: JsonValue) -> Row:
    message: Row = {
        "id": f"msg_{seconds}",
        "role": "assistant",
        "model": "claude-sonnet-4-5",
        "content": [*blocks],
        "stop_reason": stop,
        "usage": {"input_tokens": 10, "output_tokens": 2, "cache_read_input_tokens": 100},
    }
    return row("assistant", seconds, message, **more)


def said(text: str) -> Row:
    return {"type": "text", "text": text}


def use(name: str, tool: str, **params: JsonValue) -> Row:
    return {"type": "tool_use", "id": name, "name": tool, "input": {**params}}


def result(
    seconds: float,
    name: str,
    content: JsonValue = "ok",
    *,
    error: bool = False,
    told: JsonValue = None,
    **more: JsonValue,
) -> Row:
    block: Row = {"type": "tool_result", "tool_use_id": name, "content": content}
    if error:
        block["is_error"] = True
    content_row = row("user", seconds, {"role": "user", "content": [block]}, **more)
    return content_row if told is None else {**content_row, "toolUseResult": told}


def worked() -> list[Row]:
    """A small piece of work that ends well."""
    return [
        asked(0, "Sharpen the knife."),
        answer(1, said("I look."), use("c1", "Read", file_path="/w/a.txt"), stop=None),
        result(2, "c1", "first\nsecond"),
        answer(3, use("c2", "Write", file_path="/w/b.txt", content="new")),
        result(4, "c2", told={"type": "create", "filePath": "/w/b.txt"}),
        answer(5, use("c3", "Bash", command="exit 3", description="Fail")),
        result(6, "c3", "Exit code 3", error=True),
        answer(7, said("It is sharp."), stop="end_turn"),
    ]
