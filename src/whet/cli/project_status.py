"""Where a project stands, for people: one screen."""

from collections.abc import Iterator

import typer
from rich.console import Console
from rich.table import Table

from whet.app.projects.status import LatestRun, ProjectStatus
from whet.app.projects.told import Tried
from whet.cli.asset_output import cell, line
from whet.cli.project_text import span
from whet.cli.project_work_words import WorkWords
from whet.core.naming import short


def print_status(console: Console, found: ProjectStatus, resume: str, words: WorkWords) -> None:
    """Counters, time, money and trouble; *resume* is the command that goes on with it."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, text in _fields(found, words).items():
        if text:
            grid.add_row(words.fields[name], cell(text, 600))
    console.print(grid)
    hints = {"interrupted": words.go_on, "pending": words.run_it}
    if found.status in hints:
        typer.echo(hints[found.status].format(command=resume))


def _fields(found: ProjectStatus, words: WorkWords) -> dict[str, str]:
    run, is_running = found.run, found.status == "running"
    return {
        "name": f"{line(found.name, 200)}  {line(short(found.id))}",
        "status": told_status(found.status, found.control or found.failed, words),
        "error": found.error or "",
        "trials": told_trials(found.trials, found.total_trials, words),
        "run": _run(run, words) if run else "",
        "time": ", ".join(_times(run, words, is_running=is_running)) if run else "",
        "context": _context(run, words) if run else "",
        "cost": "" if found.cost_usd is None else words.cost.format(cost=found.cost_usd),
    }


def told_status(status: str, mark: str | None, words: WorkWords) -> str:
    """A status in words, and who wanted it so, or what came to nothing."""
    said = words.statuses.get(status, status)
    return f"{said} ({words.controls[mark]})" if mark in words.controls else said


def told_trials(trials: Tried, total: int, words: WorkWords) -> str:
    """What the places of a project came to."""
    done = trials.completed + trials.failed + trials.skipped
    told = words.trials.format(done=done, total=total)
    parts = ", ".join(_counts(trials, words))
    return f"{told}: {parts}" if parts else told


def _counts(trials: Tried, words: WorkWords) -> Iterator[str]:
    for name, beneath in (("completed", "unscored"), ("failed", "unanswered"), ("skipped", "")):
        count, of_them = getattr(trials, name), getattr(trials, beneath, 0)
        if not count:
            continue
        said = getattr(words, name).format(count=count)
        template = {"unscored": words.unscored, "unanswered": words.no_answer}
        yield f"{said} ({template[beneath].format(count=of_them)})" if of_them else said


def _run(run: LatestRun, words: WorkWords) -> str:
    return words.run.format(settled=run.settled, wanted=run.total - run.reused, reused=run.reused)


def _context(run: LatestRun, words: WorkWords) -> str:
    return words.long.format(count=run.long_conversations) if run.long_conversations else ""


def _times(run: LatestRun, words: WorkWords, *, is_running: bool) -> Iterator[str]:
    template = words.seconds if is_running else words.took
    yield template.format(span=span(run.seconds))
    if run.seconds_left is not None:
        yield words.seconds_left.format(span=span(run.seconds_left))
