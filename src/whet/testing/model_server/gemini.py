"""Gemini."""

from collections.abc import Iterator

from pydantic import JsonValue

from whet.testing.model_server.call import WireName
from whet.testing.model_server.dialogue import Other
from whet.testing.model_server.script import Problem, StopReason
from whet.testing.model_server.wire import (
    Asked,
    JsonObject,
    Reply,
    at,
    data_line,
    named,
    objects,
    offered,
    read_arguments,
    text_in,
)

NAME: WireName = "gemini"
STOPS: dict[StopReason, str] = {
    "end": "STOP",
    "tool": "STOP",
    "length": "MAX_TOKENS",
    "refusal": "SAFETY",
}
ERRORS = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}


def understood(body: JsonObject) -> Asked:
    """Every user text counts, but not in requests for JSON: those are the client's own questions
    about a conversation, such as which model to take."""
    schema = _schema(body.get("generationConfig"))
    dialogue: list[str | Other] = []
    for content in objects(body.get("contents")):
        if content.get("role") == "model":
            dialogue.append(Other.MODEL)
        else:
            text = text_in(content.get("parts"))
            dialogue.append(text if text and schema is None else Other.REST)
    tools: dict[str, frozenset[str]] = {}
    for group in objects(body.get("tools")):
        for tool in objects(group.get("functionDeclarations")):
            form = tool.get("parametersJsonSchema") or tool.get("parameters")
            tools |= offered(tool.get("name"), form)
    return Asked(
        model=named(body.get("model")),
        stream=body.get("stream") is True,
        dialogue=dialogue,
        tools=tools,
        schema=schema,
    )


def _schema(config: JsonValue) -> JsonValue:
    if at(config, "responseMimeType") != "application/json":
        return None
    return at(config, "responseJsonSchema") or at(config, "responseSchema") or {}


def streamed(reply: Reply) -> Iterator[bytes]:
    """A chunk for every part; the last has the finish reason and the usage."""
    *first, last = list(_parts(reply)) or [{"text": ""}]
    for part in first:
        yield data_line(_response(reply, [part]))
    yield data_line(_finished(reply, [last]))


def whole(reply: Reply) -> JsonObject:
    """One response."""
    return _finished(reply, [*_parts(reply)])


def refusal(problem: Problem) -> JsonObject:
    """The body of an HTTP error."""
    error: JsonObject = {
        "code": problem.status,
        "message": problem.message,
        "status": problem.type or ERRORS.get(problem.status, "INTERNAL"),
    }
    if problem.retry_after is not None:
        kind = "type.googleapis.com/google.rpc.RetryInfo"
        error["details"] = [{"@type": kind, "retryDelay": f"{problem.retry_after}s"}]
    return {"error": error}


def _parts(reply: Reply) -> Iterator[JsonObject]:
    if reply.answer.thinking:
        yield {"text": reply.answer.thinking, "thought": True}
    for piece in reply.answer.pieces:
        yield {"text": piece}
    for call in reply.calls:
        yield {"functionCall": {"name": call.tool, "args": read_arguments(call)}}


def _response(reply: Reply, parts: list[JsonValue]) -> JsonObject:
    candidate: JsonObject = {"content": {"role": "model", "parts": parts}, "index": 0}
    return {"candidates": [candidate], "modelVersion": reply.model, "responseId": reply.id}


def _finished(reply: Reply, parts: list[JsonValue]) -> JsonObject:
    tokens = reply.answer.usage
    candidate: JsonObject = {
        "content": {"role": "model", "parts": parts},
        "finishReason": STOPS[reply.answer.stops],
        "index": 0,
    }
    usage: JsonObject = {
        "promptTokenCount": tokens.prompt,
        "candidatesTokenCount": tokens.output - tokens.reasoning,
        "totalTokenCount": tokens.prompt + tokens.output,
        "cachedContentTokenCount": tokens.cache_read,
        "thoughtsTokenCount": tokens.reasoning,
    }
    return {**_response(reply, parts), "candidates": [candidate], "usageMetadata": usage}
