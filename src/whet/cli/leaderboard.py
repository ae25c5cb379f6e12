"""``whet leaderboard``: how skills did in projects, baseline by baseline and over time."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet.app import leaderboard
from whet.app.leaderboard import GroupPage, RecordPage, Slice, Wanted
from whet.app.library.library import index_of
from whet.cli.asset_output import cell, line, plain_table, print_json
from whet.cli.command import Call
from whet.cli.figures import share
from whet.cli.request_options import Spelling
from whet.core.asset_query import LARGEST_PAGE
from whet.core.bilingual import Both, Words
from whet.core.errors import UsageError
from whet.core.naming import short
from whet.documents.base import Number
from whet.documents.files import write_atomic
from whet.documents.leaderboard import LeaderboardGroup, LeaderboardRecord
from whet.documents.verdict import Interval
from whet.ports.index import Index
from whet.rank.leaderboard import ScorePoint

STDOUT = "-"
GROUPS, RECORDS = 10, 20
"""On a page, unless somebody wishes otherwise."""

POINTS = 30
"""Of a history that are shown, the latest."""

_SOURCE = "the index"
FIXED = ("score", "checks", "interval", "cases", "tested_at", "version", "on")
LEVEL = 0.95
"""Of the heading; another one is told."""

Column = Callable[[LeaderboardRecord], Text]


class LeaderboardWords(Words):
    """Headings, marks and sentences; names in braces are filled in."""

    columns = Both(
        {
            "skill": "skill",
            "score": "score",
            "checks": "checks",
            "interval": "95 % interval",
            "cases": "cases",
            "tested_at": "tested",
            "project": "project",
            "baseline": "baseline",
            "version": "version",
            "on": "on",
        },
        {
            "skill": "技能",
            "score": "得分",
            "checks": "检查",
            "interval": "95 % 区间",
            "cases": "用例",
            "tested_at": "测试日期",
            "project": "项目",
            "baseline": "基线",
            "version": "版本",
            "on": "基线版本",
        },
    )
    title = Both(
        "{purpose} · cases: {cases} · skills: {skills}",
        "{purpose} · 用例：{cases} · 技能：{skills}",
    )
    gone = Both("gone from the library", "已不在库中")
    skill_newer = Both("skill is {version} now", "技能现为 {version}")
    skill_gone = Both("skill is gone", "技能已不在库中")
    baseline_newer = Both("baseline is {version} now", "基线现为 {version}")
    baseline_gone = Both("baseline is gone", "基线已不在库中")
    simulated = Both("simulated", "模拟")
    failed = Both("failed: {count}", "失败：{count}")
    gate_failed = Both("critical check failed: {count}", "关键检查未通过：{count}")
    mixed = Both("mixed rubrics: {rubrics}", "混合量表：{rubrics}")
    more = Both("… and {count} more; see {command}", "… 还有 {count} 条，见 {command}")
    earlier = Both(
        "… and {count} earlier ones; see {command}", "… 还有更早的 {count} 条，见 {command}"
    )
    extent_groups = Both(
        "baselines {first}–{last} of {total}", "基线第 {first}–{last} 个，共 {total} 个"
    )
    extent_records = Both(
        "records {first}–{last} of {total}", "记录第 {first}–{last} 条，共 {total} 条"
    )
    next_page = Both("the next page: --page {page}", "下一页：--page {page}")
    no_page = Both("There is no page {page}: {total} in all.", "没有第 {page} 页：共 {total} 项。")
    none_yet = Both(
        "No project has results yet. To see some: {command}", "还没有项目结果。先看示例：{command}"
    )
    none_fit = Both("Nothing fits.", "没有符合条件的记录。")
    untested = Both("{name} was in no project yet.", "{name} 还没有参加过任何项目。")
    written = Both("Written to {path}.", "已写入 {path}。")


_PARTS = ("page_size", "records_page", "records_page_size")
LeaderboardRequest = Annotated[
    Wanted, Spelling({"include_stale": "--include-stale/--current-only"})
]
Part = Annotated[Slice, Spelling(help={"page": "Which page."}, without=_PARTS)]
PageSize = Annotated[
    int | None,
    typer.Option(
        help=f"How many on a page. Default: {GROUPS} baselines, or {RECORDS} records.",
        min=1,
        max=LARGEST_PAGE,
    ),
]
Flat = Annotated[bool, typer.Option("--flat", help="One list, whatever the baseline.")]
Csv = Annotated[
    str | None,
    typer.Option(
        help="Write every record that fits into this file, which is new; - is stdout.",
        metavar="FILE",
    ),
]
Skill = Annotated[
    str, typer.Argument(help="Its id, the unique beginning of that, or its name.", metavar="SKILL")
]


def show(
    call: Call,
    request: LeaderboardRequest,
    part: Part,
    page_size: PageSize = None,
    flat: Flat = False,
    csv: Csv = None,
) -> None:
    """Print a page of the leaderboard, or write all of it into a table."""
    if csv is not None:
        _write(call, request, csv)
        return
    with index_of(call.settings.workspace) as index:
        index.refresh()
        page = _page(index, request, part.page, page_size, is_flat=flat)
    if call.json:
        print_json(page)
    elif isinstance(page, RecordPage):
        _print_records(call, page, request)
    elif request.baseline is None:
        _print_groups(call, page, request)
    else:
        _print_group(call, page, request)


def history(call: Call, skill: Skill) -> None:
    """Print how a skill did over time."""
    with index_of(call.settings.workspace) as index:
        index.refresh()
        found = leaderboard.skill_history(index, skill)
    if call.json:
        print_json(found)
        return
    words, console = LeaderboardWords(call.language), Console()
    if not found.baselines:
        typer.echo(words.untested.format(name=line(found.skill_name, 80)))
    for number, one in enumerate(found.baselines):
        name = Text("\n" if number else "").append(line(one.baseline_name, 80), "bold")
        version = one.baseline_version_current
        console.print(name.append(f"  {line(version, 20) if version else words.gone}", "dim"))
        console.print(_points(one.points[-POINTS:], words))
        if (left := len(one.points) - POINTS) > 0:
            hint = call.command(f"leaderboard history {short(found.skill_id)} --json")
            typer.echo(line(words.earlier.format(count=left, command=hint)))


def _page(
    index: Index, request: Wanted, page: int, size: int | None, *, is_flat: bool
) -> GroupPage | RecordPage:
    if is_flat:
        return leaderboard.records(index, request, Slice(page=page, page_size=size or RECORDS))
    if request.baseline is None:
        return leaderboard.groups(index, request, Slice(page=page, page_size=size or GROUPS))
    # There is one group, and what has pages are its records.
    part = Slice(page_size=1, records_page=page, records_page_size=size or RECORDS)
    return leaderboard.groups(index, request, part)


def _write(call: Call, request: Wanted, target: str) -> None:
    if target == STDOUT and call.json:
        raise UsageError("--json and --csv - both want stdout; leave one of them out")
    path = Path(target)
    if target != STDOUT and (path.is_symlink() or path.exists()):
        raise UsageError(f"{path} is there already; choose another file for --csv")
    with index_of(call.settings.workspace) as index:
        index.refresh()
        pieces = leaderboard.exported(index, request, "csv")
        if target == STDOUT:
            for piece in pieces:
                sys.stdout.buffer.write(piece)
            return
        data = b"".join(pieces)
    write_atomic(path, data, durable=True)
    if call.json:
        print_json({"path": str(path), "bytes": len(data)})
    else:
        typer.echo(LeaderboardWords(call.language).written.format(path=line(str(path), 4096)))


def _print_groups(call: Call, page: GroupPage, request: Wanted) -> None:
    words, console = LeaderboardWords(call.language), Console()
    for data in page.groups:
        group = LeaderboardGroup.parse(data, _SOURCE)
        _print_one(console, group, words)
        left = (group.record_count or 0) - len(group.records)
        if left > 0:
            hint = call.command(f"leaderboard --baseline {short(group.baseline_id)}")
            typer.echo(line(words.more.format(count=left, command=hint)))
        typer.echo()
    extent = (page.page, page.page_size, page.total, len(page.groups))
    _print_end(call, extent, words.extent_groups, request)


def _print_group(call: Call, page: GroupPage, request: Wanted) -> None:
    words, console = LeaderboardWords(call.language), Console()
    groups = [LeaderboardGroup.parse(data, _SOURCE) for data in page.groups]
    for group in groups:
        _print_one(console, group, words)
    total = sum(group.record_count or 0 for group in groups)
    shown = sum(len(group.records) for group in groups)
    extent = (page.records_page, page.records_page_size, total, shown)
    _print_end(call, extent, words.extent_records, request)


def _print_one(console: Console, group: LeaderboardGroup, words: LeaderboardWords) -> None:
    if group.records:
        console.print(_title(group, words))
        console.print(_records(group.records, words, is_flat=False))


def _print_records(call: Call, page: RecordPage, request: Wanted) -> None:
    words = LeaderboardWords(call.language)
    found = [LeaderboardRecord.parse(data, _SOURCE) for data in page.records]
    if found:
        Console().print(_records(found, words, is_flat=True))
    extent = (page.page, page.page_size, page.total, len(found))
    _print_end(call, extent, words.extent_records, request)


def _print_end(call: Call, extent: tuple[int, int, int, int], told: str, request: Wanted) -> None:
    """Which part of all this is, and how to get at the next; or why there is none."""
    words, (page, size, total, shown) = LeaderboardWords(call.language), extent
    if not shown:
        typer.echo(_nothing(call, page, total, request))
        return
    first = (page - 1) * size + 1
    last = first + shown - 1
    said = told.format(first=first, last=last, total=total)
    more = words.next_page.format(page=page + 1)
    typer.echo(f"{said}  ({more})" if last < total else said)


def _nothing(call: Call, page: int, total: int, request: Wanted) -> str:
    words = LeaderboardWords(call.language)
    if total:
        return words.no_page.format(page=page, total=total)
    if request.model_copy(update={"by_version": False}) != Wanted():
        return words.none_fit
    return words.none_yet.format(command=line(call.command("demo")))


def _title(group: LeaderboardGroup, words: LeaderboardWords) -> Text:
    """A baseline in a line above its records."""
    text = cell(group.baseline_name, 80)
    text.stylize("bold")
    version = group.baseline_version_current
    text.append(f"  {line(version, 20) if version else words.gone}  ")
    about = words.title.format(
        purpose=line(group.baseline_purpose, 60) or "–",
        cases=group.baseline_case_count,
        skills=group.skill_count,
    )
    return text.append(about, "dim")


def _records(
    found: Sequence[LeaderboardRecord], words: LeaderboardWords, *, is_flat: bool
) -> Table:
    """A table of records; without a baseline above it, each names its own."""
    columns: dict[str, Column] = {
        "skill": lambda one: _skill(one, words),
        "score": lambda one: _score(one.avg_score),
        "checks": lambda one: Text(share(one.check_pass_rate), justify="right"),
        "interval": lambda one: _interval(one.interval),
        "cases": lambda one: Text(f"{one.completed_cases}/{one.case_count}", justify="right"),
        "tested_at": lambda one: cell(one.tested_at[:10]),
    }
    if is_flat:
        columns["baseline"] = _baseline
    else:
        columns["project"] = lambda one: _project(one, words)
    if all(one.check_pass_rate is None for one in found):
        del columns["checks"]
    table = _table(columns, words)
    for one in found:
        table.add_row(*(made(one) for made in columns.values()))
    return table


def _points(found: Sequence[ScorePoint], words: LeaderboardWords) -> Table:
    """How a skill did on one baseline, point by point."""
    table = _table(("version", "on", "score", "interval", "tested_at", "project"), words)
    for one in found:
        interval = Interval.parse(one.interval, _SOURCE) if one.interval else None
        project = cell(one.project_name, 80)
        if one.simulated:
            project.append(f"\n{words.simulated}", "yellow")
        table.add_row(
            cell(one.version, 20),
            cell(one.baseline_version, 20),
            _score(one.avg_score),
            _interval(interval),
            cell(one.tested_at[:10]),
            project,
        )
    return table


def _table(columns: Sequence[str] | dict[str, Column], words: LeaderboardWords) -> Table:
    names = (words.columns[name] for name in columns)
    return plain_table(names, (words.columns[name] for name in FIXED))


def _skill(one: LeaderboardRecord, words: LeaderboardWords) -> Text:
    text = cell(one.skill_name, 80).append(f" {line(one.skill_version_tested, 20)}", "dim")
    doubts = [words.simulated] if one.simulated else []
    if one.mixed_rubrics:
        doubts.append(words.mixed.format(rubrics=line(", ".join(one.mixed_rubrics), 200)))
    if one.staleness in ("skill_updated", "both_updated"):
        version = one.skill_version_current
        newer = words.skill_newer.format(version=line(version or "", 20))
        doubts.append(newer if version else words.skill_gone)
    if one.staleness in ("baseline_updated", "both_updated"):
        version = one.baseline_version_current
        newer = words.baseline_newer.format(version=line(version or "", 20))
        doubts.append(newer if version else words.baseline_gone)
    for doubt in doubts:
        text.append(f"\n{doubt}", "yellow")
    # Here and not beside their number, where they would leave no room for names.
    if one.failed_cases:
        text.append(f"\n{words.failed.format(count=one.failed_cases)}", "red")
    if one.gate_failed_cases:
        text.append(f"\n{words.gate_failed.format(count=one.gate_failed_cases)}", "red")
    return text


def _score(score: Number | None) -> Text:
    return Text("–" if score is None else f"{score:.1f}", "bold", justify="right")


def _interval(interval: Interval | None) -> Text:
    if interval is None:
        return Text("–")
    text = Text(f"{interval.low:.1f} … {interval.high:.1f}")
    return text if interval.level == LEVEL else text.append(f"\n{interval.level:.1%}", "yellow")


def _project(one: LeaderboardRecord, words: LeaderboardWords) -> Text:
    text = cell(one.project_name, 80)
    if one.baseline_version_tested == one.baseline_version_current:
        return text
    tested = f"{words.columns['baseline']} {line(one.baseline_version_tested, 20)}"
    return text.append(f"\n{tested}", "dim")


def _baseline(one: LeaderboardRecord) -> Text:
    text = cell(one.baseline_name, 80).append(f" {line(one.baseline_version_tested, 20)}", "dim")
    return text.append(f"\n{line(one.project_name, 80)}", "dim")
