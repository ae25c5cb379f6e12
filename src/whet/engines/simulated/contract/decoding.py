"""JSON that somebody else wrote."""

import json

from pydantic import JsonValue

from whet.core.foreign import strictly
from whet.core.text import storable


def decoded(text: str) -> dict[str, JsonValue] | None:
    """An object of which everything can be written again; None if it is none."""
    try:
        found = strictly(storable(text))
        if "\\ud" in text.lower():  # maybe half an emoji
            found = strictly(storable(json.dumps(found, ensure_ascii=False)))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
