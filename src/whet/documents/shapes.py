"""Changes of shape between older documents and the present ones."""

from pydantic import JsonValue


def renamed(data: JsonValue, old: str, new: str) -> JsonValue:
    """Give a key of an object its present name, at the same place."""
    if not isinstance(data, dict) or old not in data or new in data:
        return data
    return {new if key == old else key: value for key, value in data.items()}
