"""The options of the commands that change skills and baselines."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from whet.cli.asset_options import Expect, Reference
from whet.cli.options import Json, Workspace

FIELDS = "name, purpose, provider, description, author, source"


@dataclass(frozen=True, kw_only=True)
class SkillEdit:
    """The options of ``whet skill edit``."""

    reference: Reference
    content: Annotated[
        str | None,
        typer.Option(
            help="The new text, of a package that of its SKILL.md; - is stdin.", metavar="FILE"
        ),
    ] = None
    from_: Annotated[
        Path | None,
        typer.Option("--from", help="A folder, zip or file that is what it says from now on."),
    ] = None
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help=f"One of {FIELDS}, type; may be repeated.",
            metavar="NAME=TEXT",
        ),
    ] = None
    expect: Expect = None
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class BaselineEdit:
    """The options of ``whet baseline edit``."""

    reference: Reference
    cases: Annotated[
        Path | None,
        typer.Option(help="All cases anew: a .json, .csv or .tsv file.", metavar="FILE"),
    ] = None
    rubric: Annotated[
        str | None,
        typer.Option(
            help="A file with a rubric, or the name of one: six_dimensions, universal, none "
            "(checks alone decide), or default (as if nothing was said).",
            metavar="FILE|NAME",
        ),
    ] = None
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help=f"One of {FIELDS}; may be repeated.", metavar="NAME=TEXT"),
    ] = None
    expect: Expect = None
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Rollback:
    """The options of ``whet skill rollback``."""

    reference: Reference
    version: Annotated[str, typer.Argument(help="The version to go back to, v1 say.")]
    expect: Expect = None
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Adopt:
    """The options of ``whet skill adopt``."""

    reference: Reference
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Status:
    """The options of ``whet skill archive`` and ``whet skill restore``."""

    references: Annotated[
        list[str],
        typer.Argument(
            help="Ids, the unique beginnings of those, or names.",
            metavar="ID...",
            show_default=False,
        ),
    ]
    workspace: Workspace = None
    json: Json = False
