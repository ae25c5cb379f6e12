"""Results of trigger runs for people."""

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from whet.app.triggers import Improved, TriggerOutcome
from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText
from whet.documents.base import Number
from whet.documents.skill_creator import DescriptionIteration, TriggerCount, TriggerResult
from whet.documents.verdict import Interval, Verdict
from whet.evaluate.review import printable
from whet.stats.comparison import fewest_cases, fewest_runs

LONGEST = 60


class TriggerTableWords(Words):
    """Labels and sentences of the results."""

    query = Both("query", "请求")
    wanted = Both("should", "应当")
    rate = Both("did", "实际")
    outcome = Both("", "")
    yes = Both("trigger", "触发")
    no = Both("not", "不触发")
    right = Both("[green]✓ right[/]", "[green]✓ 正确[/]")
    wrong = Both("[red]✗ wrong[/]", "[red]✗ 错误[/]")
    title = Both("{skill} on {leg}", "{skill}，{leg}")
    neighbours = Both("Offered beside it: {names}", "同时提供的技能：{names}")
    accuracy = Both("accuracy", "准确率")
    precision = Both("precision", "精确率")
    recall = Both("recall", "召回率")
    no_queries = Both("–", "–")
    interval = Both("95 % interval {low:.0f} … {high:.0f}", "95 % 区间 {low:.0f} … {high:.0f}")
    unknown = Both(
        CountedText(
            "{count:run tells nothing and counts|runs tell nothing and count} nowhere; the "
            "first: {first}"
        ),
        "有 {count} 次运行无法判断，不计入结果；第一条：{first}",
    )
    alarm = Both(
        "Not one query that should trigger the skill did, in any run. The harness probably did "
        "not offer the skill to the agent: look at a session before you change the description.",
        "所有应当触发的请求在任何一次运行中都没有触发技能。很可能测试环境根本没有把技能提供给"
        "智能体：修改描述之前，请先查看一次会话。",
    )
    warning = Both("note", "提示")
    simulated = Both(
        "By the built-in simulated agent: no model was asked.",
        "以上由内置的模拟智能体产生，没有询问任何模型。",
    )
    extent = Both(
        CountedText("{total:run|runs}: {now} run now, {reused} reused"),
        "共 {total} 次运行：本次运行 {now} 次，复用 {reused} 次",
    )
    old = Both("old description", "旧描述")
    new = Both("new description", "新描述")
    same = Both(
        "No better description was found; the old one stays.", "没有找到更好的描述，保留旧描述。"
    )
    train = Both(
        "training queries: {old} right with the old one, {new} with the new one",
        "训练请求：旧描述正确 {old}，新描述正确 {new}",
    )
    held_out = Both(
        "held-out queries: {old} right with the old one, {new} with the new one",
        "保留请求：旧描述正确 {old}，新描述正确 {new}",
    )
    verdicts = Both(
        {
            "better": "[green]Better on queries that nobody has learnt from[/]: {points}.",
            "worse": (
                "[red]Worse on queries that nobody has learnt from[/]: {points}. The old stays."
            ),
            "no_difference": "No difference on queries that nobody has learnt from: {points}.",
            "inconclusive": (
                "Better on the training queries. [yellow]The held-out ones "
                "are too few to show it[/]: "
                "{points}."
            ),
        },
        {
            "better": "[green]在未参与训练的请求上更好[/]：{points}。",
            "worse": "[red]在未参与训练的请求上更差[/]：{points}。保留旧描述。",
            "no_difference": "在未参与训练的请求上没有差别：{points}。",
            "inconclusive": "在训练请求上更好。[yellow]保留请求太少，还看不出来[/]：{points}。",
        },
    )
    on_these = Both(
        {
            "better": CountedText(
                "On {count:this # query|these # queries} alone it is better: {points}."
            ),
            "worse": CountedText(
                "On {count:this # query|these # queries} alone it is worse: {points}."
            ),
            "no_difference": CountedText(
                "On {count:this # query|these # queries} alone there is no difference: {points}."
            ),
            "inconclusive": CountedText(
                "On {count:this # query|these # queries} alone it is open: {points}."
            ),
        },
        {
            "better": "仅就这 {count} 个请求而言更好：{points}。",
            "worse": "仅就这 {count} 个请求而言更差：{points}。",
            "no_difference": "仅就这 {count} 个请求而言没有差别：{points}。",
            "inconclusive": "仅就这 {count} 个请求而言尚无定论：{points}。",
        },
    )
    too_few_runs = Both(
        CountedText("Nothing is said of these queries alone: each needs {count:run|runs} or more."),
        "对这些请求本身无法下结论：每个至少要运行 {count} 次。",
    )
    too_few_queries = Both(
        CountedText(
            "{count:held-out query is|held-out queries are} too few to speak of others: at "
            "least {least} are needed, and "
            "more runs will not change that."
        ),
        "{count} 个保留请求太少，不能推及其他请求：至少要 {least} 个；增加运行次数无济于事。",
    )
    nothing_held_out = Both("No held-out query could be compared.", "没有可以比较的保留请求。")
    files = Both("files", "文件")
    none = Both("(none)", "（无）")


