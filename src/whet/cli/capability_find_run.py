"""What ``whet capability list`` and ``show`` do once their imports are worth their time."""

import json

import typer
from pydantic import JsonValue
from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet.app.app import opened
from whet.app.capability.find import find
from whet.app.capability.folders import Folders
from whet.app.capability.runs import Evaluations
from whet.app.settings import Settings
from whet.cli.asset_find_table import short_ids
from whet.cli.asset_output import cell, command, line, plain_table, print_json
from whet.cli.capability_options import List, Show
from whet.cli.capability_text import COLOURS, next_command, print_run, told_status
from whet.cli.capability_words import CapabilityWords, FindWords
from whet.core.errors import NotFound
from whet.documents.capability import EvaluationDetail, EvaluationItem, EvaluationRun
from whet.exporters.amounts import amount
from whet.exporters.capability.figures import Checked, checks, written
from whet.exporters.capability.telling import reason, total_text
from whet.exporters.capability.words import BY_LANGUAGE as REPORT_WORDS
from whet.exporters.capability.words import CapabilityWords as ReportWords
from whet.exporters.plain import page as whole
from whet.ports.evaluations import RunQuery
from whet.ports.listing import Page

_COLUMNS = ("run", "model", "case_set", "status", "total", "cases", "started")


def list_(settings: Settings, options: List) -> None:
    """Print one page of the runs."""
    query = RunQuery(
        user_id=options.user,
        model_name=options.model,
        status=None if options.status is None else options.status.value,
        case_set=options.case_set,
        language=options.language,
        since=options.since,
        until=options.until,
        limit=options.page_size,
        offset=(options.page - 1) * options.page_size,
    )
    with opened(settings) as app:
        page = Evaluations(app).list(query)
    if options.json:
        runs: list[JsonValue] = [run.to_data() for run in page.items]
        size: dict[str, JsonValue] = {"page": options.page, "page_size": options.page_size}
        print_json({"runs": runs, "total": page.total, **size})
        return
    words = CapabilityWords(settings.language).find
    if not page.items:
        typer.echo(_nothing(page, options, words))
        return
    Console().print(_table(page.items, words, REPORT_WORDS[settings.language]))
    first = query.offset + 1
    last = query.offset + len(page.items)
    told = words.extent.format(first=first, last=last, total=page.total)
    more = f"  ({words.next_page.format(page=options.page + 1)})" if last < page.total else ""
    typer.echo(told + more)


def show(settings: Settings, options: Show) -> None:
    """Print what a run came to, or one of its cases."""
    words, reports = CapabilityWords(settings.language).find, REPORT_WORDS[settings.language]
    with opened(settings) as app:
        detail = Evaluations(app).get(find(app, options.run))
        folders = Folders(settings.workspace, app.store.blobs)
    run_id = detail.run.run_id
    if options.case is not None:
        item = _item(detail, options.case, words)
        folder = folders.of(run_id) / item.case_id if folders.has(run_id, item.case_id) else ""
        if options.json:
            print_json(item.to_data())
        else:
            _print_item(Console(highlight=False), item, str(folder), words, reports)
        return
    if options.json:
        print_json(detail.to_data())
        return
    print_run(Console(highlight=False), detail, words, reports)
    if detail.items:
        hint = next_command("show", run_id, options.workspace, "--case CASE")
        typer.echo(f"\n{words.more.format(command=hint)}")


def _nothing(page: Page[EvaluationRun], options: List, words: FindWords) -> str:
    if page.total:
        return words.no_page.format(page=options.page, total=page.total)
    narrowed = (options.status, options.model, options.case_set, options.language, options.user)
    if any(narrowed) or options.since or options.until:
        return words.none_fit
    return words.none_yet.format(command=line(command("capability run", options.workspace)))


def _table(runs: tuple[EvaluationRun, ...], words: FindWords, reports: ReportWords) -> Table:
    names = short_ids([run.run_id for run in runs])
    heads = [words.columns[one] for one in _COLUMNS]
    table = plain_table(heads, (words.columns[one] for one in ("run", "status", "total", "cases")))
    for run in runs:
        table.add_row(
            Text(names[run.run_id]),
            _measured(run),
            cell(f"{run.case_set} {run.language or ''}".strip(), 80),
            Text(told_status(run, words, reports)),
            Text(total_text(run, reports), justify="right"),
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


def _item(detail: EvaluationDetail, case: str, words: FindWords) -> EvaluationItem:
    for item in detail.items:
        if item.case_id == case:
            return item
    raise NotFound(words.no_case.format(run=detail.run.run_id, case=case[:100]))


def _print_item(
    console: Console, item: EvaluationItem, folder: str, words: FindWords, reports: ReportWords
) -> None:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, text in _fields(item, reports).items():
        if text:
            style = COLOURS.get(item.status, "") if name == "status" else ""
            grid.add_row(words.fields[name], Text(line(text, 600), style))
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
    for name, text in texts.items():
        if text:
            console.print(Text(f"\n{reports.details[name]}", "bold"))
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
