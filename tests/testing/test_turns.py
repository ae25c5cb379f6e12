"""Which turn of which conversation a request gets."""

import pytest

from tests.testing.asking import WIRES, Json, ask, body, call, script, text_of, used, user
from whet.core.errors import NotFound
from whet.testing.model_server import Conversation, ModelServer, Script, ToolCall, Turn

COUNTING = script(*(Turn(text=f"turn {number}") for number in range(4)))
FAMILY = Script(
    conversations=(
        Conversation(marker="PARENT", turns=(Turn(text="parent"),)),
        Conversation(marker="CHILD", turns=(Turn(text="child"),)),
        Conversation(marker="CHILD-2", turns=(Turn(text="second child"),)),
    ),
    default=(Turn(text="nobody's"),),
)


@pytest.mark.parametrize("wire", WIRES)
def test_the_turn_is_the_number_of_answers_so_far(wire: str) -> None:
    with ModelServer(COUNTING) as server:
        for turns in (0, 1, 2, 1):
            past = [message for number in range(turns) for message in used(wire, number)]
            assert text_of(wire, ask(server, wire, "MARK", *past)) == f"turn {turns}"
        found = [(request.turn, request.hit) for request in server.requests_for("MARK")]
    assert found == [(0, 0), (1, 0), (2, 0), (1, 1)]


@pytest.mark.parametrize("wire", WIRES)
def test_a_second_question_goes_on(wire: str) -> None:
    said: dict[str, Json] = {
        "anthropic": {"role": "assistant", "content": "a"},
        "responses": {"type": "message", "role": "assistant", "content": []},
        "chat": {"role": "assistant", "content": "a"},
        "gemini": {"role": "model", "parts": [{"text": "a"}]},
    }
    with ModelServer(COUNTING) as server:
        assert text_of(wire, ask(server, wire, "MARK", said[wire], "and now?")) == "turn 1"


def test_items_in_a_row_are_one_turn() -> None:
    """Codex sends reasoning, text and parallel calls of one answer as separate items."""
    first, first_result = used("responses", 0)
    second, second_result = used("responses", 1)
    reasoning: Json = {"type": "reasoning", "summary": []}
    text: Json = {"type": "message", "role": "assistant", "content": []}
    custom = {"type": "custom_tool_call", "call_id": "t2", "name": "apply_patch", "input": ""}
    done = {"type": "custom_tool_call_output", "call_id": "t2", "output": "Done"}
    past: list[Json] = [reasoning, text, first, second, first_result, second_result, custom, done]
    with ModelServer(COUNTING) as server:
        assert text_of("responses", ask(server, "responses", "MARK", *past)) == "turn 2"


@pytest.mark.parametrize("wire", WIRES)
def test_a_subagent_has_its_own_conversation(wire: str) -> None:
    with ModelServer(FAMILY) as server:
        assert text_of(wire, ask(server, wire, "PARENT, start another")) == "parent"
        assert text_of(wire, ask(server, wire, "CHILD: look")) == "child"
        assert text_of(wire, ask(server, wire, "something else")) == "nobody's"


@pytest.mark.parametrize("wire", WIRES)
def test_the_longest_marker_wins(wire: str) -> None:
    with ModelServer(FAMILY) as server:
        assert text_of(wire, ask(server, wire, "CHILD-2: look")) == "second child"


def test_anthropic_looks_at_the_first_message_only() -> None:
    said, result = used("anthropic", 0)
    with ModelServer(FAMILY) as server:
        answer = ask(server, "anthropic", "CHILD", said, result, "PARENT")
        assert text_of("anthropic", answer) == "child"
        assert text_of("anthropic", ask(server, "anthropic", "hello", said, "PARENT")) == "nobody's"


@pytest.mark.parametrize("wire", ["responses", "gemini"])
def test_some_look_at_every_text(wire: str) -> None:
    with ModelServer(COUNTING) as server:
        said, result = used(wire, 0)
        assert text_of(wire, ask(server, wire, "environment", "MARK")) == "turn 0"
        assert text_of(wire, ask(server, wire, "environment", "MARK", said, result)) == "turn 1"


def test_a_title_is_asked_for_about_the_text_below() -> None:
    with ModelServer(COUNTING) as server:
        answer = ask(server, "chat", "Generate a title for this conversation:", "MARK")
    assert text_of("chat", answer) == "OK"


def test_a_made_up_greeting_is_no_turn() -> None:
    """Qwen-code opens with its environment and an answer to it."""
    greeting = [user("chat", "This is my folder."), {"role": "assistant", "content": "Got it."}]
    said, result = used("chat", 0)
    with ModelServer(COUNTING) as server:
        assert text_of("chat", ask(server, "chat", *greeting, "MARK")) == "turn 0"
        assert text_of("chat", ask(server, "chat", *greeting, "MARK", said, result)) == "turn 1"


@pytest.mark.parametrize("wire", WIRES)
def test_after_the_last_turn_the_last_answer_stays(wire: str) -> None:
    past = [message for number in range(9) for message in used(wire, number)]
    with ModelServer(COUNTING) as server:
        assert text_of(wire, ask(server, wire, "MARK", *past)) == "turn 3"


def test_after_the_last_turn_no_tool_is_called() -> None:
    last = Turn(calls=(ToolCall(tool="Bash"),))
    with ModelServer(script(last)) as server:
        answer = ask(server, "anthropic", "MARK", *used("anthropic", 0))
    assert text_of("anthropic", answer) == "The script has no further turn."


def test_without_a_default_the_answer_is_ok_or_fits_the_schema() -> None:
    schema = {
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "tags": {"type": "array", "minItems": 1, "items": {"const": "x"}},
            "score": {"anyOf": [{"type": "number", "minimum": 3}, {"type": "null"}]},
            "done": {"type": ["boolean", "null"]},
            "none": {"type": "null"},
            "open": {},
        },
    }
    text = '{"title":"OK","tags":["x"],"score":3,"done":false,"none":null,"open":{}}'
    asked = {
        "anthropic": {"output_config": {"format": {"type": "json_schema", "schema": schema}}},
        "responses": {"text": {"format": {"type": "json_schema", "schema": schema}}},
        "chat": {"response_format": {"type": "json_schema", "json_schema": {"schema": schema}}},
    }
    with ModelServer(Script()) as server:
        for wire, extra in asked.items():
            path = {"anthropic": "messages", "responses": "responses"}.get(wire, "chat/completions")
            answer = call(server, "POST", f"/v1/{path}", body(wire, "hello") | extra)
            assert text_of(wire, answer) == text
        assert text_of("chat", ask(server, "chat", "hello")) == "OK"
        plain = {"response_format": {"type": "json_object"}}
        answer = call(server, "POST", "/v1/chat/completions", body("chat", "hello") | plain)
        assert text_of("chat", answer) == "{}"


def test_a_marker_that_is_not_in_the_script_is_a_mistake() -> None:
    with ModelServer(COUNTING) as server, pytest.raises(NotFound, match="marker 'MARC'"):
        server.requests_for("MARC")
