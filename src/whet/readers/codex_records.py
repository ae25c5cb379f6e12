"""The items of Codex's own records, which its events do not show."""

import re
from collections.abc import Iterator
from datetime import datetime

from pydantic import JsonValue

from whet.core.foreign import count, obj, objects, strictly, text
from whet.core.logged import Touched
from whet.core.step import Triggered
from whet.core.usage import Usage
from whet.readers.codex_items import Object

_INJECTED = "skills.selected_skill_instructions"
_SKILL = re.compile(r"<skill>\s*<name>([^<\n]{1,200})</name>")
_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")
_KINDS = {"collab_agent_tool_call": "collab_tool_call"}

# These only carry or poll what has an item of its own.
CARRIERS = {"exec", "wait"}
RUNNING = "Process running with session ID"
_TOOLS = {
    "exec_command": "Bash",
    "shell": "Bash",
    "apply_patch": "Edit",
    "write_stdin": "BashOutput",
    "view_image": "Read",
    "update_plan": "TodoWrite",
    "request_user_input": "AskUserQuestion",
    "spawn_agent": "Task",
    "wait_agent": "TaskOutput",
    "send_message": "SendMessage",
}
_PARAMS = {"cmd": "command", "message": "prompt"}
# Had they begun, there would be an item.
WITH_ITEMS = {"exec_command", "shell", "apply_patch", "spawn_agent"}


def tokens(usage: Object) -> Usage:
    """The program counts cached tokens among those that went in."""
    read = count(usage.get("cached_input_tokens"))
    write = count(usage.get("cache_write_input_tokens"))
    return Usage(
        input_tokens=max(0, count(usage.get("input_tokens")) - read - write),
        output_tokens=count(usage.get("output_tokens")),
        cache_read_tokens=read,
        cache_write_tokens=write,
    )


def printed(item: Object) -> dict[str, JsonValue]:
    """A kept item in the shape in which events have it."""
    kind = _CAPITAL.sub("_", text(item.get("type"))).lower()
    same = {**item, "type": _KINDS.get(kind, kind)}
    changes = item.get("changes")
    if isinstance(changes, dict):
        same["changes"] = [
            {**obj(change), "path": path, "kind": obj(change).get("type")}
            for path, change in changes.items()
        ]
    return same


def touched(item: Object) -> Iterator[Touched]:
    """The files that an item has changed."""
    if item.get("type") == "file_change" and item.get("status", "completed") == "completed":
        for change in objects(item.get("changes")):
            yield Touched(text(change.get("path")), change.get("kind") == "add")


def injected(payload: Object, at: datetime) -> Iterator[Triggered]:
    """A prompt that names a skill brings its text along."""
    kinds = obj(payload.get("internal_chat_message_metadata_passthrough"))
    listed = kinds.get("content_item_kinds")
    if not isinstance(listed, list) or _INJECTED not in listed:
        return
    for block in objects(payload.get("content")):
        if found := _SKILL.match(text(block.get("text"))):
            yield Triggered(at, found[1])


def tool_of(asked: Object) -> str:
    """The tool that the model asked for."""
    name, space = text(asked.get("name")), text(asked.get("namespace"))
    return f"{space}__{name}" if space.startswith("mcp__") else _TOOLS.get(name, name)


def params_of(asked: Object) -> dict[str, JsonValue]:
    """What the model asked it with."""
    if isinstance(given := asked.get("input"), str):
        return {"input": given}
    try:
        value = strictly(text(asked.get("arguments")))
    except ValueError:
        return {}
    return {_PARAMS.get(name, name): given for name, given in obj(value).items()}


def output_of(output: JsonValue) -> str:
    """What the model got back."""
    if isinstance(output, str):
        return output
    return "\n".join(text(block.get("text")) for block in objects(output))
