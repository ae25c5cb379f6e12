"""The options of ``whet skill import`` and ``whet baseline import``."""

from dataclasses import dataclass
from typing import Annotated

import typer

from whet.cli.asset_options import Type
from whet.cli.options import Json, Workspace


@dataclass(frozen=True, kw_only=True)
class Import:
    """What both have."""

    name: Annotated[str | None, typer.Option(help="Its name. Default: as it says itself.")] = None
    purpose: Annotated[
        str | None, typer.Option(help="What it is for. Default: as it says itself, else general.")
    ] = None
    provider: Annotated[
        str | None, typer.Option(help="Who it is from. Default: as it says itself, else local.")
    ] = None
    description: Annotated[str | None, typer.Option(help="What it does.")] = None
    author: Annotated[str | None, typer.Option(help="Who wrote it.")] = None
    source: Annotated[
        str | None, typer.Option(help="Where it is from. Default: the name of the file.")
    ] = None
    update: Annotated[
        bool,
        typer.Option(
            "--update", help="The next version of what has this name, instead of another asset."
        ),
    ] = False
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class SkillImport(Import):
    """The options of ``whet skill import``."""

    paths: Annotated[
        list[str] | None,
        typer.Argument(
            help="A skill's folder, one with skills below, a .zip, .skill, .md, .txt or .json "
            "file; - reads a text from stdin.",
            metavar="PATH...",
            show_default=False,
        ),
    ] = None
    installed: Annotated[
        bool,
        typer.Option(
            "--installed",
            help="Every skill that agents have in your home, here, and in the folders given.",
        ),
    ] = False
    type: Annotated[
        Type | None, typer.Option(help="What it is. Default: as it says itself, else skill.")
    ] = None


@dataclass(frozen=True, kw_only=True)
class BaselineImport(Import):
    """The options of ``whet baseline import``."""

    paths: Annotated[
        list[str] | None,
        typer.Argument(
            help="A .json, .csv or .tsv file, or a skill's folder with evals; - reads JSON or CSV "
            "from stdin.",
            metavar="PATH...",
            show_default=False,
        ),
    ] = None
    empty: Annotated[
        bool, typer.Option("--empty", help="Begin one without cases; it needs a --name.")
    ] = False
