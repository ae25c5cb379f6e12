"""A report of evals for the terminal: the verdict, two tables, and what to look at."""

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText
from whet.exporters.amounts import amount, signed, signed_range, spread
from whet.exporters.figures import (
    WITH,
    configurations,
    eval_rows,
    label,
    measures,
    other,
    simulated,
    worst_first,
)
from whet.exporters.plain import line
from whet.exporters.telling import (
    configuration,
    findings,
    headline,
    missing,
    name_of,
    pairwise,
    sentence,
    unscored,
)
from whet.exporters.words import BY_LANGUAGE, ReportWords
from whet.ports.exporter import EvalReport, Leg

EVALS = 12
REMARKS = 8
OF_A_KIND = 3
"""Rows of a screen; the rest is counted."""

COLOURS = {"better": "green", "worse": "red", "inconclusive": "yellow"}


class TableWords(Words):
    """Remarks for where the screen ends; the rest is as every report says it."""

    more_evals = Both(
        CountedText("… and {count:more eval|more evals}; the worst come first"),
        "……另有 {count} 个评测项；最差的在前",
    )

    @property
    def report(self) -> ReportWords:
        """What every report says."""
        return BY_LANGUAGE[self.language]


def print_report(console: Console, report: EvalReport, language: str) -> None:
    """Print the report; what comes from suites and models is text and steers nothing."""
    words = TableWords(language)
    said = words.report
    if simulated(report):
        console.print(f"[bold yellow]{said.simulated}[/]", highlight=False)
    for warning in report.warnings:
        console.print(f"[yellow]![/] {escape(line(warning))}", highlight=False)
    if len(report.legs) > 1:
        console.print(_legs(report, words))
        console.print(f"[dim]{said.family}[/]", highlight=False)
    for leg in report.legs:
        _leg(console, report, leg, words)


def _legs(report: EvalReport, words: TableWords) -> Table:
    said = words.report
    table = _table(line(report.skill_name, 60))
    for name in ("engine", "model", "verdict"):
        table.add_column(said.columns[name], overflow="fold")
    for name in ("delta", "interval"):
        table.add_column(said.columns[name], justify="right", no_wrap=True)
    for leg in report.legs:
        metadata, verdict = leg.benchmark.metadata, leg.benchmark.verdict
        table.add_row(
            escape(line(metadata.engine or "", 40)),
            escape(line(metadata.executor_model, 40)),
            _coloured(leg, headline(leg, said)),
            signed(verdict.delta if verdict else None),
            signed_range(verdict.interval if verdict else None),
        )
    return table


def _leg(console: Console, report: EvalReport, leg: Leg, words: TableWords) -> None:
    said = words.report
    name = escape(f"{line(report.skill_name, 60)} · {name_of(leg)}")
    console.print(f"\n[bold]{name}[/]", highlight=False)
    verdict = f"[bold]{_coloured(leg, headline(leg, said))}[/]"
    console.print(f"{verdict}  {escape(sentence(leg, said))}", highlight=False)
    if leg.benchmark.metadata.status == "partial":
        console.print(f"[yellow]{said.partial}[/]", highlight=False)
    console.print(_configurations(leg, words))
    for remark in unscored(leg, said):
        console.print(f"[yellow]{escape(remark)}[/]", highlight=False)
    _evals(console, report, leg, words)
    if compared := pairwise(leg, said):
        console.print(escape(compared), highlight=False)
    _remarks(console, said.headings["findings"], _findings(report, leg, words))
    gone = [escape(text) for text in missing(report, leg, said)]
    _remarks(console, said.headings["missing"], _few(gone, REMARKS, words))


def _configurations(leg: Leg, words: TableWords) -> Table:
    said = words.report
    names = list(configurations(leg.benchmark))
    compared = other(leg.benchmark) is not None
    table = _table()
    table.add_column("")
    for name in names:
        table.add_column(configuration(name, said), justify="right")
    if compared:
        table.add_column(said.columns["delta"], justify="right")
    for row in measures(leg.benchmark):
        cells = [spread(row.by_configuration[name], row.unit) for name in names]
        delta = [signed(row.delta, row.unit)] if compared else []
        table.add_row(said.measures[row.name], *cells, *delta)
    return table


def _evals(console: Console, report: EvalReport, leg: Leg, words: TableWords) -> None:
    """The evals that did worst; a difference says more than a score."""
    said = words.report
    against = other(leg.benchmark)
    rows = worst_first(eval_rows(report, leg.benchmark))
    table = _table()
    table.add_column(said.columns["eval"], overflow="fold", max_width=44)
    table.add_column(configuration(WITH, said), justify="right")
    if against:
        for title in (configuration(against, said), said.columns["delta"], said.columns["pairs"]):
            table.add_column(title, justify="right")
    for row in rows[:EVALS]:
        pairs = "–" if row.pairs is None else str(row.pairs)
        compared = [amount(row.other), signed(row.delta), pairs] if against else []
        table.add_row(escape(row.name), amount(row.with_skill), *compared)
    console.print(table)
    if len(rows) > EVALS:
        rest = words.more_evals.format(count=len(rows) - EVALS)
        console.print(f"[dim]{rest}[/]", highlight=False)


def _findings(report: EvalReport, leg: Leg, words: TableWords) -> list[str]:
    """A few of every kind."""
    kinds: dict[str, list[str]] = {}
    for kind, text in findings(report, leg, words.report):
        kinds.setdefault(kind, []).append(f"[yellow]{kind}[/]  {escape(text)}")
    return [one for lines in kinds.values() for one in _few(lines, OF_A_KIND, words)]


def _few(lines: Sequence[str], most: int, words: TableWords) -> list[str]:
    rest = len(lines) - most
    more = [f"[dim]{words.report.more.format(count=rest)}[/]"] if rest > 0 else []
    return [*lines[:most], *more]


def _remarks(console: Console, heading: str, lines: Sequence[str]) -> None:
    if lines:
        console.print(f"\n[bold]{heading}[/]", highlight=False)
    for text in lines:
        console.print(Padding(text, (0, 0, 0, 2)), highlight=False)


def _table(title: str | None = None) -> Table:
    named = escape(title) if title else None
    return Table(box=SIMPLE_HEAD, title=named, title_justify="left", pad_edge=False)


def _coloured(leg: Leg, text: str) -> str:
    colour = COLOURS.get(label(leg) or "")
    return f"[{colour}]{text}[/]" if colour else text
