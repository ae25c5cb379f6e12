"""How capability runs look on the terminal."""

import shlex
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet.cli.asset_output import cell, command, line, plain_table
from whet.cli.capability_words import FindWords
from whet.core.naming import short
from whet.documents.capability import EvaluationDetail, EvaluationItem, EvaluationRun
from whet.evaluate.review import printable
from whet.exporters.capability.figures import STATUSES, Row, rows
from whet.exporters.capability.telling import banners, headline, name, points, reason, sentences
from whet.exporters.capability.words import CapabilityWords as ReportWords
from whet.ports.capability_exporter import CapabilityReport

BAR = 14
MOST_ITEMS = 40
COLOURS = {"passed": "green", "failed": "red", "error": "red", "skipped": "yellow"}
_TROUBLES = ("error", "failed", "skipped", "cancelled")


def next_command(verb: str, run_id: str, workspace: Path | None, more: str = "") -> str:
    """A command for a run, by the beginning of its id."""
    words = f"capability {verb} {shlex.quote(line(short(run_id)))} {more}".rstrip()
    return printable(command(words, workspace))


def told_status(run: EvaluationRun, words: FindWords, reports: ReportWords) -> str:
    """How a run is, in a word."""
    return words.gone if run.reclaimable else reports.run_statuses[run.status]


def print_run(
    console: Console, detail: EvaluationDetail, words: FindWords, reports: ReportWords
) -> None:
    """One screen: the total, the dimensions with bars, and what did not pass."""
    report = CapabilityReport(detail)
    console.print(Text(f"{name(report, reports)}: {headline(report, reports)}", "bold"))
    for banner in banners(report, reports):
        console.print(Text(f"⚠ {banner}", "yellow"))
    for said in sentences(report, reports):
        console.print(Text(said))
    if detail.items:
        console.print()
        console.print(_dimensions(detail, words))
    _print_troubles(console, detail, words, reports)


def _dimensions(detail: EvaluationDetail, words: FindWords) -> Table:
    shown = ("dimension", "score", "bar", "weight", "cases", *STATUSES[:4])
    heads = [words.columns.get(one, "") for one in shown]
    table = plain_table(heads, heads)
    for column in (table.columns[1], *table.columns[3:]):
        column.justify = "right"
    for row in rows(detail):
        counts = (str(row.counts.get(one, 0)) for one in STATUSES[:4])
        weight = "–" if row.weight is None else f"{row.weight:g}"
        table.add_row(row.dimension, points(row.score), bar(row), weight, row.extent, *counts)
    return table


def bar(row: Row) -> Text:
    """The score of a dimension as a bar; empty where nothing was measured."""
    if row.score is None:
        return Text("")
    filled = round(min(100.0, max(0.0, float(row.score))) / 100 * BAR)
    return Text("█" * filled, "cyan").append("░" * (BAR - filled), "dim")


def _print_troubles(
    console: Console, detail: EvaluationDetail, words: FindWords, reports: ReportWords
) -> None:
    found = [item for one in _TROUBLES for item in detail.items if item.status == one]
    if not found:
        return
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, overflow="ellipsis", max_width=40)
    table.add_column(overflow="fold")
    for item in found[:MOST_ITEMS]:
        table.add_row(_status(item, reports), cell(item.case_id, 100), _reason(item, reports))
    console.print()
    console.print(table)
    if (more := len(found) - MOST_ITEMS) > 0:
        console.print(Text(words.more_items.format(count=more), "dim"))


def _status(item: EvaluationItem, reports: ReportWords) -> Text:
    return Text(reports.statuses[item.status], COLOURS.get(item.status, ""))


def _reason(item: EvaluationItem, reports: ReportWords) -> Text:
    return cell(reason(item, reports), 160)
