"""Anthropic Messages, event by event."""

from tests.testing.asking import Json, ask, call, script
from whet.testing.model_server import ModelServer, NativeCall, Tokens, ToolCall, Turn

TURN = Turn(
    thinking="Hm.",
    text=("I ", "write."),
    calls=(
        ToolCall(action="write", arguments={"path": "a.txt", "content": "A\n"}),
        ToolCall(tool="Bash", native={"anthropic": NativeCall(tool="Bash", input='{"comm')}),
    ),
    usage=Tokens(input=7, output=5, cache_read=3, cache_write=2, reasoning=1),
)
USAGE: Json = {"input_tokens": 7, "cache_creation_input_tokens": 2, "cache_read_input_tokens": 3}
FINAL: Json = {"output_tokens": 5, "output_tokens_details": {"thinking_tokens": 1}}
ENVELOPE: Json = {"id": "msg_c0_t0", "type": "message", "role": "assistant", "model": "m"}
WRITE: Json = {"type": "tool_use", "id": "toolu_c0_t0_0", "name": "Write"}
BASH: Json = {"type": "tool_use", "id": "toolu_c0_t0_1", "name": "Bash"}


def begun(index: int, block: Json) -> tuple[str, object]:
    name = "content_block_start"
    return name, {"type": name, "index": index, "content_block": block}


def added(index: int, delta: Json) -> tuple[str, object]:
    name = "content_block_delta"
    return name, {"type": name, "index": index, "delta": delta}


def ended(index: int) -> tuple[str, object]:
    return "content_block_stop", {"type": "content_block_stop", "index": index}


def test_a_stream() -> None:
    with ModelServer(script(TURN)) as server:
        answer = ask(server, "anthropic", "MARK please")
    assert answer.status == 200
    assert answer.headers["content-type"] == "text/event-stream"
    assert answer.headers["connection"] == "close"
    assert "content-length" not in answer.headers
    message: Json = ENVELOPE | {
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": USAGE | {"output_tokens": 1},
    }
    assert answer.events == [
        ("message_start", {"type": "message_start", "message": message}),
        begun(0, {"type": "thinking", "thinking": "", "signature": ""}),
        added(0, {"type": "thinking_delta", "thinking": "Hm."}),
        added(0, {"type": "signature_delta", "signature": "c2NyaXB0ZWQ="}),
        ended(0),
        begun(1, {"type": "text", "text": ""}),
        added(1, {"type": "text_delta", "text": "I "}),
        added(1, {"type": "text_delta", "text": "write."}),
        ended(1),
        begun(2, WRITE | {"input": {}}),
        added(
            2,
            {
                "type": "input_json_delta",
                "partial_json": '{"file_path": "a.txt", "content": "A\\n"}',
            },
        ),
        ended(2),
        begun(3, BASH | {"input": {}}),
        added(3, {"type": "input_json_delta", "partial_json": '{"comm'}),
        ended(3),
        (
            "message_delta",
            {
                "type": "message_delta",
                "delta": {"stop_reason": "tool_use", "stop_sequence": None},
                "usage": FINAL,
            },
        ),
        ("message_stop", {"type": "message_stop"}),
    ]


def test_the_bytes_of_an_event() -> None:
    with ModelServer(script(Turn(text="Grüße"))) as server:
        answer = ask(server, "anthropic", "MARK")
    assert answer.body.endswith(b'event: message_stop\ndata: {"type":"message_stop"}\n\n')
    assert b'"text":"Gr\\u00fc\\u00dfe"' in answer.body


def test_in_one_piece() -> None:
    with ModelServer(script(TURN)) as server:
        answer = ask(server, "anthropic", "MARK", stream=False)
    assert answer.headers["content-type"] == "application/json"
    assert int(answer.headers["content-length"]) == len(answer.body)
    assert answer.json == ENVELOPE | {
        "content": [
            {"type": "thinking", "thinking": "Hm.", "signature": "c2NyaXB0ZWQ="},
            {"type": "text", "text": "I write."},
            WRITE | {"input": {"file_path": "a.txt", "content": "A\n"}},
            BASH | {"input": '{"comm'},
        ],
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": USAGE | FINAL,
    }


def test_an_empty_answer_has_no_blocks() -> None:
    with ModelServer(script(Turn())) as server:
        names = [name for name, _ in ask(server, "anthropic", "MARK").events]
    assert names == ["message_start", "message_delta", "message_stop"]


def test_messages_of_the_system_are_no_obstacle() -> None:
    with ModelServer(script(Turn(text="yes"))) as server:
        answer = ask(server, "anthropic", {"role": "system", "content": "# Environment"}, "MARK")
        assert answer.status == 200
        assert server.requests_for("MARK")[0].turn == 0


def test_what_clients_ask_beside() -> None:
    with ModelServer(script(Turn())) as server:
        alive = call(server, "HEAD", "/")
        count = call(server, "POST", "/v1/messages/count_tokens?beta=true", {"messages": []})
        models = call(server, "GET", "/v1/models")
        one = call(server, "GET", "/v1/models/any")
    assert (alive.status, alive.body) == (200, b"")
    assert count.json == {"input_tokens": 5}
    assert [model["id"] for model in models.json["data"]] == ["scripted-model"]
    assert models.json["has_more"] is False
    assert (one.json["id"], one.json["type"]) == ("any", "model")
