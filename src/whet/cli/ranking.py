"""A ranking for people and for machines."""

from collections.abc import Iterator
from pathlib import Path

from pydantic import JsonValue
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from whet.app.experiments import Report
from whet.cli.asset_output import line
from whet.cli.figures import share
from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText
from whet.documents.result import BaselineSummary, RankingEntry, Summary
from whet.documents.verdict import Label, Verdict
from whet.exporters.verdict_scopes import scope_lines

WIDTH = 20
ROOMY = 76
"""Columns of a terminal that has room for the picture beside the names."""

LONGEST = 200
"""Characters of a name, which may be a stranger's."""


class RankingWords(Words):
    """The words around a ranking; names in braces are filled in."""

    code = Both("en", "zh")
    skill = Both("skill", "技能")
    score = Both("score", "得分")
    interval = Both("95 % interval", "95 % 区间")
    checks = Both("checks", "检查")
    gate_failed = Both(
        CountedText("[red]{count:case|cases} failed a critical check[/]"),
        "[red]{count} 个用例未通过关键检查[/]",
    )
    mixed = Both(
        "[yellow]The averages mix cases that are scored by different rubrics ({rubrics}); none is "
        "by checks alone.[/]",
        "[yellow]平均分混合了按不同量表评分的用例（{rubrics}）；none 表示只按检查评分。[/]",
    )
    like_these = Both("like these: {said}", "类似用例：{said}")
    on_these = Both("on these: {said}", "这些用例：{said}")
    on_these_too = Both("[dim]on these alone, too[/]", "[dim]仅就这些用例亦然[/]")
    too_few_cases = Both("[yellow]too few cases[/]", "[yellow]用例太少[/]")
    too_few_attempts = Both("[yellow]too few attempts[/]", "[yellow]尝试次数太少[/]")
    verdicts = Both(
        {
            "better": "[green]beats the next[/] by {delta:.1f}",
            "worse": "[red]behind the next[/] by {delta:.1f}",
            "no_difference": "equal to the next",
            "inconclusive": "[yellow]no clear lead[/] ({delta:.1f})",
        },
        {
            "better": "[green]领先下一名[/] {delta:.1f} 分",
            "worse": "[red]落后下一名[/] {delta:.1f} 分",
            "no_difference": "与下一名相当",
            "inconclusive": "[yellow]领先不明显[/]（{delta:.1f} 分）",
        },
    )
    failed = Both(CountedText("[red]{count:case|cases} failed[/]"), "[red]{count} 个用例失败[/]")
    unscored = Both(
        CountedText("[yellow]{count:case|cases} unscored[/]"), "[yellow]{count} 个用例未评分[/]"
    )
    failed_as_zero = Both(
        "[yellow]{score:.1f} with failed as zero[/]", "[yellow]失败按零分计为 {score:.1f}[/]"
    )
    no_scores = Both(
        "No ranking: not one trial has a score. The result files say why.",
        "没有排名：没有一次试验得到评分，原因见结果文件。",
    )
    no_winner = Both(
        "No clear winner: {first} leads, but the difference may be chance.",
        "没有明确的胜者：{first} 暂时领先，但差距可能只是偶然。",
    )
    tied = Both("No winner: {names} share the first place.", "没有胜者：{names} 并列第一。")
    alone = Both("{first} was the only one.", "只有 {first} 一个技能。")
    winner = Both(
        CountedText(
            "Winner: [bold]{first}[/], better than {second} by {delta:.1f} points over "
            "{cases:case|cases}."
        ),
        "胜者：[bold]{first}[/]，在 {cases} 个用例上比 {second} 高 {delta:.1f} 分。",
    )
    order_differs = Both(
        "[yellow]Failed attempts are not in the averages; counted as zero, they would change "
        "the order.[/]",
        "[yellow]失败的尝试不计入平均分；若按零分计，名次会改变。[/]",
    )
    on_baseline = Both(
        CountedText("On {name} ({cases:case|cases}): {places}"),
        "在 {name} 上（{cases} 个用例）：{places}",
    )
    simulated = Both(
        "Produced or graded by the built-in simulated agent or judge.",
        "由内置的模拟智能体或模拟评审产生。",
    )
    extent = Both(
        CountedText("{total:trial|trials}: {now} run now, {reused} reused; {seconds:.1f} s"),
        "共 {total} 次试验：本次运行 {now} 次，复用 {reused} 次；用时 {seconds:.1f} 秒",
    )
    files = Both("files", "文件")
    serve = Both("serve", "服务")
    look = Both("look ", "查看")
    offer = Both(
        "Look at it in the browser now? Ctrl-C ends the server.",
        "现在用浏览器查看吗？按 Ctrl-C 结束服务。",
    )


def as_data(report: Report, seconds: float) -> dict[str, JsonValue]:
    """The report for machines."""
    return {
        "project_id": report.project.config.id,
        "project_name": report.project.config.name,
        "folder": str(report.project.folder),
        "simulated": report.summary.simulated,
        "trials": {
            "total": report.extent.total,
            "executed": report.extent.executed,
            "regraded": report.extent.ungraded,
            "reused": report.extent.reused,
        },
        "seconds": round(seconds, 3),
        "winner": report.summary.winner,
        "ranking": [entry.to_data() for entry in report.summary.ranking],
    }


