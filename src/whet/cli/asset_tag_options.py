"""The options of ``whet skill tag`` and ``whet baseline tag``."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

import typer

from whet.cli.asset_options import Reference
from whet.cli.options import Json, Workspace

_NAMED = "Its wording, its id or the beginning of that."


class Answer(StrEnum):
    """What is said to every proposed tag that waits."""

    APPROVE = "approve"
    REJECT = "reject"


@dataclass(frozen=True, kw_only=True)
class TagList:
    """The options of ``whet skill tag list``."""

    reference: Reference
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class TagAdd:
    """The options of ``whet skill tag add``."""

    reference: Reference
    values: Annotated[list[str], typer.Argument(help="The tags.", metavar="VALUE...")]
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class TagRemove:
    """The options of ``whet skill tag remove``."""

    reference: Reference
    tags: Annotated[list[str], typer.Argument(help=_NAMED, metavar="TAG...")]
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class TagRename:
    """The options of ``whet skill tag rename``."""

    reference: Reference
    tag: Annotated[str, typer.Argument(help=_NAMED)]
    value: Annotated[str, typer.Argument(help="The new wording.")]
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class TagReview:
    """The options of ``whet skill tag review``."""

    reference: Reference
    approve: Annotated[
        list[str] | None, typer.Option(help="Let it hold; may be repeated.", metavar="TAG")
    ] = None
    reject: Annotated[
        list[str] | None, typer.Option(help="Do not let it hold; may be repeated.", metavar="TAG")
    ] = None
    modify: Annotated[
        list[str] | None,
        typer.Option(
            help="Let it hold in other words; may be repeated.",
            metavar="TAG=VALUE",
        ),
    ] = None
    all_: Annotated[
        Answer | None, typer.Option("--all", help="What to say to all the others that wait.")
    ] = None
    again: Annotated[
        bool, typer.Option("--again", help="Also where something was said before.")
    ] = False
    workspace: Workspace = None
    json: Json = False
