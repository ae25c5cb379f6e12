"""``whet job reply``, ``cancel``, ``case`` and ``delete``."""

import asyncio
from typing import Annotated

import typer
from rich.console import Console

from whet.app.jobs import cancel as cancelling
from whet.app.jobs import told, views
from whet.app.jobs.case import to_case
from whet.app.jobs.expiry import delete as forget
from whet.app.jobs.office import Office
from whet.app.jobs.reply import pending, reply_with_files
from whet.app.jobs.serving import is_served
from whet.app.library.library import library
from whet.cli.asset_output import line, print_json
from whet.cli.command import Call, when_stopped
from whet.cli.job.inputs import files as files_of
from whet.cli.job.output import Reference, how_to_reply, opened_jobs, print_who_works
from whet.cli.job.question import print_question, reply_value
from whet.cli.job.states import StateWords
from whet.cli.request_options import Spelling
from whet.core.bilingual import Both
from whet.core.errors import UsageError
from whet.core.job import Interaction, Job
from whet.core.naming import short
from whet.documents.job import ToCase


class ChangeWords(StateWords):
    """What is said of a job that was changed."""

    replied = Both("Job {job} has its answer.", "作业 {job} 已得到回答。")
    ended = Both("job {job}: {state}", "作业 {job}：{state}")
    on_its_way = Both(
        "Job {job} has not ended yet; it does as soon as it can.",
        "作业 {job} 尚未结束，会尽快结束。",
    )
    deleted = Both("deleted: {job}", "已删除：{job}")
    case = Both("case {case} in {name} {version}", "用例 {case}，位于 {name} {version}")


Value = Annotated[
    str | None,
    typer.Argument(
        help="A text; yes or no; a choice by its value, its label or its number.",
        metavar="[VALUE]",
    ),
]
Files = Annotated[
    list[str] | None,
    typer.Option("--file", help="A file that was asked for. Repeatable.", metavar="SLOT=PATH"),
]
Baseline = Annotated[
    ToCase, Spelling(help={"baseline": "By name or id; it gets its next version."})
]
Several = Annotated[
    list[str],
    typer.Argument(help="Each by its id, the unique beginning of that, or: latest.", metavar="ID…"),
]


@when_stopped("stopped; nothing was answered")
def reply(call: Call, job: Reference, value: Value = None, file: Files = None) -> None:
    """Answer the question that a job waits with, or show it."""
    with opened_jobs(call.settings) as office:
        found = office.find(job)
        asked = pending(found)
        if value is None and not file:
            _print_question(call, found, asked)
            return
        said = _answered(office, found, asked, value or "", file or [])
        if call.json:
            taken = views.Accepted(request_id=said.request_id, status=said.state)
            print_json({**taken.model_dump(mode="json"), "served": is_served(office.app)})
            return
        typer.echo(ChangeWords(call.language).replied.format(job=short(said.request_id)))
        print_who_works(call, office.app, said.request_id)


@when_stopped("no longer waiting; it ends as soon as it can")
def cancel(call: Call, job: Reference) -> None:
    """End a job, and say how it is then."""
    words = ChangeWords(call.language)
    with opened_jobs(call.settings) as office:
        found = asyncio.run(cancelling.cancel(office, office.find(job).request_id))
    if call.json:
        print_json(told.cancelled(found).to_data())
    elif not found.is_over:
        typer.echo(words.on_its_way.format(job=short(found.request_id)))
    else:
        shown = {"job": short(found.request_id), "state": words.states[found.state]}
        typer.echo(words.ended.format(**shown))


def case(call: Call, job: Reference, wanted: Baseline) -> None:
    """Make a case of a job."""
    workspace = call.settings.workspace
    with opened_jobs(call.settings) as office, library(workspace, "baseline") as baselines:
        done = to_case(office, baselines, office.find(job).request_id, wanted.baseline)
    if call.json:
        print_json(done)
        return
    about = {"case": ", ".join(done.case_ids), "name": done.name, "version": done.version}
    typer.echo(line(ChangeWords(call.language).case.format(**about)))


def delete(call: Call, jobs: Several) -> None:
    """Forget jobs; all of them are looked up before any is forgotten."""
    words = ChangeWords(call.language)
    with opened_jobs(call.settings) as office:
        ids = list(dict.fromkeys(office.find(one).request_id for one in jobs))
        for request_id in ids:
            forget(office, request_id)
            if not call.json:
                typer.echo(words.deleted.format(job=request_id))
    if call.json:
        print_json({"deleted": [*ids]})


def _print_question(call: Call, job: Job, asked: Interaction) -> None:
    if call.json:
        print_json(views.pending(job))
        return
    print_question(Console(highlight=False), asked, call.language)
    typer.echo(how_to_reply(call, job, asked))


def _answered(office: Office, job: Job, asked: Interaction, said: str, given: list[str]) -> Job:
    value = said if asked.kind == "upload_files" else reply_value(asked, said)
    if value is None:
        may = ", ".join(line(choice.value, 60) for choice in asked.options)
        fix = f"choose one of {may}" if may else "say yes or no" if said else "it is empty"
        raise UsageError(f"{said[:100]!r} is no answer to question {asked.id}: {fix}")
    if given and asked.kind != "upload_files":
        raise UsageError(f"question {asked.id} asks for no files")
    return reply_with_files(office, job.request_id, asked.id, value, files=files_of(given))
