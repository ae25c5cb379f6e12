"""How far runs are that go on, for somebody who asks again and again: no event is read twice."""

import threading
from dataclasses import dataclass, field
from datetime import datetime

from whet.app.app import App
from whet.app.evals import EvalState
from whet.app.experiments import ExperimentState
from whet.app.projects.status import RunLog, before
from whet.core.event import Event
from whet.core.value import Value


class Pace(Value):
    """How far a run is."""

    done: int
    total: int
    seconds: float
    """Since it began."""

    seconds_left: float | None
    """At the pace so far; None where nobody can know yet."""


@dataclass
class _EvalLog:
    """What the log tells of a run of a suite, whose legs begin one by one."""

    cursor: int = 0
    reused: int = 0
    settled: int = 0

    def take(self, event: Event) -> None:
        self.cursor = event.cursor
        match event.kind, event.data:
            case "experiment.started", {"reused": int(reused)}:
                self.reused += reused
            case "trial.settled", _:
                self.settled += 1
            case _:
                pass


@dataclass
class Underway:
    """The runs that somebody has asked about."""

    app: App
    _logs: dict[tuple[str, str], RunLog | _EvalLog] = field(
        default_factory=dict[tuple[str, str], RunLog | _EvalLog]
    )
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def project(self, state: ExperimentState) -> Pace:
        """How far a project is."""
        log = self._read(state.id, state.started_at, RunLog)
        if not isinstance(log, RunLog) or not log.began:
            return self._pace(0, state.total_trials, 0, state.started_at)
        return self._pace(log.done, log.total, len(log.places), state.started_at)

    def eval(self, state: EvalState) -> Pace:
        """How far a run of a suite is."""
        log = self._read(state.id, state.started_at, _EvalLog)
        assert isinstance(log, _EvalLog)
        done = min(state.total_trials, log.reused + log.settled)
        return self._pace(done, state.total_trials, log.settled, state.started_at)

    def forget(self, running: set[str]) -> None:
        """Keep nothing of what has ended."""
        with self._lock:
            for key in [key for key in self._logs if key[0] not in running]:
                del self._logs[key]

    def _read(
        self, identity: str, started_at: str, kind: type[RunLog] | type[_EvalLog]
    ) -> RunLog | _EvalLog:
        events = self.app.store.events
        with self._lock:
            log = self._logs.get((identity, started_at))
            if log is None:
                log = kind(before(events, identity, started_at))
                self._logs[identity, started_at] = log
            while batch := events.since(log.cursor, identity):
                for event in batch:
                    log.take(event)
        return log

    def _pace(self, done: int, total: int, settled: int, started_at: str) -> Pace:
        return paced(self.app.clock.now(), started_at, done, total, settled)


def paced(now: datetime, started_at: str, done: int, total: int, settled: int) -> Pace:
    """How far something is, of which *settled* places were settled since it began."""
    seconds = max(0.0, (now - datetime.fromisoformat(started_at)).total_seconds())
    left = seconds / settled * (total - done) if settled else None
    return Pace(
        done=done,
        total=total,
        seconds=round(seconds, 3),
        seconds_left=None if left is None else round(left, 3),
    )
