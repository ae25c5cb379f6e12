"""A model written by hand."""

import json

from pydantic import JsonValue

from whet.core.usage import Usage
from whet.ports.ask import Query, Reply


class Model:
    """``ports.ask.Ask`` with one answer after the other; remembers the questions."""

    def __init__(self, *values: JsonValue) -> None:
        self.values = list(values)
        self.seen: list[Query] = []

    async def __call__(self, query: Query) -> Reply:
        self.seen.append(query)
        value = self.values.pop(0)
        return Reply(
            text=json.dumps(value),
            value=value,
            usage=Usage(),
            engine=query.engine,
            model=query.model,
            simulated=False,
            repaired=False,
            addresses=(),
        )
