"""The MCP server of the tests, spoken to by a plain client."""

import io
import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whet.testing import mcp_server
from whet.testing.mcp_server import NOTES, VERSIONS, answer, serve

Reply = dict[str, Any]


def ask(method: str, **params: object) -> Reply:
    reply = answer(json.dumps({"id": 1, "method": method, "params": params}).encode())
    assert reply is not None
    assert (reply["jsonrpc"], reply["id"]) == ("2.0", 1)
    return reply


def call(tool: str, **arguments: object) -> tuple[str, bool]:
    """What a tool says, and whether it is an error."""
    result = ask("tools/call", name=tool, arguments=arguments)["result"]
    (block,) = result["content"]
    assert block["type"] == "text"
    return block["text"], result["isError"]


@pytest.mark.parametrize("argv", [("-m", "whet.testing.mcp_server"), None], ids=["module", "text"])
def test_a_conversation_with_the_program(argv: tuple[str, ...] | None) -> None:
    option = mcp_server.as_option()
    command = [option["command"], *(argv or option["args"])]
    messages = [
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "x"}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": "one", "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 2, "method": "ping"},
        {
            "jsonrpc": "2.0",
            "id": 3,
            "method": "tools/call",
            "params": {"name": "lookup", "arguments": {"key": "会议"}},
        },
    ]
    said = subprocess.run(
        command,
        input="".join(json.dumps(message) + "\n" for message in messages).encode(),
        capture_output=True,
        timeout=60,
        check=True,
    )
    replies = [json.loads(line) for line in said.stdout.splitlines()]
    assert [reply["id"] for reply in replies] == [0, "one", 2, 3]
    assert replies[0]["result"]["serverInfo"]["name"] == mcp_server.NAME == "notes"
    assert [tool["name"] for tool in replies[1]["result"]["tools"]] == ["lookup", "add"]
    assert replies[2]["result"] == {}
    assert replies[3]["result"]["content"][0]["text"] == NOTES["会议"]
    assert said.stderr == b""


def test_it_speaks_the_clients_revision_where_it_knows_it() -> None:
    for version in VERSIONS:
        told = ask("initialize", protocolVersion=version)["result"]
        assert told["protocolVersion"] == version
    for strange in ("1999-01-01", None, ["2025-06-18"], 7):
        told = ask("initialize", protocolVersion=strange)["result"]
        assert told["protocolVersion"] == VERSIONS[-1]


def test_notes_are_looked_up() -> None:
    for key, text in NOTES.items():
        assert call("lookup", key=key) == (text, False)
    said, is_error = call("lookup", key="nowhere")
    assert is_error
    assert "harbour" in said
    for wrong in ({}, {"key": 7}, {"key": None}, {"key": ["harbour"]}):
        assert call("lookup", **wrong)[1]


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        (2, 40, "2 + 40 = 42"),
        (-1, 1, "-1 + 1 = 0"),
        (0.5, 0.25, "0.5 + 0.25 = 0.75"),
        (10**20, 1, "100000000000000000000 + 1 = 100000000000000000001"),
    ],
)
def test_numbers_are_added(a: float, b: float, said: str) -> None:
    assert call("add", a=a, b=b) == (said, False)


@pytest.mark.parametrize(
    "wrong", [{}, {"a": 1}, {"a": "1", "b": 2}, {"a": True, "b": 2}, {"a": 1e308, "b": 1e308}]
)
def test_what_cannot_be_added_is_an_error_result(wrong: dict[str, object]) -> None:
    assert call("add", **wrong)[1]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{", -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 100_000, -32700),
        (b'{"id": 1, "method": "ping", "params": NaN}', -32700),
        (b'{"id": ' + b"9" * 5_000 + b', "method": "ping"}', -32700),
        (b"[]", -32600),
        (b'{"id": 1}', -32600),
        (b'{"id": 1, "method": 7}', -32600),
        (b'{"id": [], "method": "ping"}', -32600),
        (b'{"id": 1e999, "method": "ping"}', -32600),
        (b'{"id": true, "method": "ping"}', -32600),
        (b'{"id": 1, "method": "nonsense"}', -32601),
        (b'{"id": 1, "method": "ping", "params": []}', -32602),
        (b'{"id": 1, "method": "tools/call"}', -32602),
        (b'{"id": 1, "method": "tools/call", "params": {"name": ["add"]}}', -32602),
    ],
)
def test_bad_input_is_answered(line: bytes, code: int) -> None:
    reply = answer(line)
    assert reply is not None
    assert reply["error"]["code"] == code


def test_a_message_without_an_end_costs_nothing_but_itself() -> None:
    ping = b'{"id": 5, "method": "ping"}\n'
    sink = io.BytesIO()
    serve(io.BytesIO(b"x" * 3_000_000 + b"\n\n" + ping + b"y" * 2_000_000), sink)
    replies = [json.loads(line) for line in sink.getvalue().splitlines()]
    assert [reply["id"] for reply in replies] == [None, 5, None]
    assert replies[1]["result"] == {}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
METHODS = st.sampled_from(["initialize", "ping", "tools/list", "tools/call", "x"]) | JSON


@given(
    st.binary()
    | st.fixed_dictionaries(
        {},
        optional={
            "id": JSON,
            "method": METHODS,
            "params": JSON
            | st.fixed_dictionaries(
                {"name": st.sampled_from(["add", "lookup"]) | JSON, "arguments": JSON}
            ),
        },
    ).map(lambda message: json.dumps(message).encode())
)
def test_nothing_breaks_it(line: bytes) -> None:
    reply = answer(line.replace(b"\n", b" "))
    if reply is not None:
        json.dumps(reply, allow_nan=False)
        assert ("result" in reply) != ("error" in reply)


def test_the_option_names_this_python() -> None:
    assert mcp_server.as_option()["command"] == sys.executable
    assert mcp_server.as_option("python3")["command"] == "python3"
