"""``whet project run``, ``pause``, ``stop``, ``status``, ``watch`` and ``retry``."""

import asyncio
import time
from collections.abc import Iterator
from typing import Annotated

import typer
from rich.console import Console

from whet.app.app import App, opened
from whet.app.eval_estimate import FIRST_TRIALS
from whet.app.experiments import Experiments, Report
from whet.app.projects.estimate import estimate
from whet.app.projects.requests import Retry, Run
from whet.app.projects.shelf import ProjectShelf
from whet.app.projects.status import LatestRun, ProjectStatus, Retried
from whet.app.projects.status import status as status_of
from whet.app.projects.told import summary
from whet.app.projects.wanted import expected
from whet.app.projects.wanted import retry as want_again
from whet.cli.asset_output import cell, line, print_json
from whet.cli.command import GOES_ON, Call, when_stopped
from whet.cli.figures import span
from whet.cli.options import MaxMinutes, fail, say, usable_values
from whet.cli.progress import follow_run, shown_run
from whet.cli.project_text import (
    Reference,
    StatusWords,
    facts_grid,
    project_command,
    status_text,
    trials_text,
)
from whet.cli.ranking import RankingWords, as_data, standings
from whet.cli.request_options import Spelling
from whet.cli.spending import confirm_cost
from whet.cli.termination import run_to_end
from whet.core.bilingual import Both, Words
from whet.core.budget import Budget
from whet.core.counts import CountedText
from whet.core.errors import BudgetExhausted, Draining, Halted
from whet.core.naming import short
from whet.core.run import Wish
from whet.evaluate.project import Project

PATIENCE: dict[Wish, float] = {"paused": 10.0, "stopped": 30.0}
"""Seconds to wait for a wish to come true."""

INTERRUPTED = 130


class ProjectRunWords(Words):
    """Names in braces are filled in."""

    fields = Both(
        {
            "name": "project",
            "status": "status",
            "error": "error",
            "trials": "trials",
            "run": "latest run",
            "time": "time",
            "context": "context",
            "cost": "cost",
        },
        {
            "name": "项目",
            "status": "状态",
            "error": "错误",
            "trials": "试验",
            "run": "最近一次运行",
            "time": "时间",
            "context": "上下文",
            "cost": "费用",
        },
    )
    run = Both(
        "{settled} of {wanted} settled, {reused} reused",
        "{wanted} 次中已完成 {settled} 次，复用 {reused} 次",
    )
    seconds = Both("{span} so far", "已用 {span}")
    took = Both("took {span}", "用时 {span}")
    seconds_left = Both("about {span} to go", "约剩 {span}")
    long = Both(
        CountedText("{count:conversation|conversations} near or past the threshold of tokens"),
        "{count} 次对话接近或超过词元阈值",
    )
    cost = Both("${cost:.2f} for agents", "智能体 ${cost:.2f}")
    go_on = Both("go on with: {command}", "继续：{command}")
    run_it = Both("run it: {command}", "运行：{command}")
    wanted = Both("trials to be tried again: {count}", "将重新尝试 {count} 次试验")
    stopped = Both("stopped", "已停止")
    halted = Both(
        {"paused": "{name} was paused", "stopped": "{name} was stopped"},
        {"paused": "{name} 已暂停", "stopped": "{name} 已停止"},
    )
    on_its_way = Both(
        {
            "paused": "It pauses as soon as what is under way has ended.",
            "stopped": "It has not stopped yet.",
        },
        {
            "paused": "正在进行的试验结束后即暂停。",
            "stopped": "尚未停止。",
        },
    )
    extent = Both(
        CountedText(
            "{total:trial|trials}: {now} run now, {graded} only graded anew, "
            "{reused} reused; {seconds:.1f} s"
        ),
        "共 {total} 次试验：本次运行 {now} 次，仅重新评分 {graded} 次，复用 {reused} 次；"
        "用时 {seconds:.1f} 秒",
    )
    spent = Both("; ${cost:.2f}", "；${cost:.2f}")
    unanswered = Both("trials without an answer: {count}", "{count} 次试验没有得到回答")
    files = Both("files", "文件")
    more = Both("more ", "详情")


