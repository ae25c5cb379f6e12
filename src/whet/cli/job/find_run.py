"""What ``whet job list`` and the like do once their imports are worth their time."""

import typer
from pydantic import JsonValue
from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet.app.jobs import batch as batches
from whet.app.jobs import told
from whet.app.jobs.office import Office
from whet.app.settings import Settings
from whet.cli.asset_find_table import short_ids
from whet.cli.asset_output import cell, command, line, plain_table, print_json
from whet.cli.job.asking import show
from whet.cli.job.batch_text import COLOURS, print_batch
from whet.cli.job.desk import hint, is_abandoned, office_of
from whet.cli.job.options import Batch, List, One
from whet.cli.job.outcome import document, how_to_reply
from whet.cli.job.words import FindWords, JobWords
from whet.core.job import Job
from whet.exporters.amounts import amount
from whet.ports.jobs import JobQuery

_COLUMNS = ("job", "skill", "engine", "status", "created", "took", "cost")


def list_(settings: Settings, options: List) -> None:
    """Print one part of the jobs."""
    words = JobWords(settings.language).find
    with office_of(settings) as office:
        query = JobQuery(
            states=None if options.status is None else (options.status.value,),
            skill_id=options.skill,
            engine=options.engine,
            batch=None if options.batch is None else batches.find(office, options.batch),
            limit=options.limit,
            offset=options.offset,
        )
        page = office.app.store.jobs.list(query)
        if options.json:
            jobs: list[JsonValue] = [told.status(job).to_data() for job in page.items]
            size: dict[str, JsonValue] = {"limit": query.limit, "offset": query.offset}
            print_json({"jobs": jobs, "total": page.total, **size})
            return
        if not page.items:
            is_narrow = any((options.status, options.skill, options.engine, options.batch))
            begin = line(command("job run SKILL", options.workspace))
            is_empty = not is_narrow and not page.total
            typer.echo(words.none_yet.format(command=begin) if is_empty else words.none_fit)
            return
        Console(highlight=False).print(_table(office, page.items, words))
    last = query.offset + len(page.items)
    typer.echo(words.extent.format(first=query.offset + 1, last=last, total=page.total))


def status(settings: Settings, options: One) -> None:
    """Print where a job is."""
    words = JobWords(settings.language)
    with office_of(settings) as office:
        job = office.find(options.job)
        if options.json:
            print_json(document(job, {})["job"])
            return
        console = Console(highlight=False)
        console.print(_grid(_fields(office, job, words.find), words.find))
        if job.pending is not None and job.state == "waiting_user":
            show(console, job.pending, words.ask)
            typer.echo(how_to_reply(job, job.pending, words, options.workspace))
        elif is_abandoned(office, job) or job.state == "queued":
            typer.echo(f"{words.find.fields['next']}  {_next('wait', job, options)}")
        elif job.is_over:
            typer.echo(f"{words.find.fields['next']}  {_next('result', job, options)}")


def result(settings: Settings, options: One) -> None:
    """Print what a job came to; raises ``WrongStatus`` before its end."""
    with office_of(settings) as office:
        job = office.find(options.job)
        found = told.result(job).to_data()
        folder = office.places.run(job.run_id)
        artifacts = job.result.artifacts if job.result else ()
        files = {each.path: str(folder / each.path) for each in artifacts}
    print_json(document(job, files) if options.json else found)


def batch(settings: Settings, options: Batch) -> None:
    """Print the table of a batch."""
    with office_of(settings) as office:
        found = batches.status(office, batches.find(office, options.batch))
    print_batch(found, JobWords(settings.language).find, as_json=options.json)


def _next(verb: str, job: Job, options: One) -> str:
    return hint(verb, job.request_id, options.workspace)


def _table(office: Office, jobs: tuple[Job, ...], words: FindWords) -> Table:
    names = short_ids([job.request_id for job in jobs])
    heads = [words.columns[one] for one in _COLUMNS]
    fixed = (words.columns[one] for one in ("job", "status", "took", "cost"))
    table = plain_table(heads, fixed)
    for job in jobs:
        table.add_row(
            Text(names[job.request_id]),
            cell(job.skill_id, 80),
            cell(_who(job), 60),
            _state(office, job, words),
            cell(job.created_at[:16].replace("T", " ")),
            Text(amount(job.worked_seconds, "seconds") if job.worked_seconds else "–"),
            Text(amount(job.usage.cost_usd, "usd") if job.usage.cost_usd else "–"),
        )
    return table


def _who(job: Job) -> str:
    return job.engine if job.model in ("default", job.engine) else f"{job.engine}:{job.model}"


def _state(office: Office, job: Job, words: FindWords) -> Text:
    if is_abandoned(office, job):
        return Text(words.gone, "yellow")
    return Text(words.states[job.state], COLOURS.get(job.state, ""))


def _fields(office: Office, job: Job, words: FindWords) -> dict[str, str | Text]:
    skill, failure = job.skill, job.result.failure if job.result else None
    versions = [skill.version, skill.package_version] if skill else []
    warnings = [each.message for each in job.result.notices] if job.result else []
    return {
        "job": job.request_id,
        "skill": " ".join([job.skill_id, *(each for each in versions if each)]),
        "engine": f"{_who(job)} {job.engine_version}",
        "status": _state(office, job, words),
        "mode": job.mode,
        "created": job.created_at,
        "started": job.started_at or "",
        "ended": job.ended_at or "",
        "took": amount(job.worked_seconds, "seconds") if job.worked_seconds else "",
        "turns": str(len(job.rounds) or ""),
        "cost": amount(job.usage.cost_usd, "usd") if job.usage.cost_usd else "",
        "cached": words.yes if job.cache_hit else "",
        "simulated": words.yes if job.simulated else "",
        "session": job.session or "",
        "batch": job.batch or "",
        "folder": str(office.places.run(job.run_id)) if job.is_over else "",
        "error": f"{failure.code}: {failure.message}" if failure else "",
        "warning": "; ".join(warnings),
    }


def _grid(fields: dict[str, str | Text], words: FindWords) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in fields.items():
        if value:
            text = value if isinstance(value, Text) else Text(line(value, 2000))
            grid.add_row(words.fields[name], text)
    return grid
