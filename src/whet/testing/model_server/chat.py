"""OpenAI chat completions."""

from collections.abc import Iterator

from pydantic import JsonValue

from whet.testing.model_server.call import NativeCall, WireName
from whet.testing.model_server.dialogue import Other
from whet.testing.model_server.openai_errors import refusal
from whet.testing.model_server.script import StopReason
from whet.testing.model_server.wire import (
    Asked,
    JsonObject,
    Reply,
    at,
    data_line,
    named,
    objects,
    offered,
    text_in,
    written_arguments,
)

__all__ = ["NAME", "refusal", "streamed", "understood", "whole"]

NAME: WireName = "chat"
STOPS: dict[StopReason, str] = {
    "end": "stop",
    "tool": "tool_calls",
    "length": "length",
    "refusal": "content_filter",
}


def understood(body: JsonObject) -> Asked:
    """User text counts where a person speaks: first, or after the model.

    A client may open with a greeting it made up, so the first message is not enough. A message
    right after another is what a side request, such as one for a title, is about.
    """
    dialogue: list[str | Other] = []
    for message in objects(body.get("messages")):
        match message.get("role"):
            case "assistant":
                dialogue.append(Other.MODEL)
            case "user" if not dialogue or dialogue[-1] is Other.MODEL:
                dialogue.append(text_in(message.get("content")))
            case "user" | "tool":
                dialogue.append(Other.REST)
            case _:
                pass
    tools: dict[str, frozenset[str]] = {}
    for tool in objects(body.get("tools")):
        tools |= offered(at(tool, "function", "name"), at(tool, "function", "parameters"))
    form = at(body, "response_format", "type")
    return Asked(
        model=named(body.get("model")),
        stream=body.get("stream") is True,
        dialogue=dialogue,
        tools=tools,
        schema={}
        if form == "json_object"
        else at(body, "response_format", "json_schema", "schema"),
    )


def streamed(reply: Reply) -> Iterator[bytes]:
    """Deltas, the finish reason, the usage, ``[DONE]``."""
    answer = reply.answer
    yield _chunk(reply, {"role": "assistant", "content": ""})
    if answer.thinking:
        yield _chunk(reply, {"reasoning_content": answer.thinking})
    for piece in answer.pieces:
        yield _chunk(reply, {"content": piece})
    for number, call in enumerate(reply.calls):
        yield _chunk(reply, {"tool_calls": [{"index": number, **_call(reply, number, call)}]})
    yield _chunk(reply, {}, STOPS[answer.stops])
    yield data_line(
        {**_envelope(reply, "chat.completion.chunk"), "choices": [], "usage": _usage(reply)}
    )
    yield b"data: [DONE]\n\n"


def whole(reply: Reply) -> JsonObject:
    """One completion."""
    answer = reply.answer
    message: JsonObject = {"role": "assistant", "content": answer.full_text or None}
    if answer.thinking:
        message["reasoning_content"] = answer.thinking
    if reply.calls:
        message["tool_calls"] = [
            _call(reply, number, call) for number, call in enumerate(reply.calls)
        ]
    choice: JsonObject = {"index": 0, "message": message, "finish_reason": STOPS[answer.stops]}
    return {**_envelope(reply, "chat.completion"), "choices": [choice], "usage": _usage(reply)}


def _chunk(reply: Reply, delta: JsonObject, finish: str | None = None) -> bytes:
    choice: JsonObject = {"index": 0, "delta": delta, "finish_reason": finish}
    return data_line({**_envelope(reply, "chat.completion.chunk"), "choices": [choice]})


def _envelope(reply: Reply, kind: str) -> JsonObject:
    return {"id": f"chatcmpl_{reply.id}", "object": kind, "created": 0, "model": reply.model}


def _call(reply: Reply, number: int, call: NativeCall) -> JsonObject:
    function: JsonValue = {"name": call.tool, "arguments": written_arguments(call)}
    return {"id": f"call_{reply.id}_{number}", "type": "function", "function": function}


def _usage(reply: Reply) -> JsonObject:
    tokens = reply.answer.usage
    return {
        "prompt_tokens": tokens.prompt,
        "completion_tokens": tokens.output,
        "total_tokens": tokens.prompt + tokens.output,
        "prompt_tokens_details": {"cached_tokens": tokens.cache_read},
        "completion_tokens_details": {"reasoning_tokens": tokens.reasoning},
    }
