"""The options of the commands that find skills and baselines and show them."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

import typer

from whet.cli.asset_options import Reference, Type, Version
from whet.cli.options import Json, Workspace
from whet.ports.listing import LARGEST_PAGE

PageNumber = Annotated[int, typer.Option("--page", help="Which page.", min=1)]
PageSize = Annotated[
    int, typer.Option("--page-size", help="How many on a page.", min=1, max=LARGEST_PAGE)
]


class Status(StrEnum):
    """Which assets are listed."""

    ACTIVE = "active"
    ARCHIVED = "archived"
    ALL = "all"


class Sort(StrEnum):
    """What a list is sorted by."""

    CREATED_AT = "created_at"
    UPDATED_AT = "updated_at"
    NAME = "name"


@dataclass(frozen=True, kw_only=True)
class List:
    """The options of ``whet baseline list``."""

    purpose: Annotated[str | None, typer.Option(help="Only of this purpose.")] = None
    provider: Annotated[str | None, typer.Option(help="Only of this provider.")] = None
    status: Annotated[Status, typer.Option(help="Which of them.")] = Status.ACTIVE
    tag: Annotated[
        list[str] | None, typer.Option(help="Only with this tag; all of them if repeated.")
    ] = None
    keyword: Annotated[str, typer.Option(help="A part of the name or the description.")] = ""
    sort: Annotated[Sort, typer.Option(help="What to sort by.")] = Sort.UPDATED_AT
    ascending: Annotated[
        bool | None,
        typer.Option(
            "--ascending/--descending",
            help="The order. Default: names ascending, dates descending.",
            show_default=False,
        ),
    ] = None
    page: PageNumber = 1
    page_size: PageSize = 20
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class SkillList(List):
    """The options of ``whet skill list``."""

    type: Annotated[Type | None, typer.Option(help="Only skills, or only agents.")] = None


@dataclass(frozen=True, kw_only=True)
class SkillShow:
    """The options of ``whet skill show``."""

    reference: Reference
    version: Version = None
    content: Annotated[bool, typer.Option("--content", help="The whole text.")] = False
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class BaselineShow:
    """The options of ``whet baseline show``."""

    reference: Reference
    version: Version = None
    case: Annotated[
        str | None, typer.Option("--case", help="One case in full, by its id.", metavar="CASE")
    ] = None
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Search:
    """The options of ``whet skill search`` and ``whet baseline search``."""

    words: Annotated[
        list[str],
        typer.Argument(
            help="All of them have to be there; the last may be a beginning.", metavar="WORDS..."
        ),
    ]
    page: PageNumber = 1
    page_size: PageSize = 20
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Plain:
    """The options of a command that has none of its own."""

    workspace: Workspace = None
    json: Json = False
