"""``whet project results``: what came of each case with each skill, page by page or one in full."""

from collections.abc import Iterator
from typing import Annotated

import typer
from pydantic import JsonValue
from rich.console import Console
from rich.text import Text

from whet.app.app import opened
from whet.app.projects import results_told
from whet.app.projects.requests import ResultListing
from whet.app.projects.results_told import ResultDetail, ResultItem, ResultPage
from whet.app.projects.shelf import ProjectShelf
from whet.app.projects.wanted import listing_query, of_project
from whet.cli.asset_output import cell, line, plain_table, print_json
from whet.cli.command import Call
from whet.cli.figures import share
from whet.cli.project_text import PageWords, Reference, facts_grid, page_text
from whet.cli.request_options import Spelling
from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText
from whet.core.errors import UsageError
from whet.core.text import printable

_LONG = ("input", "expected_output", "actual_output")
_SHOWN = 20_000
"""Characters of a text on the screen."""

_FIXED = ("attempt", "score", "checks", "seconds", "cost")


class ResultWords(Words):
    """Headings and sentences; names in braces are filled in."""

    columns = Both(
        {
            "skill": "skill",
            "case": "case",
            "attempt": "try",
            "result": "result",
            "score": "score",
            "checks": "checks",
            "seconds": "time",
            "cost": "cost",
        },
        {
            "skill": "技能",
            "case": "用例",
            "attempt": "次序",
            "result": "结果",
            "score": "得分",
            "checks": "检查",
            "seconds": "用时",
            "cost": "费用",
        },
    )
    fields = Both(
        {
            "skill": "skill",
            "baseline": "baseline",
            "case": "case",
            "attempt": "attempt",
            "result": "result",
            "score": "score",
            "checks": "checks",
            "executed_at": "when",
            "seconds": "time",
            "tokens": "tokens",
            "context": "context",
            "cost": "cost",
            "model": "model",
        },
        {
            "skill": "技能",
            "baseline": "基线",
            "case": "用例",
            "attempt": "次序",
            "result": "结果",
            "score": "得分",
            "checks": "检查",
            "executed_at": "时间",
            "seconds": "用时",
            "tokens": "词元",
            "context": "上下文",
            "cost": "费用",
            "model": "模型",
        },
    )
    values = Both(
        {
            "completed": "completed",
            "failed": "failed",
            "skipped": "skipped",
            "unscored": "no score",
            "ungraded": "judge failed",
            "gate_failed": "critical check failed",
            "imported": "imported",
            "simulated": "simulated",
        },
        {
            "completed": "完成",
            "failed": "失败",
            "skipped": "跳过",
            "unscored": "未评分",
            "ungraded": "评审失败",
            "gate_failed": "关键检查未通过",
            "imported": "导入",
            "simulated": "模拟",
        },
    )
    no_results = Both("no results yet", "还没有结果")
    of_attempts = Both("{attempt} of {count}", "{attempt} / {count}")
    long_conversation = Both(
        CountedText("about {tokens:token|tokens}, near or beyond the threshold"),
        "约 {tokens} 词元，接近或超过阈值",
    )
    more_text = Both(
        CountedText("… {characters:character|characters} in all; --json has them"),
        "……共 {characters} 个字符，--json 给出全部",
    )
    headings = Both(
        {
            "input": "input",
            "expected_output": "expected",
            "actual_output": "answer",
            "scores": "scores",
            "checks": "checks",
            "score_reasoning": "reasons",
            "error": "error",
        },
        {
            "input": "输入",
            "expected_output": "期望",
            "actual_output": "回答",
            "scores": "评分",
            "checks": "检查",
            "score_reasoning": "理由",
            "error": "错误",
        },
    )
    outcomes = Both(
        {"passed": "passed", "failed": "failed", "vacuous": "vacuous", "skipped": "skipped"},
        {"passed": "通过", "failed": "未通过", "vacuous": "无可检查", "skipped": "跳过"},
    )


