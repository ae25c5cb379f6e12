"""What ``whet project compare`` does once its imports are worth their time."""

from collections.abc import Iterator

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet.app.app import opened
from whet.app.projects.compare import compare_answers, compare_skills
from whet.app.settings import Settings
from whet.cli.asset_output import cell, line, plain_table, print_json, print_unified
from whet.cli.asset_versions_columns import columns
from whet.cli.asset_versions_words import VersionsWords
from whet.cli.project_compare_options import Compare
from whet.cli.project_compare_words import CompareWords
from whet.cli.project_environment_run import differences
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


def compare(settings: Settings, options: Compare) -> None:
    """Print two skills side by side, or their answers to one case."""
    words = CompareWords(settings.language)
    if options.case is not None:
        with opened(settings) as app:
            both = compare_answers(app, options.left, options.right, options.case, options.attempt)
        if options.json:
            print_json(both)
        else:
            _answers(Console(highlight=False), both, options, settings.language)
        return
    with opened(settings) as app:
        found = compare_skills(app, options.left, options.right)
    if options.json:
        print_json(found.to_data())
    else:
        _print(Console(highlight=False), found, words, settings.language)


def _print(console: Console, found: SkillComparison, words: CompareWords, language: str) -> None:
    title = words.title.format(left=_titled(found.left), right=_titled(found.right))
    console.print(Text(title, "bold"), soft_wrap=True)
    console.print(Text(_sentence(found, words)))
    for scope in scope_lines(found.score.verdict, language):
        console.print(Text(scope))
    console.print(
        words.counts.format(
            wins=found.wins, losses=found.losses, ties=found.ties, unpaired=found.unpaired
        )
    )
    console.print(_figures(found, words, language))
    console.print(_cases(found.cases[:CASES], words))
    for remark in _remarks(found, words):
        console.print(Text(remark, "yellow"))
    if found.environment:
        console.print(Text(words.environment, "yellow"))
        names = (found.left.project_name, found.right.project_name)
        console.print(differences(found.environment, names, words))


def _titled(side: ComparedSide) -> str:
    return line(f"{side.skill_name or side.skill_id} {side.skill_version}", 120)


def _sentence(found: SkillComparison, words: CompareWords) -> str:
    verdict = found.score.verdict
    if verdict.delta is None:
        return words.incomparable
    return words.verdicts[verdict.label].format(
        left=_titled(found.left),
        right=_titled(found.right),
        delta=abs(verdict.delta),
        cases=verdict.n_cases,
    )


def _figures(found: SkillComparison, words: CompareWords, language: str) -> Table:
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
        label = "\n".join(short_scopes(one.verdict, language, with_intervals=False))
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


def _cases(cases: tuple[ComparedCase, ...], words: CompareWords) -> Table:
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


def _standing(side: CaseStanding, words: CompareWords) -> Text:
    """The average, and what is not in it."""
    text = Text(_number(side.average))
    for name in ("failed", "unscored", "missing"):
        if count := getattr(side, name):
            text.append(f"\n{words.troubles[name].format(count=count)}", "yellow")
    return text


def _remarks(found: SkillComparison, words: CompareWords) -> Iterator[str]:
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


def _answers(console: Console, both: AnswerDifference, options: Compare, language: str) -> None:
    words, shared = CompareWords(language), VersionsWords(language)
    case = both.case_id if both.case_name == both.case_id else f"{both.case_id}  {both.case_name}"
    told = words.attempt.format(case=line(case, 120), attempt=both.attempt)
    console.print(Text(told, "bold"), soft_wrap=True)
    for answer in (both.left, both.right):
        console.print(Text(_answer(answer, words)))
    if not both.text.unified:
        console.print(words.same_answer)
    elif options.side_by_side:
        for one in (Text(), *columns(both.text.rows, console.width, shared.equal_lines)):
            console.print(one, soft_wrap=True)
    else:
        print_unified(console, both.text.unified)
    if both.text.is_cut:
        typer.echo(shared.cut)


def _answer(answer: Answer, words: CompareWords) -> str:
    score = words.no_score if answer.score is None else f"{answer.score:g}"
    why = line(answer.error or answer.reasoning, 400)
    return f"{line(answer.skill, 120)}: {words.statuses[answer.status]}, {score}" + (
        f"; {why}" if why else ""
    )