def print_results(
    console: Console, outcomes: Sequence[TriggerOutcome], warnings: Sequence[str], language: str
) -> None:
    """Print a table for each engine and model, and what it comes to."""
    words = TriggerTableWords(language)
    for outcome in outcomes:
        _result(console, outcome, words)
    for warning in warnings:
        console.print(f"[yellow]{words.warning}[/]: {escape(_line(warning))}", highlight=False)


def _result(console: Console, outcome: TriggerOutcome, words: TriggerTableWords) -> None:
    found, extent = outcome.result, outcome.extent
    leg = f"{found.engine}:{found.model}"
    title = words.title.format(skill=_line(found.skill_name), leg=_line(leg))
    table = Table(box=SIMPLE_HEAD, title=escape(title), title_justify="left")
    table.add_column(words.query)
    for name in (words.wanted, words.rate, words.outcome):
        table.add_column(name, no_wrap=True)
    for count in found.results:
        table.add_row(*_cells(count, words))
    console.print(table)
    for line in _lines(found, words):
        console.print(line, highlight=False)
    counts = words.extent.format(total=extent.total, now=extent.executed, reused=extent.reused)
    console.print(
        f"{counts}\n{words.files}  {outcome.file}", highlight=False, markup=False, soft_wrap=True
    )


def _cells(count: TriggerCount, words: TriggerTableWords) -> tuple[str, ...]:
    text = _line(count.query)
    return (
        escape(text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"),
        words.yes if count.should_trigger else words.no,
        f"{count.triggers}/{count.runs}",
        words.right if count.passed else words.wrong,
    )


def _lines(found: TriggerResult, words: TriggerTableWords) -> list[str]:
    lines = [
        _share(words.accuracy, found.accuracy, found.accuracy_interval, words),
        _share(words.precision, found.precision, found.precision_interval, words),
        _share(words.recall, found.recall, found.recall_interval, words),
    ]
    if found.neighbours:
        names = ", ".join(map(_line, found.neighbours))
        lines.append(escape(words.neighbours.format(names=names)))
    if found.unknown_runs:
        first = _line(found.unknown_runs[0])[:200]
        told = words.unknown.format(count=len(found.unknown_runs), first=first)
        lines.append(f"[yellow]{escape(told)}[/]")
    if found.alarm:
        lines.append(f"[red]{words.alarm}[/]")
    if found.simulated:
        lines.append(f"[dim]{words.simulated}[/]")
    return lines


def _share(
    name: str, share: Number | None, interval: Interval | None, words: TriggerTableWords
) -> str:
    if share is None or interval is None:
        return f"{name}  {words.no_queries}"
    between = words.interval.format(low=interval.low * 100, high=interval.high * 100)
    return f"{name}  [bold]{share * 100:.0f}[/]  ({between})"


def print_improvement(console: Console, improved: Improved, language: str) -> None:
    """Print both descriptions, and what may be said of them."""
    words = TriggerTableWords(language)
    loop = improved.loop
    console.print(f"[bold]{words.old}[/]", highlight=False)
    console.print(escape(_line(loop.original_description) or words.none), highlight=False)
    first, best = loop.history[0], _best(improved)
    if best is first:
        console.print(f"\n{words.same}", highlight=False)
    else:
        console.print(f"\n[bold]{words.new}[/]", highlight=False)
        console.print(escape(_line(loop.best_description)), highlight=False)
        scores = {"old": _score(first), "new": _score(best)}
        console.print(f"\n{words.train.format(**scores)}", highlight=False)
        held_out = {"old": _held_out(first), "new": _held_out(best)}
        console.print(words.held_out.format(**held_out), highlight=False)
        for said in _verdict(loop.verdict, words):
            console.print(said, highlight=False)
    for note in loop.notes or ():
        console.print(f"[yellow]{words.warning}[/]: {escape(_line(note))}", highlight=False)
    if loop.simulated:
        console.print(f"[dim]{words.simulated}[/]")
    console.print(f"{words.files}  {improved.file}", highlight=False, markup=False, soft_wrap=True)


def _best(improved: Improved) -> DescriptionIteration:
    history = improved.loop.history
    return next(one for one in history if one.description == improved.loop.best_description)


def _score(one: DescriptionIteration) -> str:
    return f"{one.train_passed}/{one.train_total}"


def _held_out(one: DescriptionIteration) -> str:
    return f"{one.test_passed}/{one.test_total}"


def _verdict(verdict: Verdict | None, words: TriggerTableWords) -> list[str]:
    """A line for each scope: queries like these, and these alone."""
    if verdict is None or verdict.delta is None:
        return [words.nothing_held_out]
    count, these = verdict.n_cases, verdict.on_these
    points = _points(verdict.delta, verdict.interval, words)
    lines = [words.verdicts[verdict.label].format(points=points)]
    if verdict.needs:
        lines.append(words.too_few_queries.format(count=count, least=fewest_cases()))
    if these is None or these.needs:
        return [*lines, words.too_few_runs.format(count=fewest_runs(count))]
    here = _points(verdict.delta, these.interval, words)
    return [*lines, words.on_these[these.label].format(count=count, points=here)]


def _points(delta: float, interval: Interval | None, words: TriggerTableWords) -> str:
    points = f"{delta * 100:+.0f}"
    if interval is None:
        return points
    between = words.interval.format(low=interval.low * 100, high=interval.high * 100)
    return f"{points} ({between})"


def _line(text: str) -> str:
    """One line without anything that a terminal would obey."""
    return printable(" ".join(text.split()))
