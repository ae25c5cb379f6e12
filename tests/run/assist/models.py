"""A model and a clock written by hand."""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pydantic import JsonValue

from whet.core.errors import AskFailure
from whet.core.usage import Usage
from whet.documents.schema import Schema
from whet.ports.ask import Query, Reply
from whet.run.assist.asking import How
from whet.run.assist.sessions import Sessions

MODEL = How("claude", "opus", "2.0.1")
SIMULATED = How("simulated", "simulated", "1", simulated=True)


@dataclass
class Clock:
    """``ports.clock.Clock`` that stands still until it is moved."""

    moment: datetime = datetime(2024, 1, 1, 12, 10, tzinfo=UTC)

    def now(self) -> datetime:
        return self.moment

    def later(self, **by: float) -> None:
        self.moment += timedelta(**by)


@dataclass
class Model:
    """``ports.ask.Ask`` with one answer after the other; remembers the questions. An answer that
    does not fit its schema is none."""

    answers: list[JsonValue | Exception]
    seen: list[Query] = field(default_factory=list[Query])

    async def __call__(self, query: Query) -> Reply:
        assert query.schema is not None
        self.seen.append(query)
        value = self.answers.pop(0)
        if isinstance(value, Exception):
            raise value
        text = json.dumps(value, ensure_ascii=False)
        if problems := Schema(query.schema).problems(value):
            raise AskFailure("invalid", query.engine, problems[0], text, Usage())
        return Reply(
            text=text,
            value=value,
            usage=Usage(),
            engine=query.engine,
            model=query.model,
            simulated=False,
            repaired=False,
            addresses=(),
        )


def model(*answers: JsonValue | Exception) -> Model:
    return Model([*answers])


def failure(text: str = "", *, is_recorded: bool = False) -> AskFailure:
    made = AskFailure("no_json", "claude", "there is no JSON value", text, Usage())
    made.is_recorded = is_recorded
    return made


def sessions(folder: Path, clock: Clock | None = None, days: float = 7) -> Sessions:
    return Sessions(folder / "cli" / "temp_session", clock or Clock(), days)