_YES = ("--yes", "-y")
RunRequest = Annotated[Run, Spelling({"confirmed": _YES}, without=("budget",))]
RetryRequest = Annotated[Retry, Spelling({"confirmed": _YES})]
Limits = Annotated[
    Budget,
    Spelling(
        {"max_cost_usd": "--max-cost"},
        help={
            "max_cost_usd": "Stop at this many USD.",
            "max_tokens": "Stop at this many tokens.",
        },
        without=("max_trials", "max_seconds"),
    ),
]
MaxTrials = Annotated[
    int | None, typer.Option(help="Stop after this many trials; run goes on with it.", min=0)
]


@when_stopped(GOES_ON)
def run(
    call: Call,
    reference: Reference,
    request: RunRequest,
    limits: Limits,
    max_trials: MaxTrials = None,
    max_minutes: MaxMinutes = None,
) -> None:
    """Run a project to its end."""
    seconds = None if max_minutes is None else max_minutes * 60
    with usable_values():
        budget = Budget.model_validate({**limits.model_dump(), "max_seconds": seconds})
    with opened(call.settings) as app:
        project = ProjectShelf(app).find(reference)
        runs = Experiments(app, imported=request.imported, max_trials=max_trials, budget=budget)
        cost = estimate(app, project, imported=request.imported, max_trials=max_trials)
        confirm_cost(cost, yes=request.confirmed, first=FIRST_TRIALS if max_trials is None else "")
        carry_out(call, runs, project)


@when_stopped(GOES_ON)
def retry(call: Call, reference: Reference, request: RetryRequest) -> None:
    """Want other answers, and get them at once if that is wanted too."""
    words = ProjectRunWords(call.language)
    with opened(call.settings) as app:
        project = ProjectShelf(app).find(reference)
        if request.run:
            # Before anything is marked: whoever does not agree leaves all as it is.
            confirm_cost(expected(app, project, request.wish), yes=request.confirmed)
        count = want_again(app, project, request.wish)
        if request.run:
            say(words.wanted.format(count=count))
            carry_out(call, Experiments(app), project)
            return
        found = Retried(results=count, project=status_of(app, project))
    if call.json:
        # The last two are what it said before HTTP had an answer of its own.
        before = {"project_id": project.config.id, "wanted": count}
        print_json({**found.model_dump(mode="json"), **before})
        return
    typer.echo(words.wanted.format(count=count))
    typer.echo(words.go_on.format(command=project_command(call, "run", project)))


@when_stopped("no longer waiting; it pauses as soon as it can")
def pause(call: Call, reference: Reference) -> None:
    """Have a project paused, and say how it is then."""
    _halt(call, reference, "paused")


@when_stopped("no longer waiting; it stops as soon as it can")
def stop(call: Call, reference: Reference) -> None:
    """Have a project stopped, and say how it is then."""
    _halt(call, reference, "stopped")


def _halt(call: Call, reference: str, wish: Wish) -> None:
    with opened(call.settings) as app:
        project = ProjectShelf(app).find(reference)
        asyncio.run(Experiments(app).halt(project, wish, PATIENCE[wish]))
        found = status_of(app, project)
    if found.status == "running" and not call.json:
        typer.echo(ProjectRunWords(call.language).on_its_way[wish])
    _print_status(call, found)


def status(call: Call, reference: Reference) -> None:
    """Print how far a project is."""
    with opened(call.settings) as app:
        found = status_of(app, ProjectShelf(app).find(reference))
    _print_status(call, found)


@when_stopped("no longer watching; the project goes on")
def watch(call: Call, reference: Reference) -> None:
    """Follow a project to its end; exit code 1 unless that is completion."""
    with opened(call.settings) as app:
        project = ProjectShelf(app).find(reference)
        asyncio.run(follow_run(app, project.config.id, line(project.config.name, 60)))
        found = status_of(app, project)
        reached = summary(project) if found.status == "completed" else None
    if reached is not None and not call.json:
        standings(Console(), found.name, reached, RankingWords(call.language))
    _print_status(call, found)
    if found.status != "completed":
        raise typer.Exit(1)


