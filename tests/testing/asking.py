"""Ask the scripted model over plain HTTP, and make requests like those of the agents."""

import http.client
import json
import socket
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from whet.testing.model_server import Answer, Conversation, ModelServer, Script, Turn

Json = dict[str, Any]

PATHS = {
    "anthropic": "/v1/messages",
    "responses": "/v1/responses",
    "chat": "/v1/chat/completions",
    "gemini": "/v1beta/models/m:streamGenerateContent?alt=sse",
}
WIRES = list(PATHS)


def script(*turns: Turn | Answer, marker: str = "MARK") -> Script:
    """One conversation."""
    whole = tuple(turn if isinstance(turn, Turn) else Turn(hits=(turn,)) for turn in turns)
    return Script(conversations=(Conversation(marker=marker, turns=whole),))


@dataclass(frozen=True)
class Answered:
    """A whole HTTP response."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def events(self) -> list[tuple[str | None, Any]]:
        """Server-sent events: name and data."""
        assert self.body.endswith(b"\n\n") or not self.body
        return [_event(block) for block in self.body.decode().split("\n\n") if block]


def _event(block: str) -> tuple[str | None, Any]:
    name, data = None, None
    for line in block.split("\n"):
        key, _, value = line.partition(": ")
        if key == "event":
            name = value
        else:
            assert key == "data"
            data = value if value == "[DONE]" else json.loads(value)
    return name, data


def connected(server: ModelServer) -> http.client.HTTPConnection:
    address = urlsplit(server.url)
    return http.client.HTTPConnection(address.hostname or "", address.port, timeout=20)


def call(
    server: ModelServer, method: str, path: str, body: Json | bytes | None = None, **headers: str
) -> Answered:
    """One request to its end."""
    connection = connected(server)
    data = json.dumps(body).encode() if isinstance(body, dict) else body
    try:
        connection.request(method, path, data, headers)
        response = connection.getresponse()
        found = {name.lower(): value for name, value in response.getheaders()}
        return Answered(response.status, found, response.read())
    finally:
        connection.close()


def ask(server: ModelServer, wire: str, *said: str | Json, stream: bool = True) -> Answered:
    """Ask in one of the protocols; *said* are user texts and whatever else its messages are."""
    path = PATHS[wire]
    if wire == "gemini" and not stream:
        path = "/v1beta/models/m:generateContent"
    return call(server, "POST", path, body(wire, *said, stream=stream))


def body(wire: str, *said: str | Json, stream: bool = True) -> Json:
    """The body of a request."""
    messages = [user(wire, one) if isinstance(one, str) else one for one in said]
    if wire == "gemini":
        return {"contents": messages}
    key = "input" if wire == "responses" else "messages"
    return {"model": "m", "stream": stream, key: messages}


def user(wire: str, text: str) -> Json:
    """A message of the user as the agents send it."""
    match wire:
        case "anthropic":
            blocks = [
                {"type": "text", "text": "<system-reminder/>"},
                {"type": "text", "text": text},
            ]
            return {"role": "user", "content": blocks}
        case "responses":
            content = [{"type": "input_text", "text": text}]
            return {"type": "message", "role": "user", "content": content}
        case "chat":
            return {"role": "user", "content": text}
        case _:
            return {"role": "user", "parts": [{"text": text}]}


def used(wire: str, number: int) -> tuple[Json, Json]:
    """A tool call of the model and its result."""
    call: Json
    result: Json
    match wire:
        case "anthropic":
            call = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {}}
            result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": "done"}
            return {"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}
        case "responses":
            call = {
                "type": "function_call",
                "call_id": f"t{number}",
                "name": "x",
                "arguments": "{}",
            }
            return call, {"type": "function_call_output", "call_id": f"t{number}", "output": "done"}
        case "chat":
            call = {"id": f"t{number}", "type": "function", "function": {"name": "x"}}
            said = {"role": "assistant", "content": "", "tool_calls": [call]}
            return said, {"role": "tool", "tool_call_id": f"t{number}", "content": "done"}
        case _:
            call = {"functionCall": {"name": "x", "args": {}}}
            result = {"functionResponse": {"name": "x", "response": {}}}
            return {"role": "model", "parts": [call]}, {"role": "user", "parts": [result]}


def text_of(wire: str, answer: Answered) -> str:
    """The text of a streamed answer."""
    texts: list[str] = []
    for _, data in answer.events:
        match wire, data:
            case "anthropic", {"delta": {"text": str(text)}}:
                texts.append(text)
            case "responses", {"type": "response.output_text.delta", "delta": str(text)}:
                texts.append(text)
            case "chat", {"choices": [{"delta": {"content": str(text)}}]}:
                texts.append(text)
            case "gemini", {"candidates": [{"content": {"parts": [{"text": str(text)}]}}]}:
                texts.append(text)
            case _:
                pass
    return "".join(texts)


def raw(server: ModelServer, data: bytes) -> socket.socket:
    """Send bytes that need not be HTTP; the caller reads and closes."""
    address = urlsplit(server.url)
    connection = socket.create_connection((address.hostname or "", address.port or 0), timeout=20)
    connection.sendall(data)
    return connection


def raw_answer(server: ModelServer, data: bytes) -> bytes:
    """Send bytes and read all that comes back."""
    with raw(server, data) as connection:
        received = bytearray()
        while part := connection.recv(65_536):
            received += part
        return bytes(received)
