"""What ``whet job submit`` does once its imports are worth their time."""

import sys
from pathlib import Path

import typer
from pydantic import JsonValue
from rich.console import Console

from whet.app.jobs import batch, expiry, told
from whet.app.jobs.create import AtHand, create
from whet.app.jobs.office import Office
from whet.app.jobs.serving import is_served
from whet.app.settings import Settings
from whet.cli.asset_output import line, print_json
from whet.cli.job.batch_text import rows_table
from whet.cli.job.batch_work import wait_for_batch
from whet.cli.job.desk import hint, office_of
from whet.cli.job.options import Submit, Wait
from whet.cli.job.outcome import UNSUCCESSFUL
from whet.cli.job.request import Request, agreed, checked, requested
from whet.cli.job.rows import Row, read_rows
from whet.cli.job.words import JobWords
from whet.cli.job.work_run import wait_for
from whet.cli.progress import counted
from whet.core.errors import UsageError
from whet.core.job import Job
from whet.core.naming import short
from whet.documents.job import BatchCreate, BatchItem, BatchStatus


def submit(settings: Settings, options: Submit) -> None:
    """Ask for one job, or for many."""
    with office_of(settings) as office:
        expiry.sweep(office)
        request = requested(office, options)
        if options.batch is not None or options.engines is not None:
            _several(office, request, options)
            return
        checked(office, request)
        agreed(office, request, [request.wanted], yes=options.yes)
        job = create(office, request.wanted, None, request.at_hand)
        if options.wait:
            wait_for(office, job, _waiting(job.request_id, options))
            return
        _tell(office, job, options)


def _several(office: Office, request: Request, options: Submit) -> None:
    rows = (Row(),) if options.batch is None else read_rows(options.batch, request.package)
    if options.batch is None:
        checked(office, request)
    wanted = _batch(request, rows, options)
    agreed(office, request, batch.plan(office, wanted), yes=options.yes)
    own = [AtHand({**request.at_hand.files, **row.files}, request.at_hand.package) for row in rows]
    with counted(line(request.package.id, 60), "jobs") as tell:
        made = batch.submit(office, wanted, own, tell)
    if options.wait:
        wait_for_batch(office, made.batch_id, _waiting(made.batch_id, options))
        return
    _tell_batch(office, made, request, options)


def _batch(request: Request, rows: tuple[Row, ...], options: Submit) -> BatchCreate:
    one = request.wanted
    engines = [name.strip() for name in (options.engines or "").split(",") if name.strip()]
    if options.engines is not None and options.engine is not None:
        raise UsageError("--engine and --engines both say who does it; give one of them")
    if options.engines is not None and not engines:
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


def _waiting(identity: str, options: Submit) -> Wait:
    return Wait(job=identity, workspace=options.workspace, json=options.json)


def _tell(office: Office, job: Job, options: Submit) -> None:
    served = is_served(office.app)
    if options.json:
        made = told.created(job).to_data()
        assert isinstance(made, dict), "a document is an object"
        print_json({**made, "served": served})
        return
    words = JobWords(office.app.settings.language).work
    about = {"job": short(job.request_id), "skill": line(job.skill_id, 80)}
    if job.cache_hit:
        command = hint("result", job.request_id, options.workspace)
        typer.echo(words.done_before.format(**about, command=command))
        return
    typer.echo(words.queued.format(**about))
    _tell_who(office, job.request_id, options.workspace)


def _tell_batch(office: Office, made: BatchStatus, request: Request, options: Submit) -> None:
    words = JobWords(office.app.settings.language)
    refused = tuple(row for row in made.items if row.request_id is None)
    if options.json:
        data: JsonValue = made.to_data()
        assert isinstance(data, dict), "a document is an object"
        print_json({**data, "served": is_served(office.app)})
    else:
        about = {"batch": short(made.batch_id), "count": made.total, "skill": request.package.id}
        typer.echo(line(words.work.batch.format(**about)))
        if refused:
            typer.echo(words.work.refused.format(count=len(refused)))
            Console(highlight=False).print(rows_table(refused, words.find))
        if len(refused) < made.total:
            _tell_who(office, made.batch_id, options.workspace)
    sys.stdout.flush()
    if refused:
        raise typer.Exit(UNSUCCESSFUL)


def _tell_who(office: Office, identity: str, workspace: Path | None) -> None:
    """Who does it now, or how to do it."""
    words = JobWords(office.app.settings.language).work
    said = words.served if is_served(office.app) else words.unserved
    typer.echo(said.format(command=hint("wait", identity, workspace)))
