"""Many jobs at once: a list of inputs, each on one engine or on several, and one table of results.

One input that does not fit keeps none of the others from being done.
"""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import get_args
from uuid import uuid4

from pydantic import JsonValue

from whet.app.app import App
from whet.app.config import AGENTS_OWN, defaults
from whet.app.eval_estimate import Estimate, priced
from whet.app.jobs import told
from whet.app.jobs.create import AtHand, Place, create
from whet.app.jobs.office import LEAST_PREFIX, Office
from whet.app.packages.arrival import Arrival
from whet.app.pins import is_paid
from whet.app.prices import AgentRuns
from whet.core import tokens
from whet.core.asset_query import LARGEST_PAGE
from whet.core.errors import (
    ConfirmationNeeded,
    EnvironmentProblem,
    InvalidSuite,
    NotFound,
    UsageError,
    WhetError,
)
from whet.core.job import TERMINAL, Job, JobState
from whet.documents.job import (
    BatchCreate,
    BatchItem,
    BatchRow,
    BatchStatus,
    JobCreate,
    JobError,
)
from whet.ports.jobs import JobQuery
from whet.stats.describe import mean

KIND = "job_batch"
MOST_JOBS = 2_000
UNDER_WAY = tuple(state for state in get_args(JobState) if state not in TERMINAL)


def _nobody(_done: int, _total: int) -> None:
    """Nobody listens."""


def plan(office: Office, wanted: BatchCreate) -> list[JobCreate]:
    """Every input with every engine, in the order of the inputs; raises ``UsageError``."""
    if not wanted.items:
        raise UsageError("items: name at least one input")
    engines = wanted.engines or (wanted.engine or office.default_engine,)
    if len(wanted.items) * len(engines) > MOST_JOBS:
        raise UsageError(f"a batch has at most {MOST_JOBS:,} jobs")
    return [_one(wanted, item, engine) for item in wanted.items for engine in engines]


def estimate(office: Office, jobs: Sequence[JobCreate], brought: Arrival | None = None) -> Estimate:
    """What the jobs will probably cost; all have one skill, of the library or *brought* along."""
    lanes: dict[str, list[int]] = {}
    for job in jobs:
        name, model = _lane(office, job)
        if is_paid(office.app.parts.engine(name)):
            given = json.dumps({"input": job.input, "parameter": job.parameter})
            lanes.setdefault(f"{name}:{model}", []).append(tokens.estimate(given))
    skill = _skill_tokens(office, jobs[0], brought) if lanes else 0
    runs = {name: AgentRuns(len(each), mean(each) + skill) for name, each in lanes.items()}
    return priced(office.app, runs, {})


def require_credentials(office: Office, jobs: Sequence[JobCreate]) -> None:
    """Raise ``EnvironmentProblem`` with the fix for the first agent that has no credential."""
    for name, model in dict.fromkeys(_lane(office, job) for job in jobs):
        office.app.require_credential(name, model)


def _lane(office: Office, job: JobCreate) -> tuple[str, str]:
    """The engine and the model of a job."""
    known = defaults(office.app)
    name = job.engine or known.engine
    return name, job.model or known.model_for(name) or AGENTS_OWN


def _skill_tokens(office: Office, job: JobCreate, brought: Arrival | None) -> int:
    if brought is not None:
        return tokens.estimate_bytes(brought.package.entry.size)
    try:
        found = office.resolve(job.skill_id or "", job.version).package
    except WhetError:
        return 0  # whoever makes the job says what is wrong with its skill
    return tokens.estimate_bytes(found.entry.size)


