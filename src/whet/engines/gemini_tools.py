"""The tools of Gemini CLI, by the names and parameters that all agents' tools have here."""

from collections.abc import Iterable, Mapping

from pydantic import JsonValue

from whet.core.tools import ALIASES

_NAMES = ALIASES["gemini"]
_PARAMS = {
    "Read": {"absolute_path": "file_path"},
    "LS": {"dir_path": "path"},
    "Glob": {"dir_path": "path"},
    "Grep": {"dir_path": "path"},
    "Skill": {"name": "skill"},
    "Task": {"agent_name": "subagent_type"},
}
_SERVER = "mcp_{}_"


def canonical(tool: str, servers: Iterable[str]) -> str:
    """The name of a tool; *servers* are the MCP servers of the trial, whose names may have
    underscores in them."""
    if tool in _NAMES:
        return _NAMES[tool]
    for server in sorted(servers, key=len, reverse=True):
        if (prefix := _SERVER.format(server)) and tool.startswith(prefix):
            return f"mcp__{server}__{tool.removeprefix(prefix)}"
    return tool


def params_of(tool: str, given: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The parameters of a call of the tool that has this canonical name."""
    names = _PARAMS.get(tool, {})
    return {names.get(name, name): value for name, value in given.items()}


def native(allowed: Iterable[str], servers: Iterable[str]) -> list[JsonValue]:
    """What the program is told to offer: these tools, and all of the trial's MCP servers."""
    chosen: dict[str, None] = {}
    for tool in allowed:
        own = [name for name, known in _NAMES.items() if known == tool]
        chosen |= dict.fromkeys(own or [tool])
    return [*chosen, *(_SERVER.format(server) + "*" for server in servers)]
