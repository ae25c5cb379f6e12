"""``/v1/jobs/…``: answering an agent that waits, and making test cases of jobs."""

import asyncio
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Request

from whet.app.jobs import views
from whet.app.jobs.case import to_case
from whet.app.jobs.reply import pending, question_id, reply, reply_with_files
from whet.app.jobs.views import Accepted, Pending
from whet.app.library.cases import ShelvedCases
from whet.core.errors import UsageError
from whet.core.job import Job
from whet.documents.job import ToCase
from whet.documents.job_reply import InteractionReply, ReplyFiles
from whet.documents.text import parse_json
from whet.server.desk import AtDesk, Desk
from whet.server.forms import MOST_PARTS, Part, only, received_form
from whet.server.sent import describes, sent, shape
from whet.server.transfer import upload_folder

router = APIRouter(prefix="/v1/jobs/{request_id}", tags=["jobs"])

MOST_METADATA = 64 * 1024


@router.get("/interaction/pending")
def waiting(request_id: str, desk: AtDesk) -> Pending:
    """Show the question that a job waits with."""
    return views.pending(desk.office.get(request_id))


@router.post("/interaction/reply", openapi_extra=describes(InteractionReply))
async def answer(
    request_id: str, said: Annotated[InteractionReply, sent(InteractionReply)], desk: AtDesk
) -> Accepted:
    """Answer the agent's question; it then goes on. Of several replies the first counts; the same
    one again, with the same key, is no mistake."""
    change = partial(
        reply,
        desk.office,
        request_id,
        question_id(said),
        said.response,
        key=said.idempotency_key,
    )
    return _accepted(desk, await desk.app.writer(change))


_FILES: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["metadata"],
                    "properties": {
                        "files": {
                            "type": "array",
                            "items": {"type": "string", "format": "binary"},
                            "maxItems": MOST_PARTS - 1,
                        },
                        "metadata": {
                            "type": "string",
                            "contentMediaType": "application/json",
                            "contentSchema": shape(ReplyFiles),
                            "maxLength": MOST_METADATA,
                        },
                    },
                }
            }
        },
    }
}
"""How the contract describes such a form."""


@router.post("/interaction/reply/files", openapi_extra=_FILES)
async def answer_with_files(request_id: str, request: Request, desk: AtDesk) -> Accepted:
    """Answer with files: a form with ``files``, and with ``metadata``, which is the JSON
    ``{"interaction_id": 1, "bindings": [{"slot": "name", "file_index": 0}]}``."""
    job = desk.office.get(request_id)
    if not job.responses:
        pending(job)
    async with upload_folder(desk.app) as folder:
        parts = await received_form(request, folder, ("files", "metadata"))
        about = _metadata(only(parts, "metadata"))
        paths = [part.path for part in parts.get("files", [])]
        change = partial(
            reply_with_files,
            desk.office,
            request_id,
            question_id(about),
            about.message or "",
            files=_bound(about, paths),
            key=about.idempotency_key,
        )
        return _accepted(desk, await asyncio.to_thread(change))


@router.post("/case", openapi_extra=describes(ToCase))
def as_case(request_id: str, wanted: Annotated[ToCase, sent(ToCase)], desk: AtDesk) -> ShelvedCases:
    """Make a job that succeeded a test case of a baseline, which gets its next version."""
    return to_case(desk.office, desk.library("baseline"), request_id, wanted.baseline)


def _metadata(part: Part | None) -> ReplyFiles:
    if part is None or part.path.stat().st_size > MOST_METADATA:
        raise UsageError("metadata: is missing, or too long")
    return ReplyFiles.parse(parse_json(part.path.read_bytes(), "metadata"), "metadata")


def _bound(about: ReplyFiles, paths: list[Path]) -> dict[str, Path]:
    """The files by the slot that each is for."""
    found: dict[str, Path] = {}
    for binding in about.bindings:
        if not 0 <= binding.file_index < len(paths):
            raise UsageError(f"metadata.bindings: there is no file {binding.file_index}")
        if binding.slot in found:
            raise UsageError(f"metadata.bindings: {binding.slot!r} is there twice")
        found[binding.slot] = paths[binding.file_index]
    return found


def _accepted(desk: Desk, job: Job) -> Accepted:
    desk.dispatcher.wake()
    return Accepted(request_id=job.request_id, status=job.state)
