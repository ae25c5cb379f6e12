"""``/v1/jobs/…``: what a job is given, and what it delivers."""

import asyncio
import mimetypes
import re
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import JsonValue
from starlette.convertors import PathConvertor, register_url_convertor

from whet.app.jobs import told
from whet.app.jobs.bundle import artifact, bundle
from whet.app.jobs.create import upload
from whet.app.jobs.uploads import MOST_PACKED
from whet.app.library.outgo import Parcel
from whet.core.errors import NotFound, UsageError, WrongStatus
from whet.core.text import shortened_path
from whet.documents.job import JobArtifacts, JobUploaded
from whet.server.desk import AtDesk
from whet.server.encoding import Json
from whet.server.evaluation import of
from whet.server.forms import is_form, only, received_form
from whet.server.ranges import PARTS, ranged
from whet.server.transfer import file_of, received, streamed, upload_folder


class _AnyPath(PathConvertor):
    """A path whose names may have line ends in them: agents call files as they like."""

    regex = "(?s:.*)"


register_url_convertor("any_path", _AnyPath())

router = APIRouter(prefix="/v1/jobs/{request_id}", tags=["jobs"])

UPLOADS = re.compile(r"/v1/jobs/[^/]+/(?:upload|interaction/reply/files)")
MOST_BYTES = MOST_PACKED + 1024 * 1024

_FORM: dict[str, Any] = {
    "requestBody": {
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "properties": {
                        "file": {"type": "string", "format": "binary"},
                        "skill_package": {"type": "string", "format": "binary"},
                    },
                }
            },
            "application/zip": {"schema": {"type": "string", "format": "binary"}},
        }
    }
}


@router.post("/upload", responses=of(JobUploaded), response_model=None, openapi_extra=_FORM)
async def give(request_id: str, request: Request, desk: AtDesk) -> Response:
    """Give a job its files, as a zip: the body itself, or the field ``file`` of a form; the skill
    of one that brings its own as ``skill_package``. Then it starts. An input that is a file is the
    one of just its name. Without files a job starts that needs none. The same upload again changes
    nothing."""
    await asyncio.to_thread(desk.office.get, request_id)
    async with upload_folder(desk.app) as folder:
        files, package = await _zips(request, folder)
        job = await asyncio.to_thread(upload, desk.office, request_id, files, package)
    desk.dispatcher.wake()
    return Json(told.uploaded(job).to_data())


@router.get("/artifacts", responses=of(JobArtifacts), response_model=None)
async def listed(request_id: str, desk: AtDesk) -> Response:
    """List the files that a job delivered."""
    return Json(told.artifacts(desk.office.get(request_id)).to_data())


@router.get("/artifacts/{artifact_path:any_path}", response_class=Response, responses=PARTS)
def download(request_id: str, artifact_path: str, request: Request, desk: AtDesk) -> Response:
    """Take a delivered file away; its path begins with ``artifacts/``. Parts of it by ``Range``."""
    job = desk.office.get(request_id)
    if not artifact_path.startswith("artifacts/"):
        raise NotFound("the path of an artifact begins with artifacts/")
    if any(part in ("..", ".", "") for part in artifact_path.split("/")) or "\\" in artifact_path:
        raise UsageError("the path of an artifact must stay inside")
    if not job.is_over:
        raise WrongStatus(f"job {request_id} is {job.state}", "succeeded", job.state)
    found = artifact(job, artifact_path)
    if found is None:
        raise NotFound(f"job {request_id} delivered no {shortened_path(artifact_path, 200)!r}")
    name = artifact_path.rpartition("/")[2]
    kind = found.mime or mimetypes.guess_type(name)[0] or "application/octet-stream"
    data = desk.app.store.blobs.get(found.digest)
    parcel = Parcel(filename=name, media_type=kind, data=data, notes=())
    return ranged(parcel, found.digest, request.headers)


@router.get("/bundle", response_class=Response, responses=file_of("application/zip"))
def whole(
    request_id: str,
    desk: AtDesk,
    *,
    debug: Annotated[
        bool | None, Query(description="With how it came about. Default: as the job was asked for.")
    ] = None,
) -> Response:
    """Take all that a job delivered away as a zip, with a manifest."""
    job = desk.office.get(request_id)
    is_debug = job.options.debug if debug is None else debug
    name = f"{job.request_id}{'-debug' if is_debug else ''}.zip"
    return streamed(bundle(desk.office, job, debug=is_debug), name, "application/zip", ())


@router.get("/bundle/debug", response_class=Response, responses=file_of("application/zip"))
def whole_debug(request_id: str, desk: AtDesk) -> Response:
    """The same with how it came about: request, turns, sessions, events."""
    return whole(request_id, desk, debug=True)


@router.get("/session")
def session(request_id: str, desk: AtDesk) -> dict[str, JsonValue]:
    """Show the session log of a job that is over."""
    job = desk.office.get(request_id)
    found = desk.office.whole_session(job)
    if found is None:
        raise WrongStatus(f"job {request_id} has no session yet", "succeeded", job.state)
    return found


async def _zips(request: Request, folder: Path) -> tuple[Path | None, Path | None]:
    """The files and the skill of an upload, as far as they are there."""
    if is_form(request):
        parts = await received_form(request, folder, ("file", "skill_package"))
        files, package = only(parts, "file"), only(parts, "skill_package")
        return files and files.path, package and package.path
    kind = request.headers.get("content-type", "")
    if kind.startswith(("application/json", "application/x-www-form-urlencoded", "text/")):
        raise UsageError("send a zip as the body, or as the field file of a form")
    path = folder / "body"
    await received(request, path)
    return (path if path.stat().st_size else None), None
