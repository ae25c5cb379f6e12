"""What Gemini CLI is told to offer."""

from collections.abc import Iterable

from pydantic import JsonValue

from whet.readers.gemini_names import NAMES, SERVER


def native(allowed: Iterable[str], servers: Iterable[str]) -> list[JsonValue]:
    """These tools, and all of the trial's MCP servers."""
    chosen: dict[str, None] = {}
    for tool in allowed:
        own = [name for name, known in NAMES.items() if known == tool]
        chosen |= dict.fromkeys(own or [tool])
    return [*chosen, *(SERVER.format(server) + "*" for server in servers)]
