"""``/v1/management/runs``: jobs as Skill-Runner's clients watch them and talk to them."""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response
from fastapi.sse import KEEPALIVE_COMMENT, format_sse_event
from pydantic import Field, JsonValue

from whet.app.jobs import told
from whet.app.jobs.bundle import history
from whet.app.jobs.telling import STEPS, lines
from whet.core.asset_query import LARGEST_PAGE, LAST_PAGE
from whet.core.errors import NotFound, UsageError
from whet.core.event import Event
from whet.core.files import FileRef, inside
from whet.core.job import Artifact, Job, JobFailure
from whet.core.value import RequestModel, Value
from whet.documents.job import JobCancelled
from whet.documents.job_reply import InteractionReply
from whet.ports.jobs import JobQuery
from whet.server import jobs, jobs_talk
from whet.server.desk import AtDesk, Desk
from whet.server.evaluation import of
from whet.server.jobs_talk import Accepted, Pending
from whet.server.sent import describes, sent
from whet.server.stream import SILENCE_SECONDS, STREAM, EventStream

router = APIRouter(prefix="/v1/management/runs", tags=["management"])

MOST_PREVIEWED = 256 * 1024
_STATES = "job."

Offset = Annotated[int, Query(ge=0, lt=2**63, description="How many bytes were seen before.")]


class ManagedRun(Value):
    """Where a job is."""

    request_id: str
    run_id: str
    status: str | None
    """Null while files must be uploaded."""

    engine: str
    skill_id: str
    updated_at: str
    pending_interaction_id: int | None
    interaction_count: int
    auto_decision_count: int
    last_auto_decision_at: str | None
    recovery_state: Literal["none"] = "none"
    """A job of a process that is gone goes on as it was, so nothing is ever recovered."""

    poll_logs: bool
    error: JobFailure | None


class ManagedRuns(Value):
    """A part of all jobs, the newest first."""

    runs: tuple[ManagedRun, ...]
    total: int
    page: int
    page_size: int


class ManagedRunFilter(RequestModel):
    """Which part of the jobs; ``limit`` is the first page of that size, of 200 at most."""

    page: int = Field(default=1, ge=1, le=LAST_PAGE)
    page_size: int = Field(default=50, ge=1, le=200)
    limit: int | None = Field(default=None, ge=1, le=1000)


class ManagedRunEntry(Value):
    """A file of a job, or a folder."""

    path: str
    name: str
    is_dir: bool
    depth: int
    size: int | None


class ManagedRunFiles(Value):
    """What was uploaded, and what the job delivered."""

    request_id: str
    run_id: str
    entries: tuple[ManagedRunEntry, ...]


class FilePreview(Value):
    """A file to look at; without content where it is no text, or too long."""

    mode: Literal["text", "binary", "too_large"]
    content: str | None
    size: int


class ManagedRunFile(Value):
    """One file of a job."""

    request_id: str
    run_id: str
    path: str
    preview: FilePreview


@router.get("")
def list_runs(wanted: Annotated[ManagedRunFilter, Query()], desk: AtDesk) -> ManagedRuns:
    """List jobs, the newest first."""
    size = min(wanted.limit or wanted.page_size, LARGEST_PAGE)
    page = 1 if wanted.limit else wanted.page
    found = desk.app.store.jobs.list(JobQuery(limit=size, offset=(page - 1) * size))
    runs = tuple(map(_run, found.items))
    return ManagedRuns(runs=runs, total=found.total, page=page, page_size=size)


@router.get("/{request_id}")
def show_run(request_id: str, desk: AtDesk) -> ManagedRun:
    """Show where a job is."""
    return _run(desk.office.get(request_id))


@router.get("/{request_id}/files")
def list_files(request_id: str, desk: AtDesk) -> ManagedRunFiles:
    """List what was uploaded and what was delivered, with the folders."""
    job = desk.office.get(request_id)
    entries = tuple(_entries(_files(job)))
    return ManagedRunFiles(request_id=request_id, run_id=job.run_id, entries=entries)


@router.get("/{request_id}/file")
def show_file(
    request_id: str,
    path: Annotated[str, Query(min_length=1, json_schema_extra={"pattern": "^[^/]"})],
    desk: AtDesk,
) -> ManagedRunFile:
    """Look into one of these files."""
    job = desk.office.get(request_id)
    try:
        inside(path)
    except ValueError:
        raise UsageError(f"path: {path[:200]!r} must stay inside the run") from None
    found = _files(job).get(path)
    if found is None:
        raise NotFound(f"job {request_id} has no file {path[:200]!r}")
    preview = _preview(desk, found)
    return ManagedRunFile(request_id=request_id, run_id=job.run_id, path=path, preview=preview)


@router.get("/{request_id}/pending")
def show_pending(request_id: str, desk: AtDesk) -> Pending:
    """Show the question that a job waits with."""
    return jobs_talk.waiting(request_id, desk)


@router.post("/{request_id}/reply", openapi_extra=describes(InteractionReply))
async def reply(
    request_id: str, said: Annotated[InteractionReply, sent(InteractionReply)], desk: AtDesk
) -> Accepted:
    """Answer the agent's question; it then goes on."""
    return await jobs_talk.answer(request_id, said, desk)


@router.post("/{request_id}/cancel", responses=of(JobCancelled), response_model=None)
async def cancel(request_id: str, desk: AtDesk) -> Response:
    """End a job, whatever it is at."""
    return await jobs.cancel(request_id, desk)


@router.get("/{request_id}/events", responses=STREAM, response_model=None)
async def events(
    request_id: str, desk: AtDesk, stdout_from: Offset = 0, stderr_from: Offset = 0
) -> Response:
    """Follow a job until it is over or asks: a ``snapshot``, what its agent did as ``stdout``, a
    ``status`` for each change, and ``end`` with the reason. Nothing is ever on ``stderr``."""
    desk.office.get(request_id)
    return EventStream(_followed(desk, request_id, _Output(stdout_from), stderr_from), desk)


