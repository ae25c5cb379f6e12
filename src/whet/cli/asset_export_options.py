"""The options of ``whet skill export`` and ``whet baseline export``."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

import typer

from whet.cli.asset_options import Reference, Version
from whet.cli.options import Json, Workspace


class SkillFormat(StrEnum):
    """The forms of a skill."""

    TEXT = "text"
    JSON = "json"
    ZIP = "zip"
    FOLDER = "folder"


class BaselineFormat(StrEnum):
    """The forms of a baseline."""

    JSON = "json"
    CSV = "csv"
    EVALS = "evals"


@dataclass(frozen=True, kw_only=True)
class Export:
    """What both have."""

    reference: Reference
    version: Version = None
    output: Annotated[
        str | None,
        typer.Option(
            help="The file, or the folder for it; - is stdout. Default: NAME here.", metavar="PATH"
        ),
    ] = None
    force: Annotated[bool, typer.Option("--force", help="Also over a file that is there.")] = False
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class SkillExport(Export):
    """The options of ``whet skill export``."""

    format_: Annotated[
        SkillFormat | None,
        typer.Option("--format", help="The form. Default: text, of a package zip."),
    ] = None


@dataclass(frozen=True, kw_only=True)
class BaselineExport(Export):
    """The options of ``whet baseline export``."""

    format_: Annotated[BaselineFormat, typer.Option("--format", help="The form.")] = (
        BaselineFormat.JSON
    )
