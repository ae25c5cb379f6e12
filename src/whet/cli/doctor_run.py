"""A diagnosis for people and for machines."""

import asyncio
import json
import sys
from collections.abc import Sequence

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from whet.app.config import machine_of
from whet.app.doctor import Diagnosis, EngineReport, SandboxReport, diagnose, inspected
from whet.app.parts import InstalledParts
from whet.app.settings import Settings
from whet.cli.doctor_words import DoctorWords

_MIB = 1024 * 1024


def run(settings: Settings, *, live: bool, as_json: bool) -> None:
    """Print the diagnosis; exit code 3 when something stands in the way of every engine."""
    words = DoctorWords(settings.language)
    with Console(stderr=True).status(words.looking):
        found = asyncio.run(diagnose(settings, live=live))
    if as_json:
        sys.stdout.write(found.model_dump_json(indent=2) + "\n")
    else:
        _print(Console(), found, words)
    if not found.is_healthy:
        raise typer.Exit(3)


def list_engines(settings: Settings, *, as_json: bool) -> None:
    """Print the engines alone."""
    words = DoctorWords(settings.language)
    with Console(stderr=True).status(words.looking):
        found = asyncio.run(inspected(InstalledParts(machine_of(settings))))
    if as_json:
        data = {"engines": [report.model_dump() for report in found]}
        sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")
    else:
        Console().print(_engines(found, words))


def _print(console: Console, found: Diagnosis, words: DoctorWords) -> None:
    console.print(_engines(found.engines, words))
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


def _engines(reports: Sequence[EngineReport], words: DoctorWords) -> Table:
    table = Table(box=SIMPLE_HEAD)
    for heading in (words.engine, words.version, words.credential, words.state):
        table.add_column(heading, no_wrap=heading == words.engine)
    for report in reports:
        chosen = f"\n[dim]{report.program_setting}: {escape(report.program or '')}[/]"
        state = _state(report, words) + (chosen if report.program_setting else "")
        table.add_row(report.name, report.version or "–", report.credential or "–", state)
    return table


def _state(report: EngineReport, words: DoctorWords) -> str:
    if report.problem is not None:
        colour = "red" if report.installed else "dim"
        fix = f"\n{words.fix}: [bold]{escape(report.fix)}[/]" if report.fix else ""
        return f"[{colour}]{escape(report.problem)}[/]{fix}"
    if report.live is not None and not report.live.ok:
        return f"[red]{escape(report.live.error or '')}[/]"
    if report.live is not None:
        cost = "" if report.live.cost_usd is None else f", {report.live.cost_usd:.4f} USD"
        return f"[green]{words.answered.format(seconds=report.live.seconds)}[/]{cost}"
    return f"[green]{words.ready}[/]{words.simulated if report.simulated else ''}"


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
