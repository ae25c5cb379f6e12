"""``whet capability show`` and ``export``: what a run came to, on the terminal or in a file."""

import json
import shlex
import sys
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet.app.app import opened
from whet.app.capability.find import find
from whet.app.capability.folders import Folders
from whet.app.capability.report import export_run
from whet.app.capability.requests import ReportForm
from whet.app.capability.runs import Evaluations
from whet.cli.asset_output import cell, line, plain_table, print_json
from whet.cli.command import Call, when_stopped
from whet.cli.output_files import STDOUT, place, refuse_present
from whet.core.bilingual import Both, Words
from whet.core.errors import NotFound, UsageError
from whet.core.naming import short
from whet.documents.capability import EvaluationDetail, EvaluationItem
from whet.documents.files import write_atomic
from whet.evaluate.review import printable
from whet.exporters.amounts import amount
from whet.exporters.capability.figures import STATUSES, Checked, Row, checks, rows, written
from whet.exporters.capability.telling import banners, headline, name, points, reason, sentences
from whet.exporters.capability.words import BY_LANGUAGE as REPORT_WORDS
from whet.exporters.capability.words import CapabilityWords as ReportWords
from whet.exporters.plain import page as whole
from whet.ports.capability_exporter import CapabilityReport

BAR = 14
MOST_ITEMS = 40
COLOURS = {"passed": "green", "failed": "red", "error": "red", "skipped": "yellow"}
_TROUBLES = ("error", "failed", "skipped", "cancelled")


class CapabilityShowWords(Words):
    """What is said of one run; names in braces are filled in."""

    heads = Both(
        (
            *("dimension", "score", "", "weight", "cases"),
            *("passed", "failed", "error", "skipped"),
        ),
        ("维度", "得分", "", "权重", "用例", "通过", "失败", "出错", "跳过"),
    )
    fields = Both(
        {
            "case": "case",
            "dimension": "dimension",
            "status": "status",
            "score": "score",
            "weight": "weight",
            "tags": "tags",
            "time": "time",
            "cost": "cost",
            "session": "session",
            "folder": "files",
            "reason": "reason",
            "error": "error",
        },
        {
            "case": "用例",
            "dimension": "维度",
            "status": "状态",
            "score": "得分",
            "weight": "权重",
            "tags": "标签",
            "time": "用时",
            "cost": "费用",
            "session": "会话",
            "folder": "文件",
            "reason": "原因",
            "error": "错误",
        },
    )
    more_items = Both("… and {count} more; --json has all", "……另有 {count} 个，--json 给出全部")
    more = Both("one of them in full: {command}", "查看其中一个的全部内容：{command}")
    no_case = Both("run {run} has no case {case!r}", "运行 {run} 没有用例 {case!r}")
    written = Both("{run}: {path}", "{run}：{path}")


OneRun = Annotated[
    str,
    typer.Argument(help="Its id, the unique beginning of that, or: latest.", metavar="RUN"),
]
Case = Annotated[
    str | None, typer.Option("--case", help="This case in full, by its id.", metavar="CASE")
]
Form = Annotated[ReportForm, typer.Option("--format", help="As what.")]
Output = Annotated[
    str | None,
    typer.Option(
        help="The file, or the folder for it; - is stdout. Default: a new file here.",
        metavar="PATH",
    ),
]


def show(call: Call, run: OneRun, case: Case = None) -> None:
    """Print what a run came to, or one of its cases."""
    words, reports = CapabilityShowWords(call.language), REPORT_WORDS[call.language]
    with opened(call.settings) as app:
        detail = Evaluations(app).get(find(app, run))
        folders = Folders(call.settings.workspace, app.store.blobs)
    run_id = detail.run.run_id
    if case is not None:
        item = _item(detail, case, words)
        folder = folders.of(run_id) / item.case_id if folders.has(run_id, item.case_id) else ""
        if call.json:
            print_json(item.to_data())
        else:
            _print_item(Console(highlight=False), item, str(folder), words, reports)
        return
    if call.json:
        print_json(detail.to_data())
        return
    print_run(detail, call.language)
    if detail.items:
        hint = next_command(call, "show", run_id, "--case CASE")
        typer.echo(f"\n{words.more.format(command=hint)}")


@when_stopped("stopped; nothing was written")
def export(call: Call, run: OneRun, form: Form = "html", output: Output = None) -> None:
    """Write the report of a run into a file, and say where it is."""
    if output == STDOUT and call.json:
        raise UsageError("--json and --output - both want stdout; leave one of them out")
    with opened(call.settings) as app:
        run_id = find(app, run)
        suffix = app.parts.capability_exporter(form).suffix
        path = None if output == STDOUT else place(output, f"capability-{short(run_id)}{suffix}")
        if path is not None:
            refuse_present(path, "choose another by --output")
        data = export_run(app, run_id, form, call.language).encode(errors="backslashreplace")
    if path is None:
        sys.stdout.buffer.write(data)
        return
    write_atomic(path, data, durable=True)
    if call.json:
        file = {"path": str(path), "bytes": len(data)}
        print_json({"run_id": run_id, "format": form, **file})
        return
    words = CapabilityShowWords(call.language)
    typer.echo(line(words.written.format(run=short(run_id), path=path), 4096))


