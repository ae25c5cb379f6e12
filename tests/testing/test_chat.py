"""OpenAI chat completions, chunk by chunk."""

from typing import Any

import pytest

from tests.testing.asking import Json, ask, script
from whet.testing.model_server import ModelServer, Tokens, ToolCall, Turn
from whet.testing.model_server.script import StopReason

TURN = Turn(
    thinking="Hm.",
    text=("I ", "look."),
    calls=(
        ToolCall(action="shell", arguments={"command": "ls", "description": "list"}),
        ToolCall(tool="todowrite", arguments={"todos": []}),
    ),
    usage=Tokens(input=7, output=5, cache_read=3, cache_write=2, reasoning=1),
)
USAGE: Json = {
    "prompt_tokens": 12,
    "completion_tokens": 5,
    "total_tokens": 17,
    "prompt_tokens_details": {"cached_tokens": 3},
    "completion_tokens_details": {"reasoning_tokens": 1},
}
ENVELOPE: Json = {"id": "chatcmpl_c0_t0", "created": 0, "model": "m"}
BASH: Json = {
    "id": "call_c0_t0_0",
    "type": "function",
    "function": {"name": "bash", "arguments": '{"command": "ls", "description": "list"}'},
}
TODO: Json = {
    "id": "call_c0_t0_1",
    "type": "function",
    "function": {"name": "todowrite", "arguments": '{"todos": []}'},
}


def chunk(delta: Any, finish: str | None = None) -> tuple[None, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return None, {**ENVELOPE, "object": "chat.completion.chunk", "choices": [choice]}


def test_a_stream() -> None:
    with ModelServer(script(TURN)) as server:
        answer = ask(server, "chat", {"role": "system", "content": "You are."}, '"MARK please"')
    assert answer.events == [
        chunk({"role": "assistant", "content": ""}),
        chunk({"reasoning_content": "Hm."}),
        chunk({"content": "I "}),
        chunk({"content": "look."}),
        chunk({"tool_calls": [{"index": 0, **BASH}]}),
        chunk({"tool_calls": [{"index": 1, **TODO}]}),
        chunk({}, "tool_calls"),
        (
            None,
            {**ENVELOPE, "object": "chat.completion.chunk", "choices": [], "usage": USAGE},
        ),
        (None, "[DONE]"),
    ]


def test_in_one_piece() -> None:
    with ModelServer(script(TURN)) as server:
        answer = ask(server, "chat", "MARK", stream=False)
    message = {
        "role": "assistant",
        "content": "I look.",
        "reasoning_content": "Hm.",
        "tool_calls": [BASH, TODO],
    }
    assert answer.json == {
        **ENVELOPE,
        "object": "chat.completion",
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
        "usage": USAGE,
    }


@pytest.mark.parametrize(
    ("stop", "said"), [("end", "stop"), ("length", "length"), ("refusal", "content_filter")]
)
def test_why_it_ends(stop: StopReason, said: str) -> None:
    with ModelServer(script(Turn(text="x", stop=stop))) as server:
        answer = ask(server, "chat", "MARK", stream=False)
    assert answer.json["choices"][0]["finish_reason"] == said
