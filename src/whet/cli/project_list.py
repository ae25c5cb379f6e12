"""``whet project list``: find projects."""

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet.app.app import opened
from whet.app.projects import told
from whet.app.projects.requests import ProjectListing
from whet.app.projects.shelf import ProjectShelf
from whet.app.projects.told import ProjectItem, ProjectPage
from whet.cli.asset_output import cell, line, plain_table, print_json, short_ids
from whet.cli.command import Call
from whet.cli.project_text import PageWords, StatusWords, agent_text, page_text, status_text
from whet.cli.request_options import Spelling
from whet.core.bilingual import Both, Words

_FIXED = ("id", "trials", "created_at")


class ProjectListWords(Words):
    """Headings and sentences; names in braces are filled in."""

    columns = Both(
        {
            "id": "id",
            "name": "name",
            "status": "status",
            "trials": "trials",
            "created_at": "created",
        },
        {
            "id": "编号",
            "name": "名称",
            "status": "状态",
            "trials": "试验",
            "created_at": "创建",
        },
    )
    size = Both("skills: {skills}, baselines: {baselines}", "技能 {skills}，基线 {baselines}")
    empty = Both("no projects yet; make one with: {command}", "还没有项目；创建：{command}")
    problem = Both("not readable", "无法读取")


# ``--archived`` is a flag here: all of them at once are for pages.
Listing = Annotated[ProjectListing, Spelling(without=("archived",))]
Archived = Annotated[
    bool, typer.Option("--archived", help="Those that are out of the way instead.")
]


def list_(call: Call, request: Listing, archived: Archived = False) -> None:
    """Print one page of the projects."""
    request = request.model_copy(update={"archived": archived})
    with opened(call.settings) as app:
        shelf = ProjectShelf(app)
        page = told.page(app, shelf.page(request), shelf.problems())
    if call.json:
        print_json(page)
        return
    words = ProjectListWords(call.language)
    if page.items:
        Console().print(_table(page, words, StatusWords(call.language)))
        count = len(page.items)
        typer.echo(page_text(page.page, page.page_size, count, page.total, call.language))
    else:
        typer.echo(_nothing(call, page, request))
    for problem in page.problems:
        typer.echo(f"{words.problem}: {line(problem)}")


def _table(page: ProjectPage, words: ProjectListWords, statuses: StatusWords) -> Table:
    names = short_ids([item.id for item in page.items])
    table = plain_table(words.columns.values(), (words.columns[name] for name in _FIXED))
    for item in page.items:
        trials = item.trials
        done = trials.completed + trials.failed + trials.skipped
        table.add_row(
            Text(names[item.id]),
            _named(item, words),
            Text(status_text(item.status, item.control or item.failed, statuses)),
            Text(f"{done}/{item.total_trials}", justify="right"),
            cell(item.created_at[:10]),
        )
    return table


def _named(item: ProjectItem, words: ProjectListWords) -> Text:
    text = cell(item.name, 120)
    counts = words.size.format(skills=len(item.skills), baselines=len(item.baselines))
    text.append(f"\n{line(agent_text(item), 60)} · {counts}", "dim")
    if item.error:
        text.append(f"\n{line(item.error, 120)}", "yellow")
    return text


def _nothing(call: Call, page: ProjectPage, request: ProjectListing) -> str:
    words = PageWords(call.language)
    if page.total:
        return words.no_page.format(page=page.page, total=page.total)
    if request.status is not None or request.keyword or request.archived:
        return words.none_fit
    return ProjectListWords(call.language).empty.format(command=call.command("project create"))