def printed(
    console: Console, report: Report, seconds: float, workspace: Path, words: RankingWords
) -> None:
    """The report as a table, a sentence and where to look next."""
    standings(console, report.project.config.name, report.summary, words)
    extent = report.extent
    counts = words.extent.format(
        total=extent.total, now=extent.executed, reused=extent.reused, seconds=seconds
    )
    console.print(
        f"\n{counts}\n"
        f"{words.files}  {report.project.folder}\n"
        f"{words.serve}  whet serve --workspace {workspace} --open",
        highlight=False,
        soft_wrap=True,
        markup=False,
    )


def standings(console: Console, title: str, summary: Summary, words: RankingWords) -> None:
    """A ranking as a table, who won, and what speaks against it."""
    table = Table(box=SIMPLE_HEAD, title=Text(line(title, LONGEST)), title_justify="left")
    table.add_column("", justify="right")
    table.add_column(words.skill)
    table.add_column(words.score, justify="right")
    has_checks = any(entry.check_pass_rate is not None for entry in summary.ranking)
    if has_checks:
        table.add_column(words.checks, justify="right", no_wrap=True)
    table.add_column(words.interval, no_wrap=True)
    if console.width >= ROOMY:
        table.add_column(_scale(), no_wrap=True)
    for entry in summary.ranking:
        cells = _cells(entry, words, has_checks=has_checks)
        table.add_row(*cells[: len(table.columns)])
    console.print(table)
    for sentence in _sentences(summary, words):
        console.print(sentence, highlight=False)
    for baseline in summary.by_baseline or ():
        console.print(_on(baseline, words), highlight=False)


def _cells(entry: RankingEntry, words: RankingWords, *, has_checks: bool) -> tuple[str, ...]:
    interval = entry.interval
    return (
        str(entry.rank),
        f"{_name(entry)} [dim]{escape(line(entry.skill_version, 20))}[/]{_remarks(entry, words)}",
        f"[bold]{_score(entry.avg_score)}[/]",
        *([share(entry.check_pass_rate)] if has_checks else []),
        f"{interval.low:.1f} … {interval.high:.1f}" if interval else "–",
        _picture(entry),
    )


def _remarks(entry: RankingEntry, words: RankingWords) -> str:
    """Lines under the name: the comparison, and what is missing from the average."""
    lines: list[str] = []
    if entry.failed_cases:
        lines.append(words.failed.format(count=entry.failed_cases))
    if entry.gate_failed_cases:
        lines.append(words.gate_failed.format(count=entry.gate_failed_cases))
    if entry.unscored_cases:
        lines.append(words.unscored.format(count=entry.unscored_cases))
    if entry.versus_next is not None:
        lines += _scopes(entry.versus_next, words)
    if entry.order_differs and entry.avg_score_failed_as_zero is not None:
        lines.append(words.failed_as_zero.format(score=entry.avg_score_failed_as_zero))
    return "".join(f"\n{one}" for one in lines)


def _scopes(verdict: Verdict, words: RankingWords) -> list[str]:
    """How a skill compares with the next one, a line for each scope."""
    if verdict.delta is None:
        return []

    def told(label: Label) -> str:
        return words.verdicts[label].format(delta=abs(verdict.delta or 0.0))

    these = verdict.on_these
    if these and not verdict.needs and not these.needs and these.label == verdict.label:
        return [told(verdict.label), words.on_these_too]
    said = words.too_few_cases if verdict.needs else told(verdict.label)
    lines = [words.like_these.format(said=said)]
    if these is not None:
        said = words.too_few_attempts if these.needs else told(these.label)
        lines.append(words.on_these.format(said=said))
    return lines


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


def _sentences(summary: Summary, words: RankingWords) -> Iterator[str]:
    yield _sentence(summary, words)
    if len(summary.ranking) > 1 and (verdict := summary.ranking[0].versus_next) is not None:
        yield from (escape(scope) for scope in scope_lines(verdict, words.code))
    if any(entry.order_differs for entry in summary.ranking):
        yield words.order_differs
    if rubrics := {name for entry in summary.ranking for name in entry.mixed_rubrics or ()}:
        named = ", ".join(escape(line(name, LONGEST)) for name in sorted(rubrics))
        yield words.mixed.format(rubrics=named)
    if summary.simulated:
        yield f"[dim]{words.simulated}[/]"


def _sentence(summary: Summary, words: RankingWords) -> str:
    ranking = summary.ranking
    leaders = [_name(entry) for entry in ranking if entry.rank == 1]
    if not ranking or ranking[0].avg_score is None:
        return words.no_scores
    first, verdict = leaders[0], ranking[0].versus_next
    if len(leaders) > 1:
        return words.tied.format(names=", ".join(leaders))
    if summary.winner is None:
        return words.no_winner.format(first=first)
    if verdict is None:
        return words.alone.format(first=first)
    return words.winner.format(
        first=first, second=_name(ranking[1]), delta=verdict.delta, cases=verdict.n_cases
    )


def _on(baseline: BaselineSummary, words: RankingWords) -> str:
    """The ranking on one of several baselines, on a line."""
    places = ", ".join(
        f"{entry.rank} {_name(entry)} {_score(entry.avg_score)}" for entry in baseline.ranking
    )
    name = escape(line(f"{baseline.baseline_name} {baseline.baseline_version}", LONGEST))
    return words.on_baseline.format(name=name, cases=baseline.total_cases, places=places)


def _name(entry: RankingEntry) -> str:
    return escape(line(entry.skill_name, LONGEST))


def _score(score: float | None) -> str:
    return "–" if score is None else f"{score:.1f}"
