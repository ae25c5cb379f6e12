"""Events: each change of state of whet itself, in the order it was committed."""

from pydantic import JsonValue

from whet.core.value import Value


class Event(Value):
    """Something happened to ``subject``; ``cursor`` grows in commit order."""

    cursor: int
    at: str
    kind: str
    subject: str
    data: dict[str, JsonValue] = {}
