"""``/v1/job-batches``: many jobs of one skill at once."""

import asyncio
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Response

from whet.app.jobs import batch
from whet.documents.job import BatchCreate, BatchStatus
from whet.server.desk import AtDesk
from whet.server.encoding import Json
from whet.server.evaluation import of
from whet.server.sent import describes, sent

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
