"""All that a job delivered in one zip; for debugging, also how it came about."""

import json
import tempfile
import zipfile
from collections.abc import Iterator
from typing import BinaryIO

from pydantic import JsonValue

from whet.app.jobs import told
from whet.app.jobs.office import Office
from whet.core.address import digest_bytes
from whet.core.confidential import without_secrets
from whet.core.event import Event
from whet.core.job import Artifact as Delivered
from whet.core.job import Job
from whet.curate.archive import add
from whet.documents.job import Artifact, BundleManifest

IN_MEMORY = 8 * 1024 * 1024
_PAGE = 500


def bundle(office: Office, job: Job, *, debug: bool) -> BinaryIO:
    """The zip as an open file; raises ``WrongStatus`` before the job's end. The same job always
    gives the same bytes."""
    told.result(job)
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - whoever sends it closes it
    listed: list[Artifact] = []
    with zipfile.ZipFile(file, "w") as archive:
        for path, data in _members(office, job, debug=debug):
            add(archive, path, data)
            listed.append(Artifact(path=path, size=len(data), sha256=digest_bytes(data)))
        manifest = BundleManifest(files=tuple(listed))
        add(archive, "manifest.json", manifest.to_json().encode())
    file.seek(0)
    return file  # pyright: ignore[reportReturnType] - a file in all but its name


def artifact(job: Job, path: str) -> Delivered | None:
    """A delivered file by its path; nothing else has one, so no path leads anywhere else."""
    found = job.result.artifacts if job.result else ()
    return next((each for each in found if each.path == path), None)


def _members(office: Office, job: Job, *, debug: bool) -> Iterator[tuple[str, bytes]]:
    yield "result.json", _json(told.result(job).to_data())
    blobs = office.app.store.blobs
    for each in job.result.artifacts if job.result else ():
        yield each.path, blobs.get(each.digest)
    if debug:
        yield from _details(office, job)


def _details(office: Office, job: Job) -> Iterator[tuple[str, bytes]]:
    """Under ``debug/``: the request, every turn as the agent was told it, what it did, the events.
    Values of variables are not among them."""
    blobs = office.app.store.blobs
    yield "debug/job.json", _json(without_secrets(job.model_dump(mode="json")))
    for file in job.files:
        yield f"debug/{file.path}", blobs.get(file.digest)
    if job.skill is not None and job.skill.own is not None:
        entry = job.skill.own.entry
        yield f"debug/skill/{entry.path}", blobs.get(entry.digest)
    for turn in job.rounds:
        yield f"debug/turns/{turn.number}/prompt.txt", turn.prompt.encode(errors="replace")
        record = office.app.store.ledger.record(turn.trial)
        if record is not None:
            yield f"debug/turns/{turn.number}/answer.txt", record.answer.encode(errors="replace")
            yield f"debug/turns/{turn.number}/session.json", blobs.get(record.session)
            if record.tape is not None:
                yield f"debug/turns/{turn.number}/tape.jsonl", blobs.get(record.tape)
    lines = [event.model_dump_json() for event in history(office, job.request_id)]
    yield "debug/events.jsonl", "".join(f"{line}\n" for line in lines).encode()


def history(office: Office, request_id: str) -> Iterator[Event]:
    """Every event of a job, oldest first."""
    cursor = 0
    while batch := office.app.store.events.since(cursor, request_id, _PAGE):
        yield from batch
        cursor = batch[-1].cursor


def _json(value: JsonValue) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode(errors="replace")
