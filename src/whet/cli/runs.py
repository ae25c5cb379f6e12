"""``whet runs``: list, show and steer every run of every kind, in whichever process it is."""

import asyncio
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Annotated

import typer
from pydantic import JsonValue
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from whet.app.app import App, opened
from whet.app.library.library import Library, library
from whet.app.projects.estimate import estimate
from whet.app.run_kinds import RunKinds, can_resume, project_of
from whet.app.runs.progress import progress
from whet.app.runs.service import RunService
from whet.app.settings import Settings
from whet.cli.asset_output import line, print_json
from whet.cli.command import Call
from whet.cli.options import MaxCost, MaxMinutes, MaxTokens, budget_of
from whet.cli.progress import follow_run, shown_run
from whet.cli.spending import confirm_cost
from whet.cli.termination import run_to_end
from whet.core.bilingual import Both, Words
from whet.core.budget import Budget
from whet.core.errors import Halted, UsageError, WrongStatus
from whet.core.naming import short
from whet.core.run import Run, RunKind, RunStatus, Wish
from whet.ports.listing import Kind
from whet.ports.runs import RunQuery

PATIENCE: dict[Wish, float] = {"paused": 10.0, "stopped": 30.0}
"""Seconds to wait for a wish to come true."""


class RunWords(Words):
    """What the commands say of runs."""

    heads = Both(
        ("run", "kind", "name", "status", "done", "started"),
        ("运行", "类型", "名称", "状态", "完成", "开始"),
    )
    kinds = Both(
        {
            "project": "project",
            "eval": "eval",
            "capability": "capability",
            "trigger": "trigger",
            "race": "race",
            "job": "job",
            "auto_tag": "tags",
            "generation": "draft",
        },
        {
            "project": "项目",
            "eval": "评测",
            "capability": "能力评估",
            "trigger": "触发评测",
            "race": "竞赛",
            "job": "任务",
            "auto_tag": "标签",
            "generation": "草稿",
        },
    )
    statuses = Both(
        {
            "queued": "queued",
            "waiting": "waiting",
            "running": "running",
            "interrupted": "interrupted",
            "completed": "completed",
            "partial": "partial",
            "failed": "failed",
            "cancelled": "cancelled",
        },
        {
            "queued": "排队中",
            "waiting": "等待",
            "running": "运行中",
            "interrupted": "已中断",
            "completed": "已完成",
            "partial": "部分完成",
            "failed": "失败",
            "cancelled": "已取消",
        },
    )
    wishes = Both(
        {"paused": "paused", "stopped": "stopped"}, {"paused": "已暂停", "stopped": "已停止"}
    )
    none = Both("there are no runs here yet", "这里还没有运行")
    kind = Both("kind", "类型")
    status = Both("status", "状态")
    done = Both("done", "完成")
    failed = Both("failed", "失败")
    time = Both("time", "时间")
    cost = Both("cost", "费用")
    left = Both("left", "剩余")
    error = Both("error", "错误")
    on_its_way = Both(
        "it is on its way; look again with {command}", "正在处理；请用 {command} 再次查看"
    )
    go_on = Both("go on with {command}", "用 {command} 继续")


Reference = Annotated[str, typer.Argument(help="The id of a run, or its beginning.", metavar="RUN")]
Kinds = Annotated[
    list[RunKind] | None, typer.Option("--kind", help="Only runs of this kind; can be repeated.")
]
Statuses = Annotated[
    list[RunStatus] | None,
    typer.Option("--status", help="Only runs in this status; can be repeated."),
]
Limit = Annotated[int, typer.Option(help="The most to list.", min=1, max=200)]
Yes = Annotated[bool, typer.Option("--yes", help="Agree to the cost without a question.")]


def list_(call: Call, kind: Kinds = None, status: Statuses = None, limit: Limit = 20) -> None:
    """Print a table of runs, newest first."""
    query = RunQuery(
        kinds=tuple(kind) if kind else None, statuses=tuple(status) if status else None, limit=limit
    )
    with opened(call.settings) as app:
        page = RunService(app).list(query)
        told = list[JsonValue](_told(app, run) for run in page.items)
    if call.json:
        print_json({"runs": told, "total": page.total})
        return
    words = RunWords(call.language)
    if not page.items:
        typer.echo(words.none)
        return
    table = Table(box=SIMPLE_HEAD)
    for head in words.heads:
        table.add_column(head, no_wrap=head in (words.heads[0], words.heads[5]))
    for run in page.items:
        table.add_row(
            _id(run),
            words.kinds.get(run.kind, run.kind),
            escape(line(run.name, 40)),
            _status(run, words),
            f"{run.done}/{run.total}",
            run.started_at[:16].replace("T", " "),
        )
    Console().print(table)


def show(call: Call, reference: Reference) -> None:
    """Print how far a run is."""
    with opened(call.settings) as app:
        _print(call, app, find(app, reference))


