"""What ``whet skill lint`` does once its imports are worth their time."""

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import typer

from whet import __version__
from whet.app.library.lint import lint_version
from whet.app.settings import Settings
from whet.cli.skill_lint_words import SkillLintWords
from whet.cli.skill_place import shelf_of
from whet.core.errors import UsageError
from whet.curate.lint.fix import fix
from whet.curate.lint.folder import skill_folders
from whet.curate.lint.registry import lint
from whet.curate.lint.report import Report, as_json, total
from whet.curate.lint.sarif import as_sarif
from whet.evaluate.review import printable


def run(settings: Settings, path: Path, format_: str, *, fixing: bool) -> None:
    """Look at every skill, print what was found, and end with 1 if there are errors."""
    reports = _reports(settings, path, fixing=fixing)
    match format_:
        case "json":
            _print_json(as_json(reports))
        case "sarif":
            _print_json(as_sarif(reports, Path.cwd(), __version__))
        case _:
            _print(reports, SkillLintWords(settings.language))
    if total(reports, "error"):
        raise typer.Exit(1)


def _reports(settings: Settings, path: Path, *, fixing: bool) -> list[Report]:
    with shelf_of(settings, path) as shelf:
        if shelf is None:
            return [_looked_at(folder, fixing=fixing) for folder in skill_folders(path)]
        if fixing:
            raise UsageError(f"{path} is in the library, where no version changes; edit it")
        return [lint_version(shelf, str(path))]


def _looked_at(folder: Path, *, fixing: bool) -> Report:
    repairs = fix(folder) if fixing else ()
    return replace(lint(folder), repairs=repairs)


def _print(reports: Sequence[Report], words: SkillLintWords) -> None:
    for report in reports:
        for repair in report.repairs:
            where = report.folder / repair.path
            typer.echo(printable(f"{where}: {words.fixed} {repair.rule} {repair.message}"))
        for one in report.findings:
            rule, where = one.rule, report.folder / one.path
            typer.echo(printable(f"{where}:{one.line}: {rule.level} {rule.id} {one.message}"))
            typer.echo(f"  {words.fix}: {rule.fix}")
    summary = words.summary.format(
        skills=len(reports),
        errors=total(reports, "error"),
        warnings=total(reports, "warning"),
        infos=total(reports, "info"),
    )
    typer.echo(summary)


def _print_json(data: object) -> None:
    sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")
