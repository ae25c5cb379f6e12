"""``whet job batch``, and waiting for a batch."""

import asyncio
import json
from collections import defaultdict
from collections.abc import Callable

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet.app.jobs import batch as batches
from whet.app.jobs.dispatch import carry_out
from whet.app.jobs.office import Office
from whet.cli.asset_output import cell, line, plain_table, print_json, short_ids
from whet.cli.command import Call
from whet.cli.job.output import INTERRUPTED, UNSUCCESSFUL, Reference, job_command, opened_jobs
from whet.cli.job.states import COLOURS, StateWords
from whet.cli.options import fail, say
from whet.cli.progress import counted
from whet.cli.termination import run_to_end
from whet.core.bilingual import Both
from whet.core.counts import CountedText
from whet.core.errors import Draining
from whet.core.lanes import WIDTH, lane_of
from whet.core.naming import short
from whet.documents.job import BatchRow, BatchStatus

MOST_ROWS = 200


class BatchWords(StateWords):
    """What is said of batches."""

    columns = Both(
        ("#", "job", "engine", "status", "result"), ("#", "作业", "引擎", "状态", "结果")
    )
    counts = Both(CountedText("{total:job|jobs}: {parts}"), "共 {total} 个作业：{parts}")
    more = Both("… and {count} more; --json has all", "……另有 {count} 个，--json 给出全部")
    still = Both("no longer waiting; go on with: {command}", "不再等待；继续：{command}")
    ended = Both(
        CountedText("{done} of {total:job|jobs} did not succeed"),
        "{total} 个作业中有 {done} 个未成功",
    )


def batch(call: Call, batch: Reference) -> None:
    """Print the table of a batch."""
    with opened_jobs(call.settings) as office:
        found = batches.status(office, batches.find(office.app, batch))
    print_batch(call, found)


def print_batch(call: Call, found: BatchStatus) -> None:
    """Every job of a batch, and how many are how far."""
    words = BatchWords(call.language)
    if call.json:
        print_json(found.to_data())
        return
    Console(highlight=False).print(rows_table(found.items[:MOST_ROWS], words))
    if (more := len(found.items) - MOST_ROWS) > 0:
        typer.echo(words.more.format(count=more))
    parts = (f"{words.states.get(name, name)} {count}" for name, count in found.counts.items())
    typer.echo(words.counts.format(total=found.total, parts=", ".join(parts)))


def rows_table(rows: tuple[BatchRow, ...], words: BatchWords) -> Table:
    """A table of jobs, and of those that there are not."""
    names = short_ids([row.request_id for row in rows if row.request_id])
    table = plain_table(words.columns, words.columns[:4])
    for row in rows:
        state = row.status or "waiting_upload"
        who = f"{row.engine}:{row.model}" if row.model not in (None, row.engine) else row.engine
        table.add_row(
            Text(str(row.index + 1), justify="right"),
            Text(names.get(row.request_id or "", "–")),
            cell(who, 60),
            Text(words.states.get(state, state), COLOURS.get(state, "")),
            _outcome(row),
        )
    return table


def _outcome(row: BatchRow) -> Text:
    if row.error is not None:
        return Text(line(f"{row.error.code}: {row.error.message}", 300), "yellow")
    if row.data is None:
        return Text(line(", ".join(row.artifacts), 200) or "–")
    return cell(json.dumps(row.data, ensure_ascii=False), 300)


def wait_for_batch(call: Call, office: Office, batch_id: str, timeout: float | None = None) -> None:
    """Wait for a batch, doing what nobody else does, and say what it came to."""
    words = BatchWords(call.language)
    before = batches.status(office, batch_id)
    try:
        with counted(short(batch_id), "jobs") as tell:
            run_to_end(office.app, _all(office, before, timeout, tell))
    except (KeyboardInterrupt, Draining) as ended:
        code = ended.exit_code if isinstance(ended, Draining) else INTERRUPTED
        fail(words.still.format(command=job_command(call, "wait", batch_id)), code)
    after = batches.status(office, batch_id)
    print_batch(call, after)
    lost = [row for row in after.items if row.status != "succeeded"]
    if lost:
        say(words.ended.format(done=len(lost), total=after.total))
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