def watch(call: Call, reference: Reference) -> None:
    """Follow a run to its end."""
    with opened(call.settings) as app:
        run = find(app, reference)
        asyncio.run(follow_run(app, run.id, line(run.name, 60)))
        run = RunService(app).get(run.id)
        _print(call, app, run)
    if run.status != "completed":
        raise typer.Exit(1)


def pause(call: Call, reference: Reference) -> None:
    """Have a run paused."""
    _halt(call, reference, "paused")


def stop(call: Call, reference: Reference) -> None:
    """Have a run stopped."""
    _halt(call, reference, "stopped")


def _halt(call: Call, reference: str, wish: Wish) -> None:
    """Have a run paused or stopped, and say how it is then."""
    with opened(call.settings) as app, _library(call.settings) as library_of:
        run = find(app, reference)
        run = asyncio.run(RunKinds(app, library_of).halt(run, wish, PATIENCE[wish]))
        _print(call, app, run)
    if run.status == "running" and not call.json:
        shown = call.command(f"runs show {_id(run)}")
        typer.echo(RunWords(call.language).on_its_way.format(command=shown))


def resume(
    call: Call,
    reference: Reference,
    yes: Yes = False,
    max_cost: MaxCost = None,
    max_tokens: MaxTokens = None,
    max_minutes: MaxMinutes = None,
) -> None:
    """Go on with a run in this process, with what is left of its budget or with a new one."""
    budget = budget_of(max_cost, max_tokens, max_minutes)
    with opened(call.settings) as app, _library(call.settings) as library_of:
        run = find(app, reference)
        if run.status == "running":
            message = f"{line(run.name, 60)} is running already"
            raise WrongStatus(message, "interrupted or partial", run.status)
        if not can_resume(run):
            message = f"{line(run.name, 60)} is {run.status}; start a new one"
            raise WrongStatus(message, "interrupted or partial", run.status)
        if run.kind == "project":
            imported = run.request.get("imported") is True
            cost = estimate(app, project_of(app, run), imported=imported)
            confirm_cost(cost, yes=yes)
        halted = _carried_out(app, run, RunKinds(app, library_of), budget)
        run = RunService(app).get(run.id)
        _print(call, app, run)
    if halted or run.status != "completed":
        raise typer.Exit(1)


def find(app: App, reference: str) -> Run:
    """The run with that id, or whose id begins so; raises ``NotFound`` and ``UsageError``."""
    service = RunService(app)
    if (run := service.find(reference)) is not None:
        return run
    page = service.list(RunQuery(prefix=reference, limit=2))
    if page.total > 1:
        raise UsageError(f"{page.total} runs begin with {reference!r}; write more of the id")
    return page.items[0] if page.items else service.get(reference)


def _carried_out(app: App, run: Run, kinds: RunKinds, budget: Budget | None) -> bool:
    """Whether a person has paused or stopped it on the way."""

    async def work() -> None:
        begun = asyncio.Event()
        async with shown_run(app, run.id, line(run.name, 60), begun):
            await kinds.go_on(run, begun.set, budget)

    try:
        run_to_end(app, work())
    except Halted:
        return True
    return False


@contextmanager
def _library(settings: Settings) -> Generator[Callable[[Kind], Library]]:
    """Opens the library of a kind when somebody wants it."""
    with ExitStack() as stack:

        @cache
        def of_kind(kind: Kind) -> Library:
            return stack.enter_context(library(settings.workspace, kind))

        yield of_kind


def _print(call: Call, app: App, run: Run) -> None:
    if call.json:
        print_json(_told(app, run))
        return
    words, known = RunWords(call.language), progress(run, app.clock.now())
    told = {
        words.kind: words.kinds.get(run.kind, run.kind),
        words.status: _status(run, words),
        words.done: f"{known.done}/{known.total}",
    }
    if known.failed:
        told[words.failed] = str(known.failed)
    told[words.time] = f"{known.seconds:.1f} s"
    if known.cost_usd is not None:
        told[words.cost] = f"{known.cost_usd:.4f} USD"
    if known.seconds_left is not None:
        told[words.left] = f"{known.seconds_left:.0f} s"
    if run.error:
        told[words.error] = line(run.error, 400)
    typer.echo(f"{line(run.name, 80)}  {run.id}")
    for name, value in told.items():
        typer.echo(f"  {name}  {value}")
    if run.status == "interrupted":
        again = call.command(f"runs resume {_id(run)}")
        typer.echo(words.go_on.format(command=again))


def _id(run: Run) -> str:
    """As much of its id as tells it apart: all of it where it begins with what it is for."""
    return short(run.id) if run.kind in ("project", "job") else run.id


def _status(run: Run, words: RunWords) -> str:
    if run.status == "interrupted" and run.wish is not None:
        return words.wishes.get(run.wish, run.wish)
    return words.statuses.get(run.status, run.status)


def _told(app: App, run: Run) -> dict[str, JsonValue]:
    """As ``/v1/runs`` tells it."""
    known = run.model_dump(mode="json", exclude={"owner", "epoch", "is_unattended", "wishes"})
    return {**known, "progress": progress(run, app.clock.now()).model_dump(mode="json")}
