"""A ranking for people and for machines."""

import json
from pathlib import Path

from pydantic import JsonValue
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from whet.app.experiments import Report
from whet.cli.words import ENGLISH, Words
from whet.documents.result import RankingEntry

WIDTH = 20
ROOMY = 76
"""Columns of a terminal that has room for the picture beside the names."""


def as_json(report: Report, seconds: float) -> str:
    """The report as one JSON object."""
    data: dict[str, JsonValue] = {
        "project_id": report.project.config.id,
        "project_name": report.project.config.name,
        "folder": str(report.project.folder),
        "simulated": report.summary.simulated,
        "trials": {
            "total": report.extent.total,
            "executed": report.extent.missing,
            "regraded": report.extent.ungraded,
            "reused": report.extent.reused,
        },
        "seconds": round(seconds, 3),
        "winner": report.summary.winner,
        "ranking": [entry.to_data() for entry in report.summary.ranking],
    }
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def printed(
    console: Console, report: Report, seconds: float, workspace: Path, words: Words = ENGLISH
) -> None:
    """The report as a table, a sentence and where to look next."""
    table = Table(box=SIMPLE_HEAD, title=escape(report.project.config.name), title_justify="left")
    table.add_column("", justify="right")
    table.add_column(words.skill)
    table.add_column(words.score, justify="right")
    table.add_column(words.interval, no_wrap=True)
    if console.width >= ROOMY:
        table.add_column(_scale(), no_wrap=True)
    for entry in report.summary.ranking:
        table.add_row(*_cells(entry, words)[: len(table.columns)])
    console.print(table)
    console.print(_sentence(report, words), highlight=False)
    if report.summary.simulated:
        console.print(f"[dim]{words.simulated}[/]")
    extent = report.extent
    counts = words.extent.format(
        total=extent.total, now=extent.missing, reused=extent.reused, seconds=seconds
    )
    console.print(
        f"\n{counts}\n"
        f"{words.files}  {report.project.folder}\n"
        f"{words.serve}  whet serve --workspace {workspace}",
        highlight=False,
        soft_wrap=True,
        markup=False,
    )


def _cells(entry: RankingEntry, words: Words) -> tuple[str, ...]:
    interval = entry.interval
    return (
        str(entry.rank),
        f"{escape(entry.skill_name)} [dim]{entry.skill_version}[/]{_remarks(entry, words)}",
        "–" if entry.avg_score is None else f"[bold]{entry.avg_score:.1f}[/]",
        f"{interval.low:.1f} … {interval.high:.1f}" if interval else "–",
        _picture(entry),
    )


def _remarks(entry: RankingEntry, words: Words) -> str:
    """Lines under the name: the comparison, and what is missing from the average."""
    lines: list[str] = []
    if entry.failed_cases:
        lines.append(words.failed.format(count=entry.failed_cases))
    if entry.unscored_cases:
        lines.append(words.unscored.format(count=entry.unscored_cases))
    if (verdict := entry.versus_next) is not None and verdict.delta is not None:
        lines.append(words.verdicts[verdict.label].format(delta=abs(verdict.delta)))
    return "".join(f"\n{line}" for line in lines)


def _scale() -> str:
    return "0" + " " * (WIDTH - 4) + "100"


def _picture(entry: RankingEntry) -> str:
    """The interval on a line from 0 to 100, with the average in it."""
    if entry.avg_score is None or entry.interval is None:
        return ""

    def place(score: float) -> int:
        return min(WIDTH - 1, int(score / 100 * WIDTH))

    low, high, middle = map(place, (entry.interval.low, entry.interval.high, entry.avg_score))
    marks = ["─" if low <= column <= high else "·" for column in range(WIDTH)]
    marks[middle] = "●"
    return "".join(marks)


def _sentence(report: Report, words: Words) -> str:
    ranking = report.summary.ranking
    first, verdict = ranking[0], ranking[0].versus_next
    name = escape(first.skill_name)
    if first.avg_score is None:
        return words.no_scores
    if report.summary.winner is None:
        return words.no_winner.format(first=name)
    if verdict is None:
        return words.alone.format(first=name)
    second = escape(ranking[1].skill_name)
    return words.winner.format(
        first=name, second=second, delta=verdict.delta, cases=verdict.n_cases
    )
