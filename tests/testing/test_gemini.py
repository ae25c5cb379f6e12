"""Gemini, chunk by chunk."""

from typing import Any

from tests.testing.asking import ask, call, script
from whet.testing.model_server import ModelServer, Tokens, ToolCall, Turn

TURN = Turn(
    thinking="Hm.",
    text=("I ", "read."),
    calls=(ToolCall(action="read", arguments={"path": "a.txt"}),),
    usage=Tokens(input=7, output=5, cache_read=3, cache_write=2, reasoning=1),
)
USAGE = {
    "promptTokenCount": 12,
    "candidatesTokenCount": 4,
    "totalTokenCount": 17,
    "cachedContentTokenCount": 3,
    "thoughtsTokenCount": 1,
}
READ = {"functionCall": {"name": "read_file", "args": {"file_path": "a.txt"}}}


def response(*parts: Any, **finish: str) -> Any:
    content = {"role": "model", "parts": list(parts)}
    candidate = {"content": content, **finish, "index": 0}
    return {"candidates": [candidate], "modelVersion": "m", "responseId": "c0_t0"}


def test_a_stream() -> None:
    with ModelServer(script(TURN)) as server:
        answer = ask(server, "gemini", "<session_context/> MARK please")
    assert answer.events == [
        (None, response({"text": "Hm.", "thought": True})),
        (None, response({"text": "I "})),
        (None, response({"text": "read."})),
        (None, response(READ, finishReason="STOP") | {"usageMetadata": USAGE}),
    ]


def test_in_one_piece() -> None:
    parts = ({"text": "Hm.", "thought": True}, {"text": "I "}, {"text": "read."}, READ)
    with ModelServer(script(TURN)) as server:
        answer = ask(server, "gemini", "MARK", stream=False)
    assert answer.json == response(*parts, finishReason="STOP") | {"usageMetadata": USAGE}


def test_one_text_is_one_chunk() -> None:
    with ModelServer(script(Turn(text="Done.", stop="length"))) as server:
        (only,) = ask(server, "gemini", "MARK").events
    assert only[1]["candidates"][0]["finishReason"] == "MAX_TOKENS"


def test_questions_of_the_client_itself_get_json_that_fits() -> None:
    schema = {
        "type": "OBJECT",
        "properties": {
            "complexity_reasoning": {"type": "STRING"},
            "complexity_score": {"type": "INTEGER"},
            "next_speaker": {"type": "string", "enum": ["user", "model"]},
        },
    }
    form = {"responseMimeType": "application/json", "responseJsonSchema": schema}
    asked = {
        "contents": [{"role": "user", "parts": [{"text": "MARK please"}]}],
        "generationConfig": form,
    }
    with ModelServer(script(Turn(text="mine"))) as server:
        answer = call(server, "POST", "/v1beta/models/flash:generateContent", asked)
        assert server.requests_for("MARK") == ()
    assert answer.json["modelVersion"] == "flash"
    (part,) = answer.json["candidates"][0]["content"]["parts"]
    assert part["text"] == (
        '{"complexity_reasoning":"OK","complexity_score":1,"next_speaker":"user"}'
    )


def test_what_clients_ask_beside() -> None:
    with ModelServer(script(Turn())) as server:
        count = call(server, "POST", "/v1beta/models/m:countTokens", {"contents": []})
        models = call(server, "GET", "/v1beta/models")
        one = call(server, "GET", "/v1beta/models/any")
        unknown = call(server, "POST", "/v1beta/models/m:embedContent", {})
    assert count.json == {"totalTokens": 5}
    assert models.json["models"][0]["name"] == "models/scripted-model"
    assert one.json["name"] == "models/any"
    assert unknown.status == 404
    assert unknown.json["error"]["status"] == "NOT_FOUND"
