"""The tools of opencode, under the names that all agents' tools have here."""

import re
from collections.abc import Iterable, Mapping

from pydantic import JsonValue

NAMES = {
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
_NOT_PLAIN = re.compile(r"[^a-zA-Z0-9_-]")


def canonical(tool: str, servers: Iterable[str]) -> str:
    """The name that a tool has here; one of an MCP server is named after that."""
    if tool in NAMES:
        return NAMES[tool]
    for server in sorted(servers, key=len, reverse=True):
        prefix = f"{plain(server)}_"
        if tool.startswith(prefix):
            return f"mcp__{server}__{tool.removeprefix(prefix)}"
    return tool


def canonical_params(tool: str, params: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Arguments of a call, with the names that the same things have for other agents."""
    if tool == "Skill":
        return {"skill" if name == "name" else name: value for name, value in params.items()}
    return {_PARAMS.get(name, name): value for name, value in params.items()}


def plain(name: str) -> str:
    """The name of an MCP server as tools have it."""
    return _NOT_PLAIN.sub("_", name)
