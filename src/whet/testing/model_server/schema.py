"""A JSON value that fits a schema, for questions that no script foresaw."""

from pydantic import JsonValue

from whet.testing.model_server.wire import JsonObject

DEPTH = 20
"""How far a schema is followed; one that refers to itself has no end."""


def example(schema: JsonValue, depth: int = DEPTH) -> JsonValue:
    """The simplest value that fits; null where the schema says nothing usable."""
    if not isinstance(schema, dict) or depth == 0:
        return None
    match schema:
        case {"const": value} | {"enum": [value, *_]}:
            return value
        case {"anyOf": [first, *_]} | {"oneOf": [first, *_]} | {"allOf": [first, *_]}:
            return example(first, depth - 1)
        case {"type": str(kind)} | {"type": [str(kind), *_]}:
            return _of_kind(kind.lower(), schema, depth)
        case _:
            return _of_kind("object", schema, depth)


def _of_kind(kind: str, schema: JsonObject, depth: int) -> JsonValue:
    match kind:
        case "object":
            properties = schema.get("properties")
            if not isinstance(properties, dict):
                return {}
            return {name: example(inner, depth - 1) for name, inner in properties.items()}
        case "array":
            least = schema.get("minItems")
            number = least if isinstance(least, int) and 0 <= least <= DEPTH else 0
            return [example(schema.get("items"), depth - 1) for _ in range(number)]
        case "string":
            return "OK"
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return False
        case _:
            return None
