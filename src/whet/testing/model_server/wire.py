"""What the four protocols have in common: how a request is understood and an answer is sent."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue

from whet.testing.model_server.call import NativeCall, WireName
from whet.testing.model_server.dialogue import Dialogue
from whet.testing.model_server.script import Answer, Problem

JsonObject = dict[str, JsonValue]

Offered = Mapping[str, frozenset[str]]
"""The tools of a request: their names, and the names of their arguments if it says them."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request says."""

    model: str
    stream: bool
    dialogue: Dialogue
    tools: Offered
    schema: JsonValue = None
    """The JSON schema that the answer must fit, if it must be JSON."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A scripted answer with its tool calls in the words of the protocol."""

    id: str
    """Of letters, digits and underscores; the same whenever the same turn is asked for."""
    model: str
    answer: Answer
    calls: tuple[NativeCall, ...]


class Wire(Protocol):
    """One protocol; each is a module."""

    @property
    def NAME(self) -> WireName: ...  # noqa: N802 - a constant of the module

    def understood(self, body: JsonObject) -> Asked:
        """Read a request, skipping whatever is not as it should be."""
        ...

    def streamed(self, reply: Reply) -> Iterator[bytes]:
        """The chunks of a stream; the last ones close it."""
        ...

    def whole(self, reply: Reply) -> JsonObject:
        """The answer in one piece."""
        ...

    def refusal(self, problem: Problem) -> JsonObject:
        """The body of an HTTP error."""
        ...


def encoded(data: JsonValue) -> bytes:
    """JSON in one line of ASCII, which any client decodes."""
    return json.dumps(data, separators=(",", ":")).encode()


def event(data: JsonObject) -> bytes:
    """A server-sent event, named by its own type."""
    return f"event: {data['type']}\n".encode() + data_line(data)


def data_line(data: JsonValue) -> bytes:
    """A server-sent event without a name."""
    return b"data: " + encoded(data) + b"\n\n"


def written_arguments(call: NativeCall) -> str:
    """The input of a tool call as text."""
    return json.dumps(call.arguments) if call.input is None else call.input


def read_arguments(call: NativeCall) -> JsonValue:
    """The input of a tool call as a value, where the protocol has no text."""
    return dict(call.arguments) if call.input is None else call.input


def objects(value: JsonValue) -> Iterator[JsonObject]:
    """The objects in a list; nothing if it is none."""
    if isinstance(value, list):
        yield from (one for one in value if isinstance(one, dict))


def text_in(content: JsonValue) -> str:
    """The text of a message: a string, or the text of its blocks."""
    if isinstance(content, str):
        return content
    return "\n".join(
        text for block in objects(content) if isinstance(text := block.get("text"), str)
    )


def at(value: JsonValue, *keys: str) -> JsonValue:
    """What lies below *keys*; None if it is not there."""
    for key in keys:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def named(model: JsonValue) -> str:
    """The model of a request."""
    return model if isinstance(model, str) else ""


def offered(name: JsonValue, schema: JsonValue) -> dict[str, frozenset[str]]:
    """One tool of a request and the arguments its schema names."""
    properties = at(schema, "properties")
    known = frozenset(properties) if isinstance(properties, dict) else frozenset[str]()
    return {name: known} if isinstance(name, str) else {}
