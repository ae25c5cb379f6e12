"""What ``whet project list`` and ``show`` do once their imports are worth their time."""

import json

import typer
from pydantic import JsonValue
from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet.app.app import opened
from whet.app.projects import told
from whet.app.projects.shelf import ProjectQuery, ProjectShelf
from whet.app.projects.told import AssetRef, ProjectDetail, ProjectItem, ProjectPage
from whet.app.settings import Settings
from whet.app.takeover.takeover import take_over
from whet.cli.asset_find_table import short_ids
from whet.cli.asset_output import cell, command, line, plain_table, print_json
from whet.cli.project_find_options import List
from whet.cli.project_find_words import FindWords
from whet.cli.project_make_options import Plain
from whet.cli.project_status import told_status, told_trials
from whet.cli.project_text import Names
from whet.cli.project_work_words import WorkWords
from whet.cli.ranking import standings
from whet.cli.words import RankingWords
from whet.curate.archive import few

_COLUMNS = ("id", "name", "status", "trials", "created_at")
_FIXED = ("id", "trials", "created_at")


def list_(settings: Settings, options: List) -> None:
    """Print one page of the projects."""
    query = ProjectQuery(
        status=None if options.status is None else options.status.value,
        keyword=options.keyword,
        archived=options.archived,
        page=options.page,
        page_size=options.page_size,
    )
    with opened(settings) as app:
        shelf = ProjectShelf(app)
        page = told.page(app, shelf.page(query), shelf.problems())
    if options.json:
        print_json(page)
        return
    words = FindWords(settings.language)
    if page.items:
        Console().print(_table(page, words, WorkWords(settings.language)))
        typer.echo(extent(page.page, page.page_size, len(page.items), page.total, words))
    else:
        typer.echo(_nothing(page, options, words))
    for problem in page.problems:
        typer.echo(f"{words.problem}: {line(problem)}")


def show(settings: Settings, options: Plain) -> None:
    """Print how one is set up, and what came of it."""
    with opened(settings) as app:
        project = ProjectShelf(app).find(options.project)
        take_over(app, project)
        found = told.detail(app, ProjectShelf(app).find(project.config.id))
        summary = told.summary(project)
    if options.json:
        print_json(found)
        return
    language = settings.language
    words, console = FindWords(language), Console()
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, text in _fields(found, words, WorkWords(language)).items():
        if text:
            grid.add_row(words.fields[name], Text("\n").join(cell(one, 2000) for one in text))
    console.print(grid)
    # On one line, however long, so that it can be copied.
    typer.echo(f"{words.fields['path']}  {line(found.project.path, 4096)}")
    if summary is not None:
        console.print()
        standings(console, found.project.name, summary, RankingWords(language))
    for note in few([*found.notes]):
        typer.echo(f"{words.note}  {line(note, 1000)}")
    names = Names(settings, options.workspace)
    typer.echo(f"{words.results}  {names.command('results', project)}")


def extent(page: int, size: int, count: int, total: int, words: FindWords) -> str:
    """Which part of all this is, and how to get at the next."""
    first = (page - 1) * size + 1
    last = first + count - 1
    told = words.extent.format(first=first, last=last, total=total)
    return f"{told}  ({words.next_page.format(page=page + 1)})" if last < total else told


def _table(page: ProjectPage, words: FindWords, work: WorkWords) -> Table:
    names = short_ids([item.id for item in page.items])
    heads = [words.columns[name] for name in _COLUMNS]
    table = plain_table(heads, (words.columns[name] for name in _FIXED))
    for item in page.items:
        trials = item.trials
        done = trials.completed + trials.failed + trials.skipped
        table.add_row(
            Text(names[item.id]),
            _named(item, words),
            Text(told_status(item.status, item.control or item.failed, work)),
            Text(f"{done}/{item.total_trials}", justify="right"),
            cell(item.created_at[:10]),
        )
    return table


def _named(item: ProjectItem, words: FindWords) -> Text:
    text = cell(item.name, 120)
    counts = words.size.format(skills=len(item.skills), baselines=len(item.baselines))
    text.append(f"\n{line(_agent(item), 60)} · {counts}", "dim")
    if item.error:
        text.append(f"\n{line(item.error, 120)}", "yellow")
    return text


def _agent(item: ProjectItem) -> str:
    return item.engine if item.engine == item.model else f"{item.engine}:{item.model}"


def _nothing(page: ProjectPage, options: List, words: FindWords) -> str:
    if page.total:
        return words.no_page.format(page=page.page, total=page.total)
    if options.status is not None or options.keyword or options.archived:
        return words.none_fit
    return words.empty.format(command=command("project create", options.workspace))


def _fields(found: ProjectDetail, words: FindWords, work: WorkWords) -> dict[str, list[str]]:
    """What is known of it, by field; what is empty says nothing."""
    item, config = found.project, found.config
    cli, context = _part(config, "cli_config"), _part(config, "context_config")
    grading = _part(config, "grading_config")
    status = told_status(item.status, item.control or item.failed, work)
    retries, readings = cli.get("retry_count"), grading.get("readings", 1)
    return {
        "name": [item.name],
        "id": [item.id],
        "description": [item.description] if item.description else [],
        "status": [f"{status} · {words.archived}" if item.archived else status],
        "error": [item.error] if item.error else [],
        "trials": [told_trials(item.trials, item.total_trials, work)],
        "skills": [_asset(one) for one in item.skills],
        "baselines": [_asset(one) for one in item.baselines],
        "engine": [f"{_agent(item)}  ({words.version} {_said(cli.get('engine_version'))})"],
        "options": _lines(cli.get("options")),
        "flags": _lines(cli.get("extra_flags")),
        "sandbox": [_said(cli.get("sandbox"))],
        "limits": [words.limits.format(seconds=_said(cli.get("timeout_seconds")), retries=retries)],
        "repeats": [str(item.repeats)],
        "judges": [words.judges.format(judges=", ".join(item.judges), readings=readings)]
        if item.judges
        else [],
        "context": _lines(context),
        "created_at": [item.created_at],
        "updated_at": [item.updated_at],
    }


def _part(config: dict[str, JsonValue], name: str) -> dict[str, JsonValue]:
    part = config.get(name)
    return part if isinstance(part, dict) else {}


def _asset(one: AssetRef) -> str:
    return f"{one.name or one.id} {one.version}  {one.arm}"


def _said(value: JsonValue) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return f"{value:g}"
    return "–" if value is None else json.dumps(value, ensure_ascii=False)


def _lines(value: JsonValue) -> list[str]:
    """A table by lines, anything else on one."""
    if isinstance(value, dict):
        return [f"{name} = {_said(one)}" for name, one in value.items()]
    return [_said(value)] if value else []
