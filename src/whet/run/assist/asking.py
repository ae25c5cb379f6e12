"""Who is asked, and how a question is put to a model."""

from dataclasses import dataclass, replace

from whet.core.errors import AskFailure
from whet.core.text import fence
from whet.ports.ask import Ask, Query, Reply
from whet.ports.engine import Engine

MOST_SERIES = 10


@dataclass(frozen=True, slots=True)
class How:
    """The engine and model that is asked."""

    engine: str
    model: str
    version: str | None = None
    """Of the agent, as the logs name it."""

    simulated: bool = False
    """Whether there is no model behind it; a simple rule of ours answers then."""


def how(engine: Engine, model: str = "") -> How:
    """*engine* as it is installed now; raises ``EnvironmentProblem`` where it is not."""
    chosen = engine.name if engine.simulated else model or "default"
    return How(engine.name, chosen, engine.version({}), engine.simulated)


async def answered(ask: Ask, query: Query) -> Reply:
    """Ask; where nothing but a failure is on record, ask anew in the next series."""
    last = query.series + MOST_SERIES - 1
    while True:
        try:
            return await ask(query)
        except AskFailure as failure:
            if not failure.is_recorded or query.series == last:
                raise
        query = replace(query, series=query.series + 1)


def as_data(text: str) -> str:
    """*text* between lines that nothing in it can close."""
    line = fence(text)
    return f"{line}\n{text}\n{line}"
