"""The tools of opencode, under the names that all agents' tools have here."""

import re
from collections.abc import Iterable, Mapping

from pydantic import JsonValue

_NAMES = {
    "apply_patch": "Edit",
    "bash": "Bash",
    "codesearch": "WebSearch",
    "edit": "Edit",
    "glob": "Glob",
    "grep": "Grep",
    "list": "LS",
    "lsp": "LSP",
    "multiedit": "MultiEdit",
    "patch": "Edit",
    "question": "AskUserQuestion",
    "read": "Read",
    "skill": "Skill",
    "task": "Task",
    "todoread": "TodoRead",
    "todowrite": "TodoWrite",
    "webfetch": "WebFetch",
    "websearch": "WebSearch",
    "write": "Write",
}
_PARAMS = {
    "filePath": "file_path",
    "newString": "new_string",
    "oldString": "old_string",
    "replaceAll": "replace_all",
}
_WRITING = {"Write": "write", "Edit": "edit"}
_NOT_PLAIN = re.compile(r"[^a-zA-Z0-9_-]")


def canonical(tool: str, servers: Iterable[str]) -> str:
    """The name that a tool has here; one of an MCP server is named after that."""
    if tool in _NAMES:
        return _NAMES[tool]
    for server in sorted(servers, key=len, reverse=True):
        prefix = f"{_plain(server)}_"
        if tool.startswith(prefix):
            return f"mcp__{server}__{tool.removeprefix(prefix)}"
    return tool


def canonical_params(tool: str, params: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Arguments of a call, with the names that the same things have for other agents."""
    if tool == "Skill":
        return {"skill" if name == "name" else name: value for name, value in params.items()}
    return {_PARAMS.get(name, name): value for name, value in params.items()}


def permission(allowed: tuple[str, ...] | None, servers: Iterable[str]) -> dict[str, JsonValue]:
    """The rules that leave the agent these tools only. MCP servers keep all of theirs.

    Nothing asks back: the sandbox confines the agent.
    """
    if allowed is None:
        return {"*": "allow"}
    # All tools that write have one rule in common.
    native = {tool for tool, name in _NAMES.items() if name in allowed}
    named = {"edit" if _NAMES[tool] in ("Edit", "MultiEdit", "Write") else tool for tool in native}
    patterns = {f"{_plain(server)}_*" for server in servers}
    # The last one is how an answer by schema is given; without a schema nobody is offered it.
    unasked = {"doom_loop", "external_directory", "StructuredOutput"}
    return {"*": "deny", **dict.fromkeys(sorted(named | patterns | unasked), "allow")}


def hidden(allowed: tuple[str, ...] | None) -> list[str]:
    """Tools that the rules cannot take away alone."""
    if allowed is None:
        return []
    return [tool for name, tool in _WRITING.items() if name not in allowed]


def _plain(name: str) -> str:
    return _NOT_PLAIN.sub("_", name)
