"""Carry a design out: reuse what is recorded, grade what is not graded, run what is missing."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import aclosing, nullcontext
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Literal

from pydantic import JsonValue

from whet.core.budget import Purse
from whet.core.drain import Drain
from whet.core.errors import BudgetExhausted, Draining, EnvironmentProblem, Halted
from whet.core.grade import Grade
from whet.core.text import storable
from whet.core.trial import TrialRecord, TrialSpec
from whet.documents.live import LivePlace
from whet.evaluate.grade import Grader
from whet.evaluate.plan import Cell, Design, cells, trial
from whet.ports.pool import Handled, Pool
from whet.ports.store import Store
from whet.ports.writer import Writer
from whet.run.live import Live

CHUNK = 200
"""Places looked up in the store at once."""

GRADING = 16
"""Judge calls at once."""

_PLACE = ("arm", "set", "case", "attempt", "trial")
"""What names a place in events; the trial tells engines and models apart."""

_Place = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A place of the table when nothing more will happen to it in this run.

    Without a record there is an error: the trial failed for good, or was skipped because the
    budget did not cover it.
    """

    cell: Cell
    trial: str
    record: TrialRecord | None
    grade: Grade | None
    error: str | None = None
    skipped: bool = False

    @property
    def is_ungraded(self) -> bool:
        """Whether it has an answer that nobody has graded."""
        return self.grade is None and self.record is not None and self.record.status == "completed"

    @property
    def status(self) -> Literal["completed", "failed", "skipped"]:
        """``completed``, ``failed`` or ``skipped``, as result files say it."""
        if self.record is None:
            return "skipped" if self.skipped else "failed"
        return self.record.status


@dataclass(frozen=True, slots=True)
class Extent:
    """How much of a design was there already."""

    total: int
    missing: int
    """Trials without a record when the run began."""
    ungraded: int
    """Trials with a record that only had to be graded."""

    executed: int = 0
    """Of the missing: those that this process carried out."""

    done_elsewhere: int = 0
    """Of the missing: those that another process carried out meanwhile."""

    @property
    def reused(self) -> int:
        """Trials that were there with their grade, or came from another process meanwhile."""
        return self.total - self.missing - self.ungraded + self.done_elsewhere


def look_up(store: Store, grader: Grader, design: Design) -> Iterator[Row]:
    """What the store knows about each place of a design, in plan order."""
    plan = cells(design)
    while chunk := list(islice(plan, CHUNK)):
        trials = [trial(design, cell).address for cell in chunk]
        records = store.ledger.records(trials, imported=design.imported)
        came = [each for each in trials if each in design.own_imports and each not in records]
        records |= store.ledger.records(came, imported=True)
        found = [records.get(address) for address in trials]
        wanted = [
            grader.address(cell.case, record.address, record.generation) if record else ""
            for cell, record in zip(chunk, found, strict=True)
        ]
        grades = store.ledger.grades(filter(None, wanted))
        for cell, address, record, grade in zip(chunk, trials, found, wanted, strict=True):
            yield Row(cell, address, record, grades.get(grade), record.error if record else None)


def _nothing(_row: Row) -> None:
    """For whom nothing else belongs to the commit."""


def _graded_score(row: Row) -> float | None:
    """The score of a row as its grade has it."""
    return row.grade.score if row.grade else None


class _SettledEvents:
    """Tells which places another process has announced as settled since this run began."""

    def __init__(self, store: Store, subject: str) -> None:
        self._store = store
        self._subject = subject
        self._cursor = store.events.last()
        self._others: set[_Place] = set()
        self._own: set[_Place] = set()

    def is_first(self, row: Row) -> bool:
        """Whether nobody else has announced the place. To be asked within the commit that
        announces it; asking again after a failed commit gives the same answer."""
        while batch := self._store.events.since(self._cursor, self._subject):
            self._cursor = batch[-1].cursor
            for event in batch:
                if event.kind == "trial.settled":
                    self._others.add(tuple(event.data.get(name) for name in _PLACE))
        place = _place(row)
        if place not in self._own and place in self._others:
            return False
        self._own.add(place)
        return True


