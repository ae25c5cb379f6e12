"""``whet capability list``: the runs, newest first."""

from collections import Counter
from typing import Annotated

import typer
from pydantic import JsonValue
from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet.app.app import opened
from whet.app.capability.requests import RunFilter
from whet.app.capability.run_list import list_runs
from whet.cli.asset_output import cell, line, plain_table, print_json
from whet.cli.command import Call
from whet.cli.options import PageNumber, PageSize
from whet.cli.request_options import Spelling
from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText
from whet.core.naming import short
from whet.documents.capability import EvaluationRun
from whet.exporters.capability.telling import total_text
from whet.exporters.capability.words import BY_LANGUAGE as REPORT_WORDS


class CapabilityListWords(Words):
    """What is said of a list of runs; names in braces are filled in."""

    heads = Both(
        ("run", "measured", "case set", "status", "total", "cases", "started"),
        ("运行", "被测", "用例集", "状态", "总分", "用例", "开始"),
    )
    gone = Both("interrupted", "已中断")
    extent = Both("{first} to {last} of {total}", "第 {first} 至 {last} 个，共 {total} 个")
    next_page = Both("next: --page {page}", "下一页：--page {page}")
    no_page = Both(
        CountedText("There is no page {page}: there are {total:run|runs}."),
        "没有第 {page} 页：共 {total} 次运行。",
    )
    none_fit = Both("No run fits.", "没有符合条件的运行。")
    none_yet = Both("No runs yet. Begin with: {command}", "尚无运行。开始：{command}")


Filter = Annotated[
    RunFilter,
    Spelling(
        {"model_name": "--model", "case_set": "--set", "user_id": "--user"},
        help={
            "status": "Only these.",
            "model_name": "Only of this one: engine, or engine:model.",
            "case_set": "Only on this case set.",
            "language": "Only in this language.",
            "user_id": "Only with this label.",
        },
        without=("time_range", "limit", "offset"),
    ),
]
Since = Annotated[
    str | None,
    typer.Option(help="Only started then or later: a date, or a time; UTC.", metavar="DATE"),
]
Until = Annotated[
    str | None, typer.Option(help="Only started before: a date, or a time; UTC.", metavar="DATE")
]


def list_(
    call: Call,
    wanted: Filter,
    since: Since = None,
    until: Until = None,
    page: PageNumber = 1,
    page_size: PageSize = 20,
) -> None:
    """Print one page of the runs."""
    is_narrowed = bool(wanted.model_fields_set or since or until)
    part = {"limit": page_size, "offset": (page - 1) * page_size}
    times = f"{since or ''},{until or ''}"
    query = wanted.model_copy(update={"time_range": times, **part}).query()
    with opened(call.settings) as app:
        known = list_runs(app, query)
    if call.json:
        runs: list[JsonValue] = [run.to_data() for run in known.items]
        shown: dict[str, JsonValue] = {"page": page, "page_size": page_size, **part}
        print_json({"runs": runs, "total": known.total, **shown})
        return
    words = CapabilityListWords(call.language)
    if known.items:
        Console().print(_table(known.items, words))
        last = query.offset + len(known.items)
        extent = words.extent.format(first=query.offset + 1, last=last, total=known.total)
        more = f"  ({words.next_page.format(page=page + 1)})" if last < known.total else ""
        typer.echo(extent + more)
    elif known.total:
        typer.echo(words.no_page.format(page=page, total=known.total))
    elif is_narrowed:
        typer.echo(words.none_fit)
    else:
        typer.echo(words.none_yet.format(command=line(call.command("capability run"))))


def run_status(run: EvaluationRun, language: str) -> str:
    """How a run is, in a word."""
    if run.reclaimable:
        return CapabilityListWords(language).gone
    return REPORT_WORDS[language].run_statuses[run.status]


def _table(runs: tuple[EvaluationRun, ...], words: CapabilityListWords) -> Table:
    names = Counter(short(run.run_id) for run in runs)
    table = plain_table(words.heads, (words.heads[0], *words.heads[3:6]))
    for run in runs:
        table.add_row(
            cell(short(run.run_id) if names[short(run.run_id)] == 1 else run.run_id),
            _measured(run),
            cell(f"{run.case_set} {run.language or ''}".strip(), 80),
            Text(run_status(run, words.language)),
            Text(total_text(run, REPORT_WORDS[words.language]), justify="right"),
            Text(_counted(run), justify="right"),
            cell(run.started_at[:16].replace("T", " ")),
        )
    return table


def _measured(run: EvaluationRun) -> Text:
    text = cell(run.model_name, 80)
    if run.user_id:
        text.append(f"\n{line(run.user_id, 60)}", "dim")
    if run.error:
        text.append(f"\n{line(run.error, 120)}", "yellow")
    return text


def _counted(run: EvaluationRun) -> str:
    counts = run.counts or {}
    return f"{counts.get('passed', 0)}/{counts.get('total', 0)}" if counts else "–"
