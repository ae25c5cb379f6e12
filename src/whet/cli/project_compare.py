"""``whet project compare``: two skills, or their answers to one case, side by side."""

from collections.abc import Iterator
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet.app.app import opened
from whet.app.projects.compare import compare_answers, compare_skills
from whet.app.projects.requests import CompareSkills
from whet.cli.asset_output import cell, line, plain_table, print_json, print_unified
from whet.cli.command import Call
from whet.cli.project_environment import EnvironmentWords, differences
from whet.cli.request_options import Spelling
from whet.cli.side_by_side import DifferenceWords, columns
from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText
from whet.documents.comparison import (
    CaseStanding,
    ComparedCase,
    ComparedSide,
    ResourceDifference,
    ScoreDifference,
    SkillComparison,
)
from whet.documents.verdict import Interval
from whet.exporters.verdict_scopes import scope_lines, short_scopes
from whet.rank.answers import Answer, AnswerDifference

CASES = 60
"""Cases on a screen; the rest is counted."""

LEFT_OUT = 20


class ProjectCompareWords(Words):
    """Headings and sentences; names in braces are filled in."""

    title = Both("{left}  against  {right}", "{left}  对比  {right}")
    verdicts = Both(
        {
            "better": CountedText(
                "{left} is better than {right} by {delta:.1f} points over {cases:case|cases}."
            ),
            "worse": CountedText(
                "{left} is worse than {right} by {delta:.1f} points over {cases:case|cases}."
            ),
            "no_difference": CountedText(
                "They do not differ by anything that matters over {cases:case|cases}."
            ),
            "inconclusive": CountedText(
                "Not clear: {delta:.1f} points apart over {cases:case|cases} may be chance."
            ),
        },
        {
            "better": "{left} 优于 {right}：{cases} 个用例上高 {delta:.1f} 分。",
            "worse": "{left} 不如 {right}：{cases} 个用例上低 {delta:.1f} 分。",
            "no_difference": "在 {cases} 个用例上没有值得注意的差别。",
            "inconclusive": "尚无定论：{cases} 个用例上相差 {delta:.1f} 分，可能只是偶然。",
        },
    )
    incomparable = Both(
        "They cannot be compared: no case has a score for both.",
        "无法比较：没有一个用例双方都有评分。",
    )
    counts = Both(
        "cases won: {wins}, lost: {losses}, equal: {ties}, without a pair: {unpaired}",
        "用例：胜 {wins}，负 {losses}，平 {ties}，不成对 {unpaired}",
    )
    figure = Both("", "")
    left = Both("left", "左")
    right = Both("right", "右")
    difference = Both("left − right", "左 − 右")
    interval = Both("95 % interval", "95 % 区间")
    score = Both("score", "得分")
    failed_as_zero = Both("failed as zero", "失败按零分")
    seconds = Both("seconds a case", "每个用例秒数")
    tokens = Both("tokens a case", "每个用例词元")
    cost = Both("USD a case", "每个用例美元")
    case = Both("case", "用例")
    outcome = Both("left", "左方")
    outcomes = Both(
        {"win": "wins", "loss": "loses", "tie": "equal", "unpaired": "no pair"},
        {"win": "胜", "loss": "负", "tie": "平", "unpaired": "不成对"},
    )
    troubles = Both(
        {
            "failed": "{count} failed",
            "unscored": "{count} unscored",
            "missing": "{count} missing",
        },
        {"failed": "失败 {count}", "unscored": "未评分 {count}", "missing": "缺少 {count}"},
    )
    more_cases = Both(
        CountedText("… and {count:more case|more cases}; --json has all"),
        "……另有 {count} 个用例，--json 给出全部",
    )
    same_trials = Both(
        CountedText(
            "In {count:case|cases} both sides are the very same trials: nothing was compared there."
        ),
        "{count} 个用例中双方是同一批试验：没有可比较的。",
    )
    left_out = Both("Left out: {case}: {reason}", "未计入：{case}：{reason}")
    more_left_out = Both(
        "… and {count} more left out; --json has all", "……另有 {count} 个未计入，--json 给出全部"
    )
    reasons = Both(
        {
            "only_left": "only the left side has it",
            "only_right": "only the right side has it",
            "other_input": "the input is another one",
            "other_expected_output": "the expected output is another one",
            "other_grading": "it is graded otherwise",
            "no_weight": "it counts for nothing",
        },
        {
            "only_left": "只有左方有",
            "only_right": "只有右方有",
            "other_input": "输入不同",
            "other_expected_output": "期望输出不同",
            "other_grading": "评分方式不同",
            "no_weight": "权重为零",
        },
    )
    simulated = Both(
        "Produced or graded by the built-in simulated agent or judge.",
        "由内置的模拟智能体或模拟评审产生。",
    )
    problem = Both("not counted", "未计入")
    environment = Both(
        "The two projects differ in more than the skill:", "两个项目的差别不只在技能："
    )
    attempt = Both("{case}, attempt {attempt}", "{case}，第 {attempt} 次尝试")
    statuses = Both(
        {"completed": "completed", "failed": "failed", "skipped": "skipped"},
        {"completed": "完成", "failed": "失败", "skipped": "跳过"},
    )
    no_score = Both("no score", "没有评分")
    same_answer = Both("Both answers are the same.", "两个回答相同。")