def _nobody() -> None:
    """For whom it makes no difference when the work begins."""


@dataclass(frozen=True)
class Experiment:
    """The driver. *subject* is the name under which its events appear; None where whoever is
    told of every place, in *committed*, has words of its own."""

    store: Store
    writer: Writer
    pool: Pool
    grader: Grader
    subject: str | None
    committed: Callable[[Row], None] = _nothing
    """Called for every place that is settled anew, within the same commit."""

    looked_up: Callable[[], None] = _nobody
    """Called once all that was there already is settled, before anything is done."""

    live: Live | None = None
    """Where those who follow an agent learn what it is for."""

    score_of: Callable[[Row], float | None] = _graded_score
    """What is announced as the score of a place."""

    max_trials: int | None = None
    """Trials to begin at the most; the other places stay as they are."""

    drain: Drain = field(default_factory=Drain)
    """Says when nothing more may begin."""

    async def run(self, design: Design, purse: Purse, settled: Callable[[Row], None]) -> Extent:
        """Settle every place; *settled* is called once for each, in order of completion.

        Once the purse is halted, places that nobody is at stay as they are, and ``Halted`` is
        raised. The same when this process is about to end; then ``Draining`` is raised.
        """
        missing: list[Cell] = []
        ungraded: list[tuple[Cell, TrialRecord]] = []
        for row in look_up(self.store, self.grader, design):
            if row.record is None:
                missing.append(row.cell)
            elif row.is_ungraded:
                ungraded.append((row.cell, row.record))
            else:
                settled(row)
        self.looked_up()
        extent = Extent(design.size, missing=len(missing), ungraded=len(ungraded))
        announced = None if self.subject is None else _SettledEvents(self.store, self.subject)
        if self.subject is not None:
            news: dict[str, JsonValue] = {"total": extent.total, "reused": extent.reused}
            await self._tell("experiment.started", self.subject, news)
        work = _Work(self, settled, self.subject or design.scope, announced)
        told = self.live.told(work.place) if self.live else nullcontext()
        try:
            with told:
                await work.run(design, purse, missing[: self.max_trials], ungraded)
        except ExceptionGroup as troubles:
            # The first one ended the run; the others are what that did to trials beside it.
            raise troubles.exceptions[0] from troubles
        if purse.is_halted and work.kept < len(missing[: self.max_trials]) + len(ungraded):
            raise Halted(self.subject or design.scope, "paused")
        return replace(extent, executed=work.executed, done_elsewhere=work.done_elsewhere)

    def extent(self, design: Design) -> Extent:
        """How much of a design is there already."""
        missing = ungraded = 0
        for row in look_up(self.store, self.grader, design):
            missing += row.record is None
            ungraded += row.is_ungraded
        return Extent(design.size, missing=missing, ungraded=ungraded)

    async def graded(self, cell: Cell, address: str, handled: Handled) -> Row:
        """A place whose trial is settled, with its grade."""
        record, grade = handled.record, None
        if record is not None and record.status == "completed":
            grade = await self.grader.grade(cell.case, record)
        message = record.error if record else storable(str(handled.error))
        skipped = isinstance(handled.error, BudgetExhausted)
        return Row(cell, address, record, grade, message, skipped)

    async def keep(self, row: Row, announced: _SettledEvents | None) -> None:
        """Commit the grade and the event of a place in one transaction; the event only if no other
        process has announced the place."""

        def change() -> None:
            # A grade that failed is not kept: the judge is asked again next time.
            if row.grade is not None and row.grade.status != "failed":
                self.store.ledger.add_grades([row.grade])
            if self.subject is not None and announced is not None and announced.is_first(row):
                news = _news(row, self.score_of(row))
                self.store.events.append("trial.settled", self.subject, news)
            self.committed(row)

        await self.writer(change)

    async def _tell(self, kind: str, subject: str, data: dict[str, JsonValue]) -> None:
        await self.writer(lambda: self.store.events.append(kind, subject, data))


