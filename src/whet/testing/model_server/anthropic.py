"""Anthropic Messages."""

from collections.abc import Iterator

from pydantic import JsonValue

from whet.testing.model_server.call import NativeCall, WireName
from whet.testing.model_server.dialogue import Other
from whet.testing.model_server.script import Problem, StopReason
from whet.testing.model_server.wire import (
    Asked,
    JsonObject,
    Reply,
    at,
    event,
    named,
    objects,
    offered,
    read_arguments,
    text_in,
    written_arguments,
)

NAME: WireName = "anthropic"
SIGNATURE = "c2NyaXB0ZWQ="
STOPS: dict[StopReason, str] = {
    "end": "end_turn",
    "tool": "tool_use",
    "length": "max_tokens",
    "refusal": "refusal",
}
ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}


def understood(body: JsonObject) -> Asked:
    """Only the first user message decides: later ones are results and reminders."""
    dialogue: list[str | Other] = []
    for message in objects(body.get("messages")):
        match message.get("role"):
            case "assistant":
                dialogue.append(Other.MODEL)
            case "user" if not dialogue:
                dialogue.append(text_in(message.get("content")))
            case "user":
                dialogue.append(Other.REST)
            case _:
                pass
    tools: dict[str, frozenset[str]] = {}
    for tool in objects(body.get("tools")):
        tools |= offered(tool.get("name"), tool.get("input_schema"))
    return Asked(
        model=named(body.get("model")),
        stream=body.get("stream") is True,
        dialogue=dialogue,
        tools=tools,
        schema=at(body, "output_config", "format", "schema"),
    )


def streamed(reply: Reply) -> Iterator[bytes]:
    """``message_start``, the blocks, ``message_delta`` and ``message_stop``."""
    usage = _usage(reply) | {"output_tokens": 1}
    message = _message(reply, content=[], stop=None, usage=usage)
    yield event({"type": "message_start", "message": message})
    index = -1
    for index, (begin, deltas) in enumerate(_blocks(reply)):
        yield event({"type": "content_block_start", "index": index, "content_block": begin})
        for delta in deltas:
            yield event({"type": "content_block_delta", "index": index, "delta": delta})
        yield event({"type": "content_block_stop", "index": index})
    yield event(
        {
            "type": "message_delta",
            "delta": {"stop_reason": STOPS[reply.answer.stops], "stop_sequence": None},
            "usage": _output(reply),
        }
    )
    yield event({"type": "message_stop"})


def _blocks(reply: Reply) -> Iterator[tuple[JsonObject, list[JsonObject]]]:
    """Each block as it begins, and what is added to it."""
    answer = reply.answer
    if answer.thinking:
        yield (
            {"type": "thinking", "thinking": "", "signature": ""},
            [
                {"type": "thinking_delta", "thinking": answer.thinking},
                {"type": "signature_delta", "signature": SIGNATURE},
            ],
        )
    if answer.pieces:
        deltas: list[JsonObject] = [
            {"type": "text_delta", "text": piece} for piece in answer.pieces
        ]
        yield {"type": "text", "text": ""}, deltas
    for number, call in enumerate(reply.calls):
        written = written_arguments(call)
        yield (
            _tool_use(reply, number, call, {}),
            [{"type": "input_json_delta", "partial_json": written}],
        )


def whole(reply: Reply) -> JsonObject:
    """One message."""
    answer = reply.answer
    content: list[JsonValue] = []
    if answer.thinking:
        content.append({"type": "thinking", "thinking": answer.thinking, "signature": SIGNATURE})
    if answer.pieces:
        content.append({"type": "text", "text": answer.full_text})
    for number, call in enumerate(reply.calls):
        content.append(_tool_use(reply, number, call, read_arguments(call)))
    usage = {**_usage(reply), **_output(reply)}
    return _message(reply, content=content, stop=STOPS[answer.stops], usage=usage)


def refusal(problem: Problem) -> JsonObject:
    """The body of an HTTP error."""
    kind = problem.type or ERRORS.get(problem.status, "api_error")
    return {"type": "error", "error": {"type": kind, "message": problem.message}}


def _tool_use(reply: Reply, number: int, call: NativeCall, value: JsonValue) -> JsonObject:
    return {
        "type": "tool_use",
        "id": f"toolu_{reply.id}_{number}",
        "name": call.tool,
        "input": value,
    }


def _usage(reply: Reply) -> JsonObject:
    tokens = reply.answer.usage
    return {
        "input_tokens": tokens.input,
        "cache_creation_input_tokens": tokens.cache_write,
        "cache_read_input_tokens": tokens.cache_read,
    }


def _output(reply: Reply) -> JsonObject:
    tokens = reply.answer.usage
    details: JsonObject = {"thinking_tokens": tokens.reasoning}
    return {"output_tokens": tokens.output, "output_tokens_details": details}


def _message(
    reply: Reply, *, content: list[JsonValue], stop: str | None, usage: JsonObject
) -> JsonObject:
    return {
        "id": f"msg_{reply.id}",
        "type": "message",
        "role": "assistant",
        "model": reply.model,
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": usage,
    }
