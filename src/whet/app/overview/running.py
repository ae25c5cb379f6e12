"""What goes on in the workspace, whichever process does it."""

from collections.abc import Iterator, Sequence
from typing import Literal

from whet.app.app import App
from whet.app.capability.runs import Evaluations
from whet.app.evals import EvalState
from whet.app.experiments import ExperimentState
from whet.app.overview.underway import Pace, Underway, paced
from whet.core.errors import WhetError
from whet.core.job import Job, JobState
from whet.core.value import Value
from whet.documents.capability import EvaluationRun
from whet.evaluate.project import opened
from whet.ports.evaluations import RunQuery
from whet.ports.jobs import JobQuery

MOST = 20
"""Things of a kind that are shown."""

AT_WORK: tuple[JobState, ...] = ("waiting_upload", "queued", "running", "waiting_user")
Kind = Literal["project", "eval", "capability", "job"]


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


def running(
    app: App,
    underway: Underway,
    experiments: Sequence[ExperimentState],
    evals: Sequence[EvalState],
) -> tuple[Running, ...]:
    """All of it, what began last comes first."""
    capability = Evaluations(app).list(RunQuery(status="running", limit=MOST)).items
    found = (
        *(_project(app, underway, one) for one in experiments if one.status == "running"),
        *(_eval(app, underway, one) for one in evals if one.status == "running"),
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


def _project(app: App, underway: Underway, state: ExperimentState) -> Running:
    engine = model = ""
    try:
        cli = opened(app.settings.workspace / "projects" / state.folder).config.cli_config
        engine, model = cli.engine or "", cli.model
    except WhetError:
        pass  # it runs all the same, and its own page says what is wrong
    return Running(
        kind="project",
        id=state.id,
        name=state.name,
        status=state.status,
        engine=shown(engine, model),
        simulated=is_simulated(app, iter((engine,))),
        started_at=state.started_at,
        pace=underway.project(state),
    )


def _eval(app: App, underway: Underway, state: EvalState) -> Running:
    return Running(
        kind="eval",
        id=state.id,
        name=state.skill,
        status=state.status,
        engine=", ".join(shown(leg.engine, leg.model) for leg in state.legs),
        simulated=is_simulated(app, (leg.engine for leg in state.legs)),
        started_at=state.started_at,
        pace=underway.eval(state),
    )


def _capability(app: App, run: EvaluationRun) -> Running:
    counts = run.counts or {}
    total = counts.get("total", 0)
    done = total - counts.get("active", 0) - counts.get("cancelled", 0)
    return Running(
        kind="capability",
        id=run.run_id,
        name=run.case_set,
        status=run.status,
        engine=run.model_name,
        simulated=bool(run.simulated),
        started_at=run.started_at,
        pace=paced(app.clock.now(), run.started_at, done, total, done) if total else None,
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