class _Work:
    """The part of a design that is not done yet."""

    def __init__(
        self,
        experiment: Experiment,
        settled: Callable[[Row], None],
        subject: str,
        announced: _SettledEvents | None,
    ) -> None:
        self.executed = 0
        self.done_elsewhere = 0
        self.kept = 0
        """Places that came to something."""

        self._announced = announced
        self._experiment = experiment
        self._subject = subject
        self._settled = settled
        self._running: dict[str, list[Cell]] = {}
        self._room = asyncio.Semaphore(GRADING)

    async def run(
        self,
        design: Design,
        purse: Purse,
        missing: Sequence[Cell],
        ungraded: Sequence[tuple[Cell, TrialRecord]],
    ) -> None:
        cut_off: Draining | None = None
        async with asyncio.TaskGroup() as grading:
            for cell, record in ungraded:
                if self._experiment.drain.is_on:
                    cut_off = Draining()
                if purse.is_halted or cut_off is not None:
                    break
                await self._room.acquire()
                known = Handled(settled=True, record=record)
                grading.create_task(self._finish(cell, record.address, known))
            specs = self._specs(design, missing)
            # Closed also when we are cancelled while waiting for a judge: no agent outlives this.
            async with aclosing(self._experiment.pool.run(specs, purse)) as settled:
                try:
                    async for spec, handled in settled:
                        if isinstance(handled.error, EnvironmentProblem):
                            # The machine's trouble: it would befall all the other trials too.
                            raise handled.error
                        sharers = self._running.pop(spec.address)
                        self._count(handled, len(sharers))
                        for cell in sharers:
                            await self._room.acquire()
                            grading.create_task(self._finish(cell, spec.address, handled))
                except Draining as error:  # what has an answer is graded first
                    cut_off = error
        if cut_off is not None:
            raise cut_off

    def _count(self, handled: Handled, places: int) -> None:
        if handled.executions:
            self.executed += places
        elif handled.record is not None:
            self.done_elsewhere += places

    def place(self, address: str) -> LivePlace | None:
        """What a trial under way is for; the first of several places."""
        if (cells := self._running.get(address)) is None:
            return None
        cell = cells[0]
        return LivePlace(
            subject=self._subject,
            arm=cell.arm.id,
            set=cell.case.set,
            case=cell.case.id,
            attempt=cell.attempt,
        )

    def _specs(self, design: Design, missing: Sequence[Cell]) -> Iterator[TrialSpec]:
        """Trials to run; one that fills several places is run for all of them at once."""
        for cell in missing:
            spec = trial(design, cell)
            sharers = self._running.setdefault(spec.address, [])
            sharers.append(cell)
            if len(sharers) == 1:
                yield spec

    async def _finish(self, cell: Cell, address: str, handled: Handled) -> None:
        try:
            row = await self._experiment.graded(cell, address, handled)
            # Who is stopped now still hears of what is committed: else it would be in the store
            # and in no file.
            keeping = asyncio.ensure_future(self._keep(row))
            try:
                await asyncio.shield(keeping)
            except asyncio.CancelledError:
                await asyncio.wait({keeping})
                keeping.result()
                raise
        finally:
            self._room.release()

    async def _keep(self, row: Row) -> None:
        await self._experiment.keep(row, self._announced)
        self.kept += 1
        self._settled(row)


def _place(row: Row) -> tuple[str, str, str, int, str]:
    cell = row.cell
    return cell.arm.id, cell.case.set, cell.case.id, cell.attempt, row.trial


def _news(row: Row, score: float | None) -> dict[str, JsonValue]:
    return {
        **dict(zip(_PLACE, _place(row), strict=True)),
        "status": row.status,
        "score": score,
        "cost_usd": row.record.usage.cost_usd if row.record else None,
        "error": row.error,
    }
