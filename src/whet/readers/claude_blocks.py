"""What Claude Code prints and keeps alike: the content of messages."""

from pydantic import JsonValue

from whet.core.foreign import objects, text

TOOLS = {"Agent": "Task"}
"""Tools that have another name here."""

SYNTHETIC = "<synthetic>"
"""The model of messages that the program itself puts into the model's mouth."""


def result_text(content: JsonValue) -> str:
    """The text of a tool's result, which may have other things between its texts."""
    if isinstance(content, str):
        return content
    return "\n".join(text(block.get("text")) for block in objects(content))
