"""The options of ``whet skill versions`` and ``whet skill diff``."""

from dataclasses import dataclass
from typing import Annotated

import typer

from whet.cli.asset_options import Reference
from whet.cli.options import Json, Workspace


@dataclass(frozen=True, kw_only=True)
class Versions:
    """The options of ``whet skill versions``."""

    reference: Reference
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Diff:
    """The options of ``whet skill diff``."""

    reference: Reference
    left: Annotated[str, typer.Argument(help="A version, v1 say.")]
    right: Annotated[str, typer.Argument(help="Another one.")]
    side_by_side: Annotated[
        bool, typer.Option("--side-by-side", help="In two columns instead of one.")
    ] = False
    workspace: Workspace = None
    json: Json = False
