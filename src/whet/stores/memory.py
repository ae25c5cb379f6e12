"""The store in memory: the shortest program that keeps every promise of the ports.

It is what the SQL store is tested against, and what tests of flows may use.
"""

import copy
import threading
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from pydantic import JsonValue

from whet.core.address import digest_bytes
from whet.core.asset_query import LARGEST_PAGE
from whet.core.errors import Conflict, NotFound, UsageError
from whet.core.event import Event
from whet.core.execution import Execution, Outcome
from whet.core.grade import Grade
from whet.core.instant import iso
from whet.core.result import Counts, Result
from whet.core.trial import IMPORTED, TrialRecord
from whet.core.usage import Usage
from whet.ports.clock import Clock
from whet.ports.listing import Page
from whet.ports.recorded import Recorded
from whet.ports.results import ResultQuery
from whet.ports.states import State
from whet.ports.timers import Timer
from whet.stores.memory_evaluations import EvaluationTables, MemoryEvaluations
from whet.stores.memory_jobs import JobTables, MemoryJobs
from whet.stores.memory_runs import MemoryRuns, RunTables


@dataclass
class _Tables(EvaluationTables, JobTables, RunTables):
    executions: dict[str, Execution] = field(default_factory=dict[str, Execution])
    trials: dict[tuple[str, int], TrialRecord] = field(
        default_factory=dict[tuple[str, int], TrialRecord]
    )
    retries: dict[str, int] = field(default_factory=dict[str, int])
    results: dict[tuple[str, ...], Result] = field(default_factory=dict[tuple[str, ...], Result])
    grades: dict[str, Grade] = field(default_factory=dict[str, Grade])
    events: list[Event] = field(default_factory=list[Event])
    states: dict[tuple[str, str], State] = field(default_factory=dict[tuple[str, str], State])
    timers: dict[tuple[str, str], Timer] = field(default_factory=dict[tuple[str, str], Timer])
    blobs: dict[str, bytes] = field(default_factory=dict[str, bytes])


class MemoryStore:
    """``ports.store.Store`` in dictionaries; *alive* tells whether an owner still runs."""

    def __init__(self, alive: Callable[[str], bool], clock: Clock) -> None:
        self._tables = _Tables()
        self._lock = threading.RLock()
        self._depth = 0
        self.ledger = _Ledger(self, alive)
        self.results = _Results(self)
        self.evaluations = MemoryEvaluations(self.tables)
        self.jobs = MemoryJobs(self.tables)
        self.runs = MemoryRuns(self.tables)
        self.events = _Events(self, clock)
        self.states = _States(self)
        self.timers = _Timers(self)
        self.blobs = _Blobs(self)

    @contextmanager
    def transaction(self) -> Generator[None]:
        """See the port."""
        with self.tables():
            yield

    @contextmanager
    def tables(self) -> Generator[_Tables]:
        """The tables for one change; an error puts them back as they were."""
        with self._lock:
            if self._depth:
                yield self._tables
                return
            before = _Tables(**{name: copy.copy(t) for name, t in vars(self._tables).items()})
            self._depth += 1
            try:
                yield self._tables
            except BaseException:
                self._tables = before
                raise
            finally:
                self._depth -= 1

    def close(self) -> None:
        """See the port."""