CompareRequest = Annotated[CompareSkills, Spelling(arguments={"left": "LEFT", "right": "RIGHT"})]
SideBySide = Annotated[
    bool, typer.Option("--side-by-side", help="With --case: in two columns instead of one.")
]


def compare(call: Call, request: CompareRequest, side_by_side: SideBySide = False) -> None:
    """Print two skills side by side, or their answers to one case."""
    words, console = ProjectCompareWords(call.language), Console(highlight=False)
    left, right = request.left, request.right
    if request.case is not None:
        with opened(call.settings) as app:
            both = compare_answers(app, left, right, request.case, request.attempt)
        if call.json:
            print_json(both)
        else:
            _print_answers(console, both, words, side_by_side=side_by_side)
        return
    with opened(call.settings) as app:
        found = compare_skills(app, left, right)
    if call.json:
        print_json(found.to_data())
    else:
        _print(console, found, words)


def _print(console: Console, found: SkillComparison, words: ProjectCompareWords) -> None:
    title = words.title.format(left=_titled(found.left), right=_titled(found.right))
    console.print(Text(title, "bold"), soft_wrap=True)
    console.print(Text(_sentence(found, words)))
    for scope in scope_lines(found.score.verdict, words.language):
        console.print(Text(scope))
    console.print(
        words.counts.format(
            wins=found.wins, losses=found.losses, ties=found.ties, unpaired=found.unpaired
        )
    )
    console.print(_figures(found, words))
    console.print(_cases(found.cases[:CASES], words))
    for remark in _remarks(found, words):
        console.print(Text(remark, "yellow"))
    if found.environment:
        console.print(Text(words.environment, "yellow"))
        names = (found.left.project_name, found.right.project_name)
        console.print(differences(found.environment, names, EnvironmentWords(words.language)))


def _titled(side: ComparedSide) -> str:
    return line(f"{side.skill_name or side.skill_id} {side.skill_version}", 120)


def _sentence(found: SkillComparison, words: ProjectCompareWords) -> str:
    verdict = found.score.verdict
    if verdict.delta is None:
        return words.incomparable
    return words.verdicts[verdict.label].format(
        left=_titled(found.left),
        right=_titled(found.right),
        delta=abs(verdict.delta),
        cases=verdict.n_cases,
    )


def _figures(found: SkillComparison, words: ProjectCompareWords) -> Table:
    heads = (words.figure, words.left, words.right, words.difference, words.interval, "")
    table = plain_table(heads, heads[1:5])
    for column in table.columns[1:4]:
        column.justify = "right"
    scores: list[tuple[str, ScoreDifference]] = [
        (words.score, found.score),
        (words.failed_as_zero, found.failed_as_zero),
        *((f"{line(one.name, 60)} /{one.maximum:g}", one) for one in found.dimensions),
    ]
    for name, one in scores:
        label = "\n".join(short_scopes(one.verdict, words.language, with_intervals=False))
        numbers = (_number(one.left), _number(one.right), _signed(one.verdict.delta))
        table.add_row(name, *numbers, _interval(one.verdict.interval, 1), label)
    for name, resource, scale, digits in (
        (words.seconds, found.duration_ms, 0.001, 1),
        (words.tokens, found.tokens, 1, 0),
        (words.cost, found.cost_usd, 1, 4),
    ):
        if resource is not None and (resource.left or resource.right):
            table.add_row(name, *_resource(resource, scale, digits), "")
    return table


