"""How far a project is: what its results, its events and whoever runs it say.

The results of a project that is run again are those of before until they are settled anew. How far
a run has come is therefore read from the event log, from where the latest run began.
"""

from collections.abc import AsyncIterator, Callable
from dataclasses import asdict, dataclass, field
from datetime import datetime
from functools import partial
from typing import Protocol

from whet.app.app import App
from whet.app.experiments import Experiments, ExperimentState
from whet.app.projects.told import Tried
from whet.app.takeover.takeover import take_over
from whet.app.watch import watch
from whet.core.errors import NotFound
from whet.core.event import Event
from whet.core.instant import seconds_since
from whet.core.value import Value
from whet.evaluate.project import Project, opened
from whet.ports.events import Events

_PLACE = ("arm", "set", "case", "attempt")


class LatestRun(Value):
    """How far the latest run of a project is."""

    total: int
    reused: int
    """Places that were there with their grade when it began."""

    settled: int
    """Places that have come to something since."""

    started_at: str
    ended_at: str | None
    """None while it is under way, and where its process was killed."""

    seconds: float
    """Since it began, or as long as it took."""

    seconds_left: float | None
    """At the pace so far; None where it is not running, or nobody can know yet."""

    long_conversations: int
    """Those that came to 80 % of the project's threshold of tokens, or beyond."""


class ProjectStatus(Value):
    """Where a project stands."""

    id: str
    name: str
    status: str
    control: str | None
    error: str | None
    """Why it was interrupted, if it was a trouble and not a person."""

    failed: str | None
    """``all`` where every trial of a completed project failed, ``some`` where some have no
    answer."""

    total_trials: int
    trials: Tried
    """What its places came to, the latest of each."""

    run: LatestRun | None
    """None before the first one, and where it was run elsewhere."""

    cost_usd: float | None
    """What its agents are known to have cost, also those whose answers are reused here, and those
    whose answers do not count any more. Judges are not in it."""


@dataclass
class RunLog:
    """What the event log tells of the latest run, event by event."""

    cursor: int = 0
    total: int = 0
    reused: int = 0
    began: str = ""
    last: str = ""
    """When it began, and when the last thing happened."""

    places: set[tuple[object, ...]] = field(default_factory=set[tuple[object, ...]])
    long: set[tuple[object, ...]] = field(default_factory=set[tuple[object, ...]])
    """Places whose conversation came near the threshold of tokens."""

    def take(self, event: Event) -> None:
        """Count it. Two processes at one project may both tell of a place."""
        self.cursor, self.last = event.cursor, event.at
        match event.kind, event.data:
            case "experiment.started", {"total": int(total), "reused": int(reused)}:
                self.total, self.reused, self.began = total, reused, event.at
                self.places.clear()
                self.long.clear()
            case "trial.settled", data:
                self.places.add(tuple(data.get(name) for name in _PLACE))
            case "context.warning", data:
                self.long.add(tuple(data.get(name) for name in _PLACE))
            case _:
                pass

    @property
    def done(self) -> int:
        """Places that the run need not care for any more."""
        return min(self.total, self.reused + len(self.places))


Logs = Callable[[ExperimentState], RunLog]
"""Gives what is known by now of the latest run."""


def status(app: App, project: Project, logs: Logs | None = None) -> ProjectStatus:
    """Where it stands now; what lies in files only is taken in first. Who asks over and over
    remembers what the event log has told, and says it by *logs*."""
    take_over(app, project)
    config = opened(project.folder).config
    state = _state(app, config.id)
    return ProjectStatus(
        id=config.id,
        name=config.name,
        status=state.status if state else _unattended(config.status),
        control=state.control if state else config.control,
        error=state.error if state else None,
        failed=config.failed,
        total_trials=config.progress.total_trials or config.progress.total_tasks,
        trials=Tried.model_validate(asdict(app.store.results.counts(config.id))),
        run=_latest(app, state, logs or partial(_log, app.store.events)) if state else None,
        cost_usd=app.store.results.spent(config.id).cost_usd,
    )


async def followed(app: App, project: Project) -> AsyncIterator[RunLog]:
    """The latest run of a project as it goes on, look by look, whichever process does the work.

    Ends when nobody is at it any more; at once where nobody was.
    """
    identity = project.config.id
    state = _state(app, identity)
    if state is None or state.status != "running":
        return
    log = _log(app.store.events, state)
    async for batch in watch(app.store.events, log.cursor, identity):
        for event in batch:
            log.take(event)
        yield log
        if Experiments(app).get(identity).status != "running":
            return


def _unattended(status: str) -> str:
    """The status of a project that nobody has run here."""
    return "interrupted" if status == "running" else status


def _state(app: App, identity: str) -> ExperimentState | None:
    try:
        return Experiments(app).get(identity)
    except NotFound:
        return None


def _log(events: Events, state: ExperimentState) -> RunLog:
    """What is known by now."""
    log = RunLog(before(events, state.id, state.started_at))
    read_on(events, state.id, log)
    return log


class Reading(Protocol):
    """Whoever reads the event log, event by event."""

    cursor: int

    def take(self, event: Event) -> None:
        """Read the next one."""
        ...


def read_on(events: Events, subject: str, log: Reading) -> None:
    """Let *log* take all that has come since."""
    while batch := events.since(log.cursor, subject):
        for event in batch:
            log.take(event)


def _latest(app: App, state: ExperimentState, logs: Logs) -> LatestRun | None:
    log = logs(state)
    if not log.began:
        return None
    is_running = state.status == "running"
    end = app.clock.now() if is_running else _moment(state.ended_at or log.last)
    seconds = seconds_since(log.began, end)
    if not is_running and state.elapsed_s is not None:
        seconds = state.elapsed_s
    is_known = is_running and bool(log.places) and seconds > 0
    left = log.total - log.done
    return LatestRun(
        total=log.total,
        reused=log.reused,
        settled=log.done - log.reused,
        started_at=log.began,
        ended_at=state.ended_at,
        seconds=round(seconds, 3),
        seconds_left=round(seconds / len(log.places) * left, 3) if is_known else None,
        long_conversations=len(log.long),
    )


def before(events: Events, subject: str, moment: str) -> int:
    """A cursor shortly before a moment in the life of *subject*: events are in the order of their
    time."""
    low, high = 0, events.last()
    while low < high:
        middle = (low + high) // 2
        after = events.since(middle, subject, limit=1)
        if after and after[0].at < moment:
            low = after[0].cursor
        else:
            high = middle
    return low


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)