@dataclass(frozen=True)
class _Ledger:
    store: MemoryStore
    alive: Callable[[str], bool]

    def claim(self, execution: Execution) -> Execution | TrialRecord | None:
        key = (execution.address, execution.generation)
        with self.store.tables() as tables:
            if key in tables.trials:
                return tables.trials[key]
            for other in tables.executions.values():
                if other.outcome is None and (other.address, other.generation) == key:
                    if self.alive(other.owner):
                        return None
                    buried = {"outcome": Outcome.ABANDONED, "ended_at": execution.started_at}
                    tables.executions[other.id] = other.model_copy(update=buried)
                    break
            tables.executions[execution.id] = execution
            return execution

    def close(self, execution: Execution, record: TrialRecord | None) -> None:
        with self.store.tables() as tables:
            present = tables.executions.get(execution.id)
            if present is None or present.outcome is not None:
                raise Conflict(f"execution {execution.id}", "an open claim", "a closed one")
            tables.executions[execution.id] = execution
            if record is not None:
                tables.trials[record.address, record.generation] = record

    def generation(self, address: str) -> int:
        with self.store.tables() as tables:
            return tables.retries.get(address, IMPORTED + 1)

    def retry(self, addresses: Iterable[str]) -> int:
        with self.store.tables() as tables:
            before = dict(tables.retries)
            wanted = set(addresses)
            for address, number in sorted(tables.trials):
                if address in wanted:
                    tables.retries[address] = max(number + 1, tables.retries.get(address, 0))
            return sum(before.get(address) != new for address, new in tables.retries.items())

    def executions(self, address: str) -> Sequence[Execution]:
        with self.store.tables() as tables:
            mine = [e for e in tables.executions.values() if e.address == address]
            return sorted(mine, key=lambda execution: (execution.started_at, execution.id))

    def execution(self, identity: str) -> Execution | None:
        with self.store.tables() as tables:
            return tables.executions.get(identity)

    def spent(self, addresses: Iterable[str]) -> Usage:
        wanted = set(addresses)
        with self.store.tables() as tables:
            every = tables.executions.values()
            return sum((each.usage for each in every if each.address in wanted), Usage())

    def latest(self, limit: int) -> Sequence[TrialRecord]:
        with self.store.tables() as tables:
            done = [e for e in tables.executions.values() if e.outcome is Outcome.ANSWERED]
            done.sort(key=lambda each: (each.ended_at or "", each.id), reverse=True)
            keys = [(each.address, each.generation) for each in done[:limit]]
            return [tables.trials[key] for key in keys if key in tables.trials]

    def record(self, address: str, *, imported: bool = False) -> TrialRecord | None:
        return self.records([address], imported=imported).get(address)

    def records(
        self, addresses: Iterable[str], *, imported: bool = False
    ) -> dict[str, TrialRecord]:
        wanted = set(addresses)
        with self.store.tables() as tables:
            return {
                address: record
                for (address, number), record in sorted(tables.trials.items(), key=lambda i: i[0])
                if address in wanted
                and (number or imported)
                and number >= tables.retries.get(address, IMPORTED)
            }

    def addresses(self) -> Sequence[str]:
        with self.store.tables() as tables:
            return sorted({address for address, _ in tables.trials})

    def add_imported(self, new: Iterable[TrialRecord]) -> int:
        with self.store.tables() as tables:
            before = len(tables.trials)
            for record in new:
                imported = record.model_copy(update={"generation": IMPORTED})
                tables.trials.setdefault((record.address, IMPORTED), imported)
            return len(tables.trials) - before

    def recorded(self, after: int, limit: int) -> Sequence[Recorded]:
        with self.store.tables() as tables:
            every = enumerate(tables.trials.values(), start=1)
            return [Recorded(*one) for one in every if one[0] > after][:limit]

    def at_cursor(self, cursor: int) -> tuple[str, int] | None:
        with self.store.tables() as tables:
            return dict(enumerate(tables.trials, start=1)).get(cursor)

    def generations(self, address: str) -> Sequence[TrialRecord]:
        with self.store.tables() as tables:
            found = [one for one in tables.trials.values() if one.address == address]
        return sorted(found, key=lambda one: one.generation)

    def grades_of(self, trial: str) -> Sequence[Grade]:
        with self.store.tables() as tables:
            found = [grade for grade in tables.grades.values() if grade.trial == trial]
        return sorted(found, key=lambda grade: (grade.evaluated_at, grade.address))

    def add_grades(self, new: Iterable[Grade]) -> None:
        with self.store.tables() as tables:
            for grade in new:
                tables.grades.setdefault(grade.address, grade)

    def grades(self, addresses: Iterable[str]) -> dict[str, Grade]:
        with self.store.tables() as tables:
            return {a: tables.grades[a] for a in addresses if a in tables.grades}


