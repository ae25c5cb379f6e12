"""What ``whet capability sets``, ``lint`` and ``coverage`` do once their imports are worth it."""

from pathlib import Path

import typer
from pydantic import JsonValue
from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet import __version__
from whet.app.app import opened
from whet.app.capability.coverage import coverage_of
from whet.app.capability.sets import case_sets, part, parts
from whet.app.parts import every_checker
from whet.app.settings import Settings
from whet.cli.asset_output import cell, line, plain_table, print_json
from whet.cli.capability_options import Coverage, Lint, LintForm, Sets
from whet.cli.capability_words import CapabilityWords, FindWords, SetWords
from whet.core.errors import NotFound
from whet.documents.capability import CaseSetList, CaseSetSummary
from whet.documents.capability_report import CaseCoverage, CaseLint
from whet.evaluate.capability.lint import Part
from whet.evaluate.capability.lint import lint as looked_at
from whet.evaluate.capability.sarif import as_sarif
from whet.exporters.capability.figures import DIMENSIONS

MOST_FINDINGS = 200
"""On a screen; the rest is counted."""


def sets(settings: Settings, options: Sets) -> None:
    """Print the sets, and what is wrong with those that cannot be read."""
    found = CaseSetList(case_sets=tuple(one.summary() for one in case_sets(settings.workspace)))
    if options.json:
        print_json(found.to_data())
        return
    words = CapabilityWords(settings.language).find
    readable = [one for one in found.case_sets if one.problem is None]
    if readable:
        Console().print(_table(readable, words))
    for one in found.case_sets:
        if one.problem is not None:
            typer.echo(line(f"{words.problem}: {one.source}: {one.problem}"))


def lint(settings: Settings, options: Lint) -> None:
    """Print what is wrong, and end with 1 if there are errors."""
    given = _parts(settings, options.case_set)
    with opened(settings) as app:
        found = looked_at(given, every_checker(app.parts))
    words = CapabilityWords(settings.language).sets
    match options.format_:
        case LintForm.SARIF:
            print_json(as_sarif(found, __version__))
        case LintForm.TEXT if not options.json:
            _print_findings(found, words)
        case _:
            print_json(found.to_data())
    if found.errors:
        raise typer.Exit(1)


def coverage(settings: Settings, options: Coverage) -> None:
    """Print what a set or a run touches."""
    with opened(settings) as app:
        found = coverage_of(app, options.subject, options.language)
    if options.json:
        print_json(found.to_data())
    else:
        _print_coverage(Console(highlight=False), found, CapabilityWords(settings.language).sets)


def _parts(settings: Settings, reference: str) -> list[Part]:
    if found := parts(settings.workspace, reference):
        return found
    path = Path(reference)
    if path.is_file():
        return [part(path)]
    known = sorted({one.name for one in case_sets(settings.workspace)})
    raise NotFound(f"no case set and no file {reference!r}; sets: {', '.join(known) or 'none'}")


def _table(found: list[CaseSetSummary], words: FindWords) -> Table:
    heads = [words.columns[one] for one in ("case_set", "language", "cases")]
    heads += [*DIMENSIONS, words.columns["source"]]
    table = plain_table(heads, heads[:-1])
    for column in table.columns[2:-1]:
        column.justify = "right"
    for one in found:
        table.add_row(
            cell(one.case_set if one.version is None else f"{one.case_set} {one.version}", 80),
            cell(one.language or "–", 40),
            str(one.case_count),
            *(str(one.dimensions.get(name, 0)) for name in DIMENSIONS),
            cell(one.source or "", 200),
        )
    return table


def _print_findings(found: CaseLint, words: SetWords) -> None:
    for one in found.findings[:MOST_FINDINGS]:
        where = f"{one.source}: {one.place}" if one.place else one.source
        case = f" [{one.case_id}]" if one.case_id else ""
        typer.echo(line(f"{where}{case}: {one.level} {one.rule} {one.message}", 600))
        typer.echo(f"  {line(f'{words.fix}: {one.fix}')}")
    if (more := len(found.findings) - MOST_FINDINGS) > 0:
        typer.echo(f"… {more}")
    counts: dict[str, JsonValue] = {
        "cases": found.cases,
        "errors": found.errors,
        "warnings": found.warnings,
    }
    typer.echo(words.lint.format(**counts))


def _print_coverage(console: Console, found: CaseCoverage, words: SetWords) -> None:
    title = words.coverage.format(name=found.case_set, cases=found.cases, weight=found.weight)
    console.print(Text(line(title), "bold"))
    heads = [words.columns[one] for one in ("kind", "name", "cases", "weight", "skippable")]
    table = plain_table([*heads, words.columns["checked"]], heads)
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
