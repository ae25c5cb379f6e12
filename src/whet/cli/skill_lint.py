"""``whet skill lint``: what is wrong with a skill."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from whet.cli.options import Json, Workspace, one_line_errors


class Format(StrEnum):
    """How findings are printed."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


def lint(
    path: Annotated[
        Path, typer.Argument(help="A skill's folder, one with skills below, or a name.")
    ],
    format_: Annotated[Format, typer.Option("--format", help="How to print it.")] = Format.TEXT,
    fix: Annotated[
        bool, typer.Option("--fix", help="Put right what needs no person, and say what.")
    ] = False,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Hold a skill against the Agent Skills specification; exit code 1 if there are errors."""
    with one_line_errors("stopped"):
        from whet.app.settings import read
        from whet.cli.skill_lint_run import run

        chosen = Format.JSON if json and format_ is Format.TEXT else format_
        run(read(workspace), path, chosen.value, fixing=fix)
