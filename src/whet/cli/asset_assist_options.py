"""The options of the commands in which a model helps with the library."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from whet.cli.options import Json, Workspace

Engine = Annotated[
    str | None, typer.Option(help="The engine that is asked. Default: as configured.")
]
Model = Annotated[
    str | None, typer.Option(help="Its model. Default: as configured, else what it takes itself.")
]


@dataclass(frozen=True, kw_only=True)
class Auto:
    """The options of ``whet skill tag auto``."""

    references: Annotated[
        list[str] | None,
        typer.Argument(
            help="Ids, the unique beginnings of those, or names.",
            metavar="ID...",
            show_default=False,
        ),
    ] = None
    all_: Annotated[bool, typer.Option("--all", help="Every one that is not archived.")] = False
    untagged: Annotated[
        bool,
        typer.Option(
            "--untagged", help="Every one without a tag that holds or waits; the first 200 of them."
        ),
    ] = False
    engine: Engine = None
    model: Model = None
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before spending.")] = False
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Generate:
    """The options of ``whet baseline generate``."""

    name: Annotated[str, typer.Option(help="What it is called.")]
    purpose: Annotated[str, typer.Option(help="What it is for.")]
    provider: Annotated[str, typer.Option(help="Who it is from.")] = "local"
    description: Annotated[
        str | None, typer.Option(help="What the cases are to test.", metavar="TEXT")
    ] = None
    description_file: Annotated[
        str | None,
        typer.Option(help="A file that says it; - is stdin.", metavar="FILE"),
    ] = None
    number: Annotated[int, typer.Option(help="How many, 1 to 50.")] = 10
    engine: Engine = None
    model: Model = None
    output: Annotated[
        Path | None,
        typer.Option(help="Put them into this file, and not into the library.", metavar="FILE"),
    ] = None
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Keep all of them without a look.")] = (
        False
    )
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class SuggestPurpose:
    """The options of ``whet skill suggest-purpose``."""

    purpose: Annotated[str, typer.Argument(help="The purpose that you think of.", metavar="NAME")]
    engine: Engine = None
    model: Model = None
    workspace: Workspace = None
    json: Json = False
