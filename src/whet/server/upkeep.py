"""What the server does by itself: goes on with runs that were left behind, writes what could not be
written, and tidies up."""

import asyncio
import logging
import time
from contextlib import suppress
from functools import partial

from whet.app.capability.runs import Evaluations
from whet.core.errors import Conflict, WhetError
from whet.core.run import Run
from whet.documents.files import sweep_half_written
from whet.server.desk import Desk

logger = logging.getLogger(__name__)

TIDY_SECONDS = 3600.0
LOOK_SECONDS = 0.5
"""Between two tries to write what there was no room for."""


async def keep_up(desk: Desk) -> None:
    """Go on with what a server before this one began; then look after the workspace."""
    await go_on(desk)
    tidied = -TIDY_SECONDS
    while True:
        if desk.app.deferred.is_waiting:
            await asyncio.to_thread(desk.app.deferred.retry)
        if time.monotonic() - tidied >= TIDY_SECONDS:
            tidied = time.monotonic()
            try:
                await asyncio.to_thread(Evaluations(desk.app).clean_up)
                await asyncio.to_thread(sweep_half_written, desk.app.settings.workspace)
            except WhetError as error:  # a full disk, say: it may pass
                logger.error("old folders are not removed: %s", error)
        await asyncio.sleep(LOOK_SECONDS)


async def go_on(desk: Desk) -> None:
    """Take up every run that servers left behind."""
    try:
        if remark := await asyncio.to_thread(desk.app.foreign.remark):
            logger.warning(remark)
        left = await asyncio.to_thread(desk.runs.take_left_behind)
    except WhetError as error:
        logger.error("runs that were left behind cannot be looked up: %s", error)
        return
    for run in left:
        try:
            await desk.go_on(run)
        except WhetError as error:  # somebody went on with it, or an engine is gone
            logger.warning("%s %s is not resumed: %s", run.kind, run.id, error)
            await asyncio.to_thread(desk.app.deferred.attempt, partial(_leave, desk, run))


def _leave(desk: Desk, run: Run) -> None:
    with suppress(Conflict):  # somebody has claimed it
        desk.runs.leave(run)
