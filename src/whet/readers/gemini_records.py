"""The records of Gemini CLI's sessions: what the model got back, what it used."""

import re

from pydantic import JsonValue

from whet.core.foreign import count, objects
from whet.core.usage import Usage

Record = dict[str, JsonValue]

# Last in what the model gets of a command; the command itself may print the like before.
_BAD_END = re.compile(
    r"\n(Exit Code|Signal): (\S+)"
    r"(?:\n(?:Signal|Background PIDs|Process Group PGID): [^\n]*)*\s*\Z"
)
_LONGEST_END = 2_000
_GIVEN_UP = "Command was automatically cancelled"


def usage_of(tokens: Record) -> Usage:
    """Cached tokens are counted among the input; thoughts are not among the output."""
    given, cached = count(tokens.get("input")), count(tokens.get("cached"))
    return Usage(
        input_tokens=max(0, given - cached) + count(tokens.get("tool")),
        output_tokens=count(tokens.get("output")) + count(tokens.get("thoughts")),
        cache_read_tokens=cached,
    )


def result_text(value: JsonValue) -> str:
    """The text that the model gets for a call."""
    if isinstance(value, str):
        return value
    said: list[str] = []
    for part in objects(value):
        answer = part.get("functionResponse")
        response = answer.get("response") if isinstance(answer, dict) else None
        if isinstance(response, dict):
            said += [text for text in response.values() if isinstance(text, str)]
    return _unfenced("\n".join(said))


def _unfenced(text: str) -> str:
    """The model is told with tags what comes from outside."""
    return text.removeprefix("<untrusted_context>\n").removesuffix("\n</untrusted_context>")


def texts(value: JsonValue) -> str:
    """The text of a message."""
    if isinstance(value, str):
        return value
    said = (part.get("text") for part in objects(value))
    return "".join(text for text in said if isinstance(text, str))


def bad_end(outcome: str) -> str:
    """How a command failed, by what the model got of it; empty if it did not."""
    if found := _BAD_END.search(outcome[-_LONGEST_END:]):
        return f"{found[1]}: {found[2]}"
    return _GIVEN_UP if outcome.startswith(_GIVEN_UP) else ""