def next_command(call: Call, verb: str, run_id: str, more: str = "") -> str:
    """A command for a run, by the beginning of its id."""
    words = f"capability {verb} {shlex.quote(line(short(run_id)))} {more}".rstrip()
    return printable(call.command(words))


def print_run(detail: EvaluationDetail, language: str) -> None:
    """Print one screen: the total, the dimensions with bars, and what did not pass."""
    words, reports = CapabilityShowWords(language), REPORT_WORDS[language]
    console, report = Console(highlight=False), CapabilityReport(detail)
    console.print(Text(f"{name(report, reports)}: {headline(report, reports)}", "bold"))
    for banner in banners(report, reports):
        console.print(Text(f"⚠ {banner}", "yellow"))
    for said in sentences(report, reports):
        console.print(Text(said))
    if detail.items:
        console.print()
        console.print(_dimensions(detail, words))
    _print_troubles(console, detail, words, reports)


def _dimensions(detail: EvaluationDetail, words: CapabilityShowWords) -> Table:
    table = plain_table(words.heads, words.heads)
    for column in (table.columns[1], *table.columns[3:]):
        column.justify = "right"
    for row in rows(detail):
        counts = (str(row.counts.get(one, 0)) for one in STATUSES[:4])
        weight = "–" if row.weight is None else f"{row.weight:g}"
        table.add_row(row.dimension, points(row.score), _bar(row), weight, row.extent, *counts)
    return table


def _bar(row: Row) -> Text:
    """The score of a dimension as a bar; empty where nothing was measured."""
    if row.score is None:
        return Text("")
    filled = round(min(100.0, max(0.0, float(row.score))) / 100 * BAR)
    return Text("█" * filled, "cyan").append("░" * (BAR - filled), "dim")


def _print_troubles(
    console: Console, detail: EvaluationDetail, words: CapabilityShowWords, reports: ReportWords
) -> None:
    found = [item for one in _TROUBLES for item in detail.items if item.status == one]
    if not found:
        return
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, overflow="ellipsis", max_width=40)
    table.add_column(overflow="fold")
    for item in found[:MOST_ITEMS]:
        table.add_row(
            Text(reports.statuses[item.status], COLOURS.get(item.status, "")),
            cell(item.case_id, 100),
            cell(reason(item, reports), 160),
        )
    console.print()
    console.print(table)
    if (more := len(found) - MOST_ITEMS) > 0:
        console.print(Text(words.more_items.format(count=more), "dim"))


def _item(detail: EvaluationDetail, case: str, words: CapabilityShowWords) -> EvaluationItem:
    for item in detail.items:
        if item.case_id == case:
            return item
    raise NotFound(words.no_case.format(run=detail.run.run_id, case=case[:100]))


def _print_item(
    console: Console,
    item: EvaluationItem,
    folder: str,
    words: CapabilityShowWords,
    reports: ReportWords,
) -> None:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for field, text in _fields(item, reports).items():
        if text:
            style = COLOURS.get(item.status, "") if field == "status" else ""
            grid.add_row(words.fields[field], Text(line(text, 600), style))
    console.print(grid)
    if folder:
        typer.echo(f"{words.fields['folder']}  {line(folder, 4096)}")
    texts = {
        "prompt": item.prompt,
        "answer": item.final_answer or "",
        "calls": "\n".join(
            f"{call.name} {json.dumps(call.args, ensure_ascii=False)}" for call in item.tool_calls
        ),
        "checks": "" if checks(item) else written(item.checker_detail),
    }
    for field, text in texts.items():
        if text:
            console.print(Text(f"\n{reports.details[field]}", "bold"))
            console.print(Text(whole(text)), soft_wrap=True)
    if found := checks(item):
        console.print(Text(f"\n{reports.details['checks']}", "bold"))
        console.print(_checks(found, reports))


def _fields(item: EvaluationItem, reports: ReportWords) -> dict[str, str]:
    known = reason(item, reports)
    return {
        "case": item.case_id,
        "dimension": reports.dimensions[item.dimension],
        "status": reports.statuses[item.status],
        "score": "" if item.score is None else f"{item.score:.3g} / {item.max_score:g}",
        "weight": f"{item.weight:g}",
        "tags": ", ".join(item.tags),
        "time": "" if item.elapsed_s is None else amount(float(item.elapsed_s), "seconds"),
        "cost": amount(float(item.cost_usd), "usd") if item.cost_usd else "",
        "session": item.session_id or "",
        "reason": known if known != item.error else "",
        "error": item.error or "",
    }


def _checks(found: list[Checked], reports: ReportWords) -> Table:
    names = ("check", "outcome", "score", "weight", "expected", "evidence")
    heads = [reports.columns[one] for one in names]
    table = plain_table(heads, heads[:4])
    for one in found:
        colour = {"passed": "green", "vacuous": "green", "failed": "red"}.get(one.outcome, "")
        table.add_row(
            cell(one.type, 60),
            Text(reports.outcomes.get(one.outcome) or line(one.outcome, 60), colour),
            "–" if one.score is None else f"{one.score:.3g}",
            "–" if one.weight is None else f"{one.weight:g}",
            cell(one.expected, 300),
            cell(one.evidence, 600),
        )
    return table
