"""The options of ``whet package``."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from whet.cli.options import Json, Workspace

Reference = Annotated[
    str,
    typer.Argument(
        help="What the package calls itself, its name, or its id or the beginning of that.",
        metavar="PACKAGE",
    ),
]


@dataclass(frozen=True, kw_only=True)
class Install:
    """The options of ``whet package install``."""

    source: Annotated[Path, typer.Argument(help="A zip or a folder.", metavar="ZIP_OR_FOLDER")]
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class List:
    """The options of ``whet package list``."""

    all_: Annotated[bool, typer.Option("--all", help="Also those that were removed.")] = False
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Plain:
    """The options of commands that only need a package."""

    reference: Reference
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Rollback:
    """The options of ``whet package rollback``."""

    reference: Reference
    version: Annotated[
        str, typer.Argument(help="One of the library, v2 say, or one the package gave itself.")
    ]
    workspace: Workspace = None
    json: Json = False
