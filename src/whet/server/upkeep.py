"""What the server does by itself: goes on with runs that were left behind, and tidies up."""

import asyncio
import logging
from functools import partial

from whet.app.capability.runs import Evaluations
from whet.core.errors import WhetError
from whet.server.desk import Desk

logger = logging.getLogger(__name__)

TIDY_SECONDS = 3600.0


async def keep_up(desk: Desk) -> None:
    """Go on with what a server before this one began; then look after folders now and then."""
    evaluations = Evaluations(desk.app)
    for run_id in await asyncio.to_thread(evaluations.left_behind):
        try:
            await asyncio.to_thread(evaluations.take_up, run_id)
            await desk.begin(run_id, partial(evaluations.run, run_id))
        except WhetError as error:  # another server was first, or an engine is gone
            logger.warning("evaluation %s is not resumed: %s", run_id, error)
    while True:
        await asyncio.to_thread(evaluations.clean_up)
        await asyncio.sleep(TIDY_SECONDS)