def submit(
    office: Office,
    wanted: BatchCreate,
    at_hand: Sequence[AtHand] = (),
    tell: Callable[[int, int], None] = _nobody,
) -> BatchStatus:
    """Make all jobs that can be made; raises ``ConfirmationNeeded`` where they may cost much and
    nobody has agreed, and ``EnvironmentProblem`` where not one agent could be started. What is
    *at_hand* is for each of the inputs, or for none. How far it is, of how many, is told."""
    jobs = plan(office, wanted)
    engines = len(jobs) // len(wanted.items)
    brought = at_hand[0].package if at_hand else None
    cost = estimate(office, jobs, brought)
    if cost.needs_consent and not wanted.confirmed:
        require_credentials(office, jobs)
        raise ConfirmationNeeded(f"{cost}: send it again with confirmed: true")
    batch = str(uuid4())
    refused: dict[str, JsonValue] = {}
    lacks: list[EnvironmentProblem] = []
    for index, job in enumerate(jobs):
        own = at_hand[index // engines] if at_hand else None
        if own is not None and own.package is not None:
            job = job.model_copy(update={"skill_id": "", "skill_source": "temp_upload"})
        try:
            create(office, job, Place(batch, index), own)
        except WhetError as error:
            refused[str(index)] = _refusal(job, error)
            lacks += [error] if type(error) is EnvironmentProblem else []
        tell(index + 1, len(jobs))
    if len(lacks) == len(jobs):
        raise lacks[0]  # as no agent could be started, there is nothing to keep
    office.app.store.states.put(KIND, batch, 0, {"total": len(jobs), "refused": refused})
    return status(office, batch)


def find(app: App, reference: str) -> str:
    """The id of a batch, by that, its unique beginning, or as the ``latest``; raises
    ``NotFound``."""
    known = [state.key for state in app.store.states.list(KIND)]
    if reference == "latest" and known:
        return known[0]
    fit = [key for key in known if key.startswith(reference)]
    if len(reference) < LEAST_PREFIX or not fit:
        raise NotFound(f"no batch {reference[:100]!r}")
    if len(fit) > 1:
        raise UsageError(f"{reference!r} is several batches; give more of the id")
    return fit[0]


def status(office: Office, batch: str) -> BatchStatus:
    """Every job of a batch in its place, those that could not be made among them."""
    state = office.app.store.states.get(KIND, batch)
    if state is None:
        raise NotFound(f"no batch {batch[:100]!r}")
    rows = {job.batch_index: _row(job) for job in _jobs(office, batch)}
    refused = state.value.get("refused")
    for index, about in (refused if isinstance(refused, dict) else {}).items():
        if isinstance(about, dict):
            rows[int(index)] = BatchRow.model_validate({"index": int(index), **about})
    found = [rows[index] for index in sorted(index for index in rows if index is not None)]
    counts = Counter(row.status or "waiting_upload" for row in found)
    total = state.value.get("total")
    return BatchStatus(
        batch_id=batch,
        total=total if isinstance(total, int) else len(found),
        counts=dict(counts),
        is_over=all(row.is_over for row in found),
        items=tuple(found),
    )


def is_over(office: Office, batch: str) -> bool:
    """Whether none of its jobs is under way; raises ``NotFound``."""
    if office.app.store.states.get(KIND, batch) is None:
        raise NotFound(f"no batch {batch[:100]!r}")
    return not office.app.store.jobs.list(JobQuery(batch=batch, states=UNDER_WAY, limit=1)).items


def _jobs(office: Office, batch: str) -> list[Job]:
    found: list[Job] = []
    while True:
        query = JobQuery(batch=batch, oldest_first=True, limit=LARGEST_PAGE, offset=len(found))
        page = office.app.store.jobs.list(query)
        found += page.items
        if len(found) >= page.total or not page.items:
            return found


def _one(wanted: BatchCreate, item: BatchItem, engine: str) -> JobCreate:
    name, _, model = engine.partition(":")
    return JobCreate(
        skill_id=wanted.skill_id,
        version=wanted.version,
        engine=name,
        model=model or wanted.model,
        mode=wanted.mode,
        input=item.input,
        parameter={**wanted.parameter, **item.parameter},
        runtime_options=wanted.runtime_options,
        webhook=wanted.webhook,
    ).lean()


def _refusal(job: JobCreate, error: WhetError) -> dict[str, JsonValue]:
    problems: list[JsonValue] = [*error.problems] if isinstance(error, InvalidSuite) else []
    about: dict[str, JsonValue] = {"code": error.code, "message": str(error)}
    return {
        "request_id": None,
        "status": "refused",
        "engine": job.engine or "",
        "is_over": True,
        "error": {**about, **({"problems": problems} if problems else {})},
    }


def _row(job: Job) -> BatchRow:
    failure = job.result.failure if job.result else None
    return BatchRow(
        index=job.batch_index or 0,
        request_id=job.request_id,
        status=told.shown_status(job),
        engine=job.engine,
        model=job.model,
        is_over=job.is_over,
        data=job.result.data if job.result else None,
        artifacts=tuple(each.path for each in job.result.artifacts) if job.result else (),
        cost_usd=job.usage.cost_usd,
        error=JobError(code=failure.code, message=failure.message) if failure else None,
    )
