"""The tools of Gemini CLI, by the names and parameters that all agents' tools have here."""

from collections.abc import Iterable, Mapping

from pydantic import JsonValue

from whet.core.tools import ALIASES

NAMES = ALIASES["gemini"]
SERVER = "mcp_{}_"
"""Before the tools of an MCP server."""

_PARAMS = {
    "Read": {"absolute_path": "file_path"},
    "LS": {"dir_path": "path"},
    "Glob": {"dir_path": "path"},
    "Grep": {"dir_path": "path"},
    "Skill": {"name": "skill"},
    "Task": {"agent_name": "subagent_type"},
}


def canonical(tool: str, servers: Iterable[str]) -> str:
    """The name of a tool; *servers* are the MCP servers that there are, whose names may have
    underscores in them."""
    if tool in NAMES:
        return NAMES[tool]
    for server in sorted(servers, key=len, reverse=True):
        if (prefix := SERVER.format(server)) and tool.startswith(prefix):
            return f"mcp__{server}__{tool.removeprefix(prefix)}"
    return tool


def params_of(tool: str, given: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The parameters of a call of the tool that has this canonical name."""
    names = _PARAMS.get(tool, {})
    return {names.get(name, name): value for name, value in given.items()}
