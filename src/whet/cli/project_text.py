"""How projects are named and told on the terminal."""

import shlex
from collections.abc import Iterator
from typing import Annotated

import typer
from rich.table import Table

from whet.app.projects.told import ProjectItem, Tried
from whet.cli.asset_output import line
from whet.cli.command import Call
from whet.core.bilingual import Both, Words
from whet.core.naming import short
from whet.core.text import printable
from whet.evaluate.project import Project

Reference = Annotated[
    str,
    typer.Argument(help="Its id, the unique beginning of that, or its name.", metavar="PROJECT"),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before spending.")]


class StatusWords(Words):
    """How far a project is; names in braces are filled in."""

    statuses = Both(
        {
            "pending": "not run yet",
            "running": "running",
            "completed": "completed",
            "interrupted": "interrupted",
        },
        {
            "pending": "尚未运行",
            "running": "运行中",
            "completed": "已完成",
            "interrupted": "已中断",
        },
    )
    controls = Both(
        {
            "paused": "paused",
            "stopped": "stopped",
            "all": "every trial failed",
            "some": "some trials have no answer",
        },
        {
            "paused": "已暂停",
            "stopped": "已停止",
            "all": "全部试验失败",
            "some": "部分试验没有回答",
        },
    )
    trials = Both("{done} of {total}", "{done} / {total}")
    completed = Both("{count} completed", "完成 {count}")
    failed = Both("{count} failed", "失败 {count}")
    skipped = Both("{count} skipped", "跳过 {count}")
    unscored = Both("{count} without a score", "未评分 {count}")
    no_answer = Both("{count} without an answer", "没有回答 {count}")


class PageWords(Words):
    """Which part of a list this is; names in braces are filled in."""

    extent = Both("{first}–{last} of {total}", "第 {first}–{last} 个，共 {total} 个")
    next_page = Both("next: --page {page}", "下一页：--page {page}")
    no_page = Both("no page {page}; there are {total} in all", "没有第 {page} 页；共 {total} 个")
    none_fit = Both("nothing fits", "没有符合条件的")


def project_command(call: Call, verb: str, project: Project | str) -> str:
    """A command to be typed next, for a project by the beginning of its id."""
    identity = project if isinstance(project, str) else project.config.id
    return printable(call.command(f"project {verb} {shlex.quote(line(short(identity)))}"))


def agent_text(item: ProjectItem) -> str:
    """The agent and its model; a simulated one has none."""
    return item.engine if item.engine == item.model else f"{item.engine}:{item.model}"


def status_text(status: str, mark: str | None, words: StatusWords) -> str:
    """A status in words, and who wanted it so, or what came to nothing."""
    said = words.statuses.get(status, status)
    return f"{said} ({words.controls[mark]})" if mark in words.controls else said


def trials_text(trials: Tried, total: int, words: StatusWords) -> str:
    """What the places of a project came to."""
    done = trials.completed + trials.failed + trials.skipped
    told = words.trials.format(done=done, total=total)
    parts = ", ".join(_counts(trials, words))
    return f"{told}: {parts}" if parts else told


def _counts(trials: Tried, words: StatusWords) -> Iterator[str]:
    for count, text, part, part_text in (
        (trials.completed, words.completed, trials.unscored, words.unscored),
        (trials.failed, words.failed, trials.unanswered, words.no_answer),
        (trials.skipped, words.skipped, 0, ""),
    ):
        if count:
            said = text.format(count=count)
            yield f"{said} ({part_text.format(count=part)})" if part else said


def page_text(page: int, size: int, count: int, total: int, language: str) -> str:
    """Which part of all this is, and how to get at the next."""
    words = PageWords(language)
    first = (page - 1) * size + 1
    last = first + count - 1
    told = words.extent.format(first=first, last=last, total=total)
    return f"{told}  ({words.next_page.format(page=page + 1)})" if last < total else told


def facts_grid() -> Table:
    """An empty table of names and what is known by them."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    return grid