@dataclass(frozen=True)
class _Results:
    store: MemoryStore

    def put(self, new: Iterable[Result]) -> None:
        with self.store.tables() as tables:
            for one in new:
                key = (one.project, one.arm, one.set, one.case, str(one.attempt))
                tables.results[key] = one

    def page(self, query: ResultQuery) -> Page[Result]:
        if query.page < 1 or not 1 <= query.page_size <= LARGEST_PAGE:
            raise UsageError(f"pages begin with 1 and have 1 to {LARGEST_PAGE} results")
        found = sorted(self._fitting(query), key=lambda one: one.ordinal)
        start = (query.page - 1) * query.page_size
        items = tuple(found[start : start + query.page_size])
        return Page(items, len(found), query.page, query.page_size)

    def span(self, project: str, first: int, end: int) -> Sequence[Result]:
        fitting = self._fitting(ResultQuery(project))
        inside = [one for one in fitting if first <= one.ordinal < end]
        return sorted(inside, key=lambda one: one.ordinal)

    def trials(self, query: ResultQuery) -> Sequence[str]:
        return sorted({one.trial for one in self._fitting(query)})

    def _fitting(self, query: ResultQuery) -> list[Result]:
        narrow = ("project", "arm", "set", "case", "status", "grade_status")
        wanted = [(name, value) for name in narrow if (value := getattr(query, name)) is not None]
        with self.store.tables() as tables:
            return [
                one
                for one in tables.results.values()
                if all(getattr(one, name) == value for name, value in wanted)
            ]

    def _of(self, project: str, arms: Collection[str] | None) -> list[Result]:
        mine = self._fitting(ResultQuery(project))
        return [one for one in mine if arms is None or one.arm in arms]

    def unpriced(self, project: str, arms: Collection[str] | None = None) -> int:
        mine = self._of(project, arms)
        return sum(one.generation is not None and one.cost_usd is None for one in mine)

    def counts(self, project: str, arms: Collection[str] | None = None) -> Counts:
        mine = self._of(project, arms)
        status = Counter(one.status for one in mine)
        done = [one for one in mine if one.status == "completed"]
        unscored = sum(one.grade_status != "scored" for one in done)
        unanswered = sum(one.status == "failed" and one.generation is None for one in mine)
        return Counts(
            status["completed"], status["failed"], status["skipped"], unscored, unanswered
        )

    def spent(self, project: str, arms: Collection[str] | None = None) -> Usage:
        return self.store.ledger.spent({one.trial for one in self._of(project, arms)})


@dataclass(frozen=True)
class _Events:
    store: MemoryStore
    clock: Clock

    def append(self, kind: str, subject: str, data: dict[str, JsonValue]) -> None:
        with self.store.tables() as tables:
            cursor = len(tables.events) + 1
            at = iso(self.clock.now())
            tables.events.append(Event(cursor=cursor, at=at, kind=kind, subject=subject, data=data))

    def since(self, cursor: int, subject: str | None = None, limit: int = 500) -> Sequence[Event]:
        with self.store.tables() as tables:
            wanted = (e for e in tables.events[cursor:] if subject in (None, e.subject))
            return list(wanted)[:limit]

    def last(self) -> int:
        with self.store.tables() as tables:
            return len(tables.events)


@dataclass(frozen=True)
class _States:
    store: MemoryStore

    def get(self, kind: str, key: str) -> State | None:
        with self.store.tables() as tables:
            return tables.states.get((kind, key))

    def put(self, kind: str, key: str, expected: int, value: dict[str, JsonValue]) -> State:
        with self.store.tables() as tables:
            present = tables.states.get((kind, key))
            actual = present.revision if present else 0
            if actual != expected:
                raise Conflict(f"{kind} {key}", f"revision {expected}", f"revision {actual}")
            state = State(key, expected + 1, copy.deepcopy(value))
            tables.states[kind, key] = state
            return state

    def list(self, kind: str) -> Sequence[State]:
        with self.store.tables() as tables:
            return [state for (of, _), state in reversed(tables.states.items()) if of == kind]


@dataclass(frozen=True)
class _Timers:
    store: MemoryStore

    def set(self, timer: Timer) -> None:
        with self.store.tables() as tables:
            tables.timers[timer.kind, timer.key] = timer

    def due(
        self, now: datetime, kinds: Collection[str] | None = None, limit: int = 100
    ) -> Sequence[Timer]:
        with self.store.tables() as tables:
            wanted = [t for t in tables.timers.values() if kinds is None or t.kind in kinds]
            ripe = [timer for timer in wanted if timer.due <= now]
            return sorted(ripe, key=lambda timer: (timer.due, timer.kind, timer.key))[:limit]

    def take(self, kind: str, key: str, due: datetime) -> bool:
        with self.store.tables() as tables:
            timer = tables.timers.get((kind, key))
            if timer is None or timer.due != due:
                return False
            del tables.timers[kind, key]
            return True


@dataclass(frozen=True)
class _Blobs:
    store: MemoryStore

    def put(self, data: bytes) -> str:
        digest = digest_bytes(data)
        with self.store.tables() as tables:
            tables.blobs[digest] = data
        return digest

    def get(self, digest: str) -> bytes:
        with self.store.tables() as tables:
            if digest not in tables.blobs:
                raise NotFound(f"no blob {digest}")
            return tables.blobs[digest]

    def has(self, digest: str) -> bool:
        with self.store.tables() as tables:
            return digest in tables.blobs
