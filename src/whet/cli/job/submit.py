"""``whet job submit``."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from whet.app.jobs import batch, expiry, told
from whet.app.jobs.create import AtHand, create
from whet.app.jobs.office import Office
from whet.app.jobs.serving import is_served
from whet.cli.asset_output import line, print_json
from whet.cli.command import Call
from whet.cli.job.batch import BatchWords, rows_table, wait_for_batch
from whet.cli.job.batch_file import Row, read_rows
from whet.cli.job.output import UNSUCCESSFUL, job_command, opened_jobs, print_who_works
from whet.cli.job.request import JobWanted, Request, agreed, checked, requested
from whet.cli.job.run import wait_for
from whet.cli.progress import counted
from whet.core.bilingual import Both
from whet.core.counts import CountedText
from whet.core.errors import UsageError
from whet.core.foreign import obj
from whet.core.job import Job
from whet.core.naming import short
from whet.documents.job import BatchCreate, BatchItem, BatchStatus


class SubmitWords(BatchWords):
    """What is said of jobs that were asked for."""

    queued = Both("job {job} of {skill} is queued.", "{skill} 的作业 {job} 已排队。")
    done_before = Both(
        "job {job} of {skill}: just the same was done before; see: {command}",
        "{skill} 的作业 {job}：之前做过完全相同的作业，查看：{command}",
    )
    batch = Both(
        CountedText("batch {batch}: {count:job|jobs} of {skill}."),
        "批次 {batch}：{skill} 的 {count} 个作业。",
    )
    refused = Both("{count} of them cannot be done:", "其中 {count} 个无法执行：")


@dataclass(frozen=True, kw_only=True)
class Several:
    """Many jobs of one skill."""

    batch: Annotated[
        Path | None,
        typer.Option(
            help="A job for each line of this .jsonl or .csv file, or for each item of a .json.",
            metavar="FILE",
        ),
    ] = None
    engines: Annotated[
        str | None,
        typer.Option(help="Each input by each of these: claude,codex:gpt-5", metavar="A,B"),
    ] = None


Wait = Annotated[bool, typer.Option("--wait", help="Return when it is over.")]


def submit(call: Call, wanted: JobWanted, several: Several, wait: Wait = False) -> None:
    """Ask for one job, or for many."""
    with opened_jobs(call.settings) as office:
        expiry.sweep(office)
        request = requested(office, wanted)
        if several.batch is not None or several.engines is not None:
            made = _submit_batch(office, request, several, yes=wanted.yes)
            if wait:
                wait_for_batch(call, office, made.batch_id)
            else:
                _print_batch(call, office, made, request)
            return
        checked(office, request)
        agreed(office, request, [request.wanted], yes=wanted.yes)
        job = create(office, request.wanted, None, request.at_hand)
        if wait:
            wait_for(call, office, job)
        else:
            _print(call, office, job)


def _submit_batch(office: Office, request: Request, several: Several, *, yes: bool) -> BatchStatus:
    rows = (Row(),) if several.batch is None else read_rows(several.batch, request.package)
    if several.batch is None:
        checked(office, request)
    wanted = _batch(request, rows, several.engines)
    agreed(office, request, batch.plan(office, wanted), yes=yes)
    own = [AtHand({**request.at_hand.files, **row.files}, request.at_hand.package) for row in rows]
    with counted(line(request.package.id, 60), "jobs") as tell:
        return batch.submit(office, wanted, own, tell)


def _batch(request: Request, rows: tuple[Row, ...], given: str | None) -> BatchCreate:
    one = request.wanted
    engines = [name.strip() for name in (given or "").split(",") if name.strip()]
    if given is not None and one.engine is not None:
        raise UsageError("--engine and --engines both say who does it; give one of them")
    if given is not None and not engines:
        raise UsageError("--engines: name at least one, as claude,codex")
    items = tuple(
        BatchItem(input={**one.input, **row.input}, parameter={**row.parameter}) for row in rows
    )
    return BatchCreate(
        skill_id=one.skill_id or request.package.id,
        items=items,
        version=one.version,
        engine=one.engine,
        engines=tuple(engines) or None,
        model=one.model,
        mode=one.mode,
        parameter=one.parameter,
        runtime_options=one.runtime_options,
        confirmed=True,
    )


def _print(call: Call, office: Office, job: Job) -> None:
    if call.json:
        print_json({**obj(told.created(job).to_data()), "served": is_served(office.app)})
        return
    words = SubmitWords(call.language)
    about = {"job": short(job.request_id), "skill": line(job.skill_id, 80)}
    if job.cache_hit:
        command = job_command(call, "result", job.request_id)
        typer.echo(words.done_before.format(**about, command=command))
        return
    typer.echo(words.queued.format(**about))
    print_who_works(call, office.app, job.request_id)


def _print_batch(call: Call, office: Office, made: BatchStatus, request: Request) -> None:
    refused = tuple(row for row in made.items if row.request_id is None)
    if call.json:
        print_json({**obj(made.to_data()), "served": is_served(office.app)})
    else:
        words = SubmitWords(call.language)
        about = {"batch": short(made.batch_id), "count": made.total, "skill": request.package.id}
        typer.echo(line(words.batch.format(**about)))
        if refused:
            typer.echo(words.refused.format(count=len(refused)))
            Console(highlight=False).print(rows_table(refused, words))
        if len(refused) < made.total:
            print_who_works(call, office.app, made.batch_id)
    sys.stdout.flush()
    if refused:
        raise typer.Exit(UNSUCCESSFUL)
