"""The port of engines that know their agent's tools."""

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from pydantic import JsonValue

FINAL_RESPONSE = "final_response"
"""The answer that an agent ends with, as a tool: every agent that answers has it."""


@runtime_checkable
class Tooled(Protocol):
    """An engine that can tell which tools its agent has; of another one nobody knows.

    The names are those of ``Called``. MCP servers that the options name are there as
    ``server@*``: which tools they have is known only when they are asked. What the skill on
    trial brings along is not counted.
    """

    def tools(self, options: Mapping[str, JsonValue], /) -> Sequence[str]:
        """The canonical names under these options, sorted; raises ``UsageError`` for options
        that cannot be. Looks at nothing but the options, so it costs nothing."""
        ...
