"""How far runs are that go on, for somebody who asks again and again: no event is read twice."""

from dataclasses import dataclass
from datetime import datetime

from whet.app.app import App
from whet.app.evals import EvalState
from whet.app.experiments import ExperimentState
from whet.app.views.progress import Logs
from whet.core.instant import seconds_since
from whet.core.value import Value


class Pace(Value):
    """How far a run is."""

    done: int
    total: int
    seconds: float
    """Since it began."""

    seconds_left: float | None
    """At the pace so far; None where nobody can know yet."""


@dataclass(frozen=True)
class Underway:
    """The runs that somebody has asked about."""

    app: App
    logs: Logs

    def project(self, state: ExperimentState) -> Pace:
        """How far a project is."""
        log = self.logs.project(state)
        if not log.began:
            return self._pace(0, state.total_trials, 0, state.started_at)
        return self._pace(log.done, log.total, len(log.places), state.started_at)

    def eval(self, state: EvalState) -> Pace:
        """How far a run of a suite is."""
        log = self.logs.eval(state)
        done = min(state.total_trials, log.reused + log.settled)
        return self._pace(done, state.total_trials, log.settled, state.started_at)

    def _pace(self, done: int, total: int, settled: int, started_at: str) -> Pace:
        return paced(self.app.clock.now(), started_at, done, total, settled)


def paced(now: datetime, started_at: str, done: int, total: int, settled: int) -> Pace:
    """How far something is, of which *settled* places were settled since it began."""
    seconds = seconds_since(started_at, now)
    left = seconds / settled * (total - done) if settled and seconds else None
    return Pace(
        done=done,
        total=total,
        seconds=round(seconds, 3),
        seconds_left=None if left is None else round(left, 3),
    )
