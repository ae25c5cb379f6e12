"""A small real MCP server over standard input and output: ``python -m whet.testing.mcp_server``.

It is called ``notes`` and has two tools. ``lookup`` tells the text of a note by its ``key``;
``add`` adds the numbers ``a`` and ``b``. It needs the standard library only, so that it runs
wherever a Python is, also in a sandbox that does not show this package (see ``as_option``).
"""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, cast

NAME = "notes"
NOTES: Mapping[str, str] = {
    "harbour": "The ferry leaves pier 7 at 06:40.",
    "recipe": "The bread needs 480 g of flour and 9 g of salt.",
    "password-hint": "The hint is: a heron under the third bridge.",
    "会议": "周会改到星期四下午三点，地点是二楼的青松厅。",
}
VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""The revisions of the protocol that it speaks: they are alike in all that it does."""

_LONGEST = 1024 * 1024
"""Bytes of one message."""

_PARSE_ERROR, _INVALID, _NO_METHOD, _BAD_PARAMS = -32700, -32600, -32601, -32602
_Object = dict[str, Any]


def tools() -> list[_Object]:
    """What it says of its tools."""
    number = {"type": "number"}
    return [
        {
            "name": "lookup",
            "description": "Look up a note by its key.",
            "inputSchema": _schema({"key": {"type": "string", "description": "Name of the note"}}),
        },
        {
            "name": "add",
            "description": "Add two numbers.",
            "inputSchema": _schema({"a": number, "b": number}),
        },
    ]


def as_option(python: str = sys.executable) -> _Object:
    """The server as the option ``mcp_servers`` of an engine has it under its name. Its whole
    text is an argument, as an agent in a sandbox need not see where this file lies."""
    return {"command": python, "args": ["-I", "-c", Path(__file__).read_text(encoding="utf-8")]}


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Answer one message a line until the source ends."""
    while line := source.readline(_LONGEST + 1):
        if len(line) > _LONGEST:
            _skip_line(source, line)
            reply: _Object | None = _error(None, _INVALID, "the message is too long")
        else:
            reply = answer(line)
        if reply is not None:
            sink.write(json.dumps(reply).encode() + b"\n")
            sink.flush()


def answer(line: bytes) -> _Object | None:
    """The reply to one message; None to a notification and to an empty line."""
    if not line.strip():
        return None
    try:
        message = _object(json.loads(line, parse_constant=_refuse))
    except (ValueError, RecursionError):
        return _error(None, _PARSE_ERROR, "this is not JSON")
    if message is None or not isinstance(method := message.get("method"), str):
        return _error(None, _INVALID, "this is no request")
    if "id" not in message:
        return None
    number = message["id"]
    if not isinstance(number, str) and _number(number) is None:
        return _error(None, _INVALID, "an id is a text or a number")
    params = _object(message.get("params", {}))
    if params is None:
        return _error(number, _BAD_PARAMS, "params must be an object")
    return _result(number, method, params)


def _result(number: str | float, method: str, params: _Object) -> _Object:
    match method:
        case "initialize":
            asked = params.get("protocolVersion")
            result = {
                "protocolVersion": asked if asked in VERSIONS else VERSIONS[-1],
                "capabilities": {"tools": {"listChanged": False}},
                "serverInfo": {"name": NAME, "version": "1"},
            }
        case "ping":
            result = {}
        case "tools/list":
            result = {"tools": tools()}
        case "tools/call":
            name = params.get("name")
            tool = _TOOLS.get(name) if isinstance(name, str) else None
            if tool is None:
                return _error(number, _BAD_PARAMS, "there is no such tool")
            result = tool(_object(params.get("arguments")) or {})
        case _:
            return _error(number, _NO_METHOD, "there is no such method")
    return {"jsonrpc": "2.0", "id": number, "result": result}


def _lookup(given: _Object) -> _Object:
    key = given.get("key")
    if not isinstance(key, str):
        return _said("lookup needs a text as its argument key", ok=False)
    if key not in NOTES:
        return _said(f"there is no note {key[:100]!r}; there are: {', '.join(NOTES)}", ok=False)
    return _said(NOTES[key])


def _add(given: _Object) -> _Object:
    a, b = _number(given.get("a")), _number(given.get("b"))
    if a is None or b is None:
        return _said("add needs two numbers as its arguments a and b", ok=False)
    total = a + b
    if _number(total) is None:
        return _said("the sum is too large", ok=False)
    # Gemini CLI refuses a text that is a mere number: it takes it for structured content.
    return _said(f"{a} + {b} = {total}")


_TOOLS: Mapping[str, Callable[[_Object], _Object]] = {"lookup": _lookup, "add": _add}


def _schema(properties: _Object) -> _Object:
    return {"type": "object", "properties": properties, "required": [*properties]}


def _said(text: str, *, ok: bool = True) -> _Object:
    return {"content": [{"type": "text", "text": text}], "isError": not ok}


def _error(number: str | float | None, code: int, message: str) -> _Object:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}}


def _object(value: object) -> _Object | None:
    return cast("_Object", value) if isinstance(value, dict) else None


def _number(value: object) -> float | None:
    """A number that JSON can tell and that fits in a float; an integer stays one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if abs(value) <= sys.float_info.max else None


def _refuse(_constant: str) -> None:
    raise ValueError("NaN and infinity are no JSON")


def _skip_line(source: BinaryIO, line: bytes) -> None:
    while line and not line.endswith(b"\n"):
        line = source.readline(_LONGEST)


if __name__ == "__main__":
    try:
        serve(sys.stdin.buffer, sys.stdout.buffer)
    except (BrokenPipeError, KeyboardInterrupt):
        sys.exit(1)
