"""How far runs are, for those who ask over and over: what the event log has told is remembered."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from whet.app.app import App
from whet.app.evals import EvalState
from whet.app.experiments import ExperimentState
from whet.app.projects.status import Reading, RunLog, before, read_on
from whet.core.event import Event
from whet.core.instant import seconds_since
from whet.documents.experiment_view import ProgressView

MOST_KNOWN = 64
R = TypeVar("R", bound=Reading)


@dataclass
class EvalLog:
    """What the event log tells of a run of a suite; its legs are parts that go on side by side,
    and an adaptive one has parts one after another."""

    cursor: int
    planned: int = 0
    reused: int = 0
    settled: int = 0
    began: str = ""
    last: str = ""

    def take(self, event: Event) -> None:
        """Count it."""
        self.cursor, self.last = event.cursor, event.at
        match event.kind, event.data:
            case "experiment.started", {"total": int(total), "reused": int(reused)}:
                self.planned += total
                self.reused += reused
                self.began = self.began or event.at
            case "trial.settled", _:
                self.settled += 1
            case _:
                pass


class Logs:
    """The latest runs, each read on from where it was left."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._lock = threading.Lock()
        self._projects: dict[tuple[str, str], RunLog] = {}
        self._evals: dict[tuple[str, str], EvalLog] = {}

    def project(self, state: ExperimentState) -> RunLog:
        """What is known by now of the latest run of a project."""
        return self._read(self._projects, state.id, state.started_at, RunLog)

    def eval(self, state: EvalState) -> EvalLog:
        """What is known by now of the latest run of a suite."""
        return self._read(self._evals, state.id, state.started_at, EvalLog)

    def eval_progress(self, state: EvalState) -> ProgressView:
        """How far the latest run of a suite is."""
        log = self.eval(state)
        is_running = state.status == "running"
        began = log.began or state.started_at
        end = self._app.clock.now() if is_running else _moment(state.ended_at or log.last or began)
        seconds = seconds_since(began, end)
        if not is_running and state.elapsed_s is not None:
            seconds = state.elapsed_s
        # Two processes may be at one run, and both tell of what they do.
        settled = min(log.settled, state.total_trials - log.reused)
        left = state.total_trials - log.reused - settled
        is_known = is_running and settled > 0 and seconds > 0
        return ProgressView(
            total=state.total_trials,
            settled=settled,
            reused=log.reused,
            seconds=round(seconds, 3),
            seconds_left=round(seconds / settled * left, 3) if is_known else None,
        )

    def _read(
        self,
        known: dict[tuple[str, str], R],
        identity: str,
        began: str,
        fresh: Callable[[int], R],
    ) -> R:
        events = self._app.store.events
        with self._lock:
            if (log := known.get((identity, began))) is None:
                if len(known) >= MOST_KNOWN:
                    known.clear()
                log = known[identity, began] = fresh(before(events, identity, began))
            read_on(events, identity, log)
            return log


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)
