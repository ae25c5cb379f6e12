"""What ``whet job reply``, ``cancel``, ``case`` and ``delete`` do once it is worth their time."""

import asyncio

import typer
from rich.console import Console

from whet.app.jobs import cancel as cancelling
from whet.app.jobs import told
from whet.app.jobs.case import to_case
from whet.app.jobs.expiry import delete as forget
from whet.app.jobs.office import Office
from whet.app.jobs.reply import pending, reply_with_files
from whet.app.jobs.serving import is_served
from whet.app.jobs.told import pending_question
from whet.app.library.library import library
from whet.app.settings import Settings
from whet.cli.asset_output import line, print_json
from whet.cli.job.asking import reply_value, show
from whet.cli.job.desk import hint, office_of
from whet.cli.job.options import Case, Delete, One, Reply
from whet.cli.job.outcome import how_to_reply
from whet.cli.job.values import files as files_of
from whet.cli.job.words import JobWords
from whet.core.errors import UsageError
from whet.core.job import Interaction, Job
from whet.core.naming import short


def reply(settings: Settings, options: Reply) -> None:
    """Answer the question that a job waits with, or show it."""
    words = JobWords(settings.language)
    with office_of(settings) as office:
        job = office.find(options.job)
        asked = pending(job)
        if options.value is None and not options.file:
            _show(job, asked, options, words)
            return
        said = _answered(office, job, asked, options)
        served = is_served(office.app)
    if options.json:
        print_json({"request_id": said.request_id, "status": said.state, "served": served})
        return
    typer.echo(words.find.replied.format(job=short(said.request_id)))
    who = words.work.served if served else words.work.unserved
    typer.echo(who.format(command=hint("wait", said.request_id, options.workspace)))


def cancel(settings: Settings, options: One) -> None:
    """End a job, and say how it is then."""
    words = JobWords(settings.language).find
    with office_of(settings) as office:
        job = asyncio.run(cancelling.cancel(office, office.find(options.job).request_id))
    if options.json:
        print_json(told.cancelled(job).to_data())
    elif not job.is_over:
        typer.echo(words.on_its_way.format(job=short(job.request_id)))
    else:
        typer.echo(words.ended.format(job=short(job.request_id), state=words.states[job.state]))


def case(settings: Settings, options: Case) -> None:
    """Make a case of a job."""
    words = JobWords(settings.language).find
    with office_of(settings) as office, library(settings.workspace, "baseline") as baselines:
        job = office.find(options.job)
        done = to_case(office, baselines, job.request_id, options.baseline)
    if options.json:
        print_json(done)
        return
    about = {"case": ", ".join(done.case_ids), "name": done.name, "version": done.version}
    typer.echo(line(words.case.format(**about)))


def delete(settings: Settings, options: Delete) -> None:
    """Forget jobs; all of them are looked up before any is forgotten."""
    words = JobWords(settings.language).find
    with office_of(settings) as office:
        ids = list(dict.fromkeys(office.find(one).request_id for one in options.jobs))
        for request_id in ids:
            forget(office, request_id)
            if not options.json:
                typer.echo(words.deleted.format(job=request_id))
    if options.json:
        print_json({"deleted": [*ids]})


def _show(job: Job, asked: Interaction, options: Reply, words: JobWords) -> None:
    if options.json:
        pending = pending_question(asked).model_dump(mode="json")
        print_json({"request_id": job.request_id, "pending": pending})
        return
    show(Console(highlight=False), asked, words.ask)
    typer.echo(how_to_reply(job, asked, words, options.workspace))


def _answered(office: Office, job: Job, asked: Interaction, options: Reply) -> Job:
    words = JobWords(office.app.settings.language).ask
    said = options.value or ""
    value = said if asked.kind == "upload_files" else reply_value(asked, said, words)
    if value is None:
        may = ", ".join(line(choice.value, 60) for choice in asked.options)
        told_ = f"choose one of {may}" if may else "say yes or no" if said else "it is empty"
        raise UsageError(f"{said[:100]!r} is no answer to question {asked.id}: {told_}")
    if options.file and asked.kind != "upload_files":
        raise UsageError(f"question {asked.id} asks for no files")
    files = files_of(options.file or ())
    return reply_with_files(office, job.request_id, asked.id, value, files=files)
