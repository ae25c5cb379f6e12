"""``whet skill lint``: what is wrong with a skill."""

import json
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import typer

from whet import __version__
from whet.app.library.library import Library, library
from whet.app.library.lint import lint_version
from whet.app.settings import Settings
from whet.cli.command import Call
from whet.core.bilingual import Both, Words
from whet.core.errors import NotFound, UsageError
from whet.core.text import printable
from whet.curate.lint import registry
from whet.curate.lint.fix import fix as fix_folder
from whet.curate.lint.folder import skill_folders
from whet.curate.lint.report import Report, as_json, total
from whet.curate.lint.sarif import as_sarif


class LintWords(Words):
    """What is said of a skill that was checked."""

    fixed = Both("fixed", "已修复")
    fix = Both("fix", "解决办法")
    summary = Both(
        "skills: {skills}, errors: {errors}, warnings: {warnings}, infos: {infos}",
        "技能：{skills}，错误：{errors}，警告：{warnings}，提示：{infos}",
    )


def lint(
    call: Call,
    path: Annotated[
        Path, typer.Argument(help="A skill's folder, one with skills below, or a name.")
    ],
    format_: Annotated[
        Literal["text", "json", "sarif"], typer.Option("--format", help="How to print it.")
    ] = "text",
    fix: Annotated[
        bool, typer.Option("--fix", help="Put right what needs no person, and say what.")
    ] = False,
) -> None:
    """Look at every skill, print what was found, and end with 1 if there are errors."""
    reports = _reports(call.settings, path, fixing=fix)
    if format_ == "sarif":
        _print_json(as_sarif(reports, Path.cwd(), __version__))
    elif format_ == "json" or call.json:
        _print_json(as_json(reports))
    else:
        _print(reports, LintWords(call.language))
    if total(reports, "error"):
        raise typer.Exit(1)


@contextmanager
def shelf_of(settings: Settings, given: Path) -> Generator[Library | None]:
    """The library, if *given* is a skill in it and no path on disk; raises ``NotFound``."""
    if given.exists() or not settings.workspace.is_dir():
        yield None
        return
    with library(settings.workspace, "skill") as shelf:
        try:
            shelf.entry(str(given))
        except NotFound as error:
            raise NotFound(f"no folder {given}, and {error}") from None
        yield shelf


def _reports(settings: Settings, path: Path, *, fixing: bool) -> list[Report]:
    with shelf_of(settings, path) as shelf:
        if shelf is None:
            return [_looked_at(folder, fixing=fixing) for folder in skill_folders(path)]
        if fixing:
            raise UsageError(f"{path} is in the library, where no version changes; edit it")
        return [lint_version(shelf, str(path))]


def _looked_at(folder: Path, *, fixing: bool) -> Report:
    repairs = fix_folder(folder) if fixing else ()
    return replace(registry.lint(folder), repairs=repairs)


def _print(reports: Sequence[Report], words: LintWords) -> None:
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
