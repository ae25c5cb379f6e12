"""Tool calls of a script, in words that belong to no protocol or to one."""

from typing import Literal, Self

from pydantic import JsonValue, model_validator

from whet.documents.base import Filled
from whet.testing.model_server.part import Part, refuse_unknown

WireName = Literal["anthropic", "responses", "chat", "gemini"]
"""The protocols: Anthropic Messages, OpenAI Responses, OpenAI chat completions, Gemini."""

Action = Literal["shell", "write", "read", "skill", "agent"]
"""What every agent has a tool for, whatever it calls it."""

_NEEDED: dict[Action, set[str]] = {
    "shell": {"command"},
    "write": {"path", "content"},
    "read": {"path"},
    "skill": {"name"},
    "agent": {"prompt"},
}
_POSSIBLE: dict[Action, set[str]] = {
    "shell": {"description"},
    "skill": {"args"},
    "agent": {"description", "kind"},
}


class NativeCall(Part):
    """A tool call in the words of one protocol."""

    tool: Filled
    arguments: dict[str, JsonValue] = {}
    input: str | None = None
    """Instead of arguments: the text as it goes out, which need not be JSON."""
    custom: bool = False
    """Responses only: a custom tool, whose input is text."""
    namespace: str | None = None
    """Responses only."""


class ToolCall(Part):
    """A tool call: an action that is put in the client's own words, or a tool by its name.

    ``native`` replaces it where a protocol needs something else.
    """

    action: Action | None = None
    tool: Filled | None = None
    arguments: dict[str, JsonValue] = {}
    native: dict[WireName, NativeCall] = {}

    @model_validator(mode="after")
    def _is_one_thing(self) -> Self:
        if (self.action is None) == (self.tool is None):
            raise ValueError("a call has either an action or a tool")
        if self.action is not None:
            needed = _NEEDED[self.action]
            if missing := sorted(needed - self.arguments.keys()):
                raise ValueError(f"the action {self.action} needs the argument {missing[0]!r}")
            refuse_unknown(
                "argument", set(self.arguments), needed | _POSSIBLE.get(self.action, set())
            )
            if odd := [key for key, value in self.arguments.items() if not isinstance(value, str)]:
                raise ValueError(f"the argument {odd[0]!r} of an action must be a string")
        return self
