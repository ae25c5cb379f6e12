"""What goes on in the workspace, whichever process does it."""

from collections.abc import Iterator, Sequence
from typing import Literal

from whet.app.app import App
from whet.app.capability.runs import Evaluations
from whet.app.evals import EvalState
from whet.app.runs.progress import RunProgress, progress
from whet.core.errors import WhetError
from whet.core.instant import seconds_since
from whet.core.job import Job, JobState
from whet.core.run import Run
from whet.core.value import Value
from whet.documents.capability import EvaluationRun
from whet.evaluate.project import opened
from whet.ports.evaluations import RunQuery
from whet.ports.jobs import JobQuery

MOST = 20
"""Things of a kind that are shown."""

AT_WORK: tuple[JobState, ...] = ("waiting_upload", "queued", "running", "waiting_user")
Kind = Literal["project", "eval", "capability", "job"]
_SHOWN = ("project", "eval")


class Pace(Value):
    """How far a run is."""

    done: int
    total: int
    seconds: float
    """Since it began."""

    seconds_left: float | None
    """At the pace so far; None where nobody can know yet."""


class Running(Value):
    """Something that goes on."""

    kind: Kind
    id: str
    name: str
    status: str
    engine: str
    simulated: bool
    started_at: str
    pace: Pace | None
    """None where nobody can say how far it is."""


def running(app: App, runs: Sequence[Run]) -> tuple[Running, ...]:
    """All of it, what began last comes first."""
    capability = Evaluations(app).list(RunQuery(status="running", limit=MOST)).items
    found = (
        *(_run(app, one) for one in runs if one.status == "running" and one.kind in _SHOWN),
        *(_capability(app, one) for one in capability if not one.reclaimable),
        *map(_job, app.store.jobs.list(JobQuery(states=AT_WORK, limit=MOST)).items),
    )
    return tuple(sorted(found, key=lambda one: one.started_at, reverse=True))


def is_simulated(app: App, engines: Iterator[str]) -> bool:
    """Whether any of these agents is not a real one; what is not installed counts as real."""
    known = app.parts.engines()
    return any(name in known and app.parts.engine(name).simulated for name in engines)


def shown(engine: str, model: str) -> str:
    """An engine and its model in one word."""
    return engine if engine == model else f"{engine}:{model}"


def _run(app: App, run: Run) -> Running:
    engines = _engines_of_project(app, run) if run.kind == "project" else _engines_of_eval(run)
    return Running(
        kind="project" if run.kind == "project" else "eval",
        id=run.id,
        name=run.name,
        status=run.status,
        engine=", ".join(shown(engine, model) for engine, model in engines),
        simulated=is_simulated(app, (engine for engine, _ in engines)),
        started_at=run.started_at,
        pace=_pace(progress(run, app.clock.now())),
    )


def _engines_of_project(app: App, run: Run) -> list[tuple[str, str]]:
    try:
        folder = app.settings.workspace / "projects" / str(run.details["folder"])
        cli = opened(folder).config.cli_config
    except WhetError:
        return [("", "")]  # it runs all the same, and its own page says what is wrong
    return [(cli.engine or "", cli.model)]


def _engines_of_eval(run: Run) -> list[tuple[str, str]]:
    return [(leg.engine, leg.model) for leg in EvalState.of(run).legs]


def _pace(known: RunProgress) -> Pace:
    return Pace(
        done=known.done, total=known.total, seconds=known.seconds, seconds_left=known.seconds_left
    )


def _capability(app: App, run: EvaluationRun) -> Running:
    counts = run.counts or {}
    total = counts.get("total", 0)
    done = total - counts.get("active", 0) - counts.get("cancelled", 0)
    seconds = seconds_since(run.started_at, app.clock.now())
    left = round(seconds / done * (total - done), 3) if done and seconds else None
    pace = Pace(done=done, total=total, seconds=round(seconds, 3), seconds_left=left)
    return Running(
        kind="capability",
        id=run.run_id,
        name=run.case_set,
        status=run.status,
        engine=run.model_name,
        simulated=bool(run.simulated),
        started_at=run.started_at,
        pace=pace if total else None,
    )


def _job(job: Job) -> Running:
    return Running(
        kind="job",
        id=job.request_id,
        name=job.skill_id,
        status=job.state,
        engine=shown(job.engine, job.model),
        simulated=job.simulated,
        started_at=job.started_at or job.created_at,
        pace=None,
    )
