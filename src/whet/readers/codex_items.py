"""What Codex does, in the words that all engines share."""

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from pydantic import JsonValue

from whet.core.foreign import obj, objects, text
from whet.core.step import Called, Returned, Step, Triggered

Object = Mapping[str, JsonValue]

_SHELLS = {"sh", "bash", "zsh", "dash"}
_AGENTS = {
    "spawn_agent": "Task",
    "wait": "TaskOutput",
    "send_input": "SendMessage",
    "close_agent": "TaskStop",
}
_CHANGES = {"add": "Write"}

# A skill is taken up by reading its file, mostly by its path and sometimes from its folder.
_FOLDER = re.compile(r"(?:\.codex|\.agents|CODEX_HOME\}?\"?)/skills/(?:\.system/)?([\w.-]*\w)")
_WRITES = re.compile(r">\s*[^\s>]*SKILL\.md")


@dataclass(frozen=True, slots=True)
class Act:
    """One call of a tool, as far as an item tells of it."""

    tool: str
    params: dict[str, JsonValue]
    description: str | None = None


def acts(item: Object) -> list[Act]:
    """The calls that an item stands for: none, one, or several changes of files."""
    match item.get("type"):
        case "command_execution":
            return [Act("Bash", {"command": script(item.get("command"))})]
        case "file_change":
            return [_change(change) for change in objects(item.get("changes"))]
        case "mcp_tool_call":
            name = f"mcp__{text(item.get('server'))}__{text(item.get('tool'))}"
            return [Act(name, dict(obj(item.get("arguments"))))]
        case "collab_tool_call":
            tool, prompt = text(item.get("tool")), text(item.get("prompt"))
            return [Act(_AGENTS.get(tool, tool), {"prompt": prompt} if prompt else {})]
        case "web_search":
            return [Act("WebSearch", {"query": text(item.get("query"))})]
        case "todo_list":
            return [Act("TodoWrite", {"todos": item.get("items")})]
        case _:
            return []


def _change(change: Object) -> Act:
    kind = text(change.get("kind"))
    params: dict[str, JsonValue] = {"file_path": change.get("path")}
    if isinstance(content := change.get("content"), str):
        params["content"] = content
    return Act(_CHANGES.get(kind, "Edit"), params, "delete" if kind == "delete" else None)


def called(item: Object, name: str, at: datetime, parent: str | None = None) -> Iterator[Called]:
    """The beginning of an item's calls."""
    for call, act in _named(item, name):
        yield Called(at, call, act.tool, act.params, act.description, parent)


def returned(item: Object, name: str, at: datetime) -> Iterator[Step]:
    """The end of an item's calls, and the skills taken up by them."""
    ok = item.get("status", "completed") == "completed"
    for call, act in _named(item, name):
        yield Returned(at, call, ok, _output(item) or ("" if ok else _exit(item)))
        if ok and act.tool == "Bash":
            for skill in skills_read(text(act.params["command"])):
                yield Triggered(at, skill)


def _named(item: Object, name: str) -> Iterator[tuple[str, Act]]:
    for number, act in enumerate(acts(item)):
        yield (name if number == 0 else f"{name}.{number}"), act


def _output(item: Object) -> str:
    if isinstance(output := item.get("aggregated_output"), str):
        return output
    if message := text(obj(item.get("error")).get("message")):
        return message
    result = obj(item.get("result"))
    said = [text(block.get("text")) for block in objects(result.get("content"))]
    states = obj(item.get("agents_states")).values()
    said += [text(obj(state).get("message")) for state in states]
    return "\n".join(filter(None, said))


def _exit(item: Object) -> str:
    """What is known of a command that failed without a word."""
    code = item.get("exit_code")
    return f"exit code {code}" if isinstance(code, int) else ""


def script(command: JsonValue) -> str:
    """What a shell is given to do; other commands as they are."""
    if isinstance(command, list):
        words = [text(word) for word in command]
    else:
        try:
            words = shlex.split(text(command))
        except ValueError:
            return text(command)
    match words:
        case [shell, "-c" | "-lc", code] if shell.rpartition("/")[2] in _SHELLS:
            return code
        case _:
            return shlex.join(words) if isinstance(command, list) else text(command)


def skills_read(command: str) -> list[str]:
    """The skills whose file a command reads."""
    if "SKILL.md" not in command or _WRITES.search(command):
        return []
    return list(dict.fromkeys(_FOLDER.findall(command)))
