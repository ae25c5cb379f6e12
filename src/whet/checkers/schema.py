"""What keeps a JSON value from fitting a schema; also a script that is ended when it took long.

Imported only where there is a schema: the library behind it is slow to load.
"""

import json
import signal
import sys

from pydantic import JsonValue

from whet.core.errors import UsageError
from whet.documents.schema import Schema

_MOST = 3


def mistake(schema: JsonValue) -> str | None:
    """Why *schema* is none; what it refers to must be inside it, nothing is ever fetched."""
    if not isinstance(schema, dict):
        return "must be an object"
    try:
        Schema(schema)
    except UsageError as error:
        return f"is no JSON Schema: {error}"
    return None


def complaints(schema: dict[str, JsonValue], value: JsonValue) -> list[str]:
    """What keeps *value* from fitting; empty if it fits."""
    return list(Schema(schema).problems(value)[:_MOST])


def _main() -> None:
    question = json.load(sys.stdin)
    signal.setitimer(signal.ITIMER_PROF, question["seconds"])
    json.dump(complaints(question["schema"], question["value"]), sys.stdout)


if __name__ == "__main__":
    _main()
