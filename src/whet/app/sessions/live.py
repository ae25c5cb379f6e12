"""What runs now, of whichever process, and how to find it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from whet.app.app import App
from whet.app.runs.service import RunService
from whet.core.errors import InvalidDocument, NotFound, UsageError
from whet.core.job import Job
from whet.documents.base import Document, Items
from whet.documents.live import FORMAT, VERSION, LiveHead
from whet.documents.text import parse_json
from whet.ports.jobs import JobQuery
from whet.run.live import RUNNING, owner_of

LEAST_PREFIX = 4
LONGEST_HEAD = 256 * 1024
TRIAL = "trial-"
_ADDRESS = 64


class LiveSessions(Document):
    """Everything that runs now, the oldest first."""

    sessions: Items[LiveHead]


def running(app: App) -> list[LiveHead]:
    """The executions that can be followed, of all living processes of this machine."""
    app.live.sweep_now_and_then()
    heads = (head_of(path) for path in _files(app) if app.is_alive(owner_of(path.name)))
    found = (_with_job(app, head) for head in heads if head)
    return sorted(found, key=lambda one: (one.started_at, one.execution))


def _with_job(app: App, head: LiveHead) -> LiveHead:
    kind, _, run_id = head.scope.partition("/")
    if kind != "job":
        return head
    jobs = app.store.jobs.list(JobQuery(run_id=run_id, limit=1)).items
    return head.model_copy(update={"job": jobs[0].request_id}) if jobs else head


def _files(app: App) -> Iterator[Path]:
    try:
        found = sorted(app.live.folder.iterdir())
    except OSError:
        return
    yield from (path for path in found if path.suffix == RUNNING)


def head_of(path: Path) -> LiveHead | None:
    """What the first line of a file says; None where it has gone, or is not whole yet."""
    try:
        with path.open("rb") as file:
            first = file.readline(LONGEST_HEAD)
        return parsed_head(parse_json(first, path.name)) if first.endswith(b"\n") else None
    except (OSError, InvalidDocument):
        return None


def parsed_head(row: JsonValue) -> LiveHead:
    """The head of a file; raises ``InvalidDocument``."""
    match row:
        case {"format": str(form), "version": int(version), "head": head} if form == FORMAT:
            if version > VERSION:
                raise InvalidDocument("live", "", "a newer whet runs it; update whet")
            return LiveHead.parse(head, "live")
        case _:
            raise InvalidDocument("live", "", "this is no execution under way")


@dataclass(frozen=True)
class Subject:
    """What is followed: some executions one after the other, in the order of their turns.

    A job is all of its turns; a trial is its last execution and whatever comes after.
    """

    app: App
    execution: str | None = None
    address: str | None = None
    job: str | None = None

    def executions(self) -> Sequence[tuple[str, int]]:
        """All that there are so far, each with the number of its turn."""
        ledger = self.app.store.ledger
        if self.execution is not None:
            return [(self.execution, 1)]
        if self.address is not None:
            return [(one.id, 1) for one in ledger.executions(self.address)]
        turns = self.present_job().rounds
        return [
            (one.id, turn.number)
            for turn in turns
            if turn.trial
            for one in ledger.executions(turn.trial)
        ]

    def first(self) -> str | None:
        """Where to begin."""
        every = self.executions()
        if not every:
            return None
        return every[0][0] if self.job else every[-1][0]

    def is_over(self) -> bool:
        """Whether no other execution is to be waited for."""
        return self.job is None or self.present_job().is_over

    def present_job(self) -> Job:
        """The job that is followed."""
        job = self.app.store.jobs.get(self.job or "")
        if job is None:
            raise NotFound(f"no job {self.job!r}")
        return job


def find(app: App, reference: str) -> Subject:
    """What a person means: an execution, a trial or a job, by id or by a unique beginning; raises
    ``NotFound`` and ``UsageError``."""
    if (exact := _exact(app, reference)) is not None:
        return exact
    heads = [head for head in running(app) if len(reference) >= LEAST_PREFIX]
    named = reference.removeprefix(TRIAL)
    found = {
        head.execution: Subject(app, execution=head.execution)
        for head in heads
        if head.execution.startswith(reference) or head.address.startswith(named)
    }
    if len(reference) >= LEAST_PREFIX:
        for job in app.store.jobs.list(JobQuery(prefix=reference, limit=2)).items:
            found[job.request_id] = Subject(app, job=job.request_id)
    match [*found.values()]:
        case [only]:
            return only
        case []:
            raise NotFound(f"nothing that runs or ran here is called {reference[:100]!r}")
        case _:
            raise UsageError(f"{reference!r} may be: {', '.join(found)}; give more of the id")


def _exact(app: App, reference: str) -> Subject | None:
    if app.store.jobs.get(reference) is not None:
        return Subject(app, job=reference)
    if app.store.ledger.execution(reference) is not None:
        return Subject(app, execution=reference)
    if len(reference) == _ADDRESS and app.store.ledger.executions(reference):
        return Subject(app, address=reference)
    return None


def at_work_for(app: App, subject: str) -> list[LiveHead]:
    """What runs for an experiment, an eval run or a capability run."""
    return [head for head in running(app) if _belongs(head, subject)]


def _belongs(head: LiveHead, subject: str) -> bool:
    owner = head.place.subject if head.place else head.scope
    return owner in (subject, f"evaluation/{subject}")


def is_experiment(app: App, reference: str) -> bool:
    """Whether there is an experiment, an eval run or a capability run of that id."""
    return _state(app, reference) is not None


def is_active(app: App, subject: str) -> bool:
    """Whether more may come of an experiment."""
    return _state(app, subject) == "running" or bool(at_work_for(app, subject))


def _state(app: App, reference: str) -> str | None:
    run = RunService(app).find(reference)
    return run.status if run else None
