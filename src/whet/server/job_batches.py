"""``/v1/job-batches``: many jobs of one skill at once."""

import asyncio
from functools import partial
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query, Response

from whet.app.jobs import batch
from whet.documents.job import BatchCreate, BatchStatus
from whet.server.desk import AtDesk
from whet.server.encoding import Json
from whet.server.evaluation import of
from whet.server.sent import describes, sent
from whet.server.stream import STREAM_TO_THE_END, LastEventId, followed_to_the_end

router = APIRouter(prefix="/v1/job-batches", tags=["jobs"])


@router.post(
    "",
    status_code=HTTPStatus.ACCEPTED,
    responses=of(BatchStatus, HTTPStatus.ACCEPTED),
    response_model=None,
    openapi_extra=describes(BatchCreate),
)
async def submit(wanted: Annotated[BatchCreate, sent(BatchCreate)], desk: AtDesk) -> Response:
    """Ask for a job for each input, on each engine. An input that does not fit is named in its
    place, and the others are done. What may cost much has to be ``confirmed``."""
    made = await asyncio.to_thread(batch.submit, desk.office, wanted)
    desk.dispatcher.wake()
    return Json(made.to_data(), HTTPStatus.ACCEPTED)


@router.get("/{batch_id}", responses=of(BatchStatus), response_model=None)
def table(batch_id: str, desk: AtDesk) -> Response:
    """Show all jobs of a batch in one table."""
    return Json(batch.status(desk.office, batch_id).to_data())


@router.get("/{batch_id}/events", responses=STREAM_TO_THE_END, response_model=None)
async def events(
    batch_id: str,
    desk: AtDesk,
    cursor: Annotated[int, Query(ge=0, lt=2**63, description="The last event seen.")] = 0,
    last_event_id: LastEventId = 0,
) -> Response:
    """Follow all jobs of a batch to their end: every state that one comes into, with its
    ``index``. Who comes back with Last-Event-ID, or a cursor, misses nothing."""
    over = partial(batch.is_over, desk.office, batch_id)
    return await followed_to_the_end(desk, batch_id, max(cursor, last_event_id), over)
