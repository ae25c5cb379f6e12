"""The options of ``whet baseline case``."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from whet.cli.asset_options import Expect, Reference
from whet.cli.options import Json, Workspace

CaseId = Annotated[str, typer.Argument(help="The id of the case.", metavar="CASE")]
InputFile = Annotated[
    str | None,
    typer.Option("--input-file", help="The same from a file; - is stdin.", metavar="FILE"),
]
ExpectedFile = Annotated[
    str | None,
    typer.Option("--expected-file", help="The same from a file; - is stdin.", metavar="FILE"),
]


class Category(StrEnum):
    """What a case tries."""

    STANDARD = "standard"
    BOUNDARY = "boundary"
    EXCEPTION = "exception"


@dataclass(frozen=True, kw_only=True)
class CaseList:
    """The options of ``whet baseline case list``."""

    reference: Reference
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class CaseAdd:
    """The options of ``whet baseline case add``."""

    reference: Reference
    input_: Annotated[str | None, typer.Option("--input", help="What the agent is asked.")] = None
    input_file: InputFile = None
    expected: Annotated[str | None, typer.Option(help="What a good answer has.")] = None
    expected_file: ExpectedFile = None
    name: Annotated[str | None, typer.Option(help="Default: its id.")] = None
    category: Annotated[Category | None, typer.Option(help="Default: standard.")] = None
    description: Annotated[str | None, typer.Option(help="What it is for.")] = None
    weight: Annotated[float | None, typer.Option(help="How much it counts.")] = None
    timeout: Annotated[float | None, typer.Option(help="Seconds that the agent has.")] = None
    from_: Annotated[
        Path | None,
        typer.Option("--from", help="Cases of a .json, .csv or .tsv file instead.", metavar="FILE"),
    ] = None
    expect: Expect = None
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class CaseEdit:
    """The options of ``whet baseline case edit``."""

    reference: Reference
    case: CaseId
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="A field; VALUE is JSON or else a text; null takes it away. May be repeated.",
            metavar="NAME=VALUE",
        ),
    ] = None
    input_file: Annotated[
        str | None,
        typer.Option(help="The input from a file; - is stdin.", metavar="FILE"),
    ] = None
    expected_file: Annotated[
        str | None,
        typer.Option(help="What is expected, from a file; - is stdin.", metavar="FILE"),
    ] = None
    expect: Expect = None
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class CaseRemove:
    """The options of ``whet baseline case remove``."""

    reference: Reference
    case: CaseId
    expect: Expect = None
    workspace: Workspace = None
    json: Json = False