Listing = Annotated[
    ResultListing,
    Spelling(
        {"grade_status": "--grade"},
        help={
            "skill": "A skill of the project; @v2 picks a version.",
            "baseline": "A baseline of the project.",
        },
    ),
]
Attempt = Annotated[
    int | None,
    typer.Option(help="With --skill and --case: that attempt in full. Default: 1.", min=1),
]


def results(call: Call, reference: Reference, request: Listing, attempt: Attempt = None) -> None:
    """Print a page of results, or one of them in full."""
    is_one = request.skill is not None and request.case is not None
    if attempt is not None and not is_one:
        raise UsageError("--attempt needs --skill and --case")
    with opened(call.settings) as app:
        project = ProjectShelf(app).find(reference)
        if is_one:
            query = of_project(project, request.skill, request.baseline, request.case)
            found = results_told.detail(app, project, query, attempt or 1)
        else:
            found = results_told.page(app, project, listing_query(project, request))
    if call.json:
        print_json(found)
    elif isinstance(found, ResultDetail):
        _print_one(Console(), found, ResultWords(call.language))
    else:
        _print_page(found, request, call.language)


def _print_page(page: ResultPage, request: ResultListing, language: str) -> None:
    words, pages = ResultWords(language), PageWords(language)
    if not page.items:
        narrowed = (
            request.skill,
            request.baseline,
            request.case,
            request.status,
            request.grade_status,
        )
        beyond = pages.no_page.format(page=page.page, total=page.total)
        none = pages.none_fit if any(narrowed) else words.no_results
        typer.echo(beyond if page.total else none)
        return
    is_several = len({item.set for item in page.items}) > 1
    rows = [_row(item, words, is_several=is_several) for item in page.items]
    # A column that says the same of all of them, or nothing, has no room here.
    shown = [name for name in rows[0] if _is_telling(name, page)]
    heads = (words.columns[name] for name in shown)
    table = plain_table(heads, (words.columns[name] for name in _FIXED))
    for row in rows:
        table.add_row(*(row[name] for name in shown))
    Console().print(table)
    typer.echo(page_text(page.page, page.page_size, len(page.items), page.total, language))


def _is_telling(name: str, page: ResultPage) -> bool:
    if name == "attempt":
        return any(item.attempt > 1 for item in page.items)
    if name == "checks":
        return any(item.check_pass_rate is not None for item in page.items)
    return name != "cost" or any(item.cost_usd for item in page.items)


def _row(item: ResultItem, words: ResultWords, *, is_several: bool) -> dict[str, Text]:
    skill = cell(item.skill_name or item.arm, 80)
    skill.append(f" {line(item.skill_version, 20)}", "dim")
    case = cell(item.case, 80)
    if item.case_name != item.case:
        case.append(f"\n{line(item.case_name, 80)}", "dim")
    if is_several:
        case.append(f"\n{line(item.baseline_name or item.set, 80)}", "dim")
    result = Text(_outcome(item, words), "" if item.score is not None else "yellow")
    if item.error:
        result.append(f"\n{line(item.error, 160)}", "dim")
    return {
        "skill": skill,
        "case": case,
        "attempt": Text(str(item.attempt), justify="right"),
        "result": result,
        "score": Text("–" if item.score is None else f"{item.score:.1f}", justify="right"),
        "checks": Text(share(item.check_pass_rate), justify="right"),
        "seconds": Text(_seconds(item), justify="right"),
        "cost": Text(_cost(item), justify="right"),
    }


def _outcome(item: ResultItem, words: ResultWords) -> str:
    """In words, also why there is no score."""
    said = [words.values[item.status]]
    if item.status == "completed" and item.grade_status != "scored":
        said.append(words.values["unscored" if item.grade_status == "unscored" else "ungraded"])
    if item.gate_passed is False:
        said.append(words.values["gate_failed"])
    if item.generation == 0:
        said.append(words.values["imported"])
    return ", ".join(said)