def _resource(one: ResourceDifference, scale: float, digits: int) -> tuple[str, ...]:
    sides = (f"{value * scale:.{digits}f}" for value in (one.left, one.right))
    return (*sides, f"{one.delta * scale:+.{digits}f}", _interval(one.interval, digits, scale))


def _cases(cases: tuple[ComparedCase, ...], words: ProjectCompareWords) -> Table:
    heads = (words.case, words.left, words.right, words.difference, words.outcome)
    table = plain_table(heads, heads[1:])
    for column in table.columns[1:4]:
        column.justify = "right"
    for one in cases:
        case = cell(one.case_id, 80)
        if one.name != one.case_id:
            case.append(f"  {line(one.name, 80)}", "dim")
        sides = (_standing(side, words) for side in (one.left, one.right))
        colour = {"win": "green", "loss": "red", "unpaired": "yellow"}.get(one.outcome, "")
        table.add_row(case, *sides, _signed(one.delta), Text(words.outcomes[one.outcome], colour))
    return table


def _standing(side: CaseStanding, words: ProjectCompareWords) -> Text:
    """The average, and what is not in it."""
    text = Text(_number(side.average))
    for name in ("failed", "unscored", "missing"):
        if count := getattr(side, name):
            text.append(f"\n{words.troubles[name].format(count=count)}", "yellow")
    return text


def _remarks(found: SkillComparison, words: ProjectCompareWords) -> Iterator[str]:
    if (more := len(found.cases) - CASES) > 0:
        yield words.more_cases.format(count=more)
    if found.same_trials:
        yield words.same_trials.format(count=found.same_trials)
    for one in found.left_out[:LEFT_OUT]:
        name = line(f"{one.case_id}  {one.name}" if one.name != one.case_id else one.case_id, 120)
        yield words.left_out.format(case=name, reason=words.reasons[one.reason])
    if (more := len(found.left_out) - LEFT_OUT) > 0:
        yield words.more_left_out.format(count=more)
    if found.simulated:
        yield words.simulated
    for problem in found.problems[:LEFT_OUT]:
        yield f"{words.problem}: {line(problem)}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def _signed(value: float | None) -> str:
    return "–" if value is None else f"{value:+.1f}"


def _interval(interval: Interval | None, digits: int, scale: float = 1) -> str:
    if interval is None:
        return "–"
    return f"{interval.low * scale:+.{digits}f} … {interval.high * scale:+.{digits}f}"


def _print_answers(
    console: Console, both: AnswerDifference, words: ProjectCompareWords, *, side_by_side: bool
) -> None:
    shared = DifferenceWords(words.language)
    case = both.case_id if both.case_name == both.case_id else f"{both.case_id}  {both.case_name}"
    told = words.attempt.format(case=line(case, 120), attempt=both.attempt)
    console.print(Text(told, "bold"), soft_wrap=True)
    for answer in (both.left, both.right):
        console.print(Text(_answer(answer, words)))
    if not both.text.unified:
        console.print(words.same_answer)
    elif side_by_side:
        for one in (Text(), *columns(both.text.rows, console.width, shared.equal_lines)):
            console.print(one, soft_wrap=True)
    else:
        print_unified(console, both.text.unified)
    if both.text.is_cut:
        typer.echo(shared.cut)


def _answer(answer: Answer, words: ProjectCompareWords) -> str:
    score = words.no_score if answer.score is None else f"{answer.score:g}"
    why = line(answer.error or answer.reasoning, 400)
    return f"{line(answer.skill, 120)}: {words.statuses[answer.status]}, {score}" + (
        f"; {why}" if why else ""
    )