def carry_out(call: Call, runs: Experiments, project: Project) -> None:
    """Run, and print the ranking. It can be resumed whatever happens, and we say how."""
    words = ProjectRunWords(call.language)
    resume = words.go_on.format(command=project_command(call, "resume", project))
    begun = time.monotonic()
    try:
        report = run_to_end(runs.app, _work(runs, project))
    except Halted as halted:
        if halted.wish == "paused" and runs.max_trials is not None:
            found = ProjectShelf(runs.app).find(project.config.id)
            _print_status(call, status_of(runs.app, found))
            return
        fail(f"{words.halted[halted.wish].format(name=project.config.name)}; {resume}", 1)
        return
    except Draining as drained:
        fail(f"{words.stopped}; {resume}", drained.exit_code)
        return
    except BudgetExhausted as used_up:
        fail(f"{used_up}; {resume}", 1)
        return
    except KeyboardInterrupt:
        fail(f"{words.stopped}; {resume}", INTERRUPTED)
        return
    _print_report(call, runs.app, report, time.monotonic() - begun)


async def _work(runs: Experiments, project: Project) -> Report:
    begun = asyncio.Event()
    name = line(project.config.name, 60)
    async with shown_run(runs.app, project.config.id, name, begun):
        return await runs.run(project, begun.set)


def _print_report(call: Call, app: App, report: Report, seconds: float) -> None:
    """The ranking; exit code 1 where trials came to no answer."""
    words, config = ProjectRunWords(call.language), report.project.config
    unanswered = app.store.results.counts(config.id).unanswered
    spent = report.spent
    if call.json:
        money = {"cost_usd": spent.cost_usd, "tokens": spent.known(spent.total_tokens)}
        print_json({**as_data(report, seconds), "unanswered": unanswered, "spent": {**money}})
    else:
        console, extent = Console(), report.extent
        standings(console, config.name, report.summary, RankingWords(call.language))
        told = words.extent.format(
            total=extent.total,
            now=extent.executed,
            graded=extent.ungraded,
            reused=extent.reused,
            seconds=seconds,
        )
        if spent.cost_usd:
            told += words.spent.format(cost=spent.cost_usd)
        console.print(
            f"\n{told}\n{words.files}  {line(str(report.project.folder), 4096)}\n"
            f"{words.more}  {project_command(call, 'results', report.project)}",
            highlight=False,
            markup=False,
            soft_wrap=True,
        )
    if unanswered:
        again = words.go_on.format(command=project_command(call, "run", report.project))
        fail(f"{words.unanswered.format(count=unanswered)}; {again}", 1)


def _print_status(call: Call, found: ProjectStatus) -> None:
    """Counters, time, money and trouble, and the command that goes on with it."""
    if call.json:
        print_json(found)
        return
    words, grid = ProjectRunWords(call.language), facts_grid()
    for name, text in _facts(found, words).items():
        if text:
            grid.add_row(words.fields[name], cell(text, 600))
    Console().print(grid)
    hints = {"interrupted": words.go_on, "pending": words.run_it}
    if found.status in hints:
        typer.echo(hints[found.status].format(command=project_command(call, "resume", found.id)))


def _facts(found: ProjectStatus, words: ProjectRunWords) -> dict[str, str]:
    run, statuses = found.run, StatusWords(words.language)
    return {
        "name": f"{line(found.name, 200)}  {line(short(found.id))}",
        "status": status_text(found.status, found.control or found.failed, statuses),
        "error": found.error or "",
        "trials": trials_text(found.trials, found.total_trials, statuses),
        "run": _latest(run, words) if run else "",
        "time": ", ".join(_times(run, words, found.status)) if run else "",
        "context": words.long.format(count=run.long_conversations)
        if run and run.long_conversations
        else "",
        "cost": "" if found.cost_usd is None else words.cost.format(cost=found.cost_usd),
    }


def _latest(run: LatestRun, words: ProjectRunWords) -> str:
    return words.run.format(settled=run.settled, wanted=run.total - run.reused, reused=run.reused)


def _times(run: LatestRun, words: ProjectRunWords, status: str) -> Iterator[str]:
    template = words.seconds if status == "running" else words.took
    yield template.format(span=span(run.seconds))
    if run.seconds_left is not None:
        yield words.seconds_left.format(span=span(run.seconds_left))