@dataclass
class _Output:
    """What the agent did as one growing text, of which a client has seen the first bytes."""

    seen: int
    end: int = 0

    def frames(self, event: Event) -> Iterator[bytes]:
        """The part of an event that the client has not seen."""
        if event.kind != STEPS:
            return
        data = "".join(map(_log_line, lines(event))).encode(errors="replace")
        start, self.end = self.end, self.end + len(data)
        if self.end <= self.seen:
            return
        begin = max(start, self.seen)
        chunk = data[begin - start :].decode(errors="replace")
        yield _frame("stdout", {"from": begin, "to": self.end, "chunk": chunk})


async def _followed(
    desk: Desk, request_id: str, output: _Output, stderr_from: int
) -> AsyncGenerator[bytes]:
    job, past = await asyncio.to_thread(_past, desk, request_id)
    cursor = past[-1].cursor if past else 0
    first = {**_status(job), "stdout_offset": output.seen, "stderr_offset": stderr_from}
    yield _frame("snapshot", first)
    yield b"".join(frame for event in past for frame in output.frames(event))
    spoken = time.monotonic()
    async with aclosing(desk.tail.follow(cursor, request_id)) as batches:
        async for batch in batches:
            if batch:
                cursor, spoken = batch[-1].cursor, time.monotonic()
                yield b"".join(frame for event in batch for frame in _frames(event, output))
            elif time.monotonic() - spoken > SILENCE_SECONDS:
                spoken = time.monotonic()
                yield KEEPALIVE_COMMENT
            if reason := await asyncio.to_thread(_reason_to_end, desk, request_id, cursor):
                yield _frame("end", {"reason": reason})
                return
            if desk.stopped:
                return


def _past(desk: Desk, request_id: str) -> tuple[Job, list[Event]]:
    """A job, and all that happened to it."""
    return desk.office.get(request_id), list(history(desk.office, request_id))


def _reason_to_end(desk: Desk, request_id: str, cursor: int) -> str | None:
    """Why nothing more comes after *cursor* for now; None where something may."""
    job = desk.app.store.jobs.get(request_id)
    reason = "terminal" if job is None or job.is_over else job.state
    # In this order: what is over, or asks, has told so before.
    is_due = reason in ("terminal", "waiting_user")
    return reason if is_due and not desk.app.store.events.since(cursor, request_id, 1) else None


def _frames(event: Event, output: _Output) -> Iterator[bytes]:
    yield from output.frames(event)
    state = event.data.get("state")
    if event.kind.startswith(_STATES) and isinstance(state, str):
        asked = event.data.get("interaction")
        pending = asked.get("id") if isinstance(asked, dict) else None
        about: dict[str, JsonValue] = {"status": state, "updated_at": event.at}
        yield _frame("status", {**about, "pending_interaction_id": pending})


def _status(job: Job) -> dict[str, JsonValue]:
    return {
        "status": told.shown_status(job),
        "updated_at": job.updated_at,
        "pending_interaction_id": job.pending.id if job.pending else None,
    }


def _frame(name: str, data: dict[str, JsonValue]) -> bytes:
    return format_sse_event(data_str=json.dumps(data), event=name)


def _log_line(line: dict[str, JsonValue]) -> str:
    """A step as text: what the agent says as it is, what it does with the kind before it."""
    text = str(line.get("text", ""))
    if line.get("kind") == "said":
        return f"{text}\n"
    about = (str(line[key]) for key in ("kind", "tool") if key in line)
    return f"[{' '.join(about)}] {text}\n"


def _run(job: Job) -> ManagedRun:
    automatic = [each.at for each in job.responses if each.automatic]
    return ManagedRun(
        request_id=job.request_id,
        run_id=job.run_id,
        status=told.shown_status(job),
        engine=job.engine,
        skill_id=job.skill_id,
        updated_at=job.updated_at,
        pending_interaction_id=job.pending.id if job.pending else None,
        interaction_count=len(job.responses),
        auto_decision_count=len(automatic),
        last_auto_decision_at=automatic[-1] if automatic else None,
        poll_logs=job.state in ("queued", "running"),
        error=job.result.failure if job.result else None,
    )


def _files(job: Job) -> dict[str, FileRef | Artifact]:
    """What was uploaded, and what was delivered, by path. No path leads to anything else."""
    delivered = job.result.artifacts if job.result else ()
    replied = (file for response in job.responses for file in response.files)
    return {each.path: each for each in (*job.files, *replied, *delivered)}


def _entries(files: dict[str, FileRef | Artifact]) -> Iterator[ManagedRunEntry]:
    """All files, each folder before what is in it."""
    folders = {
        "/".join(parts[:depth])
        for parts in (path.split("/") for path in files)
        for depth in range(1, len(parts))
    }
    for path in sorted({*folders, *files}, key=lambda one: one.split("/")):
        found = files.get(path)
        yield ManagedRunEntry(
            path=path,
            name=path.rpartition("/")[2],
            is_dir=found is None,
            depth=path.count("/"),
            size=found.size if found else None,
        )


def _preview(desk: Desk, file: FileRef | Artifact) -> FilePreview:
    if file.size > MOST_PREVIEWED:
        return FilePreview(mode="too_large", content=None, size=file.size)
    data = desk.app.store.blobs.get(file.digest)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return FilePreview(mode="binary", content=None, size=file.size)
    if "\0" in text:
        return FilePreview(mode="binary", content=None, size=file.size)
    return FilePreview(mode="text", content=text, size=file.size)
