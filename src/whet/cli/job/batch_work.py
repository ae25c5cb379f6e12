"""Waiting for all jobs of a batch, and doing what nobody else does."""

import asyncio
from collections import defaultdict
from collections.abc import Callable

import typer

from whet.app.jobs import batch
from whet.app.jobs.dispatch import carry_out
from whet.app.jobs.office import Office
from whet.cli.job.batch_text import print_batch
from whet.cli.job.desk import hint
from whet.cli.job.options import Wait
from whet.cli.job.outcome import UNSUCCESSFUL
from whet.cli.job.words import JobWords
from whet.cli.options import fail, say
from whet.cli.progress import counted
from whet.cli.termination import run_to_end
from whet.core.errors import Draining
from whet.core.lanes import WIDTH, lane_of
from whet.core.naming import short
from whet.documents.job import BatchRow, BatchStatus

INTERRUPTED = 130


def wait_for_batch(office: Office, batch_id: str, options: Wait) -> None:
    """Wait for a batch, and say what it came to."""
    words = JobWords(office.app.settings.language)
    before = batch.status(office, batch_id)
    try:
        with counted(short(batch_id), "jobs") as tell:
            run_to_end(office.app, _all(office, before, options.timeout, tell))
    except (KeyboardInterrupt, Draining) as ended:
        again = hint("wait", batch_id, options.workspace)
        code = ended.exit_code if isinstance(ended, Draining) else INTERRUPTED
        fail(words.work.still_batch.format(batch=short(batch_id), command=again), code)
    after = batch.status(office, batch_id)
    print_batch(after, words.find, as_json=options.json)
    lost = [row for row in after.items if row.status != "succeeded"]
    if lost:
        say(words.work.batch_ended.format(done=len(lost), total=after.total))
        raise typer.Exit(UNSUCCESSFUL)


async def _all(
    office: Office,
    status: BatchStatus,
    seconds: float | None,
    tell: Callable[[int, int], None],
) -> None:
    lanes: defaultdict[str, asyncio.Semaphore] = defaultdict(lambda: asyncio.Semaphore(WIDTH))
    waiting = [row for row in status.items if row.request_id is not None and not row.is_over]
    total = len(status.items)
    done = total - len(waiting)

    async def one(row: BatchRow) -> None:
        nonlocal done
        async with lanes[lane_of(row.engine or "", row.model or "")]:
            await carry_out(office, row.request_id or "")
        done += 1
        tell(done, total)

    try:
        async with asyncio.timeout(seconds):
            await asyncio.gather(*map(one, waiting))
    except TimeoutError:
        pass
