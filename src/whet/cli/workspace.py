"""``whet workspace``: the folder with everything, as a whole."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue, TypeAdapter

from whet.app.clock import SystemClock
from whet.cli.asset_output import line, print_json
from whet.cli.command import Call, when_stopped
from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText
from whet.core.errors import NotFound, UsageError
from whet.curate.original.report import Kind, Repair, RepairReport
from whet.curate.original.workspace import import_workspace
from whet.documents.files import make_workspace, write_atomic

SHOWN = 10
"""Entries of a kind on a screen; what could not be repaired is shown whole."""

_ORDER: tuple[Kind, ...] = ("changed", "skipped", "left_out", "not_repaired")


class WorkspaceWords(Words):
    """What an import says; names in braces are filled in."""

    taken = Both(
        CountedText(
            "taken over: {skills:skill|skills}, {baselines:baseline|baselines} "
            "(versions: {versions}), "
            "{projects:project|projects}, {files:other file|other files}"
        ),
        "已接管：技能 {skills} 个，基线 {baselines} 个（版本 {versions} 个），"
        "项目 {projects} 个，其他文件 {files} 个",
    )
    kinds = Both(
        {
            "changed": "changed",
            "skipped": "here already",
            "left_out": "left out",
            "not_repaired": "not repaired",
        },
        {
            "changed": "已修改",
            "skipped": "已经存在",
            "left_out": "未接管",
            "not_repaired": "未能修复",
        },
    )
    change = Both("{before} → {after}", "{before} → {after}")
    more = Both(
        "… and {count} more; --json or --report has all",
        "… 还有 {count} 条，--json 或 --report 给出全部",
    )
    written = Both("report: {path}", "报告：{path}")


Original = Annotated[Path, typer.Argument(help="The workspace; it is only read.", metavar="DIR")]
Report = Annotated[
    Path | None, typer.Option(help="Write the whole report into this file, which is new.")
]


@when_stopped("stopped; run the same command again to go on")
def import_(call: Call, original: Original, report: Report = None) -> None:
    """Take a workspace over, and say what came of it."""
    if report is not None:
        _check(report)
    workspace = call.settings.workspace
    make_workspace(workspace)
    done = import_workspace(original, workspace, SystemClock().now())
    data: JsonValue = TypeAdapter(RepairReport).dump_python(done, mode="json")
    if report is not None:
        text = json.dumps(data, ensure_ascii=False, indent=2) + "\n"
        write_atomic(report, text.encode(errors="backslashreplace"), durable=True)
    if call.json:
        print_json(data)
        return
    words = WorkspaceWords(call.language)
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
