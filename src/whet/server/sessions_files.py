"""``/v1/sessions``: sessions that come as logs and go as files."""

import asyncio
import logging
import time
from http import HTTPStatus
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field, StrictBool

from whet.app.library.outgo import Parcel
from whet.app.sessions import told
from whet.app.sessions.export import export
from whet.app.sessions.intake import ImportedLog, Intake
from whet.app.sessions.originals import kept_name
from whet.app.sessions.requests import SessionExport
from whet.app.sessions.views import RemovedSession, SpansSent
from whet.core.errors import EnvironmentProblem, NotFound, UsageError
from whet.core.outbound import OutboundPolicy
from whet.core.text_patterns import fits
from whet.core.value import RequestModel
from whet.documents.files import reason
from whet.exporters.sessions.otlp_send import Sent, send
from whet.ports.session_exporter import ExportWish
from whet.server.desk import AtDesk
from whet.server.sessions_known import AtSessions, Known, Seen
from whet.server.transfer import (
    HARMLESS,
    RAW_OR_FORM,
    attachment,
    file_of,
    received_file,
    streamed,
    upload_folder,
)

IMPORT = "/v1/sessions/import"
MOST_BYTES = 512 * 1024 * 1024
"""Of a log that is sent."""

of_all = APIRouter(prefix="/v1/sessions", tags=["sessions"])
router = APIRouter(prefix="/v1/sessions/{reference}", tags=["sessions"])

MOST_HEADERS = 20
SEND_SECONDS = 10.0
"""For spans to be taken, and until it is told that they were not."""

NOT_TAKEN = "the collector did not take the spans; the log of the server says why"

logger = logging.getLogger(__name__)


class SendTo(RequestModel):
    """A collector of traces. Only this address is asked; redirects are not followed."""

    endpoint: Annotated[str, fits(r"^https?://[A-Za-z0-9.-]+(:[1-9][0-9]{0,3})?/?$")] = Field(
        min_length=1, max_length=2_000, description="As in http://localhost:4318."
    )
    headers: dict[str, str] = Field(
        default={}, max_length=MOST_HEADERS, description="For the collector; they are not kept."
    )
    redact: StrictBool = True
    full: StrictBool = Field(default=False, description="Long texts are not cut.")


@of_all.post("/import", status_code=HTTPStatus.CREATED, openapi_extra=RAW_OR_FORM)
async def take_in(
    request: Request,
    desk: AtDesk,
    sessions: AtSessions,
    filename: Annotated[
        str, Query(max_length=500, description="Of the log, where the body is the log itself.")
    ] = "log",
    *,
    keep_secrets: Annotated[
        bool, Query(description="Leave keys, tokens and passwords in what is kept of the log.")
    ] = False,
) -> ImportedLog:
    """Import a session log of another program, or of ours: the body itself, or the field ``file``
    of a form. Secrets in it are replaced, and what had to be mended is listed. One that cannot be
    read is a 400 that says where."""
    async with upload_folder(desk.app) as folder:
        path = folder / "sent"
        named = await received_file(request, path)
        source = kept_name(Path(named or filename))
        log = path.rename(path.with_name(source if source != "sent" else "log"))
        if not log.stat().st_size:
            raise UsageError("the log is empty")
        done = await asyncio.to_thread(Intake(sessions.shelf, keep_secrets).take, log, source)
    if done.status == "refused" and not done.sessions:
        raise UsageError(done.error or f"{source}: cannot be read")
    return done


@router.delete("")
async def remove(entry: Known, sessions: AtSessions) -> RemovedSession:
    """Take away a session that was imported; its log goes with the last session of it."""
    return await asyncio.to_thread(told.remove, sessions.shelf, entry)


@router.get("/original", response_class=Response, responses=file_of("application/octet-stream"))
async def original(entry: Known, sessions: AtSessions) -> Response:
    """Take the log away that a session was read from, as it is kept: without its secrets, unless
    they were wanted when it was imported. Nothing else is taken out of it."""
    path = await asyncio.to_thread(told.original, sessions.shelf, entry)
    try:
        file = path.open("rb")
    except FileNotFoundError:  # taken away a moment ago
        raise NotFound(f"the log of session {entry.name!r} is gone") from None
    except OSError as error:
        raise EnvironmentProblem(f"cannot read {path.name}: {reason(error)}") from error
    return streamed(file, path.name, "application/octet-stream", ())


@router.get(
    "/export",
    response_class=Response,
    responses=file_of("application/json", "text/html", "text/markdown"),
)
async def export_(view: Seen, desk: AtDesk, wanted: Annotated[SessionExport, Query()]) -> Response:
    """Take a session away as a page, Markdown, JSON or OpenTelemetry spans. What is private is
    taken out unless ``redact=false``."""
    wish = ExportWish(wanted.language or desk.app.settings.language, wanted.full)
    made = await asyncio.to_thread(export, view, wanted.format, wish, redact=wanted.redact)
    data = made.text.encode(errors="replace")
    if wanted.format == "html":
        # The page says itself what it may run; here it is only looked at, in a sandbox.
        headers = {**HARMLESS, "content-security-policy": "sandbox allow-scripts"}
        name = made.name.encode("ascii", "replace").decode().replace('"', "_")
        headers["content-disposition"] = f'inline; filename="{name}"'
        return Response(data, media_type=made.media_type, headers=headers)
    parcel = Parcel(filename=made.name, media_type=made.media_type, data=data, notes=())
    return attachment(parcel)


@router.post("/export/otlp")
async def push(view: Seen, wanted: SendTo, desk: AtDesk) -> SpansSent:
    """Send a session to a collector of OpenTelemetry traces, and to nobody else."""
    wish = ExportWish(desk.app.settings.language, wanted.full)
    made = await asyncio.to_thread(export, view, "otlp", wish, redact=wanted.redact)
    sent = await _sent(made.text, wanted, desk.app.access.outbound())
    return SpansSent(
        spans=sent.spans,
        rejected=sent.rejected,
        message=sent.message,
        redactions=made.redactions,
    )


async def _sent(text: str, wanted: SendTo, policy: OutboundPolicy) -> Sent:
    """Send spans. Every failure is told in the same words after the same time: who asks does not
    learn whether anybody listens there."""
    begun = time.monotonic()
    try:
        return await asyncio.to_thread(
            send, text, wanted.endpoint, wanted.headers, SEND_SECONDS, policy
        )
    except EnvironmentProblem as error:
        logger.warning("spans were not taken: %s", error)
        await asyncio.sleep(max(0.0, SEND_SECONDS - (time.monotonic() - begun)))
        raise EnvironmentProblem(NOT_TAKEN) from None
