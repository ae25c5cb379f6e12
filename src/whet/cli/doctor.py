"""``whet doctor``: what works here, and how to get the rest to work."""

import asyncio
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from whet.app.doctor import Diagnosis, SandboxReport, diagnose
from whet.cli.asset_output import print_json
from whet.cli.command import Call
from whet.cli.engine import EngineWords, engine_table
from whet.core.bilingual import Both

_MIB = 1024 * 1024


class DoctorWords(EngineWords):
    """Labels beside those of the engines; names in braces are filled in."""

    sandbox = Both("sandbox", "沙箱")
    no_sandbox = Both("none works", "没有可用的沙箱")
    database = Both("database", "数据库")
    disks = Both(
        {"workspace": "workspace", "scratch": "scratch"},
        {"workspace": "工作区", "scratch": "临时区"},
    )
    free = Both("{room} free", "剩余 {room}")
    none_yet = Both("none yet", "尚未建立")
    unknown = Both("unknown", "未知")


Live = Annotated[
    bool, typer.Option("--live", help="Ask each agent one short question. This costs money.")
]


def doctor(call: Call, live: Live = False) -> None:
    """Print the diagnosis; exit code 3 when something stands in the way of every engine."""
    words = DoctorWords(call.language)
    with Console(stderr=True).status(words.looking):
        known = asyncio.run(diagnose(call.settings, live=live))
    if call.json:
        print_json(known)
    else:
        _print(Console(), known, words)
    if not known.is_healthy:
        raise typer.Exit(3)


def _print(console: Console, found: Diagnosis, words: DoctorWords) -> None:
    console.print(engine_table(found.engines, words))
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold")
    table.add_column()
    sandbox, database = found.sandbox, found.database
    table.add_row(words.sandbox, _sandbox(sandbox, words))
    size = words.none_yet if database.size_bytes is None else _room(database.size_bytes)
    state = f"{size} [dim]{escape(database.path)}[/]"
    table.add_row(words.database, state + _trouble(database.problem, database.fix, words))
    for disk in found.disks:
        free = words.unknown if disk.free_bytes is None else _room(disk.free_bytes)
        state = f"{words.free.format(room=free)} [dim]{escape(disk.path)}[/]"
        label = words.disks[disk.purpose]
        table.add_row(label, state + _trouble(disk.problem, disk.fix, words))
    table.add_row("whet", f"{found.whet} [dim]Python {found.python}, {escape(found.system)}[/]")
    console.print(table)


def _sandbox(report: SandboxReport, words: DoctorWords) -> str:
    used = report.used or words.no_sandbox
    lines = [f"[yellow]{used}[/]" if report.fix else f"[green]{used}[/]"]
    lines += [f"[dim]+ {escape(one)}[/]" for one in report.confined]
    lines += [f"[dim]– {escape(one)}[/]" for one in report.open]
    return "\n".join(lines) + _trouble(report.problem, report.fix, words)


def _trouble(problem: str | None, fix: str | None, words: DoctorWords) -> str:
    said = f"\n[red]{escape(problem)}[/]" if problem else ""
    return said + (f"\n{words.fix}: [bold]{escape(fix)}[/]" if fix else "")


def _room(size: int) -> str:
    return f"{size / _MIB / 1024:.1f} GiB" if size >= 1024 * _MIB else f"{size / _MIB:.1f} MiB"
