"""Calls of the session log format, as various programs and models have written them."""

from collections.abc import Iterator
from typing import get_args

from pydantic import JsonValue

from whet.core.acts import category
from whet.core.tools import canonical
from whet.documents.session import ToolCategory
from whet.documents.session_import import Repairs, quoted
from whet.readers.mending import Choice, Data, Mended, as_text

PLACE = "tool_calls[]"

STATUS = Choice(
    ("success", "failed"),
    {
        "completed": "success",
        "complete": "success",
        "done": "success",
        "ok": "success",
        "passed": "success",
        "error": "failed",
        "failure": "failed",
        "timeout": "failed",
        "cancelled": "failed",
        "rejected": "failed",
    },
    "success",
)
_CONTRIBUTION = Choice(
    ("file_content", "search_result", "command_output", "knowledge"),
    {
        "file": "file_content",
        "code": "file_content",
        "spec": "file_content",
        "file_discovery": "search_result",
        "search": "search_result",
        "directory": "search_result",
        "output": "command_output",
        "test_result": "command_output",
    },
    "knowledge",
)
_KNOWN = {
    "call_id",
    "tool_name",
    "tool_category",
    "started_at",
    "ended_at",
    "duration_ms",
    "input",
    "output",
    "context_contribution",
    "subagent_info",
    "parent_call_id",
    "source_line",
    "as_read",
    "phase_id",
    "timestamp",
}
_LOOSE = ("target", "command", "query", "path", "file_path", "pattern", "details", "changes")
"""Parameters that stand in a call itself."""


class Calls:
    """Makes calls fit, one after the other, and gives each a name of its own."""

    def __init__(self, repairs: Repairs) -> None:
        self._repairs = repairs
        self._count = 0
        self._names: set[str] = set()

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def mend(self, value: JsonValue) -> Iterator[Data]:
        """The call that a value stands for, if it does for one."""
        self._count += 1
        if not isinstance(value, dict):
            said = f"a call must be an object, found {quoted(value)}"
            self._repairs.note("skipped", "no_call", said, field=PLACE)
            return
        call = Mended({**value}, self._repairs, PLACE)
        self._name(call)
        _tool(call)
        _input(call)
        _output(call, self._repairs)
        _optional(call)
        given, params = call.data["input"], {}
        if isinstance(given, dict) and isinstance(given["params"], dict):
            params = given["params"]
        kind = category(canonical(str(call.data["tool_name"])), params)
        call.choice("tool_category", Choice(get_args(ToolCategory), {}, kind))
        yield call.data

    def _name(self, call: Mended) -> None:
        call.rename("id", "call_id")
        call.rename("tool_call_id", "call_id")
        call.text("call_id", f"tool-{self._count:03}")
        name = wanted = str(call.data["call_id"])
        number = 2
        while name in self._names:
            name = f"{wanted}~{number}"
            number += 1
        if name != wanted:
            said = f"two calls have the id {quoted(wanted)}; one is renamed"
            self._repairs.note("guessed", "same_call_id", said, field=f"{PLACE}.call_id")
            call.keep("call_id", wanted)
            call.data["call_id"] = name
        self._names.add(name)


def _tool(call: Mended) -> None:
    call.rename("tool", "tool_name")
    call.rename("name", "tool_name")
    call.text("tool_name", "unknown")
    if "started_at" not in call.data:
        call.rename("timestamp", "started_at")


def _input(call: Mended) -> None:
    data = call.data
    for name in ("params", "args", "arguments", "parameters"):
        if isinstance(data.get(name), dict) and "input" not in data:
            data["input"] = {"params": data.pop(name)}
    if "input" not in data and (loose := {key: data.pop(key) for key in _LOOSE if key in data}):
        data["input"] = {"params": loose}
        if isinstance(action := data.pop("action", None), str):
            data["input"] = {"params": loose, "description": action}
    elif isinstance(text := data.get("input"), str):
        data["input"] = {"params": {"input": text}}
    given = call.inner("input")
    if "params" not in given.data and given.data:
        own = {"description", "raw_command"}
        params = {key: value for key, value in given.data.items() if key not in own}
        for key in params:
            del given.data[key]
        given.data["params"] = params
        given.note_missing("params", params)
    given.inner("params")
    given.optional(str, "description", "raw_command")


def _output(call: Mended, repairs: Repairs) -> None:
    data = call.data
    if "output" not in data and "result" in data:
        data["output"] = {"result": data.pop("result")}
    elif isinstance(text := data.get("output"), str):
        data["output"] = {"result": text}
    output = call.inner("output")
    inner = output.data
    result = inner.get("result")
    if isinstance(result, str):
        repairs.note("renamed", "result", "it is a text", field=f"{PLACE}.output.result")
        inner["result"] = {"display": result}
    elif result is not None and not isinstance(result, dict):
        inner["result"] = {"value": result}
        repairs.note("renamed", "result", "it is no object", field=f"{PLACE}.output.result")
    if isinstance(inner.get("result"), dict):
        output.inner("result").optional(str, "display")
    if inner.get("error") is not None:
        output.text("error", "")
    if inner.get("status") is None and inner.get("error"):
        inner["status"] = "failed"
        output.note_missing("status", "failed")
    output.choice("status", STATUS)
    output.optional(bool, "truncated")


def _optional(call: Mended) -> None:
    data = call.data
    call.optional(dict, "context_contribution", "subagent_info", "as_read")
    call.optional(str, "parent_call_id")
    call.optional(int, "source_line")
    if data.get("context_contribution") is not None:
        made = call.inner("context_contribution")
        made.choice("type", _CONTRIBUTION)
        made.text("summary", "")
        made.optional(str, "full_content")
    if data.get("subagent_info") is not None:
        _subagent(call.inner("subagent_info"))


def _subagent(info: Mended) -> None:
    info.rename("type", "subagent_type")
    info.text("subagent_type", "unknown")
    info.optional(int, "tool_uses", "tokens_used")
    if info.data.get("tool_uses") is None:
        info.data["tool_uses"] = 0
        info.note_missing("tool_uses", 0)
    info.optional(list, "tools_breakdown")
    if info.data.get("tools_breakdown") is None:
        return
    for each in info.each("tools_breakdown"):
        each.text("tool_name", "unknown")
        each.optional(int, "count")
        if each.data.get("count") is None:
            each.data["count"] = 0
            each.note_missing("count", 0)


def loose_text(value: JsonValue) -> str:
    """What a free part of an older log says, as a text."""
    return "" if value is None else as_text(value)
