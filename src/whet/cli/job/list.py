"""``whet job list``."""

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet.app.app import App, opened
from whet.app.jobs.requests import JobFilter, PartSize
from whet.app.jobs.views import job_page
from whet.cli.asset_output import cell, line, plain_table, print_json, short_ids
from whet.cli.command import Call
from whet.cli.job.states import StateWords, engine_name, state_text
from whet.cli.request_options import Spelling
from whet.core.bilingual import Both
from whet.core.job import Job
from whet.exporters.amounts import amount


class ListWords(StateWords):
    """What is said of lists of jobs."""

    columns = Both(
        ("job", "skill", "engine", "status", "asked for", "worked", "cost"),
        ("作业", "技能", "引擎", "状态", "提交", "用时", "费用"),
    )
    extent = Both("{first} to {last} of {total}", "第 {first} 至 {last} 个，共 {total} 个")
    none_fit = Both("No job fits.", "没有符合条件的作业。")
    none_yet = Both("No jobs yet. Begin with: {command}", "尚无作业。开始：{command}")


class ShortList(JobFilter):
    """As many jobs as a terminal shows."""

    limit: PartSize = 20


Wanted = Annotated[ShortList, Spelling({"skill_id": "--skill", "batch_id": "--batch"})]


def list_(call: Call, wanted: Wanted) -> None:
    """Print one part of the jobs."""
    words = ListWords(call.language)
    with opened(call.settings) as app:
        if wanted.batch_id is not None:
            from whet.app.jobs.batch import find  # takes its time, and few ask for it

            batch = find(app, wanted.batch_id)
            wanted = wanted.model_copy(update={"batch_id": batch})
        page = app.store.jobs.list(wanted.query)
        if call.json:
            print_json(job_page(page, wanted).to_data())
            return
        if page.items:
            Console(highlight=False).print(_table(app, page.items, words))
    if page.items:
        last = wanted.offset + len(page.items)
        typer.echo(words.extent.format(first=wanted.offset + 1, last=last, total=page.total))
    elif page.total or wanted.model_dump(exclude={"limit", "offset"}, exclude_defaults=True):
        typer.echo(words.none_fit)
    else:
        typer.echo(words.none_yet.format(command=line(call.command("job run SKILL"))))


def _table(app: App, jobs: tuple[Job, ...], words: ListWords) -> Table:
    names = short_ids([job.request_id for job in jobs])
    heads = words.columns
    table = plain_table(heads, (heads[0], heads[3], *heads[5:]))
    for job in jobs:
        table.add_row(
            Text(names[job.request_id]),
            cell(job.skill_id, 80),
            cell(engine_name(job), 60),
            state_text(app, job, words),
            cell(job.created_at[:16].replace("T", " ")),
            Text(amount(job.worked_seconds, "seconds") if job.worked_seconds else "–"),
            Text(amount(job.usage.cost_usd, "usd") if job.usage.cost_usd else "–"),
        )
    return table
