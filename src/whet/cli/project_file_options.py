"""The options of ``whet project export`` and ``import``."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from whet.cli.options import Json, Workspace
from whet.cli.project_options import Project


class Form(StrEnum):
    """What a project can be written as."""

    ZIP = "zip"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"
    HTML = "html"


@dataclass(frozen=True, kw_only=True)
class Export:
    """The options of ``whet project export``."""

    project: Project
    format_: Annotated[
        Form, typer.Option("--format", help="All of it as zip, or a report in one of the others.")
    ] = Form.ZIP
    output: Annotated[
        str | None,
        typer.Option(
            help="The file, or the folder for it; - is stdout. Default: NAME here.", metavar="PATH"
        ),
    ] = None
    trials: Annotated[
        bool,
        typer.Option(
            "--trials", help="With the records, so that they can be replayed and graded elsewhere."
        ),
    ] = False
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Import:
    """The options of ``whet project import``."""

    file: Annotated[Path, typer.Argument(help="The zip.", metavar="FILE")]
    renamed: Annotated[
        bool, typer.Option("--renamed", help="With a new id, beside the one that is here already.")
    ] = False
    workspace: Workspace = None
    json: Json = False