def _seconds(item: ResultItem) -> str:
    """Nobody knows how long one without an answer took; a replay may take no time at all."""
    return "–" if item.generation is None else f"{item.duration_ms / 1000:.1f} s"


def _cost(item: ResultItem) -> str:
    return "–" if item.cost_usd is None else f"${item.cost_usd:.4f}"


def _print_one(console: Console, found: ResultDetail, words: ResultWords) -> None:
    grid = facts_grid()
    for name, text in _facts(found, words).items():
        if text:
            grid.add_row(words.fields[name], cell(text, 600))
    console.print(grid)
    for name in _LONG:
        _text(console, name, str(found.result.get(name) or ""), words)
    _print_lines(console, "scores", _scores(found), words)
    _print_lines(console, "checks", _checks(found, words), words)
    if not any(one.evidence for one in found.dimensions.values()):
        _text(console, "score_reasoning", str(found.result.get("score_reasoning") or ""), words)
    _text(console, "error", str(found.result.get("error") or ""), words)


def _facts(found: ResultDetail, words: ResultWords) -> dict[str, str]:
    item, result = found.item, found.result
    tokens = [result.get(name) for name in ("input_tokens", "output_tokens")]
    simulated = f" · {words.values['simulated']}" if result.get("simulated") else ""
    model = f"{result.get('engine') or ''} {result.get('model_version') or ''}"
    attempt = words.of_attempts.format(attempt=item.attempt, count=found.attempts)
    return {
        "skill": f"{item.skill_name} {item.skill_version}",
        "baseline": f"{item.baseline_name} {item.baseline_version}",
        "case": f"{item.case}  {item.case_name}",
        "attempt": attempt if found.attempts > 1 else "",
        "result": _outcome(item, words),
        "score": "" if item.score is None else f"{item.score:g}",
        "checks": "" if item.check_pass_rate is None else share(item.check_pass_rate),
        "executed_at": str(result.get("executed_at") or ""),
        "seconds": _seconds(item),
        "tokens": " + ".join(map(str, tokens)) if None not in tokens else "",
        "context": _context(result, words),
        "cost": "" if item.cost_usd is None else _cost(item),
        "model": f"{model.strip()}{simulated}",
    }


def _context(result: dict[str, JsonValue], words: ResultWords) -> str:
    """Only where the conversation came near what the project cares for, or beyond."""
    if result.get("context_risk") in (None, "normal"):
        return ""
    return words.long_conversation.format(tokens=result.get("estimated_tokens"))


def _scores(found: ResultDetail) -> Iterator[str]:
    scores = found.result.get("scores")
    for name, value in scores.items() if isinstance(scores, dict) else ():
        why = found.dimensions[name].evidence if name in found.dimensions else ""
        yield f"{_number(value):>6}  {name}" + (f"  {why}" if why else "")


def _number(value: JsonValue) -> str:
    return f"{value:g}" if isinstance(value, int | float) else "–"


def _checks(found: ResultDetail, words: ResultWords) -> Iterator[str]:
    for check in found.checks:
        because = check.error or check.evidence
        yield f"{words.outcomes[check.outcome]}: {check.text}" + (
            f"  ({because})" if because else ""
        )


def _print_lines(console: Console, name: str, lines: Iterator[str], words: ResultWords) -> None:
    told = [*lines]
    if told:
        console.print(Text(f"\n{words.headings[name]}", "bold"))
    for one in told:
        # Blanks at the beginning are a column of numbers.
        indent = one[: len(one) - len(one.lstrip())]
        typer.echo(f"  {indent}{line(one, 600)}")


def _text(console: Console, name: str, text: str, words: ResultWords) -> None:
    if not text:
        return
    console.print(Text(f"\n{words.headings[name]}", "bold"))
    typer.echo(printable(text[:_SHOWN]))
    if len(text) > _SHOWN:
        typer.echo(words.more_text.format(characters=len(text)))
