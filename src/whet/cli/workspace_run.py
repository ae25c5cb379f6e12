"""What ``whet workspace import`` does once its imports are worth their time."""

import json
from collections.abc import Sequence
from pathlib import Path

import typer
from pydantic import JsonValue, TypeAdapter

from whet.app.clock import SystemClock
from whet.app.settings import Settings
from whet.cli.asset_output import line, print_json
from whet.cli.workspace_words import WorkspaceWords
from whet.core.errors import NotFound, UsageError
from whet.curate.original.report import Kind, Repair, RepairReport
from whet.curate.original.workspace import import_workspace
from whet.documents.files import make_workspace, write_atomic

SHOWN = 10
"""Entries of a kind on a screen; what could not be repaired is shown whole."""

_ORDER: tuple[Kind, ...] = ("changed", "skipped", "left_out", "not_repaired")


def run(settings: Settings, original: Path, report: Path | None, *, as_json: bool) -> None:
    """Take a workspace over, and tell what came of it."""
    if report is not None:
        _check(report)
    make_workspace(settings.workspace)
    done = import_workspace(original, settings.workspace, SystemClock().now())
    data: JsonValue = TypeAdapter(RepairReport).dump_python(done, mode="json")
    if report is not None:
        text = json.dumps(data, ensure_ascii=False, indent=2) + "\n"
        write_atomic(report, text.encode(errors="backslashreplace"), durable=True)
    if as_json:
        print_json(data)
        return
    words = WorkspaceWords(settings.language)
    _print(done, words)
    if report is not None:
        typer.echo(words.written.format(path=line(str(report))))


def _check(report: Path) -> None:
    """Refuse a place for the report before anything is done."""
    if report.is_symlink() or report.exists():
        raise UsageError(f"{report} is there already; choose another file for --report")
    if not report.parent.is_dir():
        raise NotFound(f"no folder {report.parent} for --report")


def _print(done: RepairReport, words: WorkspaceWords) -> None:
    typer.echo(
        words.taken.format(
            skills=done.skills,
            baselines=done.baselines,
            versions=done.versions,
            projects=done.projects,
            files=done.files,
        )
    )
    for kind in _ORDER:
        entries = [entry for entry in done.entries if entry.kind == kind]
        if entries:
            typer.echo(f"\n{words.kinds[kind]}: {len(entries)}")
            most = len(entries) if kind == "not_repaired" else SHOWN
            _entries(entries, most, words)


def _entries(entries: Sequence[Repair], most: int, words: WorkspaceWords) -> None:
    for entry in entries[:most]:
        text = f"  {line(entry.path)}: {line(entry.what)}"
        if entry.before is not None or entry.after is not None:
            change = words.change.format(before=_told(entry.before), after=_told(entry.after))
            text += f": {change}"
        typer.echo(text)
    if len(entries) > most:
        typer.echo(f"  {words.more.format(count=len(entries) - most)}")


def _told(value: JsonValue) -> str:
    return line(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), 60)
