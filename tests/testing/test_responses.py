"""OpenAI Responses, event by event."""

from typing import Any

from tests.testing.asking import Json, ask, call, script
from whet.testing.model_server import ModelServer, NativeCall, Tokens, ToolCall, Turn

TURN = Turn(
    thinking="Hm.",
    text=("I ", "run."),
    calls=(
        ToolCall(action="shell", arguments={"command": "ls"}),
        ToolCall(
            tool="patch",
            native={"responses": NativeCall(tool="apply_patch", input="*** Begin", custom=True)},
        ),
        ToolCall(action="agent", arguments={"prompt": "go"}),
    ),
    usage=Tokens(input=7, output=5, cache_read=3, cache_write=2, reasoning=1),
)
REASONING: Json = {
    "type": "reasoning",
    "id": "rs_c0_t0",
    "summary": [{"type": "summary_text", "text": "Hm."}],
}
PART: Json = {"type": "output_text", "text": "I run.", "annotations": []}
MESSAGE: Json = {
    "id": "msg_c0_t0",
    "status": "completed",
    "type": "message",
    "role": "assistant",
    "content": [PART],
}
SHELL: Json = {
    "type": "function_call",
    "id": "fc_c0_t0_0",
    "status": "completed",
    "call_id": "call_c0_t0_0",
    "name": "exec_command",
    "arguments": '{"cmd": "ls"}',
}
PATCH: Json = {
    "type": "custom_tool_call",
    "id": "ctc_c0_t0_1",
    "status": "completed",
    "call_id": "call_c0_t0_1",
    "name": "apply_patch",
    "input": "*** Begin",
}
SPAWN: Json = {
    "type": "function_call",
    "id": "fc_c0_t0_2",
    "status": "completed",
    "call_id": "call_c0_t0_2",
    "name": "spawn_agent",
    "arguments": '{"message": "go"}',
    "namespace": "multi_agent_v1",
}
RESPONSE: Json = {"id": "resp_c0_t0", "object": "response", "created_at": 0, "model": "m"}
COMPLETED: Json = RESPONSE | {
    "status": "completed",
    "output": [REASONING, MESSAGE, SHELL, PATCH, SPAWN],
    "usage": {
        "input_tokens": 12,
        "input_tokens_details": {"cached_tokens": 3, "cache_write_tokens": 2},
        "output_tokens": 5,
        "output_tokens_details": {"reasoning_tokens": 1},
        "total_tokens": 17,
    },
}


def added(index: int, item: Any, **empty: Any) -> tuple[str, Any]:
    begun = item | {"status": "in_progress"} | empty
    return "response.output_item.added", {"output_index": index, "item": begun}


def done(index: int, item: Any) -> tuple[str, Any]:
    return "response.output_item.done", {"output_index": index, "item": item}


def inside(index: int, item: Any, kind: str, **data: Any) -> tuple[str, Any]:
    return f"response.{kind}", {"item_id": item["id"], "output_index": index, **data}


def numbered(events: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    return [
        (name, {"type": name, "sequence_number": number, **data})
        for number, (name, data) in enumerate(events)
    ]


def test_a_stream() -> None:
    with ModelServer(script(TURN)) as server:
        answer = ask(server, "responses", "<environment/>", "MARK please")
    started: Json = RESPONSE | {"status": "in_progress", "output": []}
    assert answer.events == numbered(
        [
            ("response.created", {"response": started}),
            added(0, REASONING, summary=[]),
            inside(0, REASONING, "reasoning_summary_text.delta", summary_index=0, delta="Hm."),
            inside(0, REASONING, "reasoning_summary_text.done", summary_index=0, text="Hm."),
            done(0, REASONING),
            added(1, MESSAGE, content=[]),
            inside(1, MESSAGE, "content_part.added", content_index=0, part=PART | {"text": ""}),
            inside(1, MESSAGE, "output_text.delta", content_index=0, delta="I "),
            inside(1, MESSAGE, "output_text.delta", content_index=0, delta="run."),
            inside(1, MESSAGE, "output_text.done", content_index=0, text="I run."),
            inside(1, MESSAGE, "content_part.done", content_index=0, part=PART),
            done(1, MESSAGE),
            added(2, SHELL, arguments=""),
            inside(2, SHELL, "function_call_arguments.delta", delta='{"cmd": "ls"}'),
            inside(2, SHELL, "function_call_arguments.done", arguments='{"cmd": "ls"}'),
            done(2, SHELL),
            added(3, PATCH, input=""),
            inside(3, PATCH, "custom_tool_call_input.delta", delta="*** Begin"),
            inside(3, PATCH, "custom_tool_call_input.done", input="*** Begin"),
            done(3, PATCH),
            added(4, SPAWN, arguments=""),
            inside(4, SPAWN, "function_call_arguments.delta", delta='{"message": "go"}'),
            inside(4, SPAWN, "function_call_arguments.done", arguments='{"message": "go"}'),
            done(4, SPAWN),
            ("response.completed", {"response": COMPLETED}),
        ]
    )


def test_in_one_piece() -> None:
    with ModelServer(script(TURN)) as server:
        assert ask(server, "responses", "MARK", stream=False).json == COMPLETED


def test_too_long_is_incomplete() -> None:
    with ModelServer(script(Turn(text="half a", stop="length"))) as server:
        name, data = ask(server, "responses", "MARK").events[-1]
    assert name == "response.incomplete"
    assert data["response"]["status"] == "incomplete"
    assert data["response"]["incomplete_details"] == {"reason": "max_output_tokens"}


def test_a_refusal_is_a_part_of_its_own() -> None:
    with ModelServer(script(Turn(text="No.", stop="refusal"))) as server:
        answer = ask(server, "responses", "MARK")
    names = [name for name, _ in answer.events]
    assert "response.refusal.delta" in names
    (message,) = answer.events[-1][1]["response"]["output"]
    assert message["content"] == [{"type": "refusal", "refusal": "No."}]


def test_the_input_may_be_a_text() -> None:
    with ModelServer(script(Turn(text="yes"))) as server:
        answer = call(server, "POST", "/v1/responses", {"model": "m", "input": "MARK"})
    assert answer.json["output"][0]["content"][0]["text"] == "yes"
