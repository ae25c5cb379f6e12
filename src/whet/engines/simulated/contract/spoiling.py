"""Answers that are wrong on purpose, for trying out what becomes of them."""

import json

from pydantic import JsonValue

from whet.engines.simulated.filling.rules import Rules, TooMuch, items_of, members_of

_WRONG: tuple[JsonValue, ...] = (["wrong"], "wrong", 0.5, None, {"wrong": True}, -1)
_NO_JSON = "I have done it, but I put it in words: {}"


def spoiled(output: dict[str, JsonValue], schema: dict[str, JsonValue], number: int) -> str:
    """An answer that does not fit: of a wrong type, and every second time no JSON at all."""
    if number % 2:
        return _NO_JSON.format(", ".join(output) or "nothing")
    return json.dumps(_wrong(output, schema), ensure_ascii=False)


def _wrong(output: dict[str, JsonValue], schema: dict[str, JsonValue]) -> JsonValue:
    for changed in _changes(output, schema):
        try:
            if not Rules(schema).fits(schema, changed):
                return changed
        except TooMuch:
            break
    return [output]


def _changes(
    output: dict[str, JsonValue], schema: dict[str, JsonValue]
) -> list[dict[str, JsonValue]]:
    names = [name for name in members_of(schema.get("properties")) if name in output]
    required = [name for name in items_of(schema.get("required")) if name in output]
    changed = [{**output, name: wrong} for name in names for wrong in _WRONG]
    return [*changed, *({key: output[key] for key in output if key != name} for name in required)]
