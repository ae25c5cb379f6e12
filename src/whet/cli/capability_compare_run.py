"""What ``whet capability compare`` and ``stability`` do once their imports are worth their time."""

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet.app.app import opened
from whet.app.capability.find import find
from whet.app.capability.runs import Evaluations
from whet.app.settings import Settings
from whet.cli.asset_output import cell, line, plain_table, print_json
from whet.cli.capability_options import Several
from whet.cli.capability_words import CapabilityWords, CompareWords
from whet.core.naming import short
from whet.documents.capability_comparison import (
    CapabilityDifference,
    ComparedRun,
    RunComparison,
    RunDifference,
)
from whet.documents.capability_stability import Agreement, Stability
from whet.documents.verdict import Interval
from whet.evaluate.capability.stability import stability as stability_of
from whet.exporters.capability.telling import points, total_text
from whet.exporters.capability.words import BY_LANGUAGE as REPORT_WORDS
from whet.exporters.capability.words import CapabilityWords as ReportWords
from whet.exporters.verdict_scopes import scope_lines, short_scopes

MOST_CASES = 60
"""On a screen; the rest is counted."""

_FLIPPED = {"newly_passed": "green", "newly_failed": "red"}


def compare(settings: Settings, options: Several) -> None:
    """Print runs held against the first."""
    with opened(settings) as app:
        found = Evaluations(app).compare([find(app, one) for one in options.runs])
    if options.json:
        print_json(found.to_data())
        return
    words, reports = CapabilityWords(settings.language).compare, REPORT_WORDS[settings.language]
    console = Console(highlight=False)
    for number, difference in enumerate(found.differences):
        if number:
            console.print()
        _print_difference(console, found, difference, words, reports)
    if any(run.simulated for run in found.runs):
        console.print(Text(words.simulated, "yellow"))


def stability(settings: Settings, options: Several) -> None:
    """Print how alike runs are."""
    with opened(settings) as app:
        evaluations = Evaluations(app)
        found = stability_of([evaluations.get(find(app, one)) for one in options.runs])
    if options.json:
        print_json(found.to_data())
        return
    words = CapabilityWords(settings.language).compare
    print_stability(Console(highlight=False), found, words, REPORT_WORDS[settings.language])


def print_stability(
    console: Console, found: Stability, words: CompareWords, reports: ReportWords
) -> None:
    """What flips, how much agrees, and how far the totals go."""
    console.print(Text(_stable(found, words), "bold"))
    low, high, mean = (points(one) for one in _range(found.total))
    console.print(words.totals.format(low=low, high=high, mean=mean))
    if found.dimensions:
        console.print()
        console.print(_agreements(found, words, reports))
    _print_unstable(console, found, words, reports)
    if found.left_out:
        told = words.left_out.format(count=len(found.left_out))
        console.print(Text(f"{told}  {line(', '.join(found.left_out), 200)}", "yellow"))
    for warning in found.warnings:
        console.print(Text(f"{words.warning}: {line(warning)}", "yellow"))
    if any(run.simulated for run in found.runs):
        console.print(Text(words.simulated, "yellow"))


def _stable(found: Stability, words: CompareWords) -> str:
    total = found.total
    if not total.cases:
        return words.nothing
    told = words.stable if found.stable else words.unstable
    return told.format(
        runs=len(found.runs),
        cases=total.cases,
        flips=total.flips,
        scores=total.cases - total.same_score,
    )


def _range(agreement: Agreement) -> tuple[float | None, float | None, float | None]:
    score = agreement.score
    return score.low, score.high, score.mean


def _agreements(found: Stability, words: CompareWords, reports: ReportWords) -> Table:
    heads = [words.columns[one] for one in ("dimension", "cases", "flips", "agreement", "range")]
    table = plain_table(heads, heads)
    for column in table.columns[1:]:
        column.justify = "right"
    every = [(reports.dimensions[one.dimension], one) for one in found.dimensions]
    for title, one in [*every, (words.total, found.total)]:
        low, high, _ = _range(one)
        share = "–" if one.agreement is None else f"{100 * one.agreement:.1f} %"
        scores = points(low) if low == high else f"{points(low)} … {points(high)}"
        table.add_row(title, str(one.cases), str(one.flips), share, scores)
    return table


