"""Lists, shows and steers runs in a terminal."""

import asyncio
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from typing import cast, get_args

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
from whet.cli.asset_output import command, line, print_json
from whet.cli.progress import follow_run, shown_run
from whet.cli.spending import confirm
from whet.cli.termination import run_to_end
from whet.core.budget import Budget
from whet.core.errors import Halted, UsageError, WrongStatus
from whet.core.naming import short
from whet.core.run import Run, RunKind, RunStatus, Wish
from whet.ports.listing import Kind
from whet.ports.runs import RunQuery

PATIENCE: dict[Wish, float] = {"paused": 10.0, "stopped": 30.0}
"""Seconds to wait for a wish to come true."""


@dataclass(frozen=True)
class RunWords:
    """Names in braces are filled in."""

    heads: tuple[str, str, str, str, str, str]
    kinds: dict[str, str]
    statuses: dict[str, str]
    wishes: dict[str, str]
    none: str
    facts: dict[str, str]
    on_its_way: str
    go_on: str


BY_LANGUAGE = {
    "en": RunWords(
        heads=("run", "kind", "name", "status", "done", "started"),
        kinds={"auto_tag": "tags", "generation": "draft"},
        statuses={},
        wishes={},
        none="there are no runs here yet",
        facts={
            "kind": "kind",
            "status": "status",
            "done": "done",
            "failed": "failed",
            "time": "time",
            "cost": "cost",
            "left": "left",
            "error": "error",
        },
        on_its_way="it is on its way; look again with {command}",
        go_on="go on with {command}",
    ),
    "zh": RunWords(
        heads=("运行", "类型", "名称", "状态", "完成", "开始"),
        kinds={
            "project": "项目",
            "eval": "评测",
            "capability": "能力评估",
            "trigger": "触发评测",
            "race": "竞赛",
            "job": "任务",
            "auto_tag": "标签",
            "generation": "草稿",
        },
        statuses={
            "queued": "排队中",
            "waiting": "等待",
            "running": "运行中",
            "interrupted": "已中断",
            "completed": "已完成",
            "partial": "部分完成",
            "failed": "失败",
            "cancelled": "已取消",
        },
        wishes={"paused": "已暂停", "stopped": "已停止"},
        none="这里还没有运行",
        facts={
            "kind": "类型",
            "status": "状态",
            "done": "完成",
            "failed": "失败",
            "time": "时间",
            "cost": "费用",
            "left": "剩余",
            "error": "错误",
        },
        on_its_way="正在处理；请用 {command} 再次查看",
        go_on="用 {command} 继续",
    ),
}


def list_runs(
    settings: Settings,
    kinds: Sequence[str],
    statuses: Sequence[str],
    limit: int,
    *,
    as_json: bool,
) -> None:
    """Print a table of runs, newest first."""
    query = RunQuery(
        kinds=cast("tuple[RunKind, ...]", _each_of(kinds, get_args(RunKind), "kind")) or None,
        statuses=cast("tuple[RunStatus, ...]", _each_of(statuses, get_args(RunStatus), "status"))
        or None,
        limit=limit,
    )
    with opened(settings) as app:
        page = RunService(app).list(query)
        told = list[JsonValue](_told(app, run) for run in page.items)
    if as_json:
        print_json({"runs": told, "total": page.total})
        return
    words = BY_LANGUAGE[settings.language]
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


def show_run(settings: Settings, reference: str, *, as_json: bool) -> None:
    """Print how far a run is."""
    with opened(settings) as app:
        _print(settings, app, find(app, reference), as_json=as_json)


def watch_run(settings: Settings, reference: str, *, as_json: bool) -> None:
    """Follow a run to its end."""
    with opened(settings) as app:
        run = find(app, reference)
        asyncio.run(follow_run(app, run.id, line(run.name, 60)))
        run = RunService(app).get(run.id)
        _print(settings, app, run, as_json=as_json)
    if run.status != "completed":
        raise typer.Exit(1)


def halt_run(settings: Settings, reference: str, wish: Wish, *, as_json: bool) -> None:
    """Have a run paused or stopped, and say how it is then."""
    with opened(settings) as app, _library(settings) as library_of:
        run = find(app, reference)
        run = asyncio.run(RunKinds(app, library_of).halt(run, wish, PATIENCE[wish]))
        _print(settings, app, run, as_json=as_json)
    if run.status == "running" and not as_json:
        shown = command(f"runs show {_id(run)}", settings.workspace)
        typer.echo(BY_LANGUAGE[settings.language].on_its_way.format(command=shown))


def resume_run(
    settings: Settings, reference: str, budget: Budget | None, *, yes: bool, as_json: bool
) -> None:
    """Go on with a run in this process."""
    with opened(settings) as app, _library(settings) as library_of:
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
            if cost.needs_consent:
                confirm(str(cost), yes=yes, hint="")
        halted = _carried_out(app, run, RunKinds(app, library_of), budget)
        run = RunService(app).get(run.id)
        _print(settings, app, run, as_json=as_json)
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


def _print(settings: Settings, app: App, run: Run, *, as_json: bool) -> None:
    if as_json:
        print_json(_told(app, run))
        return
    words, known = BY_LANGUAGE[settings.language], progress(run, app.clock.now())
    facts = words.facts
    told = {
        facts["kind"]: words.kinds.get(run.kind, run.kind),
        facts["status"]: _status(run, words),
        facts["done"]: f"{known.done}/{known.total}",
    }
    if known.failed:
        told[facts["failed"]] = str(known.failed)
    told[facts["time"]] = f"{known.seconds:.1f} s"
    if known.cost_usd is not None:
        told[facts["cost"]] = f"{known.cost_usd:.4f} USD"
    if known.seconds_left is not None:
        told[facts["left"]] = f"{known.seconds_left:.0f} s"
    if run.error:
        told[facts["error"]] = line(run.error, 400)
    typer.echo(f"{line(run.name, 80)}  {run.id}")
    for name, value in told.items():
        typer.echo(f"  {name}  {value}")
    if run.status == "interrupted":
        again = command(f"runs resume {_id(run)}", settings.workspace)
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


def _each_of(given: Sequence[str], known: Sequence[str], what: str) -> tuple[str, ...]:
    for each in given:
        if each not in known:
            raise UsageError(f"{each!r} is no {what} of a run; known: {', '.join(known)}")
    return tuple(given)
