"""``whet capability lint`` and ``coverage``: mistakes in a set of cases, and what it touches."""

from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.text import Text

from whet import __version__
from whet.app.app import opened
from whet.app.capability.coverage import coverage_of
from whet.app.capability.sets import no_set_or_file, part, parts
from whet.app.parts import every_checker
from whet.cli.asset_output import cell, line, plain_table, print_json
from whet.cli.command import Call
from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText
from whet.documents.capability_report import CaseCoverage, CaseLint
from whet.evaluate.capability.lint import Part
from whet.evaluate.capability.lint import lint as lint_parts
from whet.evaluate.capability.sarif import as_sarif

MOST_FINDINGS = 200
"""On a screen; the rest is counted."""


class CaseLintWords(Words):
    """What is said of mistakes and of coverage; names in braces are filled in."""

    lint = Both(
        "cases: {cases}, errors: {errors}, warnings: {warnings}",
        "用例：{cases}，错误：{errors}，警告：{warnings}",
    )
    fix = Both("fix", "解决办法")
    coverage = Both(
        CountedText("{name}: {cases:case|cases}, weight {weight}"),
        "{name}：{cases} 个用例，权重 {weight}",
    )
    kinds = Both(
        {
            "dimensions": "dimension",
            "languages": "language",
            "tags": "tag",
            "checkers": "checker",
            "tools": "tool",
        },
        {
            "dimensions": "维度",
            "languages": "语言",
            "tags": "标签",
            "checkers": "判定规则",
            "tools": "工具",
        },
    )
    heads = Both(
        ("what", "", "cases", "weight", "may be skipped", "checked"),
        ("类别", "", "用例数", "权重", "可能跳过", "检查使用"),
    )
    uncovered = Both("Not covered: {names}", "未覆盖：{names}")
    none = Both("none", "无")


SetOrFile = Annotated[
    str, typer.Argument(help="A case set by its name, or a file with cases.", metavar="SET")
]
LintForm = Annotated[
    Literal["text", "json", "sarif"], typer.Option("--format", help="How to print it.")
]
Subject = Annotated[
    str, typer.Argument(help="A case set, a file with cases, or a run by its id.", metavar="SET")
]
Language = Annotated[str | None, typer.Option(help="Only cases in this language.")]


def lint(call: Call, case_set: SetOrFile, form: LintForm = "text") -> None:
    """Print what is wrong, and end with 1 if there are errors."""
    given = _parts(call.settings.workspace, case_set)
    with opened(call.settings) as app:
        known = lint_parts(given, every_checker(app.parts))
    if form == "sarif":
        print_json(as_sarif(known, __version__))
    elif form == "json" or call.json:
        print_json(known.to_data())
    else:
        _print_findings(known, CaseLintWords(call.language))
    if known.errors:
        raise typer.Exit(1)


def coverage(call: Call, subject: Subject, language: Language = None) -> None:
    """Print what a set or a run touches."""
    with opened(call.settings) as app:
        known = coverage_of(app, subject, language)
    if call.json:
        print_json(known.to_data())
    else:
        _print_coverage(Console(highlight=False), known, CaseLintWords(call.language))


def _parts(workspace: Path, reference: str) -> list[Part]:
    if known := parts(workspace, reference):
        return known
    if Path(reference).is_file():
        return [part(Path(reference))]
    raise no_set_or_file(workspace, reference)


def _print_findings(found: CaseLint, words: CaseLintWords) -> None:
    for one in found.findings[:MOST_FINDINGS]:
        where = f"{one.source}: {one.place}" if one.place else one.source
        case = f" [{one.case_id}]" if one.case_id else ""
        typer.echo(line(f"{where}{case}: {one.level} {one.rule} {one.message}", 600))
        typer.echo(f"  {line(f'{words.fix}: {one.fix}')}")
    if (more := len(found.findings) - MOST_FINDINGS) > 0:
        typer.echo(f"… {more}")
    counts = {"errors": found.errors, "warnings": found.warnings}
    typer.echo(words.lint.format(cases=found.cases, **counts))


def _print_coverage(console: Console, found: CaseCoverage, words: CaseLintWords) -> None:
    title = words.coverage.format(name=found.case_set, cases=found.cases, weight=found.weight)
    console.print(Text(line(title), "bold"))
    table = plain_table(words.heads, words.heads[:-1])
    for column in table.columns[2:]:
        column.justify = "right"
    for kind in ("dimensions", "languages", "tags", "checkers"):
        for number, (name, share) in enumerate(getattr(found, kind).items()):
            first = words.kinds[kind] if number == 0 else ""
            skippable = str(share.skippable or "")
            shown = cell(name or "–", 80)
            table.add_row(first, shown, str(share.cases), f"{share.weight:g}", skippable, "")
    for number, tool in enumerate(found.tools):
        first = words.kinds["tools"] if number == 0 else ""
        checked = str(tool.checked or "")
        shown = cell(tool.tool, 80)
        table.add_row(first, shown, str(tool.cases), f"{tool.weight:g}", "", checked)
    console.print(table)
    missing = (*found.uncovered_tools, *found.uncovered_tags, *found.uncovered_checkers)
    told = ", ".join(missing) or words.none
    console.print(Text(words.uncovered.format(names=line(told, 600))))