def _print_unstable(
    console: Console, found: Stability, words: CompareWords, reports: ReportWords
) -> None:
    if not found.unstable:
        return
    heads = [words.columns[one] for one in ("case", "dimension", "statuses")]
    table = plain_table(heads)
    for case in found.unstable[:MOST_CASES]:
        told = [
            f"{reports.statuses[status]} {'–' if score is None else f'{score:.3g}'}"
            for status, score in zip(case.statuses, case.scores, strict=True)
        ]
        title = Text(line(case.case_id, 100), "red" if case.flips else "")
        table.add_row(title, reports.dimensions[case.dimension], " · ".join(told))
    console.print()
    console.print(table)
    if (more := len(found.unstable) - MOST_CASES) > 0:
        console.print(Text(words.more.format(count=more), "dim"))


def _print_difference(
    console: Console,
    found: RunComparison,
    one: RunDifference,
    words: CompareWords,
    reports: ReportWords,
) -> None:
    runs = {run.run_id: run for run in found.runs}
    title = words.title.format(
        run=_titled(runs[one.run_id], reports),
        reference=_titled(runs[one.reference_id], reports),
    )
    console.print(Text(title, "bold"), soft_wrap=True)
    console.print(Text(_sentence(one.total, words)))
    for scope in scope_lines(one.total.verdict, reports.code):
        console.print(Text(scope))
    console.print()
    console.print(_figures(one, words, reports))
    console.print()
    _print_flips(console, one, words, reports)
    for warning in one.warnings:
        console.print(Text(f"{words.warning}: {line(warning)}", "yellow"))
    if one.environment:
        fields = ", ".join(each.field for each in one.environment)
        console.print(Text(words.differs.format(fields=fields), "yellow"))


def _titled(run: ComparedRun, reports: ReportWords) -> str:
    return f"{line(run.model_name, 60)} {short(run.run_id)}: {total_text(run, reports)}"


def _sentence(total: CapabilityDifference, words: CompareWords) -> str:
    verdict = total.verdict
    if verdict.delta is None:
        return words.incomparable
    return words.verdicts[verdict.label].format(
        delta=verdict.delta, interval=_interval(verdict.interval), cases=verdict.n_cases
    )


def _figures(one: RunDifference, words: CompareWords, reports: ReportWords) -> Table:
    names = ("dimension", "reference", "run", "difference", "interval", "verdict")
    heads = [words.columns[name] for name in names]
    table = plain_table(heads, heads)
    for column in table.columns[1:5]:
        column.justify = "right"
    every: list[tuple[str, CapabilityDifference]] = [
        (reports.dimensions[each.dimension], each) for each in one.dimensions
    ]
    for title, each in [*every, (words.total, one.total)]:
        verdict = each.verdict
        known = verdict.delta is not None
        table.add_row(
            title,
            points(each.reference),
            points(each.run),
            f"{verdict.delta:+.1f}" if known else "–",
            _interval(verdict.interval),
            "\n".join(short_scopes(verdict, reports.code, with_intervals=False)) or "–",
        )
    return table


def _print_flips(
    console: Console, one: RunDifference, words: CompareWords, reports: ReportWords
) -> None:
    console.print(words.flips.format(parts=", ".join(_counted(one, words))))
    flipped = [case for case in one.cases if case.change in _FLIPPED]
    if not flipped:
        console.print(words.no_flips)
        return
    table = plain_table([words.columns[name] for name in ("case", "dimension", "change")])
    for case in flipped[:MOST_CASES]:
        change = Text(words.changes[case.change], _FLIPPED[case.change])
        table.add_row(cell(case.case_id, 100), reports.dimensions[case.dimension], change)
    console.print(table)
    if (more := len(flipped) - MOST_CASES) > 0:
        console.print(Text(words.more.format(count=more), "dim"))


def _counted(one: RunDifference, words: CompareWords) -> Iterator[str]:
    counts: dict[str, int] = {**one.changes}
    for name, title in words.changes.items():
        if count := counts.get(name):
            yield f"{title} {count}"


def _interval(interval: Interval | None) -> str:
    return "–" if interval is None else f"{interval.low:+.1f} … {interval.high:+.1f}"
