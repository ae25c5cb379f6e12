"""``whet session stats``."""

from collections.abc import Iterator, Sequence

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet.cli.asset_output import cell, line, plain_table, print_json
from whet.cli.command import Call
from whet.cli.session.output import Reference, duration, opened_sessions
from whet.core.bilingual import Both, Words
from whet.documents.session_figures import SessionFigures, TimeShare

MOST = 10
"""Lines of a list."""

_MEASURED = ("wall_ms", "busy_ms", "thinking_ms", "idle_ms")


class StatsWords(Words):
    """What is said of the figures of a session."""

    times = Both(
        {
            "wall_ms": "in all",
            "busy_ms": "calls running",
            "thinking_ms": "thinking",
            "idle_ms": "waiting for the user",
            "most_at_once": "most at once",
            "mean_at_once": "on average at once",
        },
        {
            "wall_ms": "总时长",
            "busy_ms": "调用运行",
            "thinking_ms": "思考",
            "idle_ms": "等待用户",
            "most_at_once": "最多同时",
            "mean_at_once": "平均同时",
        },
    )
    phases = Both("by phase, {annotator}", "按阶段，{annotator}")
    categories = Both("by category", "按类别")
    tools = Both("by tool", "按工具")
    columns = Both(
        ("calls", "failed", "time", "thinking before"), ("调用", "失败", "时间", "此前思考")
    )
    lists = Both(
        {
            "errors": "errors",
            "retries": "tried again",
            "circles": "in circles",
            "cycles": "change and check",
            "files": "files",
            "skills": "skills",
            "subagents": "subagents",
        },
        {
            "errors": "错误",
            "retries": "重试",
            "circles": "原地打转",
            "cycles": "修改与检查",
            "files": "文件",
            "skills": "技能",
            "subagents": "子代理",
        },
    )
    left_out = Both("… and {count} more", "……另有 {count} 项")
    guessed = Both("Times were not measured: {quality}.", "时间并非测得：{quality}。")


def stats(call: Call, session: Reference) -> None:
    """Print the figures of a session."""
    words = StatsWords(call.language)
    with opened_sessions(call.settings) as sessions:
        found = sessions.view(session).figures()
    if call.json:
        print_json(found.to_data())
        return
    console = Console(highlight=False)
    console.print(_times(found, words))
    if found.times.timing_quality in ("self_reported", "guessed"):
        said = words.guessed.format(quality=found.times.timing_quality)
        console.print(Text(said, "yellow"))
    for phases in found.times.phases:
        title = words.phases.format(annotator=line(phases.annotator, 60))
        _share(console, title, phases.phases, words)
    _share(console, words.categories, found.times.categories, words)
    _share(console, words.tools, found.times.tools, words)
    for name, title in words.lists.items():
        _list(console, title, list(_lines(found, name)), words)


def _times(found: SessionFigures, words: StatsWords) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    for name in _MEASURED:
        value: int = getattr(found.times, name)
        share = f"{100 * value / found.times.wall_ms:.0f} %" if found.times.wall_ms else ""
        grid.add_row(words.times[name], Text(duration(value), justify="right"), share)
    grid.add_row(words.times["most_at_once"], Text(str(found.times.most_at_once), justify="right"))
    mean = f"{found.times.mean_at_once:.1f}"
    grid.add_row(words.times["mean_at_once"], Text(mean, justify="right"))
    return grid


def _share(console: Console, title: str, shares: Sequence[TimeShare], words: StatsWords) -> None:
    if not shares:
        return
    table = plain_table((title, *words.columns), words.columns)
    for one in shares[:MOST]:
        numbers = (
            str(one.calls),
            str(one.failed or "–"),
            duration(one.summed_ms),
            duration(one.thinking_ms),
        )
        table.add_row(cell(one.name, 60), *(Text(each, justify="right") for each in numbers))
    console.print(table)
    if len(shares) > MOST:
        typer.echo(words.left_out.format(count=len(shares) - MOST))


def _list(console: Console, title: str, lines: Sequence[str], words: StatsWords) -> None:
    if not lines:
        return
    console.print(Text(f"\n{title}", "bold"))
    for one in lines[:MOST]:
        console.print(Text(f"  {line(one, 200)}"), soft_wrap=True)
    if len(lines) > MOST:
        console.print(Text(f"  {words.left_out.format(count=len(lines) - MOST)}", "dim"))


def _lines(found: SessionFigures, name: str) -> Iterator[str]:
    """The entries of one list, each on a line."""
    match name:
        case "errors":
            yield from (f"{one.count}×  {one.example}" for one in found.errors)
        case "files":
            new = {True: " +", False: ""}
            for one in found.files:
                yield f"{one.reads}r {one.writes}w{new[one.created]}  {one.path}"
        case "skills":
            yield from (f"{one.skill}  {one.taken_up}  {one.calls_after}" for one in found.skills)
        case "subagents":
            for one in found.subagents:
                yield f"{one.subagent_type}  {one.calls}  {duration(one.wall_ms)}  {one.subject}"
        case _:
            yield from _repeated(found, name)


def _repeated(found: SessionFigures, name: str) -> Iterator[str]:
    mark = {True: "✓", False: "✗"}
    match name:
        case "retries":
            for one in found.retries:
                yield f"{len(one.call_ids)}×  {mark[one.succeeded]} {one.tool}  {one.subject}"
        case "circles":
            yield from (f"{len(one.call_ids)}×  {one.tool}  {one.subject}" for one in found.circles)
        case _:
            for one in found.cycles:
                ends = f"{one.start_call_id} … {one.end_call_id}"
                yield f"{one.rounds}×  {mark[one.passed]} {ends}"
