"""OpenAI Responses."""

from collections.abc import Iterator
from itertools import count

from pydantic import JsonValue

from whet.testing.model_server.call import NativeCall, WireName
from whet.testing.model_server.dialogue import Other
from whet.testing.model_server.openai_errors import refusal
from whet.testing.model_server.wire import (
    Asked,
    JsonObject,
    Reply,
    at,
    event,
    named,
    objects,
    offered,
    text_in,
    written_arguments,
)

__all__ = ["NAME", "refusal", "streamed", "understood", "whole"]

NAME: WireName = "responses"
MODEL_ITEMS = {"function_call", "custom_tool_call", "local_shell_call", "reasoning"}


def understood(body: JsonObject) -> Asked:
    """Every user text counts: the first ones describe the environment."""
    given = body.get("input")
    dialogue: list[str | Other] = [given] if isinstance(given, str) else []
    tools = _tools(body.get("tools"))
    for item in objects(given):
        match item:
            case {"role": "user"}:
                dialogue.append(text_in(item.get("content")))
            case {"role": "assistant"}:
                dialogue.append(Other.MODEL)
            case {"type": str(kind)} if kind in MODEL_ITEMS:
                dialogue.append(Other.MODEL)
            case {"type": "additional_tools"}:
                tools |= _tools(item.get("tools"))
            case {"type": str(kind)} if kind.endswith("_output"):
                dialogue.append(Other.REST)
            case _:
                pass
    form = at(body, "text", "format", "type")
    return Asked(
        model=named(body.get("model")),
        stream=body.get("stream") is True,
        dialogue=dialogue,
        tools=tools,
        schema={} if form == "json_object" else at(body, "text", "format", "schema"),
    )


def _tools(value: JsonValue) -> dict[str, frozenset[str]]:
    """Tools and those inside of namespaces."""
    tools: dict[str, frozenset[str]] = {}
    for tool in objects(value):
        if tool.get("type") == "namespace":
            tools |= _tools(tool.get("tools"))
        else:
            tools |= offered(tool.get("name"), tool.get("parameters"))
    return tools


def streamed(reply: Reply) -> Iterator[bytes]:
    """``response.created``, the items, and ``response.completed`` or ``response.incomplete``."""
    numbers = count()

    def said(kind: str, data: JsonObject) -> bytes:
        return event({"type": kind, "sequence_number": next(numbers), **data})

    yield said("response.created", {"response": _response(reply, "in_progress", [])})
    items = _items(reply)
    for index, item in enumerate(items):
        place: JsonObject = {"item_id": item["id"], "output_index": index}
        begun = item | {"status": "in_progress"} | _EMPTY.get(str(item["type"]), {})
        yield said("response.output_item.added", {"output_index": index, "item": begun})
        for kind, data in _inside(reply, item):
            yield said(kind, place | data)
        yield said("response.output_item.done", {"output_index": index, "item": item})
    response = whole(reply)
    yield said(f"response.{response['status']}", {"response": response})


_EMPTY: dict[str, JsonObject] = {
    "message": {"content": []},
    "function_call": {"arguments": ""},
    "custom_tool_call": {"input": ""},
    "reasoning": {"summary": []},
}


def _inside(reply: Reply, item: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    """What a stream says about an item between its beginning and its end."""
    match item["type"]:
        case "message":
            yield from _text(reply)
        case "function_call":
            yield "response.function_call_arguments.delta", {"delta": item["arguments"]}
            yield "response.function_call_arguments.done", {"arguments": item["arguments"]}
        case "custom_tool_call":
            yield "response.custom_tool_call_input.delta", {"delta": item["input"]}
            yield "response.custom_tool_call_input.done", {"input": item["input"]}
        case _:
            place: JsonObject = {"summary_index": 0}
            text = reply.answer.thinking
            yield "response.reasoning_summary_text.delta", place | {"delta": text}
            yield "response.reasoning_summary_text.done", place | {"text": text}


def _text(reply: Reply) -> Iterator[tuple[str, JsonObject]]:
    kind, key = ("refusal", "refusal") if _refuses(reply) else ("output_text", "text")
    place: JsonObject = {"content_index": 0}
    empty: JsonObject = {**_part(reply), key: ""}
    yield "response.content_part.added", {**place, "part": empty}
    for piece in reply.answer.pieces:
        yield f"response.{kind}.delta", place | {"delta": piece}
    yield f"response.{kind}.done", place | {key: reply.answer.full_text}
    yield "response.content_part.done", {**place, "part": _part(reply)}


def whole(reply: Reply) -> JsonObject:
    """One response."""
    output: list[JsonValue] = [*_items(reply)]
    if reply.answer.stops == "length":
        reason: JsonObject = {"incomplete_details": {"reason": "max_output_tokens"}}
        return {**_response(reply, "incomplete", output), **reason, "usage": _usage(reply)}
    return {**_response(reply, "completed", output), "usage": _usage(reply)}


def _items(reply: Reply) -> list[JsonObject]:
    items: list[JsonObject] = []
    answer = reply.answer
    if answer.thinking:
        summary: JsonValue = [{"type": "summary_text", "text": answer.thinking}]
        items.append({"type": "reasoning", "id": f"rs_{reply.id}", "summary": summary})
    if answer.pieces or _refuses(reply):
        message: JsonObject = {"type": "message", "role": "assistant", "content": [_part(reply)]}
        items.append({"id": f"msg_{reply.id}", "status": "completed", **message})
    for number, call in enumerate(reply.calls):
        items.append(_call(f"{reply.id}_{number}", call))
    return items


def _refuses(reply: Reply) -> bool:
    return reply.answer.stops == "refusal"


def _part(reply: Reply) -> JsonObject:
    text = reply.answer.full_text
    if _refuses(reply):
        return {"type": "refusal", "refusal": text}
    return {"type": "output_text", "text": text, "annotations": []}


def _call(name: str, call: NativeCall) -> JsonObject:
    kind, key = ("custom_tool_call", "input") if call.custom else ("function_call", "arguments")
    item: JsonObject = {
        "type": kind,
        "id": f"{'ctc' if call.custom else 'fc'}_{name}",
        "status": "completed",
        "call_id": f"call_{name}",
        "name": call.tool,
        key: written_arguments(call),
    }
    return item if call.namespace is None else item | {"namespace": call.namespace}


def _response(reply: Reply, status: str, output: list[JsonValue]) -> JsonObject:
    return {
        "id": f"resp_{reply.id}",
        "object": "response",
        "created_at": 0,
        "status": status,
        "model": reply.model,
        "output": output,
    }


def _usage(reply: Reply) -> JsonObject:
    tokens = reply.answer.usage
    return {
        "input_tokens": tokens.prompt,
        "input_tokens_details": {
            "cached_tokens": tokens.cache_read,
            "cache_write_tokens": tokens.cache_write,
        },
        "output_tokens": tokens.output,
        "output_tokens_details": {"reasoning_tokens": tokens.reasoning},
        "total_tokens": tokens.prompt + tokens.output,
    }
