"""The options of ``whet project compare`` and ``environment``."""

from dataclasses import dataclass
from typing import Annotated

import typer

from whet.cli.options import Json, Workspace
from whet.cli.project_options import Project

SIDE = "PROJECT:SKILL, a project of one skill, or a skill; @v2 picks a version."


@dataclass(frozen=True, kw_only=True)
class Compare:
    """The options of ``whet project compare``."""

    left: Annotated[str, typer.Argument(help=SIDE)]
    right: Annotated[str, typer.Argument(help="The same.")]
    case: Annotated[
        str | None,
        typer.Option("--case", help="The answers to this case, by id or name.", metavar="CASE"),
    ] = None
    attempt: Annotated[int, typer.Option(help="With --case: which attempt.", min=1)] = 1
    side_by_side: Annotated[
        bool, typer.Option("--side-by-side", help="With --case: in two columns instead of one.")
    ] = False
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Environment:
    """The options of ``whet project environment``."""

    project: Project
    other: Annotated[
        str | None, typer.Argument(help="Another one, to be compared with.", metavar="OTHER")
    ] = None
    workspace: Workspace = None
    json: Json = False
