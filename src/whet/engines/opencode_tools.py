"""Which of its tools opencode is told to leave the agent."""

from collections.abc import Iterable

from pydantic import JsonValue

from whet.readers.opencode_names import NAMES, plain

_WRITING = {"Write": "write", "Edit": "edit"}


def permission(allowed: tuple[str, ...] | None, servers: Iterable[str]) -> dict[str, JsonValue]:
    """The rules that leave the agent these tools only. MCP servers keep all of theirs.

    Nothing asks back: the sandbox confines the agent.
    """
    if allowed is None:
        return {"*": "allow"}
    # All tools that write have one rule in common.
    native = {tool for tool, name in NAMES.items() if name in allowed}
    named = {"edit" if NAMES[tool] in ("Edit", "MultiEdit", "Write") else tool for tool in native}
    patterns = {f"{plain(server)}_*" for server in servers}
    # The last one is how an answer by schema is given; without a schema nobody is offered it.
    unasked = {"doom_loop", "external_directory", "StructuredOutput"}
    return {"*": "deny", **dict.fromkeys(sorted(named | patterns | unasked), "allow")}


def hidden(allowed: tuple[str, ...] | None) -> list[str]:
    """Tools that the rules cannot take away alone."""
    if allowed is None:
        return []
    return [tool for name, tool in _WRITING.items() if name not in allowed]
