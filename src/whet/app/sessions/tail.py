"""Following executions as they happen, from whichever process, and to their end.

Steps are read from the file of the execution while that is there, and from the tape once the store
has it. Both give the same events.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from io import BufferedReader

from pydantic import JsonValue

from whet.app.app import App
from whet.app.sessions.live import TRIAL, Subject, at_work_for, is_active, parsed_head
from whet.app.sessions.tale import Tale
from whet.core.errors import InvalidDocument, NotFound, UsageError
from whet.core.execution import Execution
from whet.core.trial import TrialRecord
from whet.documents.live import LiveEnd, LiveEvent, LiveHead
from whet.documents.tape import read as read_tape
from whet.documents.tape import step_of
from whet.documents.text import parse_json
from whet.run.live import LONGEST_PROMPT, OVER, RUNNING

LOOK_SECONDS = 0.1
ASK_SECONDS = 0.5
"""Between two questions to the store about an execution that says nothing."""

_CHUNK = 1024 * 1024
Batch = list[LiveEvent]


@dataclass(frozen=True, slots=True)
class Cursor:
    """The last event that a listener heard."""

    execution: str
    number: int

    @classmethod
    def parse(cls, text: str) -> "Cursor":
        """From ``{execution}.{number}``; raises ``UsageError``."""
        execution, _, number = text.partition(".")
        if not execution.isalnum() or not number.isascii() or not number.isdigit():
            raise UsageError(f"{text[:60]!r} is no event of an execution, as in 0123abcd.7")
        return cls(execution, int(number[:18]))


class _Lines:
    """The whole lines of a file that grows."""

    def __init__(self, file: BufferedReader) -> None:
        self._file = file
        self._rest: list[bytes] = []

    def new(self) -> Iterator[bytes]:
        while data := self._file.read(_CHUNK):
            *whole, rest = data.split(b"\n")
            if whole:
                yield b"".join((*self._rest, whole[0]))
                yield from whole[1:]
                self._rest = []
            self._rest.append(rest)

    def close(self) -> None:
        self._file.close()


class ExecutionTail:
    """One execution, look by look."""

    def __init__(self, app: App, execution: str, turn: int = 1) -> None:
        self._app = app
        self._id = execution
        self._turn = turn
        self._tale = Tale(execution, turn)
        self._lines: _Lines | None = None
        self._asked = 0.0
        known = app.store.ledger.execution(execution)
        if known is None:
            raise NotFound(f"no execution {execution[:100]!r}")
        self._known: Execution = known

    @property
    def is_over(self) -> bool:
        """Whether its end is told."""
        return self._tale.is_over

    @property
    def tale(self) -> Tale:
        """What was told so far."""
        return self._tale

    def look(self) -> Batch:
        """What happened since the last look."""
        is_alive = self._app.is_alive(self._known.owner)
        events = list(self._read())
        if events or self.is_over:
            return events
        if is_alive and time.monotonic() - self._asked < ASK_SECONDS:
            return []
        self._asked = time.monotonic()
        self._known = self._app.store.ledger.execution(self._id) or self._known
        if self._known.outcome is not None:
            return list(self._from_store())
        if is_alive:
            return []
        # Its process is gone, and had gone before what it wrote was read.
        return list(self._ended(LiveEnd.parse(_ABANDONED, "live")))

    def close(self) -> None:
        """Let go of the file."""
        if self._lines is not None:
            self._lines.close()

    def _read(self) -> Iterator[LiveEvent]:
        if self._lines is None:
            self._lines = self._opened()
        if self._lines is None:
            return
        for text in self._lines.new():
            try:
                yield from self._line(parse_json(text, "live"))
            except (InvalidDocument, KeyError, TypeError, ValueError, OverflowError):
                continue  # a disk may lose part of a file that is never synced

    def _opened(self) -> _Lines | None:
        name = f"{self._id}.{self._known.owner}"
        for suffix in (RUNNING, OVER):
            try:
                return _Lines((self._app.live.folder / f"{name}{suffix}").open("rb"))
            except OSError:
                continue
        return None

    def _line(self, row: JsonValue) -> Iterator[LiveEvent]:
        match row:
            case {"format": _}:
                return self._tale.begin(parsed_head(row))
            case {"type": "closed", "end": end}:
                return self._ended(LiveEnd.parse(end, "live"))
            case {"type": "cut"}:
                return self._tale.cut()
            case dict():
                return self._tale.take(step_of(row))
            case _:
                return iter(())

    def _from_store(self) -> Iterator[LiveEvent]:
        """It is closed in the store, and its file does not say so, or has gone."""
        record = self._app.store.ledger.record(self._known.address)
        if record is not None and record.execution != self._id:
            record = None
        if record is not None and record.tape is not None:
            yield from self._from_tape(record, record.tape)
            return
        yield from self._read()
        if not self.is_over:
            yield from self._ended(_end(self._known, record))

    def _from_tape(self, record: TrialRecord, tape: str) -> Iterator[LiveEvent]:
        heard = self._tale.number
        spec, steps = read_tape(self._app.store.blobs.get(tape), f"tape of {self._id}")
        self._tale = Tale(self._id, self._turn)
        known = self._known
        head = LiveHead(
            execution=known.id,
            address=known.address,
            generation=known.generation,
            owner=known.owner,
            engine=spec.engine,
            engine_version=spec.engine_version,
            model=spec.model,
            simulated=record.simulated,
            scope=spec.scope,
            skill=spec.skill.name if spec.skill else None,
            prompt=spec.stimulus.prompt[:LONGEST_PROMPT],
            started_at=known.started_at,
            place=None,
        )
        events = [*self._tale.begin(head)]
        for step in steps:
            events += self._tale.take(step)
        events += self._ended(_end(known, record))
        yield from (event for event in events if event.number > heard)

    def _ended(self, end: LiveEnd) -> Iterator[LiveEvent]:
        is_kept = end.session is not None
        return self._tale.finish(end, f"{TRIAL}{self._known.address[:16]}" if is_kept else None)


_ABANDONED: JsonValue = {
    "outcome": "abandoned",
    "at": None,
    "failure": None,
    "error": "the process behind it is gone",
    "session": None,
}


def _end(execution: Execution, record: TrialRecord | None) -> LiveEnd:
    assert execution.outcome is not None
    return LiveEnd(
        outcome=execution.outcome.value,
        at=execution.ended_at,
        failure=execution.failure,
        error=execution.error,
        session=record.session if record else None,
    )


async def follow(subject: Subject, cursor: Cursor | None = None) -> AsyncGenerator[Batch]:
    """Everything from the beginning, or after the event of a cursor, look by look and to the end.
    A look that finds nothing gives an empty batch."""
    told: list[str] = []
    first = cursor.execution if cursor else None
    heard, tail = 0, None
    while True:
        is_over = await asyncio.to_thread(subject.is_over)
        coming = await asyncio.to_thread(_next, subject, told, first)
        if coming is not None:
            execution, turn = coming
            heard = cursor.number if cursor and execution == cursor.execution else 0
            tail = await asyncio.to_thread(ExecutionTail, subject.app, execution, turn)
            async with aclosing(_looks(tail, heard)) as looks:
                async for batch in looks:
                    yield batch
            told.append(execution)
        elif is_over:
            yield [event for event in _finished(subject, tail) if event.number > heard]
            return
        else:
            yield []
            await asyncio.sleep(LOOK_SECONDS)


def _finished(subject: Subject, last: ExecutionTail | None) -> Batch:
    """The end of a job, once its last execution is told."""
    if subject.job is None or last is None:
        return []
    job = subject.present_job()
    return [last.tale.finished(job.state, job.session)]


async def _looks(tail: ExecutionTail, heard: int) -> AsyncGenerator[Batch]:
    try:
        while True:
            batch = await asyncio.to_thread(tail.look)
            yield [event for event in batch if event.number > heard]
            if tail.is_over:
                return
            await asyncio.sleep(LOOK_SECONDS)
    finally:
        tail.close()


def _next(subject: Subject, told: list[str], first: str | None) -> tuple[str, int] | None:
    """The execution to go on with."""
    every = subject.executions()
    names = [name for name, _ in every]
    begin = first if first in names else subject.first()
    start = names.index(begin) if begin in names else 0
    return next((one for one in every[start:] if one[0] not in told), None)


async def follow_experiment(app: App, subject: str) -> AsyncIterator[Batch]:
    """All that runs for an experiment, side by side, until nothing more comes of it."""
    tails: dict[str, ExecutionTail] = {}
    while True:
        is_more = await asyncio.to_thread(is_active, app, subject)
        for head in await asyncio.to_thread(at_work_for, app, subject):
            if head.execution not in tails:
                tails[head.execution] = ExecutionTail(app, head.execution)
        batch: Batch = []
        for tail in tails.values():
            if not tail.is_over:
                batch += await asyncio.to_thread(tail.look)
                if tail.is_over:
                    tail.close()
        yield batch
        if not is_more and all(tail.is_over for tail in tails.values()):
            return
        await asyncio.sleep(LOOK_SECONDS)
