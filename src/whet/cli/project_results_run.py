"""What ``whet project results`` does once its imports are worth their time."""

from collections.abc import Iterator
from dataclasses import replace

import typer
from pydantic import JsonValue
from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet.app.app import opened
from whet.app.projects import results_told
from whet.app.projects.results_told import ResultDetail, ResultItem, ResultPage
from whet.app.projects.shelf import ProjectShelf
from whet.app.projects.wanted import of_project
from whet.app.settings import Settings
from whet.cli.asset_output import cell, line, plain_table, print_json
from whet.cli.project_find_options import Results
from whet.cli.project_find_run import extent
from whet.cli.project_find_words import FindWords
from whet.cli.project_text import share
from whet.core.errors import UsageError
from whet.evaluate.review import printable

_LONG = ("input", "expected_output", "actual_output")
_SHOWN = 20_000
"""Characters of a text on the screen."""

_FIXED = ("attempt", "score", "checks", "seconds", "cost")


def results(settings: Settings, options: Results) -> None:
    """Print a page of results, or one of them in full."""
    is_one = options.skill is not None and options.case is not None
    if options.attempt is not None and not is_one:
        raise UsageError("--attempt needs --skill and --case")
    with opened(settings) as app:
        project = ProjectShelf(app).find(options.project)
        query = of_project(project, options.skill, options.baseline, options.case)
        if is_one:
            found = results_told.detail(app, project, query, options.attempt or 1)
        else:
            status = None if options.status is None else options.status.value
            grade = None if options.grade is None else options.grade.value
            page, size = options.page, options.page_size
            query = replace(query, status=status, grade_status=grade, page=page, page_size=size)
            found = results_told.page(app, project, query)
    words = FindWords(settings.language)
    if options.json:
        print_json(found)
    elif isinstance(found, ResultDetail):
        _print_one(Console(), found, words)
    else:
        _print_page(Console(), found, options, words)


def _print_page(console: Console, page: ResultPage, options: Results, words: FindWords) -> None:
    if not page.items:
        narrowed = (options.skill, options.baseline, options.case, options.status, options.grade)
        beyond = words.no_page.format(page=page.page, total=page.total)
        none = words.none_fit if any(narrowed) else words.no_results
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
    console.print(table)
    typer.echo(extent(page.page, page.page_size, len(page.items), page.total, words))


def _is_telling(name: str, page: ResultPage) -> bool:
    if name == "attempt":
        return any(item.attempt > 1 for item in page.items)
    if name == "checks":
        return any(item.check_pass_rate is not None for item in page.items)
    return name != "cost" or any(item.cost_usd for item in page.items)


def _row(item: ResultItem, words: FindWords, *, is_several: bool) -> dict[str, Text]:
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


def _outcome(item: ResultItem, words: FindWords) -> str:
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


def _print_one(console: Console, found: ResultDetail, words: FindWords) -> None:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, text in _facts(found, words).items():
        if text:
            grid.add_row(words.fields[name], cell(text, 600))
    console.print(grid)
    for name in _LONG:
        _text(console, name, str(found.result.get(name) or ""), words)
    _listed(console, "scores", _scores(found), words)
    _listed(console, "checks", _checks(found, words), words)
    if not any(one.evidence for one in found.dimensions.values()):
        _text(console, "score_reasoning", str(found.result.get("score_reasoning") or ""), words)
    _text(console, "error", str(found.result.get("error") or ""), words)


def _facts(found: ResultDetail, words: FindWords) -> dict[str, str]:
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


def _context(result: dict[str, JsonValue], words: FindWords) -> str:
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


def _checks(found: ResultDetail, words: FindWords) -> Iterator[str]:
    for check in found.checks:
        because = check.error or check.evidence
        yield f"{words.outcomes[check.outcome]}: {check.text}" + (
            f"  ({because})" if because else ""
        )


def _listed(console: Console, name: str, lines: Iterator[str], words: FindWords) -> None:
    told = [*lines]
    if told:
        console.print(Text(f"\n{words.headings[name]}", "bold"))
    for one in told:
        # Blanks at the beginning are a column of numbers.
        indent = one[: len(one) - len(one.lstrip())]
        typer.echo(f"  {indent}{line(one, 600)}")


def _text(console: Console, name: str, text: str, words: FindWords) -> None:
    if not text:
        return
    console.print(Text(f"\n{words.headings[name]}", "bold"))
    typer.echo(printable(text[:_SHOWN]))
    if len(text) > _SHOWN:
        typer.echo(words.more_text.format(characters=len(text)))
