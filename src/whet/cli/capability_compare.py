"""``whet capability compare`` and ``stability``: runs against the first, or how alike they are."""

from collections.abc import Iterator, Sequence
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet.app.app import opened
from whet.app.capability.find import find
from whet.app.capability.runs import Evaluations
from whet.cli.asset_output import cell, line, plain_table, print_json
from whet.cli.command import Call
from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText
from whet.core.naming import short
from whet.documents.capability import EvaluationDetail
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


class CompareWords(Words):
    """What is said of comparisons and of stability; names in braces are filled in."""

    title = Both("{run}  against  {reference}", "{run}  对比  {reference}")
    verdicts = Both(
        {
            "better": CountedText(
                "Better: {delta:+.1f} points ({interval}) over {cases:case|cases}."
            ),
            "worse": CountedText(
                "Worse: {delta:+.1f} points ({interval}) over {cases:case|cases}."
            ),
            "no_difference": CountedText(
                "No difference to mind: {delta:+.1f} ({interval}) over {cases:case|cases}."
            ),
            "inconclusive": CountedText(
                "Not clear: {delta:+.1f} points ({interval}) over {cases:case|cases}."
            ),
        },
        {
            "better": "更好：{delta:+.1f} 分（{interval}），{cases} 个用例。",
            "worse": "更差：{delta:+.1f} 分（{interval}），{cases} 个用例。",
            "no_difference": "没有值得注意的差别：{delta:+.1f}（{interval}），{cases} 个用例。",
            "inconclusive": "尚无定论：{delta:+.1f} 分（{interval}），{cases} 个用例。",
        },
    )
    incomparable = Both(
        "Nothing can be compared: no case was measured in both.",
        "无法比较：没有双方都测量过的用例。",
    )
    figures = Both(
        ("", "reference", "run", "difference", "95 % interval", "verdict"),
        ("", "参照", "运行", "差", "95 % 区间", "结论"),
    )
    flipped = Both(("case", "", "change"), ("用例", "", "变化"))
    agreements = Both(
        ("", "cases", "flips", "agreement", "scores"), ("", "用例数", "翻转", "一致", "得分")
    )
    unstable_cases = Both(("case", "", "in each run"), ("用例", "", "各次运行"))
    total = Both("total", "总分")
    changes = Both(
        {
            "newly_passed": "passes now",
            "newly_failed": "fails now",
            "still_passed": "still passes",
            "still_failed": "still fails",
            "not_measured": "not measured in both",
            "other_prompt": "another prompt",
            "only_reference": "only in the reference",
            "only_run": "only in the run",
        },
        {
            "newly_passed": "转为通过",
            "newly_failed": "转为失败",
            "still_passed": "仍通过",
            "still_failed": "仍失败",
            "not_measured": "并非双方都测量",
            "other_prompt": "提示不同",
            "only_reference": "仅参照有",
            "only_run": "仅本次有",
        },
    )
    no_flips = Both("No case flipped.", "没有用例翻转。")
    flips = Both("cases: {parts}", "用例：{parts}")
    more = Both("… and {count} more; --json has all", "……另有 {count} 个，--json 给出全部")
    warning = Both("Mind", "注意")
    differs = Both("They differ in: {fields}", "不同之处：{fields}")
    simulated = Both("Produced by the built-in simulated agent.", "由内置的模拟智能体产生。")
    stable = Both(
        CountedText("{runs:run|runs} came to the same in all of {cases:case|cases}."),
        "{runs} 次运行在全部 {cases} 个用例上结果相同。",
    )
    unstable = Both(
        CountedText(
            "{flips} of {cases:case|cases} flip over {runs:run|runs}; {scores} differ in their "
            "score."
        ),
        "{runs} 次运行中 {cases} 个用例有 {flips} 个翻转，{scores} 个得分不同。",
    )
    nothing = Both(
        "Nothing can be compared: no case was measured in all runs.",
        "无法比较：没有每次运行都测量过的用例。",
    )
    left_out = Both(
        "Left out, because not every run measured them alike: {count}",
        "未计入（并非每次运行都以同样方式测量）：{count}",
    )
    totals = Both("total: {low} to {high}, on average {mean}", "总分：{low} 至 {high}，平均 {mean}")


SeveralRuns = Annotated[
    list[str], typer.Argument(help="Each by its id, the unique beginning of that, or: latest.")
]


def compare(call: Call, runs: SeveralRuns) -> None:
    """Print runs held against the first."""
    with opened(call.settings) as app:
        found = Evaluations(app).compare([find(app, one) for one in runs])
    if call.json:
        print_json(found.to_data())
        return
    words, reports = CompareWords(call.language), REPORT_WORDS[call.language]
    console = Console(highlight=False)
    for number, difference in enumerate(found.differences):
        if number:
            console.print()
        _print_difference(console, found, difference, words, reports)
    if any(run.simulated for run in found.runs):
        console.print(Text(words.simulated, "yellow"))


def stability(call: Call, runs: SeveralRuns) -> None:
    """Print how alike runs are."""
    with opened(call.settings) as app:
        evaluations = Evaluations(app)
        print_stability(call, [evaluations.get(find(app, one)) for one in runs])


def print_stability(call: Call, details: Sequence[EvaluationDetail]) -> None:
    """Print what flips, how much agrees, and how far the totals go."""
    found = stability_of(details)
    if call.json:
        print_json(found.to_data())
        return
    words, reports = CompareWords(call.language), REPORT_WORDS[call.language]
    console = Console(highlight=False)
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
    table = plain_table(words.agreements, words.agreements)
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
    table = plain_table(words.unstable_cases)
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
    table = plain_table(words.figures, words.figures)
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
    table = plain_table(words.flipped)
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
